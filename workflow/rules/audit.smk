"""What people check: findings of every stage, what the inputs do not allow, and the auditor's desk.

inputs:  audit/findings/*.csv; all tables and figures of the study
outputs: audit/findings.csv, audit/unavailable.csv, tables/names.csv; audit/provenance.json, checks.csv, study.duckdb,
         passed.txt, manifest.json, seal.js; of several studies together results/studies/{tables,figures,studies.html}
"""


rule collect_findings:
    """Gather the findings of all stages, list what cannot be made and why, and the names of models."""
    input:
        parts=lambda wildcards: [
            f"results/{wildcards.study}/audit/findings/{name}.csv"
            for name, needs in FINDINGS.items()
            if features(wildcards.study) >= {*needs.split()}
        ],
    output:
        **writes("findings", "unavailable", "names"),
    params:
        names=model_names,
        features=lambda wildcards: sorted(features(wildcards.study)),
    script:
        "../scripts/collect_findings.py"


rule record_provenance:
    """Write down which rule made each file, from what, with which options and code."""
    input:
        made=made_tables,
    output:
        **files("provenance"),
    params:
        about=lambda wildcards: {"name": wildcards.study} | STUDIES[wildcards.study],
        features=lambda wildcards: sorted(features(wildcards.study)),
        folder=lambda wildcards, input: f"{prefix(wildcards, input)}results/{wildcards.study}/",
        rules=rules_behind,
    script:
        "../scripts/record_provenance.py"


rule check_tables:
    """Hold every table against its declaration and the invariants of its room."""
    input:
        **recorded(),
        made=made_tables,
    output:
        **writes("checks"),
    script:
        "../scripts/check_tables.py"


rule write_manifest:
    """Checksums of everything, versions, options, commit and times."""
    input:
        **recorded("checks"),
        made=made,
        desk=desk,
    output:
        **files("run_manifest", "run_seal"),
    params:
        several=len(STUDIES) > 1,
    script:
        "../scripts/write_manifest.py"


rule confirm_checks:
    """Fail where a check of severity error failed, last of all: pages and manifest are there to look at."""
    input:
        **recorded("checks"),
        run_manifest="results/{study}/audit/manifest.json",
    output:
        **files("passed"),
    script:
        "../scripts/confirm_checks.py"


rule write_extract:
    """Write the numbers of a release and its model outputs without their texts (resources/grace); made on demand."""
    input:
        **reads("questions", "clues", "buzzes", "guesses", "judgements", "matcher_verdicts"),
        **reads("judging_disagreements"),
        release="results/{study}/raw/release",
        outputs=outputs_files,
        fetched=fetched,
        model=equivalence_model,
    output:
        folder=directory("results/{study}/extract"),
    params:
        sources=lookup("{study}/inputs/guesses", within=STUDIES),
        files=release_files,
    wildcard_constraints:
        study=only("outputs", "wording"),
    script:
        "../scripts/write_extract.py"


rule compare_studies:
    """Models and people of every configured study side by side: table, figure and page."""
    input:
        provenance=[f"results/{name}/audit/provenance.json" for name in STUDIES],
        made=compared,
    output:
        **writes("studies"),
        **draws("studies_side_by_side"),
        **files("studies_page"),
    params:
        masthead=masthead,
        simulated=simulated,
    wildcard_constraints:
        study=TOGETHER,
    script:
        "../scripts/compare_studies.py"


rule numbers:
    """Tables of every configured study with their provenance, without notebooks and what is made for looking alone."""
    input:
        [f"results/{name}/{path}" for name in STUDIES for path in catalog.number_files(features(name))],


rule drawn:
    """Tables and figures of every configured study, without pages and notebooks."""
    input:
        [
            f"results/{name}/{file}"
            for name in STUDIES
            for product in catalog.study_products(features(name))
            for file in product.files
        ],
