"""Leaderboards: submissions, models that played live and models replayed from guesses, against human plays.

inputs:  submissions of the configuration, tidy/questions, tidy/buzzes, tidy/exposures or human plays,
         buzzing/buzzpoints
outputs: tidy/runs, tidy/human_plays, tidy/bonus_parts, tables/leaderboard*.csv, tables/bonuses.csv, figures/leaderboard_ranks, leaderboard.html
"""


rule parse_submissions:
    """Parse tossup submissions and human plays, and take the live models' buzzes as submissions."""
    input:
        **reads("questions", "buzzes"),
        simulated=simulated_submissions,
        files=submission_files("submissions"),
        plays_file=given("human_plays"),
    output:
        **writes("runs", "human_plays"),
        findings="results/{study}/audit/findings/submissions.csv",
    params:
        **options("human_plays_base"),
        names=submission_names("submissions"),
    script:
        "../scripts/parse_submissions.py"


rule score_bonuses:
    """Parse bonus submissions and score them under both readings."""
    input:
        simulated=simulated_submissions,
        files=submission_files("bonus_submissions"),
    output:
        **writes("bonus_parts", "bonuses"),
        findings="results/{study}/audit/findings/bonuses.csv",
    params:
        **resampling(),
        **options("rank_coverage", "missing_questions"),
        names=submission_names("bonus_submissions"),
        groups=submission_groups("bonus_submissions"),
    script:
        "../scripts/score_bonuses.py"


rule rank_leaderboard:
    """Score tossup submissions under every reading and rank them; draw the ranks and write the page."""
    input:
        **reads("runs", "human_plays", "questions", "buzzes", "exposures", "bonuses"),
        **replayed("buzzpoints", "responses", "clues"),
    output:
        **writes("leaderboard", "leaderboard_classes", "leaderboard_ranks"),
        **writes("leaderboard_pairs"),
        **draws("leaderboard_ranks"),
        **files("leaderboard_page"),
    params:
        **resampling(),
        **options("missing_questions", "rank_coverage", "score_early_stopped", "opponents"),
        **options("primary_segmentation", "reductions"),
        **labels(),
        own=model_thresholds,
        reference_models=known_models,
        groups=submission_groups("submissions"),
        masthead=masthead,
    script:
        "../scripts/rank_leaderboard.py"
