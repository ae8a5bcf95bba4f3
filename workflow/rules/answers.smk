"""Answer equivalence and backfilling: what was right, at which clue.

inputs:  tidy tables, manual verdicts
outputs: judged/*.parquet, tables and a figure on the judging, audit/findings/*.csv
"""


rule fit_equivalence:
    """Fit the answer-equivalence score to human-labelled pairs, where a study names some."""
    input:
        pairs=given("equivalence_pairs"),
    output:
        model="results/{study}/judged/equivalence.json",
    params:
        seed=0,
    script:
        "../scripts/fit_equivalence.py"


rule judge_shard:
    """Judge the distinct guesses on one of several ranges of questions, where a study is split (option shards)."""
    input:
        **reads("questions", "guesses"),
        model=equivalence_model,
    output:
        judgements="results/{study}/judged/shards/{shard}-of-{shards}.parquet",
    params:
        **options("matcher"),
    script:
        "../scripts/judge_shard.py"


rule judge_guesses:
    """Judge each distinct guess once, manual verdicts first, and carry it to the clues."""
    input:
        **reads("questions", "clues", "guesses"),
        shards=judged_shards,
        overrides=given("overrides"),
        model=equivalence_model,
    output:
        **writes("judgements", "responses"),
        findings="results/{study}/audit/findings/judging.csv",
    params:
        **options("matcher"),
        thresholds=model_thresholds,
    script:
        "../scripts/judge_guesses.py"


rule judge_survey:
    """Judge survey answers and backfill them."""
    input:
        **reads("questions", "survey"),
        overrides=given("overrides"),
        model=equivalence_model,
    output:
        **writes("survey_judgements", "survey_responses"),
        findings="results/{study}/audit/findings/survey.csv",
    params:
        **options("matcher"),
    script:
        "../scripts/judge_survey.py"


rule verify_judging:
    """What the choice of judge moves, what an editor should look at first, and agreement with people."""
    input:
        **reads("questions", "clues", "guesses", "judgements", "responses", "human_curve"),
        model=equivalence_model,
    output:
        **writes("matcher_verdicts", "matchers", "to_verify", "verification"),
    params:
        **options("primary_segmentation", "reductions"),
        **resampling(),
    script:
        "../scripts/verify_judging.py"


rule compare_marks:
    """Marks that came with the guesses against the engine, run by run, with the cause."""
    input:
        **reads("questions", "guesses"),
        overrides=given("overrides"),
        model=equivalence_model,
    output:
        **writes("judging_disagreements"),
    script:
        "../scripts/compare_marks.py"


rule count_marks:
    """Who calls how many runs right, by model and cause."""
    input:
        **reads("guesses", "judging_disagreements"),
    output:
        **writes("marks"),
    script:
        "../scripts/count_marks.py"


rule plot_marks:
    """Runs that marks and engine call right, together and alone."""
    input:
        **reads("marks"),
    output:
        **draws("marks"),
    params:
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_marks.py"
