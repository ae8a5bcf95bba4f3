"""π, the leaderboard's ranks and classes, conversion and differences in proper scores, as the tables have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.buzz_policy import opponent_curve
from calscore.human import curves
from calscore.inference import judge_sensitivity
from calscore.leaderboard import ranks, tossups
from calscore.scores import proper_tables, score, streaming
from calscore.stats.bootstrap import Bootstrap
from calscore.tournament import quizbowl
from scipy.stats import rankdata

from ..engine import LEVEL, means, taken
from ..worlds.tournament import CATEGORIES, HUMANS, IDS, NAMES, REDUCTION, SEGMENTATION
from . import tables, wins


def studied(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of one study; ``anew``: teams differ between studies."""
    drawn = "teams anew" if anew else "same teams"
    found = _opponents(study, replicates, number, drawn) | _board(study, replicates, number, drawn)
    found |= _conversion(study, drawn) | _released(study, replicates, number, anew)
    if anew:
        one, two = study.responses, study.second
        equal = judge_sensitivity.bootstrap_kappa(
            one["correct"], two["correct"], one["question_id"], replicates, number, LEVEL
        )
        found["Cohen's κ of two judges", "questions"] = taken(equal, "kappa", "low", "high")
        found |= wins.buzzes(study.one, replicates, number)
        found |= _proper(study, replicates, number)
    return found


def _released(study, replicates: int, number: int, anew: bool) -> dict:
    """Scores of a model under the released definition."""
    drawn = "teams anew" if anew else "same teams"
    crowds = (
        curves.team_clue_counts_from_table(curves.team_clue_counts(*study.humans), study.clues)
        if anew
        else None
    )
    curve = curves.human_curve(*study.humans)
    first = study.responses[study.responses["model"] == "a"]
    made = streaming.score_tables(
        score.scored_rows(first, curve), Bootstrap(replicates, number, LEVEL), crowds
    )
    of = made["model_scores"].set_index(["definition", "metric"])
    found = {}
    for metric in ("mce", "calscore", "accuracy", "ece"):
        name = f"{metric}, released definition"
        forms = [("percentile, questions", ""), ("BCa, questions", "bca_")]
        for how, form in forms + [("two-way", "two_way_")] * (anew and metric == "calscore"):
            cells = taken(of.loc[[("release", metric)]], "value", f"{form}low", f"{form}high")
            found[name, f"{how}; {drawn}"] = cells
    return found


def _opponents(study, replicates: int, number: int, drawn: str) -> dict:
    """π and the share behind it at a half and three quarters of the words."""
    data = study.questions, study.buzzes, study.exposures
    points = opponent_curve.opponent_curve_observed(*data)
    fitted = opponent_curve.opponent_curves(points)[1:]
    table = opponent_curve.opponent_table(
        points, fitted, opponent_curve.opponent_bounds(*data, Bootstrap(replicates, number, LEVEL))
    )
    at = table[(table["opponents"] == "fitted") & table["revealed"].isin([0.5, 0.75, 1.0])]
    return {
        (f"{shown} by half, three quarters, all of the words", f"two-way; {drawn}"): taken(
            at, name, f"{name}_low", f"{name}_high"
        )
        for name, shown in (("share", "share of teams not yet right"), ("pi", "π"))
    }


SUBMITTED = {"a": ("a", 0.6), "b": ("b", 0.6), "c": ("a", 0.85), "d": ("b", 0.4)}
"""Name of a submission → whose answers it has, and the confidence from which it buzzes."""
RANKED = {
    ("expected_score", "manual"): "expected score",
    ("win_rate", "manual"): "win rate",
    ("brier", "paper"): "Brier score",
}


def _board(study, replicates: int, number: int, drawn: str) -> dict:
    """Ranks of four submissions, differences of two, values with teams drawn, and classes of buzzes."""
    answers = [
        study.responses[study.responses["model"] == whose].assign(
            model=name, buzz=lambda of, least=least: of["confidence"] >= least
        )
        for name, (whose, least) in SUBMITTED.items()
    ]
    runs, plays = tables.entered(study, pd.concat(answers, ignore_index=True))
    field = tossups.score_field(runs, runs[["submission", "question_id"]].drop_duplicates(), plays)
    bootstrap = Bootstrap(replicates, number, LEVEL)
    everyone = ranks.pool_entrants([field])
    board = ranks.add_ranks(tossups.leaderboard_metrics([field], bootstrap), everyone, 0.5)
    standing = ranks.ranked_rows(board).set_index(["metric", "reading"], drop=False)
    standing = standing.loc[[*RANKED]].reset_index(drop=True)
    standing, pairs = ranks.rank_intervals(standing, everyone, plays, 0.5, bootstrap)
    pairs = pd.DataFrame(pairs)
    found = {}
    for (metric, reading), shown in RANKED.items():
        of = standing[(standing["metric"] == metric) & (standing["reading"] == reading)]
        of = tables.on_grid(of, submission=[*SUBMITTED])
        what = of["resampled"].iloc[0]
        cells = taken(of, "rank", "rank_low", "rank_high")
        found[f"rank by {shown}, four submissions", f"{what}; {drawn}"] = cells
        name = f"{shown} of a submission"
        if what == ranks.BOTH:
            found[name, f"two-way; {drawn}"] = taken(of, "value", "two_way_low", "two_way_high")
        else:
            found[name, f"questions; {drawn}"] = taken(of, "value", "low", "high")
        gap = pairs[(pairs["metric"] == metric) & (pairs["reading"] == reading)]
        cells = taken(gap, "difference", "low", "high")
        found[f"{shown}, a submission minus another", f"{what}; {drawn}"] = cells
    if drawn == "teams anew":
        kinds = tossups.class_table(field.firsts, LEVEL)
        kinds = kinds[kinds["submission"].isin(["a", "b"])]
        found["share of a class of buzzes", "Wilson, questions"] = taken(
            kinds, "share", "share_low", "share_high"
        )
        late = kinds[kinds["class"].isin(["late", "premature"])]
        for name, how in (("mean", "Student, questions"), ("median", "order statistics")):
            found[f"{name} gap of a class of buzzes", how] = taken(
                late, f"{name}_gap", f"{name}_gap_low", f"{name}_gap_high"
            )
    return found


def ranked(apart, intervals) -> dict:
    """The truth of a rank is that of the true values; of everything else the mean over studies drawn apart."""
    truth = means(apart, intervals)
    for quantity, how in list(truth):
        if quantity.startswith("rank by "):
            shown = quantity.removeprefix("rank by ").removesuffix(", four submissions")
            (value,) = (of for (name, _), of in truth.items() if name == f"{shown} of a submission")
            lower = shown == "Brier score"
            truth[quantity, how] = rankdata(np.round(value if lower else -value, 12), "min")
    return truth


PLAYERS = 0.4, 0.3, 0.2, 0.1
"""Shares of a team's buzzes that its four players have."""


def _conversion(study, drawn: str) -> dict:
    """Conversion by team, player and category, right buzzes over tossups heard."""
    plays = study.buzzes.reset_index(drop=True)
    tossup = {name: number + 1 for number, name in enumerate(IDS)}
    alone = plays["packet"].astype(str) + " " + plays["team"]
    # The last digit of a word's place says which player it was, as good as chance.
    shares = np.repeat(np.arange(4), np.rint(10 * np.array(PLAYERS)).astype(int))
    place = (plays["word_index"] + plays["question_id"].map(tossup)) % 10
    plays = plays.assign(
        game=plays["match"].where(plays["match"].notna(), alone),
        cycle=1,
        tossup=plays["question_id"].map(tossup),
        value=np.where(plays["correct"], 10, -5),
        player=np.array(["P1", "P2", "P3", "P4"])[shares[place]],
        n_words=study.questions["n_words"].iloc[0],
    ).sort_values(["game", "tossup", "word_index"])
    plays["order"] = np.arange(len(plays)) + 1
    games = plays.drop_duplicates(["packet", "team"])[["packet", "team", "game"]]
    heard = study.exposures.merge(games, on=["packet", "team"], how="left")
    # Who never buzzed on a packet played it all the same.
    alone = heard["packet"].astype(str) + " " + heard["team"]
    game, number = heard["game"].fillna(alone), heard["question_id"].map(tossup)
    heard = heard.assign(game=game, cycle=1, tossup=number)
    rosters = plays[["game", "team", "player"]].drop_duplicates().assign(tossups_heard=pd.NA)
    made = quizbowl.quizbowl_tables(plays, heard, rosters, study.questions.assign(answerline=""), LEVEL)
    cells = "conversion", "conversion_low", "conversion_high"
    category = tables.on_grid(made["quizbowl_categories"], category=sorted(set(CATEGORIES)))
    found = {("conversion of a category", f"Wilson, rooms; {drawn}"): taken(category, *cells, weight="heard")}
    if drawn == "same teams":
        how = "Wilson, tossups as independent; same teams"
        team = tables.on_grid(made["quizbowl_teams"], team=HUMANS)
        player = tables.on_grid(made["quizbowl_players"], team=HUMANS, player=["P1", "P2", "P3", "P4"])
        found["conversion of a team", how] = taken(team, *cells, weight="heard")
        found["conversion of a player", how] = taken(player, *cells, weight="heard")
    return found


def _proper(study, replicates: int, number: int) -> dict:
    """Differences of two models in proper scores."""
    crowd = curves.team_clue_counts_from_table(curves.team_clue_counts(*study.humans), study.clues)[
        SEGMENTATION
    ]
    rows = score.scored_rows(study.responses, curves.human_curve(*study.humans))
    _, made = proper_tables.score_and_compare(
        rows, crowd, SEGMENTATION, "paper", [REDUCTION], NAMES, Bootstrap(replicates, number, LEVEL)
    )
    found = {}
    for row in made.itertuples():
        name = f"{row.metric}, model minus model"
        forms = {"percentile, questions": ""}
        if row.metric in ("log_score", "calscore_normalised"):
            forms["BCa, questions"] = "bca_"
        if row.metric == "calscore_normalised":
            forms["two-way, centred"] = "two_way_"
        for how, form in forms.items():
            ends = (getattr(row, f"{form}{end}") for end in ("low", "high"))
            found[name, how] = tuple(np.array([x], dtype=float) for x in (row.difference, *ends))
    return found
