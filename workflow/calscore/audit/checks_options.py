"""Checks of a study of answer options: every table once more from the answers."""

from __future__ import annotations

import pandas as pd

from .checks import again, by

GIVEN = ("option_questions", "option_results")
WORDS = ("model", "judging", "setting")
# The record lists models by key, tables in the order of the configuration.
PAIR = ("judging", "model")
CHANCE = ("ece_low", "ece_high", "ece_calibrated", "ece_calibrated_high", "p_calibrated")
"""What would take as long as the table itself: errors of many small groups, resampled."""


def _answers(c, drawn: bool):
    """Answers, and sums over them in as many resamples of questions as the study has, or in two."""

    def as_drawn(c):
        return of(c, c.drawn)

    def twice(c):
        return of(c, c.resampling)

    def of(c, options):
        from ..options_study import tables

        rows = c["option_results"].drop(columns="predicted_answer")
        # Words as codes are grouped by in a fraction of the time.
        rows = rows.astype(dict.fromkeys(WORDS, "category"))
        return rows, tables.Resamples(rows, options["replicates"], options["seed"])

    return c.again("answers", GIVEN, as_drawn if drawn else twice)


@again("option_scores", "option_results", of=by(*PAIR, "reading"))
def _scores(c):
    """Shares, errors, changes and their intervals follow from the answers."""
    from ..options_study import tables

    return tables.scores(*_answers(c, True), c.names, c.options["level"])


@again("option_readings", "option_results", of=by(*PAIR, "setting", "labels", "edges"))
def _readings(c):
    """Errors under each reading follow from the answers."""
    from ..options_study import tables

    return tables.readings(_answers(c, True)[0], c.names)


def _groups(table, column, drawn):
    @again(table, *GIVEN, skip=() if drawn else CHANCE, of=by(*PAIR, "setting", "reading", "group"))
    def by_group(c):
        """Shares and errors by group of questions follow from the answers."""
        from ..options_study import tables

        rows, sums = _answers(c, drawn)
        replicates, seed, level = (c.drawn if drawn else c.resampling).values()
        given = rows, c["option_questions"], column, sums, c.names
        return tables.by_group(*given, replicates, seed, level)


for _table, _column, _drawn in (
    ("option_types", "answer_type", False),
    ("option_topics", "topic", False),
    ("option_overall", "all", True),
):
    _groups(_table, _column, _drawn)


@again("option_reliability", "option_results", of=by(*PAIR, "setting", "reading", "bin"))
def _reliability(c):
    """Bins follow from the answers."""
    from ..options_study import tables

    return tables.reliability(_answers(c, True)[0], c.names, c.options["level"])


@again("option_transitions", "option_results", of=by(*PAIR, "before", "after"))
def _transitions(c):
    """Verdicts before and after follow from the answers."""
    from ..options_study import tables

    return tables.transitions(_answers(c, True)[0], c.names, c.options["level"])


@again("option_comparisons", "option_results", of=by(*PAIR))
def _comparisons(c):
    """Tests, changes and their intervals follow from the answers."""
    from ..options_study import tables

    return tables.comparisons(*_answers(c, True), c.names, c.options["level"])


@again("option_distraction", "option_results")
def _distraction(c):
    """Correlations over models and their intervals follow from the answers."""
    from ..options_study import tables

    return tables.distraction(*_answers(c, True), c.options["level"])


@again("judge_agreement", "option_results", may=("option_annotations",))
def _agreement(c):
    """Agreement of judges and its intervals follow from the verdicts."""
    from ..options_study import agreement

    people = c["option_annotations"] if "option_annotations" in c.tables else None
    return agreement.agreement(_answers(c, True)[0], people, *c.drawn.values())


@again("judge_verdicts", "option_results")
def _verdicts(c):
    """Verdicts side by side follow from the answers."""
    from ..options_study import agreement

    return agreement.confusion(_answers(c, True)[0])


@again(
    "claims",
    "option_questions",
    "option_scores",
    "option_types",
    may=("judge_agreement",),
    rule="check_option_claims",
)
def _claims(c):
    """Statements, values and verdicts follow from the published numbers and the tables."""
    import yaml

    from ..options_study import ledger

    ran = c.ran("check_option_claims")
    text = ran.input["published"][0].read_text(encoding="utf-8")
    published = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    agreement = c["judge_agreement"] if ran.input.get("agreement") else None
    found, partial = ledger.quantities(
        c["option_questions"],
        c["option_scores"],
        c["option_types"],
        agreement,
        published["facts"]["shared_judge"],
    )
    return pd.DataFrame(ledger.evaluate(published, found, partial, ran.params["simulated"]))
