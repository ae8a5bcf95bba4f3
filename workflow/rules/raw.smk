"""From outside to results/{study}/raw: simulate, download or copy, and check.

inputs:  the configuration; a local folder or public addresses
outputs: simulated/ (raw formats of a simulated study), raw/ (archive, participation tables), raw/manifest.csv
"""


rule simulate_study:
    """Write a complete simulated study in the raw formats of the real one."""
    wildcard_constraints:
        study=only("simulated", "release"),
    output:
        archive="results/{study}/simulated/[public]ALL_final_buzzpoints_enc.zip",
        per_packet="results/{study}/simulated/human_team_per_question.pkl",
        combined="results/{study}/simulated/human_model_team_per_question.pkl",
        teams="results/{study}/simulated/all_teams.pkl",
        guesses="results/{study}/simulated/guesses.jsonl",
        survey="results/{study}/simulated/survey.csv",
        truth="results/{study}/simulated/truth.json",
    params:
        simulate=lambda wildcards: STUDIES[wildcards.study]["simulate"],
        code=code("simulate_study"),
    log:
        "results/{study}/logs/simulate_study.log",
    benchmark:
        "results/{study}/benchmarks/simulate_study.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/simulate_study.py"


rule collect_raw:
    """Download or copy the release's files, check their SHA-256 and list them."""
    wildcard_constraints:
        study=only("release"),
    input:
        simulated=when("simulated", "results/{study}/simulated/truth.json"),
        guesses=outside_files,
        survey=survey_file,
    output:
        folder=directory("results/{study}/raw/release"),
        manifest="results/{study}/raw/manifest.csv",
    params:
        files=lambda wildcards: release_files(wildcards.study),
        folder=release_folder,
        code=code("collect_raw"),
    log:
        "results/{study}/logs/collect_raw.log",
    benchmark:
        "results/{study}/benchmarks/collect_raw.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_raw.py"
