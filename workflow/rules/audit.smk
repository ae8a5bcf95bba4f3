"""What people check: findings of every stage, and what the inputs do not allow.

inputs:  audit/findings/*.csv
outputs: audit/findings.csv, audit/unavailable.csv
"""


rule collect_findings:
    """Gather the findings of all stages, and list what cannot be made and why."""
    input:
        code=code("collect_findings"),
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
        features=lambda wildcards: sorted(study_config.features(STUDIES[wildcards.study])),
    log:
        "results/{study}/logs/collect_findings.log",
    benchmark:
        "results/{study}/benchmarks/collect_findings.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_findings.py"
