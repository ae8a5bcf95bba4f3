"""What came from outside, verified and parsed: the release, guesses, the survey.

inputs:  the configuration; local files or public addresses
outputs: raw/ (as it came), tidy/*.parquet, tidy/alignment.csv, audit/findings/*.csv
"""


rule collect_raw:
    """Download or copy the release's files, check their SHA-256 and list them."""
    input:
        simulated=when("simulated", "results/{study}/simulated/truth.json"),
        held=held("release_dir"),
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/release"),
    params:
        files=release_files,
        source=lookup("{study}/inputs/release_dir", within=STUDIES),
    wildcard_constraints:
        study=only("release", without="extract"),
    localrule: True
    script:
        "../scripts/collect_raw.py"


rule collect_extract:
    """Copy the numbers of a release that the project carries, and check their SHA-256."""
    input:
        files=extract_files,
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/extract"),
    wildcard_constraints:
        study=only("extract"),
    localrule: True
    script:
        "../scripts/collect_extract.py"


rule read_extract:
    """Read questions, buzzes and participation from the numbers of a release, and the buzzes of the model outputs."""
    input:
        extract=extract,
    output:
        **writes("questions", "buzzes", "participation", "exposures", "output_buzzes"),
        findings="results/{study}/audit/findings/release.csv",
    params:
        **options("category_aliases", "categories", "exposure_table", "heard", "human_buzzes"),
    wildcard_constraints:
        study=only("extract"),
    script:
        "../scripts/read_extract.py"


rule collect_outputs:
    """Download or copy the files of guesses that have public addresses, check their numbers and list them."""
    input:
        files=fetched_files,
    output:
        folder=directory("results/{study}/raw/outputs"),
        manifest="results/{study}/raw/outputs_manifest.csv",
    params:
        sources=lookup("{study}/inputs/guesses", within=STUDIES),
    localrule: True
    script:
        "../scripts/collect_outputs.py"


rule parse_release:
    """Parse packets and participation tables, and find what is wrong in them."""
    input:
        release="results/{study}/raw/release",
        outputs=human_side("files"),
        fetched=human_side("fetched"),
    output:
        **writes("questions", "buzzes", "participation", "exposures"),
        findings="results/{study}/audit/findings/release.csv",
    params:
        **options("category_aliases", "categories", "exposure_table", "heard", "human_buzzes"),
        sources=human_side("sources"),
        files=release_files,
        password=release_password,
    wildcard_constraints:
        study=only("release", without="extract"),
    script:
        "../scripts/parse_release.py"


rule parse_outputs:
    """Parse the buzzes that stand in the model outputs, and hold them against the release's."""
    input:
        **reads("questions"),
        release="results/{study}/raw/release",
        outputs=outputs_files,
        fetched=fetched,
    output:
        **writes("output_buzzes"),
        findings="results/{study}/audit/findings/outputs.csv",
    params:
        **options("human_buzzes"),
        sources=lookup("{study}/inputs/guesses", within=STUDIES),
        files=release_files,
        password=release_password,
    wildcard_constraints:
        study=only("outputs", without="extract"),
    script:
        "../scripts/parse_outputs.py"


rule parse_guesses:
    """Parse model guesses of every source and align them with the questions."""
    input:
        **reads("questions", "buzzes"),
        files=outside_guesses,
        made_guesses=made_guesses,
        fetched=fetched,
        extract=extract,
    output:
        **writes("guesses", "alignment", "replies", "unparsed_replies"),
        findings="results/{study}/audit/findings/guesses.csv",
    params:
        **options("unfinished_replies", "segmentations", "primary_segmentation"),
        sources=lookup("{study}/inputs/guesses", within=STUDIES),
        printed=printed_models,
        names=model_names,
        thresholds=model_thresholds,
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
