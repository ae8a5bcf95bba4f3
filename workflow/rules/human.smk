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
    """Tables that rest on live buzzes alone."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "teams"),
    output:
        **writes("dataset", "category_margins", "team_summary"),
        **writes("cumulative_buzzes", "buzz_positions"),
    params:
        **options("primary_segmentation"),
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


rule estimate_incidence:
    """Who played whom, and how chances at a question end by share heard and by clue."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "teams"),
    output:
        **writes("pairings", "incidence"),
    params:
        **options("primary_segmentation"),
        **resampling(),
    script:
        "../scripts/estimate_incidence.py"


rule compare_quartiles:
    """Quartiles that do not reward exposure, and how far they hold on other packets."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "teams"),
    output:
        **writes("fair_quartiles", "quartile_shrinkage", "exposure_correlation"),
    params:
        **options("primary_segmentation", "halves"),
        **resampling(),
    script:
        "../scripts/compare_quartiles.py"


rule plot_buzzes:
    """Cumulative buzzes, and where teams buzz."""
    input:
        **reads("cumulative_buzzes", "buzz_positions"),
    output:
        **draws("figure4", "buzz_positions"),
    params:
        **options("quartile_rule", "normalisation", "heard", "primary_segmentation", "level"),
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


rule plot_quartiles:
    """Cumulative incidence beside figure 4's ratio, and fair quartiles."""
    input:
        **reads("incidence", "pairings", "cumulative_buzzes"),
        **reads("fair_quartiles", "quartile_shrinkage"),
    output:
        **draws("incidence", "fair_quartiles"),
    params:
        **options("quartile_rule", "heard", "primary_segmentation", "halves", "level"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_quartiles.py"
