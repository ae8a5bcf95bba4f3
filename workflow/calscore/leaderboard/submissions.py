"""Submissions and human plays in the formats of the QANTA competition.

Tossups: JSON Lines with one question a line, ``{"qid", "run_outputs": [{"guess", "confidence", "buzz",
"run_idx", "correct", "token_position"}]}``. ``token_position`` is a 1-based count of words heard. Bonuses are read by :mod:`calscore.leaderboard.bonus_files`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import data_issues, store, strict_json
from ..core.data_issues import Finding
from ..core.errors import DataError, Fault, Faults

data_issue = partial(data_issues.data_issue, "leaderboard")
ERROR = "ERROR"
_KINDS = {
    "guess": ((str, type(None)), "text"),
    "confidence": ((int, float, type(None)), "a probability from 0 to 1"),
    "buzz": ((bool,), "true or false"),
    "run_idx": ((int, type(None)), "a whole number from 0"),
    "correct": ((bool, int, type(None)), "true or false, or 0 or 1"),
    "token_position": ((int,), "words heard, a whole number from 1"),
}
_RANGES = {"token_position": (1, 1e6), "run_idx": (0, 1e6)}
"""Lowest and highest number of a field, where that is not 0 to 1."""
SILENT = {"token_position": 1, "buzz": False, "correct": False}
"""The run of a question that a submission lists without outputs."""


def lines(path):
    """(line number, JSON object) of a JSON Lines file; ``DataError`` for every line that is none."""
    faults = Faults(Path(path).name)
    result = list(strict_json.read_objects(path, faults))
    faults.refuse()
    if not result:
        raise DataError.at(Path(path).name, "", "", 0, "at least one line")
    return result


def rows_of_file(path: Path, parse: Callable, item: str) -> list:
    """What ``parse`` (file, faults) reads of a submission file; ``DataError`` with all faults, or where that is nothing."""
    if not path.is_file():
        raise DataError.at(str(path), "", "", None, "a .jsonl file")
    faults = Faults(path.name)
    rows = list(parse(path, faults))
    faults.refuse()
    if not rows:
        raise DataError.at(path.name, "", "", 0, f"at least one {item}")
    return rows


def identifier(record: dict) -> str | None:
    value = record.get("qid", record.get("question_id"))
    return str(value) if type(value) in (str, int) and str(value).strip() else None


def faults_of(record, fields: dict, file: str, row: str, needed=()) -> list[Fault]:
    """What is wrong in a JSON object; ``fields``: name → types and what is expected."""
    if not isinstance(record, dict):
        return [Fault(file, row, "", record, "a JSON object")]
    faults = []
    for name, (kinds, expected) in fields.items():
        value = record.get(name)
        if name in needed and name not in record:
            faults.append(Fault(file, row, name, None, "the field to be present"))
            continue
        wrong = not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)
        if not wrong and isinstance(value, int | float) and not isinstance(value, bool):
            low, high = _RANGES.get(name, (0, 1))
            wrong = not low <= value <= high
        if wrong:
            faults.append(Fault(file, row, name, value, expected))
    return faults


def read_runs(path: Path, faults: Faults):
    """Runs of a submission: qid, run, position, guess, confidence, buzz, correct, line."""
    for number, record in lines(path):
        qid, runs = identifier(record), record.get("run_outputs")
        if qid is None:
            faults.add(number, "qid", record.get("qid"), "a question's id")
            continue
        if not isinstance(runs, list):
            faults.add(number, "run_outputs", runs, "a list of runs")
            continue
        source = f"{path.name}#{number}"
        if not runs:
            yield _run(qid, SILENT, 0, source) | {"line": number, "silent": True}
        for place, run in enumerate(runs, start=1):
            row = f"{number}, run {place}"
            bad = faults_of(run, _KINDS, path.name, row, needed=("buzz", "token_position"))
            faults += bad
            if not bad:
                yield _run(qid, run, place - 1, f"{source}/run {place}") | {"line": number}


def _run(qid: str, run: dict, place: int, source: str) -> dict:
    return {
        "qid": qid,
        "run": run.get("run_idx"),
        "place": place,
        "position": run["token_position"],
        "guess": run.get("guess"),
        "confidence": run.get("confidence"),
        "buzz": run["buzz"],
        "correct": None if run.get("correct") is None else bool(run["correct"]),
        "source_row": source,
        "line": 0,
        "silent": False,
    }


def read(path, name: str) -> pd.DataFrame:
    """Runs of one submission file; ``DataError`` names each faulty line and field."""
    path = Path(path)
    table = pd.DataFrame(rows_of_file(path, read_runs, "run")).assign(submission=name)
    table["correct"] = table["correct"].astype("boolean")
    for row in table[table.duplicated(["qid", "position"])].head(1).itertuples():
        place, expected = (
            row.source_row.partition("#")[2],
            f"a position that occurs once on {row.qid}",
        )
        raise DataError.at(path.name, place, "token_position", row.position, expected)
    return table


def issues_by_submission(kind: str, rows, detail: Callable) -> list[Finding]:
    """A finding for each submission of ``rows``; ``detail`` says it of the rows of one."""
    groups = rows.groupby("submission", sort=True)
    return [data_issue(kind, str(name), detail(group)) for name, group in groups]


def identify(runs, questions, findings: list[Finding]):
    """Runs with question_id and n_words; those on questions that the study lacks are left out, and listed.

    A qid is a question_id, or a source_id that names one question.
    """
    ids = {q: q for q in questions["question_id"]}
    by_source = questions.drop_duplicates("source_id", keep=False)
    result = dict(zip(by_source["source_id"], by_source["question_id"], strict=True)) | ids
    runs = runs.assign(question_id=runs["qid"].map(result))
    lost = runs[runs["question_id"].isna()]
    runs = runs[runs["question_id"].notna()].copy()
    findings += issues_by_submission(
        "question not in the study",
        lost,
        lambda rows: f"{rows['qid'].nunique()} questions, first {min(rows['qid'])}",
    )
    total = lost[~lost["submission"].isin(set(runs["submission"]))]
    faults = [
        Fault(str(name), "", "qid", ", ".join(sorted(group.unique())[:3]), "at least one question of the study")
        for name, group in total.groupby("submission", sort=True)["qid"]
    ]  # fmt: skip
    if faults:
        raise DataError(faults)
    runs["n_words"] = runs["question_id"].map(questions.set_index("question_id")["n_words"])
    runs["n_words"] = runs["n_words"].astype("Int64")
    findings += _twice(runs)
    spoken = runs[~runs["silent"]]
    unsure = spoken[spoken["confidence"].isna()]
    findings += issues_by_submission("runs without a confidence", unsure, partial(_unsure, spoken))
    findings += issues_by_submission(
        "question without outputs",
        runs[runs["silent"]],
        lambda rows: f"{len(rows)} questions, first {rows['qid'].iloc[0]}",
    )
    findings += issues_by_submission(
        "token position past the end",
        runs[(runs["position"] > runs["n_words"]).fillna(False)],
        lambda rows: "{n} runs; first {source_row}: {position} of {n_words} words".format(
            n=len(rows), **rows.iloc[0]
        ),
    )
    return runs


def _unsure(runs, rows) -> str:
    """How many of the runs of a submission are ``rows``, which say no confidence."""
    total = int((runs["submission"] == rows["submission"].iloc[0]).sum())
    if len(rows) == total:
        return "no run has a confidence"
    return f"{len(rows)} of {total} runs have no confidence"


def _twice(runs) -> list[Finding]:
    """Findings: questions that stand in several lines of a submission."""
    rows = runs.drop_duplicates(["submission", "question_id", "line"])
    many = rows[rows.duplicated(["submission", "question_id"], keep=False)]

    def detail(group) -> str:
        total = runs.loc[runs["submission"] == group["submission"].iloc[0], "question_id"].nunique()
        earliest = group["qid"].iloc[0]
        place = " and ".join(group.loc[group["qid"] == earliest, "line"].astype(str))
        count = group["question_id"].nunique()
        return f"{count} of {total} questions, first {earliest} in lines {place}"

    return issues_by_submission("question twice in a submission", many, detail)


def judge_runs(runs, questions):
    """Whether each run's guess is right by the answer engine, with what was read so far in mind."""
    from ..judging import guess_verdicts

    rows = runs[["question_id", "position", "guess"]].copy()
    rows["condition"] = guess_verdicts.met_conditions(rows, questions)
    judgements, _ = guess_verdicts.judge_guesses(rows[rows["guess"].notna()], questions)
    return guess_verdicts.correctness(rows, judgements).fillna(False).to_numpy(dtype=bool)


def finish(runs, questions, findings: list[Finding], judge=None):
    """tidy/runs: guesses judged where the file does not say, errors marked, runs numbered.

    ``judge``: function of the rows without ``correct`` and the questions that gives booleans
    (:func:`judge_runs`).
    """
    runs = runs.sort_values(
        ["submission", "question_id", "position"], kind="stable", ignore_index=True
    )
    runs["error"] = runs["guess"].fillna("").str.strip() == ERROR
    unknown = runs["correct"].isna()
    runs["judged"] = np.where(unknown, "engine", "given")
    if unknown.any():
        rows = runs[unknown]
        if judge is None or "answerline" not in questions or questions["answerline"].isna().all():
            expected = "true or false: without answer lines nothing can be judged"
            raise DataError.at(rows["source_row"].iloc[0], "", "correct", None, expected)
        runs.loc[unknown, "correct"] = np.asarray(judge(rows, questions), dtype=bool)
        findings += issues_by_submission(
            "judged by the engine", rows, lambda rows: f"{len(rows)} runs came without a verdict"
        )
    believed = runs["error"] & runs["correct"].astype(bool)
    runs["correct"] = runs["correct"].astype(bool) & ~runs["error"]
    findings += issues_by_submission(
        "ERROR in place of a guess",
        runs[runs["error"]].assign(believed=believed),
        lambda rows: (
            f"{len(rows)} runs, {rows['buzz'].sum()} of them buzzes, {rows['believed'].sum()} marked as right"
        ),
    )
    place = runs.groupby(["submission", "question_id"]).cumcount()
    run = pd.array(runs["run"], dtype="Int64")
    runs["run"] = pd.Series(run, index=runs.index).fillna(place).astype("int64")
    runs["confidence"] = pd.array(runs["confidence"], dtype="Float64").to_numpy(
        dtype=float, na_value=np.nan
    )
    runs["live"] = False
    return runs[store.columns("runs")]


def live_runs(buzzes, questions):
    """tidy/runs of the models that played live: their first buzz, or none, on each question they heard.

    A question without a buzz has no row; :func:`heard_live` lists it.
    """
    words = questions.set_index("question_id")["n_words"]
    rows = buzzes[buzzes["kind"] == "model"].sort_values("word_index", kind="stable")
    rows = rows.drop_duplicates(["team", "question_id"])
    length = rows["question_id"].map(words)
    table = rows.assign(
        submission=rows["team"],
        run=0,
        position=count(rows["word_index"], length),
        n_words=length.astype("Int64"),
        guess=None,
        confidence=np.nan,
        buzz=True,
        correct=rows["correct"].astype(bool),
        judged="given",
        error=False,
        live=True,
    )
    return store.frame(table, "runs").reset_index(drop=True)


def sources(files: list[Path] | None, names: list[str], simulated: Path | None, kind: str):
    """(file, name) of each submission: of ``files``, or of the simulator's folder (``kind``-name.jsonl)."""
    if simulated is None:
        return list(zip(files or [], names, strict=True))
    result = sorted(simulated.glob(f"{kind}-*.jsonl"))
    return [(path, path.stem.removeprefix(f"{kind}-")) for path in result]


def check_parts(parts: list[pd.DataFrame], column: str) -> None:
    """``DataError`` for a question in two files of one submission."""
    key = ["submission", column]
    rows = pd.concat([part.drop_duplicates(key) for part in parts] or [pd.DataFrame(columns=key)])
    expected = "a question that occurs in one file of the submission"
    faults = [
        Fault(row.source_row.partition("#")[0], "", "qid", getattr(row, column), expected)
        for row in rows[rows.duplicated(key)].head(20).itertuples()
    ]
    if faults:
        raise DataError(faults)


def tidy(
    files, names, simulated, plays_file, questions, buzzes, exposures, human_plays_base: int
) -> dict:
    """runs, human_plays and findings.

    ``files`` and ``names`` or ``simulated`` as for :func:`sources`; plays are those of ``plays_file``, else
    live buzzes (questions, buzzes, exposures), whose models are submissions too.
    """
    result, human, requested = [], None, questions
    if plays_file:
        human, requested = read_plays(plays_file, human_plays_base)
    if questions is not None:
        requested = questions
        human = plays(buzzes, questions) if human is None else human
    parts = [read(path, name) for path, name in sources(files, names, simulated, "tossups")]
    check_parts(parts, "qid")
    runs = store.empty("runs")
    if parts:
        runs = identify(pd.concat(parts, ignore_index=True), requested, result)
        runs = finish(runs, requested, result, judge_runs)
        result += missing(runs, requested)
    if questions is not None:
        runs = joined(runs, live_runs(buzzes, questions))
    return {
        "runs": runs,
        "human_plays": human,
        "findings": result + questions_without_human_play(human, requested),
    }


def joined(runs, live):
    """File submissions and live models in one table; ``DataError`` where both use one name."""
    both = set(runs["submission"]) & set(live["submission"])
    if both:
        raise DataError.at(
            "config", "inputs/submissions", "name", sorted(both)[0], "a name that no live team has"
        )
    return pd.concat([part for part in (runs, live) if len(part)] or [runs], ignore_index=True)


def missing(runs, questions) -> list[Finding]:
    """Findings: questions of the study that a submission has no run for."""
    total = len(questions)
    lacking = runs.groupby("submission")["question_id"].transform("nunique") < total
    return issues_by_submission(
        "submission lacks questions",
        runs[lacking],
        lambda rows: f"{total - rows['question_id'].nunique()} of {total} questions have no run",
    )


def questions_without_human_play(plays, questions) -> list[Finding]:
    """Findings: questions without a human play."""
    count = int((~questions["question_id"].isin(plays["question_id"])).sum())
    detail = f"of {len(questions)}"
    issue = data_issue("questions without a human play", f"{count} questions", detail)
    return [issue] if count else []


def counted_questions(answered, runs, plays, missing_questions: str):
    """(submission, question_id) that count: those answered or heard; with ``no_buzz`` for file submissions
    every question that some submission answered or some human played.
    """
    if missing_questions == "leave_out":
        return answered
    files = sorted(runs.loc[~runs["live"], "submission"].unique())
    universe = sorted({*answered["question_id"], *plays["question_id"]})
    extra = pd.MultiIndex.from_product([files, universe], names=["submission", "question_id"])
    return pd.concat([answered, extra.to_frame(index=False)], ignore_index=True)


def heard_live(exposures):
    """(submission, question_id) of every question that a live model heard."""
    rows = exposures[exposures["kind"] == "model"].rename(columns={"team": "submission"})
    return rows[["submission", "question_id"]].reset_index(drop=True)


def count(word_index, n_words) -> np.ndarray:
    """Words heard (1-based count) at a 0-based word index, at most the words of the question."""
    return np.minimum(np.asarray(word_index, dtype="int64") + 1, np.asarray(n_words, dtype="int64"))


def plays(buzzes, questions):
    """tidy/human_plays from live human buzzes."""
    rows = buzzes[buzzes["kind"] == "human"]
    words = rows["question_id"].map(questions.set_index("question_id")["n_words"])
    value = pd.array(rows["value"], dtype="Float64").to_numpy(dtype=float, na_value=np.nan)
    right = rows["correct"].to_numpy(dtype=bool)
    # Where points are not told, a wrong answer is taken to have cost some.
    neg = ~right & (np.isnan(value) | (value < 0))
    position = count(rows["word_index"], words)
    kinds = {"correct": right, "neg": neg, "censored": False}
    return _numbered(rows.assign(position=position, points=value, **kinds))


def _numbered(rows):
    rows = rows.sort_values(
        ["question_id", "position", "correct", "team"], kind="stable", ignore_index=True
    )
    rows["play"] = rows.groupby("question_id").cumcount() + 1
    return rows[store.columns("human_plays")]


def _play(pair):
    """Position and points of a play, None where it is none."""
    if isinstance(pair, dict):
        pair = [pair.get("position"), pair.get("points", pair.get("score"))]
    if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) not in (int, float):
        return None
    good = (pair[1] is None or type(pair[1]) in (int, float)) and pair[0] % 1 == 0
    # Before the first word none is heard.
    return pair if good and 0 <= pair[0] <= 1e6 else None


def read_plays(path, base: int = 1):
    """(tidy/human_plays, questions) from JSON Lines: qid, human_buzz_positions as [position, points] pairs
    or objects with these names; optionally n_words. ``base``: 1 where position is the number of words heard, 0 where
    it is the 0-based index of the last one. Points null: nobody buzzed up to there, and more is not known.
    """
    faults, rows, requested = Faults(Path(path).name), [], {}
    expected = "[words heard, points]" if base else "[word index from 0, points]"
    for number, record in lines(path):
        qid, words = identifier(record), record.get("n_words")
        if qid is None or qid in requested:
            faults.add(number, "qid", qid, "a question's id that occurs once")
            continue
        if words is not None and not (type(words) is int and words > 0):
            faults.add(number, "n_words", words, "a whole number from 1")
        requested[qid] = words
        source = record.get("human_buzz_positions")
        if not isinstance(source, list):
            faults.add(number, "human_buzz_positions", source, "a list of [position, points]")
            continue
        for place, item in enumerate(source, start=1):
            pair = _play(item)
            if pair is None:
                faults.add(f"{number}, play {place}", "human_buzz_positions", item, expected)
            else:
                rows.append((qid, int(pair[0]) + 1 - base, pair[1]))
    faults.refuse()
    table = pd.DataFrame(rows, columns=["question_id", "position", "points"])
    points = table["points"].astype(float)
    kinds = {"correct": points > 0, "neg": points < 0, "censored": points.isna()}
    ids = list(requested)
    words = pd.array(list(requested.values()), dtype="Int64")
    questions = pd.DataFrame({"question_id": ids, "source_id": ids, "n_words": words})
    return _numbered(table.assign(team=None, **kinds)), questions
