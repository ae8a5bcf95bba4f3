"""From raw files to tidy tables, validated against their schemas.

inputs:  raw/release, guess sources and survey of the configuration
outputs: tidy/*.parquet, tidy/alignment.csv, audit/findings/*.csv
"""


rule parse_release:
    """Parse packets and participation tables, and find what is wrong in them."""
    wildcard_constraints:
        study=only("release"),
    input:
        release="results/{study}/raw/release",
    output:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        participation="results/{study}/tidy/participation.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        findings="results/{study}/audit/findings/release.csv",
    params:
        files=lambda wildcards: {r: e["name"] for r, e in release_files(wildcards.study).items()},
        password=release_password,
        options=option("category_aliases", "categories", "exposure_table"),
        code=code("parse_release"),
    log:
        "results/{study}/logs/parse_release.log",
    benchmark:
        "results/{study}/benchmarks/parse_release.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_release.py"


rule parse_guesses:
    """Parse model guesses of every source and align them with the questions."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        files=guess_files,
    output:
        guesses="results/{study}/tidy/guesses.parquet",
        alignment="results/{study}/tidy/alignment.csv",
        findings="results/{study}/audit/findings/guesses.csv",
        replies=report(
            "results/{study}/tables/replies.csv",
            caption="../report/tables/replies.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Replies parsed and not"},
        ),
        unparsed=report(
            "results/{study}/audit/unparsed_replies.csv",
            caption="../report/tables/unparsed_replies.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Replies that could not be parsed"},
        ),
    params:
        sources=guess_sources,
        code=code("parse_guesses"),
    log:
        "results/{study}/logs/parse_guesses.log",
    benchmark:
        "results/{study}/benchmarks/parse_guesses.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_guesses.py"


rule parse_survey:
    """Parse the offline survey."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        survey=survey_file,
    output:
        survey="results/{study}/tidy/survey.parquet",
    params:
        code=code("parse_survey"),
    log:
        "results/{study}/logs/parse_survey.log",
    benchmark:
        "results/{study}/benchmarks/parse_survey.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_survey.py"


rule cut_clues:
    """Cut every question into clues under each named segmentation."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        guesses=when("guesses", "results/{study}/tidy/guesses.parquet"),
    output:
        clues="results/{study}/tidy/clues.parquet",
    params:
        segmentations=option("segmentations"),
        code=code("cut_clues"),
    log:
        "results/{study}/logs/cut_clues.log",
    benchmark:
        "results/{study}/benchmarks/cut_clues.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/cut_clues.py"
