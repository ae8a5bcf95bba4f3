"""The human side: backfilled live answers, h_t and who made it, rankings, quartiles and players.

inputs:  tidy/questions, tidy/clues, tidy/buzzes, tidy/exposures, judged/survey_responses
outputs: judged/team_responses, human/*.parquet, inference/{precision,pairings,incidence}.parquet,
         tables of buzzes, teams, quartiles and the survey; their figures
"""


rule estimate_human_curve:
    """Backfill live answers, compute h_t under every definition and who made it, rank the teams."""
    input:
        **reads("clues", "buzzes", "exposures"),
    output:
        **writes("team_responses", "crowd", "human_curve", "teams"),
    params:
        **options("primary_segmentation", "memory"),
    script:
        "../scripts/estimate_human_curve.py"


rule tabulate_buzzes:
    """Tables of live buzzes: who met whom, how chances end, and quartiles that do not reward exposure."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "teams"),
    output:
        **writes("dataset", "category_margins", "team_summary"),
        **writes("cumulative_buzzes", "buzz_positions", "pairings", "incidence"),
        **writes("fair_quartiles", "quartile_shrinkage", "exposure_correlation"),
    params:
        **options("primary_segmentation", "halves"),
        **resampling(),
        names=model_names,
    script:
        "../scripts/tabulate_buzzes.py"


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


rule estimate_precision:
    """P(correct | buzz) of humans and live models, with questions and teams resampled."""
    input:
        **reads("questions", "buzzes"),
    output:
        **writes("precision"),
    params:
        **resampling(),
        names=model_names,
    script:
        "../scripts/estimate_precision.py"


rule plot_buzzes:
    """Cumulative buzzes and incidence, where teams buzz, and fair quartiles."""
    input:
        **reads("cumulative_buzzes", "buzz_positions", "incidence", "pairings"),
        **reads("fair_quartiles", "quartile_shrinkage"),
    output:
        **draws("figure4", "buzz_positions", "incidence", "fair_quartiles"),
    params:
        **options("quartile_rule", "normalisation", "heard", "primary_segmentation", "level"),
        **options("halves"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_buzzes.py"


rule plot_precision:
    """P(correct | buzz) by category: the human pool and each live model."""
    input:
        **reads("precision"),
    output:
        **draws("precision"),
    params:
        **options("level"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_precision.py"
