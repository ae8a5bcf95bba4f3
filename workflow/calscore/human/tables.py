"""Tables of live buzzes and of the survey, the numbers behind their figures among them."""

from pathlib import Path

import numpy as np
import pandas as pd

from ..clues import segment
from ..core import store
from ..stats import proportions, ranks, resample
from ..stats.bootstrap import Bootstrap
from . import cumulative, incidence, quartiles
from .curves import rank_teams, share_heard

CLUSTERS = {"human": ["question_id", "team"], "model": ["question_id"]}
"""What correlates the buzzes of a kind of team."""


def dataset(questions, clues, buzzes, exposures) -> dict[str, pd.DataFrame]:
    """``{"dataset": table}`` from tables: counts and lengths, a row per quantity (quantity, value, unit)."""
    rows = [
        ("questions", len(questions), "questions"),
        ("packets", questions["packet"].nunique(), "packets"),
        ("sentences", questions["n_sentences"].sum(), "sentences"),
        ("sentences per question", questions["n_sentences"].mean(), "sentences"),
        ("buzzes", len(buzzes), "buzzes"),
    ]
    for kind, rows_of_group in buzzes.groupby("kind"):
        rows.append((f"{kind} buzzes", len(rows_of_group), "buzzes"))
        rows.append((f"{kind} correct buzzes", rows_of_group["correct"].sum(), "buzzes"))
        rows.append((f"{kind} P(correct | buzz)", rows_of_group["correct"].mean(), "share"))
    for kind, rows_of_group in exposures.groupby("kind"):
        rows.append((f"{kind} teams", rows_of_group["team"].nunique(), "teams"))
    human = buzzes.loc[buzzes["kind"] == "human", "question_id"]
    rows.append(("questions without a human buzz", len(questions) - human.nunique(), "questions"))
    for name, unit in (("n_words", "words"), ("n_chars", "characters")):
        values = questions[name]
        rows += [
            (f"{unit} per question, mean", values.mean(), unit),
            (f"{unit} per question, smallest", values.min(), unit),
            (f"{unit} per question, largest", values.max(), unit),
            (f"questions with 575 to 650 {unit}", values.between(575, 650).mean(), "share"),
        ]
    for name, rows_of_group in clues.groupby("segmentation"):
        per = rows_of_group.groupby("question_id").size()
        words = rows_of_group.groupby("question_id")["end_word"].max()
        chars = rows_of_group.groupby("question_id")["end_char"].max()
        rows += [
            (f"clues per question, {name}", per.mean(), "clues"),
            (f"most clues of a question, {name}", per.max(), "clues"),
            (f"words per clue, {name}", words.sum() / per.sum(), "words"),
            (f"characters per clue, {name}", chars.sum() / per.sum(), "characters"),
        ]
    for name, count in questions["category"].value_counts().sort_index().items():
        rows.append((f"questions in {name}", count, "questions"))
    table = pd.DataFrame(rows, columns=["quantity", "value", "unit"]).astype({"value": float})
    return {"dataset": table}


def category_margins(questions, buzzes, names: dict[str, str], level: float) -> pd.DataFrame:
    """Table category_margins: right and wrong buzzes per category of each team and each kind of team.

    ``questions`` and ``buzzes`` are tables, ``names``: team → name shown. A row per level (merged, fine),
    category, and pool (``human``, ``model``) or team with a buzz. ``precision`` has Wilson's interval: on all
    buzzes of a team, on ``n_effective`` of a pool, as the buzzes on a question and those of a human team are
    correlated. ``ratio`` is nan without a wrong buzz.
    """
    rows = buzzes.merge(questions[["question_id", "category", "category_fine"]], on="question_id")
    parts = []
    for group_level, column in (("merged", "category"), ("fine", "category_fine")):
        for group, group_kind in (("kind", "pool"), ("team", "team")):
            grouped = rows.groupby([column, group])
            counts = grouped["correct"].agg(["sum", "size"]).reset_index()
            counts.columns = ["category", "group", "correct", "buzzes"]
            ends = proportions.wilson(counts["correct"], counts["buzzes"], level)
            bounds = [counts["buzzes"].astype(float), *ends]
            if group == "kind":
                clustered = [
                    proportions.clustered_wilson(
                        own["correct"], [own[name] for name in CLUSTERS[kind]], level
                    )
                    for (_, kind), own in grouped
                ]
                bounds = np.array(clustered).reshape(-1, 3).T
            counts["n_effective"], counts["low"], counts["high"] = bounds
            parts.append(counts.assign(level=group_level, group_kind=group_kind))
    table = pd.concat(parts, ignore_index=True)
    table["incorrect"] = table["buzzes"] - table["correct"]
    table["margin"] = table["correct"] - table["incorrect"]
    table["ratio"] = table["correct"] / table["incorrect"].where(table["incorrect"] > 0)
    table["precision"] = table["correct"] / table["buzzes"]
    table["name"] = table["group"].replace(names)
    keys = ["level", "category", "group_kind", "group"]
    return table[store.columns("category_margins")].sort_values(keys, ignore_index=True)


def team_summary(teams, buzzes, questions, names: dict[str, str], level: float) -> pd.DataFrame:
    """Table team_summary: ``teams``, in their order, with name, ``precision``, ``median_revealed`` and bounds.

    Wilson bounds of ``precision`` and of their ``score_rate`` (``rate_…``); order statistics of ``median_revealed``, the
    share heard at a buzz. nan with nothing to divide by or too few buzzes. ``names``: team → name shown, else its id.
    """
    table = teams.copy()
    table.insert(1, "name", table["team"].replace(names))
    table["precision"] = table["correct"] / table["buzzes"].where(table["buzzes"] > 0)
    table["precision_low"], table["precision_high"] = proportions.wilson(
        table["correct"], table["buzzes"], level
    )
    heard = table["questions_heard"].where(table["questions_heard"] > 0)
    table["rate_low"], table["rate_high"] = proportions.wilson(table["correct"], heard.fillna(0), level)
    of_team = share_heard(questions, buzzes).groupby(buzzes["team"])
    table["median_revealed"] = table["team"].map(of_team.median())
    ends = of_team.apply(lambda values: ranks.median_interval(values, level)).astype(object)
    for bound_index, end in enumerate(("low", "high")):
        table[f"median_revealed_{end}"] = table["team"].map(ends.str[bound_index])
    return table


def buzz_positions(questions, buzzes, names: dict[str, str], bootstrap: Bootstrap) -> pd.DataFrame:
    """Table buzz_positions: number of buzzes of all humans and of each model, right and wrong, by twentieth of the question.

    ``revealed``: end of the twentieth, the last for buzzes past the end. ``low`` and ``high`` resample
    questions, and teams where there are several.
    """
    # The bin (k−1)/20 < share ≤ k/20; the last word closes the last bin.
    share = share_heard(questions, buzzes)
    edge = np.clip(np.ceil((share * 20).round(9)), 1, 20).astype(int)
    group = buzzes["team"].where(buzzes["kind"] == "model", "human")
    ids = pd.Index(questions["question_id"])
    parts = []
    for name, indices in buzzes.groupby(group).indices.items():
        group_buzzes, bins = buzzes.iloc[indices], edge.to_numpy()[indices] - 1
        teams = pd.Index(sorted(group_buzzes["team"].unique()))
        w, v = bootstrap.two_way_weights(len(ids), len(teams))
        for outcome in (False, True):
            selected = (group_buzzes["correct"] == outcome).to_numpy()
            place = (
                ids.get_indexer(group_buzzes["question_id"][selected]),
                teams.get_indexer(group_buzzes["team"][selected]),
            )
            drawn = resample.binned_draws(place, bins[selected], 20, w, v)
            low, high = bootstrap.percentile(drawn, axis=0)
            columns = {
                "group": name,
                "name": names.get(name, name),
                "correct": outcome,
                "revealed": np.arange(1, 21) / 20,
                "buzzes": np.bincount(bins[selected], minlength=20),
                "low": low,
                "high": high,
            }
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True) if parts else store.empty("buzz_positions")


def buzz_tables(
    questions: pd.DataFrame,
    buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    guesses: pd.DataFrame | None,
    primary_segmentation: str,
    halves: int,
    replicates: int,
    seed: int,
    level: float,
    names: dict[str, str],
    printed: list[str],
    extract: Path | None = None,
) -> dict[str, pd.DataFrame]:
    """Tables teams, category_margins, team_summary, cumulative_buzzes, buzz_positions, pairings, incidence, fair_quartiles
    and quartile_shrinkage, by name.

    Clues are those of the primary segmentation, cut here, so that no table waits for guesses: ``guesses`` are
    None unless clues end at them. ``printed``: models whose guesses these are. ``extract``: folder of an
    extract, where the study has no texts. ``halves``: number of random halves of packets.
    """
    clues = segment.every_clue(questions, [primary_segmentation], guesses, printed=printed, extract=extract)[
        "clues"
    ]
    teams = rank_teams(clues, buzzes, exposures)
    bootstrap = Bootstrap(replicates, seed, level)
    curve_inputs = clues, buzzes, exposures, teams
    return {
        "teams": teams,
        "category_margins": category_margins(questions, buzzes, names, level),
        "team_summary": team_summary(teams, buzzes, questions, names, level),
        "cumulative_buzzes": cumulative.cumulative_buzzes(*curve_inputs, bootstrap),
        "buzz_positions": buzz_positions(questions, buzzes, names, bootstrap),
        **incidence.incidence_tables(questions, *curve_inputs, bootstrap),
        **quartiles.quartile_tables(questions, *curve_inputs[:3], halves, bootstrap),
    }
