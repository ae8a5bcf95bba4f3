"""From guesses to verdicts and from verdicts to what each model believed at each clue."""

from __future__ import annotations

from pathlib import Path

from ..core import store
from ..core.data_issues import data_issue
from ..core.errors import DataError, Fault

OVERRIDE_COLUMNS = ("question_id", "guess", "verdict", "who", "reason")
ANY = "*"
VERDICTS = ("accept", "prompt", "reject")


def conditions(rows, questions):
    """The answer-line condition met at each (question_id, position), as a series of text."""
    from .parse import condition_met, parse

    question = questions.set_index("question_id")
    pairs = [*zip(rows["question_id"].to_numpy(), rows["position"].to_numpy(), strict=True)]
    lines = {q: parse(question.at[q, "answerline"]) for q in rows["question_id"].unique()}
    changing = {
        q for q, line in lines.items() if any(a.until is not None for a in line.alternatives)
    }
    met = {}
    for q, position in dict.fromkeys(pair for pair in pairs if pair[0] in changing):
        heard = " ".join(question.at[q, "text"].split()[:position])
        met[q, position] = condition_met(lines[q], heard)
    return [met.get(pair, "") for pair in pairs]


def read_overrides(path, questions):
    """Manual verdicts: a CSV with at least the columns of :data:`OVERRIDE_COLUMNS`.

    tables/to_verify.csv filled in by an editor is such a file; rows whose verdict is still empty are
    left out, and its other columns but ``condition`` are not read. Without that column a verdict
    holds under any condition (:data:`ANY`).
    """
    file = Path(path).name
    table = store.read_raw_csv(path, OVERRIDE_COLUMNS)
    if "condition" not in table:
        table["condition"] = ANY
    table = table.loc[table["verdict"].str.strip() != "", [*OVERRIDE_COLUMNS, "condition"]]
    faults = []
    known = set(questions["question_id"])
    for i, row in table.iterrows():
        if row["question_id"] not in known:
            faults.append(
                Fault(
                    file, str(i + 2), "question_id", row["question_id"], "a question of this study"
                )
            )
        if row["verdict"] not in VERDICTS:
            faults.append(
                Fault(file, str(i + 2), "verdict", row["verdict"], f"one of {', '.join(VERDICTS)}")
            )
        faults += [
            Fault(file, str(i + 2), name, "", "who judged and why")
            for name in ("who", "reason")
            if not row[name].strip()
        ]
    double = table.duplicated(["question_id", "guess", "condition"])
    faults += [
        Fault(file, str(i + 2), "guess", table["guess"][i], "one verdict per question and guess")
        for i in double[double].index
    ]
    if faults:
        raise DataError(faults)
    return table


def verdicts(distinct, questions, matcher: str = "engine", model=None):
    """judged/judgements before anybody's overrides; arguments as in :func:`judge`."""
    from . import hybrid_judge

    pairs = distinct.drop_duplicates(["question_id", "guess", "condition"], ignore_index=True)
    by_id = questions.set_index("question_id")
    pairs = pairs.assign(
        answerline=pairs["question_id"].map(by_id["answerline"]),
        tossup=pairs["question_id"].map(by_id["text"]),
    )
    return hybrid_judge.match_pairs(pairs, matcher, model=model)


def judged_shard(questions, guesses, model, matcher: str, shard: str, shards: str) -> dict:
    """:func:`verdicts` on the guesses of one of so many ranges of questions, counted from 1."""
    from .score import read_model

    mine = store.of_shard(guesses, questions, shard, shards)
    mine = mine.assign(condition=conditions(mine, questions))
    return {"judgements": verdicts(distinct_pairs(mine), questions, matcher, read_model(model))}


def judge(distinct, questions, overrides=None, matcher: str = "engine", model=None, parts=None):
    """judged/judgements: a verdict on each distinct (question_id, guess, condition), and the engine's own.

    Overrides win over the engine; one that matches no guess is a finding.
    ``matcher`` is one of ``equivalence.MATCHERS``, ``model`` the fitted score (None: the one that
    comes with the package), ``parts`` files of :func:`judged_shard`, where some were made.
    """
    import pandas as pd

    lines = questions.set_index("question_id")["answerline"]
    if parts:
        table = pd.concat([store.read(path) for path in parts], ignore_index=True)
    else:
        table = verdicts(distinct, questions, matcher, model)
    findings = not_understood(lines[lines.index.isin(distinct["question_id"])])
    if overrides is not None and len(overrides):
        by_key = {(o.question_id, o.guess, o.condition): o for o in overrides.itertuples()}
        met = set()
        keys = zip(table["question_id"], table["guess"], table["condition"], strict=True)
        for i, (question, guess, condition) in enumerate(keys):
            key = (question, guess, condition)
            key = key if key in by_key else (question, guess, ANY)
            if key in by_key:
                one = by_key[key]
                met.add(key)
                verdict = [one.verdict, f"{one.reason} ({one.who})", "override"]
                table.loc[i, ["verdict", "rule", "source"]] = verdict
                table.loc[i, "score"] = {"accept": 1.0, "prompt": 0.5, "reject": 0.0}[one.verdict]
        for question, guess, _ in sorted(set(by_key) - met):
            findings.append(
                data_issue(
                    "judging", "override without a guess", question, f"no guess reads {guess!r}"
                )
            )
    return table[store.columns("judgements")], findings


def not_understood(lines):
    """A finding for each clause of the answer lines (by question_id) that the parser does not understand."""
    from .parse import parse

    return [
        data_issue("judging", "clause not understood", question, note)
        for question, line in lines.items()
        for note in parse(line).notes
    ]


def correctness(rows, judgements, column: str = "verdict", guess: str = "guess"):
    """Right or wrong for each row of guesses (nullable boolean; null where there is no guess).

    ``rows`` has question_id, condition and ``guess`` (the name of that column); ``column`` of the
    judgements decides: ``verdict``, or the engine's own. A prompt is not right: nobody could ask back.
    """
    key = ["question_id", "guess", "condition"]
    found = judgements.assign(right=judgements[column] == "accept")[[*key, "right"]]
    asked = rows[["question_id", guess, "condition"]].set_axis(key, axis=1)
    merged = asked.merge(found, on=key, how="left", validate="many_to_one")
    return merged["right"].astype("boolean").set_axis(rows.index)


def marks_by_judge(guesses, judgements):
    """Marks → right or wrong for each guess, of every judge of :data:`calscore.core.mark_sources.MARKS` that there is.

    ``adjudicated`` needs a verdict by hand, ``strict`` a guess whose reading differs from what was
    sent, ``authors`` a model and elicitation all of whose guesses came with a mark; null elsewhere. To the
    engine and to a person no guess is not right; a mark of the source stands.
    Returns the marks and findings.
    """
    found = {}
    if (judgements["source"] == "override").any():
        found["adjudicated"] = correctness(guesses, judgements).fillna(False)
    found["engine"] = correctness(guesses, judgements, "engine").fillna(False)
    if guesses["sent"].notna().any():
        sent = guesses.assign(text=guesses["sent"].fillna(guesses["guess"]))
        found["strict"] = correctness(sent, judgements, "engine", "text").fillna(False)
    given = guesses["correct_given"].astype("boolean")
    marked = given.notna()
    whole = marked.groupby([guesses["model"], guesses["elicitation"]]).transform("all")
    if whole.any():
        found["authors"] = given.where(whole)
    findings = [
        data_issue(
            "judging",
            "marks for some guesses only",
            f"{model} {elicitation}",
            f"{int(of.sum())} of {len(of)} guesses came with a mark",
        )
        for (model, elicitation), of in marked.groupby([guesses["model"], guesses["elicitation"]])
        if of.any() and not of.all()
    ]
    return found, findings


def responses(clues, guesses, marks: dict, thresholds: dict[str, float]):
    """judged/responses: at each clue the last guess made at or before its end, under every judge.

    ``marks``: name → right or wrong, aligned with ``guesses`` (null where that judge has no say).
    ``thresholds`` maps a model to the mean log-probability
    above which it buzzes (paper E.3); where the source states buzzes they stand. Clues before a
    model's first guess have no row. In the segmentation ``authors`` a model has a row only where it guessed,
    unless it guessed at other words than those where clues end.
    """
    import numpy as np
    import pandas as pd

    from ..clues import segment as clues_module
    from ..raw.guesses import confidences

    confidence = confidences(guesses)
    limit = guesses["model"].map(thresholds).astype(float)
    above = (guesses["mean_logprob"] > limit).astype("boolean")
    above = above.mask(limit.isna() | guesses["mean_logprob"].isna())
    stated = guesses["buzzed"].astype("boolean")
    source = guesses[["model", "elicitation", "question_id", "position", "guess"]].assign(
        buzz=stated.where(stated.notna(), above)
    )
    parts = []
    places = guesses[["model", "elicitation", "question_id", "position"]]
    for name, rows in clues.groupby("segmentation", sort=True):
        last = clues_module.last_guess(rows, places)
        if name == clues_module.OWN:
            ends = pd.MultiIndex.from_frame(rows[["question_id", "end_word"]])
            at_end = pd.MultiIndex.from_frame(places[["question_id", "position"]]).isin(ends)
            elsewhere = set(guesses.loc[~at_end, "model"])
            last = last[~last["carried"] | last["model"].isin(elsewhere)]
        taken = source.iloc[last["row"].to_numpy()].reset_index(drop=True)
        part = taken.assign(
            segmentation=name,
            clue=last["clue"].to_numpy(),
            carried=last["carried"].to_numpy(),
            row=last["row"].to_numpy(),
        )
        # A buzz belongs to the clue where the guess was made, not to those it is carried into.
        repeat = part.duplicated(["row"])
        part["buzz"] = part["buzz"].mask(repeat & part["buzz"].fillna(False), False)
        part = part.merge(confidence, on="row", how="inner")
        for judge, said in marks.items():
            mine = said.iloc[part["row"].to_numpy()].set_axis(part.index)
            known = part[mine.notna()]
            parts.append(known.assign(marks=judge, correct=mine[known.index].astype(bool)))
    table = pd.concat(parts, ignore_index=True)
    table["confidence"] = (
        table["confidence"].astype(float).where(np.isfinite(table["confidence"].astype(float)))
    )
    return table[store.columns("responses")]


def judged_guesses(questions, clues, guesses, overrides, model, matcher, thresholds, parts=None):
    """Verdicts on model guesses, and what each model believed at each clue.

    ``overrides`` (file or None): manual verdicts; ``model``: file of the learned score;
    ``thresholds`` as in :func:`responses`, ``parts`` as in :func:`judge`.
    """
    guesses, judgements, findings = judge_rows(guesses, questions, overrides, model, matcher, parts)
    found, unmarked = marks_by_judge(guesses, judgements)
    table = responses(clues, guesses, found, thresholds)
    return {"judgements": judgements, "responses": table, "findings": findings + unmarked}


def distinct_pairs(rows):
    """The distinct texts of ``rows`` that want a verdict: guesses as read, and as sent where that differs."""
    import pandas as pd

    key = ["question_id", "guess", "condition"]
    texts = rows[key]
    if "sent" in rows:
        texts = pd.concat([texts, rows[rows["sent"].notna()].assign(guess=rows["sent"])[key]])
    return texts[texts["guess"].notna()].drop_duplicates(ignore_index=True)


def judge_rows(rows, questions, overrides, model, matcher: str, parts=None):
    """``rows`` with their condition, the judgements on them, and findings."""
    from .score import read_model

    by_hand = read_overrides(overrides, questions) if overrides else None
    rows = rows.assign(condition=conditions(rows, questions))
    return rows, *judge(distinct_pairs(rows), questions, by_hand, matcher, read_model(model), parts)
