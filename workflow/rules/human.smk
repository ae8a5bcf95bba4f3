"""The human side: backfilled live answers, h_t and who made it, rankings, quartiles and players.

inputs:  tidy/questions, tidy/clues, tidy/buzzes, tidy/exposures, judged/survey_responses
outputs: judged/team_responses, human/*.parquet, inference/{precision,pairings,incidence}.parquet,
         tables of buzzes, teams, quartiles and the survey; their figures
"""

HUMAN_SIDE = [f"{name}.parquet" for name in ("clues", "team_responses", "crowd", "human_curve")]


rule estimate_shard:
    """Clues, live answers and h_t of one of several ranges of questions, where a study is split (option shards)."""
    input:
        **reads("questions", "buzzes", "exposures"),
        guesses=guesses_at("segmentations"),
    output:
        **of_shard("human", *HUMAN_SIDE),
    params:
        **options("segmentations", "memory"),
        printed=printed_models,
    script:
        "../scripts/estimate_shard.py"


rule estimate_human_curve:
    """Cut questions into clues under each segmentation, backfill live answers, h_t and who made it."""
    input:
        **reads("questions", "buzzes", "exposures"),
        guesses=guesses_at("segmentations"),
        parts=of_shards("human", *HUMAN_SIDE),
        extract=extract,
    output:
        **writes("clues", "team_responses", "crowd", "human_curve", "dataset"),
    params:
        **options("segmentations", "memory"),
        printed=printed_models,
    script:
        "../scripts/estimate_human_curve.py"


rule tabulate_human:
    """Tables of live buzzes: teams, who met whom, P(correct | buzz), quartiles that do not reward exposure."""
    input:
        **reads("questions", "buzzes", "exposures"),
        guesses=guesses_at("primary_segmentation"),
        extract=extract,
    output:
        **writes("teams", "category_margins", "team_summary", "precision"),
        **writes("cumulative_buzzes", "buzz_positions", "pairings", "incidence"),
        **writes("fair_quartiles", "quartile_shrinkage"),
    params:
        **options("primary_segmentation", "halves"),
        **resampling(),
        names=model_names,
        printed=printed_models,
    script:
        "../scripts/tabulate_human.py"


rule tabulate_survey:
    """Rank the survey players; what they knew by quartile, when they buzzed by half."""
    input:
        **reads("survey_responses"),
    output:
        **writes("players", "survey_accuracy", "survey_buzz_given"),
    params:
        **resampling(),
    script:
        "../scripts/tabulate_survey.py"


rule plot_human:
    """Cumulative buzzes and incidence, where teams buzz, fair quartiles, P(correct | buzz)."""
    input:
        **reads("cumulative_buzzes", "buzz_positions", "incidence", "pairings"),
        **reads("fair_quartiles", "quartile_shrinkage", "precision"),
    output:
        **draws("figure4", "buzz_positions", "incidence", "fair_quartiles", "precision"),
    params:
        **options("quartile_rule", "normalisation", "heard", "primary_segmentation", "level"),
        **options("halves"),
        **labels(),
    priority: DRAWN_LAST
    script:
        "../scripts/plot_human.py"
