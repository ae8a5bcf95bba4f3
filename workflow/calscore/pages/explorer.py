"""explorer.html: questions, models and teams to look at, in one page that needs no network."""

from ..core.mark_sources import JUDGES, first_judge
from ..core.results_folder import Study
from ..scores import metrics
from ..scores.tables import primary_rows
from . import opponents
from .audit import Pool
from .base import embed, libraries, render, source, tables_script
from .dot_charts import model_looks, reduction_in_words
from .redaction import RedactedStudy
from .wording import json_value

DIGITS = 6
"""Enough that three digits on the page are those of the tables: rounded to four first, 0.62248 would be 0.623."""


def _round(values, digits: int = DIGITS) -> list:
    """Floats of ``digits`` decimals, None for None and nan."""
    return [None if json_value(v) is None else round(float(v), digits) for v in values]


def _rows(table, columns: list[str], names=()) -> list[list]:
    """A list for each row: the cells of ``names``, then rounded numbers of ``columns``."""
    rows = table[[*names, *columns]].itertuples(index=False)
    return [[*row[: len(names)], *_round(row[len(names) :])] for row in rows]


def data(study) -> dict:
    """What the page shows, as JSON-like data, from a study's tables (:class:`.redaction.RedactedStudy`).

    Segmentation and reductions are the primary ones; numbers have :data:`DIGITS` decimals, those of the audit page all.
    """
    options = study.options
    segmentation, pool = options["primary_segmentation"], Pool()
    questions = study["questions"]
    ids = questions["question_id"].to_list()
    place = {q: i for i, q in enumerate(ids)}
    clues = study["clues"]
    clues = clues[clues["segmentation"] == segmentation].sort_values(["question_id", "clue"])
    ends = clues.groupby("question_id")["end_word"].apply(list)
    curve = study["human_curve"]
    curve = curve[curve["segmentation"] == segmentation].sort_values("clue", kind="stable")
    h = {
        name: rows.groupby("question_id")["h"].apply(list)
        for name, rows in curve.groupby("h_definition", sort=True)
    }
    display_names = {key: model["name"] for key, model in options["models"].items()}
    buzzes: list[list] = [[] for _ in ids]
    ordered = study["buzzes"].sort_values(["question_id", "word_index", "team"], kind="stable")
    # A wrong buzz that a source says cost nothing is no neg.
    negs = ~ordered["correct"].astype(bool) & ~(ordered["value"].astype(float) >= 0)
    for b, neg in zip(ordered.itertuples(), negs, strict=True):
        buzzes[place[b.question_id]].append(
            [pool(b.team), int(b.kind == "human"), int(b.word_index), int(b.correct), int(neg)]
        )
    heard = study["exposures"].groupby(["kind", "question_id"]).size().to_dict()
    result = {
        "study": study.provenance["study"]["name"],
        "segmentation": segmentation,
        "definition": options["primary_definition"],
        "definitions": metrics.DEFINITIONS,
        "questions": [
            {
                "id": q.question_id,
                "category": q.category,
                "fine": q.category_fine,
                "answer": q.answerline,
                "text": q.text,
                "ends": list(map(int, ends[q.question_id])),
                "words": int(q.n_words),
                "heard": int(heard.get(("human", q.question_id), 0)),
                "models": int(heard.get(("model", q.question_id), 0)),
            }
            for q in questions.itertuples()
        ],
        "h": {name: [_round(by_question[q]) for q in ids] for name, by_question in h.items()},
        "buzzes": buzzes,
        "teams": _teams(study, display_names),
        "live": _live(study),
        "margins": _margins(study),
        "rooms": _rooms(study, ids),
        "metrics": [
            {"name": metric.name, "label": metric.label, "higher": bool(metric.higher)}
            for metric in metrics.panel_metrics("explorer")
        ],
        "series": [],
    }
    if "responses" in study:
        result["series"] = _series(study, segmentation, display_names, place, pool)
    models_present = {series["model"] for series in result["series"]}
    models_present |= {team["team"] for team in result["teams"] if team["kind"] == "model"}
    result["styles"] = model_looks(study, models_present)
    result["pool"] = pool.texts
    return result


def _teams(study, display_names: dict) -> list[dict]:
    """A record for each team: counts, quartiles, and the median share of a question heard at its
    buzzes."""
    columns = ["team", "kind", "packets", "questions_heard", "buzzes", "correct", "incorrect"]
    columns += [name for name in study["teams"] if name.startswith("quartile_")]
    words = study["questions"].set_index("question_id")["n_words"]
    b = study["buzzes"]
    share = (b["word_index"] + 1) / b["question_id"].map(words)
    medians = _round(study["teams"]["team"].map(share.groupby(b["team"]).median()))
    return [
        {name: json_value(row[name]) for name in columns}
        | {"name": display_names.get(row["team"], row["team"]), "median": median}
        for row, median in zip(study["teams"].to_dict("records"), medians, strict=True)
    ]


LIVE = ("expected_score", "win_rate", "buzz_frequency")
"""Metrics of the leaderboard, as its manual reads them, on the page of models that played live."""


def _live(study) -> dict:
    """Group → ``precision`` with its interval and ``buzzes``, for a live model also each metric of
    :data:`LIVE`. ``pairs``: a row for each meeting of a live model, as ``a``, with a live or submitted model
    or one human team."""
    precision = study["precision"]
    live_groups: dict = {
        row.group: {"precision": _round([row.value, row.low, row.high]), "buzzes": int(row.buzzes)}
        for row in precision[precision["category"] == "all"].itertuples()
    }
    board, pairs = study.get("leaderboard"), study.get("leaderboard_pairs")
    if board is not None:
        rows = board[board["metric"].isin(LIVE) & (board["reading"] == "manual")]
        for row in rows.itertuples():
            if row.submission in live_groups:
                live_groups[row.submission][row.metric] = _round([row.value, row.low, row.high])
    live_groups["pairs"] = []
    if pairs is not None:
        columns = ["questions", "a_wins", "b_wins", "ties", "neither", "share", "low", "high"]
        kinds = {"live": "submission", "submitted": "submission", "human team": "human team"}
        rows = opponents.meetings(pairs[pairs["a"].isin(list(live_groups))])
        rows = rows.assign(b_kind=rows["b_kind"].map(kinds)).dropna(subset=["b_kind"])
        rows = rows.assign(neither=rows["questions"] - rows["decided"])
        live_groups["pairs"] = _rows(rows, columns, ["a", "b", "b_kind"])
    return live_groups


ROOMS = ["heard", "gets", "negs", "first_correct", "average_correct"]


def _rooms(study, ids: list[str]) -> list | None:
    """For each of ``ids`` the numbers :data:`ROOMS` of tables/quizbowl_questions, None where it has none; None without that table."""
    table = study.get("quizbowl_questions")
    if table is None:
        return None
    rooms_by_question = table.set_index("question_id")[ROOMS]
    return [_round(rooms_by_question.loc[q]) if q in rooms_by_question.index else None for q in ids]


def _margins(study) -> list[list]:
    """Rows of level, category and group (a pool or a live model): right, wrong, P(right | buzz) and its interval."""
    table = study["category_margins"]
    models = study["teams"].query("kind == 'model'")["team"]
    table = table[(table["group_kind"] == "pool") | table["group"].isin(list(models))]
    columns = ["correct", "incorrect", "precision", "low", "high"]
    return _rows(table, columns, ["level", "category", "group"])


BINS = ["low", "high", "n", "confidence", "accuracy", "accuracy_low", "accuracy_high"]


def _series(study, segmentation, display_names, place, pool) -> list[dict]:
    """One entry per model and elicitation: answers and scores in the order of ``place``, bins, benchmark and categories by definition."""
    reductions = study.options["reductions"]
    answers = primary_rows(study["responses"], segmentation, reductions)
    scored = primary_rows(study["question_scores"], segmentation, reductions)
    bins = primary_rows(study["reliability"], segmentation, reductions)
    benchmark = primary_rows(study["model_scores"], segmentation, reductions)
    categories = study.get("table5")
    if categories is not None:
        categories = first_judge(categories)
        categories = categories[categories["level"] == "merged"]
    columns = ["n_questions", "calscore", "calscore_low", "calscore_high", "mce"]

    def question_scores(group):
        numbers = dict(zip(group["question_id"], _rows(group, ["mce", "calscore"]), strict=True))
        return [numbers.get(q) for q in place]

    def benchmark_scores(group):
        values = zip(*(group[name] for name in ("metric", "value", "low", "high")), strict=True)
        nan = float("nan")
        return {m: _round(v if metrics.has_interval(m) else [v[0], nan, nan]) for m, *v in values}

    series = []
    for key, rows in answers.groupby(["elicitation", "model"], sort=True):
        elicitation, model = key

        def by_definition(table, form, key=key):
            own = table[(table["elicitation"] == key[0]) & (table["model"] == key[1])]
            return {definition: form(group) for definition, group in own.groupby("definition")}

        rows = rows.sort_values(["question_id", "clue"], kind="stable")
        # clue, confidence, right, guess, carried from an earlier position, buzz
        of_question: dict[str, list] = {}
        buzzed, confidences = rows["buzz"].fillna(False), _round(rows["confidence"])
        for row, c, buzz in zip(rows.itertuples(), confidences, buzzed, strict=True):
            answer = [int(row.clue), c, int(row.correct), pool(row.guess), int(row.carried)]
            of_question.setdefault(row.question_id, []).append([*answer, int(buzz)])
        series.append(
            {
                "model": model,
                "elicitation": elicitation,
                "name": display_names.get(model, model),
                "origin": f"{reduction_in_words(rows['reduction'].iloc[0])}; judged by {JUDGES[rows['marks'].iloc[0]]}",
                "answers": [of_question.get(q) for q in place],
                "scores": by_definition(scored, question_scores),
                "bins": by_definition(bins, lambda group: _rows(group.sort_values("bin"), BINS)),
                "benchmark": by_definition(benchmark, benchmark_scores),
                "categories": {}
                if categories is None
                else by_definition(categories, lambda group: _rows(group, columns, ["category"])),
            }
        )
    return series


def page(study: Study, masthead: dict) -> dict[str, str]:
    """``explorer``: text of explorer.html; ``explorer_script``: of explorer.js, which holds the data, so that the page opens at once."""
    content = data(RedactedStudy(study, masthead["hidden"])) | {"title": masthead["title"]}
    libraries_used = libraries("d3", "@observablehq/plot")
    parts = (libraries_used, tables_script(), f"const D = {embed(content)};", source("explorer.js"))
    return {
        "explorer": render(
            "explorer.html.j2",
            masthead,
            "explorer.html",
            texts=True,
            models=bool(content["series"]) or "model" in [team["kind"] for team in content["teams"]],
        ),
        "explorer_script": "\n".join(parts) + "\n",
    }
