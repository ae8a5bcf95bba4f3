"""Intervals behind the ledger: for each recomputed number that a claim compares, how sure it is.

An interval comes from the table that holds it; where no table has the number itself (single human
teams, buzzes in the first quarter, fifths of the clues), it is made here as its table makes its own.
Every part of every estimate of :mod:`.quantities` has one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..clues import segment
from ..core.mark_sources import first_judge
from ..human import cumulative
from ..inference import comparisons
from ..scores import metrics, score
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from .filters import (
    FIFTHS,
    PAPER_JUDGES,
    at_percents,
    first_quarter,
    group_of,
    guesses_before_first_buzz,
    logit_answers,
    paper_rows,
    players_in_halves,
    players_in_quartiles,
    primary,
)
from .ledger import interval_text

_BOTH = "questions and teams resampled"
_QUESTIONS = "questions resampled"


def _precision(tables, texts):
    """P(correct | buzz) of the pools and of each live model, overall and by category."""
    names = {"human": "H", "model": "M"}
    for row in tables["precision"].itertuples():
        method = _BOTH if row.kind == "human" else _QUESTIONS
        method = "Wilson's" if (row.kind, row.category) == ("model", "all") else method
        text = f"P(correct | buzz) {interval_text(row.value, row.low, row.high, method)}"
        if row.kind == "model" and pd.notna(row.difference):
            ends = row.difference, row.difference_low, row.difference_high
            text += f", minus humans {interval_text(*ends, _BOTH)}"
        group = names.get(row.group, row.group)
        key = ("tally", group) if row.category == "all" else ("by_category", group, row.category)
        texts[key] = text


class _TwoWay:
    """Ratios of sums over questions × teams with their bounds, all from the same draws.

    Questions are resampled, for the human pool questions and teams (:func:`.resample.two_way_weights`).
    """

    def __init__(self, question_ids, bootstrap: Bootstrap):
        self.ids, self.bootstrap = pd.Index(question_ids), bootstrap

    def cells(self, rows, teams, weights=None):
        return resample.crossed_cells(rows, self.ids, teams, weights)

    def ratio(self, top, bottom, pool: bool):
        """Σ top / Σ bottom with its bounds and what was resampled; cells (Q, T), or a plain number
        for a ``bottom`` that no draw changes."""
        fixed = np.ndim(bottom) == 0
        value = top.sum() / np.sum(bottom)
        w, v = self.bootstrap.two_way_weights(*top.shape)
        # what is fixed does not go with the teams that are drawn
        v = v if pool and not fixed else None
        over = resample.two_way_replicates(top, w, v)
        under = np.full(len(over), bottom) if fixed else resample.two_way_replicates(bottom, w, v)
        draws = over[under > 0] / under[under > 0]
        low, high = self.bootstrap.percentile(draws)
        return value, low, high, _QUESTIONS if v is None else _BOTH


def _positions(tables, crossed, texts):
    """Mean share of the question heard at a buzz, of each group."""
    words = tables["questions"].set_index("question_id")["n_words"]
    buzzes = tables["buzzes"]
    share = (buzzes["word_index"] + 1) / buzzes["question_id"].map(words)
    for group, indices in buzzes.groupby(group_of(buzzes)).indices.items():
        rows, shares = buzzes.iloc[indices], share.iloc[indices]
        teams = pd.Index(sorted(rows["team"].unique()))
        top, bottom = crossed.cells(rows, teams, shares.to_numpy()), crossed.cells(rows, teams)
        _, *bounds = crossed.ratio(top, bottom, group == "H")
        texts["buzz_revealed", group] = f"mean share heard {interval_text(shares.mean(), *bounds)}"


def _early_buzzes(tables, segmentation, crossed, texts):
    """Wrong buzzes in the first quarter of the clues, per question heard and per match.

    Per match as in table cumulative_buzzes: questions resampled, matches (distinct team × packet) as
    they are. Where there is none, no replicate has one: the bound is Wilson's for none of as many
    independent questions as :func:`calscore.stats.proportions.effective_sample_size` takes where no variance can be seen.
    """
    buzzes, exposures = tables["buzzes"], tables["exposures"]
    clues, _ = primary(tables["clues"], segmentation)
    wrong = buzzes[~buzzes["correct"]]
    wrong = wrong.assign(clue=segment.assign(clues, wrong))
    early = first_quarter(wrong, clues.groupby("question_id")["clue"].max())
    for group, heard in exposures.groupby(group_of(exposures)):
        teams = pd.Index(sorted(heard["team"].unique()))
        matches = len(heard[["team", "packet"]].drop_duplicates())
        top = crossed.cells(early[early["team"].isin(teams)], teams)
        rate = crossed.ratio(top, crossed.cells(heard, teams), group == "H")
        count = crossed.ratio(top, float(matches), group == "H")
        if not top.any():
            worth = min(
                heard[["question_id", "team"] if group == "H" else ["question_id"]].nunique()
            )
            high = proportions.wilson([0], [worth], crossed.bootstrap.level)[1][0]
            method = (
                f"Wilson's, none on the {worth} independent questions that {len(heard)} are worth"
            )
            rate, count = (0.0, 0.0, high, method), (0.0, 0.0, high * len(heard) / matches, method)
        texts["early_wrong", group] = f"per question heard {interval_text(*rate)}"
        texts["early_counts", group] = (
            f"per match, {matches} of one packet each, {interval_text(*count)}"
        )


def _human_teams(tables, segmentation, bootstrap: Bootstrap):
    """Rows of table cumulative_buzzes for each human team by itself, made in the same way."""
    clues, _ = primary(tables["clues"], segmentation)
    humans = tables["teams"].loc[tables["teams"]["kind"] == "human", "team"]
    return cumulative.cumulative_buzzes(
        clues,
        tables["buzzes"],
        tables["exposures"],
        tables["teams"],
        bootstrap,
        groups={("team", team): [team] for team in humans},
    )


def _curves(table, texts):
    """The end of each curve of figure 4, and its highest clue where that is another one."""
    table = table[table["rule"].isin(["paper", "team", "model", "all"])]
    for (_, group, outcome), curve in table.groupby(["rule", "group", "outcome"], sort=False):
        name = "H" if group == "human" else group
        highest, final = curve.loc[curve["per_question"].idxmax()], curve.iloc[-1]
        text = f"at the last clue {_on_curve(final, 'per_question')}"
        if highest["per_question"] > final["per_question"]:
            text += f", highest at clue {highest['clue']} {_on_curve(highest, 'per_question')}"
        texts["curves", "per-question", outcome, name] = text
        texts["buzz_counts", outcome, name] = (
            f"per match at the last clue, {final['matches']} of one packet each,"
            f" {_on_curve(final, 'per_match')}"
        )


def of_draws(quantities: dict, drawn: dict, level: float) -> dict[tuple, str]:
    """Intervals of the accuracy of quartiles, which no table holds, from resampled studies."""
    cited: dict[tuple, str] = {}
    for reading, groups in drawn.get("quartile_tally", {}).items():
        for group, draws in groups.items():
            value = quantities["quartile_tally"].value[reading][group]["accuracy"]
            ends = resample.finite_percentile_interval(draws["accuracy"], level)
            text = f"P(correct | buzz) {interval_text(value, *ends, _BOTH)}"
            cited["quartile_tally", reading, group] = text
    return cited


def _on_curve(row, column: str) -> str:
    """A point of a curve with its bounds, the wider kind where there are two."""
    ends, method = "", _QUESTIONS
    if column == "per_question" and pd.notna(row["per_question_two_way_low"]):
        ends, method = "_two_way", _BOTH
    return interval_text(
        row[column], row[f"{column}{ends}_low"], row[f"{column}{ends}_high"], method
    )


def _scores(tables, segmentation, texts):
    """Scores with both kinds of interval, and how often each rank is the one that was found."""
    for definition, name in (("paper", "scores"), ("release", "release_scores")):
        frame = tables["model_scores"]
        rows, _ = paper_rows(frame[frame["definition"] == definition], segmentation)
        for row in rows.itertuples():
            text = interval_text(row.value, row.low, row.high, _QUESTIONS)
            if not metrics.has_interval(row.metric):
                text = f"{row.value:.3f} (biased upward; no interval)"
            if pd.notna(row.two_way_low):
                text += f", [{row.two_way_low:.3f}, {row.two_way_high:.3f}] ({_BOTH})"
            texts[name, row.elicitation, row.model, row.metric] = text


def _rank_shares(tables, segmentation, bootstrap: Bootstrap, texts):
    """How often each model has each rank among those of the ledger, which a user's own model is not one of."""
    answers, _ = paper_rows(tables["responses"], segmentation)
    (clues,) = score.clues_of(score.scored_rows(answers, tables["human_curve"]))
    tally = next(t for _, t in score.iter_question_sums(clues) if t.definition == "paper")
    weights = bootstrap.question_weights(len(tally.questions))
    rows = pd.DataFrame(comparisons.rank_frequencies(tally, weights, {}))
    for key, ranks in rows.groupby(["elicitation", "model", "metric"]):
        ranks = ranks[ranks["share"] >= 0.005]
        shares = ", ".join(f"rank {r.rank}: {r.share:.2f}" for r in ranks.itertuples())
        texts["score_ranks", *key] = f"share of replicates with {shares}"


def _categories(tables, texts):
    table = first_judge(tables["table5"], PAPER_JUDGES)
    table = table[(table["level"] == "merged") & (table["definition"] == "paper")]
    for row in table.itertuples():
        for metric in ("calscore", "mce"):
            ends = (getattr(row, f"{metric}{end}") for end in ("", "_low", "_high"))
            key = ("category_scores", row.elicitation, row.model, row.category, metric)
            texts[key] = interval_text(*ends, _QUESTIONS)


def _hardness(tables, segmentation, bootstrap: Bootstrap, texts):
    """Place of each question among all by mean CalScore: models resampled, questions as they are."""
    frame = tables["question_scores"]
    frame = frame[frame["definition"] == "paper"]
    models = frame["model"].nunique()
    if models < 2:
        return
    rows, _ = paper_rows(frame, segmentation)
    scores = rows.groupby(["question_id", "model"])["calscore"].agg(["sum", "size"])
    top, bottom = (scores[column].unstack(fill_value=0).to_numpy().T for column in scores)
    weights = bootstrap.question_weights(models)
    draws = pd.DataFrame((weights @ top) / np.where(weights @ bottom > 0, weights @ bottom, np.nan))
    draws = draws.rank(axis=1, pct=True).to_numpy()
    places = rows.groupby("question_id")["calscore"].mean().rank(pct=True)
    for number, (key, place) in enumerate(places.items()):
        # a replicate can lack every model that was asked a question
        ends = bootstrap.finite_percentile(draws[:, number])
        text = interval_text(place, *ends, f"{models} models resampled")
        texts["hardness", number, "share"] = f"place of {key} {text}"


def _accuracy(answers, level, texts):
    """Share right of models at clue ⌈p·T⌉, one answer a question."""
    for percent, answers_at in at_percents(answers):
        for model, own_answers in answers_at.groupby("model"):
            low, high = proportions.wilson(
                [own_answers["correct"].sum()], [len(own_answers)], level
            )
            method = f"Wilson's, {len(own_answers)} questions"
            text = interval_text(own_answers["correct"].mean(), low[0], high[0], method)
            texts["accuracy", model, percent] = f"at {percent} % of the clues {text}"


def _players(tables, level, texts):
    """Share right of players at clue ⌈p·T⌉, clustered by player and question as survey_accuracy."""
    groups = players_in_quartiles(tables["survey_responses"], tables["players"])
    for group, answers in groups.items():
        for percent, own_answers in at_percents(answers):
            if own_answers.empty:
                continue
            right = own_answers["correct"].astype(float)
            clusters = [own_answers["player"], own_answers["question_id"]]
            worth, low, high = proportions.clustered_wilson(right, clusters, level)
            method = (
                f"Wilson's on the {worth:.0f} independent answers that {len(own_answers)} are worth"
            )
            text = interval_text(right.mean(), low, high, method)
            texts["human_accuracy", group, percent] = f"at {percent} % of the clues {text}"


def _resampled(draws, value: float, size: int, unit: str, bootstrap: Bootstrap):
    """Bounds of a mean over ``size`` units from its draws, and how they were had.

    Units that are all alike say nothing of how units vary: Wilson's, as of so many answers.
    """
    low, high = bootstrap.percentile(draws)
    if low < high:
        return low, high, f"{size} {unit}s resampled"
    low, high = (ends[0] for ends in proportions.wilson([value * size], [size], bootstrap.level))
    return low, high, f"Wilson's, {size} {unit}s all alike"


def _buzz_given(name, frame, unit, key, bootstrap: Bootstrap, cited):
    """P(b | g) of one group in each fifth of the clues, and their mean.

    A fifth as in tables buzz_given and survey_buzz_given: units (players) resampled, of a single one
    Wilson's, which takes answers as independent. The mean over the fifths resamples units, of a
    single one its questions, as no proportion stands behind it.
    """
    before_buzz = guesses_before_first_buzz(frame, unit)
    alone = before_buzz[unit].nunique() == 1
    cluster = "question_id" if alone else unit
    for outcome, rows in before_buzz.groupby("given"):
        sums = rows.groupby([cluster, "fifth"])["buzz"].agg(["sum", "size"])
        top, bottom = (
            sums[column].unstack(fill_value=0).reindex(columns=range(1, FIFTHS + 1), fill_value=0)
            for column in ("sum", "size")
        )
        if not alone:
            # each player counts once in a fifth, whatever it answered
            top, bottom = (top / bottom).fillna(0.0), (bottom > 0).astype(float)
        top, bottom = top.to_numpy(dtype=float), bottom.to_numpy(dtype=float)
        texts = []
        for fifth in range(FIFTHS):
            has = bottom[:, fifth] > 0
            size = int(bottom[:, fifth].sum())
            if not size:
                continue
            value = top[:, fifth].sum() / size
            if alone or size == 1:
                fifth_buzzes = rows[rows["fifth"] == fifth + 1]["buzz"]
                low, high = (
                    e[0]
                    for e in proportions.wilson(
                        [fifth_buzzes.sum()], [len(fifth_buzzes)], bootstrap.level
                    )
                )
                method = f"Wilson's, {len(fifth_buzzes)} answers"
            else:
                weights = bootstrap.question_weights(size)
                draws = weights @ top[has, fifth] / size
                low, high, method = _resampled(draws, value, size, unit, bootstrap)
            texts.append(f"fifth {fifth + 1} {interval_text(value, low, high, method)}")
        weights = bootstrap.question_weights(len(top))
        draws = resample.ratio_draws(weights, top, bottom).mean(axis=1)
        draws = draws[np.isfinite(draws)]
        # none is left where some fifth has no such answers
        if len(draws):
            value = (top.sum(axis=0) / bottom.sum(axis=0)).mean()
            units = "question" if alone else unit
            low, high, method = _resampled(draws, value, len(top), units, bootstrap)
            texts.insert(0, f"mean of the fifths {interval_text(value, low, high, method)}")
        cited[name, key, outcome] = "P(b | g) " + ", ".join(texts)


def intervals(tables: dict, segmentation: str, bootstrap: Bootstrap) -> dict[tuple, str]:
    """Place of a quantity → its value and interval as text.

    ``tables``: those of the ledger, with precision, cumulative_buzzes and table5
    where the study has them. A place is the quantity's name and the keys that lead to a part; of a
    part that is a list (a curve, the fifths of the clues) the key of the list.
    """
    texts: dict[tuple, str] = {}
    # A study may have guesses of none of the paper's models.
    have = {name for name, table in tables.items() if len(table)}
    if "precision" in have:
        _precision(tables, texts)
    if {"buzzes", "exposures", "clues", "questions"} <= have:
        crossed = _TwoWay(tables["questions"]["question_id"], bootstrap)
        _positions(tables, crossed, texts)
        _early_buzzes(tables, segmentation, crossed, texts)
    if {"cumulative_buzzes", "teams", "clues"} <= have:
        _curves(tables["cumulative_buzzes"], texts)
        if (tables["teams"]["kind"] == "human").any():
            _curves(_human_teams(tables, segmentation, bootstrap), texts)
    if "model_scores" in have:
        _scores(tables, segmentation, texts)
    if {"responses", "human_curve"} <= have:
        _rank_shares(tables, segmentation, bootstrap, texts)
    if "table5" in have:
        _categories(tables, texts)
    if "question_scores" in have:
        _hardness(tables, segmentation, bootstrap, texts)
    if "responses" in have:
        answers, _ = logit_answers(tables["responses"], segmentation)
        _accuracy(answers, bootstrap.level, texts)
        for model, rows in answers[answers["buzz"].notna()].groupby("model"):
            _buzz_given("model_buzz", rows, "model", model, bootstrap, texts)
    if {"survey_responses", "players"} <= have:
        _players(tables, bootstrap.level, texts)
        halves = players_in_halves(tables["survey_responses"], tables["players"])
        for half, rows in halves.items():
            _buzz_given("human_buzz", rows, "player", half, bootstrap, texts)
    return texts
