"""Scores of models under every definition, with intervals, and the tables and figures that rest on them.

inputs:  judged/responses, human/{human_curve,crowd}, tidy/{questions,clues}; for figures 5 and 6 tables of the survey
outputs: scores/*.parquet, tables/{table1,table2,table5,extreme_questions,accuracy_by_share,buzz_given},
         tables/{proper_scores,proper_comparisons,risk_coverage}.csv, their figures
"""


rule score_shard:
    """What one of several ranges of questions adds to all scores, where a study is split (option shards)."""
    input:
        **reads("responses", "human_curve", "crowd", "clues"),
    output:
        scored=directory(of_shard("scores", "scored")["scored"]),
    params:
        **options("memory", "replicates", "seed"),
    threads: threads_by_size
    resources:
        mem_mb=option_of("memory"),
        runtime=60,
    script:
        "../scripts/score_shard.py"


rule score_models:
    """Score every model: MCE, CalScore, SH, ECE, Brier, accuracy, reliability bins."""
    input:
        **reads("responses", "human_curve", "crowd", "clues"),
        parts=of_shards("scores", "scored"),
    output:
        **writes("question_scores", "sh_scores", "model_scores", "reliability"),
    params:
        **options("memory"),
        **resampling(),
    threads: threads_by_size
    resources:
        mem_mb=option_of("memory"),
        runtime=60,
    script:
        "../scripts/score_models.py"


rule score_proper:
    """Score every model: Brier terms, log score, debiased and smooth ECE, AUROC, risk–coverage."""
    input:
        **reads("responses", "human_curve", "crowd", "clues"),
    output:
        **writes("proper", "proper_scores", "proper_comparisons", "risk_coverage"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions"),
        **resampling(),
        names=model_names,
    resources:
        mem_mb=2000,
        runtime=30,
    script:
        "../scripts/score_proper.py"


rule tabulate_scores:
    """Tables that rest on per-clue model guesses, and calibration regressions."""
    input:
        **reads("questions", "clues", "crowd", "human_curve", "responses"),
        **reads("question_scores", "model_scores"),
    output:
        **writes("table1", "table2", "table5", "extreme_questions"),
        **writes("accuracy_by_share", "buzz_given", "calibration_slopes"),
    params:
        **options("primary_segmentation", "reductions", "extreme_questions"),
        **resampling(),
        names=model_names,
    script:
        "../scripts/tabulate_scores.py"


rule plot_scores:
    """Figures of scores: reliability, categories, differences, ranks, specifications."""
    input:
        **reads("table1", "table5", "reliability", "proper_scores"),
        **reads("differences", "ranks", "specifications", "calibration_slopes"),
    output:
        **draws("reliability", "calscore_by_category"),
        **draws("differences", "ranks", "specification_curve"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions", "level", "min_n"),
        **labels(),
    priority: DRAWN_LAST
    script:
        "../scripts/plot_scores.py"


rule plot_answers:
    """Figures 5 and 6: models by what they guess, players by the survey."""
    input:
        **reads("accuracy_by_share", "buzz_given", "survey_accuracy", "survey_buzz_given"),
    output:
        **draws("figure5", "figure6"),
    params:
        **options("level", "min_n"),
        **labels(),
    priority: DRAWN_LAST
    script:
        "../scripts/plot_answers.py"
