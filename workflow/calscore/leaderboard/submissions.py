"""Submissions and human plays in the formats of the QANTA competition.

Tossups: JSON Lines with one question a line, ``{"qid", "run_outputs": [{"guess", "confidence", "buzz",
"run_idx", "correct", "token_position"}]}``. ``token_position`` is a 1-based count of words heard. Bonuses are read by :mod:`calscore.leaderboard.bonus_files`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import data_issues, store, strict_json
from ..core.data_issues import Finding
from ..core.errors import DataError, Fault, Faults, raise_faults, split_source_row
from ..raw.release import check_raw

data_issue = partial(data_issues.data_issue, "leaderboard")
ERROR = "ERROR"
SILENT = {"token_position": 1, "buzz": False, "correct": False}
"""The run of a question that a submission lists without outputs."""


def read_records(path: Path, schema: str, item: str, once: bool = False) -> list[tuple[int, str, dict]]:
    """(number from 1, question id, JSON object) of each line of a JSON Lines file. ``DataError`` for no file, no line, or all
    faults against the raw ``schema``. ``item``: what messages call a member of a line's list; ``once``: whether an id must
    be unique."""
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
            check_raw(record, schema, path.name, partial(_locate, number, item))
        except DataError as error:
            faults += error.faults
        visited.add(qid)
        result.append((number, qid, record))
    faults.refuse()
    if not result:
        raise DataError.at(path.name, "", "", 0, "at least one line")
    return result


def _locate(number: int, item: str, path: list) -> tuple[str, list]:
    """(row, remaining path) of a fault at ``path`` in a line, for messages."""
    if len(path) < 2:
        return str(number), path
    return f"{number}, {item} {path[1] + 1}", path[2:]


def read_runs(path: Path, name: str) -> pd.DataFrame:
    """A row for each run of one file of the submission ``name``, in file order. A question without outputs has one at word 1.
    Columns: submission, ``qid`` as given, ``run`` and ``correct`` (null where not given), ``position`` (words heard), guess,
    confidence, buzz, source_row, ``line``, ``silent`` (no outputs). ``DataError`` with all faults, of double positions one."""
    rows, file = [], Path(path).name
    for number, qid, record in read_records(path, "submission", "run"):
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
        place = split_source_row(row.source_row)[1]
        expected = f"a position that occurs once on {row.qid}"
        raise DataError.at(file, place, "token_position", row.position, expected)
    return table


def issues_by_submission(kind: str, rows, detail: Callable[[pd.DataFrame], str]) -> list[Finding]:
    """A finding of ``kind`` for each submission of ``rows``, by name; ``detail``: function of its rows → text."""
    groups = rows.groupby("submission", sort=True)
    return [data_issue(kind, str(name), detail(group)) for name, group in groups]


def match_questions(runs, questions, findings: list[Finding]) -> pd.DataFrame:
    """``runs`` with question_id and n_words, less those on unknown questions; oddities are appended to ``findings``. A qid is
    a question_id, or a source_id that only one question has. ``DataError`` for a submission without any known question."""
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
        Fault(
            str(name), "", "qid", ", ".join(sorted(group.unique())[:3]), "at least one question of the study"
        )
        for name, group in total.groupby("submission", sort=True)["qid"]
    )
    words = questions.set_index("question_id")["n_words"].astype("Int64")
    runs["n_words"] = runs["question_id"].map(words)
    findings += _repeated_questions(runs)
    spoken = runs[~runs["silent"]]
    unsure = spoken[spoken["confidence"].isna()]
    findings += issues_by_submission(
        "runs without a confidence", unsure, partial(_missing_confidences, spoken)
    )
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


def _missing_confidences(runs: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Text: how many of a submission's ``runs`` are ``rows``, those without a confidence."""
    total = int((runs["submission"] == rows["submission"].iloc[0]).sum())
    if len(rows) == total:
        return "no run has a confidence"
    return f"{len(rows)} of {total} runs have no confidence"


def _repeated_questions(runs: pd.DataFrame) -> list[Finding]:
    """A finding for each submission that has a question in several lines of its files."""
    rows = runs.drop_duplicates(["submission", "question_id", "line"])
    many = rows[rows.duplicated(["submission", "question_id"], keep=False)]

    def detail(group) -> str:
        """How many questions of a submission are repeated, and the lines of the first."""
        total = runs.loc[runs["submission"] == group["submission"].iloc[0], "question_id"].nunique()
        earliest = group["qid"].iloc[0]
        place = " and ".join(group.loc[group["qid"] == earliest, "line"].astype(str))
        count = group["question_id"].nunique()
        return f"{count} of {total} questions, first {earliest} in lines {place}"

    return issues_by_submission("question twice in a submission", many, detail)


def judge_runs(runs: pd.DataFrame, questions: pd.DataFrame) -> np.ndarray:
    """Booleans (runs,): whether the answer engine accepts each guess, given the words read by then; False without a guess."""
    from ..judging import guess_verdicts

    rows = runs[["question_id", "position", "guess"]].copy()
    rows["condition"] = guess_verdicts.met_conditions(rows, questions)
    judgements, _ = guess_verdicts.judge_guesses(rows[rows["guess"].notna()], questions)
    return guess_verdicts.correctness(rows, judgements).fillna(False).to_numpy(dtype=bool)


def tidy_runs(runs, questions, findings: list[Finding], judge=None) -> pd.DataFrame:
    """tidy/runs of :func:`match_questions`: null verdicts judged, ERROR guesses wrong, the runs of a question numbered
    from 0 where one has no number. ``judge``: function of (rows without ``correct``, questions) → booleans (:func:`judge_runs`). Oddities are appended
    to ``findings``. ``DataError`` if a judge is needed and there is none, or no answer line."""
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
    groups = runs.groupby(["submission", "question_id"])
    numbered = groups["run"].transform("count") == groups["run"].transform("size")
    runs["run"] = runs["run"].astype("Int64").where(numbered, groups.cumcount()).astype("int64")
    runs["confidence"] = runs["confidence"].astype(float)
    return store.frame(runs.assign(live=False), "runs")


def live_runs(buzzes: pd.DataFrame, questions: pd.DataFrame, kind: str = "model") -> pd.DataFrame:
    """tidy/runs of teams of ``kind``: the first buzz of each on each question. A question without a buzz has no row;
    :func:`live_exposures` lists it."""
    rows = buzzes[buzzes["kind"] == kind].sort_values("word_index", kind="stable")
    rows = rows.drop_duplicates(["team", "question_id"])
    length = rows["question_id"].map(questions.set_index("question_id")["n_words"])
    table = rows.assign(
        submission=rows["team"],
        run=0,
        position=words_heard(rows["word_index"], length),
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


def submission_files(
    files: list[Path] | None, names: list[str], simulated: Path | None, kind: str
) -> list[tuple[Path, str]]:
    """(file, name) of each submission: ``files`` with ``names`` (``ValueError`` unless as many), or, where a folder
    ``simulated`` is given, its files <kind>-<name>.jsonl by name; [] without any."""
    if simulated is None:
        return list(zip(files or [], names, strict=True))
    result = sorted(simulated.glob(f"{kind}-*.jsonl"))
    return [(path, path.stem.removeprefix(f"{kind}-")) for path in result]


def refuse_repeated_questions(parts: list[pd.DataFrame], column: str) -> None:
    """``DataError`` for a question that two files of one submission have; ``column``: that of its id."""
    key = ["submission", column]
    rows = pd.concat([part.drop_duplicates(key) for part in parts] or [pd.DataFrame(columns=key)])
    expected = "a question that occurs in one file of the submission"
    raise_faults(
        Fault(split_source_row(row.source_row)[0], "", "qid", getattr(row, column), expected)
        for row in rows[rows.duplicated(key)].head(20).itertuples()
    )


def tidy_submissions(
    files, names, simulated, plays_file, questions, buzzes, human_plays_base: int
) -> dict[str, pd.DataFrame | list[Finding]]:
    """Tables runs and human_plays, and findings. ``files``, ``names``, ``simulated``: as :func:`submission_files` takes them.
    Human plays come from ``plays_file`` (its positions count from ``human_plays_base``), else from live buzzes. With live play
    (questions, buzzes not None) its models are submissions too; ``DataError`` where both have one name."""
    result, human, requested = [], None, questions
    if plays_file:
        human, requested = read_human_plays(plays_file, human_plays_base)
    if questions is not None:
        requested = questions
        human = human_plays(buzzes, questions) if human is None else human
    parts = [read_runs(path, name) for path, name in submission_files(files, names, simulated, "tossups")]
    refuse_repeated_questions(parts, "qid")
    runs, total = store.empty("runs"), len(requested)
    if parts:
        runs = match_questions(pd.concat(parts, ignore_index=True), requested, result)
        runs = tidy_runs(runs, requested, result, judge_runs)
        lacking = runs.groupby("submission")["question_id"].transform("nunique") < total
        result += issues_by_submission(
            "submission lacks questions",
            runs[lacking],
            lambda rows: f"{total - rows['question_id'].nunique()} of {total} questions have no run",
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


def counted_questions(answered: pd.DataFrame, runs, plays, missing_questions: str) -> pd.DataFrame:
    """Columns submission and question_id, rows perhaps repeated, of questions that count: ``answered``. Unless
    ``missing_questions`` is "leave_out", also, for submissions from files (in ``runs``), each question that any submission
    answered or any human played (``plays``)."""
    if missing_questions == "leave_out":
        return answered
    files = sorted(runs.loc[~runs["live"], "submission"].unique())
    universe = sorted({*answered["question_id"], *plays["question_id"]})
    extra = pd.MultiIndex.from_product([files, universe], names=["submission", "question_id"])
    return pd.concat([answered, extra.to_frame(index=False)], ignore_index=True)


def live_exposures(exposures: pd.DataFrame, kind: str = "model") -> pd.DataFrame:
    """Columns submission (the team) and question_id, a row for every question that a team of ``kind`` heard."""
    rows = exposures[exposures["kind"] == kind].rename(columns={"team": "submission"})
    return rows[["submission", "question_id"]].reset_index(drop=True)


def words_heard(word_index: pd.Series, n_words: pd.Series) -> np.ndarray:
    """Words heard (N,), a 1-based count, at 0-based word indices (N,), at most the words of the question (N,)."""
    return np.minimum(np.asarray(word_index, dtype="int64") + 1, np.asarray(n_words, dtype="int64"))


def human_plays(buzzes: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """tidy/human_plays, a row for each live human buzz. A wrong one is a neg unless its points are known to be at least 0."""
    rows = buzzes[buzzes["kind"] == "human"]
    words = rows["question_id"].map(questions.set_index("question_id")["n_words"])
    value, right = rows["value"].astype(float), rows["correct"].astype(bool)
    # Where points are not told, a wrong answer is taken to have cost some.
    kinds = {"correct": right, "neg": ~right & ~(value >= 0), "censored": False}
    position = words_heard(rows["word_index"], words)
    return _number_plays(rows.assign(position=position, points=value, **kinds))


def _number_plays(rows: pd.DataFrame) -> pd.DataFrame:
    """``rows`` with play numbers from 1 in each question, by position, and the columns of tidy/human_plays."""
    order = ["question_id", "position", "correct", "team"]
    rows = rows.sort_values(order, kind="stable", ignore_index=True)
    rows["play"] = rows.groupby("question_id").cumcount() + 1
    return rows[store.columns("human_plays")]


def read_human_plays(path: Path, base: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(tidy/human_plays, frame of question_id, source_id, n_words) from JSON Lines: qid, human_buzz_positions as [position,
    points] pairs or objects (position, points or score); optionally n_words. ``base``: 1 if position is the number of words
    heard, 0 if it is the 0-based index of the last one. Points: above 0 right, below 0 a neg, null censored (no buzz by then)."""
    rows, requested = [], {}
    for _, qid, record in read_records(path, "human_plays", "play", once=True):
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
    return _number_plays(table.assign(team=None, **kinds)), questions
