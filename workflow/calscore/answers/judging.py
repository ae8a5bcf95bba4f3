"""From guesses to verdicts and from verdicts to what each model believed at each clue."""

from __future__ import annotations

from pathlib import Path

from ..core import store
from ..core.errors import DataError, Fault
from ..core.findings import Finding

OVERRIDE_COLUMNS = ("question_id", "guess", "verdict", "who", "reason")
ANY = "*"
VERDICTS = ("accept", "prompt", "reject")


def conditions(rows, questions):
    """The answer-line condition met at each (question_id, position), as a series of text."""
    from .parse import condition_met, parse

    question = questions.set_index("question_id")
    keys = rows[["question_id", "position"]].drop_duplicates()
    lines = {q: parse(question.at[q, "answerline"]) for q in keys["question_id"].unique()}
    met = {}
    for q, position in zip(keys["question_id"], keys["position"], strict=True):
        if any(alternative.until is not None for alternative in lines[q].alternatives):
            heard = " ".join(question.at[q, "text"].split()[:position])
            met[q, position] = condition_met(lines[q], heard)
    pairs = zip(rows["question_id"], rows["position"], strict=True)
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


def judge(distinct, questions, overrides=None, matcher: str = "engine", model=None):
    """judged/judgements: a verdict on each distinct (question_id, guess, condition).

    Overrides win over the engine; one that matches no guess is a finding.
    ``matcher`` is one of ``equivalence.MATCHERS``, ``model`` the fitted score (None: the one that
    comes with the package).
    """
    from . import equivalence

    lines = questions.set_index("question_id")["answerline"]
    pairs = distinct.drop_duplicates(["question_id", "guess", "condition"], ignore_index=True)
    texts = questions.set_index("question_id")["text"]
    pairs = pairs.assign(
        answerline=pairs["question_id"].map(lines), tossup=pairs["question_id"].map(texts)
    )
    table = equivalence.match_pairs(pairs, matcher, model=model)
    findings = []
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
                Finding(
                    "judging",
                    "override without a guess",
                    "warning",
                    question,
                    f"no guess reads {guess!r}",
                    "has no effect",
                )
            )
    return table[store.columns("judgements")], findings


def verdicts(rows, judgements, mode: str = "engine"):
    """Right or wrong for each row of guesses (nullable boolean; null where there is no guess).

    ``rows`` has question_id, guess, condition and, for ``mode="given"``, correct_given, which then
    decides where it is present; ``compare`` judges as ``engine`` does. A prompt is not right:
    nobody could ask back.
    """
    accepted = judgements.assign(right=judgements["verdict"] == "accept")
    merged = rows[["question_id", "guess", "condition"]].merge(
        accepted[["question_id", "guess", "condition", "right"]],
        on=["question_id", "guess", "condition"],
        how="left",
        validate="many_to_one",
    )
    right = merged["right"].astype("boolean").set_axis(rows.index)
    if mode == "given":
        given = rows["correct_given"].astype("boolean")
        right = given.where(given.notna(), right)
    return right


def responses(clues, guesses, right, thresholds: dict[str, float]):
    """judged/responses: at each clue the last guess made at or before its end.

    ``right`` is aligned with ``guesses``; no guess is not right. ``thresholds`` maps a model to the
    mean log-probability above which it buzzes (paper E.3); where the source states buzzes they
    stand. Clues before a model's first guess have no row.
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
        correct=right.fillna(False).astype(bool).to_numpy(),
        buzz=stated.where(stated.notna(), above),
    )
    parts = []
    for name, rows in clues.groupby("segmentation", sort=True):
        last = clues_module.last_guess(
            rows, guesses[["model", "elicitation", "question_id", "position"]]
        )
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
        parts.append(part.merge(confidence, on="row", how="inner"))
    table = pd.concat(parts, ignore_index=True)
    table["confidence"] = (
        table["confidence"].astype(float).where(np.isfinite(table["confidence"].astype(float)))
    )
    return table[store.columns("responses")]


def judged_guesses(questions, clues, guesses, overrides, model, matcher, judging, thresholds):
    """Verdicts on model guesses, and what each model believed at each clue.

    ``overrides`` (file or None): manual verdicts; ``model``: file of the learned score; ``judging``:
    mode of :func:`verdicts`; ``thresholds`` as in :func:`responses`.
    """
    guesses, judgements, findings = _judged(guesses, questions, overrides, model, matcher)
    right = verdicts(guesses, judgements, judging)
    table = responses(clues, guesses, right, thresholds)
    return {"judgements": judgements, "responses": table, "findings": findings}


def judged_survey(questions, survey, overrides, model, matcher):
    """Survey answers judged and backfilled; arguments as above."""
    from ..human import players

    survey, judgements, findings = _judged(survey, questions, overrides, model, matcher)
    table, odd = players.survey_responses(survey, verdicts(survey, judgements))
    return {
        "survey_judgements": judgements,
        "survey_responses": table,
        "findings": findings + odd,
    }


def _judged(rows, questions, overrides, model, matcher: str):
    """``rows`` with their condition, the judgements on them, and findings."""
    from .score import read_model

    by_hand = read_overrides(overrides, questions) if overrides else None
    rows = rows.assign(condition=conditions(rows, questions))
    distinct = rows[rows["guess"].notna()]
    return rows, *judge(distinct, questions, by_hand, matcher, read_model(model))
