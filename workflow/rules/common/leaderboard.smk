"""Input and params functions of the rules in ../leaderboard.smk."""


def simulated_submissions(wildcards):
    """The folder of the submissions that the simulator plays, nothing where it plays none."""
    played = features(wildcards.study) >= {"simulated", "tournament"}
    return f"results/{wildcards.study}/simulated/submissions" if played else []


def submission_files(kind):
    """Input function: files that the configuration names (kind: submissions, bonus_submissions)."""
    return lambda wildcards: [outside(one["path"]) for one in STUDIES[wildcards.study]["inputs"][kind]]


def submission_names(kind):
    """Params function: names of :func:`submission_files`."""
    return lambda wildcards: [one["name"] for one in STUDIES[wildcards.study]["inputs"][kind]]


def submission_groups(kind):
    """Params function: name of a submission to the group that it is ranked in, where one is named."""
    return lambda wildcards: {
        one["name"]: one["group"] for one in STUDIES[wildcards.study]["inputs"][kind] if one.get("group")
    }


def replayed(*names):
    """Inputs: tables behind the models that are replayed, nothing where none is."""
    return {
        name: when("replayed", f"results/{{study}}/{catalog.product(name, 'table').file}") for name in names
    }
