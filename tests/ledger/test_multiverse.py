"""Which computation printed what: every reading against an oracle that shares nothing with the package's scoring."""

import copy
import math
import random

import grace_release
import numpy as np
import pandas as pd
import pytest
from calscore.audit.trace import Trace
from calscore.core import store
from calscore.judging import guess_verdicts
from calscore.ledger import checks, claims, filters, ledger, multiverse, rounding
from calscore.raw import guesses, model_output_files
from calscore.raw.archive import read_members
from calscore.raw.release import parse_packets
from ledger.paper import published, quantities_of
from oracles import readings as oracle
from support import ROOT, configuration
from support import renormalised as r

MODELS = ["M1", "M2", "M3", "M4", "M5", "M6"]
TRIED = {"brier": 6, "ece": 12, "error": 5430, "accuracy": 108}


# --- the search finds the same -----------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(model_outputs, release_dir) -> dict[str, pd.DataFrame]:
    """The tables that the rule takes, made as the workflow makes them; all but the fifth of the judgements trivial."""
    options = configuration("grace")["options"]
    names = (options[name] for name in ("category_aliases", "categories"))
    release = parse_packets(read_members(release_dir / grace_release.ARCHIVE, "buzzbuzz"), *names)
    questions = pd.DataFrame(release.questions)
    rows, _ = model_output_files.parse_guesses(model_outputs, questions, "logit")
    mine, _ = model_output_files.parse_buzzes(model_outputs, questions)
    made = guesses.guess_table(rows)
    conditions = guess_verdicts.met_conditions(made, questions)
    verdicts = made.assign(condition=conditions)[["question_id", "guess", "condition"]]
    verdicts = verdicts.dropna(subset="guess").drop_duplicates(ignore_index=True)
    verdicts = verdicts.assign(verdict="reject", engine="reject", source="engine")
    # Nobody is right under the engine here, which is enough to see that it is another judge.
    made["sent"] = None
    heard = pd.DataFrame(release.buzzes)[["question_id", "team", "kind"]].drop_duplicates()
    return {
        "guesses": made,
        "judgements": verdicts,
        "questions": questions,
        "buzzes": pd.DataFrame(release.buzzes),
        "output_buzzes": pd.DataFrame(mine),
        "exposures": heard,
        "human_buzzes": "release",
    }


@pytest.fixture(scope="module")
def searched(tables) -> dict[str, pd.DataFrame]:
    return multiverse.tables(published(), **tables)


def test_the_search_finds_these_readings_first(searched):
    every = searched["readings"]
    best = every[every["rank"] == 1].set_index(["table", "metric"])["reading"].to_dict()
    adjusted = "calscore · paper · all · authors · buzzed_on_question · release · before_end · start · all"
    assert best == {
        ("1", "brier"): "brier · last · authors",
        ("1", "ece"): "ece · last · authors · exact",
        ("1", "mce"): adjusted,
        ("1", "calscore"): "mce · paper · all · authors",
        ("2", "accuracy"): "accuracy · authors · runs · nearest_up · first",
        ("5", "calscore"): adjusted,
    }
    heads = every[every["rank"] == 1].set_index(["table", "metric"])["columns"]
    assert heads["1", "mce"] == heads["1", "calscore"] == "exchanged"


def test_every_reading_of_the_grid_is_tried_for_every_column(searched, tables):
    every = searched["readings"]
    judges = 2  # authors and engine: nothing was sent otherwise than it is read here
    for (_, metric), of in every.groupby(["table", "metric"]):
        tried = TRIED["error" if metric in ("mce", "calscore") else metric] * judges // 3
        assert set(of["tried"]) == {tried}
        assert of["reading"].is_unique
    assert every["columns"].isin(["as_printed", "exchanged"]).sum() == 3 * 5430 * judges // 3


def test_a_category_without_runs_has_no_error_and_its_column_no_reading(tables):
    questions = tables["questions"].groupby("category").head(1)
    given = tables["guesses"][tables["guesses"]["question_id"].isin(questions["question_id"])]
    given = given[(given["model"] != "M1") | (given["question_id"] != questions["question_id"].iloc[0])]
    runs = rounding.Runs(given, tables["judgements"], questions)
    humans = multiverse.HumanCurveVariants(runs, tables["buzzes"], None, tables["exposures"])
    groups = multiverse.scores_under_variants(runs, humans)
    empty = np.isnan(groups["category"].values).any(axis=0)
    (column,) = np.flatnonzero(empty)
    assert groups["category"].keys[column] == {"model": "M1", "category": questions["category"].iloc[0]}
    assert ("5", "calscore") not in multiverse.rank_readings(groups, published())[1]


def test_a_changed_deviation_is_named(searched, tables):
    given = searched | tables
    given["judgements"] = tables["judgements"].assign(score=0.0, rule="")
    given["clues"] = pd.DataFrame(columns=["segmentation", "question_id", "clue"])
    wanted = [given[name] for name in ("reading_cells", "buzzes", "exposures", "questions")]
    table, options = searched["readings"], {"primary_segmentation": "given"}

    def traced(segmentation: str) -> Trace:
        return Trace(given, options, segmentation, shown=False)

    def failures(table) -> int:
        return oracle.readings(table, *wanted, options, traced, given["output_buzzes"]).failures

    assert failures(table) == 0
    for metric, column, change in (
        ("brier", "deviation_max", 1e-5),
        ("mce", "deviation_max", 1e-5),
        ("calscore", "deviation_mean", 1e-5),
        ("accuracy", "within", 1),
        ("ece", "tried", 1),
    ):
        changed = table.astype({column: float})
        changed.loc[table.index[table["metric"] == metric][2], column] += change
        assert failures(changed) > 0, (metric, column)


def test_the_ledger_says_which_reading_comes_nearest_to_each_column(searched, tables):
    found = quantities_of(searched | {n: tables[n] for n in ("guesses", "questions")})
    rows = claims.evaluate(published(), found, False).set_index("id")
    agreeing = [f"table1.reading.{metric}" for metric in ("brier", "ece", "calscore")]
    assert {*rows["status"][[*agreeing, "table2.reading.accuracy"]]} == {ledger.REPRODUCED}
    for place, count in (("table1.reading.mce", "[4, 6]"), ("table5.reading.calscore", "[8, 36]")):
        row = rows.loc[place]
        assert row[["status", "recomputed"]].tolist() == [ledger.UNDECIDED, count]
        assert "before_end" in row["note"] and "of 3620 readings" in row["note"]
    headings = rows.loc["table1.headings"]
    assert headings["status"] == ledger.CONTRADICTED
    assert headings["recomputed"] == '["calscore", "mce"]'
    # each number has the nearest reading in its note, the verbalized half has none
    assert "gives 0.6929" in rows.loc["table5.logit.gpt-4o.history", "note"]
    assert "nearest" not in rows.loc["table5.verbalized.gpt-4o.history", "note"]
    assert "gives 23.62" in rows.loc["table2.grace.gpt-4.40", "note"]
    assert rows.loc["examples.philosophical-investigations", "status"] == ledger.REPRODUCED


def test_statements_of_the_paper_are_about_its_own_marks():
    rows = pd.DataFrame({"marks": ["adjudicated", "authors", "engine", "strict"]})
    series = {"model": "M1", "elicitation": "logit", "reduction": "exp_mean_logprob"}
    rows = rows.assign(**series, segmentation="a")
    kept, used = filters.paper_rows(rows, "a")
    assert kept["marks"].tolist() == ["authors"] and "authors" in used


def test_nothing_printed_enters_what_is_recomputed(tables, searched):
    """The same scores whatever the paper prints; only what they are compared with changes."""
    other = copy.deepcopy(published())
    scores = other["table1"]["scores"]["logit"]
    for model in scores:
        scores[model] = dict.fromkeys(scores[model], "0.111")
    one = searched["rounding"]
    two = multiverse.tables(other, **tables)["rounding"]
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_buzzes_bear_the_name_of_their_source(tables, searched):
    """Where the study's human side is the outputs', no reading says that it rests on the release's."""
    study = tables | {"buzzes": tables["output_buzzes"], "human_buzzes": "outputs"}
    found = multiverse.tables(published(), **study)
    assert set(found["readings"]["h_source"].dropna()) == {"outputs"}
    of = found["rounding"][found["rounding"]["metric"] == "calscore"]
    release = searched["rounding"]
    assert (of["value"] != release.loc[of.index, "value"]).any()


def test_the_documents_have_these_numbers(searched):
    """Table 1 of the documents: printed, reproduced to four digits, read with its heads exchanged back."""
    lines = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8").splitlines()
    paper = published()
    cells = searched["reading_cells"].query("table == '1'").set_index(["model", "metric"])
    for model in MODELS:
        (line,) = [one for one in lines if one.startswith(f"| {paper['models'][model]} | .")]
        text = {k: v.lstrip("0") for k, v in paper["table1"]["scores"]["logit"][model].items()}
        again = {k: f"{cells.loc[(model, k), 'recomputed']:.4f}".lstrip("0") for k in text}
        assert [cell.strip() for cell in line.split("|")[2:-1]] == [
            f"{text['mce']}, {text['calscore']}",
            f"{again['mce']}, {again['calscore']}",
            f"{text['calscore']}, {text['mce']}",
            f"{text['brier']}, {again['brier']}",
            f"{text['ece']}, {again['ece']}",
        ]


# --- what the rounding of confidences allows ---------------------------------------------------


def test_the_range_of_rounding_by_hand():
    # One right answer, printed −0.10, one wrong, printed −0.50, of two questions.
    right, logs = [True, False], [-0.1, -0.5]
    low, high = rounding.rounding_range("brier", right, logs)
    assert low == pytest.approx(((1 - math.exp(-0.095)) ** 2 + math.exp(-0.505) ** 2) / 2)
    assert high == pytest.approx(((1 - math.exp(-0.105)) ** 2 + math.exp(-0.495) ** 2) / 2)
    low, high = rounding.rounding_range("calscore", right, logs, [0, 1], [0.5, 1.0])
    assert low == pytest.approx(1 - (r(0.5 * math.exp(-0.095)) + r(-math.exp(-0.505))) / 2)
    assert high == pytest.approx(1 - (r(0.5 * math.exp(-0.105)) + r(-math.exp(-0.495))) / 2)
    # A confidence is at most 1: −0.0 may have been −0.005, and not above.
    low, high = rounding.rounding_range("brier", [True], [-0.0])
    assert (low, high) == (0.0, pytest.approx((1 - math.exp(-0.005)) ** 2))


@pytest.mark.parametrize("seed", range(40))
def test_no_ece_that_can_have_been_lies_outside_its_range(seed):
    """Confidences near the edges of bins, which may count on either side; ECE by plain loops."""
    rng = random.Random(seed)
    n = rng.choice([3, 6, 12])
    logs = [round(math.log(rng.choice([0.3, 0.5, 0.7, 0.9, 0.95, 0.2])) + rng.uniform(-0.006, 0.006), 2) for _ in range(n)]  # fmt: skip
    right = [rng.random() < 0.5 for _ in range(n)]
    low, high = rounding.rounding_range("ece", right, logs)
    seen = []
    for _ in range(2000):
        c = [math.exp(min(x + rng.choice([-0.005, 0.005, rng.uniform(-0.005, 0.005)]), 0)) for x in logs]  # fmt: skip
        bins: dict[int, float] = {}
        for g, one in zip(right, c, strict=True):
            k = min(int(one * 10), 9)
            bins[k] = bins.get(k, 0.0) + g - one
        seen.append(sum(map(abs, bins.values())) / n)
    assert low - 1e-12 <= min(seen) and max(seen) <= high + 1e-12
    # and it is not much wider than what was seen
    assert high - low <= max(seen) - min(seen) + 0.02


def test_the_range_of_a_published_score_holds_it(searched):
    of = searched["rounding"]
    assert len(of) == 6 * 2 * 2 * 4
    assert ((of["low"] <= of["value"]) & (of["value"] <= of["high"])).all()
    assert store.validation_errors(of, "rounding") == []


def test_checks_see_what_is_wrong(searched):
    every, cells, ends = (searched[name] for name in ("readings", "reading_cells", "rounding"))
    assert not checks.deviations_of_the_best(cells, every).failures
    assert not checks.ends_of_rounding(ends).failures
    off = cells.assign(recomputed=cells["recomputed"] + 0.001)
    assert checks.deviations_of_the_best(off, every).failures
    assert checks.ends_of_rounding(ends.assign(low=0.99)).failures
