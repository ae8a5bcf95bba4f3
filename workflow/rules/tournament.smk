"""Tournaments: QBJ and buzz CSV to tidy tables, quizbowl statistics, and the way out again.

inputs:  raw/tournament (QBJ, packets, buzz CSV); any study's tidy tables for the export
outputs: tidy/*.parquet, tables/quizbowl_*.csv, tables/buzzpoint_curves.csv, figures/buzzpoints_*, export/
"""


rule collect_tournament:
    """Copy a tournament's files and list them with their checksums."""
    input:
        simulated=when("simulated", "results/{study}/simulated/tournament"),
        files=tournament_files,
        guesses=outside_guesses,
        survey=survey_file,
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/tournament"),
    params:
        sources=tournament_sources,
        code=code("collect_tournament"),
    wildcard_constraints:
        study=only("tournament"),
    log:
        "results/{study}/logs/collect_tournament.log",
    benchmark:
        "results/{study}/benchmarks/collect_tournament.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_tournament.py"


rule parse_qbj:
    """Parse match files, packets and buzz CSV, and find what is wrong in them."""
    input:
        folder="results/{study}/raw/tournament",
    output:
        **writes("questions", "buzzes", "participation", "exposures"),
        **writes("games", "plays", "heard", "rosters", "tossups"),
        findings="results/{study}/audit/findings/tournament.csv",
    params:
        **options("category_aliases", "categories", "models"),
        **options("names", "buzz_position_base", "seed"),
        code=code("parse_qbj"),
    wildcard_constraints:
        study=only("tournament"),
    log:
        "results/{study}/logs/parse_qbj.log",
    benchmark:
        "results/{study}/benchmarks/parse_qbj.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_qbj.py"


rule tabulate_quizbowl:
    """Conversion, powers, negs, rebounds, buzz-point area by team, player, category and question."""
    input:
        **reads("plays", "heard", "rosters", "questions"),
    output:
        **writes("quizbowl_teams", "quizbowl_players", "quizbowl_questions"),
        **writes("quizbowl_categories", "quizbowl_team_categories", "buzzpoint_curves"),
    params:
        **options("level"),
        code=code("tabulate_quizbowl"),
    log:
        "results/{study}/logs/tabulate_quizbowl.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_quizbowl.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_quizbowl.py"


rule plot_buzzpoints:
    """Draw the buzz points of questions and teams beside h_t."""
    input:
        **reads("buzzpoint_curves", "quizbowl_questions", "quizbowl_teams"),
        **reads("human_curve", "clues", "questions", "heard"),
    output:
        **draws("buzzpoints_questions", "buzzpoints_teams"),
    params:
        **options("primary_segmentation", "buzzpoint_questions", "buzzpoint_teams"),
        names=model_names,
        simulated=simulated,
        code=code("plot_buzzpoints"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_buzzpoints.log",
    benchmark:
        "results/{study}/benchmarks/plot_buzzpoints.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_buzzpoints.py"


rule export_study:
    """Write any study's live buzzes as QBJ match files, packets and buzz CSV."""
    input:
        **reads("questions", "buzzes", "exposures"),
        **reads("games", "heard", "plays", "rosters", "tossups"),
    output:
        folder=directory("results/{study}/export"),
    params:
        **options("export_names", "seed"),
        code=code("export_study"),
    log:
        "results/{study}/logs/export_study.log",
    benchmark:
        "results/{study}/benchmarks/export_study.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/export_study.py"
