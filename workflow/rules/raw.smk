"""What came from outside, verified and parsed: the release, guesses, the survey.

inputs:  the configuration; local files or public addresses
outputs: raw/ (as it came), tidy/*.parquet, tidy/alignment.csv, audit/findings/*.csv
"""


rule collect_raw:
    """Download or copy the release's files, check their SHA-256 and list them."""
    input:
        simulated=when("simulated", "results/{study}/simulated/truth.json"),
        guesses=outside_guesses,
        survey=survey_file,
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/release"),
    params:
        files=release_files,
        source=lookup("{study}/inputs/release_dir", within=STUDIES),
    wildcard_constraints:
        study=only("release"),
    localrule: True
    script:
        "../scripts/collect_raw.py"


rule parse_release:
    """Parse packets and participation tables, and find what is wrong in them."""
    input:
        release="results/{study}/raw/release",
    output:
        **writes("questions", "buzzes", "participation", "exposures"),
        findings="results/{study}/audit/findings/release.csv",
    params:
        **options("category_aliases", "categories", "exposure_table"),
        files=release_files,
        password=release_password,
    wildcard_constraints:
        study=only("release"),
    script:
        "../scripts/parse_release.py"


rule parse_guesses:
    """Parse model guesses of every source and align them with the questions."""
    input:
        **reads("questions"),
        files=outside_guesses,
        made=made_guesses,
    output:
        **writes("guesses", "alignment", "replies", "unparsed_replies"),
        findings="results/{study}/audit/findings/guesses.csv",
    params:
        sources=lookup("{study}/inputs/guesses", within=STUDIES),
    script:
        "../scripts/parse_guesses.py"


rule parse_survey:
    """Parse the offline survey."""
    input:
        **reads("questions"),
        file=survey_file,
    output:
        **writes("survey"),
    script:
        "../scripts/parse_survey.py"
