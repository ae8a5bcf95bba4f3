"""Functions of the rules that ask models; no rules."""


def guessers(kind):
    """Wildcard constraint: names of the guessers of a kind, of all studies."""
    names = {
        one["name"]
        for study in STUDIES.values()
        for one in study["inputs"]["guessers"]
        if one["kind"] == kind
    }
    return "|".join(sorted(names)) or "(?!)"


def guesser(wildcards):
    """Configuration of one guesser."""
    entries = STUDIES[wildcards.study]["inputs"]["guessers"]
    return next((one for one in entries if one["name"] == wildcards.guesser), None)


def asking(feature):
    """Studies with a feature (buzzes, options) whose guessers ask an endpoint."""
    return [name for name in STUDIES if has(name, feature) and has(name, "endpoint")]


def asked(wildcards):
    """Guessers of kind openai of a study."""
    entries = STUDIES[wildcards.study]["inputs"]["guessers"]
    return [one for one in entries if one["kind"] == "openai"]


def prompt_files(entries):
    """Prompt templates of guessers: their own, or those of the package."""
    return sorted(
        {
            one["prompts"].get(e)
            or os.path.relpath(PACKAGE / "calscore" / "data" / "prompts" / f"{e}.txt")
            for one in entries
            for e in one["elicitations"]
        }
    )


def corpus_file(wildcards):
    """The past questions, where the study has them."""
    corpus = STUDIES[wildcards.study]["inputs"]["corpus"]
    return f"results/{wildcards.study}/raw/corpus.json.gz" if corpus else []


def past_files(wildcards):
    """Guesses on past questions that the study's guessers make."""
    return [
        f"results/{wildcards.study}/guess/{one['name']}.past.jsonl"
        for one in STUDIES[wildcards.study]["inputs"]["guessers"]
        if one["kind"] == "tfidf" or (one["kind"] == "openai" and one["past_questions"])
    ]
