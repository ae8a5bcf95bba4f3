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
from ..core.errors import DataError, Fault, Faults, raise_faults
from ..raw.release import check_raw

data_issue = partial(data_issues.data_issue, "leaderboard")
ERROR = "ERROR"
SILENT = {"token_position": 1, "buzz": False, "correct": False}
"""The run of a question that a submission lists without outputs."""


def records(path, schema: str, item: str, once: bool = False) -> list[tuple[int, str, dict]]:
    """(line, id, JSON object) of the lines of a JSON Lines file that fit a raw schema; ``DataError`` with all faults.

    ``item``: what a member of a line's lists is called. ``once``: whether an id may stand in one line only.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError.at(str(path), "", "", None, "a .jsonl file")
    faults, result, visited = Faults(path.name), [], set()
    expected = f"a question's id{' that occurs once' * once}"
    for number, record in strict_json.read_objects(path, faults):
        key = record.get("qid", record.get("question_id"))
        qid = str(key).strip() and str(key)
        if type(key) not in (str, int) or not qid or (once and qid in visited):
            faults.add(number, "qid", key, expected)
        try:
            check_raw(record, schema, path.name, partial(_place, number, item))
        except DataError as error:
            faults += error.faults
        visited.add(qid)
        result.append((number, qid, record))
    faults.refuse()
    if not result:
        raise DataError.at(path.name, "", "", 0, "at least one line")
    return result


def _place(number: int, item: str, path: list) -> tuple[str, list]:
    """Row and path within it of a place in a line."""
    if len(path) < 2:
        return str(number), path
    return f"{number}, {item} {path[1] + 1}", path[2:]


def read(path, name: str) -> pd.DataFrame:
    """Runs of one submission file; ``DataError`` names each faulty line and field."""
    rows, file = [], Path(path).name
    for number, qid, record in records(path, "submission", "run"):
        runs = record["run_outputs"]
        for place, run in enumerate(runs or [SILENT], start=1):
            correct = run.get("correct")
            rows.append(
                {
                    "qid": qid,
                    "run": run.get("run_idx"),
                    "position": run["token_position"],
                    "guess": run.get("guess"),
                    "confidence": run.get("confidence"),
                    "buzz": run["buzz"],
                    "correct": None if correct is None else bool(correct),
                    "source_row": f"{file}#{number}" + f"/run {place}" * bool(runs),
                    "line": number,
                    "silent": not runs,
                }
            )
    table = pd.DataFrame(rows).assign(submission=name)
    table["correct"] = table["correct"].astype("boolean")
    for row in table[table.duplicated(["qid", "position"])].head(1).itertuples():
        place = row.source_row.partition("#")[2]
        expected = f"a position that occurs once on {row.qid}"
        raise DataError.at(file, place, "token_position", row.position, expected)
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
    raise_faults(
        Fault(str(name), "", "qid", ", ".join(sorted(group.unique())[:3]), "at least one question of the study")
        for name, group in total.groupby("submission", sort=True)["qid"]
    )  # fmt: skip
    words = questions.set_index("question_id")["n_words"].astype("Int64")
    runs["n_words"] = runs["question_id"].map(words)
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
    order = ["submission", "question_id", "position"]
    runs = runs.sort_values(order, kind="stable", ignore_index=True)
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
    runs["run"] = runs["run"].astype("Int64").fillna(place).astype("int64")
    runs["confidence"] = runs["confidence"].astype(float)
    return store.frame(runs.assign(live=False), "runs")


def live_runs(buzzes, questions, kind: str = "model"):
    """tidy/runs of those who played live: their first buzz, or none, on each question they heard.

    A question without a buzz has no row; :func:`heard_live` lists it.
    """
    rows = buzzes[buzzes["kind"] == kind].sort_values("word_index", kind="stable")
    rows = rows.drop_duplicates(["team", "question_id"])
    length = rows["question_id"].map(questions.set_index("question_id")["n_words"])
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
    raise_faults(
        Fault(row.source_row.partition("#")[0], "", "qid", getattr(row, column), expected)
        for row in rows[rows.duplicated(key)].head(20).itertuples()
    )


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
    runs, total = store.empty("runs"), len(requested)
    if parts:
        runs = identify(pd.concat(parts, ignore_index=True), requested, result)
        runs = finish(runs, requested, result, judge_runs)
        lacking = runs.groupby("submission")["question_id"].transform("nunique") < total
        result += issues_by_submission(
            "submission lacks questions",
            runs[lacking],
            lambda rows: (
                f"{total - rows['question_id'].nunique()} of {total} questions have no run"
            ),
        )
    if questions is not None:
        live = live_runs(buzzes, questions)
        for name in sorted(set(runs["submission"]) & set(live["submission"]))[:1]:
            expected = "a name that no live team has"
            raise DataError.at("config", "inputs/submissions", "name", name, expected)
        runs = pd.concat([part for part in (runs, live) if len(part)] or [runs], ignore_index=True)
    if silent := int((~requested["question_id"].isin(human["question_id"])).sum()):
        place, detail = f"{silent} questions", f"of {total}"
        result.append(data_issue("questions without a human play", place, detail))
    return {"runs": runs, "human_plays": human, "findings": result}


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


def heard_live(exposures, kind: str = "model"):
    """(submission, question_id) of every question that those who played live heard."""
    rows = exposures[exposures["kind"] == kind].rename(columns={"team": "submission"})
    return rows[["submission", "question_id"]].reset_index(drop=True)


def count(word_index, n_words) -> np.ndarray:
    """Words heard (1-based count) at a 0-based word index, at most the words of the question."""
    return np.minimum(np.asarray(word_index, dtype="int64") + 1, np.asarray(n_words, dtype="int64"))


def plays(buzzes, questions):
    """tidy/human_plays from live human buzzes."""
    rows = buzzes[buzzes["kind"] == "human"]
    words = rows["question_id"].map(questions.set_index("question_id")["n_words"])
    value, right = rows["value"].astype(float), rows["correct"].astype(bool)
    # Where points are not told, a wrong answer is taken to have cost some.
    kinds = {"correct": right, "neg": ~right & ~(value >= 0), "censored": False}
    position = count(rows["word_index"], words)
    return _numbered(rows.assign(position=position, points=value, **kinds))


def _numbered(rows):
    order = ["question_id", "position", "correct", "team"]
    rows = rows.sort_values(order, kind="stable", ignore_index=True)
    rows["play"] = rows.groupby("question_id").cumcount() + 1
    return rows[store.columns("human_plays")]


def read_plays(path, base: int = 1):
    """(tidy/human_plays, questions) from JSON Lines: qid, human_buzz_positions as [position, points] pairs
    or objects with these names; optionally n_words. ``base``: 1 where position is the number of words heard, 0 where
    it is the 0-based index of the last one. Points null: nobody buzzed up to there, and more is not known.
    """
    rows, requested = [], {}
    for _, qid, record in records(path, "human_plays", "play", once=True):
        requested[qid] = record.get("n_words")
        for play in record["human_buzz_positions"]:
            if isinstance(play, dict):
                play = play["position"], play.get("points", play.get("score"))
            rows.append((qid, int(play[0]) + 1 - base, play[1]))
    table = pd.DataFrame(rows, columns=["question_id", "position", "points"])
    points = table["points"].astype(float)
    kinds = {"correct": points > 0, "neg": points < 0, "censored": points.isna()}
    ids = list(requested)
    words = pd.array(list(requested.values()), dtype="Int64")
    questions = pd.DataFrame({"question_id": ids, "source_id": ids, "n_words": words})
    return _numbered(table.assign(team=None, **kinds)), questions
