"""From confidences to buzzes and from buzzes to matches.

inputs:  tidy tables, judged/judgements, past/*.parquet
outputs: buzzing/buzzpoints.parquet, tables of thresholds, expected wins, opponents, matches, decision value, live and offline; figures
"""


rule tune_buzzing:
    """Given, tuned and trained thresholds, their buzzpoints, and what each would win."""
    input:
        **reads("questions", "buzzes", "exposures", "guesses", "judgements"),
        **reads("past_questions", "past_runs"),
    output:
        **writes("buzzpoints", "thresholds", "expected_wins", "opponents"),
    params:
        **options("thresholds", "folds"),
        **resampling(),
        names=model_names,
    script:
        "../scripts/tune_buzzing.py"


rule replay_matches:
    """Replay live buzzes and buzzpoints of each model against every logged human team."""
    input:
        **reads("questions", "buzzes", "exposures"),
        buzzpoints=when("guesses", "results/{study}/buzzing/buzzpoints.parquet"),
    output:
        **writes("matches", "win_matrix"),
    params:
        **options("opponents", "match_points"),
        **resampling(),
        names=model_names,
    script:
        "../scripts/replay_matches.py"


rule value_confidence:
    """Points of buzzing by the stated confidence and by the recalibrated one, against the logged humans."""
    input:
        **reads("questions", "buzzes", "exposures", "guesses", "judgements"),
    output:
        **writes("decision_value"),
    params:
        **options("match_points", "folds"),
        **resampling(),
        names=model_names,
    script:
        "../scripts/value_confidence.py"


rule compare_live:
    """What a model did live beside what its runs do, question by question."""
    input:
        **reads("buzzes", "exposures", "buzzpoints"),
    output:
        **writes("live_questions", "live_offline"),
    params:
        **resampling(),
        names=model_names,
    script:
        "../scripts/compare_live.py"


rule plot_buzzing:
    """Expected wins by threshold, and the opponent curves behind them."""
    input:
        **reads("thresholds", "expected_wins", "opponents"),
    output:
        **draws("expected_wins", "opponents"),
    params:
        **options("level"),
        shown_opponents=option_of("opponents"),
        given_thresholds=option_of("thresholds"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_buzzing.py"


rule plot_matches:
    """Margins of the replayed matches."""
    input:
        **reads("matches"),
    output:
        **draws("matches"),
    params:
        **options("opponents", "level"),
        own=model_thresholds,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_matches.py"


rule plot_decision_value:
    """Points by the stated and by the recalibrated confidence, and what the difference is worth."""
    input:
        **reads("decision_value"),
    output:
        **draws("decision_value"),
    params:
        **options("level", "match_points"),
        names=model_names,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_decision_value.py"
