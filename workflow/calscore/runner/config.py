"""The configuration: validated with suggestions, defaults filled in, shorthands resolved."""

import copy
import math
import os
from collections.abc import Callable, Collection
from pathlib import Path

from ..core.errors import DataError, Faults, raise_faults
from ..core.extract_files import TEXTS
from ..core.schema import defaults, schema, schema_faults, suggestion, unfit_values
from ..guessers.registry import KINDS, endpoints
from ..multiple_choice import errands
from ..raw import formats
from ..tournament import packets

OPTIONS_STUDY = "confidence-gap"
OPTIONS_MAX_TOKENS = 256
"""Longest reply in a study of answer options, where the guesser does not say: JSON with a long answer."""
TOGETHER = "studies"
"""Folder of what sets several studies side by side (what needs ``several``, a feature of no study)."""
BUZZ_LOGS = ("release", "extract", "qbj_dir", "buzz_csv", "buzzpoints_db")
"""Inputs of which a study of live buzzes has one."""
NEED_TEXTS = ("guesses", "guessers", "survey", "submissions", "corpus", "past_runs", "agents")
"""Inputs that are held against texts of questions."""
SHORTHANDS = ("release", "guesses", "outputs", "survey", "corpus", "past_runs")
# Snakemake itself puts keys of this kind into the configuration of some runs.
_IGNORED_PREFIX = "_"
#: Options of item response models that a preset sets where the study does not, nearer to CAIMIRA.
IRT_PRESETS = {
    "as_paper": {
        "dimensions": 5, "aspects": "given", "penalty": "as_printed", "difficulty_sd": None,
        "relevance_sd": None, "aspect_sd": None, "item_residual": False, "words_heard": False,
        "reading": "backfilled",
    }
}  # fmt: skip


def load(raw: dict, file: str = "config") -> dict[str, dict]:
    """Study → its configuration with every option filled in. It has the keys of the schema; ``simulate`` may
    be None, and ``packets`` says whether there are texts of tossups.

    ``raw``: the configuration as Snakemake read it (``file`` in faults); ``only`` in it leaves one study.
    Raises ``DataError`` with one fault per unknown key (and what it may have meant), wrong type or value;
    without such, for the first check that fails."""
    raw = {key: value for key, value in raw.items() if not str(key).startswith(_IGNORED_PREFIX)}
    raise_faults(schema_faults(raw, schema(), file))
    raise_faults(unfit_values(raw, "", file))
    shared = defaults("options") | raw.get("options", {})
    studies = {}
    for name, entry in raw["studies"].items():
        study = {"title": name} | defaults("study") | copy.deepcopy(entry)
        study["options"] = shared | entry.get("options", {})
        chosen = study["options"]["irt"]
        preset = IRT_PRESETS.get(chosen.get("preset"), {})
        study["options"]["irt"] = defaults("options", "irt") | preset | chosen
        inputs = {"guesses": [], "option_results": [], "option_replies": []} | defaults("inputs")
        study["inputs"] = inputs | copy.deepcopy(entry.get("inputs", {}))
        study.setdefault("simulate", None)
        studies[name] = study
    _apply_shorthands(raw, studies, file)
    if "only" in raw:
        if raw["only"] not in studies:
            raise DataError.at(file, "", "only", raw["only"], f"one of {', '.join(studies)}")
        studies = {raw["only"]: studies[raw["only"]]}
    for name, study in studies.items():
        _check_analyses(study, name, file)
        _check_submissions(study, name, file)
        _check_options(study, name, file)
        _fill_inputs(study)
        _check_guessers(study, name, file)
        _check_sources(study, name, file)
        _check_models(study["options"]["models"], name, file)
    return studies


def _check_analyses(study: dict, name: str, file: str) -> None:
    """``DataError`` where inputs are not those that the analyses need; sets ``study["packets"]`` (:func:`_has_packets`)."""
    options, inputs, analyses = study["options"], study["inputs"], study["analyses"]

    def refuse(place, key, value, expected):
        raise DataError.at(file, f"studies/{name}{place}", key, value, expected)

    primary, segmentations = options["primary_segmentation"], options["segmentations"]
    if primary not in segmentations:
        expected = f"one of segmentations: {', '.join(segmentations)}"
        refuse("", "primary_segmentation", primary, expected)
    logs = [key for key in BUZZ_LOGS if inputs.get(key)]
    if "statistics" in analyses and ("buzz" in analyses or logs in (["release"], ["extract"])):
        refuse("", "analyses", analyses, "statistics of a tournament, and not buzz beside it")
    if {"buzz", "statistics"} & {*analyses} and len(logs) != (0 if study["simulate"] else 1):
        expected = f"the raw buzz logs: one of {', '.join(BUZZ_LOGS)} (or simulate)"
        if study["simulate"]:
            expected = "no raw buzz logs beside simulate, which writes them"
        refuse("/inputs", (logs or BUZZ_LOGS)[0], ", ".join(logs) or None, expected)
    study["packets"] = _has_packets(inputs)
    without_texts = "statistics" in analyses or ("buzz" in analyses and not study["packets"])
    for key in NEED_TEXTS if without_texts else ():
        if inputs[key]:
            expected = "analyses: [buzz], as statistics are of people alone"
            if "statistics" not in analyses:
                why = "without texts of the tossups there is nothing to hold it against"
                expected = f"packets beside the matches: {why}"
            refuse("/inputs", key, "given", expected)
    if inputs["extract"]:
        _check_extract(study, refuse)
        options["texts"] = "hidden"
    if "leaderboard" in analyses and not inputs["human_plays"]:
        refuse("/inputs", "human_plays", None, "human plays to hold submissions against")
    needs_agents = "irt" in analyses and "buzz" not in analyses and not study["simulate"]
    if needs_agents and not inputs["agents"]:
        expected = "items and responses (or simulate, or analysis buzz)"
        refuse("/inputs", "agents", None, expected)


def _check_submissions(study: dict, name: str, file: str) -> None:
    """Name each submission without a name after its file; files given the same name are one submission.
    ``DataError`` where a name that is not given recurs, or files of one submission have different groups."""
    for kind in ("submissions", "bonus_submissions"):
        named, files, groups = {}, set(), {}
        for source in study["inputs"][kind]:
            parts = bool(source.get("name"))
            source["name"] = source.get("name") or Path(source["path"]).stem
            if named.setdefault(source["name"], parts) != parts or source["name"] in files:
                expected = "a name that occurs once, or is given to each file of a submission"
                place = f"studies/{name}/inputs/{kind}"
                raise DataError.at(file, place, "name", source["name"], expected)
            files |= set() if parts else {source["name"]}
            group = source.get("group")
            if groups.setdefault(source["name"], group) != group:
                expected = f"{groups[source['name']]!r}, as in the other files of {source['name']}"
                raise DataError.at(file, f"studies/{name}/inputs/{kind}", "group", group, expected)


def _fill_inputs(study: dict) -> None:
    """Fill in defaults in agents, corpus, guesses, guessers, past_runs and ``match_points``."""
    declared, inputs = schema()["$defs"]["inputs"]["properties"], study["inputs"]
    for key in ("agents", "corpus"):
        if inputs[key]:
            _fill_defaults(inputs[key], declared[key])
    for key in ("guesses", "guessers", "past_runs"):
        for entry in inputs[key]:
            _fill_defaults(entry, declared[key]["items"])
    options = study["options"]
    options["match_points"] = defaults("options", "match_points") | options["match_points"]


def _check_extract(study: dict, refuse: Callable[[str, str, object, str], object]) -> None:
    """Call ``refuse`` (place, key, value, expected) where a study of an extract is asked for what needs texts."""
    inputs, needs = study["inputs"], f"the texts, which an extract leaves out: {TEXTS}"
    for key in NEED_TEXTS:
        if key != "guesses" and inputs[key]:
            refuse("/inputs", key, "given", needs)
    for source in inputs["guesses"]:
        if source["format"] != "jsonl":
            refuse("/inputs/guesses", "format", source["format"], f"jsonl; others need {needs}")
    if study["options"]["shards"] > 1:
        refuse("/options", "shards", study["options"]["shards"], f"1; more need {needs}")


def _has_packets(inputs: dict) -> bool:
    """Whether there are texts of tossups: false only where a tournament's folder exists and holds matches alone."""
    folder = inputs["qbj_dir"] or inputs["packets_dir"]
    folder = folder or (inputs["buzz_csv"] and Path(inputs["buzz_csv"]).parent)
    return not (folder and os.path.isdir(folder)) or packets.has_packets(folder)


def _check_models(models: dict, name: str, file: str) -> None:
    """``DataError`` where a display name recurs or a threshold is above 0, with a hint if it may be a probability or per cent."""
    faults, display_names = Faults(file), set()
    for key, model in models.items():
        place, value = f"studies/{name}/options/models/{key}", model.get("threshold")
        if model["name"] in display_names:
            faults.add(place, "name", model["name"], "a name that occurs once")
        display_names.add(model["name"])
        if value is not None and value > 0:
            share = value / 100 if value > 1 else value
            hint = f"; for a probability of {share:g} write {math.log(share):.3g}" * (share < 1)
            faults.add(place, "threshold", value, f"a mean token log-probability, at most 0{hint}")
    faults.refuse()


def _check_sources(study: dict, name: str, file: str) -> None:
    """``DataError`` for sources of guesses without path or with unfit addresses, and for ``human_buzzes`` without outputs."""
    faults, options = Faults(file), study["options"]
    for number, source in enumerate(study["inputs"]["guesses"], start=1):
        place, addresses = f"studies/{name}/inputs/guesses/{number}", source.get("addresses")
        if not source.get("path") and not addresses:
            faults.add(place, "path", None, "path, or public addresses")
        checksum = source.get("numbers_sha256")
        if checksum and not (addresses and source["format"] == "model_output"):
            faults.add(place, "numbers_sha256", checksum, "addresses, and format model_output")
        names = formats.address_file_names(source) if addresses else []
        for index, entry in enumerate(names):
            if not formats.matches_format(entry, source["format"]):
                expected = f"a file of the format {source['format']}"
                faults.add(place, "addresses", addresses[index], expected)
            elif entry in names[:index]:
                expected = "addresses of files with names of their own"
                faults.add(place, "addresses", addresses[index], expected)
    if options["human_buzzes"] == "outputs" and "outputs" not in study_features(study):
        expected = "release, or a study of the release with inputs.guesses of format model_output"
        faults.add(f"studies/{name}", "human_buzzes", "outputs", expected)
    faults.refuse()


def _check_options(study: dict, name: str, file: str) -> None:
    """Check the inputs of an analysis of answer options (``DataError``) and fill in the defaults of their entries."""
    inputs, place = study["inputs"], f"studies/{name}"
    if "options" in study["analyses"]:
        if "buzz" in study["analyses"]:
            expected = "options or buzz: two studies, as each has its own tables and ledger"
            raise DataError.at(file, place, "analyses", study["analyses"], expected)
        answered = inputs["option_results"] or inputs["option_replies"]
        if not study["simulate"] and not (inputs.get("option_questions") and answered):
            expected = "option_questions, and option_results or option_replies (or simulate)"
            raise DataError.at(file, f"{place}/inputs", "option_questions", None, expected)
    declared = schema()["$defs"]["inputs"]["properties"]
    for key in ("option_results", "option_replies"):
        for entry in inputs[key]:
            _fill_defaults(entry, declared[key]["items"])
    earlier = set()
    for entry in [*inputs["option_results"], *inputs["option_replies"]]:
        pair = (entry["model"], entry["judging"])
        if pair in earlier:
            raise DataError.at(file, f"{place}/inputs", "option_results", pair, "a model once per judging")
        earlier.add(pair)
    _check_option_guessers(inputs, f"{place}/inputs", file)
    if "options" in study["analyses"]:
        for pair in inputs["guessers"]:
            pair.setdefault("max_tokens", OPTIONS_MAX_TOKENS)


def _check_option_guessers(inputs: dict, where: str, file: str) -> None:
    """``DataError`` where replies come from both a file and a guesser, from neither, or from one without requests."""
    faults = Faults(file)
    kinds = {guesser["name"]: guesser["kind"] for guesser in inputs["guessers"]}

    def check(entry: dict, place: str, given: str, asked: str) -> None:
        name = entry[asked]
        if name is None:
            return
        if entry[given] is not None:
            faults.add(place, asked, name, f"{given} or {asked}, not both")
        if name not in kinds:
            names = ", ".join(kinds) or "none is declared"
            expected = f"a name of inputs/guessers ({names}) {suggestion(name, kinds)}"
            faults.add(place, asked, name, expected.rstrip())
        elif not KINDS[kinds[name]].endpoint:
            faults.add(place, asked, name, f"a guesser of kind {endpoints()}, not {kinds[name]}")

    for entry in inputs["option_replies"]:
        place = f"{where}/option_replies/{entry['model']}"
        if entry["path"] is None and entry["guesser"] is None:
            expected = "path (a file of replies) or guesser (who is asked)"
            faults.add(place, "path", None, expected)
        check(entry, place, "path", "guesser")
        check(entry, place, "verdicts", "judge")
    check(inputs, where, "distractor_replies", "distractor_guesser")
    faults.refuse()


def _fill_defaults(entry: dict, declared: dict) -> None:
    """Set the absent keys of ``entry`` to the defaults of the schema ``declared``, in objects within it too."""
    for key, spec in declared["properties"].items():
        if "default" in spec:
            entry.setdefault(key, copy.deepcopy(spec["default"]))
        if isinstance(entry.get(key), dict) and spec.get("properties"):
            _fill_defaults(entry[key], spec)


def _check_guessers(study: dict, name: str, file: str) -> None:
    """``DataError`` for guessers whose names recur, keys are missing or past questions are not given."""
    inputs, faults = study["inputs"], Faults(file)
    place, earlier = f"studies/{name}/inputs", set()
    for guesser in inputs["guessers"]:
        guesser_place, kind = f"{place}/guessers/{guesser['name']}", KINDS[guesser["kind"]]
        if guesser["name"] in earlier:
            faults.add(f"{place}/guessers", "name", guesser["name"], "a name that occurs once")
        earlier.add(guesser["name"])
        for key in kind.keys:
            if guesser[key] is None:
                faults.add(guesser_place, key, None, f"the key, for kind {guesser['kind']}")
        if kind.endpoint and guesser["base_url"] is not None:
            from ..guessers.openai_client import check_url

            check_url(guesser["base_url"], f"{file}, row {guesser_place}")
        # Questions of a study of answer options are asked as they are, without examples.
        needs = kind.retrieves(guesser) and "options" not in study["analyses"]
        if needs and not inputs["corpus"]:
            otherwise = ", or examples: 0" if kind.endpoint else ""
            expected = f"past questions, for the guesser {guesser['name']}{otherwise}"
            faults.add(place, "corpus", None, expected)
    if inputs["past_runs"] and not inputs["corpus"]:
        faults.add(place, "corpus", None, "the past questions of past_runs")
    faults.refuse()


def _apply_shorthands(raw: dict, studies: dict, file: str) -> None:
    """Put what :data:`SHORTHANDS` and ``results_dir`` of ``raw`` name into the inputs of ``studies``, or ``DataError``."""

    def refuse(key: str, expected: str):
        raise DataError.at(file, "", key, raw[key], expected)

    if "results_dir" in raw:
        if OPTIONS_STUDY not in studies:
            option = f"--configfile config/{OPTIONS_STUDY}.yaml"
            refuse("results_dir", f"a configuration with the study {OPTIONS_STUDY} ({option})")
        studies[OPTIONS_STUDY]["inputs"]["results_dir"] = raw["results_dir"]
    shorthands = [name for name in SHORTHANDS if name in raw]
    if not shorthands:
        return
    if "grace" not in studies:
        refuse(shorthands[0], "a configuration with the study grace (--configfile config/grace.yaml)")
    inputs = studies["grace"]["inputs"]
    if "release" in raw:
        if inputs["extract"]:
            commands = "--configfile config/grace.yaml, make grace RELEASE=<folder>"
            refuse("release", f"a configuration with texts ({commands})")
        inputs["release_dir"] = raw["release"]
    if "outputs" in raw:
        sources = [source for source in inputs["guesses"] if source.get("addresses")]
        if not sources:
            files = "--configfile config/grace.yaml config/grace-outputs.yaml"
            refuse("outputs", f"guesses with addresses ({files}); without them guesses=<folder>")
        for source in sources:
            source["path"] = raw["outputs"]
    inputs["survey"] = raw.get("survey", inputs["survey"])
    if "corpus" in raw:
        corpus = inputs["corpus"] or {"name": Path(raw["corpus"]).name}
        inputs["corpus"] = corpus | {"path": raw["corpus"]}
    if "past_runs" in raw:
        inputs["past_runs"].append({"path": raw["past_runs"]})
    if "guesses" in raw:
        kind = formats.format_of_path(raw["guesses"])
        if kind is None:
            refuse("guesses", "a .jsonl or .jsonl.gz file, a folder, or a .csv file")
        inputs["guesses"].append({"path": raw["guesses"], "format": kind})


def _buzz_features(study: dict) -> set[str]:
    """Features of a study of live buzzes besides those of its analyses; see :func:`study_features`."""
    inputs, simulate = study["inputs"], study["simulate"] or {}
    played = simulate.get("kind") == "tournament"
    complete = bool(simulate) and not played
    logs = played or inputs["qbj_dir"] or inputs["buzz_csv"] or inputs["buzzpoints_db"]
    source_formats = {source["format"] for source in inputs["guesses"]}
    marked = any(formats.FORMATS[name].marked for name in source_formats)
    marked = marked or (simulate.get("parameters") or {}).get("marked")
    extract = inputs["extract"]
    guessed = complete or inputs["guesses"] or inputs["guessers"] or extract
    guessers = [(KINDS[source["kind"]], source) for source in inputs["guessers"]]
    return _holding(
        tournament=logs,
        release=not logs,
        models=played or study["options"]["models"],
        extract=extract,
        wording=not extract,
        guesses=guessed,
        marked=extract or (guessed and marked),
        outputs=extract or (not logs and "model_output" in source_formats),
        replayed=guessed and study["options"]["replayed_submissions"],
        endpoint=any(kind.endpoint for kind, _ in guessers),
        past=inputs["past_runs"] or any(kind.past(source) for kind, source in guessers),
        survey=complete or inputs["survey"],
        submissions=played,
        bonuses=played,
    )


def _holding(**conditions: object) -> set[str]:
    """Names of the ``conditions`` whose value is true."""
    return {name for name, holds in conditions.items() if holds}


def study_features(study: dict) -> set[str]:
    """Features of a study (of :func:`load`), the words that ``needs`` of tables and rules' ``only`` use. They
    name its analyses, where its data come from and which inputs it has. tournament: statistics, or buzzes
    from match files; answered: item responses alone; heard: some responses are buzzes; irt_live: of live
    buzzes, not simulated; wording: texts of questions and answers; marked: guesses came with marks; outputs:
    the authors' model outputs; past: runs on past questions."""
    names = {"buzz": "buzzes", "statistics": "tournament"}
    features = {names.get(analysis, analysis) for analysis in study["analyses"]}
    if "tournament" in features and study.get("packets", True):
        features.add("texts")  # packets of a study of statistics alone
    if features == {"irt"}:
        features.add("answered")  # item responses and nothing else
    inputs, simulated = study["inputs"], study["simulate"]
    features |= _holding(
        simulated=simulated,
        published=study["published"],
        compared=study["published"] and not simulated,  # with data that are not simulated
        submissions=inputs["submissions"],
        bonuses=inputs["bonus_submissions"],
    )
    if "buzzes" in features and not study.get("packets", True):
        # Points, conversion and standings need no text.
        features = features - {"buzzes"} | {"tournament"}
    if "buzzes" in features:
        if inputs["extract"] and "irt" in features:
            # Items are embedded by their texts.
            features = features - {"irt"} | {"irt without texts"}
        features |= _buzz_features(study)
    if "options" in features:
        entries = [*inputs["option_results"], *inputs["option_replies"]]
        features |= _holding(
            own_judge=simulated or any(entry["judging"] == "own" for entry in entries),
            endpoint=errands(inputs),
            annotations=simulated or inputs["annotations"],
        )
    answered = "answered" in features and (simulated or inputs["agents"]["buzzes"])
    return features | _holding(
        heard="buzzes" in features or answered,
        irt_live={"buzzes", "irt"} <= features and not simulated,
    )


def cross_study_features(studies: Collection) -> set[str]:
    """``{"several"}`` where there are two studies or more, else ``set()``."""
    return {"several"} if len(studies) > 1 else set()
