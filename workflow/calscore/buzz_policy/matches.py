"""Matches of a model against each logged human team, question by question, replayed from buzzpoints."""

import numpy as np
import pandas as pd

from ..core import store
from ..human.curves import first_buzz_rows
from ..stats.bootstrap import Bootstrap

TIES = ("human", "model")
"""Who is heard where both buzz after the same word; both readings are computed."""
LIVE = "live"
KEY = ["rule", "model", "elicitation"]
POINT = [*KEY, "question_id", "word", "right"]
ROUND = 20
"""Questions of one packet, for margins that compare with a match."""


def first_team_buzzes(buzzes: pd.DataFrame, kind: str) -> pd.DataFrame:
    """First buzz of each team of a ``kind`` (human, model) on each question: team, question_id, word_index (from 0), correct."""
    rows = first_buzz_rows(buzzes[buzzes["kind"] == kind])
    return rows[["team", "question_id", "word_index", "correct"]]


def live_points(buzzes: pd.DataFrame, exposures: pd.DataFrame) -> pd.DataFrame:
    """The live models' first buzzes as :func:`replayed_points` (rule ``live``): a row per model and question that it heard."""
    heard = exposures[exposures["kind"] == "model"][["team", "question_id"]]
    table = heard.merge(first_team_buzzes(buzzes, "model"), on=["team", "question_id"], how="left")
    right = table["correct"].fillna(False).astype(bool)
    table = table.assign(rule=LIVE, elicitation="", word=table["word_index"].astype(float), right=right)
    return table.rename(columns={"team": "model"})[POINT]


def playable_rules(buzzpoints: pd.DataFrame, opponents: str) -> list[tuple[str, str]]:
    """Rules (name, opponents) of ``buzzpoints`` to play: none that know the answers or sum log-probabilities.
    Of the rules that are tuned by a π, only those tuned by ``opponents``."""
    rules = buzzpoints[["rule", "opponents"]].drop_duplicates()
    rules = rules[rules["opponents"].isin(["any", opponents])]
    rules = rules[~rules["rule"].isin(["optimal", "stable"]) & ~rules["rule"].str.endswith("(sum)")]
    return list(rules.itertuples(index=False, name=None))


def replayed_points(buzzpoints: pd.DataFrame, rules: list[tuple[str, str]]) -> pd.DataFrame:
    """Buzzpoints of ``rules`` (name, opponents) on the study: rule, model, elicitation, question_id, word, right.
    ``word`` is the 0-based index of the last word heard (nan: no buzz, which is not right), as in the logged buzzes."""
    chosen = pd.MultiIndex.from_frame(buzzpoints[["rule", "opponents"]]).isin(rules)
    table = buzzpoints[chosen & (buzzpoints["set"] == "study")]
    word = table["position"].astype("Float64").to_numpy(float, na_value=np.nan) - 1
    table = table.assign(word=word, right=table["correct"].fillna(False).astype(bool))
    return table[POINT].reset_index(drop=True)


def side_points(
    word, right, other_word, other_right, last, ties_win: bool, points: dict[str, float]
) -> np.ndarray:
    """Points (N,) of one side on each question, from arrays (N,) of its own and the ``other_`` side's buzz (word nan: none).

    The first right buzz ends the question and gives ``points['right']``. A wrong first buzz before the word ``last`` gives
    ``points['wrong']``, a second one nothing. ``ties_win``: this side is first where both buzz at the same word."""
    own_word = np.where(np.isnan(word), np.inf, word)
    other_word = np.where(np.isnan(other_word), np.inf, other_word)
    buzzed = np.isfinite(own_word)
    leads = buzzed & ((own_word < other_word) | (ties_win & (own_word == other_word)))
    second = buzzed & ~leads & ~other_right
    gained = (leads | second) & right
    lost = leads & ~right & (word < last)
    return points["right"] * gained + points["wrong"] * lost


def team_model_rows(points_of: pd.DataFrame, buzzes, exposures, questions) -> pd.DataFrame:
    """One row per human team and row of ``points_of`` (:func:`replayed_points`) whose question the team heard.

    Beside those columns: team, its first logged buzz (``team_word``, ``team_right``) and ``last``, the question's last
    word. Words count from 0. A team without a logged buzz is silent: nan, False."""
    heard = exposures[exposures["kind"] == "human"][["team", "question_id"]]
    table = points_of.merge(heard, on="question_id")
    human = first_team_buzzes(buzzes, "human").rename(
        columns={"word_index": "team_word", "correct": "team_right"}
    )
    table = table.merge(human, on=["team", "question_id"], how="left")
    table["team_word"] = table["team_word"].astype(float)
    table["team_right"] = table["team_right"].fillna(False).astype(bool)
    words = questions.set_index("question_id")["n_words"]
    table["last"] = table["question_id"].map(words).astype(float) - 1
    return table


def replay(table: pd.DataFrame, points: dict[str, float]) -> pd.DataFrame:
    """Rows of :func:`team_model_rows` with model_points and team_points, all once per reading of :data:`TIES` (column ties).
    ``points``: keys ``right`` and ``wrong``."""
    model = table["word"].to_numpy(float), table["right"].to_numpy(bool)
    team = table["team_word"].to_numpy(float), table["team_right"].to_numpy(bool)
    last_word = table["last"].to_numpy(float)
    parts = [
        table.assign(
            ties=ties,
            model_points=side_points(*model, *team, last_word, ties == "model", points),
            team_points=side_points(*team, *model, last_word, ties == "human", points),
        )
        for ties in TIES
    ]
    return pd.concat(parts, ignore_index=True)


def match_results(played, names: dict[str, str], bootstrap: Bootstrap) -> pd.DataFrame:
    """tables/matches.csv of ``played`` (:func:`replay`): one row per reading of ties, rule, model, elicitation and human team.

    ``margin`` is the model's points less the team's per 20 questions, with an interval from
    resampling the match's questions; ``silent`` counts questions without a logged buzz of the team. ``names``: model → label."""
    played = played.assign(
        gain=(played["model_points"] - played["team_points"]).astype(float),
        tied_buzzes=played["word"] == played["team_word"],
        silent=played["team_word"].isna(),
    )
    grouped = played.groupby(["ties", *KEY, "team"])
    table = grouped[["tied_buzzes", "silent", "model_points", "team_points"]].sum()
    table["questions"] = grouped.size()
    gains = [played["gain"].to_numpy()[grouped.indices[key]] for key in table.index]
    table["margin"] = [gain.mean() * ROUND for gain in gains]
    ends = np.empty((len(table), 2))
    for n, alike in pd.RangeIndex(len(table)).groupby(table["questions"]).items():
        drawn = bootstrap.question_weights(n) @ np.column_stack([gains[row] for row in alike])
        ends[alike] = np.column_stack(bootstrap.percentile(drawn * ROUND / n, axis=0))
    table[["low", "high"]] = ends
    lead = table["model_points"] - table["team_points"]
    table["result"] = np.select([lead > 0, lead < 0], ["win", "loss"], "draw")
    table = table.reset_index()
    table["name"] = table["model"].replace(names)
    return store.frame(table, "matches")


def win_matrix(table: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """tables/win_matrix.csv of matches: a row per ties, rule, model and elicitation with its wins, losses and
    draws, and a column of results (win, loss, draw; nan without a match) for each team.

    ``wins_low`` counts the matches whose margin's interval lies above 0, ``wins_high`` all but those where it lies
    below 0; ``losses`` likewise. Each match is held against 0 by itself. ``mean_margin`` is the mean over teams; its
    bounds are Student's, the teams taken as a sample."""
    from scipy.special import stdtrit

    key = ["ties", *KEY, "name"]
    wide = table.pivot(index=key, columns="team", values="result")
    margin = table.groupby(key)["margin"]
    size, mean = margin.size(), margin.mean()
    half = stdtrit(size - 1, (1 + level) / 2) * margin.std() / np.sqrt(size)

    def count(rows):
        return rows.groupby([table[name] for name in key]).sum()

    won, lost = count(table["low"] > 0), count(table["high"] < 0)
    result = pd.DataFrame(
        {
            "wins": count(table["result"] == "win"),
            "wins_low": won,
            "wins_high": size - lost,
            "losses": count(table["result"] == "loss"),
            "losses_low": lost,
            "losses_high": size - won,
            "draws": count(table["result"] == "draw"),
            "mean_margin": mean,
            "mean_margin_low": mean - half,
            "mean_margin_high": mean + half,
        }
    )
    return result.join(wide[sorted(wide.columns, key=natural_order)]).reset_index()


def natural_order(team: str) -> tuple[str, int, str]:
    """Sort key by which team 2 comes before team 10: name without its final digits, all its digits as a number, name."""
    digits = "".join(c for c in team if c.isdigit())
    return (team.rstrip("0123456789"), int(digits) if digits else 0, team)


def match_tables(
    questions: pd.DataFrame,
    buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    buzzpoints: pd.DataFrame | None,
    opponents: str,
    match_points: dict[str, float],
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """Tables matches and win_matrix by name, of live and replayed models (``buzzpoints``: None without) against human teams.
    ``opponents``: as :func:`playable_rules`; ``match_points``: as :func:`replay`; ``names``: model → label."""
    points = [live_points(buzzes, exposures)]
    if buzzpoints is not None:
        points.append(replayed_points(buzzpoints, playable_rules(buzzpoints, opponents)))
    played = replay(
        team_model_rows(pd.concat(points, ignore_index=True), buzzes, exposures, questions),
        match_points,
    )
    played_matches = match_results(played, names, Bootstrap(replicates, seed, level))
    return {"matches": played_matches, "win_matrix": win_matrix(played_matches, level)}
