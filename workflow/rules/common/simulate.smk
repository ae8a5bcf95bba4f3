"""Input and params functions of the rules in ../simulate.smk."""


def simulation(key):
    """Params function: what the study says of its simulation (seed, parameters)."""
    return lambda wildcards: STUDIES[wildcards.study]["simulate"].get(key)
