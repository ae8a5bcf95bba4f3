"""Inputs of the rules on answer options, as functions; no rules."""


def option_files(study):
    """Raw files of a study of answer options: role → entry; simulated ones as the simulator names them."""
    inputs = STUDIES[study]["inputs"]
    if STUDIES[study]["simulate"]:
        from calscore.simulate import choices

        return choices.files(STUDIES[study]["simulate"].get("parameters", {}))
    files = {"questions": inputs["option_questions"]}
    for entry in inputs["option_results"]:
        for setting in ("normal", "distractor"):
            role = f"{entry['model']}/{entry['judging']}/{setting}"
            files[role] = entry[setting]
    return files


def option_folder(wildcards):
    """Where the raw files lie; None to download them."""
    if has(wildcards.study, "simulated"):
        return f"results/{wildcards.study}/simulated/options"
    return STUDIES[wildcards.study]["inputs"]["results_dir"]


def annotations_file(wildcards):
    """Verdicts of people, of the config or the simulator; nothing where there are none."""
    if has(wildcards.study, "simulated"):
        return f"results/{wildcards.study}/simulated/annotations.csv"
    return STUDIES[wildcards.study]["inputs"]["annotations"] or []


def first_judging(wildcards):
    """The judging that the main figures show: the shared judge where there is one."""
    inputs = STUDIES[wildcards.study]["inputs"]
    given = [entry["judging"] for entry in inputs["option_results"] + inputs["option_replies"]]
    return "own" if given and "shared" not in given else "shared"


def replied_results(wildcards):
    """Results files that are made from replies."""
    return [
        f"results/{wildcards.study}/asked/{entry['model']}_{entry['judging']}_{setting}_results.json"
        for entry in STUDIES[wildcards.study]["inputs"]["option_replies"]
        for setting in ("normal", "distractors")
    ]


def replied_findings(wildcards):
    """Findings on the replies that those results files were made from."""
    return [
        f"results/{wildcards.study}/audit/findings/asked_{entry['model']}_{entry['judging']}.csv"
        for entry in STUDIES[wildcards.study]["inputs"]["option_replies"]
    ]


def prompt(name):
    """A prompt template, as an input of the rule that fills it in."""
    return os.path.relpath(PACKAGE / "calscore" / "data" / "prompts" / f"options_{name}.txt")


def reply_entry(wildcards):
    """The entry of inputs.option_replies that an asked file belongs to."""
    for entry in STUDIES[wildcards.study]["inputs"]["option_replies"]:
        if (entry["model"], entry["judging"]) == (wildcards.model, wildcards.judging):
            return entry
    raise WorkflowError(
        f"no option_replies of model {wildcards.model}, judging {wildcards.judging}"
    )


def from_guesser(wildcards, name, requests):
    """Where the replies of a guesser to a file of requests are written; nothing without a name."""
    return f"results/{wildcards.study}/asked/{name}/{requests}_replies.jsonl" if name else []


def replies_file(wildcards):
    """Replies to the requests, given or asked for."""
    entry = reply_entry(wildcards)
    return entry["path"] or from_guesser(wildcards, entry["guesser"], "option")


def verdicts_file(wildcards):
    """A judge model's replies, given or asked for; nothing where the engine judges."""
    entry = reply_entry(wildcards)
    requests = f"{wildcards.model}_{wildcards.judging}_verdict"
    return entry["verdicts"] or from_guesser(wildcards, entry["judge"], requests)


def distractors_file(wildcards):
    """Wrong answers as a model replied them, given or asked for; nothing where there are none."""
    inputs = STUDIES[wildcards.study]["inputs"]
    given = inputs["distractor_replies"]
    return given or from_guesser(wildcards, inputs["distractor_guesser"], "distractor")


def errands(study):
    """What the guessers of a study are sent."""
    return study_config.errands(STUDIES[study]["inputs"])


def requests_file(study, requests):
    """Where a file of requests is planned."""
    return f"results/{study}/asked/{requests}_requests.jsonl"


def planned_requests(study):
    """Files of requests that can be planned before anything is sent."""
    return [requests_file(study, one.requests) for one in errands(study) if not one.awaits]
