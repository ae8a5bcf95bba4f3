"""What rests on where buzzes stand: the release's positions beside those that the model outputs give.

The two sources disagree, and which of them has the words heard is an open question. So every quantity is computed
under both, and for the same buzzes at both places.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..buzz_policy import opponent_curve
from ..core import store
from ..core.mark_sources import first_judge
from ..human import cumulative, curves, incidence
from ..scores import metrics, score
from ..scores.tables import primary_rows
from ..stats import resample
from ..stats.bootstrap import Bootstrap
from .filters import PAPER_JUDGES
from .multiverse import HumanCurveVariants, rank_readings, scores_under_variants
from .rounding import Runs

SHARES = (0.25, 0.5, 0.75, 1.0)
KEY = ["quantity", "group", "at"]
_BUZZ = ["question_id", "team", "correct"]
PositionRow = tuple[str, str, float, float]
"""quantity, group, at, value"""


def moved_buzzes(buzzes: pd.DataFrame, output_buzzes: pd.DataFrame) -> pd.DataFrame:
    """``buzzes`` with the word_index of the one buzz in ``output_buzzes`` with the same question, team and outcome. Where there
    is none, or several, they keep their own."""
    elsewhere = output_buzzes.drop_duplicates(_BUZZ, keep=False)[[*_BUZZ, "word_index"]]
    matched = buzzes[_BUZZ].merge(elsewhere, on=_BUZZ, how="left", validate="many_to_one")
    word = matched["word_index"].set_axis(buzzes.index)
    return buzzes.assign(word_index=word.fillna(buzzes["word_index"]).astype(int))


def _human_rows(
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    teams: pd.DataFrame,
) -> Iterator[PositionRow]:
    """Yields mean h, right buzzes of Figure 4, the observed share of opponents (pi), expected wins of models,
    and cumulative incidence. ``at`` is a clue number, a share of the question, or 1."""
    curve = curves.human_curve(clues, buzzes, exposures)
    for name, h in curve.groupby("h_definition")["h"].mean().items():
        yield "mean_h", name, 1.0, h
    groups = cumulative.group_members(teams)
    drawn_groups = {key: groups[key] for key in groups if key[0] in ("all", "paper", "model")}
    counts = cumulative.cumulative_counts(clues, buzzes, exposures, drawn_groups.values())
    for (_, group), totals in zip(drawn_groups, counts, strict=True):
        right = totals.cumulative["correct"].sum(axis=0) / max(totals.heard.sum(), 1)
        for clue, value in enumerate(right, 1):
            yield "figure4", group, float(clue), value
    pi = opponent_curve.opponent_curve_observed(questions, buzzes, exposures)
    by_share = pi.set_index("revealed")["share"]
    for at in SHARES:
        yield "pi", "human", at, by_share[at]
    cubic = opponent_curve.opponent_curve_cubic(pi)
    for team in teams.loc[teams["kind"] == "model", "team"]:
        own = curves.first_buzz_rows(buzzes[buzzes["team"] == team])
        # Past the end π is that of the end, as in its own points; a cubic goes anywhere there.
        share = curves.share_heard(questions, own).clip(upper=1)
        wins = (cubic(share) * own["correct"]).sum() / (exposures["team"] == team).sum()
        yield "expected_wins", team, 1.0, wins
    opponents = incidence.pairings(questions, buzzes, exposures)
    humans = {("all", "human"): groups["all", "human"]}
    data = questions, clues, buzzes, exposures
    table = incidence.cumulative_incidence(*data, opponents, humans, Bootstrap(2, 0, 0.95))
    table = table[(table["estimator"] == "competing") & table["time"].round(9).isin(SHARES)]
    for row in table.itertuples():
        yield f"incidence_{row.cause}", "human", row.time, row.incidence


def _score_rows(responses: pd.DataFrame, curve: pd.DataFrame) -> Iterator[PositionRow]:
    """Yields (metric, model, 1, score) for metrics that rest on h; the name ends in the definition unless it has its own h."""
    (clues,) = score.clues_of(score.scored_rows(responses, curve))
    for tally in score.iter_tallies(clues):
        for name, sums in tally.sums.items():
            own_h = metrics.METRICS[name].curve is not None
            if metrics.METRICS[name].human and not (own_h and tally.definition == "release"):
                quantity = name if own_h else f"{name}_{tally.definition}"
                values = resample.estimate(sums)
                for model, value in zip(tally.series["model"], values, strict=True):
                    yield quantity, model, 1.0, value


def _reading_rows(runs: Runs, published: dict, humans: HumanCurveVariants) -> Iterator[PositionRow]:
    """Yields, by printed column, numbers of cells ``within`` rounding and of readings tried, and the mean deviation, of its best
    reading; nothing if that does not rest on h."""
    readings, _ = rank_readings(scores_under_variants(runs, humans), published)
    best = readings[(readings["rank"] == 1) & readings["h_source"].notna()]
    for row in best.itertuples():
        for name in ("within", "deviation_mean", "tried"):
            column = f"table {row.table} {row.metric}"
            yield f"reading_{name}", column, 1.0, float(getattr(row, name))


def positions(
    published: dict,
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    responses: pd.DataFrame,
    buzzes: pd.DataFrame,
    output_buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    teams: pd.DataFrame,
    primary_segmentation: str,
    reductions: list[str],
    human_buzzes: str,
) -> dict[str, pd.DataFrame]:
    """``{"positions": table}``: a row per quantity, group and place, with its value by released buzzes, moved
    ones (:func:`moved_buzzes`) and the outputs', None if missing. No rows if ``human_buzzes`` is outputs, as
    ``buzzes`` are then the outputs' own."""
    if human_buzzes == "outputs":
        return {"positions": store.empty("positions")}
    clues = clues[clues["segmentation"] == primary_segmentation]
    rows = primary_rows(responses, primary_segmentation, reductions, every_judge=True)
    rows = first_judge(rows[rows["model"].isin(published["models"])], PAPER_JUDGES)
    runs = Runs(guesses, judgements, questions)
    columns = {}
    sources = {
        "released": buzzes,
        "moved": moved_buzzes(buzzes, output_buzzes),
        "outputs": output_buzzes,
    }
    for name, source in sources.items():
        curve = curves.human_curve(clues, source, exposures)
        humans = HumanCurveVariants(runs, source, None, exposures)
        values = [
            *_human_rows(questions, clues, source, exposures, teams),
            *_score_rows(rows, curve),
            *_reading_rows(runs, published, humans),
        ]
        rows_of_source = pd.DataFrame(values, columns=[*KEY, name]).set_index(KEY)
        columns[name] = rows_of_source[name].astype(float)
    table = pd.DataFrame(columns).reset_index()
    return {"positions": store.frame(table.replace(np.nan, None), "positions")}
