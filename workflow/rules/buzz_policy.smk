"""From confidences to buzzes and from buzzes to matches.

inputs:  tidy tables, judged/judgements, past/*.parquet
outputs: buzzing/buzzpoints.parquet, tables of thresholds, expected wins, opponents, matches, decision value, live and offline; figures
"""


rule tune_buzz_policy:
    """Given, tuned and trained thresholds, their buzzpoints, what each would win, and the figures of it."""
    input:
        **reads("questions", "buzzes", "exposures", "guesses", "judgements"),
        **reads("past_questions", "past_runs"),
    output:
        **writes("buzzpoints", "thresholds", "expected_wins", "opponents"),
        **draws("expected_wins"),
    params:
        **options("thresholds", "folds"),
        **resampling(),
        **labels(),
        shown_opponents=option_of("opponents"),
        given_thresholds=option_of("thresholds"),
    script:
        "../scripts/tune_buzz_policy.py"


rule replay_matches:
    """Replay live buzzes and buzzpoints of each model against every logged human team, and draw the margins."""
    input:
        **reads("questions", "buzzes", "exposures"),
        buzzpoints=when("guesses", "results/{study}/buzzing/buzzpoints.parquet"),
    output:
        **writes("matches", "win_matrix"),
        **draws("matches"),
    params:
        **options("opponents", "match_points"),
        **resampling(),
        **labels(),
        own=model_thresholds,
    script:
        "../scripts/replay_matches.py"


rule compare_live:
    """The same model live and offline: what it did on each question, and how often the two agree."""
    input:
        **reads("buzzes", "exposures", "buzzpoints"),
    output:
        **writes("live_questions", "live_offline"),
    params:
        **resampling(),
        names=model_names,
    script:
        "../scripts/compare_live.py"
