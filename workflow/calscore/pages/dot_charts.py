"""Dot plots with intervals as data for a template: one row per model or category, positions in per cent of the axis."""

import math

import pandas as pd

from ..core import theme
from ..core.mark_sources import JUDGES, first_judge
from ..scores import metrics
from .wording import BETTER, CLOSE, WORSE, count_noun, decimal, join_names, percent, span

SHAPES = {
    "s": ("■", "square"), "^": ("▲", "triangle"), "D": ("◆", "diamond"), "v": ("▼", "triangle2"),
    "P": ("✚", "cross"), "X": ("✖", "circle"), "*": ("★", "star"), "p": ("⬟", "hexagon"),
}  # fmt: skip
"""Markers of the figures → characters, and symbols of the explorer's charts."""
TEAM = "●"
REPLAYED = "Replayed: buzzes where guesses are flagged as buzzes (as stated) or pass a threshold."


def _axis(values, step: float) -> tuple[float, float]:
    """(low, high): multiples of ``step`` around all values but nan."""
    values = [value for value in values if value == value]
    return math.floor(min(values) / step) * step, math.ceil(max(values) / step) * step


def _mark(value: float, low: float, high: float, ends: tuple[float, float], **look) -> dict:
    """A dot at ``at`` with its interval from ``left``, ``width`` wide, in per cent of the axis; no interval
    where an end is nan."""

    def place(number: float) -> float:
        return round(100 * (number - ends[0]) / (ends[1] - ends[0]), 2)

    mark = {"pale": False, "left": None, "width": None} | look | {"at": place(value)}
    if low == low and high == high:
        mark |= {"left": place(low), "width": round(place(high) - place(low), 2)}
    return mark


def _ticks(ends: tuple[float, float], step: float, form) -> list[dict]:
    """Two to four ticks from the low end on, at multiples of ``step``; ``form`` writes their labels."""
    count = round((ends[1] - ends[0]) / step)
    stride = max(1, math.ceil(count / 3))
    return [
        {"at": round(100 * k / count, 2), "label": form(ends[0] + k * step)}
        for k in range(0, count + 1, stride)
    ]


def _comparison(rows: list[dict], start: str, own_name: str) -> str:
    """One sentence: who is better, worse, or too close to call, "" where nobody met; said of the user's model where it has ``own_name``."""
    verbs = (
        {BETTER: "better than {}", WORSE: "worse than {}", CLOSE: "too close to call against {}"}
        if own_name
        else {BETTER: "{} better", WORSE: "{} worse", CLOSE: "{} too close to call"}
    )
    parts = []
    for outcome, words in verbs.items():
        names = [
            f"{row['label']} (yours)" if own_name and row["yours"] else row["label"]
            for row in rows
            if row["outcome"] == outcome
        ]
        if names:
            # The first screen has few words; whom the user's model meets is named.
            most, noun = (3, "opponent") if own_name else (2, "model")
            many = join_names(names) if len(names) <= most else count_noun(len(names), noun)
            be = "" if own_name else "is " if len(names) == 1 else "are "
            parts.append(words.replace("{} ", "{} " + be).format(many))
    return f"{start}{'; '.join(parts)}." if parts else ""


def share_chart(rows: list[dict], own_name: str = "", ways: str = "") -> dict | None:
    """The chart (:func:`_chart`, with ``measure`` in words) of shares of questions won, even at one half;
    None without rows. ``rows``: of :func:`.against_teams` or of one model of :func:`.own_matches`; one that
    never met has no dot. ``own_name``: the user's model, whose opponents they are, else ""; ``ways``: how
    these models took part, where others did so otherwise."""
    if not rows:
        return None
    ends = (0.0, 1.0)
    chart_rows = []
    for row in rows:
        dot = {"shape": TEAM, "color": "", "name": ""}
        has_share = row["share"] == row["share"]
        marks = [_mark(row["share"], row["low"], row["high"], ends, **dot)] if has_share else []
        extras = {"note": row["way"], "yours": row["yours"], "span": row["span"]}
        chart_rows.append(_row(row["label"], row["percent"], marks, **extras, outcome=row["outcome"]))
    start = f"{own_name} is " if own_name else f"{ways} against human teams, ".lstrip().capitalize()
    return _chart(_comparison(rows, start, own_name), _ticks(ends, 0.5, percent), chart_rows) | {
        "measure": f"{'A row for each opponent: share' if own_name else 'Share'} won of the questions that either got right, once for each team that heard it; a silent team loses",
        "note": REPLAYED if "replayed" in {row["kind"] for row in rows} else "",
        "even": 50,
    }


def _row(label: str, value: str, marks: list[dict], **extras) -> dict:
    """A row of a chart; ``extras``: its note, span, outcome and whether it is the user's, empty by default."""
    defaults = {"note": "", "yours": False, "span": "", "outcome": ""}
    return {"label": label, "value": value, "marks": marks} | defaults | extras


def _chart(title: str, ticks: list[dict], rows: list[dict], note: str = "", legend=()) -> dict:
    """A chart as the template takes it: title, ticks, rows (:func:`_row`), note, legend; ``even``: where
    neither side is better, in per cent of the axis, here None."""
    return {"title": title, "ticks": ticks, "rows": rows, "note": note, "legend": list(legend), "even": None}


def model_looks(study, models) -> dict[str, dict]:
    """Model → shape, symbol, color and name, as in the figures; an unknown model has its key for a name."""
    options = study.options["models"]
    looks = {}
    for model, (color, marker) in theme.model_styles(list(options), set(models)).items():
        if model in set(models):
            look = dict(zip(("shape", "symbol"), SHAPES[marker], strict=True)) | {"color": color}
            looks[model] = look | {"name": options.get(model, {}).get("name", model)}
    return looks


FORMULAS = {
    "paper": ("GRACE's formula", "right human buzzes over all human buzzes so far"),
    "release": (
        "GRACE's released code",
        "right human buzzes so far over all human buzzes on the question",
    ),
}
"""Definition of CalScore → whose it is and its h, the share of humans who are right, in words."""


def _calscore_rows(study, name: str, definition: str | None = None) -> pd.DataFrame:
    """Rows of a table with a CalScore by ``definition`` (default: the primary one), first judge of each model
    and elicitation. Bounds are those over questions and teams, where there are any. An empty frame without
    the table or its CalScore."""
    if name not in study or "calscore" not in study[name]:
        return pd.DataFrame(columns=["level"])
    definition = definition or study.options["primary_definition"]
    rows = first_judge(study[name][study[name]["definition"] == definition])
    for end in ("low", "high"):
        if f"calscore_two_way_{end}" in rows:
            both = rows[f"calscore_two_way_{end}"]
            rows[f"calscore_{end}"] = both.fillna(rows[f"calscore_{end}"])
    return rows.dropna(subset="calscore")


def table1_chart(study) -> dict | None:
    """CalScore by model, the lowest first, a dot for each way to elicit confidence.

    None without any score, or where all scores and bounds lie on one step of the axis."""
    rows = _calscore_rows(study, "table1")
    if rows.empty:
        return None
    styles = model_looks(study, rows["model"])
    ends = _axis([*rows["calscore_low"], *rows["calscore_high"], *rows["calscore"]], 0.05)
    if ends[0] == ends[1]:
        return None
    leads = rows.sort_values("calscore", kind="stable").drop_duplicates("model")
    elicitations = sorted(set(rows["elicitation"]))
    has_teams = rows.get("calscore_two_way_low", pd.Series([None])).notna().all()
    chart_rows = []
    for lead in leads.itertuples():
        marks = [
            _mark(row.calscore, row.calscore_low, row.calscore_high, ends, **styles[row.model])
            | {"pale": row.elicitation != elicitations[0]}
            for row in rows[rows["model"] == lead.model].itertuples()
        ]
        interval = span(lead.calscore_low, lead.calscore_high)
        name = styles[lead.model]["name"]
        chart_rows.append(_row(name, decimal(lead.calscore), marks, span=interval))
    leader = leads.iloc[0]
    rank = "the lowest CalScore," if len(leads) > 1 else "a CalScore of"
    formula, human_share = FORMULAS[leader["definition"]]
    title = f"By {formula} {chart_rows[0]['label']} has {rank} {decimal(leader['calscore'])}"
    if leader["n_questions"] < rows["n_questions"].max():
        title += f" on {leader['n_questions']} of {rows['n_questions'].max()} questions"
    title += _elicitation_clause(leads["reduction"])
    near = [styles[model]["name"] for model, by_chance in _rivals(study, leader).items() if by_chance]
    title += f"; its difference from {join_names(near)} may be chance." if near else "."
    title += _other_formulas(study, leader, styles)
    marked = _models_by_own_marks(study)
    judge = "the marks of its file" if leader["model"] in marked else JUDGES[leader["marks"]]
    note = f"Lower is better. h in {formula}: {human_share}.{_other_h(study, leader)} "
    ways = rows.sort_values("calscore", kind="stable").drop_duplicates("elicitation")
    confidences = [f"{reduction_in_words(way.reduction)} ({way.elicitation})" for way in ways.itertuples()]
    confidences = [words.removeprefix("confidence ") for words in confidences]
    note += f"Confidence {join_names(confidences)}; judged by {judge}."
    drawn = "questions and human teams" if has_teams else "questions"
    note += f" Intervals ({round(100 * study.options['level'])} %) resample {drawn}."
    if len(elicitations) > 1:
        note += f" Dark: {elicitations[0]}; pale: {join_names(elicitations[1:])}; the number is the lowest."
    note += _comparability_notes(rows, styles, marked) + _judging_notes(rows, styles)
    return _chart(title, _ticks(ends, 0.05, decimal), chart_rows, note)


def _models_by_own_marks(study) -> set[str]:
    """Models judged by the marks in their file under every judge, as the study has no texts to judge by."""
    if "findings" not in study:
        return set()
    issues = study["findings"]
    return set(issues.loc[issues["finding"] == "marks in place of the engine", "place"])


def _comparability_notes(rows: pd.DataFrame, styles: dict[str, dict], marked: set[str]) -> str:
    """Notes on models that cannot be compared outright: those in ``marked``, and those scored on fewer questions than others."""
    notes = []
    if names := sorted(styles[model]["name"] for model in marked & set(rows["model"])):
        notes.append(f" {join_names(names)}: judged by the marks of the file alone.")
    most = rows["n_questions"].max()
    for row in rows[rows["n_questions"] < most].drop_duplicates("model").itertuples():
        scored = f"scored on {row.n_questions} of {most} questions"
        notes.append(f" {styles[row.model]['name']}: {scored}, not on the same as others.")
    return "".join(notes)


def reduction_in_words(reduction: str) -> str:
    """How confidence was made of token probabilities or of what the model states, as a noun phrase."""
    name = theme.REDUCTIONS.get(reduction)
    return f"confidence by the {name}" if name else f"confidence as {reduction}"


def _marks_in_words(marks: str) -> str:
    return f"judged by {JUDGES[marks]}"


def _elicitation_clause(reductions: pd.Series) -> str:
    """How the first model's confidence was reduced and that of others, as a clause; "" where all agree.
    ``reductions``: one per model."""
    own, *rivals = map(reduction_in_words, reductions)
    differs = ", ".join(sorted({*rivals} - {own}))
    others = f"{'some ' * (own in rivals)}others: {differs}"
    return f", with {own} ({others.replace('confidence ', '')})" if differs else ""


def _other_formulas(study, leader, styles: dict[str, dict]) -> str:
    """A sentence for each other definition by which another model than the leader has the lowest CalScore."""
    text = ""
    for definition in FORMULAS:
        if definition == leader["definition"]:
            continue
        rows = _calscore_rows(study, "table1", definition)
        own = rows.loc[rows["model"] == leader["model"], "calscore"]
        if own.empty:
            continue
        best = rows.loc[rows["calscore"].idxmin()]
        if best["model"] != leader["model"]:
            rivals = _rivals(study, best)
            by_chance = rivals.pop(leader["model"], None)
            sure = {True: ", which may be chance", False: ", beyond chance", None: ""}[by_chance]
            ties = [styles[model]["name"] for model, may_be in rivals.items() if may_be]
            also = f"; its difference from {join_names(ties)} may be chance" if ties else ""
            text += f" By {FORMULAS[definition][0]} {styles[best['model']]['name']} has, {decimal(best['calscore'])} against {decimal(own.min())}{sure}{also}."
    return text


def _other_h(study, leader) -> str:
    """A note where the printed scores are nearest to those by another h than that of the leader's definition."""
    if "readings" not in study:
        return ""
    table = study["readings"]
    best = table[(table["rank"] == 1) & (table["read_as"] == "calscore")]
    others = best[best["h_definition"] != metrics.DEFINITIONS[leader["definition"]]]
    places = join_names(f"Table {number}" for number in sorted(others["table"].unique()) or [""])
    return f" The scores printed in {places} fit another h better (ledger)." if len(others) else ""


def _rivals(study, leader) -> dict[str, bool]:
    """Model → whether the interval (two-way where there is one) of its difference in CalScore from the
    leader, under the leader's elicitation and marks, holds 0; models without one are left out."""
    if "comparisons" not in study:
        return {}
    pairs = study["comparisons"]
    pairs = pairs[(pairs["kind"] == "models") & (pairs["category"] == "all")]
    pairs = pairs[(pairs["metric"] == "calscore") & (pairs["definition"] == leader["definition"])]
    columns = [f"{name}_{side}" for side in "ab" for name in ("elicitation", "marks")]
    pairs = pairs[(pairs[columns] == [leader["elicitation"], leader["marks"]] * 2).all(axis=1)]
    low, high = (pairs[f"two_way_{end}"].fillna(pairs[end]) for end in ("low", "high"))
    pairs = pairs.assign(low=low, high=high).dropna(subset=["low", "high"])
    rivals = {}
    for one_side, rival in (("model_a", "model_b"), ("model_b", "model_a")):
        for row in pairs[pairs[one_side] == leader["model"]].to_dict("records"):
            rivals[row[rival]] = row["low"] <= 0 <= row["high"]
    return dict(sorted(rivals.items()))


def _judging_notes(rows: pd.DataFrame, styles: dict[str, dict]) -> str:
    """Notes on models whose judge or reduction is not the commonest one of their elicitation."""
    notes = []
    for column, words in (("marks", _marks_in_words), ("reduction", reduction_in_words)):
        usual = rows.groupby("elicitation")[column].agg(lambda values: values.mode().iloc[0])
        differs = rows[rows[column] != rows["elicitation"].map(usual)]
        for value, group in differs.groupby(column):
            names = join_names(sorted({styles[model]["name"] for model in group["model"]}))
            second = join_names(sorted(words(name).removeprefix("confidence ") for name in set(usual)))
            notes.append(f" {names}: {words(value)}, others {second}.")
    return "".join(notes)


ABBREVIATIONS = {
    "RMPSS": "religion, mythology, philosophy and social science",
    "Geo/CE": "geography and current events",
}
"""Categories of quiz bowl that are written short."""


def category_chart(study) -> dict | None:
    """CalScore by merged category, the lowest mean first, a dot for each model; one elicitation.

    None without any score, or where all lie on one step of the axis."""
    rows = _calscore_rows(study, "table5")
    rows = rows[rows["level"] == "merged"]
    if rows.empty:
        return None
    # Of several ways to elicit confidence the first is drawn.
    elicitation, *other_ways = sorted(set(rows["elicitation"]))
    complete, rows = rows, rows[rows["elicitation"] == elicitation]
    styles = model_looks(study, rows["model"])
    ends = _axis(rows["calscore"], 0.05)
    if ends[0] == ends[1]:
        return None
    means = rows.groupby("category")["calscore"].mean().sort_values()
    chart_rows = []
    for category, mean in means.items():
        group = rows[rows["category"] == category]
        marks = [
            _mark(row.calscore, math.nan, math.nan, ends, **styles[row.model]) for row in group.itertuples()
        ]
        questions = count_noun(group["n_questions"].max(), "question")
        chart_rows.append(_row(category, decimal(mean), marks, note=questions))
    several = len(styles) > 1
    formula, _ = FORMULAS[rows["definition"].iloc[0]]
    ends_in_words = f"from {decimal(means.iloc[0])} to {decimal(means.iloc[-1])}"
    title = f"By {formula} {'mean ' * several}CalScore by category runs {ends_in_words}; no difference is tested here."
    note = f"Lower is better{'; the number is the mean over models' * several}."
    judge = rows["marks"].mode().iloc[0]
    note += f" {_marks_in_words(judge).capitalize()}."
    for category in means.index.intersection(list(ABBREVIATIONS)):
        note += f" {category}: {ABBREVIATIONS[category]}."
    if other_ways:
        undrawn = model_looks(study, {*complete["model"]} - {*rows["model"]}).values()
        names = join_names(sorted(look["name"] for look in undrawn) or [""])
        note += f" Confidence: {elicitation}{f'; dots and mean leave out {names}' * bool(names)}."
    note += _judging_notes(rows, styles)
    return _chart(title, _ticks(ends, 0.05, decimal), chart_rows, note, styles.values())
