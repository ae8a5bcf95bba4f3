"""Tournaments: QBJ and buzz CSV to tidy tables and quizbowl statistics.

inputs:  raw/tournament (QBJ, packets, buzz CSV)
outputs: tidy/*.parquet, tables/quizbowl_*.csv, tables/standings.csv and the rest of statistics.html, tables/buzzpoint_curves.csv, figures/buzzpoints_*
"""


rule collect_tournament:
    """Copy a tournament's files and list them with their checksums."""
    input:
        simulated=when("simulated", "results/{study}/simulated/tournament"),
        files=tournament_files,
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/tournament"),
    params:
        **options("names"),
        sources=tournament_sources,
        private=lambda wildcards: sorted(provenance.private_folders(STUDIES[wildcards.study])),
    wildcard_constraints:
        study=only("tournament"),
    localrule: True
    script:
        "../scripts/collect_tournament.py"


rule parse_tournament:
    """Parse match files, packets and buzz CSV, and find what is wrong in them."""
    input:
        folder="results/{study}/raw/tournament",
    output:
        **writes("questions", "buzzes", "participation", "exposures"),
        **writes("games", "plays", "heard", "rosters", "tossups"),
        **writes("sides", "box_scores", "bonus_items", "bonus_plays"),
        findings="results/{study}/audit/findings/tournament.csv",
    params:
        **options("category_aliases", "categories", "models"),
        **options("packets", "names", "buzz_position_base", "phases", "exclude_from_individual"),
        title=lambda wildcards: STUDIES[wildcards.study]["title"],
    wildcard_constraints:
        study=only("tournament"),
    script:
        "../scripts/parse_tournament.py"


rule tabulate_tournament:
    """Statistics by team, player, category and question; standings, scores, individuals, rounds, bonuses and their page."""
    input:
        **reads("games", "sides", "box_scores", "plays", "heard", "rosters", "questions"),
        **reads("bonus_plays", "bonus_items"),
        issues="results/{study}/audit/findings/tournament.csv",
    output:
        **writes("quizbowl_teams", "quizbowl_players", "quizbowl_questions"),
        **writes("quizbowl_categories", "quizbowl_team_categories", "buzzpoint_curves"),
        **writes("standings", "scoreboard", "individuals", "round_report"),
        **writes("player_categories", "bonus_conversion"),
        **files("statistics_page"),
    params:
        **options("level"),
        masthead=masthead,
    script:
        "../scripts/tabulate_tournament.py"


rule plot_tournament:
    """Draw the buzz points of questions and teams beside h_t."""
    input:
        **reads("buzzpoint_curves", "quizbowl_questions", "quizbowl_teams"),
        **reads("human_curve", "clues", "questions", "heard"),
    output:
        **draws("buzzpoints_questions", "buzzpoints_teams"),
    params:
        **options("primary_segmentation"),
        **labels(),
    priority: DRAWN_LAST
    script:
        "../scripts/plot_tournament.py"
