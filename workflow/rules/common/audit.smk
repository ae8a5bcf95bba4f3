"""Input and params functions of the rules in ../audit.smk."""

from calscore.audit import provenance

FINDINGS = {
    "release": "release",
    "tournament": "tournament",
    "submissions": "submissions",
    "bonuses": "bonuses",
    "options": "options",
    "guesses": "guesses",
    "outputs": "outputs wording",
    "judging": "guesses",
    "survey": "survey",
    "past": "past",
    "irt": "irt",
}
"""File of findings → the features of the studies that have it."""
COMPARED = (
    *("questions", "option_questions", "item_list", "crowd", "precision", "model_scores"),
    *("model_minus_human", "option_scores", "agents", "agent_responses", "leaderboard"),
)
"""Tables that are read to set studies side by side."""


def made(wildcards, *suffixes):
    """Files of a study that the catalog lists, the desk's own left out; of some suffixes or all."""
    paths = [file for one in catalog.study_products(features(wildcards.study)) for file in one.files]
    return [f"results/{wildcards.study}/{path}" for path in paths if not suffixes or path.endswith(suffixes)]


def made_tables(wildcards):
    """The tables of a study, intermediate and final."""
    return made(wildcards, ".parquet", ".csv")


def desk(wildcards):
    """What is made from all the rest, the manifest and what is made with it left out."""
    paths = [file for one in catalog.desk_products(features(wildcards.study)) for file in one.files]
    last = {catalog.product(name, "file").file for name in ("passed", "run_manifest", "run_seal")}
    return [f"results/{wildcards.study}/{p}" for p in paths if p not in last]


def compared(wildcards):
    """Tables that are read to set the studies side by side."""
    tables = [catalog.product(name, "table") for name in COMPARED]
    return [
        f"results/{study}/{one.file}" for study in STUDIES for one in tables if one.possible(features(study))
    ]


def recorded(*names):
    """Inputs of what looks at a whole study: its record, and desk tables by name."""
    paths = {"provenance": "results/{study}/audit/provenance.json"}
    return paths | {name: f"results/{{study}}/{catalog.product(name, 'table').file}" for name in names}


def prefix(wildcards, input):
    """What a workflow that includes this one sets before its paths; the prefix itself is known while rules are read only."""
    return str(input.made[0]).removesuffix(made_tables(wildcards)[0])


def rules_behind(wildcards, input):
    """Rule → what it reads and writes, for every rule that some file of the study comes from.

    As it takes inputs, Snakemake does not hold it against that of the run before.
    """
    before = prefix(wildcards, input)
    paths, last = ([before + path for path in of(wildcards)] for of in (made, desk))
    return provenance.rules_behind(workflow.rules, paths, last)
