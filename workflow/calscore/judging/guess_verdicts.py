"""From guesses to verdicts and from verdicts to what each model believed at each clue."""

import re
from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..answers import condition_met, parse
from ..answers.score import read_model
from ..clues import segment
from ..core import store
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, Faults, split_source_row
from ..core.extract_files import guess_id
from ..raw.extract import engine_judgements as read_verdicts
from ..raw.guesses import reduced_confidences
from . import matchers

OVERRIDE_COLUMNS = ("question_id", "guess", "verdict", "who", "reason")
OVERRIDE_IDS = ("question_id", "guess_id", "verdict", "who", "reason")
ANY, MET, UNMET = "*", "met", "unmet"
"""Conditions of a manual verdict: any, some condition of the answer line, none."""
ARGUABLE = "arguable"
"""A reason that begins so says that another moderator might decide otherwise."""
VERDICTS = ("accept", "prompt", "reject")
_ID = re.compile(r"g[0-9a-f]{8}")
_KEY = ["question_id", "guess", "condition"]
Judged = tuple[pd.DataFrame, list[Finding]]  # table judgements, findings


def met_conditions(rows: pd.DataFrame, questions: pd.DataFrame) -> list[str]:
    """The answer-line condition met at each row's question_id and position (words heard), in a list; '' where none is.

    Conditions follow from the answer line and the text of ``questions`` or, in an extract, from its column
    ``conditions``. ``KeyError`` for an unknown question."""
    question = questions.set_index("question_id")
    pairs = [*zip(rows["question_id"].to_numpy(), rows["position"].to_numpy(), strict=True)]
    lines, listed = {}, {}
    for key in rows["question_id"].unique():
        if isinstance(question.at[key, "answerline"], str):
            lines[key] = parse(question.at[key, "answerline"])
        elif isinstance(question.at[key, "conditions"], str):
            listed[key] = _listed_conditions(question.at[key, "conditions"])
    changing = {q for q, line in lines.items() if any(a.until is not None for a in line.alternatives)}
    met = {}
    for q, position in dict.fromkeys(pair for pair in pairs if pair[0] in changing):
        heard = " ".join(question.at[q, "text"].split()[:position])
        met[q, position] = condition_met(lines[q], heard)
    for q, position in {pair for pair in pairs if pair[0] in listed}:
        starts, names = listed[q]
        met[q, position] = names[bisect_right(starts, position)]
    return [met.get(pair, "") for pair in pairs]


def _listed_conditions(written: str) -> tuple[list[int], list[str]]:
    """``12=c1 40=c2`` as ([12, 40], ['', 'c1', 'c2']): words from which another condition holds, and the conditions."""
    parts = [part.split("=") for part in written.split()]
    return [int(start) for start, _ in parts], ["", *(name for _, name in parts)]


def override_key(question_id: str, guess: str) -> str:
    """Id of a guess, "g" and eight hexadecimal digits; a guess that looks like such an id, as in an extract, stays as it is."""
    return guess if _ID.fullmatch(guess) else guess_id(question_id, guess)


def is_arguable(reason: object) -> bool:
    """Whether the reason of a manual verdict begins with :data:`ARGUABLE`, in either case; False for none."""
    return isinstance(reason, str) and reason.casefold().startswith(ARGUABLE)


class Overrides(NamedTuple):
    """Manual verdicts: ``table``, empty ones aside; its rows by (question, id of the guess, condition)."""

    table: pd.DataFrame
    by_key: dict[tuple[str, str, str], NamedTuple]

    def find(self, question_id: str, guess: str, condition: str) -> tuple:
        """(row, key in ``by_key``) of the manual verdict on a guess under a condition ('' for none); (None, None) without one.
        A verdict on that very condition goes before one on :data:`MET` or :data:`UNMET`, and that before :data:`ANY`."""
        guess = override_key(question_id, guess)
        for wanted in (condition, MET if condition else UNMET, ANY):
            key = (question_id, guess, wanted)
            if key in self.by_key:
                return self.by_key[key], key
        return None, None


def read_overrides(path: Path, questions: pd.DataFrame) -> Overrides:
    """Manual verdicts from a CSV with the columns :data:`OVERRIDE_COLUMNS` or :data:`OVERRIDE_IDS`, and perhaps ``condition``.

    Rows without a verdict are left out; without ``condition`` it holds under :data:`ANY`. ``DataError`` for
    unknown questions or verdicts, no ``who`` or ``reason``, two verdicts on one guess under one condition."""
    shared = [name for name in OVERRIDE_IDS if name in OVERRIDE_COLUMNS]
    by_id = "guess_id" in store.read_raw_csv(path, shared)
    columns = OVERRIDE_IDS if by_id else OVERRIDE_COLUMNS
    table = store.read_raw_csv(path, columns)
    if "condition" not in table:
        table["condition"] = ANY
    table = table.loc[table["verdict"].str.strip() != "", [*columns, "condition"]]
    faults, question_ids = Faults(Path(path).name), set(questions["question_id"])
    for i, row in table.iterrows():
        if row["question_id"] not in question_ids:
            faults.add(i + 2, "question_id", row["question_id"], "a question of this study")
        if row["verdict"] not in VERDICTS:
            faults.add(i + 2, "verdict", row["verdict"], f"one of {', '.join(VERDICTS)}")
        for name in ("who", "reason"):
            if not row[name].strip():
                faults.add(i + 2, name, "", "who judged and why")
    guess = columns[1]
    double = table.duplicated(["question_id", guess, "condition"])
    for i, text in table.loc[double, guess].items():
        faults.add(i + 2, guess, text, "one verdict per question and guess")
    faults.refuse()
    table = table.rename(columns={"guess_id": "guess"})
    by_key = {
        (row.question_id, override_key(row.question_id, row.guess), row.condition): row
        for row in table.itertuples()
    }
    return Overrides(table, by_key)


def automatic_judgements(distinct, questions, matcher: str = "engine", model=None) -> pd.DataFrame:
    """Table judgements, before overrides, by ``matcher``: arguments and rows as in :func:`judge_guesses`."""
    pairs = distinct.drop_duplicates(_KEY, ignore_index=True)
    by_id = questions.set_index("question_id")
    pairs = pairs.assign(
        answerline=pairs["question_id"].map(by_id["answerline"]),
        tossup=pairs["question_id"].map(by_id["text"]),
    )
    return matchers.match_pairs(pairs, matcher, model=model)


def judge_shard(questions, guesses, model, matcher: str, shard: str, shards: str) -> dict[str, pd.DataFrame]:
    """``{"judgements": table}`` before overrides, of part ``shard`` (from 1) of ``shards`` of the questions.
    ``model``: file of the learned score (None: the package's); ``matcher``: of ``matchers.MATCHERS``."""
    own_guesses = store.shard_rows(guesses, questions, shard, shards)
    own_guesses = own_guesses.assign(condition=met_conditions(own_guesses, questions))
    return {
        "judgements": automatic_judgements(distinct_pairs(own_guesses), questions, matcher, read_model(model))
    }


def judge_guesses(
    distinct, questions, overrides=None, matcher: str = "engine", model=None, table=None
) -> Judged:
    """(table judgements, findings): a verdict on each distinct (question_id, guess, condition) of ``distinct``, by the answer
    lines and texts of ``questions``.

    ``matcher``: of ``matchers.MATCHERS``; ``model``: fitted score (None: the package's own); ``table``: judgements that
    replace theirs. ``overrides`` (:class:`Overrides`) win over these, whose verdict stays in ``engine``. Findings:
    clauses not understood, guesses too long (of ``engine`` alone), overrides on no guess."""
    lines = questions.set_index("question_id")["answerline"].dropna()
    if table is None:
        table = automatic_judgements(distinct, questions, matcher, model)
    findings = [
        data_issue("judging", "clause not understood", question, note)
        for question, line in lines[lines.index.isin(distinct["question_id"])].items()
        for note in parse(line).notes
    ]
    findings += [
        data_issue("judging", "guess too long", row.question_id, f"{len(row.guess):,} characters")
        for row in table[table["rule"] == matchers.TOO_LONG].itertuples()
    ]
    if overrides is not None and len(overrides.table):
        met = set()
        keys = zip(table["question_id"], table["guess"], table["condition"], strict=True)
        for i, pair in enumerate(keys):
            override, key = overrides.find(*pair)
            if override is not None:
                met.add(key)
                verdict = [override.verdict, f"{override.reason} ({override.who})", "override"]
                table.loc[i, ["verdict", "rule", "source"]] = verdict
                table.loc[i, "score"] = {"accept": 1.0, "prompt": 0.5, "reject": 0.0}[override.verdict]
        for key in sorted(set(overrides.by_key) - met):
            detail = f"no guess reads {overrides.by_key[key].guess!r}"
            findings.append(data_issue("judging", "override without a guess", key[0], detail))
    return table[store.columns("judgements")], findings


def correctness(rows, judgements, column: str = "verdict", guess: str = "guess") -> pd.Series:
    """Whether each row of guesses is right, nullable boolean with their index; null without a judgement (a null guess).

    ``rows`` have question_id, condition and the guess in column ``guess``. The judgements' ``column`` decides: ``verdict``
    or ``engine``. A prompt is not right: nobody could ask back. ``MergeError`` where a guess is judged twice."""
    right_by_key = judgements.assign(right=judgements[column] == "accept")[[*_KEY, "right"]]
    pairs = rows[["question_id", guess, "condition"]].set_axis(_KEY, axis=1)
    merged = pairs.merge(right_by_key, on=_KEY, how="left", validate="many_to_one")
    return merged["right"].astype("boolean").set_axis(rows.index)


def adjudicated_marks(guesses: pd.DataFrame, judgements: pd.DataFrame) -> pd.Series:
    """Whether each guess is right by a person where one decided, else by the engine; a null guess is wrong. An arguable
    verdict on a text leaves alone the runs on which their mark and the engine agree."""
    words = judgements["rule"].where(judgements["source"] == "override", "")
    arguable = judgements.assign(verdict=words.map(is_arguable).map({True: "accept"}))
    engine = correctness(guesses, judgements, "engine").fillna(False)
    agreed = guesses["correct_given"].astype("boolean").eq(engine).fillna(False)
    agreed &= correctness(guesses, arguable).fillna(False)
    return correctness(guesses, judgements).fillna(False).mask(agreed, engine)


def marks_by_judge(
    guesses: pd.DataFrame, judgements: pd.DataFrame
) -> tuple[dict[str, pd.Series], list[Finding]]:
    """({judge: whether each guess is right, with the index of ``guesses``}, findings) for those of
    :data:`calscore.core.mark_sources.MARKS` there are.

    ``adjudicated`` (:func:`adjudicated_marks`) needs an override, ``strict`` a guess that was sent otherwise,
    ``authors`` a model and elicitation with a mark on each guess (null for others). A null guess is wrong, except to
    ``authors``. Marks on some of a series' guesses are a finding."""
    marks = {}
    if (judgements["source"] == "override").any():
        marks["adjudicated"] = adjudicated_marks(guesses, judgements)
    marks["engine"] = correctness(guesses, judgements, "engine").fillna(False)
    if guesses["sent"].notna().any():
        sent = guesses.assign(text=guesses["sent"].fillna(guesses["guess"]))
        marks["strict"] = correctness(sent, judgements, "engine", "text").fillna(False)
    source_marks = guesses["correct_given"].astype("boolean")
    marked = source_marks.notna()
    all_marked = marked.groupby([guesses["model"], guesses["elicitation"]]).transform("all")
    if all_marked.any():
        marks["authors"] = source_marks.where(all_marked)
    findings = [
        data_issue(
            "judging",
            "marks for some guesses only",
            f"{model} {elicitation}",
            f"{int(flags.sum())} of {len(flags)} guesses came with a mark",
        )
        for (model, elicitation), flags in marked.groupby([guesses["model"], guesses["elicitation"]])
        if flags.any() and not flags.all()
    ]
    return marks, findings


def clue_responses(clues, guesses, marks: dict, thresholds: dict[str, float]) -> pd.DataFrame:
    """Table responses of tables clues and guesses: a model's last guess by the end of each clue, a row per reduction and judge.

    ``marks``: of :func:`marks_by_judge`; null gives no row. ``thresholds``: model → mean log-probability
    above which it buzzes, unless the source states buzzes. Only a guess's first clue has its buzz. No row:
    clues before the first guess, and the authors' own without one, unless the model guesses elsewhere."""
    confidence = reduced_confidences(guesses)
    limit = guesses["model"].map(thresholds).astype(float)
    above = (guesses["mean_logprob"] > limit).astype("boolean")
    above = above.mask(limit.isna() | guesses["mean_logprob"].isna())
    stated = guesses["buzzed"].astype("boolean")
    places = guesses[["model", "elicitation", "question_id", "position"]]
    source = places.assign(guess=guesses["guess"], buzz=stated.where(stated.notna(), above))
    parts = []
    for name, rows in clues.groupby("segmentation", sort=True):
        latest = segment.last_guesses(rows, places)
        if name == segment.OWN:
            # A row only where the model guessed, unless it guessed at other words than those where clues end.
            ends = pd.MultiIndex.from_frame(rows[["question_id", "end_word"]])
            at_end = pd.MultiIndex.from_frame(places[["question_id", "position"]]).isin(ends)
            elsewhere = set(guesses.loc[~at_end, "model"])
            latest = latest[~latest["carried"] | latest["model"].isin(elsewhere)]
        taken = source.iloc[latest["row"].to_numpy()].reset_index(drop=True)
        part = taken.assign(
            segmentation=name,
            clue=latest["clue"].to_numpy(),
            carried=latest["carried"].to_numpy(),
            row=latest["row"].to_numpy(),
        )
        # A buzz belongs to the clue where the guess was made, not to those it is carried into.
        repeat = part.duplicated(["row"])
        part["buzz"] = part["buzz"].mask(repeat & part["buzz"].fillna(False), False)
        part = part.merge(confidence, on="row", how="inner")
        for judge, marks_of_judge in marks.items():
            own_marks = marks_of_judge.iloc[part["row"].to_numpy()].set_axis(part.index)
            marked = part[own_marks.notna()]
            parts.append(marked.assign(marks=judge, correct=own_marks[marked.index].astype(bool)))
    table = pd.concat(parts, ignore_index=True)
    value = table["confidence"].astype(float)
    table["confidence"] = value.where(np.isfinite(value))
    return table[store.columns("responses")]


def judgement_tables(
    questions, clues, guesses, overrides, model, matcher, thresholds, parts=None, extract=None
) -> dict[str, pd.DataFrame | list[Finding]]:
    """Tables ``judgements`` and ``responses`` of model guesses, and ``findings``, by name.

    ``overrides`` (file or None): manual verdicts; ``model``: file of the learned score; ``thresholds`` as in
    :func:`clue_responses`. Verdicts come from ``parts`` (files of :func:`judge_shard`), else the folder ``extract``,
    else ``matcher``."""
    table, noted = None, []
    if parts:
        table = pd.concat([store.read(path) for path in parts], ignore_index=True)
    elif extract:
        table, noted = verdicts_of_extract(questions, guesses, extract)
    guesses, judgements, findings = judge_rows(guesses, questions, overrides, model, matcher, table)
    marks, unmarked = marks_by_judge(guesses, judgements)
    rows = clue_responses(clues, guesses, marks, thresholds)
    return {"judgements": judgements, "responses": rows, "findings": findings + unmarked + noted}


def verdicts_of_extract(questions: pd.DataFrame, guesses: pd.DataFrame, folder: Path) -> Judged:
    """(judgements of distinct guesses, findings) before overrides: the verdicts in the folder of an extract, else source marks.
    ``DataError`` where two marks on a guess differ; each model with such marks is a finding."""
    guesses = guesses.assign(condition=met_conditions(guesses, questions))
    table = distinct_pairs(guesses).merge(read_verdicts(folder), on=_KEY, how="left")
    marked = guesses[guesses["guess"].notna() & guesses["guess_words"].isna()]
    marks = marked.drop_duplicates([*_KEY, "correct_given"])
    double = marks[marks.duplicated(_KEY)]
    if len(double):
        row = double.iloc[0]
        expected = f"one mark of {row['guess']!r} on {row['question_id']}, right or wrong"
        place = split_source_row(row["source_row"])
        raise DataError.at(*place, "correct", bool(row["correct_given"]), expected)
    marks = marks.set_index(_KEY)["correct_given"]
    right = pd.MultiIndex.from_frame(table[_KEY]).map(marks.to_dict())
    own = table["verdict"].isna()
    verdict = pd.Series(right, index=table.index).map({True: "accept", False: "reject"})
    for name in ("verdict", "engine"):
        table.loc[own, name] = verdict[own]
    table.loc[own, "score"] = (verdict[own] == "accept").astype(float)
    table.loc[own, "rule"], table.loc[own, "source"] = "mark of the run", "given"
    findings = [
        data_issue("judging", "marks in place of the engine", model, f"{len(rows)} guesses")
        for model, rows in marked.groupby("model")
    ]
    return table, findings


def distinct_pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Distinct (question_id, guess, condition) of ``rows``: guesses as read, and as ``sent`` where given; none missing."""
    texts = rows[_KEY]
    if "sent" in rows:
        texts = pd.concat([texts, rows[rows["sent"].notna()].assign(guess=rows["sent"])[_KEY]])
    return texts[texts["guess"].notna()].drop_duplicates(ignore_index=True)


def judge_rows(
    rows, questions, overrides, model, matcher: str, table=None
) -> tuple[pd.DataFrame, pd.DataFrame, list[Finding]]:
    """(``rows`` with column condition, *:func:`judge_guesses` of them); ``overrides`` and ``model``: files or None."""
    by_hand = read_overrides(overrides, questions) if overrides else None
    rows = rows.assign(condition=met_conditions(rows, questions))
    return rows, *judge_guesses(distinct_pairs(rows), questions, by_hand, matcher, read_model(model), table)
