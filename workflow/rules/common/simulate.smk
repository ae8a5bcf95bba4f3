"""Input and params functions of the rules in ../simulate.smk."""


def simulation():
    """Params: what the study says of its simulation."""
    return {
        key: lambda wildcards, key=key: STUDIES[wildcards.study]["simulate"].get(key)
        for key in ("seed", "parameters")
    }
