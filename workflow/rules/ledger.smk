"""Published statements and printed numbers, held against the study and against each other.

inputs:  published numbers, tables of most rooms before
outputs: tables/{statements,claims,printed_cells}.csv, tables/{readings,reading_cells,rounding,script_curves}.csv, tables/forensics*.csv,
         figures/forensics.svg and .png
"""


rule check_claims:
    """Hold every published statement against what was computed, and every printed number against what any model could
    reach and against its neighbours."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "human_curve", "teams"),
        **reads("responses", "model_scores", "question_scores", "survey_responses", "players"),
        **reads(
            "precision",
            "cumulative_buzzes",
            "ranks",
            "table5",
            "readings",
            "reading_cells",
            "guesses",
            "script_curves",
        ),
        published=published,
    output:
        **writes("statements", "claims", "printed_cells"),
        **writes("forensics", "forensics_cells", "forensics_readings"),
    params:
        **options("primary_segmentation", "min_n"),
        **resampling(),
        simulated=simulated,
    wildcard_constraints:
        study=only("buzzes"),
    script:
        "../scripts/check_claims.py"


rule search_readings:
    """Score the model outputs under every declared reading, hold the printed columns against them, and run the public
    script of Figure 4."""
    input:
        **reads("guesses", "judgements", "questions", "buzzes", "output_buzzes", "exposures"),
        **reads("participation"),
        published=published,
    output:
        **writes("readings", "reading_cells", "rounding", "script_curves"),
    params:
        **options("human_buzzes"),
    wildcard_constraints:
        study=only("outputs", "published"),
    script:
        "../scripts/search_readings.py"


rule plot_forensics:
    """Printed CalScore of each row against its attainable ranges, one panel a reading."""
    input:
        **reads("forensics"),
    output:
        **draws("forensics"),
    params:
        **options("primary_segmentation"),
        model_names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_forensics.py"
