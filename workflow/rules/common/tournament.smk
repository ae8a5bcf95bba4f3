"""Input and params functions of the rules in ../tournament.smk."""

from calscore.tournament import files as tournament_folders


def tournament_sources(wildcards):
    """Where the tournament's files lie that the configuration names, by role."""
    roles = {"qbj": "qbj_dir", "buzzes": "buzz_csv", "packets": "packets_dir"}
    roles |= {"database": "buzzpoints_db"}
    roles |= {"heard": "heard_csv", "rosters": "rosters_csv", "bonuses": "bonuses_csv"}
    inputs = STUDIES[wildcards.study]["inputs"]
    found = {role: inputs[key] for role, key in roles.items() if inputs[key]}
    if "buzzes" in found:
        found.setdefault("packets", str(Path(found["buzzes"]).parent))
    return found


def tournament_files(wildcards):
    """Files of the tournament that the configuration names; a folder itself where it has none."""
    return [
        outside(path)
        for role, source in tournament_sources(wildcards).items()
        for path in tournament_folders.source_files(role, source) or [source]
    ]
