"""Input and params functions of the rules in irt.smk; no rules."""


def irt_options(*names):
    """Params function: options of item response models, and the shared ones of that name."""

    def read(wildcards):
        options = STUDIES[wildcards.study]["options"]
        return {n: options["irt"].get(n, options.get(n)) for n in names}

    return read


def irt_files(wildcards):
    """Response files: the simulator's, those of the configuration, none for live buzzes."""
    if has(wildcards.study, "buzzes"):
        return []
    sources = irt_sources(wildcards)
    paths = [sources[key] for key in ("items", "agents", "buzzes", "summaries")]
    paths += [source["path"] for source in sources["responses"]]
    return [path for path in paths if path]


def irt_sources(wildcards):
    """Where items, agents, responses and buzzes are; None for live buzzes."""
    if has(wildcards.study, "buzzes"):
        return None
    if not has(wildcards.study, "simulated"):
        return STUDIES[wildcards.study]["inputs"]["agents"]
    folder = f"results/{wildcards.study}/simulated/irt"
    return {
        "items": f"{folder}/queries.jsonl",
        "agents": f"{folder}/agents.jsonl",
        "responses": [
            {"path": f"{folder}/responses.jsonl", "format": "jsonl"},
            {"path": f"{folder}/table.csv", "format": "table"},
        ],
        "buzzes": f"{folder}/buzzes.csv",
        "summaries": None,
    }


def players_grouped(wildcards):
    """Size of the largest groups that single players are pooled in; 0 where none are."""
    sources = irt_sources(wildcards)
    if not sources or not sources["buzzes"]:
        return 0
    largest = max(STUDIES[wildcards.study]["options"]["irt"]["group_sizes"], default=0)
    return largest if largest > 1 else 0


def live_guesses(wildcards):
    """Judged guesses of a study with live buzzes that has any."""
    if has(wildcards.study, "buzzes") and has(wildcards.study, "guesses"):
        return f"results/{wildcards.study}/judged/responses.parquet"
    return []
