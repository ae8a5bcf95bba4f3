"""What people check: findings of every stage, and what the inputs do not allow.

inputs:  audit/findings/*.csv
outputs: audit/findings.csv, audit/unavailable.csv
"""


rule collect_findings:
    """Gather the findings of all stages, and list what cannot be made and why."""
    input:
        code=code("collect_findings"),
        release="results/{study}/audit/findings/release.csv",
        guesses=when("guesses", "results/{study}/audit/findings/guesses.csv"),
        judging=when("guesses", "results/{study}/audit/findings/judging.csv"),
        survey=when("survey", "results/{study}/audit/findings/survey.csv"),
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


from types import SimpleNamespace


def made(wildcards, *suffixes):
    """Files of a study that the catalog lists, the desk's own left out; of some suffixes or all."""
    features = study_config.features(STUDIES[wildcards.study])
    paths = [product.path for product in catalog.studied(features)]
    return [
        f"results/{wildcards.study}/{path}"
        for path in paths
        if not suffixes or path.endswith(suffixes)
    ]


def made_tables(wildcards):
    """The tables of a study, intermediate and final."""
    return made(wildcards, ".parquet", ".csv")


def _plain(value):
    """A parameter as JSON has it."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one) for one in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def _behind(rule, matched):
    """Inputs, outputs, parameters and code of one rule, wildcards filled in."""
    inputs = rule.expand_input(matched)[0]
    named = {
        key: [str(one) for one in ([value] if isinstance(value, str) else value)]
        for key, value in inputs.items()
    }
    outputs, _ = rule.expand_output(matched)
    return {
        "docstring": rule.docstring.strip() if rule.docstring else "",
        "input": {key: value for key, value in named.items() if key not in ("code", "schemas")},
        "output": sorted(map(str, outputs)),
        "params": {
            key: _plain(value(SimpleNamespace(**matched)) if callable(value) else value)
            for key, value in rule.params.items()
        },
        "code": named.get("code", []) + named.get("schemas", []),
        "script": os.path.relpath(PACKAGE / "scripts" / Path(rule.script).name),
    }


def rules_behind(wildcards):
    """Rule → what it reads and writes, for every rule that some file of the study comes from."""
    found, waiting = {}, made(wildcards)
    known = set()
    while waiting:
        path = waiting.pop()
        if path in known:
            continue
        known.add(path)
        for rule in workflow.rules:
            if rule.name in _DESK_RULES or not rule.is_producer(path):
                continue
            matched = rule.get_wildcards(path)
            further = [f"{key}={value}" for key, value in matched.items() if key != "study"]
            name = " ".join([rule.name, *further])
            if name not in found:
                found[name] = _behind(rule, matched)
                waiting += [one for many in found[name]["input"].values() for one in many]
    return dict(sorted(found.items()))


# Rules of this file and of the notebooks: made from all the rest.
_DESK_RULES = {
    "record_provenance",
    "check_tables",
    "pass_checks",
    "build_database",
    "write_audit_page",
    "write_manifest",
    "build_explorer",
    "execute_notebooks",
}


rule record_provenance:
    """Write down which rule made each file, from what, with which options and code."""
    input:
        code=code("record_provenance"),
        made=made,
    output:
        provenance="results/{study}/audit/provenance.json",
    params:
        study=lambda wildcards: {"name": wildcards.study} | STUDIES[wildcards.study],
        features=lambda wildcards: sorted(study_config.features(STUDIES[wildcards.study])),
        rules=rules_behind,
    log:
        "results/{study}/logs/record_provenance.log",
    benchmark:
        "results/{study}/benchmarks/record_provenance.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/record_provenance.py"
