"""Input and params functions of the rules in ../raw.smk."""


def release_files(wildcards):
    """The release's files by role, for a simulated study those that the simulator writes."""
    if has(wildcards.study, "simulated"):
        return {
            "archive": {"name": "[public]ALL_final_buzzpoints_enc.zip"},
            "per_packet": {"name": "human_team_per_question.pkl"},
            "combined": {"name": "human_model_team_per_question.pkl"},
            "teams": {"name": "all_teams.pkl"},
        }
    release = STUDIES[wildcards.study]["inputs"]["release"]
    return {role: entry for role, entry in release.items() if role != "password"}


def release_password(wildcards):
    """Password of the archive."""
    release = STUDIES[wildcards.study]["inputs"].get("release") or {"password": "buzzbuzz"}
    return release["password"]


def extract_files(wildcards):
    """The files of an extract."""
    from calscore.core.extract_files import file_names

    folder = STUDIES[wildcards.study]["inputs"]["extract"]
    return [outside(os.path.join(folder, name)) for name in file_names()]


def outside_guesses(wildcards):
    """Files of the guess sources that the configuration names, folders as the files in them."""
    return [outside(path) for path in formats.local_files(STUDIES[wildcards.study]["inputs"]["guesses"])]


def guess_sources(wildcards):
    """The guess sources of the configuration."""
    return STUDIES[wildcards.study]["inputs"]["guesses"]


def fetched_files(wildcards):
    """Files at hand of the sources that have public addresses; nothing of those that are downloaded."""
    sources = formats.source_folders(guess_sources(wildcards)).values()
    return [
        outside(os.path.join(one["path"], name))
        for one in sources
        if one["path"]
        for name in formats.address_file_names(one)
    ]


def fetched(wildcards):
    """Folder of what came from public addresses, nothing where no source has any."""
    if formats.source_folders(guess_sources(wildcards)):
        return f"results/{wildcards.study}/raw/outputs"
    return []


def outputs_files(wildcards):
    """Files of the authors' model outputs that the configuration names by path."""
    sources = [one for one in guess_sources(wildcards) if one["format"] == "model_output"]
    return [outside(path) for path in formats.local_files(sources)]


def human_side(part):
    """Input function: the model outputs where the study's live buzzes come from them, else nothing."""
    of = {"files": outputs_files, "fetched": fetched, "sources": guess_sources}[part]
    return lambda wildcards: (of(wildcards) if option_of("human_buzzes")(wildcards) == "outputs" else [])


def made_guesses(wildcards):
    """Guesses that the workflow makes: the simulator's, then those of the guessers."""
    made = []
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        made = [f"results/{wildcards.study}/simulated/guesses.jsonl"]
    guessers = STUDIES[wildcards.study]["inputs"]["guessers"]
    return made + [
        (outside(one["path"]) if one["path"] else f"results/{wildcards.study}/guess/{one['name']}.jsonl")
        for one in guessers
    ]


def survey_file(wildcards):
    """The survey of the configuration or the simulator, nothing where there is none."""
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        return f"results/{wildcards.study}/simulated/survey.csv"
    return outside(STUDIES[wildcards.study]["inputs"]["survey"])


def known_models(wildcards):
    """Keys of the models that the paper's numbers speak of, and of those that the workflow asks."""
    asked = [one["name"] for one in STUDIES[wildcards.study]["inputs"]["guessers"]]
    return [*printed_models(wildcards), *asked]


def printed_models(wildcards):
    """Keys of the models that the paper's numbers speak of; their other lines make no guess again."""
    file = Path(STUDIES[wildcards.study]["published"] or "")
    return sorted(catalog.read_yaml(file).get("models", {})) if file.is_file() else []
