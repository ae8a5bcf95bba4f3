"""Functions of the rules in audit.smk and notebooks.smk; no rules."""

from calscore.audit import provenance


def made(wildcards, *suffixes):
    """Files of a study that the catalog lists, the desk's own left out; of some suffixes or all."""
    paths = [file for one in catalog.studied(features(wildcards.study)) for file in one.files]
    return [
        f"results/{wildcards.study}/{path}"
        for path in paths
        if not suffixes or path.endswith(suffixes)
    ]


def made_tables(wildcards):
    """The tables of a study, intermediate and final."""
    return made(wildcards, ".parquet", ".csv")


def rules_behind(wildcards):
    """Rule → what it reads and writes, for every rule that some file of the study comes from."""
    return provenance.rules_behind(workflow.rules, made(wildcards), desk(wildcards), PACKAGE)


def desk(wildcards):
    """What is made from all the rest, the manifest left out."""
    paths = [file for one in catalog.desk(features(wildcards.study)) for file in one.files]
    return [f"results/{wildcards.study}/{p}" for p in paths if p != "audit/manifest.json"]


def recorded(*names):
    """Inputs of what looks at a whole study: its record, and desk tables by name."""
    paths = {"provenance": "results/{study}/audit/provenance.json"}
    return paths | {
        name: f"results/{{study}}/{catalog.product(name, 'table').file}" for name in names
    }
