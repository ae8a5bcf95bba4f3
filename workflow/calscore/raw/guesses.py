"""Model guesses in the formats that people hold: JSONL, the authors' files, draft-question runs."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..core import data_issues, store, strict_json
from ..core.data_issues import Finding
from ..core.errors import DataError, Fault, Faults, raise_faults, split_source_row
from .release import confidence_hint

if TYPE_CHECKING:
    import pandas as pd

data_issue = partial(data_issues.data_issue, "guesses")

_KINDS = {
    "text": (str,),
    "a whole number": (int,),
    "text or null": (str, type(None)),
    "a number or null": (int, float, type(None)),
    "a list or null": (list, type(None)),
    "true, false or null": (bool, type(None)),
}
_FIELDS = {
    "model": "text",
    "elicitation": "text",
    "position": "a whole number",
    "question_id": "text",
    "packet": "a whole number",
    "number": "a whole number",
    "question": "text",
    "guess": "text or null",
    "confidence": "a number or null",
    "token_logprobs": "a list or null",
    "mean_logprob": "a number or null",
    "raw": "text or null",
    "finish_reason": "text or null",
    "reply_key": "text or null",
    "buzzed": "true, false or null",
    "correct": "true, false or null",
}


LOWEST = -1e100
"""Lowest log-probability: sums of any number of such are finite. Servers send down to −3.4e38 for what is impossible."""


def normal_text(text: str) -> str:
    """Text for alignment: lower case, stripped, each run of characters but letters, digits and _ as a space."""
    return re.sub(r"\W+", " ", text).strip().lower()


class QuestionIndex:
    """Finds a question of tidy/questions by id, by packet and number, or by its text. ``words``: question_id → number of words;
    ``by_place``: (packet, number) → question_id; ``by_text``: :func:`normal_text` → question_id."""

    def __init__(self, questions: pd.DataFrame) -> None:
        self.words = dict(zip(questions["question_id"], questions["n_words"], strict=True))
        self.by_place = {(q.packet, q.number): q.question_id for q in questions.itertuples()}
        self.by_text = {
            normal_text(q.text): q.question_id for q in questions.itertuples() if isinstance(q.text, str)
        }

    def find(self, record: dict) -> str | None:
        """question_id of the question that ``record`` names by question_id, else packet and number, else ``question`` (text).
        Only the first of these that it has is tried; None if unknown or if it has none."""
        if "question_id" in record:
            return record["question_id"] if record["question_id"] in self.words else None
        if "packet" in record and "number" in record:
            return self.by_place.get((record["packet"], record["number"]))
        return self.by_text.get(normal_text(record.get("question", "")))

    def describe_unknown(self, record: dict) -> tuple[object, str]:
        """(what ``record`` calls its unknown question, the expectation with the nearest ids), for a fault."""
        if "question_id" in record:
            name = record["question_id"]
            # Of a number without its zero the padded one is meant.
            padded = re.sub(r"\d+", lambda digits: digits[0].zfill(2), name)
            near = (
                [padded]
                if padded in self.words
                else difflib.get_close_matches(name, list(self.words), n=3, cutoff=0.4)
            )
        elif "packet" in record and "number" in record:
            name = f"packet {record['packet']}, number {record['number']}"
            places = [place for place in self.by_place if place[0] == record["packet"]]
            near = [self.by_place[max(places)]] if places else []
        else:
            name, text = record["question"], normal_text(record["question"])
            matches = difflib.get_close_matches(text, list(self.by_text), n=1)
            near = [self.by_text[match] for match in matches]
        nearest = f" (nearest: {', '.join(near)})" if near else ""
        if self.by_text:
            place = f"all {len(self.words)} are in results/<study>/prompts.jsonl"
        else:
            place = f"its {len(self.words)} are {min(self.words)} to {max(self.words)}"
        return name, f"a question of this study{nearest}; {place}"


def _is_number(value: object) -> bool:
    """Whether ``value`` is a finite number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_logarithm(value: object) -> bool:
    """Whether a value is a finite number that can be the natural logarithm of a probability (:data:`LOWEST` to 0)."""
    return _is_number(value) and LOWEST <= value <= 0


def _logprob_hint(value: object) -> str:
    """Hint for a log-probability above 0 that may be a probability; else ""."""
    if _is_number(value) and 0 < value <= 1:
        return f" (a probability? of {value:g} the logarithm is {math.log(value):.3g}; or name it confidence)"
    return ""


def _record_faults(record: dict, file: str, row: str) -> Faults:
    """Every fault of one guess (a JSON object), at its field: unknown names and wrong types; if there are none,
    missing fields; if there are none either, values out of range. The question and position are not looked up."""
    faults = Faults(file)
    add = partial(faults.add, row)
    for name, value in record.items():
        expected = _FIELDS.get(name)
        if not expected:
            add(name, name, f"one of {', '.join(_FIELDS)}")
        # To Python a bool is an int.
        elif type(value) not in _KINDS[expected]:
            if name == "confidence":
                expected = f"a probability from 0 to 1{confidence_hint(value)}"
            add(name, value, expected)
    required = ["model", "elicitation", "position", "guess"][: 3 if "raw" in record else 4]
    for name in required if not faults else ():
        if name not in record:
            hint = " (null for no guess)" if name == "guess" else ""
            add(name, None, f"the field to be present{hint}")
    if faults:
        return faults
    if not record["model"].strip() or not record["model"].isprintable():
        add("model", record["model"], "the model's key")
    if record["elicitation"] not in ("logit", "verbalized"):
        add("elicitation", record["elicitation"], "logit or verbalized")
    if not ({"question_id", "question"} & set(record) or {"packet", "number"} <= set(record)):
        add("question_id", None, "question_id, packet and number, or question")
    confidence, mean, tokens = map(record.get, ("confidence", "mean_logprob", "token_logprobs"))
    if confidence is not None and not (_is_number(confidence) and 0 <= confidence <= 1):
        add("confidence", confidence, f"a probability from 0 to 1{confidence_hint(confidence)}")
    if mean is not None and not is_logarithm(mean):
        add("mean_logprob", mean, f"a natural logarithm, at most 0{_logprob_hint(mean)}")
    if tokens is not None and not (tokens and all(map(is_logarithm, tokens))):
        above = next((logprob for logprob in tokens if _is_number(logprob) and logprob > 0), None)
        expected = f"a list of natural logarithms, each at most 0{_logprob_hint(above)}"
        add("token_logprobs", tokens, expected)
    sources = ("confidence", "token_logprobs", "mean_logprob", "raw")
    if all(record.get(name) is None for name in sources):
        add("confidence", None, f"one of {', '.join(sources)}")
    return faults


def guess_row(question_id: str, record: dict, source_row: str) -> dict:
    """A row of tidy/guesses; ``record``: a valid line of JSON Lines (:func:`parse_jsonl`). A guess or confidence
    that is absent or null is read from ``raw``, such a ``mean_logprob`` is computed from ``token_logprobs``."""
    from .parse_replies import read_reply

    row = dict.fromkeys(_FIELDS) | record
    if row["raw"] is not None:
        reply = read_reply(row["raw"])
        row["guess"] = reply.guess if row["guess"] is None else row["guess"]
        row["confidence"] = reply.probability if row["confidence"] is None else row["confidence"]
    tokens = row["token_logprobs"]
    if tokens is not None and row["mean_logprob"] is None:
        row["mean_logprob"] = math.fsum(tokens) / len(tokens)
    for name in ("confidence", "mean_logprob"):
        row[name] = None if row[name] is None else float(row[name])
    place = {"question_id": question_id, "source_row": source_row}
    return row | place | {"correct_given": row["correct"]}


def _check_is_json_lines(path: str | Path, file: str) -> None:
    """``DataError`` for a file without a line, a JSON array or an object over several lines."""
    content = next((line for line in map(bytes.strip, strict_json.read_lines(path)) if line), b"")
    expected = "JSON Lines: one object a line, for each guess"
    if not content:
        raise DataError(Fault(file, "", "", "an empty file", expected))
    if content == b"{":
        raise DataError(Fault(file, "", "", "an object over several lines", expected))
    # An array that is one of several lines is a fault of that line.
    if content == b"[" or content.startswith(b"[{"):
        raise DataError(Fault(file, "", "", "a JSON array", f"{expected}, without [ ] and commas"))


def parse_jsonl(path: str | Path, questions: pd.DataFrame) -> list[dict]:
    """Rows of tidy/guesses from JSON Lines, one guess a line (format: ``config/README.md``). ``DataError`` with every faulty
    line, or if the file is no JSON Lines. Faults: bad JSON, unknown or mistyped fields, unknown questions, false positions."""
    index = QuestionIndex(questions)
    file = Path(path).name
    _check_is_json_lines(path, file)
    rows, faults = [], Faults(file)
    for number, record in strict_json.read_objects(path, faults):
        bad = _record_faults(record, file, str(number))
        if not bad:
            question_id = index.find(record)
            if question_id is None:
                bad.add(number, "question_id", *index.describe_unknown(record))
            elif not 1 <= record["position"] <= index.words[question_id]:
                expected = f"words heard, 1 to {index.words[question_id]}"
                bad.add(number, "position", record["position"], expected)
            else:
                rows.append(guess_row(question_id, record, f"{file}#{number}"))
        faults += bad
    faults.refuse()
    return rows


_DRAFT = (
    "set",
    "qid",
    "word_end",
    "n_words",
    "guess",
    "mean_logprob",
    "final",
    "answer",
    "grace_packet",
    "grace_tossup_index",
    "n_sent_matched",
    "n_sent",
)
_LEVELS = ["none", "partial", "sentences", "exact"]


def align_precursor(frame: pd.DataFrame, questions: pd.DataFrame, level: str) -> pd.DataFrame:
    """Table alignment: a row for each draft question with its release question, level, and whether its guesses are ``used``.
    ``frame``: raw runs, a row for each guess. Levels: ``exact`` (all sentences match, with equal lengths in words, so positions
    are the release's), ``sentences`` (all match), ``partial``, ``none``. Those of at least ``level`` are used."""
    import numpy as np

    drafts = frame.drop_duplicates(["set", "qid"])[list(_DRAFT)].copy()
    drafts["packet"] = drafts["grace_packet"].astype("Int64")
    drafts["source_id"] = drafts["grace_tossup_index"].astype("str").where(drafts["packet"].notna())
    release = questions[["packet", "source_id", "question_id", "n_words", "answerline"]].rename(
        columns={"n_words": "release_words"}
    )
    drafts = drafts.merge(release.astype({"packet": "Int64"}), on=["packet", "source_id"], how="left")
    is_known = drafts["question_id"].notna()
    all_match = is_known & (drafts["n_sent_matched"] == drafts["n_sent"])
    same_length = drafts["n_words"] == drafts["release_words"].fillna(-1)
    some_match = is_known & (drafts["n_sent_matched"] != 0)
    rank = np.select([all_match & same_length, all_match, some_match], [3, 2, 1], 0)
    drafts["alignment"] = np.array(_LEVELS)[rank]
    drafts["used"] = rank >= _LEVELS.index(level)
    return drafts[store.columns("alignment")].sort_values(["set", "qid"], ignore_index=True)


def parse_precursor(
    path: str | Path, questions: pd.DataFrame, level: str, model: str
) -> tuple[list[dict], list[Finding], pd.DataFrame]:
    """(rows of tidy/guesses of ``model``, findings, table alignment) from a CSV of draft-question runs. ``level``: as
    :func:`align_precursor` takes it. Positions are scaled to the release question's number of words, rounded up; repeated lines
    count once. Only the mean token log-probability was kept, so ``exp_mean_logprob`` is the only reduction. ``DataError`` with
    every faulty cell, or without a row. Only drafts ``used`` by the alignment have rows."""
    import pandas as pd

    file = Path(path).name
    raw = store.read_raw_csv(path, _DRAFT)
    if not len(raw):
        raise DataError.at(file, "", "", 0, "at least one guess")
    frame, faults = raw.assign(line=range(2, len(raw) + 2)), Faults(file)
    for name, is_valid, expected in (
        ("mean_logprob", lambda v: v.between(LOWEST, 0), "a natural logarithm, at most 0"),
        ("n_words", lambda v: v.between(1, 1e6) & (v % 1 == 0), "a number of words, from 1"),
        ("word_end", lambda v: v.between(1, frame["n_words"]), "words heard, 1 to n_words"),
        ("final", lambda v: v.isin([0, 1]), "1 or 0"),
        ("n_sent_matched", lambda v: v >= 0, "a number of sentences"),
        ("n_sent", lambda v: v >= 0, "a number of sentences"),
        (
            "grace_packet",
            lambda v: (raw["grace_packet"] == "") | v.between(0, 1e6) & (v % 1 == 0),
            "a packet's number, or nothing",
        ),
    ):
        frame[name] = pd.to_numeric(raw[name], errors="coerce")
        faults.add_cells(raw[name], ~is_valid(frame[name]), expected)
    faults.refuse()
    alignment = align_precursor(frame, questions, level)
    counts = alignment["alignment"].value_counts()
    levels = ", ".join(f"{counts.get(name, 0)} {name}" for name in reversed(_LEVELS))
    detail = f"{int(alignment['used'].sum())} of {len(alignment)} used at level {level} ({levels})"
    findings = [data_issue("draft questions aligned", "precursor", detail)]
    repeat = frame.duplicated(["set", "qid", "word_end", "guess", "mean_logprob", "final"])
    if repeat.any():
        lines = frame.loc[repeat, "line"].to_list()
        detail = f"{len(lines)} lines say again what the line before them for that word said, first line {lines[0]}"
        findings.append(data_issue("guess written twice", file, detail))
        frame = frame[~repeat]
    used = alignment.loc[alignment["used"], ["set", "qid", "question_id", "release_words"]]
    rows = []
    for run in frame.merge(used, on=["set", "qid"]).itertuples():
        record = {
            "model": model,
            "elicitation": "logit",
            "position": math.ceil(run.word_end * run.release_words / run.n_words),
            "guess": run.guess or None,
            "mean_logprob": run.mean_logprob,
            "buzzed": bool(run.final),
        }
        rows.append(guess_row(run.question_id, record, f"{file}#{run.line}"))
    return rows, findings, alignment


def check_model_keys(
    rows: list[dict], study_models: list[str], names: dict[str, str], same_as: Collection[str]
) -> None:
    """``DataError`` if ``rows`` (tidy/guesses, a user's) have the key of one of ``study_models`` that is not in ``same_as``, or
    another model's label. ``study_models``: keys of the models that play live or have published numbers; ``names``: key →
    label; ``same_as``: keys of the study's models whose guesses these are. One fault a model."""
    first_rows: dict[str, str] = {}
    for guess in rows:
        first_rows.setdefault(guess["model"], guess["source_row"])
    keys = {name: key for key, name in names.items() if name != key}
    faults = []
    for model, source_row in first_rows.items():
        key = model if model in study_models else keys.get(model)
        if key is None or model in same_as:
            continue
        meaning = names.get(model, model) if key == model else f"the name of {key}"
        expected = (
            f"a key of its own: {model} is {meaning} of this study. Are these guesses of that very model? "
            f"Then their model is {key}, with same_as: [{key}] where inputs.guesses names the file"
        )
        faults.append(Fault(*split_source_row(source_row), "model", model, expected))
    raise_faults(faults)


def check_confidences(guesses: pd.DataFrame) -> None:
    """``DataError``, naming the first guess, if no guess has a confidence or mean log-probability; an empty table passes."""
    has_confidence = guesses[["confidence", "mean_logprob"]].notna().any(axis=1)
    if len(guesses) and not has_confidence.any():
        expected = (
            f"a confidence with at least one of the {len(guesses)} guesses: no reply states a probability "
            "(as “Probability: 0.8”), and there are no log-probabilities; nothing can be scored"
        )
        place = split_source_row(guesses["source_row"].iloc[0])
        raise DataError.at(*place, "raw", guesses["raw"].iloc[0], expected)


MOST_UNFINISHED = 0.5
"""Share of unfinished replies above which a model is scored only where the configuration says so."""


def unfinished_findings(guesses: pd.DataFrame, unfinished_replies: str) -> list[Finding]:
    """A finding for each model and elicitation of which more than 1 % of guesses have a ``finish_reason`` in
    :data:`.parse_replies.FINISHES`. ``DataError`` for one with more than half of such, if ``unfinished_replies`` is "refuse"."""
    from .parse_replies import FINISHES, UNFINISHED

    findings, faults = [], []
    ends = guesses["finish_reason"].map(FINISHES)
    for (model, elicitation), series in ends.groupby([guesses["model"], guesses["elicitation"]]):
        counts = series.value_counts().reindex(UNFINISHED, fill_value=0)
        words = ", ".join(f"{n} {end.replace('_', ' ')}" for end, n in counts.items() if n)
        words = f"{counts.sum()} of {len(series)} replies ({words})"
        if counts.sum() > 0.01 * len(series):
            place = f"{model} {elicitation}"
            findings.append(data_issue("replies without an end", place, words))
        if counts.sum() > MOST_UNFINISHED * len(series) and unfinished_replies == "refuse":
            row = guesses.loc[series.first_valid_index()]
            expected = (
                f"replies that end by themselves; of {model} ({elicitation}) {words} do not. Raise max_tokens "
                "or change the prompt, or score them as they are: options.unfinished_replies: score"
            )
            place = split_source_row(row["source_row"])
            faults.append(Fault(*place, "finish_reason", row["finish_reason"], expected))
    raise_faults(faults)
    return findings


def threshold_findings(guesses: pd.DataFrame, thresholds: dict[str, float]) -> list[Finding]:
    """A finding for each model with a threshold (key → log-probability) none of whose guesses has one."""
    has_logprobs = guesses["mean_logprob"].notna().groupby(guesses["model"]).any()
    return [
        data_issue(
            "threshold that nothing reaches",
            str(model),
            f"it buzzes above {thresholds[model]} of the mean log-probability, and its guesses have confidences only",
        )
        for model in has_logprobs.index[~has_logprobs.to_numpy(dtype=bool)]
        if model in thresholds
    ]


def incomplete_findings(rows: list[dict], questions: pd.DataFrame) -> list[Finding]:
    """A finding for each model and elicitation of ``rows`` (tidy/guesses) without a row on some ``questions``."""
    answered: dict[str, set[str]] = {}
    for guess in rows:
        series = f"{guess['model']} {guess['elicitation']}"
        answered.setdefault(series, set()).add(guess["question_id"])
    return [
        data_issue(
            "questions without a guess",
            series,
            f"it has guesses on {len(ids)} of {len(questions)} questions",
        )
        for series, ids in answered.items()
        if len(ids) < len(questions)
    ]


def guess_table(rows: list[dict]) -> pd.DataFrame:
    """Table tidy/guesses of ``rows``, in their order. Each guess is as :func:`.clean_guess.clean` returns it; ``sent`` is the
    original if that differs. Rows of an extract (with ``guess_words``) are already clean. Without rows it is empty.
    ``DataError`` for two guesses of one model, elicitation, question and position."""
    import pandas as pd

    from . import clean_guess

    if not rows:
        return store.empty("guesses")
    table = pd.DataFrame(rows, columns=store.columns("guesses"))
    key = store.schema("guesses")["key"]
    double = table.duplicated(key)
    earlier = table[~double].set_index(key)["source_row"] if double.any() else {}
    raise_faults(
        Fault(
            *split_source_row(guess.source_row),
            "position",
            f"{guess.model} {guess.elicitation} {guess.question_id} at {guess.position}",
            "one guess per model, elicitation, question and position; it repeats row {1} of {0}".format(
                *split_source_row(earlier[tuple(getattr(guess, name) for name in key)])
            ),
        )
        for guess in table[double].itertuples()
    )
    for name in ("buzzed", "correct_given"):
        table[name] = table[name].astype("boolean")
    for name in ("confidence", "mean_logprob"):
        table[name] = pd.to_numeric(table[name])
    # What an extract holds was read when it was written.
    fresh = table["guess_words"].isna()
    sent = [guess if isinstance(guess, str) else None for guess in table.loc[fresh, "guess"]]
    read = [clean_guess.clean(guess).guess for guess in sent]
    table["sent"] = table["sent"].astype(object)
    table.loc[fresh, "guess"] = read
    table.loc[fresh, "sent"] = [a if a != b else None for a, b in zip(sent, read, strict=True)]
    return table


def count_guess_words(guesses: pd.DataFrame, texts: Mapping[str, str | None]) -> pd.DataFrame:
    """A row for each guess (index of ``guesses``): guess_words, guess_words_heard (of them, heard before), points_said (whether
    a word "points…" was heard). Case is ignored, punctuation only around words of ``texts`` (question_id → text or None)."""
    import pandas as pd

    words = {key: text.lower().split() for key, text in texts.items() if isinstance(text, str)}
    prefixes: dict = {}
    rows = []
    for key, position, guess in zip(
        guesses["question_id"], guesses["position"], guesses["guess"], strict=True
    ):
        if (key, position) not in prefixes:
            heard = words.get(key, [])[:position]
            prefixes[key, position] = (
                {word.strip(".,;:\"'()“”?!") for word in heard},
                any(word.startswith("points") for word in heard),
            )
        heard, points = prefixes[key, position]
        guess_words = guess.lower().split() if isinstance(guess, str) else []
        rows.append((len(guess_words), sum(word in heard for word in guess_words), points))
    columns = ["guess_words", "guess_words_heard", "points_said"]
    return pd.DataFrame(rows, columns=columns, index=guesses.index)


def reply_findings(guesses: pd.DataFrame) -> list[Finding]:
    """A finding for each verbalized reply (``raw``) without confidence, then one for each model that counts them; [] for none."""
    lost = guesses[
        (guesses["elicitation"] == "verbalized") & guesses["confidence"].isna() & guesses["raw"].notna()
    ]
    findings = [
        data_issue(
            "reply could not be parsed",
            row.source_row,
            f"{row.model} at {row.question_id} word {row.position}: {row.raw!r}",
        )
        for row in lost.itertuples()
    ]
    for model, count in lost.groupby("model").size().items():
        total = int(((guesses["model"] == model) & (guesses["elicitation"] == "verbalized")).sum())
        findings.append(data_issue("replies not parsed", str(model), f"{count} of {total} replies"))
    return findings


def reduced_confidences(guesses: pd.DataFrame) -> pd.DataFrame:
    """Confidence of each guess under each reduction that its data allow (Appendix D.4, Algorithm 1). Columns: row (0-based
    position in ``guesses``), reduction, confidence. ``mean_prob``: mean of exp(log-probability), at most 1; ``exp_mean_logprob``,
    ``exp_sum_logprob``: exponential of their mean and sum; ``stated``: given as such, null if not parsed."""
    import numpy as np
    import pandas as pd

    parts = []

    def add(rows, reduction, values):
        parts.append(pd.DataFrame({"row": rows, "reduction": reduction, "confidence": values}))

    rows = np.arange(len(guesses))
    tokens = guesses["token_logprobs"]
    has = np.array([value is not None and not np.isscalar(value) for value in tokens], dtype=bool)
    if has.any():
        lists = [np.asarray(logprobs, dtype=float) for logprobs in tokens[has]]
        sizes = np.array([len(logprobs) for logprobs in lists])
        flat = np.concatenate(lists)
        starts = np.cumsum(sizes) - sizes
        add(rows[has], "mean_prob", np.minimum(np.add.reduceat(np.exp(flat), starts) / sizes, 1.0))
        add(rows[has], "exp_sum_logprob", np.exp(np.add.reduceat(flat, starts)))
    mean = guesses["mean_logprob"].to_numpy(dtype=float)
    is_finite = np.isfinite(mean)
    add(rows[is_finite], "exp_mean_logprob", np.exp(mean[is_finite]))
    stated = guesses["confidence"].notna().to_numpy() | (
        (guesses["elicitation"] == "verbalized").to_numpy() & ~is_finite & ~has
    )
    add(rows[stated], "stated", guesses["confidence"].to_numpy(dtype=float)[stated])
    return pd.concat(parts, ignore_index=True)
