"""Input and params functions of the rules in ../guessers.smk."""

from calscore.guessers.registry import KINDS


def guessers_of(study):
    """Entries of a study's guessers."""
    return STUDIES[study]["inputs"]["guessers"]


def guessers(part):
    """Wildcard constraint: guessers of all studies whose kind has a part (guess, endpoint)."""
    entries = [one for study in STUDIES for one in guessers_of(study)]
    names = {one["name"] for one in entries if getattr(KINDS[one["kind"]], part)}
    return "|".join(sorted(names)) or "(?!)"


def guesser(wildcards):
    """Configuration of one guesser."""
    entries = guessers_of(wildcards.study)
    return next((one for one in entries if one["name"] == wildcards.guesser), None)


def reply_store(wildcards):
    """File of the paid replies of a guesser that asks an endpoint; nothing for others."""
    one = guesser(wildcards)
    folder = STUDIES[wildcards.study]["inputs"]["replies"]
    return f"{folder}/{one['name']}.jsonl" if KINDS[one["kind"]].endpoint else None


def asking(feature):
    """Studies with a feature (buzzes, options) whose guessers ask an endpoint."""
    return [name for name in STUDIES if has(name, feature) and has(name, "endpoint")]


def asked(wildcards):
    """Guessers of a study that ask an endpoint."""
    return [one for one in guessers_of(wildcards.study) if KINDS[one["kind"]].endpoint]


def own_prompts(entries):
    """Prompt templates that guessers have of their own."""
    paths = {one["prompts"].get(name) for one in entries for name in one["elicitations"]}
    return [outside(path) for path in sorted(paths - {None})]


def corpus_file(wildcards):
    """The past questions, where the study has them."""
    corpus = STUDIES[wildcards.study]["inputs"]["corpus"]
    return f"results/{wildcards.study}/raw/corpus.json.gz" if corpus else []


def past_files(wildcards):
    """Guesses on past questions that the study's guessers make."""
    return [
        f"results/{wildcards.study}/guess/{one['name']}.past.jsonl"
        for one in guessers_of(wildcards.study)
        if KINDS[one["kind"]].past(one)
    ]


def past_runs(key):
    """Function of the wildcards: paths or models of the runs on past questions."""
    return lambda wildcards: [one[key] for one in STUDIES[wildcards.study]["inputs"]["past_runs"]]
