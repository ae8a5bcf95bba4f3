"""Figure 4 as the public script of the paper draws it, and with each buzz counted once.

``analysis/cumulative_buzz_runs.py`` cuts each question at the runs of its first model and counts, for every team,
right and wrong buzzes up to each of the first thirteen runs. Its inner loops reuse the variable of the outer one. So a
buzz counts once for every team of its kind that buzzed in the same run. Teams that buzz together count for more.
"""

from itertools import product

import numpy as np
import pandas as pd

from ..human.cumulative import OUTCOMES
from ..human.curves import quartile

RUNS = 13
"""Runs on the script's axis."""
COUNTED = ("script", "once")
"""How a buzz counts: as the script has it, or once."""


def _run_of(buzzes: pd.DataFrame, ends: dict[str, np.ndarray]) -> np.ndarray:
    """Run (from 0) in which each buzz falls; −1 after the last run or where a question has none.

    ``ends``: question id → words heard at the end of each run, ascending."""
    runs = np.full(len(buzzes), -1)
    for question, places in buzzes.groupby("question_id").indices.items():
        run = np.searchsorted(ends.get(question, ()), buzzes["word_index"].to_numpy()[places], "right")
        runs[places] = np.where(run < len(ends.get(question, ())), run, -1)
    return runs


def _cumulative_by_run(buzzes: pd.DataFrame, teams: pd.Index, loop: bool) -> dict[str, np.ndarray]:
    """Outcome → buzzes of each of ``teams`` up to each run, (teams, RUNS).

    ``loop``: each buzz counts once for every team of its kind that buzzed in its ``run``, as in the script.
    """
    times = np.ones(len(buzzes))
    if loop:
        place = [buzzes["question_id"], buzzes["run"], buzzes["kind"]]
        times = buzzes.groupby(place)["team"].transform("nunique").to_numpy(float)
    counts = {}
    for outcome, correct in OUTCOMES.items():
        rows = (buzzes["correct"] == correct).to_numpy() & (buzzes["run"] < RUNS).to_numpy()
        cells = np.zeros((len(teams), RUNS))
        at = teams.get_indexer(buzzes["team"][rows]), buzzes["run"].to_numpy()[rows]
        np.add.at(cells, at, times[rows])
        counts[outcome] = cells.cumsum(axis=1)
    return counts


def script_curves(
    guesses: pd.DataFrame, buzzes: dict[str, pd.DataFrame], participation: pd.DataFrame
) -> pd.DataFrame:
    """Table script_curves: cumulative buzzes per run seen, of all human teams (H), their quartiles by right
    buzzes in the source (Q1 to Q4), and each team; 0 where no run was seen. A row per source, way of counting
    (:data:`COUNTED`), group, outcome and run (from 1), with the group's ``teams`` in one text. ``guesses``:
    the runs are the logit ones of its first model by name. ``buzzes``: source → table. ``participation``:
    rows with ``table`` combined and ``is_team`` say who saw a question. Teams whose name starts with M are
    models."""
    model = guesses["model"].min()
    runs = guesses[(guesses["model"] == model) & (guesses["elicitation"] == "logit")]
    ends = {key: np.sort(of) for key, of in runs.groupby("question_id")["position"].unique().items()}
    seen = participation[(participation["table"] == "combined") & participation["is_team"]]
    teams = pd.Index(sorted(set(seen["team"]).union(*(table["team"] for table in buzzes.values()))))
    reached = np.zeros((len(teams), RUNS))
    for question, of in seen.groupby("question_id")["team"]:
        reached[teams.get_indexer(of.unique()), : len(ends.get(question, ()))] += 1
    reached = reached.cumsum(axis=1)
    human = ~teams.str.startswith("M")
    rows = []
    for (source, table), counted in product(buzzes.items(), COUNTED):
        placed = table.assign(run=_run_of(table, ends))
        counts = _cumulative_by_run(placed[placed["run"] >= 0], teams, counted == "script")
        quartiles = quartile(counts["correct"][human].sum(axis=1))
        groups = {f"Q{number}": np.flatnonzero(human)[quartiles == number] for number in range(1, 5)}
        groups |= {"H": np.flatnonzero(human)} | {team: np.array([at]) for at, team in enumerate(teams)}
        for (group, members), outcome in product(groups.items(), OUTCOMES):
            value = counts[outcome][members].sum(axis=0) / np.maximum(reached[members].sum(axis=0), 1)
            rows.append(
                pd.DataFrame({"run": np.arange(1, RUNS + 1), "value": value}).assign(
                    source=source,
                    counted=counted,
                    group=group,
                    outcome=outcome,
                    teams=" ".join(teams[members]),
                )
            )
    return pd.concat(rows, ignore_index=True)


def figure_script_table(
    guesses: pd.DataFrame,
    questions: pd.DataFrame,
    buzzes: pd.DataFrame,
    human_buzzes: str,
    participation: pd.DataFrame | None = None,
    output_buzzes: pd.DataFrame | None = None,
    exposures: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """``{"script_curves": table}`` of every source: ``release``, ``before_end`` (its buzzes before the last
    word) and, where given, ``outputs``. If ``human_buzzes`` is outputs, ``buzzes`` are theirs, and there is no
    other source.

    Where ``participation`` has no table combined, teams saw the questions of their ``exposures``, which are
    then needed."""
    if participation is None or not (participation["table"] == "combined").any():
        participation = exposures.assign(table="combined", is_team=True)
    sources = {"outputs": buzzes}
    if human_buzzes != "outputs":
        end = buzzes["question_id"].map(questions.set_index("question_id")["n_words"]) - 1
        sources = {"release": buzzes, "before_end": buzzes[buzzes["word_index"] < end]}
        sources |= {} if output_buzzes is None else {"outputs": output_buzzes}
    return {"script_curves": script_curves(guesses, sources, participation)}
