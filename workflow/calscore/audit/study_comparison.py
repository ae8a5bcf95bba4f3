"""All configured studies side by side: how many people, how they did, each model, and what is comparable.

Scores that weigh an answer by h depend on how many teams made h (:mod:`calscore.inference.crowd_sizes`): they are given,
with a warning where crowds differ. What a model has right less the share of teams that had it right by then is a mean
over pairs of a clue and a team that heard it, and its expectation is the same for any number of teams.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..core.mark_sources import first_judge
from ..core.results_folder import Study
from ..leaderboard.replay import is_replayed
from ..scores import metrics, score
from ..scores.score import SERIES
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap

EVERY, LAST, LIVE = "every clue", "last clue", "live"
SHOWN = ("accuracy", "brier", "ece", "mce", "calscore")
BOARD = ("expected_score", "win_rate")
"""Metrics of the leaderboard that are shown, as the manual has them."""


def _bootstrap(options: dict) -> Bootstrap:
    """Bootstrap with the options' replicates, seed and level."""
    return Bootstrap(options["replicates"], options["seed"], options["level"])


def people_records(rows: pd.DataFrame, options: dict) -> list[dict]:
    """Two dicts, each a part of a row of tables/studies (quantity, value, …): number of teams; their conversion (right over
    heard) with a two-way percentile interval over questions and teams. ``rows``: a row for each question_id and team that heard
    it, with ``right`` (boolean); ``options``: replicates, seed, level."""
    questions, teams = (pd.Index(rows[name].unique()).sort_values() for name in ("question_id", "team"))
    heard = resample.question_team_cells(rows, questions, teams)
    right = resample.question_team_cells(rows, questions, teams, rows["right"].to_numpy(dtype=float))
    bootstrap = _bootstrap(options)
    weights = bootstrap.two_way_weights(*right.shape)
    drawn = [resample.two_way_replicates(counts, *weights) for counts in (right, heard)]
    low, high = bootstrap.finite_percentile(proportions.ratio(*drawn))
    value = right.sum() / heard.sum()
    return [
        {"quantity": "teams", "value": len(teams)},
        {"quantity": "conversion", "scope": LAST, "value": value, "low": low, "high": high},
    ]


def _live_records(study: Study) -> list[dict]:
    """Records of a study of live buzzes: its teams, precision of people and models, and scores of models on each clue."""
    options = study.options
    crowd = study["crowd"]
    crowd = crowd[(crowd["segmentation"] == options["primary_segmentation"]) & crowd["heard"]]
    right = crowd.groupby(["question_id", "team"], as_index=False)["correct"].max()
    records = people_records(right.assign(right=right["correct"] > 0), options)
    if "precision" in study:
        pooled = study["precision"].query("category == 'all' and group != 'model'")
        for row in pooled.to_dict("records"):
            model = {"model": row["group"], "scope": LIVE} if row["kind"] == "model" else {}
            records.append(model | {"quantity": "precision", **{k: row[k] for k in ("value", "low", "high")}})
            if model and pd.notna(row["difference"]):
                ends = {end: row[f"difference_{end}"] for end in ("low", "high")}
                records.append(
                    model | {"quantity": "precision_minus_human", "value": row["difference"], **ends}
                )
    if "model_scores" in study:
        records += _score_records(study, options)
    return records


def _score_records(study: Study, options: dict) -> list[dict]:
    """Records of :data:`SHOWN` scores (first judge, shown reduction) and of share right minus the crowd's; intervals two-way if any."""
    scores = study["model_scores"]
    scores = first_judge(scores[scores["segmentation"] == options["primary_segmentation"]])
    scores = scores[score.has_shown_reduction(scores, options["reductions"]) & scores["metric"].isin(SHOWN)]
    shown_scores = scores["definition"] == options["primary_definition"]
    scores = scores[shown_scores | (scores["metric"] == "accuracy")]
    scores = scores.rename(columns={"metric": "quantity", "n_questions": "questions"})
    for end in ("low", "high"):
        scores[end] = scores[f"two_way_{end}"].fillna(scores[end])
    scope = scores["definition"].map({"paper": EVERY, "release": LAST})
    over = {name: metrics.METRICS[name].over for name in SHOWN}
    scores["scope"] = scope.where(scores["quantity"].map(over) != "questions", EVERY)
    minus = study["model_minus_human"].rename(columns={"n_questions": "questions"})
    minus = minus.merge(scores[SERIES].drop_duplicates(), on=SERIES)
    minus = minus.assign(quantity="minus_crowd", value=minus["difference"])
    for end in ("low", "high"):
        minus[end] = minus[f"two_way_{end}"].fillna(minus[f"question_{end}"])
    columns = [*SERIES, "quantity", "scope", "questions", "value", "low", "high"]
    rows = [scores[[*columns, "definition"]], minus[columns]]
    return [row for part in rows for row in part.to_dict("records")]


def _option_records(study: Study) -> list[dict]:
    """Records of models without (N) and with (D) answer options, by the shared judge or, without one, by their own."""
    table = study["option_scores"].query("reading == 'release'")
    judging = "shared" if "shared" in set(table["judging"]) else "own"
    records = []
    for row in table[table["judging"] == judging].to_dict("records"):
        for letter, scope in (("N", "without options"), ("D", "with options")):
            for quantity, column in (("accuracy", "right_share"), ("ece", "ece"), ("brier", "brier")):
                place = {"model": row["model"], "quantity": quantity, "scope": scope}
                ends = {end: row[f"{letter}_{column}_{end}"] for end in ("low", "high")}
                numbers = {"questions": row[f"{letter}_n"], "value": row[f"{letter}_{column}"]}
                records.append(place | numbers | ends)
    return records


def _response_records(study: Study) -> list[dict]:
    """Records of conversion of people (of groups if none is alone) and accuracy of AI systems on the last clue of each question."""
    agents, options = study["agents"], study.options
    rows = study["agent_responses"].rename(columns={"agent": "team", "correct": "right"})
    rows = rows[rows["clue"] == rows.groupby("question_id")["clue"].transform("max")]
    kind = agents.set_index("agent")["kind"].reindex(rows["team"]).to_numpy()
    # Groups of people are made of the same people.
    groups = agents.loc[~agents["agent_type"].str.endswith(", 1 player"), "agent"]
    alone = (kind == "human") & ~rows["team"].isin(groups)
    human = alone if alone.any() else kind == "human"
    records = people_records(rows[human], options) if human.any() else []
    for agent, agent_rows in rows[kind == "ai"].groupby("team", sort=True):
        value = agent_rows["right"].to_numpy(dtype=float)
        low, high = _bootstrap(options).mean_interval(value)
        place = {"model": agent, "quantity": "accuracy", "scope": LAST}
        numbers = {"questions": agent_rows["question_id"].nunique(), "value": value.mean()}
        records.append(place | numbers | {"low": low, "high": high})
    return records


def _leaderboard_records(study: Study) -> list[dict]:
    """Records of :data:`BOARD` metrics of submissions, replayed models left out, against people on the same questions."""
    table = study["leaderboard"].query("reading == 'manual' and metric in @BOARD")
    table = table[~is_replayed(table["submission"])]
    names = {"submission": "model", "metric": "quantity"}
    columns = [*names.values(), "scope", "name", "questions", "value", "low", "high"]
    live = table["submission"].isin(study.options["models"])
    table = table.assign(scope=np.where(live, LIVE, None)).rename(columns=names)
    return table[columns].to_dict("records")


PARTS = {
    "crowd": _live_records,
    "option_scores": _option_records,
    "agent_responses": _response_records,
    "leaderboard": _leaderboard_records,
}
"""Table that a study has → what is taken from such a study."""
ASKED = {"questions": "question_id", "option_questions": "row", "item_list": "question_id"}
"""Table of questions → the column that counts them."""


def study_rows(study: Study) -> pd.DataFrame:
    """Rows of tables/studies of one study: its number of questions (nan if unknown), then its :data:`PARTS` (one of live play)."""
    kinds = [name for name in PARTS if name in study]
    if "crowd" in kinds:
        # Item responses of live buzzes are those buzzes.
        kinds = [name for name in kinds if name != "agent_responses"]
    question_counts = [study[name][column].nunique() for name, column in ASKED.items() if name in study]
    rows = [{"quantity": "questions", "value": question_counts[0] if question_counts else np.nan}]
    rows += [row for name in kinds for row in PARTS[name](study)]
    about = study.provenance["study"]
    table = pd.DataFrame(rows, columns=store.columns("studies"), dtype=object)
    table["name"] = table["name"].fillna(table["model"].map(study.names)).fillna(table["model"])
    return table.assign(study=about["name"], title=about["title"], simulated=about["simulate"] is not None)


def depends_on_crowd(quantity: str) -> bool:
    """Whether ``quantity`` is a metric that weighs answers by an h that depends on the number of teams (not "heard")."""
    metric = metrics.METRICS.get(quantity)
    return bool(metric and metric.human and metric.curve != "heard")


def compare_studies(provenance: list[Path]) -> dict[str, pd.DataFrame]:
    """{"studies": table}, the rows of the studies in order, whose audit/provenance.json ``provenance`` lists. Scores that
    depend on the number of teams carry a warning where studies differ in it."""
    parts = [study_rows(Study(path.parent.parent)) for path in provenance]
    table = pd.concat(parts, ignore_index=True)
    weighed = table["quantity"].map(depends_on_crowd)
    teams = table[table["quantity"] == "teams"].set_index("study")["value"]
    teams = teams[teams.index.isin(table.loc[weighed, "study"])].astype(int)
    listed = ", ".join(f"{count} in {name}" for name, count in teams.items())
    if teams.nunique() > 1:
        table.loc[weighed, "warning"] = f"depends on the number of teams: {listed}"
    numbers = ["questions", "value", "low", "high"]
    table[numbers] = table[numbers].astype(float)
    table["questions"] = table["questions"].astype("Int64")
    return {"studies": table}
