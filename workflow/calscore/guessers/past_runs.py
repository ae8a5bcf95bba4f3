"""Guesses on past questions: gathered, judged, and scored without humans."""

from pathlib import Path

import pandas as pd

from ..core import store
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, split_source_row
from .corpus import parse_past_questions, parse_past_runs


def collect_past_runs(questions: pd.DataFrame, runs, files) -> tuple[pd.DataFrame, list[Finding]]:
    """(tidy/guesses on past questions, findings) from ``runs``, (path, model) pairs, and ``files`` (paths) of the study's
    guessers. ``questions``: the table past_questions. ``DataError`` for a model from two sources."""
    from ..raw import guesses

    rows, findings = [], []
    for path, model in runs:
        new, extra = parse_past_runs(path, questions, model)
        findings += extra
        n_questions = len({row["question_id"] for row in new})
        note = f"{len(new)} guesses of {model} on {n_questions} of {len(questions)} past questions"
        findings.append(data_issue("past", "runs on past questions", str(path), note))
        rows += new
    for path in files:
        rows += guesses.parse_jsonl(path, questions.assign(packet=0, number=0))
    table = guesses.guess_table(rows)
    findings += guesses.reply_findings(table)
    origin = table["source_row"].map(lambda row: split_source_row(row)[0]).groupby(table["model"]).nunique()
    if (origin > 1).any():
        model = origin.index[origin > 1][0]
        raise DataError.at("past_runs", "", "model", model, "one source of guesses per model")
    return table, findings


def judge_past_runs(runs: pd.DataFrame, questions: pd.DataFrame, matcher: str, model) -> pd.DataFrame:
    """Table past_runs: ``runs`` with condition, verdict, rule and correct; a null guess is not correct. ``matcher`` and
    ``model``: as :func:`calscore.judging.guess_verdicts.judge_guesses` takes them."""
    from ..judging import guess_verdicts

    runs = runs.assign(condition=guess_verdicts.met_conditions(runs, questions))
    judgements, _ = guess_verdicts.judge_guesses(
        guess_verdicts.distinct_pairs(runs), questions, None, matcher, model
    )
    key = ["question_id", "guess", "condition"]
    runs = runs.merge(judgements[[*key, "verdict", "rule"]], on=key, how="left")
    runs["correct"] = (runs["verdict"] == "accept").astype(bool)
    # Without what an extract counts: the texts are at hand.
    return store.frame(runs, "past_runs")


def score_past_runs(runs, questions, names: dict, replicates: int, seed: int, level: float) -> pd.DataFrame:
    """tables/past_scores.csv: series of ``runs`` on ``questions`` under metrics without humans, Brier first,
    with bootstrap intervals at ``level``. Clues end where one guessed. ``names``: model → label."""
    from ..clues import segment
    from ..judging import guess_verdicts
    from ..scores import metrics, score, streaming
    from ..stats.bootstrap import Bootstrap

    positions = runs[["question_id", "position"]].drop_duplicates()
    ends = segment.clues_at_guess_positions(questions, positions)
    responses = guess_verdicts.clue_responses(ends, runs, {"engine": runs["correct"]}, {})
    nobody = ends[["segmentation", "question_id", "clue"]]
    parts = [nobody.assign(h_definition=h, h=0.0) for h in ("buzzed_so_far", "buzzed_on_question", "heard")]
    curve = pd.concat(parts, ignore_index=True)
    bootstrap = Bootstrap(replicates, seed, level)
    table = streaming.score_tables(score.scored_rows(responses, curve), bootstrap)["model_scores"]
    alone = [metric.name for metric in metrics.metrics_for("comparisons") if not metric.human]
    table = table[table["metric"].isin(alone)]
    table = table.assign(name=table["model"].replace(names))
    # The Brier score first, as table 1 has it.
    not_brier = table["metric"] != "brier"
    table = table.assign(last=not_brier).sort_values(["definition", "last"], kind="stable")
    return store.frame(table, "past_scores").reset_index(drop=True)


def training_run_tables(
    corpus: Path,
    run_files: list[Path] | None,
    past_files: list[Path] | None,
    model: Path | None,
    models: list[str],
    names: dict[str, str],
    matcher: str,
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame | list[Finding]]:
    """Tables past_questions, past_runs, past_scores, and findings, of the file ``corpus``. ``run_files`` with
    ``models``: runs on it; ``past_files``: guesses of the study's guessers; ``model``: file of the score or
    None (the package's); ``matcher``: of ``judging.matchers``; others: of :func:`score_past_runs`."""
    from ..answers.score import read_model

    questions = parse_past_questions(corpus)
    sources = zip(run_files or [], models, strict=True)
    runs, findings = collect_past_runs(questions, sources, past_files or [])
    runs = judge_past_runs(runs, questions, matcher, read_model(model))
    table = score_past_runs(runs, questions, names, replicates, seed, level)
    tables = {"past_questions": questions, "past_runs": runs, "past_scores": table}
    return {**tables, "findings": findings}
