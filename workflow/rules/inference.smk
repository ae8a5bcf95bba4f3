"""What the numbers can carry: resampling over questions and teams, paired tests, every other choice.

inputs:  tidy, judged, human and scores tables
outputs: inference/{differences,ranks,model_minus_human,odds_ratios,calibration_slopes}.parquet,
         tables/{comparisons,rank_shares,judges,crowd_sizes,buzz_effects,specifications,conclusions}.csv, their figures
"""


rule compare_models:
    """Differences between models, elicitations and humans."""
    input:
        **reads("questions", "clues", "crowd", "responses", "human_curve"),
    output:
        **writes("differences", "ranks", "model_minus_human", "comparisons", "rank_shares"),
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
    """h and CalScore with fewer human teams than there are, and the figure of it."""
    input:
        **reads("clues", "crowd", "responses", "human_curve"),
    output:
        **writes("crowd_sizes"),
        **draws("crowd_size"),
    params:
        **options("primary_segmentation", "reductions", "seed", "level"),
        **labels(),
    script:
        "../scripts/rarefy_crowd.py"


rule tabulate_inference:
    """What the choice of judge moves, or of confidence; scores under every combination of choices, and the orders that hold."""
    input:
        **reads("questions", "clues", "guesses", "judgements", "responses", "human_curve"),
        **reads("buzzes", "exposures"),
        **reads("differences", "judging_disagreements"),
        model=equivalence_model,
        extract=extract,
        published=published,
    output:
        **writes("matcher_verdicts", "judges", "to_verify", "verification"),
        **writes("specifications", "conclusions", "decision_value"),
        **draws("decision_value"),
    params:
        **options("primary_segmentation", "primary_definition", "reductions", "permutations"),
        **options("match_points", "folds"),
        **resampling(),
        **labels(),
    script:
        "../scripts/tabulate_inference.py"


rule fit_odds_ratios:
    """Odds ratios of a right buzz: where in the question, who, which category; rates of buzzes with partial pooling."""
    input:
        **reads("questions", "buzzes", "exposures"),
    output:
        **writes("odds_ratios", "buzz_effects"),
        **draws("odds_ratios", "buzz_effects"),
    params:
        **options("level", "seed"),
        **labels(),
    script:
        "../scripts/fit_odds_ratios.py"
