"""What people check: findings of every stage, what the inputs do not allow, and the auditor's desk.

inputs:  audit/findings/*.csv; all tables and figures of the study
outputs: audit/findings.csv, audit/unavailable.csv; audit/provenance.json, checks.csv, study.duckdb,
         index.html, passed.txt, manifest.json
"""


rule collect_findings:
    """Gather the findings of all stages, and list what cannot be made and why."""
    input:
        release=when("release", "results/{study}/audit/findings/release.csv"),
        tournament=when("tournament", "results/{study}/audit/findings/tournament.csv"),
        submissions=when("submissions", "results/{study}/audit/findings/submissions.csv"),
        bonuses=when("bonuses", "results/{study}/audit/findings/bonuses.csv"),
        options=when("options", "results/{study}/audit/findings/options.csv"),
        guesses=when("guesses", "results/{study}/audit/findings/guesses.csv"),
        judging=when("guesses", "results/{study}/audit/findings/judging.csv"),
        survey=when("survey", "results/{study}/audit/findings/survey.csv"),
        past=when("past", "results/{study}/audit/findings/past.csv"),
        irt=when("irt", "results/{study}/audit/findings/irt.csv"),
    output:
        findings=report(
            "results/{study}/audit/findings.csv",
            caption="../report/tables/findings.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Findings"},
        ),
        unavailable=report(
            "results/{study}/audit/unavailable.csv",
            caption="../report/tables/unavailable.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "What the inputs do not allow"},
        ),
    params:
        features=lambda wildcards: sorted(features(wildcards.study)),
        code=code("collect_findings"),
    log:
        "results/{study}/logs/collect_findings.log",
    benchmark:
        "results/{study}/benchmarks/collect_findings.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_findings.py"


rule record_provenance:
    """Write down which rule made each file, from what, with which options and code."""
    input:
        made=made_tables,
    output:
        provenance="results/{study}/audit/provenance.json",
    params:
        study=lambda wildcards: {"name": wildcards.study} | STUDIES[wildcards.study],
        features=lambda wildcards: sorted(features(wildcards.study)),
        rules=rules_behind,
        code=code("record_provenance"),
    log:
        "results/{study}/logs/record_provenance.log",
    benchmark:
        "results/{study}/benchmarks/record_provenance.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/record_provenance.py"


rule check_tables:
    """Hold every table against its schema, its inputs and the invariants between tables."""
    input:
        provenance="results/{study}/audit/provenance.json",
        made=made_tables,
    output:
        checks=report(
            "results/{study}/audit/checks.csv",
            caption="../report/desk/checks.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Checks"},
        ),
    params:
        code=code("check_tables"),
    log:
        "results/{study}/logs/check_tables.log",
    benchmark:
        "results/{study}/benchmarks/check_tables.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/check_tables.py"


rule pass_checks:
    """Fail the run where a check of severity error failed, once the pages are there to look at."""
    input:
        checks="results/{study}/audit/checks.csv",
        page="results/{study}/audit/index.html",
    output:
        passed="results/{study}/audit/passed.txt",
    params:
        code=code("pass_checks"),
    log:
        "results/{study}/logs/pass_checks.log",
    benchmark:
        "results/{study}/benchmarks/pass_checks.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/pass_checks.py"


rule build_database:
    """All tables in one DuckDB file, with views."""
    input:
        provenance="results/{study}/audit/provenance.json",
        checks="results/{study}/audit/checks.csv",
        made=made_tables,
    output:
        database="results/{study}/audit/study.duckdb",
    params:
        code=code("build_database"),
    log:
        "results/{study}/logs/build_database.log",
    benchmark:
        "results/{study}/benchmarks/build_database.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/build_database.py"


rule write_manifest:
    """Checksums of everything, versions, options, commit and times; last of all."""
    input:
        provenance="results/{study}/audit/provenance.json",
        made=made,
        desk=desk,
    output:
        manifest="results/{study}/audit/manifest.json",
    params:
        project=str(PACKAGE.parent.resolve()),
        code=code("write_manifest"),
    log:
        "results/{study}/logs/write_manifest.log",
    benchmark:
        "results/{study}/benchmarks/write_manifest.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/write_manifest.py"


rule numbers:
    """Tables of every configured study with their provenance, without figures, pages and notebooks."""
    input:
        lambda wildcards: [
            f"results/{name}/{path}"
            for name in STUDIES
            for path in catalog.numbers(features(name))
        ],


rule drawn:
    """Tables and figures of every configured study, without pages and notebooks."""
    input:
        lambda wildcards: [
            f"results/{name}/{file}"
            for name in STUDIES
            for product in catalog.studied(features(name))
            for file in product.files
        ],
