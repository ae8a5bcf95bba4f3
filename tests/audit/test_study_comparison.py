"""Several studies side by side: every number by hand, and the warning where crowds differ."""

import re
from pathlib import Path

import pandas as pd
import pytest
from calscore.audit import plot, study_comparison
from calscore.core import catalog, store, theme
from calscore.core.errors import DataError
from calscore.pages import studies as page
from calscore.runner import config
from support import masthead, outside

# question, clue (0: heard and silent), team → right buzzes; every team of the name heard its questions
HEARD = [("q1", 2, "A", 1), ("q1", 0, "B", 0), ("q2", 1, "A", 0), ("q2", 3, "B", 1), ("q3", 0, "B", 0)]  # fmt: skip
MORE = [("q1", 0, "C", 0)]
SERIES = {"model": "M", "elicitation": "logit", "reduction": "mean_prob", "marks": "engine"}
OTHER = SERIES | {"reduction": "exp_mean_logprob"}


def crowd(rows):
    table = pd.DataFrame(rows, columns=["question_id", "clue", "team", "correct"])
    return table.assign(segmentation="s", buzzes=1, heard=True)


def scores(*rows):
    """(metric, definition, value, low, high, two-way low, two-way high), of each series; one that is not shown first too."""
    columns = ["metric", "definition", "value", "low", "high", "two_way_low", "two_way_high"]
    table = pd.DataFrame(rows, columns=columns).assign(segmentation="s", n_questions=3)
    parts = [table.assign(**SERIES), table.assign(**OTHER, value=9), table.assign(**SERIES, value=8).assign(segmentation="t")]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def live(rows):
    none = float("nan")
    minus = {"n_questions": 3, "difference": 0.1, "question_low": 0.05, "question_high": 0.2}
    every = minus | {"scope": "every clue", "two_way_low": 0.0, "two_way_high": 0.3}
    return {
        "questions": pd.DataFrame({"question_id": ["q1", "q2", "q3"]}),
        "crowd": crowd(rows),
        "model_scores": scores(
            ("calscore", "paper", 0.5, 0.4, 0.6, 0.3, 0.7),
            ("calscore", "release", 0.6, 0.5, 0.7, 0.4, 0.8),
            ("mce", "paper", 0.4, 0.3, 0.5, none, none),
            ("accuracy", "release", 0.8, 0.7, 0.9, none, none),
            ("sh_completed", "paper", 0.2, 0.1, 0.3, none, none),
        ),
        "model_minus_human": pd.DataFrame([SERIES | every, SERIES | minus | {"scope": "last clue"}, OTHER | every]),
        "precision": pd.DataFrame(
            [
                ("all", "human", "human", 0.8, 0.7, 0.9, none, none, none),
                ("all", "M", "model", 0.6, 0.5, 0.7, -0.2, -0.3, -0.1),
                ("all", "model", "model", 0.6, 0.5, 0.7, -0.2, -0.3, -0.1),
                ("Arts", "human", "human", 0.1, 0.0, 0.2, none, none, none),
            ],
            columns=["category", "group", "kind", "value", "low", "high", "difference", "difference_low", "difference_high"],
        ),
    }  # fmt: skip


def answered():
    agents = [("h1", "human", "human, 1 player"), ("h2", "human", "human, 1 player"), ("g", "human", "human, 5 players"), ("S", "ai", "large")]  # fmt: skip
    # Only the last clue of a question enters.
    rows = [("h1", "q1", 1, True), ("h1", "q1", 2, False), ("h2", "q1", 2, True), ("g", "q1", 2, True), ("S", "q1", 1, False), ("S", "q1", 2, True), ("S", "q2", 1, False)]  # fmt: skip
    return {
        "item_list": pd.DataFrame({"question_id": ["q1", "q1", "q2"]}),
        "agents": pd.DataFrame(agents, columns=["agent", "kind", "agent_type"]),
        "agent_responses": pd.DataFrame(rows, columns=["agent", "question_id", "clue", "correct"]),
    }


def options():
    ends = {f"{letter}_{name}{end}": 0.5 for letter in "ND" for name in ("right_share", "ece", "brier") for end in ("", "_low", "_high")}  # fmt: skip
    row = ends | {"N_n": 60, "D_n": 60, "model": "M", "reading": "release"}
    return {
        "option_questions": pd.DataFrame({"row": range(60)}),
        "option_scores": pd.DataFrame([row | {"judging": "own", "N_ece": 0.1}, row | {"judging": "shared", "D_ece": 0.2}, row | {"judging": "shared", "reading": "attempted"}]),
    }  # fmt: skip


def board():
    rows = [("M", "win_rate", "manual", 0.3), ("x", "expected_score", "manual", 0.3), ("x", "expected_score", "code", 0.4), ("M (replayed, logit, tuned)", "win_rate", "manual", 0.5)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["submission", "metric", "reading", "value"])
    return {"leaderboard": table.assign(name=table["submission"], questions=7, low=0.0, high=1.0)}


class Made(dict):
    """A study's tables, as :class:`calscore.core.results_folder.Study` gives them."""

    def __init__(self, name, tables):
        super().__init__(tables)
        self.options = {"primary_segmentation": "s", "primary_definition": "paper", "replicates": 50}  # fmt: skip
        self.options |= {"seed": 1, "level": 0.9, "models": {"M": {"name": "Model"}}}
        self.options["reductions"] = ["mean_prob", "exp_mean_logprob"]
        self.names = {"M": "Model"}
        simulate = {} if name == "simulated" else None
        about = {"name": name, "title": name.title(), "simulate": simulate}
        self.provenance = {"study": about}


def compared(monkeypatch, **made):
    study = lambda folder: Made(folder.name, made[folder.name])  # noqa: E731
    monkeypatch.setattr(study_comparison, "Study", study)
    records = [Path(name, "audit", "provenance.json") for name in made]
    return store.check(study_comparison.compare_studies(records)["studies"], "studies")


# tables of a study → (quantity, scope, model) → value, low, high, questions; None: drawn at random
NOTHING = ("questions", "", "")
CASES = {
    "live": (
        live(HEARD),
        {
            ("questions", "", ""): (3, "", "", ""),
            ("teams", "", ""): (2, "", "", ""),
            ("conversion", "last clue", ""): (2 / 5, None, None, ""),
            ("precision", "", ""): (0.8, 0.7, 0.9, ""),
            ("precision", "live", "M"): (0.6, 0.5, 0.7, ""),
            ("precision_minus_human", "live", "M"): (-0.2, -0.3, -0.1, ""),
            ("calscore", "every clue", "M"): (0.5, 0.3, 0.7, 3),
            ("mce", "every clue", "M"): (0.4, 0.3, 0.5, 3),
            ("accuracy", "last clue", "M"): (0.8, 0.7, 0.9, 3),
            ("minus_crowd", "every clue", "M"): (0.1, 0.0, 0.3, 3),
            ("minus_crowd", "last clue", "M"): (0.1, 0.05, 0.2, 3),
        },
    ),
    "answered": (
        answered(),
        {
            ("questions", "", ""): (2, "", "", ""),
            ("teams", "", ""): (2, "", "", ""),
            ("conversion", "last clue", ""): (1 / 2, None, None, ""),
            ("accuracy", "last clue", "S"): (1 / 2, None, None, 2),
        },
    ),
    "options": (
        options(),
        {("questions", "", ""): (60, "", "", "")}
        | {
            (name, scope, "M"): (0.2 if (name, scope) == ("ece", "with options") else 0.5, 0.5, 0.5, 60)
            for name in ("accuracy", "ece", "brier")
            for scope in ("with options", "without options")
        },
    ),
    "board": (board(), {NOTHING: ("", "", "", ""), ("expected_score", "", "x"): (0.3, 0.0, 1.0, 7), ("win_rate", "live", "M"): (0.3, 0.0, 1.0, 7)}),
    "empty": ({}, {NOTHING: ("", "", "", "")}),
}  # fmt: skip


@pytest.mark.parametrize(("tables", "expected"), CASES.values(), ids=CASES)
def test_what_a_study_says(monkeypatch, tables, expected):
    both = compared(monkeypatch, real=tables, empty={})
    table = both[both["study"] == "real"]
    assert len(both) == len(table) + 1
    text = table.astype(object).where(table.notna(), "")
    found = {
        (row.quantity, row.scope, row.model): (row.value, row.low, row.high, row.questions)
        for row in text.itertuples()
    }
    assert set(found) == set(expected) and len(found) == len(table)
    for key, wanted in expected.items():
        for seen, number in zip(found[key], wanted, strict=True):
            assert number is None or (seen == pytest.approx(number) if number != "" else seen == "")
    assert set(table["warning"].dropna()) == set()


# other studies beside one of two teams → quantity warned of, what the warning counts
WARNED = [
    ({"b": live(HEARD + MORE)}, {"calscore"}, "2 in a, 3 in b"),
    ({"b": live(HEARD)}, set(), ""),
    ({"b": answered()}, set(), ""),
    ({"b": options()}, set(), ""),
    ({"b": live(HEARD + MORE) | {"model_scores": scores()}}, set(), ""),
    ({"b": live(HEARD), "c": live(HEARD + MORE)}, {"calscore"}, "2 in a, 2 in b, 3 in c"),
]


@pytest.mark.parametrize(("others", "quantities", "said"), WARNED)
def test_crowds_of_other_sizes_are_warned_of(monkeypatch, tmp_path, others, quantities, said):
    table = compared(monkeypatch, a=live(HEARD), **others)
    warned = table[table["warning"].notna()]
    assert set(warned["quantity"]) == quantities
    assert all(one.endswith(f": {said}") for one in warned["warning"])
    theme.apply_style()
    figure = plot.studies(table)["studies_side_by_side"]
    over = [ax.get_title() for ax in figure.axes if ax.get_xlabel().startswith("CalScore")]
    assert over == ["\n".join(["not comparable:", *said.split(", ")]) if said else ""]
    theme.save(figure, tmp_path / "one.svg", tmp_path / "one.png")
    made = page.page(table, tmp_path / "one.svg", masthead("All studies"))["studies_page"]
    assert ('id="warning"' in made, f"({said} teams)" in made) == (bool(said), bool(said))


def test_the_page_leads_to_every_study(monkeypatch, tmp_path):
    table = compared(monkeypatch, real=live(HEARD), simulated=answered(), other=options())
    picture = tmp_path / "one.svg"
    picture.write_text("<svg/>")
    made = page.page(table, picture, masthead("All studies"))["studies_page"]
    header = made[made.index("<header") : made.index("</header>")]
    assert re.findall(r'href="([^"]+)"', header) == ["studies.html", *(f"../{one}/index.html" for one in ("real", "simulated", "other"))]  # fmt: skip
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", made))
    assert "simulated (simulated)" in words and "real (simulated)" not in words
    assert "last clue real people 0.400 0." in words
    assert "Model, logit" in words and "Model, live" in words
    assert outside(made) == []


def test_studies_together_are_made_where_there_are_several():
    files = catalog.cross_study_files(config.cross_study_features(["a", "b"]))
    assert sorted(files) == ["figures/studies_side_by_side.png", "figures/studies_side_by_side.svg", "studies.html", "tables/studies.csv"]  # fmt: skip
    assert catalog.cross_study_files(config.cross_study_features(["a"])) == []
    everything = {word for one in catalog.products() for need in one.needs for word in need}
    assert not set(files) & set(catalog.available_files(everything - {"several"}))


def test_no_study_bears_the_name_of_their_folder():
    with pytest.raises(DataError, match="studies"):
        config.load({"studies": {config.TOGETHER: {"simulate": {"seed": 1}}}})
    assert config.load({"studies": {"studies2": {"simulate": {"seed": 1}}}})
