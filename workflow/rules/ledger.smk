"""Published statements and printed numbers, held against the study and against each other.

inputs:  published numbers, tables of most rooms before
outputs: tables/{statements,claims,printed_cells}.csv, tables/{readings,reading_cells,rounding,script_curves,positions}.csv
"""


rule fill_ledger:
    """Hold every published statement and printed number against what was computed."""
    input:
        **reads("questions", "clues", "buzzes", "exposures", "human_curve", "teams"),
        **reads("responses", "model_scores", "question_scores", "survey_responses", "players"),
        **reads("precision", "cumulative_buzzes", "table5", "readings", "reading_cells"),
        **reads("guesses", "script_curves"),
        published=published,
    output:
        **writes("statements", "claims", "printed_cells"),
    params:
        **options("primary_segmentation", "min_n"),
        **resampling(),
        simulated=simulated,
    wildcard_constraints:
        study=only("buzzes"),
    script:
        "../scripts/fill_ledger.py"


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
    script:
        "../scripts/search_readings.py"


rule compare_positions:
    """What rests on the positions of buzzes, under the release's and under those of the model outputs."""
    input:
        **reads("guesses", "judgements", "questions", "clues", "responses", "teams"),
        **reads("buzzes", "output_buzzes", "exposures"),
        published=published,
    output:
        **writes("positions"),
    params:
        **options("primary_segmentation", "reductions", "human_buzzes"),
    script:
        "../scripts/compare_positions.py"
