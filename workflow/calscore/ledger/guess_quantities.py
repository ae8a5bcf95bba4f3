"""Quantities of models' scores, readings and guesses, and of the survey."""

import itertools

import pandas as pd

from . import estimates, filters
from .estimates import Estimate, StudySums, Tables, nest
from .multiverse import describe_reading
from .registry import (
    OUTPUTS,
    SURVEY,
    TEXTS,
    Quantities,
    has_texts,
    nested_quantity,
    register_quantities,
    row_count,
)


def _resampled_scores(tables: Tables, study: StudySums) -> dict[tuple, Estimate]:
    """(elicitation, model, ``mce`` or ``calscore``) → estimate of the mean over questions by the paper's definition; {} without
    question scores."""
    frame = tables.get("question_scores")
    if frame is None or frame.empty:
        return {}
    rows, _ = filters.paper_rows(frame[frame["definition"] == "paper"], study.segmentation)
    return {
        (*keys, metric): study.estimate(estimates.mean, own, own[metric])
        for keys, own in rows.groupby(["elicitation", "model"])
        for metric in ("mce", "calscore")
    }


@register_quantities("model_scores", estimates="scores score_ranks release_scores", needs=OUTPUTS)
def _model_scores(tables: Tables, study: StudySums) -> Quantities:
    """``scores`` (the paper's definition) and ``release_scores``: elicitation → model → metric → score; ``score_ranks``: ranks
    by the paper's."""
    quantities, scores = {}, tables["model_scores"]
    for definition, name in (("paper", "scores"), ("release", "release_scores")):
        frame = scores[scores["definition"] == definition]
        if frame.empty:
            continue
        rows, used = filters.paper_rows(frame, study.segmentation)
        source = f"scores/model_scores.parquet: definition = {definition}, {used}"
        values, ranks = {}, {}
        resampled = _resampled_scores(tables, study) if definition == "paper" else {}
        for row in rows.itertuples():
            keys = row.elicitation, row.model, row.metric
            words = "{}, elicitation = {}, model = {}, metric = {}".format(source, *keys)
            score = float(row.value)
            values[keys] = (
                resampled[keys]._replace(value=score) if keys in resampled else score,
                words,
            )
            ranks[keys] = int(row.rank), f"{words}, rank"
        quantities[name] = nested_quantity(values, source)
        if definition == "paper":
            quantities["score_ranks"] = nested_quantity(ranks, f"{source}, rank")
    return quantities


@register_quantities(
    "question_scores",
    "questions",
    estimates="category_scores hardness",
    exact="agreement extremes worst_places",
    needs=OUTPUTS,
)
def _question_scores(tables: Tables, study: StudySums) -> Quantities:
    """By the paper's definition: mean scores by elicitation, model and category. Of each pair of models: rank correlation
    of their questions' CalScores, and how many of the lowest (``most`` calibrated) and highest tenth they share. Ranks
    (0–1) of questions by their worst model and by the mean of all. Pairs and worst ranks: first elicitation by name."""
    frame = tables["question_scores"]
    frame = frame[frame["definition"] == "paper"]
    if frame.empty:
        return {}
    rows, used = filters.paper_rows(frame, study.segmentation)
    q = tables["questions"].set_index("question_id")
    rows = rows.join(q["category"], on="question_id")
    means = rows.groupby(["elicitation", "model", "category"])[["calscore", "mce"]].mean()
    source = f"scores/question_scores.parquet: definition = paper, {used}"
    by_category = {
        keys: (
            row.to_dict(),
            f"{source}, elicitation = {keys[0]}, model = {keys[1]}, mean over"
            f" tidy/questions.parquet category = {keys[2]}",
        )
        for keys, row in means.iterrows()
    }
    place = rows.groupby("question_id")["calscore"].mean().rank(pct=True)
    logit = rows[rows["elicitation"] == rows["elicitation"].min()]
    wide = logit.pivot_table(index="question_id", columns="model", values="calscore")
    pairs, corr = list(itertools.combinations(wide.columns, 2)), wide.corr("spearman")
    n_extreme, extremes = -(-len(wide) // 10), {}
    for name, scores in (("most", wide), ("least", -wide)):
        extreme = scores.rank(method="first") <= n_extreme
        extremes[name] = [int((extreme[a] & extreme[b]).sum()) for a, b in pairs]
    hardness = [{"id": key, "share": float(share)} for key, share in place.items()]
    by_category_rows = f"{source}, mean by tidy/questions.parquet category"
    return {
        "category_scores": nested_quantity(by_category, by_category_rows),
        "agreement": (
            {f"{a} and {b}": float(corr.loc[a, b]) for a, b in pairs},
            f"{source}, rank correlations of two models' CalScores of questions",
        ),
        "extremes": (
            extremes,
            f"{source}, of two models' {n_extreme} questions of least and most CalScore those in both",
        ),
        "worst_places": (
            wide.rank(pct=True).max(axis=1).to_dict(),
            f"{source}, rank of each question's CalScore, of the model where it is highest",
        ),
        "hardness": (hardness, f"{source}, rank of each question's mean CalScore over all models"),
    }


@register_quantities("readings", "reading_cells", exact="best_reading", noted="reread", needs=OUTPUTS)
def _readings(tables: Tables, study: StudySums) -> Quantities:
    """``best_reading`` of each printed column (table → metric → its row), and ``reread``: its value in each cell, accuracies in
    percent."""
    cells = tables["reading_cells"]
    allowed = cells.groupby(["table", "metric"])["allowed"].sum()
    best, again = {}, {}
    columns = ["reading", "read_as", "within", "cells", "tried", "deviation_max", "deviation_mean"]
    for record in tables["readings"].query("rank == 1").to_dict("records"):
        table, metric = record["table"], record["metric"]
        reading = {name: record[name] for name in columns}
        reading |= {"allowed": int(allowed[table, metric]), "words": describe_reading(record)}
        place = f"tables/readings.csv: table = {table}, metric = {metric}, rank = 1"
        best[f"table{table}", metric] = reading, place
    for record in cells.itertuples():
        column = record.category if isinstance(record.category, str) else record.metric
        column = column if pd.isna(record.share) else int(record.share)
        value = record.recomputed * (100 if record.metric == "accuracy" else 1)
        again[f"table{record.table}", record.model, column] = value
    return {
        "best_reading": nested_quantity(best, "tables/readings.csv: rank = 1"),
        "reread": (nest(again), f"tables/reading_cells.csv: all {len(cells)} rows"),
    }


@register_quantities("guesses", exact="flags", needs=OUTPUTS)
def _flags(tables: Tables, study: StudySums) -> Quantities:
    """By model with flags: ``least`` mean log-probability of a run that its source flags as a buzz; numbers
    of runs ``flagged``, not flagged (``silent``), and not flagged though they lie ``above`` it."""
    guesses = tables["guesses"].dropna(subset=["buzzed", "mean_logprob"])
    flags = {}
    for model, runs in guesses[guesses["buzzed"].astype(bool)].groupby("model"):
        silent = guesses[(guesses["model"] == model) & ~guesses["buzzed"].astype(bool)]
        least = float(runs["mean_logprob"].min())
        above = int((silent["mean_logprob"] > least).sum())
        flags[model,] = (
            {"least": least, "flagged": len(runs), "above": above, "silent": len(silent)},
            f"tidy/guesses.parquet: model = {model}, buzzed {row_count(len(runs))}",
        )
    return {"flags": nested_quantity(flags, f"tidy/guesses.parquet: buzzed {row_count(len(guesses))}")}


@register_quantities("guesses", "buzzes", exact="buzzed_at_flag", needs=OUTPUTS)
def _precomputed(tables: Tables, study: StudySums) -> Quantities:
    """By model: number of ``live`` buzzes, and of those (``same``) within the first run that the outputs flag as a buzz."""
    guesses, live, series = tables["guesses"], tables["buzzes"], ["model", "question_id"]
    flagged = guesses["buzzed"].eq(True).groupby([guesses[name] for name in (*series, "position")])
    runs = flagged.any().reset_index()
    runs["start"] = runs.groupby(series)["position"].shift(fill_value=0)
    runs = runs[runs["buzzed"]].drop_duplicates(series)
    live = live[live["kind"] == "model"].rename(columns={"team": "model"})
    if live.empty or runs.empty:
        return {}
    met = live.merge(runs[[*series, "start", "position"]], how="left", on=series)
    in_run = (met["word_index"] >= met["start"]) & (met["word_index"] < met["position"])
    counts = {
        model: {"live": len(hits), "same": int(hits.sum())} for model, hits in in_run.groupby(met["model"])
    }
    rows = f"tidy/buzzes.parquet with tidy/guesses.parquet: kind = model {row_count(len(live))}"
    return {"buzzed_at_flag": (counts, rows)}


@register_quantities("guesses", "questions", exact="guesses_on", needs=f"{OUTPUTS} with {TEXTS}")
def _guesses(tables: Tables, study: StudySums) -> Quantities:
    """Records of questions: ``id``, sorted distinct ``guesses``, and ``by``: model → guesses. No quantity without texts."""
    if not has_texts(tables["questions"]):
        return {}
    guesses = tables["guesses"].dropna(subset=["guess"])
    by_question: dict = {}
    for (key, model), own in guesses.groupby(["question_id", "model"], observed=True)["guess"]:
        by_question.setdefault(key, {})[model] = sorted(own.unique())
    entries = [
        {"id": key, "guesses": sorted(set().union(*by_model.values())), "by": by_model}
        for key, by_model in by_question.items()
    ]
    return {"guesses_on": (entries, f"tidy/guesses.parquet: guess {row_count(len(guesses))}, distinct")}


def _shares_right(frame: pd.DataFrame, study: StudySums) -> dict[int, Estimate]:
    """Percent (10 to 100) of the clues → estimate of the share right of the known answers there; absent if there are none."""
    return {
        percent: study.estimate(estimates.share, rows, rows["correct"].astype(float))
        for percent, rows in filters.answers_at_percents(frame)
        if len(rows)
    }


def _buzz_given(frame: pd.DataFrame, unit: str, study: StudySums) -> dict[str, list[Estimate]]:
    """P(b | g): ``right`` or ``wrong`` → an estimate for each fifth of the clues: buzzes per such guess, up to the first buzz.

    ``frame``: as :func:`.filters.guesses_before_first_buzz` takes it. Means over units (models, players), which are
    resampled; of a single unit its questions are. A fifth without such guesses has the value None.
    """
    before = filters.guesses_before_first_buzz(frame, unit)
    form, resampled = estimates.share, {}
    if before[unit].nunique() > 1:
        # each player counts once in a fifth, whatever it answered
        form, resampled = estimates.mean, {"unit": unit, "units": sorted(before[unit].unique())}
        before = before.groupby(["given", unit, "fifth"], as_index=False)["buzz"].mean()
    return {
        outcome: [
            study.estimate(form, rows, rows["buzz"], **resampled)
            for fifth in range(1, filters.FIFTHS + 1)
            for rows in [before[(before["given"] == outcome) & (before["fifth"] == fifth)]]
        ]
        for outcome in ("right", "wrong")
    }


@register_quantities("responses", estimates="accuracy model_buzz", needs=OUTPUTS)
def _responses(tables: Tables, study: StudySums) -> Quantities:
    """By model, of its logit answers: ``accuracy`` (:func:`_shares_right`); and ``model_buzz`` (:func:`_buzz_given`) where it has
    buzzes."""
    rows, used = filters.logit_answers(tables["responses"], study.segmentation)
    source = f"judged/responses.parquet: {used}, elicitation = logit"
    parts = {(model,): f"{source}, model = {model}" for model in sorted(rows["model"].unique())}
    buzzing = {
        model: _buzz_given(part, "model", study)
        for model, part in rows.groupby("model")
        if part["buzz"].notna().any()
    }
    return {
        "accuracy": (
            {model: _shares_right(part, study) for model, part in rows.groupby("model")},
            f"{source}, at clue ⌈p·T⌉",
            parts,
        ),
        "model_buzz": (buzzing, f"{source}, up to the first buzz, by fifths of the clues", parts),
    }


@register_quantities(
    "survey_responses",
    "players",
    estimates="human_accuracy human_buzz",
    exact="n_survey_players survey_questions",
    needs=SURVEY,
)
def _survey(tables: Tables, study: StudySums) -> Quantities:
    """Number of players; fewest and most questions of one; :func:`_shares_right` of all (H) and of quartiles, without replicates;
    :func:`_buzz_given` of the halves of players."""
    survey, players = tables["survey_responses"], tables["players"]
    question_counts = survey.groupby("player")["question_id"].nunique()
    groups = filters.players_in_quartiles(survey, players).items()
    accuracy = {name: _shares_right(part, study) for name, part in groups if len(part)}
    # who else was asked matters as much as what: players are not resampled here
    accuracy = estimates.values(accuracy)
    half = survey["player"].map(players.set_index("player")["half"])
    # right where they were seen to be: nothing filled in
    halves = survey.assign(right=survey["observed"]).groupby(half)
    buzz = {name: _buzz_given(part, "player", study) for name, part in halves}
    rows = f"judged/survey_responses.parquet: all {len(survey)} rows; human/players.parquet"
    return {
        "n_survey_players": (
            len(question_counts),
            "judged/survey_responses.parquet: distinct players",
        ),
        "survey_questions": (
            {"low": int(question_counts.min()), "high": int(question_counts.max())},
            "judged/survey_responses.parquet: distinct questions of each player",
        ),
        "human_accuracy": (accuracy, f"{rows}, at clue ⌈p·T⌉, unknown cells left out"),
        "human_buzz": (buzz, f"{rows}, up to the first buzz, by fifths of the clues"),
    }
