"""Marks that came with the guesses against the engine, run by run: who takes what, and by what cause."""

import re

import pandas as pd

from ..answers.normalise import normal
from ..answers.parse import parse
from ..answers.score import read_model
from ..core import store
from ..raw.extract import disagreement_causes as read_causes
from ..raw.extract import engine_judgements as read_verdicts
from .guess_verdicts import ARGUABLE, is_arguable, judge_guesses, met_conditions, read_overrides

CAUSES = {
    # What the engine takes and the marks refuse.
    "wrapper": "the answer was sent within a sentence or JSON",
    "escape": "characters were sent written out as escapes",
    "text after it": "an explanation, or another line, was sent after the answer",
    "guide or note": "the answer line prints a pronunciation or a note beside the answer",
    "quotation marks": "the answer line prints the answer in quotation marks",
    "signs": "the same words with other accents, apostrophes, hyphens, points or the like",
    "same words": "the same words as the main answer's, articles and number aside",
    "alias": "another answer that the line lists",
    "other wording": "a wording that the line does not list",
    # What the marks take and the engine does not.
    "prompt": "the line says to prompt on it",
    "too late": "the line takes it only at another time in the question",
    "cut": "the guess was cut before its end",
    "more words": "an answer of the line within a longer guess",
    "fewer words": "a part of an answer of the line",
    "some words": "shares words with an answer of the line",
    "no word": "shares no word with any answer of the line",
}
"""Cause → what it says. A disagreement has the first that holds of its texts, in the order of :func:`disagreement_cause`."""
SAYS = ("both", "authors", "engine", "neither")
"""Who calls a run right."""
ALL = "all"
_SIDES = ("engine", "authors", ARGUABLE)
_CUTS = 10
_EXAMPLES = 3
_PAIR = ["question_id", "guess"]
_SERIES = ["model", "elicitation"]
_RUN = [*_SERIES, "question_id", "position"]


def disagreement_cause(
    answerline: str, guess: str, sent: str | None, verdict: str, rule: str, cut: int | None = None
) -> str:
    """How the texts of a guess differ on which marks and engine disagree: one of :data:`CAUSES`.

    ``guess`` as read, ``sent`` as it was sent (None where that is the same), ``verdict`` and ``rule``
    of the engine on ``guess`` under ``answerline``; ``cut``: of :func:`truncation_length`."""
    line = parse(answerline)
    if verdict == "accept":
        return _acceptance_cause(line, guess, sent)
    if verdict == "prompt":
        return "prompt"
    if rule == "too late":
        return "too late"
    if cut is not None and len(guess if sent is None else sent) >= cut:
        return "cut"
    # What stands in brackets says which of several things is meant.
    words = set(normal(re.sub(r"\s*\([^()]*\)", "", guess)).singular)
    answers = [set(normal(a.text).singular) for a in line.alternatives if a.verdict == "accept"]
    if any(answer and answer <= words for answer in answers):
        return "more words"
    if any(words and words <= answer for answer in answers):
        return "fewer words"
    return "some words" if any(words & answer for answer in answers) else "no word"


def _acceptance_cause(line, guess: str, sent: str | None) -> str:
    """The cause where the engine accepts and the marks refuse; arguments as in :func:`disagreement_cause`."""
    from ..raw.clean_guess import clean

    done = {"json": "wrapper", "wrapper": "wrapper", "escapes": "escape", "rest": "text after it"}
    kinds = clean(sent).changes if sent is not None else ()
    for kind, kind_name in done.items():
        if kind in kinds:
            return kind_name
    if line.remarks:
        return "guide or note"
    if line.source.lstrip()[:1] in ('"', "“"):
        return "quotation marks"
    words = normal(guess).singular
    if words == normal(line.main).singular:
        return "same words" if _other_characters(guess) == _other_characters(line.main) else "signs"
    accepted = (a.text for a in line.alternatives if a.verdict == "accept" and not a.main)
    return "alias" if any(words == normal(text).singular for text in accepted) else "other wording"


def _other_characters(text: str) -> str:
    """``text`` in lower case without its first article, its ASCII letters and digits: accents, signs and spaces."""
    return re.sub(r"[a-z0-9]", "", re.sub(r"^(?:the|an?)\s", "", text.casefold()))


def truncation_length(sent: pd.Series) -> int | None:
    """Length in characters at which guesses were cut, None where none is seen. ``sent``: texts, perhaps null.

    It is the greatest length of ten or more guesses, if more than twice as many have it as are one character shorter:
    lengths of whole guesses thin out."""
    counts = sent.dropna().str.len().value_counts()
    often = counts.index[counts >= _CUTS]
    if not len(often) or counts[often.max()] <= 2 * counts.get(often.max() - 1, 0):
        return None
    return int(often.max())


def mark_disagreements(questions, guesses, overrides, model, extract=None) -> dict[str, pd.DataFrame]:
    """``{"judging_disagreements": table}``: each run (row of ``guesses``) whose mark ``correct_given`` and the engine differ.

    Runs without mark, guess or (in an extract) word count are left out; only ``accept`` is right.
    ``overrides`` (file or None): verdicts by hand for ``adjudicated``, ``arguable`` if the reason begins so.
    ``model``: file of the learned score; ``extract`` (folder, None): its verdicts and causes count."""
    marked = guesses[guesses["correct_given"].notna() & guesses["guess"].notna()]
    if extract:
        marked = marked[marked["guess_words"].notna()]
    name = "judging_disagreements"
    if marked.empty:
        return {name: store.empty(name)}
    marked = marked.assign(condition=met_conditions(marked, questions))
    key = [*_PAIR, "condition"]
    if extract:
        judged = read_verdicts(extract)
    else:
        judged, _ = judge_guesses(marked, questions, model=read_model(model))
    table = marked.merge(judged[[*key, "verdict", "rule"]], on=key, how="left", validate="many_to_one")
    marked_right = table["correct_given"].astype(bool)
    differs = marked_right != (table["verdict"] == "accept")
    table = table.assign(given=marked_right.map({True: "accept", False: "reject"}), engine=table["verdict"])
    table = table[differs].assign(cause=_run_causes(table, differs, questions, extract))
    table = _with_manual_verdicts(table, read_overrides(overrides, questions) if overrides else None)
    order = ["question_id", "guess", *_SERIES, "position"]
    return {name: table.sort_values(order, ignore_index=True)[store.columns(name)]}


def _run_causes(table: pd.DataFrame, differs, questions: pd.DataFrame, extract) -> list[str]:
    """Cause of each run of ``table`` in the mask ``differs``; with a folder ``extract`` those recorded there."""
    if extract:
        return list(table.loc[differs, "source_row"].map(read_causes(extract)))
    cut = truncation_length(table["sent"].where(table["sent"].notna(), table["guess"]))
    table = table[differs]
    lines = questions.set_index("question_id")["answerline"]
    sent = table["sent"].astype(object).where(table["sent"].notna(), None)
    columns = zip(
        table["question_id"].map(lines),
        table["guess"],
        sent,
        table["verdict"],
        table["rule"],
        strict=True,
    )
    return [disagreement_cause(*fields, cut) for fields in columns]


def _with_manual_verdicts(table: pd.DataFrame, by_hand) -> pd.DataFrame:
    """``table`` with columns ``adjudicated`` (verdict by hand) and ``arguable`` (whether its reason is so), null without one.
    ``by_hand``: :class:`~calscore.judging.guess_verdicts.Overrides` or None."""
    verdict, arguable = [None] * len(table), [None] * len(table)
    if by_hand is not None:
        keys = zip(table["question_id"], table["guess"], table["condition"], strict=True)
        for i, key in enumerate(keys):
            row, _ = by_hand.find(*key)
            if row is not None:
                verdict[i] = row.verdict
                arguable[i] = is_arguable(row.reason)
    return table.assign(
        adjudicated=pd.array(verdict, dtype="str"), arguable=pd.array(arguable, dtype="boolean")
    )


def mark_counts(guesses: pd.DataFrame, judging_disagreements: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``{"marks": table}``: runs and distinct pairs (question, guess) by model, elicitation, who ``says`` right, and cause.

    Runs without a mark are left out. Rows of model ``all`` count every model's runs, a pair once. What verdicts by hand
    uphold is counted where all of a row's runs have one, and is null elsewhere."""
    marked = guesses[guesses["correct_given"].notna()]
    columns = ["engine", "cause", "adjudicated", "arguable"]
    table = marked.merge(judging_disagreements[[*_RUN, *columns]], on=_RUN, how="left", validate="one_to_one")
    right = table["correct_given"].astype(bool)
    differing = table["engine"].notna()
    says = pd.Series("neither", index=table.index).mask(right, "both")
    table["says"] = says.mask(differing & right, "authors").mask(differing & ~right, "engine")
    parts = [_mark_count_rows(table.assign(model=ALL)), _mark_count_rows(table)]
    return {"marks": pd.concat(parts, ignore_index=True)[store.columns("marks")]}


def _mark_count_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of marks for each model in ``table``, ordered by series, :data:`SAYS` and :data:`CAUSES`."""
    order = {name: position for position, name in enumerate([*SAYS, *CAUSES])}
    key = [*_SERIES, "says", "cause"]
    rows = []
    for values, rows_of_key in table.groupby(key, dropna=False, sort=True):
        named = dict(zip(key, values, strict=True))
        often = rows_of_key["question_id"].value_counts().reset_index()
        often = often.sort_values(["count", "question_id"], ascending=[False, True])
        examples = often["question_id"].head(_EXAMPLES)
        row = named | {
            "runs": len(rows_of_key),
            "pairs": _count_pairs(rows_of_key),
            "examples": " ".join(examples),
        }
        if named["says"] in ("authors", "engine") and rows_of_key["adjudicated"].notna().all():
            accepted = rows_of_key["adjudicated"] == "accept"
            by_engine = accepted == (rows_of_key["engine"] == "accept")
            upheld = by_engine, ~by_engine, rows_of_key["arguable"].astype(bool)
            for side, mask in zip(_SIDES, upheld, strict=True):
                row |= {
                    f"{side}_runs": int(mask.sum()),
                    f"{side}_pairs": _count_pairs(rows_of_key[mask]),
                }
        rows.append(row)
    counts = pd.DataFrame(rows).reindex(columns=store.columns("marks"))
    counts = counts.astype({f"{side}_{end}": "Int64" for side in _SIDES for end in ("runs", "pairs")})

    def place(column):
        return column.map(order) if column.name in ("says", "cause") else column

    return counts.sort_values(key, key=place, kind="stable", ignore_index=True)


def _count_pairs(table: pd.DataFrame) -> int:
    """Number of distinct (question, guess), missing guesses aside."""
    return len(table.dropna(subset="guess").drop_duplicates(_PAIR))
