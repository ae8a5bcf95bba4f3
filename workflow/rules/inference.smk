"""What the numbers can carry: resampling over questions and teams, paired tests, every other choice.

inputs:  tidy, judged, human and scores tables
outputs: inference/{differences,ranks,model_minus_human,odds_ratios,calibration_slopes}.parquet,
         tables/{comparisons,rank_shares,judges,crowd_sizes,buzz_effects,specifications,conclusions}.csv, their figures
"""


rule compare_models:
    """Differences between models, elicitations and humans: intervals, permutation tests, ranks."""
    input:
        **reads("questions", "clues", "crowd", "responses", "human_curve"),
        **reads("question_scores", "sh_scores"),
    output:
        **writes("differences", "ranks", "model_minus_human"),
        **writes("comparisons", "rank_shares"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions"),
        **options("declared_metrics", "permutations"),
        **resampling(),
        names=model_names,
    resources:
        mem_mb=2000,
        runtime=30,
    script:
        "../scripts/compare_models.py"


rule rarefy_crowd:
    """h and CalScore with fewer human teams than there are."""
    input:
        **reads("clues", "crowd", "responses", "human_curve"),
    output:
        **writes("crowd_sizes"),
    params:
        **options("primary_segmentation", "reductions", "seed", "level"),
    wildcard_constraints:
        study=only("buzzes"),
    script:
        "../scripts/rarefy_crowd.py"


rule plot_crowd_size:
    """h and CalScore against the number of human teams."""
    input:
        **reads("crowd_sizes"),
    output:
        **draws("crowd_size"),
    params:
        **options("level"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_crowd_size.py"


rule trace_specifications:
    """Scores under every combination of choices, in how many each order of models holds, and by judge."""
    input:
        **reads("questions", "responses", "human_curve", "matcher_verdicts", "differences"),
        **reads("table1", "comparisons"),
        published=published,
    output:
        **writes("specifications", "conclusions", "judges"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions", "permutations"),
        **resampling(),
    script:
        "../scripts/trace_specifications.py"


rule plot_comparisons:
    """Differences with intervals, ranks, the specification curve, and slopes of calibration."""
    input:
        **reads("differences", "ranks", "specifications", "table1", "calibration_slopes"),
    output:
        **draws("differences", "ranks", "specification_curve", "calibration_slopes"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions", "level"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_comparisons.py"


rule fit_odds_ratios:
    """Odds ratios of a right buzz: where in the question, who, which category; rates of buzzes with partial pooling."""
    input:
        **reads("questions", "buzzes", "exposures"),
    output:
        **writes("odds_ratios", "buzz_effects"),
    params:
        **options("level", "seed"),
    script:
        "../scripts/fit_odds_ratios.py"


rule plot_odds_ratios:
    """Forest plot of odds ratios, a panel per population and a mark per method; rates as counted and pooled in part."""
    input:
        **reads("odds_ratios", "buzz_effects"),
    output:
        **draws("odds_ratios", "buzz_effects"),
    params:
        **options("level"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_odds_ratios.py"


rule fit_calibration_slopes:
    """Calibration regressions of every model, elicitation and reduction."""
    input:
        **reads("responses"),
    output:
        **writes("calibration_slopes"),
    params:
        **options("primary_segmentation", "level"),
    script:
        "../scripts/fit_calibration_slopes.py"
