"""Checks of a study of answer options: every table once more from the answers."""

from __future__ import annotations

import pandas as pd

from . import explain
from .checks import again, by, invariant, same

GIVEN = ("option_questions", "option_results")
WORDS = ("model", "judging", "setting")
# The record lists models by key, tables in the order of the configuration.
PAIR = ("judging", "model")


def _answers(c):
    """Answers, and sums over them in the resamples of questions."""

    def make(c):
        from ..choices import tables

        rows = c["option_results"].drop(columns="predicted_answer")
        # Words as codes are grouped by in a fraction of the time.
        rows = rows.astype(dict.fromkeys(WORDS, "category"))
        return rows, tables.Resamples(rows, c.options["replicates"], c.options["seed"])

    return c.again("answers", GIVEN, make)


@again("option_scores", "option_results", of=by(*PAIR, "reading"))
def _scores(c):
    """Shares, errors, changes and their intervals follow from the answers."""
    from ..choices import tables

    return tables.scores(*_answers(c), c.names, c.options["level"])


@again("option_readings", "option_results", of=by(*PAIR, "setting", "labels", "edges"))
def _readings(c):
    """Errors under each reading follow from the answers."""
    from ..choices import tables

    return tables.readings(*_answers(c), c.names, c.options["level"])


KEY = [*PAIR, "setting", "reading", "group"]


def _counted(rows, group, level):
    """Counts, shares and errors by group of answers (a Series), without any draw: one row per :data:`KEY`."""
    from ..choices import NONE, RIGHT, scoring

    at = [rows[name] for name in (*PAIR, "setting")] + [group.rename("group")]
    c, output = rows["confidence"].to_numpy(), rows["output"].to_numpy()
    parts = []
    for reading, (labels, edges) in scoring.READINGS.items():
        sums = pd.DataFrame(scoring.residuals(c, output, labels, edges), index=rows.index)
        sums["n_counted"] = scoring.counted(output, labels)
        sums["right"], sums["none"], sums["n"] = output == RIGHT, output == NONE, 1
        sums = sums.groupby(at, observed=True).sum()
        gap = sums[list(range(scoring.N_BINS))].abs().sum(axis=1)
        sums["ece"] = gap / sums["n_counted"].where(sums["n_counted"] > 0)
        parts.append(sums.iloc[:, scoring.N_BINS :].reset_index().assign(reading=reading))
    table = pd.concat(parts, ignore_index=True)
    table["right_share"] = table["right"] / table["n"]
    ends = explain.wilson(table["right"], table["n"], level)
    table["right_share_low"], table["right_share_high"] = ends
    return table.astype({"model": object, "judging": object, "setting": object})


def _groups(table, column):
    @invariant(table, *GIVEN)
    def counts_and_errors(c):
        """Counts, shares and errors follow from the answers, those of all models from those of each."""
        rows, q = _answers(c)[0], c["option_questions"]
        group = rows["row"].map(q.set_index("row")[column])
        wanted = _counted(rows, group, c.options["level"]).assign(
            name=lambda t: t["model"].map(c.names).fillna(t["model"])
        )
        by_setting = wanted.groupby([*PAIR[:1], "setting", "reading", "group"])
        of_all = by_setting.agg(
            n=("n", "sum"),
            right_share=("right_share", "mean"),
            ece=("ece", lambda of: of.mean(skipna=False)),
        )
        mean = of_all.reset_index().assign(model="mean", name="mean")
        columns = [name for name in wanted if name not in KEY]
        # Bounds of a mean over models are drawn.
        of_mean = [name for name in columns if not name.startswith("right_share_")]
        found = c[table]
        single = found["model"] != "mean"
        one = same(found[single], wanted, KEY, columns, 1e-9)
        mean = mean.reindex(columns=[*KEY, *of_mean])
        return one if one.failures else same(found[~single], mean, KEY, of_mean, 1e-9)


for _table, _column in (("option_types", "answer_type"), ("option_topics", "topic")):
    _groups(_table, _column)


@again("option_overall", *GIVEN, of=by(*PAIR, "setting", "reading", "group"))
def _overall(c):
    """Shares and errors over all questions, and what is drawn, follow from the answers."""
    from ..choices import tables

    rows, sums = _answers(c)
    given = rows, c["option_questions"], "all", sums, c.names
    return tables.by_group(*given, *c.drawn.values())


@again("option_reliability", "option_results", of=by(*PAIR, "setting", "reading", "bin"))
def _reliability(c):
    """Bins follow from the answers."""
    from ..choices import tables

    return tables.reliability(_answers(c)[0], c.names, c.options["level"])


@again("option_transitions", "option_results", of=by(*PAIR, "before", "after"))
def _transitions(c):
    """Verdicts before and after follow from the answers."""
    from ..choices import tables

    return tables.transitions(_answers(c)[0], c.names, c.options["level"])


@again("option_comparisons", "option_results", of=by(*PAIR))
def _comparisons(c):
    """Tests, changes and their intervals follow from the answers."""
    from ..choices import tables

    return tables.comparisons(*_answers(c), c.names, c.options["level"])


def _of_answers(table):
    """Contrasts of models and of judges, which need no means over models."""
    return table[table["compared"] != "question types"].reset_index(drop=True)


@again("option_contrasts", "option_results", "option_scores", of=_of_answers)
def _contrasts(c):
    """Differences between models and between judges, and their intervals, follow from the answers."""
    from ..choices import tables

    # Which of two models is first follows the order of the configuration, which option_scores has.
    names = {model: c.names.get(model, model) for model in c["option_scores"]["model"].unique()}
    return tables.contrasts(_answers(c)[1], {}, names, c.options["level"])


@invariant("option_contrasts", "option_types")
def _contrasts_of_types(c):
    """Differences between question types are those of the means over models."""
    found = c["option_contrasts"]
    found = found[found["compared"] == "question types"]
    mean = c["option_types"]
    mean = mean[mean["model"] == "mean"]
    parts = []
    for measure in ("right_share", "ece"):
        wide = mean.pivot(
            index=["judging", "reading", "group"], columns="setting", values=measure
        ).reset_index()
        n, d = wide["normal"], wide["distractor"]
        short = "right" if measure == "right_share" else "ece"
        values = {f"N_{measure}": n, f"D_{measure}": d, f"{short}_change": d - n}
        if short == "ece":
            values["ece_relative"] = (d - n) / n
        for name, value in values.items():
            part = wide[["judging", "reading", "group"]].assign(measure=name, value=value)
            if short == "right":
                part = part.drop_duplicates(["judging", "group"]).assign(reading="")
            parts.append(part)
    value = pd.concat(parts).set_index(["judging", "measure", "reading", "group"])["value"]
    place = [found["judging"], found["measure"], found["reading"].fillna("")]
    first, second = (
        value.reindex(pd.MultiIndex.from_arrays([*place, found[side]])).to_numpy()
        for side in ("first", "second")
    )
    wanted = found.assign(difference=first - second, model="mean")
    key = ["judging", "first", "second", "measure", "reading"]
    return same(found, wanted, key, ["difference", "model"], 1e-9)


@again("option_distraction", "option_results")
def _distraction(c):
    """Correlations over models and their intervals follow from the answers."""
    from ..choices import tables

    return tables.distraction(_answers(c)[1], c.options["level"])


@again("judge_agreement", "option_results", may=("option_annotations",))
def _agreement(c):
    """Agreement of judges and its intervals follow from the verdicts."""
    from ..choices import agreement

    people = c["option_annotations"] if "option_annotations" in c.tables else None
    return agreement.agreement(_answers(c)[0], people, *c.drawn.values())


@again("judge_verdicts", "option_results")
def _verdicts(c):
    """Verdicts side by side follow from the answers."""
    from ..choices import agreement

    return agreement.confusion(_answers(c)[0])
