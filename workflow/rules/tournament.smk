"""Tournaments: QBJ and buzz CSV to tidy tables, quizbowl statistics, and the way out again.

inputs:  raw/tournament (QBJ, packets, buzz CSV); any study's tidy tables for the export
outputs: tidy/*.parquet, tables/quizbowl_*.csv, tables/buzzpoint_curves.csv, figures/buzzpoints_*, export/
"""


rule collect_tournament:
    """Copy a tournament's files and list them with their checksums."""
    wildcard_constraints:
        study=only("tournament"),
    input:
        files=tournament_files,
        guesses=outside_guesses,
        survey=survey_file,
    output:
        folder=directory("results/{study}/raw/tournament"),
        manifest="results/{study}/raw/manifest.csv",
    params:
        sources=tournament_sources,
        code=code("collect_tournament"),
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
    wildcard_constraints:
        study=only("tournament"),
    input:
        folder="results/{study}/raw/tournament",
    output:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        participation="results/{study}/tidy/participation.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        games="results/{study}/tidy/games.parquet",
        plays="results/{study}/tidy/plays.parquet",
        heard="results/{study}/tidy/heard.parquet",
        rosters="results/{study}/tidy/rosters.parquet",
        tossups="results/{study}/tidy/tossups.parquet",
        findings="results/{study}/audit/findings/tournament.csv",
    params:
        options=option(
            "category_aliases", "categories", "models", "names", "buzz_position_base", "seed"
        ),
        sources=tournament_sources,
        code=code("parse_qbj"),
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
    wildcard_constraints:
        study=only("tournament"),
    input:
        questions="results/{study}/tidy/questions.parquet",
        plays="results/{study}/tidy/plays.parquet",
        heard="results/{study}/tidy/heard.parquet",
        rosters="results/{study}/tidy/rosters.parquet",
        clues="results/{study}/tidy/clues.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
    output:
        teams=report(
            "results/{study}/tables/quizbowl_teams.csv",
            caption="../report/tables/quizbowl_teams.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quizbowl: teams"},
        ),
        players=report(
            "results/{study}/tables/quizbowl_players.csv",
            caption="../report/tables/quizbowl_players.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quizbowl: players"},
        ),
        categories=report(
            "results/{study}/tables/quizbowl_categories.csv",
            caption="../report/tables/quizbowl_categories.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quizbowl statistics of categories"},
        ),
        team_categories=report(
            "results/{study}/tables/quizbowl_team_categories.csv",
            caption="../report/tables/quizbowl_team_categories.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quizbowl statistics of teams by category"},
        ),
        per_question=report(
            "results/{study}/tables/quizbowl_questions.csv",
            caption="../report/tables/quizbowl_questions.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quizbowl: questions"},
        ),
        curves="results/{study}/tables/buzzpoint_curves.csv",
        questions_svg=report(
            "results/{study}/figures/buzzpoints_questions.svg",
            caption="../report/buzzpoints_questions.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Buzz points of questions"},
        ),
        questions_png="results/{study}/figures/buzzpoints_questions.png",
        teams_svg=report(
            "results/{study}/figures/buzzpoints_teams.svg",
            caption="../report/buzzpoints_teams.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Buzz points of teams"},
        ),
        teams_png="results/{study}/figures/buzzpoints_teams.png",
    params:
        options=option("primary_segmentation", "level", "buzzpoint_questions", "buzzpoint_teams"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("tabulate_quizbowl"),
    log:
        "results/{study}/logs/tabulate_quizbowl.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_quizbowl.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_quizbowl.py"


rule export_study:
    """Write any study's live buzzes as QBJ match files, packets and buzz CSV."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        games=when("tournament", "results/{study}/tidy/games.parquet"),
        heard=when("tournament", "results/{study}/tidy/heard.parquet"),
        plays=when("tournament", "results/{study}/tidy/plays.parquet"),
        rosters=when("tournament", "results/{study}/tidy/rosters.parquet"),
        tossups=when("tournament", "results/{study}/tidy/tossups.parquet"),
    output:
        folder=directory("results/{study}/export"),
    params:
        options=option("export_names", "seed"),
        code=code("export_study"),
    log:
        "results/{study}/logs/export_study.log",
    benchmark:
        "results/{study}/benchmarks/export_study.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/export_study.py"
