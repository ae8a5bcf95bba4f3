"""Input and params functions of the rules in ../multiple_choice.smk."""


def option_files(study):
    """Raw files of a study of answer options: role → entry; simulated ones as the simulator names them."""
    inputs = STUDIES[study]["inputs"]
    if STUDIES[study]["simulate"]:
        from calscore.simulate import choices

        return choices.raw_files(STUDIES[study]["simulate"].get("parameters", {}))
    files = {"questions": inputs["option_questions"]}
    for entry in inputs["option_results"]:
        for setting in ("normal", "distractor"):
            role = f"{entry['model']}/{entry['judging']}/{setting}"
            files[role] = entry[setting]
    return files


def question_file(wildcards):
    """Name of the question file among the raw files."""
    return option_files(wildcards.study)["questions"]["name"]


def annotations_file(wildcards):
    """Verdicts of people, of the config or the simulator; nothing where there are none."""
    if has(wildcards.study, "simulated"):
        return f"results/{wildcards.study}/simulated/annotations.csv"
    return given("annotations")(wildcards)


def first_judging(wildcards):
    """The judging that the main figures show: the shared judge where there is one."""
    inputs = STUDIES[wildcards.study]["inputs"]
    given = [entry["judging"] for entry in inputs["option_results"] + inputs["option_replies"]]
    return "own" if given and "shared" not in given else "shared"


def replied(path):
    """Input function: files that are made of the replies of inputs.option_replies, in order (model, judging in ``path``)."""
    return lambda wildcards: [
        f"results/{wildcards.study}/{one}".format(**entry)
        for entry in STUDIES[wildcards.study]["inputs"]["option_replies"]
        for one in path
    ]
