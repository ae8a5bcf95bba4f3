"""Input and params functions of the rules in ../multiple_choice_requests.smk."""


def reply_entry(wildcards):
    """The entry of inputs.option_replies that an asked file belongs to."""
    for entry in STUDIES[wildcards.study]["inputs"]["option_replies"]:
        if (entry["model"], entry["judging"]) == (wildcards.model, wildcards.judging):
            return entry
    raise WorkflowError(f"no option_replies of model {wildcards.model}, judging {wildcards.judging}")


def given_or_asked(wildcards, path, name, requests):
    """Replies to a file of requests: those given, else those that a guesser is asked for; nothing without its name."""
    if path or not name:
        return outside(path)
    return f"results/{wildcards.study}/asked/{name}/{requests}_replies.jsonl"


def replies_file(wildcards):
    """Replies to the requests, given or asked for."""
    entry = reply_entry(wildcards)
    return given_or_asked(wildcards, entry["path"], entry["guesser"], "option")


def verdicts_file(wildcards):
    """A judge model's replies, given or asked for; nothing where the engine judges."""
    entry = reply_entry(wildcards)
    requests = f"{wildcards.model}_{wildcards.judging}_verdict"
    return given_or_asked(wildcards, entry["verdicts"], entry["judge"], requests)


def distractors_file(wildcards):
    """Wrong answers as a model replied them, given or asked for; nothing where there are none."""
    inputs = STUDIES[wildcards.study]["inputs"]
    given = inputs["distractor_replies"], inputs["distractor_guesser"]
    return given_or_asked(wildcards, *given, "distractor")


def errands(study):
    """What the guessers of a study are sent."""
    return study_config.errands(STUDIES[study]["inputs"])


def requests_file(study, requests):
    """Where a file of requests is planned."""
    return f"results/{study}/asked/{requests}_requests.jsonl"


def planned_requests(study):
    """Files of requests that can be planned before anything is sent."""
    return [requests_file(study, one.requests) for one in errands(study) if not one.awaits]
