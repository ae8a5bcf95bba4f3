"""Input and params functions of the rules in ../irt.smk."""


def irt_options(*names):
    """Params function: options of item response models, and the shared ones of that name."""

    def read(wildcards):
        options = STUDIES[wildcards.study]["options"]
        return {n: options["irt"].get(n, options.get(n)) for n in names}

    return read


def agent_sources(study):
    """Files of items, agents, responses (path, format) and buzzes; none for live buzzes."""
    if has(study, "buzzes"):
        return {"responses": []}
    if not has(study, "simulated"):
        return STUDIES[study]["inputs"]["agents"]
    folder = f"results/{study}/simulated/irt"
    return {
        "items": f"{folder}/queries.jsonl",
        "agents": f"{folder}/agents.jsonl",
        "responses": [
            {"path": f"{folder}/responses.jsonl", "format": "jsonl"},
            {"path": f"{folder}/table.csv", "format": "table"},
        ],
        "buzzes": f"{folder}/buzzes.csv",
    }


def agent_paths(what):
    """Input function: the files of :func:`agent_sources` that hold something."""

    def read(wildcards):
        found = agent_sources(wildcards.study).get(what)
        paths = [one["path"] for one in found] if what == "responses" else found
        if not paths or has(wildcards.study, "simulated"):
            return paths or []
        return [outside(path) for path in paths] if what == "responses" else outside(paths)

    return read


def irt_truth(wildcards):
    """What a simulated study was made with, nothing where it was not."""
    made = has(wildcards.study, "simulated") and not has(wildcards.study, "buzzes")
    return f"results/{wildcards.study}/simulated/irt/truth.json" if made else []


def players_grouped(wildcards):
    """Size of the largest groups that single players are pooled in; 0 where none are."""
    if not agent_sources(wildcards.study).get("buzzes"):
        return 0
    largest = max(STUDIES[wildcards.study]["options"]["irt"]["group_sizes"], default=0)
    return largest if largest > 1 else 0
