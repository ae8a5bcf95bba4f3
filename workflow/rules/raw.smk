"""What came from outside, verified and parsed: the release, guesses, the survey.

inputs:  the configuration; local files or public addresses
outputs: raw/ (as it came), tidy/*.parquet, tidy/alignment.csv, audit/findings/*.csv
"""


def release_files(wildcards):
    """The release's files by role, for a simulated study those that the simulator writes."""
    if has(wildcards.study, "simulated"):
        return {
            "archive": {"name": "[public]ALL_final_buzzpoints_enc.zip"},
            "per_packet": {"name": "human_team_per_question.pkl"},
            "combined": {"name": "human_model_team_per_question.pkl"},
            "teams": {"name": "all_teams.pkl"},
        }
    release = STUDIES[wildcards.study]["inputs"]["release"]
    return {role: entry for role, entry in release.items() if role != "password"}


def release_password(wildcards):
    """Password of the archive."""
    release = STUDIES[wildcards.study]["inputs"].get("release") or {"password": "buzzbuzz"}
    return release["password"]


def outside_guesses(wildcards):
    """Files of the guess sources that the configuration names, folders as the files in them."""
    return [outside(path) for path in formats.files(STUDIES[wildcards.study]["inputs"]["guesses"])]


def made_guesses(wildcards):
    """Guesses that the workflow makes: the simulator's, then those of the guessers."""
    made = []
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        made = [f"results/{wildcards.study}/simulated/guesses.jsonl"]
    guessers = STUDIES[wildcards.study]["inputs"]["guessers"]
    return made + [
        (
            outside(one["path"])
            if one["path"]
            else f"results/{wildcards.study}/guess/{one['name']}.jsonl"
        )
        for one in guessers
    ]


def survey_file(wildcards):
    """The survey of the configuration or the simulator, nothing where there is none."""
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        return f"results/{wildcards.study}/simulated/survey.csv"
    return outside(STUDIES[wildcards.study]["inputs"]["survey"])


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
        source=lambda wildcards: STUDIES[wildcards.study]["inputs"]["release_dir"],
        code=code("collect_raw"),
    wildcard_constraints:
        study=only("release"),
    log:
        "results/{study}/logs/collect_raw.log",
    benchmark:
        "results/{study}/benchmarks/collect_raw.tsv"
    conda:
        "../../envs/environment.yaml"
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
        code=code("parse_release"),
    wildcard_constraints:
        study=only("release"),
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
        **reads("questions"),
        files=outside_guesses,
        made=made_guesses,
    output:
        **writes("guesses", "alignment", "replies", "unparsed_replies"),
        findings="results/{study}/audit/findings/guesses.csv",
    params:
        sources=lambda wildcards: STUDIES[wildcards.study]["inputs"]["guesses"],
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
        **reads("questions"),
        file=survey_file,
    output:
        **writes("survey"),
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
