"""Intervals behind the ledger: for each recomputed number that a claim compares, how sure it is.

An interval comes from the table that holds it; where no table has the number itself (single human teams, buzzes in the
first quarter, fifths of the clues), from its replicates. Each estimate of :mod:`.quantities` has one if its table is there.
"""

import numpy as np
import pandas as pd

from ..core.mark_sources import first_judge
from ..inference import comparisons
from ..scores import metrics, score
from ..stats import proportions
from ..stats.bootstrap import Bootstrap
from . import filters
from .estimates import Estimate, Quantity, Tables, flatten
from .ledger import interval_text

_BOTH = "questions and teams resampled"
_QUESTIONS = "questions resampled"
Texts = dict[tuple, str]
"""Place in a quantity (its name, then keys) → a value and its interval as text; functions ``_add_…`` put theirs in."""


def _add_precision(tables: Tables, texts: Texts) -> None:
    """Add to ``texts`` P(correct | buzz) of the pools and of each live model, overall and by category; models minus humans."""
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


def _add_buzzes(by_name: dict[str, Quantity], bootstrap: Bootstrap, texts: Texts) -> None:
    """Add to ``texts`` the mean share of the question heard at a buzz, of each group, and P(correct | buzz) of quartiles."""
    for group, estimate in _estimates(by_name, "buzz_revealed").items():
        text = _replicate_interval(estimate, bootstrap, _resampled(group))
        texts["buzz_revealed", group] = f"mean share heard {text}"
    for (*place, name), estimate in flatten(_estimates(by_name, "quartile_tally")):
        if name == "accuracy":
            text = _replicate_interval(estimate, bootstrap, _BOTH)
            texts["quartile_tally", *place] = f"P(correct | buzz) {text}"


def _resampled(group: str) -> str:
    """Words for what is resampled: teams too for groups that pool several (H, Q1 to Q4)."""
    return _BOTH if group in ("H", "Q1", "Q2", "Q3", "Q4") else _QUESTIONS


def _add_early_buzzes(
    by_name: dict[str, Quantity], tables: Tables, bootstrap: Bootstrap, texts: Texts
) -> None:
    """Add to ``texts`` early wrong buzzes of each group, per question heard and per match.

    Where there is none, no replicate has one: the bound is Wilson's for none of as many independent questions
    as :func:`calscore.stats.proportions.effective_sample_size` takes where no variance can be seen."""
    exposures = tables["exposures"]
    heard_by = dict(list(exposures.groupby(filters.group_of(exposures))))
    counts = _estimates(by_name, "early_counts")
    for (stretch, group), rate in flatten(_estimates(by_name, "early_wrong")):
        heard, method = heard_by[group], _resampled(group)
        matches = by_name["group_packets"].value[group]
        texts_of = [
            _replicate_interval(estimate, bootstrap, method, over)
            for estimate, over in ((rate, 1), (counts[stretch][group], matches))
        ]
        if not rate.value:
            worth = heard["question_id"].nunique()
            worth = min(worth, heard["team"].nunique()) if group == "H" else worth
            _, high = proportions.wilson(0, worth, bootstrap.level)
            method = f"Wilson's, none on the {worth} independent questions that {len(heard)} are worth"
            ends = high, high * len(heard) / matches
            texts_of = [interval_text(0.0, 0.0, end, method) for end in ends]
        texts["early_wrong", stretch, group] = f"per question heard {texts_of[0]}"
        texts["early_counts", stretch, group] = f"per match, {matches} of one packet each, {texts_of[1]}"


def _add_human_curves(by_name: dict[str, Quantity], bootstrap: Bootstrap, texts: Texts) -> None:
    """Add to ``texts`` the ends of curves that no table has: of each human team, and by tenths of the question."""
    for outcome, totals in _estimates(by_name, "buzz_counts").items():
        curves = by_name["curves"].estimates
        for group, points in curves["per-share"][outcome].items():
            if isinstance(points[-1], Estimate) and points[-1].value is not None:
                text = _replicate_interval(points[-1], bootstrap, _resampled(group))
                texts["curves", "per-share", outcome, group] = f"at the end {text}"
        packets = by_name["group_packets"].value
        for team in by_name["human_teams"].value if "human_teams" in by_name else ():
            final = curves["per-question"][outcome][team][-1]
            text = f"at the last clue {_replicate_interval(final, bootstrap, _QUESTIONS)}"
            texts["curves", "per-question", outcome, team] = text
            point = _replicate_interval(totals[team][-1], bootstrap, _QUESTIONS, packets[team])
            texts["buzz_counts", outcome, team] = (
                f"per match at the last clue, {packets[team]} of one packet each, {point}"
            )


def _estimates(by_name: dict[str, Quantity], name: str) -> dict:
    """The estimates of a quantity as nested dicts; {} where the study lacks it."""
    return by_name[name].estimates if name in by_name else {}


def _replicate_interval(estimate: Estimate, bootstrap: Bootstrap, method: str, over: float = 1) -> str:
    """:func:`.ledger.interval_text` of a number and its percentile interval, both divided by ``over``."""
    ends = bootstrap.finite_percentile(estimate.replicates)
    return interval_text(*(end / over for end in (estimate.value, *ends)), method)


def _add_curves(table: pd.DataFrame, texts: Texts) -> None:
    """Add to ``texts`` the end of each curve of figure 4: per question, with its highest clue if higher, and
    per match."""
    table = table[table["rule"].isin(["paper", "model", "all"])]
    for (_, group, outcome), curve in table.groupby(["rule", "group", "outcome"], sort=False):
        name = "H" if group == "human" else group
        highest, final = curve.loc[curve["per_question"].idxmax()], curve.iloc[-1]
        text = f"at the last clue {_curve_point(final, 'per_question')}"
        if highest["per_question"] > final["per_question"]:
            text += f", highest at clue {highest['clue']} {_curve_point(highest, 'per_question')}"
        texts["curves", "per-question", outcome, name] = text
        texts["buzz_counts", outcome, name] = (
            f"per match at the last clue, {final['matches']} of one packet each,"
            f" {_curve_point(final, 'per_match')}"
        )


def _curve_point(row: pd.Series, column: str) -> str:
    """:func:`.ledger.interval_text` of a point of a curve; per question with two-way bounds where it has them."""
    ends, method = "", _QUESTIONS
    if column == "per_question" and pd.notna(row["per_question_two_way_low"]):
        ends, method = "_two_way", _BOTH
    return interval_text(row[column], row[f"{column}{ends}_low"], row[f"{column}{ends}_high"], method)


def _add_scores(tables: Tables, segmentation: str, texts: Texts) -> None:
    """Add to ``texts`` scores of each model and metric: the interval over questions (of ECE none) and, where
    there is one, that over questions and teams."""
    for definition, name in (("paper", "scores"), ("release", "release_scores")):
        frame = tables["model_scores"]
        rows, _ = filters.paper_rows(frame[frame["definition"] == definition], segmentation)
        for row in rows.itertuples():
            text = interval_text(row.value, row.low, row.high, _QUESTIONS)
            if not metrics.has_interval(row.metric):
                text = f"{row.value:.3f} (biased upward, no interval)"
            if pd.notna(row.two_way_low):
                text += f", [{row.two_way_low:.3f}, {row.two_way_high:.3f}] ({_BOTH})"
            texts[name, row.elicitation, row.model, row.metric] = text


def _add_rank_shares(tables: Tables, segmentation: str, bootstrap: Bootstrap, texts: Texts) -> None:
    """Add to ``texts`` the share of replicates in which each model of the paper has each rank, of shares of 0.005 or more."""
    answers, _ = filters.paper_rows(tables["responses"], segmentation)
    (clues,) = score.clues_of(score.scored_rows(answers, tables["human_curve"]))
    tally = next(t for t in score.iter_tallies(clues) if t.definition == "paper")
    weights = bootstrap.question_weights(len(tally.questions))
    rows = pd.concat(comparisons.rank_frequencies(tally, weights, {}))
    for key, ranks in rows.groupby(["elicitation", "model", "metric"]):
        ranks = ranks[ranks["share"] >= 0.005]
        shares = ", ".join(f"rank {r.rank}: {r.share:.2f}" for r in ranks.itertuples())
        texts["score_ranks", *key] = f"share of replicates with {shares}"


def _add_categories(tables: Tables, texts: Texts) -> None:
    """Add to ``texts`` MCE and CalScore (paper) of each model by merged category, with intervals over questions."""
    table = first_judge(tables["table5"], filters.PAPER_JUDGES)
    table = table[(table["level"] == "merged") & (table["definition"] == "paper")]
    for row in table.itertuples():
        for metric in ("calscore", "mce"):
            ends = (getattr(row, f"{metric}{end}") for end in ("", "_low", "_high"))
            key = ("category_scores", row.elicitation, row.model, row.category, metric)
            texts[key] = interval_text(*ends, _QUESTIONS)


def _add_hardness(tables: Tables, segmentation: str, bootstrap: Bootstrap, texts: Texts) -> None:
    """Add to ``texts`` each question's rank (0–1) by mean CalScore, with models resampled; nothing for a single model."""
    frame = tables["question_scores"]
    frame = frame[frame["definition"] == "paper"]
    models = frame["model"].nunique()
    if models < 2:
        return
    rows, _ = filters.paper_rows(frame, segmentation)
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


def _add_accuracy(name: str, groups: dict[str, pd.DataFrame], level: float, texts: Texts) -> None:
    """Add to ``texts``, for quantity ``name``, the share right of each group's answers at clue ⌈p·T⌉ with Wilson's interval;
    answers of players are clustered by player and question."""
    for group, answers in groups.items():
        for percent, rows in filters.answers_at_percents(answers):
            if rows.empty:
                continue
            right, n = rows["correct"].astype(float), len(rows)
            if "player" in rows:
                clusters = [rows["player"], rows["question_id"]]
                worth, low, high = proportions.clustered_wilson(right, clusters, level)
                method = f"Wilson's on the {worth:.0f} independent answers that {n} are worth"
            else:
                low, high = proportions.wilson(right.sum(), n, level)
                method = f"Wilson's, {n} questions"
            text = interval_text(right.mean(), low, high, method)
            texts[name, group, percent] = f"at {percent} % of the clues {text}"


def _add_buzz_given(
    by_name: dict[str, Quantity], name: str, units: dict[str, int], bootstrap: Bootstrap, texts: Texts
) -> None:
    """Add to ``texts``, for quantity ``name``, P(b | g) of each group in each fifth of the clues, and the mean over the fifths.

    ``units``: group → how many answered. Several units (players) are resampled. Of a single one a fifth has Wilson's interval,
    which takes answers as independent, and the mean over the fifths resamples its questions. If all units are alike, resampling
    shows no variance: the interval is then Wilson's with each unit as one answer.
    """
    unit = "player" if name == "human_buzz" else "question"
    for (group, outcome), fifths in flatten(_estimates(by_name, name)):
        parts = [
            f"fifth {number} {_unit_interval(fifth, int(fifth.size), unit, bootstrap, units[group])}"
            for number, fifth in enumerate(fifths, 1)
            if fifth.size
        ]
        # a replicate without such answers in some fifth has no mean
        draws = np.mean([fifth.replicates for fifth in fifths], axis=0)
        if np.isfinite(draws).any():
            value = np.mean([fifth.value for fifth in fifths])
            mean = fifths[0]._replace(value=value, replicates=draws)
            text = _unit_interval(mean, units[group], unit, bootstrap)
            parts.insert(0, f"mean of the fifths {text}")
        if parts:
            texts[name, group, outcome] = "P(b | g) " + ", ".join(parts)


def _unit_interval(estimate: Estimate, size: int, unit: str, bootstrap: Bootstrap, units: int = 0) -> str:
    """:func:`.ledger.interval_text` of a mean of ``size`` units, which are resampled.

    Wilson's, of ``size`` answers, if ``units`` is 1; Wilson's, of ``size`` units, if replicates do not vary.
    """
    low, high = bootstrap.finite_percentile(estimate.replicates)
    method = f"{size} {unit}s resampled" if size > 1 else _QUESTIONS
    if units == 1 or not low < high:
        counted = "answers" if units == 1 else f"{unit}s all alike"
        method = f"Wilson's, {size} {counted}"
        low, high = proportions.wilson(estimate.value * size, size, bootstrap.level)
    return interval_text(estimate.value, low, high, method)


def intervals(by_name: dict[str, Quantity], tables: Tables, segmentation: str, bootstrap: Bootstrap) -> Texts:
    """Place in a quantity → its value and interval as text, for parts of estimates with answers or buzzes.

    ``by_name``: the quantities with their replicates; ``tables``: those of the ledger, with precision,
    cumulative_buzzes and table5 where the study has them. A place is the quantity's name and the keys that
    lead to a part; a list of numbers (a curve, the fifths of the clues) has one text, at its own place."""
    texts: dict[tuple, str] = {}
    # A study may have guesses of none of the paper's models.
    have = {name for name, table in tables.items() if len(table)}
    if "precision" in have:
        _add_precision(tables, texts)
    _add_buzzes(by_name, bootstrap, texts)
    if "exposures" in have:
        _add_early_buzzes(by_name, tables, bootstrap, texts)
    _add_human_curves(by_name, bootstrap, texts)
    if "cumulative_buzzes" in have:
        _add_curves(tables["cumulative_buzzes"], texts)
    if "model_scores" in have:
        _add_scores(tables, segmentation, texts)
    if {"responses", "human_curve"} <= have:
        _add_rank_shares(tables, segmentation, bootstrap, texts)
    if "table5" in have:
        _add_categories(tables, texts)
    if "question_scores" in have:
        _add_hardness(tables, segmentation, bootstrap, texts)
    if "responses" in have:
        answers, _ = filters.logit_answers(tables["responses"], segmentation)
        _add_accuracy("accuracy", dict(list(answers.groupby("model"))), bootstrap.level, texts)
        _add_buzz_given(by_name, "model_buzz", dict.fromkeys(answers["model"], 1), bootstrap, texts)
    if {"survey_responses", "players"} <= have:
        groups = filters.players_in_quartiles(tables["survey_responses"], tables["players"])
        _add_accuracy("human_accuracy", groups, bootstrap.level, texts)
        halves = tables["players"].groupby("half")["player"].nunique()
        _add_buzz_given(by_name, "human_buzz", halves.to_dict(), bootstrap, texts)
    return texts
