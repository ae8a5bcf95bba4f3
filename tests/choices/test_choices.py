"""Answer options: the published rows give the published numbers, bad input one clear error."""

import itertools
import json
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.choices import agreement, contrasts, ledger, reading, scoring, tables
from calscore.choices.resamples import change
from calscore.core import config, store
from calscore.core.errors import DataError
from calscore.simulate import choices
from calscore.stats import resample
from calscore.stats.agreement import cohen
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, contents, data_folder, run_snakemake, unknown_keys, workspace

QUESTION_FILE = "simpleQA_with_distractors.csv"
FILES = {
    "normal": "gpt-4o-mini_normal_0_20_results.json",
    "distractor": "gpt-4o-mini_distractors_0_20_results.json",
}
PUBLISHED = yaml.safe_load((ROOT / "config" / "published" / "confidence_gap.yaml").read_text())


@pytest.fixture(scope="module")
def folder():
    return data_folder(f"confidence-gap/{QUESTION_FILE}") / "confidence-gap"


@pytest.fixture(scope="module")
def questions(folder):
    return reading.read_questions(folder / QUESTION_FILE)


@pytest.fixture(scope="module")
def real(folder, questions):
    files = [(folder / name, "gpt-4o-mini", "shared", s) for s, name in FILES.items()]
    return reading.read_all(files, questions[0])[0]


def arrays(results, setting):
    of = results[results["setting"] == setting]
    return of["confidence"].to_numpy(), of["output"].to_numpy()


# --- The real rows -----------------------------------------------------------------------------


def test_the_published_rows_give_the_published_numbers(real):
    resamples = tables.Resamples(real, 200, 0)
    table = tables.scores(real, resamples, {}, 0.95).set_index("reading")
    one = table.loc["release"]
    assert (one["N_n"], one["D_n"]) == (20, 20)
    assert (one["N_right_share"], one["D_right_share"]) == (0.10, 0.55)
    assert (one["N_none"], one["D_none"]) == (1, 0)
    assert (one["helped"], one["harmed"]) == (10, 1)
    assert table["N_ece"].to_dict() == pytest.approx(
        {"release": 0.7050, "attempted": 12.9 / 19, "as_wrong": 0.6550}
    )
    assert round(table.loc["attempted", "N_ece"], 5) == 0.67895
    assert table["D_ece"].to_dict() == pytest.approx(
        {"release": 0.2825, "attempted": 0.2525, "as_wrong": 0.2525}
    )
    assert table.loc["as_wrong", ["N_brier", "D_brier"]].to_list() == pytest.approx(
        [0.53075, 0.306875]
    )


def test_the_numbers_again_with_plain_loops(folder):
    """Straight from the files, without the package."""
    for setting, expected in (("normal", 0.7050), ("distractor", 0.2825)):
        rows = json.loads((folder / FILES[setting]).read_text()).values()
        edges, error = np.arange(0, 1.1, 0.1), 0.0
        assert len(edges) == 11
        for low, high in itertools.pairwise(edges):
            inside = [r for r in rows if low <= r["confidence"] / 100 < high]
            gap = sum(r["output"] for r in inside) - sum(r["confidence"] / 100 for r in inside)
            error += abs(gap) / len(rows)
        assert error == pytest.approx(expected)


def test_readings_say_what_each_choice_moves(real):
    table = tables.readings(real, tables.Resamples(real, 200, 0), {}, 0.95).set_index(
        ["setting", "labels", "edges"]
    )
    assert table.loc[("distractor", "as_wrong", "released"), "ece"] == pytest.approx(0.2825)
    assert table.loc[("distractor", "as_wrong", "released"), "difference"] == pytest.approx(0.03)
    assert table.loc[("normal", "minus_one", "exact"), "difference"] == pytest.approx(0.05)
    assert table.loc[("distractor", "as_wrong", "exact"), "n_edge"] == 1
    assert table.loc[("normal", "as_wrong", "exact"), ["n_none", "n_full"]].to_list() == [1, 0]


def test_faults_of_the_question_file_are_found(questions):
    table, found = questions
    assert len(table) == 4326
    assert table["answer_type"].value_counts()["Other"] == 777
    kinds = pd.Series([one.finding for one in found]).value_counts().to_dict()
    assert kinds == {
        "empty distractor": 9,
        "distractor equal to the answer": 1,
        "blanks around answers": 1,
    }
    empty = [one.detail for one in found if one.finding == "empty distractor"]
    assert all('"nan"' in detail for detail in empty)
    assert any("row 151" in one.place for one in found if "equal" in one.finding)


def test_types_of_the_real_rows_add_up(real, questions):
    resamples = tables.Resamples(real, 200, 0)
    table = tables.by_group(real, questions[0], "answer_type", resamples, {}, 200, 0, 0.95)[0]
    one = table[(table["model"] == "gpt-4o-mini") & (table["reading"] == "as_wrong")]
    assert one.groupby("setting")["n"].sum().to_dict() == {"normal": 20, "distractor": 20}
    assert one.groupby("setting")["right"].sum().to_dict() == {"normal": 2, "distractor": 11}
    assert "Other" in set(one["group"])


# --- Readings ----------------------------------------------------------------------------------


def test_edges_of_the_released_bins():
    c = np.array([0.1, 0.3, 0.6, 0.7, 0.8, 0.29, 1.0, 0.0])
    assert scoring.bins(c, "exact").tolist() == [1, 3, 6, 7, 8, 2, 9, 0]
    assert scoring.bins(c, "released").tolist() == [1, 2, 5, 6, 8, 2, 10, 0]


def test_full_confidence_is_counted_but_not_summed():
    c, output = np.array([1.0, 0.5]), np.array([0, 0])
    assert scoring.ece(c, output, "release") == pytest.approx(0.25)
    assert scoring.ece(c, output, "as_wrong") == pytest.approx(0.75)


def test_nothing_attempted_has_no_error_to_speak_of():
    c, output = np.array([0.5]), np.array([-1])
    assert np.isnan(scoring.ece(c, output, "attempted"))
    assert scoring.ece(c, output, "release") == pytest.approx(1.5)


answers = st.lists(
    st.tuples(st.integers(0, 100), st.sampled_from([1, 0, -1])), min_size=1, max_size=40
)


@given(answers)
def test_readings_agree_where_everything_is_attempted_off_the_edges(rows):
    c = np.array([(7 * p + 1) % 99 / 100 for p, _ in rows])
    c = np.where(np.isin(c, [0.3, 0.6, 0.7]), 0.55, c)
    output = np.array([abs(o) for _, o in rows])
    values = {scoring.ece(c, output, reading) for reading in scoring.READINGS}
    assert max(values) - min(values) < 1e-12


@given(answers)
def test_ece_is_at_most_what_single_answers_give(rows):
    c = np.array([p / 100 for p, _ in rows])
    output = np.array([o for _, o in rows])
    assert 0 <= scoring.ece(c, output, "as_wrong") <= np.abs((output == 1) - c).mean() + 1e-12


def test_a_calibrated_model_is_not_called_miscalibrated():
    rng = np.random.default_rng(5)
    c = rng.choice([0.2, 0.5, 0.8], 400)
    null = scoring.calibrated_draws(c, "exact", 2000, 1)
    shown = [scoring.ece(c, (rng.random(400) < c).astype(int), "as_wrong") for _ in range(300)]
    assert np.mean(shown) == pytest.approx(null.mean(), rel=0.1)
    assert (np.array(shown) > np.quantile(null, 0.95)).mean() < 0.1


# --- Bad input ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    study = choices.simulate({"questions": 30, "annotators": {"answers": 12}}, 3)
    return study


@pytest.fixture()
def written(small, tmp_path):
    choices.write(small, tmp_path)
    questions, _ = reading.read_questions(tmp_path / "options" / "questions.csv")
    path = tmp_path / "options" / choices.file_name("gpt-4o", "shared", "normal")
    return questions, path


def missing_key(document):
    del document["3"]["confidence"]


def changed(key, value):
    def change(document):
        document["3"][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (missing_key, "row 3, column confidence: found None, expected the key to be present"),
        (changed("confidence", "85%"), "column confidence: found '85%', expected a number from 0"),
        (changed("confidence", 850), "column confidence: found 850, expected a number from 0"),
        (changed("confidence", None), "column confidence: found None, expected a number from 0"),
        (changed("confidence", float("nan")), "column confidence: found nan"),
        (changed("confidence", True), "column confidence: found True"),
        (changed("output", 2), "column output: found 2, expected 1"),
        (changed("output", None), "column output: found None"),
        (changed("predicted_answer", None), "column predicted_answer: found None"),
        (changed("question", "Another?"), "column question: found 'Another?', expected the"),
        (changed("gold_answer", "x"), "column gold_answer: found 'x', expected the question"),
        (lambda d: d.update({"99": d["3"]}), "row 99: found '99', expected a row of the question"),
        (lambda d: d.update({"03": d["3"]}), "row 03: found '03', expected a row of the question"),
        (lambda d: d.update({"3": []}), "row 3: found [], expected an object with"),
    ],
)
def test_a_malformed_row_is_one_clear_error(written, change, message):
    questions, path = written
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError) as error:
        reading.read_results(path, questions, "gpt-4o", "shared", "normal")
    assert len(error.value.faults) == 1
    assert message in str(error.value)
    assert path.name in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"3": {}, "3": {}}', "row 3: found '3 twice', expected every key once"),
        ("[]", "found 'list', expected an object of rows"),
        ("{}", "expected an object of rows"),
        ('{"0": ', "expected a JSON object"),
    ],
)
def test_a_malformed_file_is_one_clear_error(written, text, message):
    questions, path = written
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        reading.read_results(path, questions, "gpt-4o", "shared", "normal")
    assert len(error.value.faults) == 1


def test_a_good_file_passes(written):
    questions, path = written
    table, _ = reading.read_results(path, questions, "gpt-4o", "shared", "normal")
    assert not store.faults(table, "option_results", parents={"option_questions": questions})
    assert len(table) == 30


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"{broken",q,a,x,y,z', "row 0, column metadata"),
        ("{},,a,x,y,z", "row 0, column problem"),
        ("{},q, ,x,y,z", "row 0, column answer"),
    ],
)
def test_a_malformed_question_file_is_one_clear_error(tmp_path, line, message):
    path = tmp_path / "q.csv"
    path.write_text("metadata,problem,answer,wrong_answer_1,wrong_answer_2,wrong_answer_3\n" + line)
    with pytest.raises(DataError, match=message):
        reading.read_questions(path)


def test_missing_fields_are_listed(tmp_path):
    path = tmp_path / "q.csv"
    head = "metadata,problem,answer,wrong_answer_1,wrong_answer_2,wrong_answer_3\n"
    path.write_text(head + "{'topic': 'Art'},q,None,x,x,\n")
    table, found = reading.read_questions(path)
    assert [one.finding for one in found] == [
        "missing field",
        "empty distractor",
        "distractors repeat",
        "answer that reads as missing",
    ]
    assert table["answer_type"].isna().all()


def test_rows_in_one_setting_only_are_listed(real):
    less = real[(real["setting"] == "normal") | (real["row"] > 4)]
    found = reading.pairing_findings(less)
    assert [one.detail for one in found] == ["5 rows, first 0"]
    table = tables.scores(less, tables.Resamples(less, 200, 0), {}, 0.95)
    assert table["n_paired"].unique().tolist() == [15]


def test_annotations_are_checked(small, written, tmp_path):
    questions, _ = written
    files = [
        (tmp_path / "options" / choices.file_name(m, "shared", s), m, "shared", s)
        for m in choices.DEFAULTS["models"]
        for s in FILES
    ]
    results, _ = reading.read_all(files, questions)
    path = tmp_path / "annotations.csv"
    good = reading.read_annotations(path, results)
    assert good["annotator"].nunique() == 3
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[2], lines[3].rsplit(",", 1)[0] + ",YES"]) + "\n")
    with pytest.raises(DataError) as error:
        reading.read_annotations(path, results)
    assert [fault.column for fault in error.value.faults] == ["annotator", "verdict"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "option_questions, and option_results"),
        ({"option_result": []}, "did you mean 'option_results'"),
    ],
)
def test_configuration(inputs, message):
    raw = {"studies": {"mine": {"analyses": ["options"], "inputs": inputs}}}
    with pytest.raises(DataError, match=message):
        config.load(raw)


def test_options_and_buzzes_are_two_studies():
    raw = {"studies": {"mine": {"analyses": ["buzz", "options"], "simulate": {"seed": 1}}}}
    with pytest.raises(DataError, match="two studies"):
        config.load(raw)


# --- The simulation and its tables -------------------------------------------------------------


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The simulated study of full size, read back from its files."""
    folder = tmp_path_factory.mktemp("world")
    study = choices.simulate({}, 11)
    choices.write(study, folder)
    questions, _ = reading.read_questions(folder / "options" / "questions.csv")
    roles = {role: e["name"] for role, e in choices.files({}).items() if role != "questions"}
    files = [(folder / "options" / name, *role.split("/")) for role, name in roles.items()]
    results, _ = reading.read_all(files, questions)
    people = reading.read_annotations(folder / "annotations.csv", results)
    return study["truth"], questions, results, people


def test_the_truth_is_recovered(world):
    truth, _, results, _ = world
    resamples = tables.Resamples(results, 300, 0)
    table = tables.scores(results, resamples, {}, 0.95)
    one = table[(table["judging"] == "shared") & (table["reading"] == "as_wrong")]
    misses = 0
    for row in one.itertuples():
        known = truth["models"][row.model]
        parameters = truth["parameters"]["models"][row.model]
        for short, setting in (("N", "normal"), ("D", "distractor")):
            right = known[setting]["right"]
            low, high = (getattr(row, f"{short}_right_share_{end}") for end in ("low", "high"))
            misses += not low <= right <= high
            ece = getattr(row, f"{short}_ece")
            assert ece == pytest.approx(known[setting]["ece_as_wrong"], abs=0.03)
        assert row.N_none_share == pytest.approx(1 - parameters["attempts"], abs=0.02)
        misses += (
            not row.harmed_of_right_low <= parameters["distracted"] <= row.harmed_of_right_high
        )
    assert misses <= 3  # of 18 intervals at 95 %


def test_the_same_seed_gives_the_same_world(small):
    again = choices.simulate({"questions": 30, "annotators": {"answers": 12}}, 3)
    other = choices.simulate({"questions": 30, "annotators": {"answers": 12}}, 4)
    text = [json.dumps(s["questions"]["rows"]) for s in (small, again, other)]
    assert text[0] == text[1] != text[2]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"question": 5}, "did you mean 'questions'"),
        ({"questions": 0}, "a count"),
        ({"models": {"m": {"skill": 1}}}, "attempts, distracted, finds, skill"),
        ({"confidence": 5}, "a mapping"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(DataError, match=message):
        choices.simulate(parameters, 0)


def test_transitions_sum_to_the_margins(world):
    _, _, results, _ = world
    table = tables.transitions(results, {}, 0.95)
    for (judging, model), of in table.groupby(["judging", "model"]):
        assert of["of_all"].sum() == pytest.approx(1)
        assert of["n"].sum() == 4326
        mine = results[(results["judging"] == judging) & (results["model"] == model)]
        after = (mine.loc[mine["setting"] == "distractor", "output"] == 1).sum()
        assert of.loc[of["after"] == "right", "n"].sum() == after


def test_mcnemar_and_helped(world):
    from scipy.stats import binomtest

    _, _, results, _ = world
    some = results[results["row"] < 60]
    resamples = tables.Resamples(some, 200, 0)
    table = tables.comparisons(some, resamples, {}, 0.95)
    one = table[(table["model"] == "gpt-4o") & (table["judging"] == "shared")].iloc[0]
    wide = some[(some["model"] == "gpt-4o") & (some["judging"] == "shared")].pivot(
        index="row", columns="setting", values="output"
    )
    gained = ((wide["normal"] != 1) & (wide["distractor"] == 1)).sum()
    lost = ((wide["normal"] == 1) & (wide["distractor"] != 1)).sum()
    assert (one["gained"], one["lost"]) == (gained, lost)
    assert one["mcnemar_p"] == pytest.approx(binomtest(int(lost), int(gained + lost)).pvalue)
    assert (table["mcnemar_p_holm"] >= table["mcnemar_p"]).all()
    scores = tables.scores(some, resamples, {}, 0.95)
    assert (scores["helped_any"] - scores["harmed_any"] == scores["gain"]).all()
    assert (scores["gain"] - scores["helped_less_harmed"] == scores["gain_unexplained"]).all()


def test_the_sign_of_distraction_turns(world):
    _, _, results, _ = world
    resamples = tables.Resamples(results, 200, 0)
    table = tables.scores(results, resamples, {}, 0.95)
    found = contrasts.distraction(resamples, 0.95)
    found = found[found["judging"] == "shared"].set_index("measure")
    rho = found["spearman"]
    assert rho["harmed, number"] > 0 > rho["harmed, share of right before"]
    one = table[(table["judging"] == "shared") & (table["reading"] == "release")]
    for measure, column in (
        ("harmed, number", one["harmed"]),
        ("harmed, share of helped and harmed", 1 - one["helped_share"]),
        ("harmed, share of right before", one["harmed_of_right"]),
    ):
        assert rho[measure] == pytest.approx(one["N_right"].corr(column, method="spearman"))
    assert (found["spearman_low"] <= rho).all() and (rho <= found["spearman_high"]).all()


def nine(model="m", times=1):
    """Every pair of verdicts, the k-th k times."""
    pairs = [(a, b) for a in (1, 0, -1) for b in (1, 0, -1)]
    rows = [pair for k, pair in enumerate(pairs, 1) for _ in range(k * times)]
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "judging": "shared",
                "setting": setting,
                "row": range(len(rows)),
                "predicted_answer": "x",
                "confidence": 0.5,
                "output": [row[side] for row in rows],
            }
        )
        for side, setting in enumerate(("normal", "distractor"))
    ]
    return pd.concat(parts, ignore_index=True)


def test_helped_and_harmed_as_code_and_text_count():
    results = nine()
    one = tables.scores(results, tables.Resamples(results, 100, 0), {}, 0.95).iloc[0]
    assert (one["helped"], one["helped_any"]) == (4, 4 + 7)
    assert (one["harmed"], one["harmed_any"]) == (2, 2 + 3)
    assert (one["gain"], one["gain_unexplained"]) == (12 - 6, 6 - 2)
    assert one["harmed_of_right"] == pytest.approx(2 / 6)
    assert one["helped_share"] == pytest.approx(4 / 6)


def test_holm_over_models():
    results = pd.concat([nine("a"), nine("b", 2), nine("c", 3)], ignore_index=True)
    table = tables.comparisons(results, tables.Resamples(results, 100, 0), {}, 0.95)
    p = np.sort(table["mcnemar_p"])
    holm = np.maximum.accumulate(p * [3, 2, 1]).clip(max=1)
    assert np.sort(table["mcnemar_p_holm"]) == pytest.approx(holm)


def test_latex_compiles(demo_options, tmp_path):
    compiler = shutil.which("pdflatex")
    if not compiler:
        pytest.skip("pdflatex is not installed")
    names = ("option_scores", "option_types")
    bodies = [(demo_options / "tables" / f"{name}.tex").read_text("utf-8") for name in names]
    head = (
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{booktabs,graphicx}\n"
    )
    document = f"{head}\\begin{{document}}\n{''.join(bodies)}\\end{{document}}\n"
    (tmp_path / "x.tex").write_text(document, encoding="utf-8")
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-1500:]


def test_intervals_are_paired_and_hold_the_value(world):
    _, questions, results, _ = world
    some = results[(results["model"] == "gpt-4o") & (results["row"] < 400)]
    few = questions[questions["row"] < 400]
    resamples = tables.Resamples(some, 400, 0)
    overall = tables.by_group(some, few, "all", resamples, {}, 400, 0, 0.95)[0]
    assert (overall["ece_low"] <= overall["ece"]).all()
    one = tables.comparisons(some, resamples, {}, 0.95).iloc[0]
    assert one["ece_change_as_wrong_low"] <= one["ece_change_as_wrong"]
    again = tables.by_group(some, few, "all", tables.Resamples(some, 400, 0), {}, 400, 0, 0.95)[0]
    pd.testing.assert_frame_equal(overall, again)


# --- Intervals ---------------------------------------------------------------------------------


def test_the_published_rows_have_intervals(real):
    from scipy.stats import binomtest

    resamples = tables.Resamples(real, 1000, 0)
    one = tables.comparisons(real, resamples, {}, 0.95).iloc[0]
    assert (one["gained"], one["lost"], one["right_odds"]) == (10, 1, 10)
    assert one["right_change"] == pytest.approx(0.45)
    assert one["right_change_low"] < 0.45 < one["right_change_high"]
    # the test and the interval say the same of no change
    exact = binomtest(10, 11).proportion_ci(0.95, "exact")
    ends = [exact.low / (1 - exact.low), exact.high / (1 - exact.high)]
    assert one[["right_odds_low", "right_odds_high"]].to_list() == pytest.approx(ends)
    assert (one["mcnemar_p"] < 0.05) == (one["right_odds_low"] > 1)
    assert one["brier_change_as_wrong"] == pytest.approx(0.306875 - 0.53075)
    score = tables.scores(real, resamples, {}, 0.95).iloc[0]
    assert (score["gain"], score["helped_less_harmed"]) == (9, 9)
    ends = 20 * one["right_change_low"], 20 * one["right_change_high"]
    assert (score["gain_low"], score["gain_high"]) == pytest.approx(ends)


def drawn(results, key, replicates=60):
    """Each resample of questions of ``Resamples(results, replicates, 0)``, drawn again answer by answer:
    setting → (confidence, output), the questions in one order."""
    judging, model = key
    weights = resample.bootstrap_weights(results["row"].nunique(), replicates, 0)
    mine = results[(results["judging"] == judging) & (results["model"] == model)]
    of = {
        setting: one.sort_values("row")[["confidence", "output"]].to_numpy()
        for setting, one in mine.groupby("setting")
    }
    for count in weights.astype(int):
        yield {setting: np.repeat(one, count, axis=0).T for setting, one in of.items()}


def test_differences_are_paired_over_the_same_questions(world):
    _, questions, results, _ = world
    some = results[
        results["row"].between(100, 219) & results["model"].isin(["gpt-4o", "gpt-4-turbo"])
    ]
    resamples = tables.Resamples(some, 60, 0)
    compared = tables.comparisons(some, resamples, {}, 0.95).set_index(["judging", "model"])
    read = tables.readings(some, resamples, {}, 0.95).set_index(
        ["judging", "model", "setting", "labels", "edges"]
    )
    few = questions[questions["row"].between(100, 219)]
    means, draws_of_types = tables.by_group(some, few, "all", resamples, {}, 60, 0, 0.95)
    means = means[(means["model"] == "mean") & (means["reading"] == "release")]
    means = means.set_index(["judging", "setting"])
    against = contrasts.contrasts(resamples, {}, {}, 0.95)
    against = against[against["compared"] == "models"].set_index(["judging", "measure"])
    found: dict[str, dict[str, list]] = {}
    for model in ("gpt-4o", "gpt-4-turbo"):
        one = found.setdefault(model, {})
        for sample in drawn(some, ("shared", model)):
            (c, before), (d, after) = sample["normal"], sample["distractor"]
            values = {
                "right_change": (after == 1).mean() - (before == 1).mean(),
                "N_right": (before == 1).mean(),
                "brier": np.mean(((after == 1) - d) ** 2) - np.mean(((before == 1) - c) ** 2),
                "ece": scoring.ece(d, after, "attempted") - scoring.ece(c, before, "attempted"),
                "helped": ((before == 0) & (after == 1)).sum()
                - ((before == 1) & (after == 0)).sum(),
                "reading": scoring.ece(c, before, "release") - scoring.ece(c, before, "as_wrong"),
            }
            for name, value in values.items():
                one.setdefault(name, []).append(value)

    def ends(draws):
        return pytest.approx(np.quantile(draws, [0.025, 0.975]))

    one, other = found["gpt-4o"], found["gpt-4-turbo"]
    row = compared.loc[("shared", "gpt-4o")]
    for column, name in (
        ("right_change", "right_change"),
        ("brier_change_as_wrong", "brier"),
        ("ece_change_attempted", "ece"),
    ):
        assert [row[f"{column}_low"], row[f"{column}_high"]] == ends(one[name])
    row = read.loc[("shared", "gpt-4o", "normal", "minus_one", "released")]
    assert [row["difference_low"], row["difference_high"]] == ends(one["reading"])
    scores = tables.scores(some, resamples, {}, 0.95).set_index(["judging", "model"])
    row = scores.loc[("shared", "gpt-4o")].iloc[0]
    assert [row["helped_less_harmed_low"], row["helped_less_harmed_high"]] == ends(one["helped"])
    row = means.loc[("shared", "normal")]
    both = np.mean([one["N_right"], other["N_right"]], axis=0)
    assert [row["right_share_low"], row["right_share_high"]] == ends(both)
    row = against.loc[[("shared", "right_change")]].iloc[0]
    sign = 1 if row["first"] == "gpt-4o" else -1
    apart = sign * (np.array(one["right_change"]) - other["right_change"])
    assert [row["difference_low"], row["difference_high"]] == ends(apart)
    assert draws_of_types["shared", "normal", "release", "all"][0][1:] == pytest.approx(both)


def test_the_gain_in_right_answers_is_covered():
    """Even with 20 questions: percentile intervals of a paired difference of shares."""
    rng, inside = np.random.default_rng(3), 0
    for world_seed in range(200):
        kind = rng.choice(3, 20, p=[0.4, 0.1, 0.5])
        parts = []
        for setting, right in (("normal", kind == 1), ("distractor", kind == 0)):
            columns = {"row": range(20), "confidence": 0.5, "output": right.astype(int)}
            parts.append(pd.DataFrame(columns).assign(model="m", judging="shared", setting=setting))
        results = pd.concat(parts, ignore_index=True)
        resamples = tables.Resamples(results, 300, world_seed)
        moved = resamples.paired(resamples.totals(), ("shared", "m"))
        _, low, high = change((moved["gained"] - moved["lost"]) / moved["n"], 0.95)
        inside += low - 1e-9 <= 0.3 <= high + 1e-9
    assert 0.9 <= inside / 200 <= 0.99


def test_where_nothing_moves_there_is_no_interval():
    same = nine()
    for verdict in (1, 0):
        still = same.assign(output=verdict)
        resamples = tables.Resamples(still, 100, 0)
        one = tables.comparisons(still, resamples, {}, 0.95).iloc[0]
        assert one["right_change"] == 0
        empty = ["right_change_low", "right_change_high", "right_odds", "right_odds_low"]
        assert one[[*empty, "right_odds_high"]].isna().all()
        # that none of 45 was harmed does not mean that none can be
        assert one["harmed_low"] == 0 < one["harmed_high"] < 10
    gained = same.assign(output=(same["setting"] == "distractor").astype(int))
    one = tables.comparisons(gained, tables.Resamples(gained, 100, 0), {}, 0.95).iloc[0]
    assert one[["right_odds", "right_odds_high"]].isna().all()
    assert one["right_odds_low"] > 5


def test_the_mean_has_intervals_where_every_model_has_five_answers(world):
    _, questions, results, _ = world
    some = results[results["row"] < 200]
    few = questions[questions["row"] < 200]
    for column in ("answer_type", "topic"):
        resamples = tables.Resamples(some, 100, 0)
        table = tables.by_group(some, few, column, resamples, {}, 100, 0, 0.95)[0]
        mean = table[table["model"] == "mean"].set_index(["judging", "setting", "reading", "group"])
        single = table[table["model"] != "mean"].groupby(mean.index.names)
        fewest = single["n_counted"].min().reindex(mean.index)
        for name in ("right_share", "ece"):
            low, high = mean[f"{name}_low"], mean[f"{name}_high"]
            assert (low.notna() == (fewest >= 5)).all()
            assert (low[low.notna()] <= mean.loc[low.notna(), name] + 0.1).all()
            assert (low[low.notna()] < high[low.notna()]).all()
        expected = single["ece_calibrated"].mean().reindex(mean.index)
        assert mean["ece_calibrated"].to_numpy() == pytest.approx(expected.to_numpy())
        assert mean[["ece_calibrated_high", "p_calibrated"]].isna().all(axis=None)


def all_tables(questions, results):
    """Every table of :mod:`calscore.choices.tables` by its file name."""
    resamples = tables.Resamples(results, 100, 0)
    given = results, questions
    more = resamples, {}, 100, 0, 0.95
    types, draws = tables.by_group(*given, "answer_type", *more)
    return {
        "option_scores": tables.scores(results, resamples, {}, 0.95),
        "option_readings": tables.readings(results, resamples, {}, 0.95),
        "option_types": types,
        "option_topics": tables.by_group(*given, "topic", *more)[0],
        "option_overall": tables.by_group(*given, "all", *more)[0],
        "option_reliability": tables.reliability(results, {}, 0.95),
        "option_transitions": tables.transitions(results, {}, 0.95),
        "option_comparisons": tables.comparisons(results, resamples, {}, 0.95),
        "option_distraction": contrasts.distraction(resamples, 0.95),
        "option_contrasts": contrasts.contrasts(resamples, draws, {}, 0.95),
    }


WITHOUT_INTERVAL = {
    "sizes, fixed by who was asked what": r"[ND]_n|n|n_paired|n_counted|n_models|n_none|n_full|n_edge",
    "counts, whose shares beside them have intervals": r"[ND]_right|[ND]_none|right|gained|lost|right_before",
    "answers not attempted of a group, whose shares are given over all questions": "none",
    "bounds of bins": "bin|low|high",
    "where the answers of a bin lie": "confidence",
    "p values": "mcnemar_p|mcnemar_p_holm|p_calibrated",
    "drawn from the null hypothesis": "ece_calibrated|ece_calibrated_high",
}


def test_every_estimate_of_every_table_has_an_interval(world):
    """Or stands in the list above with its reason."""
    _, questions, results, _ = world
    found = all_tables(questions[questions["row"] < 400], results[results["row"] < 400])
    exempt = re.compile("|".join(f"(?:{one})" for one in WITHOUT_INTERVAL.values()))
    for name, table in found.items():
        numeric = [c for c in table.columns if pd.api.types.is_numeric_dtype(table[c])]
        for column in numeric:
            stem = re.sub("_(low|high)$", "", column)
            if exempt.fullmatch(column) or (stem != column and stem in table):
                continue
            ends = [f"{column}_low", f"{column}_high"]
            assert set(ends) <= set(table), f"{name}: {column} has no bounds"
            low, high = (table[end] for end in ends)
            known = table[column].notna() & ~moves_nothing(name, table, column)
            assert (low.notna() & high.notna())[known].all(), f"{name}: {column}"
            assert (low <= high)[known].all(), f"{name}: {column}"
    assert found["option_contrasts"]["compared"].nunique() == 3


def moves_nothing(name, table, column):
    """Rows that rightly have no interval: what compares equal in every resample, and groups of fewer
    than five answers."""
    if name in ("option_readings", "option_contrasts"):
        return table[column] == 0
    if name in ("option_types", "option_topics"):
        # where the mean has one, test_the_mean_has_intervals_where_every_model_has_five_answers says
        return (table["model"] == "mean") | (table["n_counted"] < 5).fillna(False)
    return pd.Series(False, index=table.index)


def test_contrasts_are_differences_of_the_other_tables(world):
    _, questions, results, _ = world
    found = all_tables(questions[questions["row"] < 400], results[results["row"] < 400])
    contrasts = found["option_contrasts"]
    scores = found["option_scores"].set_index(["judging", "model", "reading"])
    compared = found["option_comparisons"].set_index(["judging", "model"])
    types = found["option_types"]
    types = types[types["model"] == "mean"].set_index(["judging", "group", "reading", "setting"])

    def value(row, judging, model):
        if row.measure in scores:
            return scores.loc[(judging, model, row.reading or "release"), row.measure]
        name = f"{row.measure}_{row.reading}" if row.reading else row.measure
        return compared.loc[(judging, model), name]

    for row in contrasts.itertuples():
        if row.compared == "models":
            pair = [value(row, row.judging, model) for model in (row.first, row.second)]
        elif row.compared == "judges":
            pair = [value(row, judging, row.model) for judging in (row.first, row.second)]
        elif row.measure in ("N_ece", "D_right_share"):
            column = "ece" if row.measure == "N_ece" else "right_share"
            setting = "normal" if row.measure == "N_ece" else "distractor"
            reading = row.reading or "release"
            pair = [
                types.loc[(row.judging, kind, reading, setting), column]
                for kind in (row.first, row.second)
            ]
        else:
            continue
        assert row.difference == pytest.approx(pair[0] - pair[1]), row
    counts = contrasts.groupby(["compared", "judging"])[["first", "second"]].nunique()
    models, kinds = results["model"].nunique(), questions["answer_type"].nunique()
    assert (counts.loc["models"] == models - 1).all(axis=None)
    assert (counts.loc["question types"] == kinds - 1).all(axis=None)
    pairs = contrasts.drop_duplicates(["compared", "judging", "model", "first", "second"])
    assert pairs["compared"].value_counts().to_dict() == {
        "models": 2 * models * (models - 1) // 2,
        "question types": 2 * kinds * (kinds - 1) // 2,
        "judges": models,
    }


# --- Agreement ---------------------------------------------------------------------------------


def test_kappas_are_those_of_statsmodels(world):
    from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

    _, _, results, people = world
    table = agreement.agreement(results, people, 300, 0, 0.95)
    wide = people.pivot(index=["model", "setting", "row"], columns="annotator", values="output")
    counts, _ = aggregate_raters(wide.to_numpy())
    fleiss = table[table["statistic"] == "Fleiss"].iloc[0]
    assert fleiss["kappa"] == pytest.approx(fleiss_kappa(counts))
    pair = table[(table["first"] == "A1") & (table["second"] == "A2")].iloc[0]
    cross = pd.crosstab(wide["A1"], wide["A2"]).to_numpy()
    assert pair["kappa"] == pytest.approx(cohens_kappa(cross).kappa)
    assert pair["low"] < pair["kappa"] < pair["high"]
    assert cohen(cross[None].astype(float))[0] == pytest.approx(pair["kappa"])


def test_verdicts_side_by_side_add_up(world):
    _, _, results, _ = world
    table = agreement.confusion(results)
    assert table.groupby(["model", "setting"])["n"].sum().unique().tolist() == [4326]


# --- Ledger ------------------------------------------------------------------------------------


def checked(questions, results, people=None, published=PUBLISHED, simulated=False):
    resamples = tables.Resamples(results, 100, 0)
    types, draws = tables.by_group(results, questions, "answer_type", resamples, {}, 100, 0, 0.95)
    made = {
        "option_scores": tables.scores(results, resamples, {}, 0.95),
        "option_types": types,
        "option_comparisons": tables.comparisons(results, resamples, {}, 0.95),
        "option_distraction": contrasts.distraction(resamples, 0.95),
        "option_contrasts": contrasts.contrasts(resamples, draws, {}, 0.95),
    }
    if people is not None:
        made["judge_agreement"] = agreement.agreement(results, people, 100, 0, 0.95)
    found, partial, intervals = ledger.quantities(questions, **made)
    table = ledger.evaluate(published, found, partial, intervals, simulated)
    assert set(table["status"]) <= set(ledger.STATUSES)
    assert unknown_keys(table, published) == []
    assert table["id"].is_unique
    return table.set_index("id")


def test_ledger_on_the_published_rows(real, questions):
    table = checked(questions[0], real)
    status = table["status"]
    assert status["questions"] == "reproduced"
    assert status["distractors.three"] == status["distractors.incorrect"] == "contradicted"
    assert status["drop.person"] == status["drop.place"] == "reproduced"
    gains = [f"table3.{model}.gain" for model in PUBLISHED["facts"]["table3"]]
    assert {status[f"{g}.not-right-to-right"] for g in gains} == {"internally inconsistent"}
    assert {status[f"{g}.wrong-to-right"] for g in gains} == {"reproduced"}
    assert status["table3.gpt-4o-mini.N_ece"] == "needs unpublished data"
    assert "20 rows at hand: 0.705" in table.loc["table3.gpt-4o-mini.N_ece", "note"]
    absent = table[status == ledger.NOT_IN_SOURCE]
    assert len(absent) == 6 * 9 - 4
    assert (absent["published"] == ledger.NOT_IN_SOURCE).all()
    assert status["distraction.of-right"] == "internally inconsistent"


@pytest.mark.parametrize(
    ("beyond", "status"), [(50, "reproduced"), (200, "internally inconsistent")]
)
def test_right_to_not_attempted_may_explain_a_smaller_gain(real, questions, beyond, status):
    """2.45 % of 4,326 not attempted with options are 106: they explain 50 answers, not 200."""
    one = json.loads(json.dumps(PUBLISHED))
    row = one["facts"]["table3"]["llama3-8b-8192"]
    gain = (float(row["D_right"]) - float(row["N_right"])) * 43.26
    row["helped"] = str(round(gain + float(row["harmed"]) + beyond))
    table = checked(questions[0], real, published=one)
    assert table.loc["table3.llama3-8b-8192.gain.wrong-to-right", "status"] == status


def test_every_percentage_is_checked_against_counts(real, questions):
    table = checked(questions[0], real)
    rows = table[table.index.str.endswith(".count")]
    facts = PUBLISHED["facts"]
    for place, row in rows.iterrows():
        stem, column, _ = place.rsplit(".", 2)
        where, model = stem.split(".", 1)
        text = facts[where][model][column]
        possible = any(abs(100 * k / 4326 - float(text)) <= 0.005 for k in range(4327))
        assert (row["status"] == "reproduced") == possible, place
    assert {"reproduced", "internally inconsistent"} == set(rows["status"])


def test_a_full_study_decides_and_a_changed_number_turns_the_verdict(world):
    """Printed numbers made from the study are reproduced; beside them, contradicted."""
    _, questions, results, people = world
    first = checked(questions, results, people)
    one = json.loads(json.dumps(PUBLISHED))
    value = float(first.loc["table3.gpt-4o.D_ece", "recomputed"])
    assert first.loc["table3.gpt-4o.D_ece", "status"] == "contradicted"
    one["facts"]["table3"]["gpt-4o"]["D_ece"] = f"{value:.3f}"
    again = checked(questions, results, people, one)
    assert again.loc["table3.gpt-4o.D_ece", "status"] == "reproduced"
    assert again.loc["judge.none", "status"] == "reproduced"
    assert again.loc["table1.gpt-4o.N_ece", "status"] == ledger.NOT_IN_SOURCE
    assert again.loc["table1.gpt-4o.N_ece", "recomputed"]


def test_nothing_printed_enters_a_recomputed_number(world):
    _, questions, results, people = world
    one = json.loads(json.dumps(PUBLISHED))
    for row in one["facts"]["table3"].values():
        row.update(dict.fromkeys(row, "1"))
    names = [f"table3.{m}.{c}" for m, row in one["facts"]["table3"].items() for c in row]
    first = checked(questions, results, people).loc[names, "recomputed"]
    again = checked(questions, results, people, one).loc[names, "recomputed"]
    assert first.equals(again)
    assert (first != "").all()


def test_a_simulated_study_compares_nothing_that_needs_data(world):
    _, questions, results, people = world
    status = checked(questions, results, people, simulated=True)["status"]
    assert status["table3.gpt-4o.D_ece"] == "not applicable (simulated)"
    assert status["drop.person"] == "reproduced"


NOT_SAMPLED = {
    "questions": "the question file is counted whole",
    "distractors.three": "the question file is counted whole",
    "distractors.incorrect": "the question file is counted whole",
    "types.all": "the question file is counted whole",
}
"""Rows that the study recomputes without an interval, each with its reason."""


@pytest.mark.parametrize("simulated", [True, False])
def test_everything_recomputed_cites_its_interval(world, simulated):
    """Printed numbers against each other (evidence in the published file alone) are no sample."""
    _, questions, results, people = world
    table = checked(questions, results, people, simulated=simulated)
    recomputed = table[
        (table["recomputed"] != "") & table["evidence"].str.contains("tables/|tidy/")
    ]
    assert len(recomputed) > 150
    assert f"{len(table)} of Confidence Gap" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(recomputed.index[recomputed["intervals"] == ""]) == set(NOT_SAMPLED)
    rest = table[(table["recomputed"] != "") & ~table.index.isin(recomputed.index)]
    assert rest["evidence"].str.fullmatch(r"config/published/confidence_gap\.yaml: .*").all()
    for place, row in recomputed.drop(list(NOT_SAMPLED)).iterrows():
        number = r"-?[\d.]+"
        assert re.search(rf"{number} \[{number}, {number}\] \(", row["intervals"]), place


def test_a_comparison_cites_the_interval_of_the_difference(world):
    """And the study's rows stand beside every printed comparison of models, settings or types."""
    _, questions, results, people = world
    table = checked(questions, results, people)
    written = {one["id"]: one for one in PUBLISHED["claims"]}
    compares = [
        i for i, one in written.items() if re.search(r"[^=!]?[<>]", one.get("predicate", ""))
    ]
    study = [i for i in compares if written[i].get("kind", "study") == "study"]
    assert len(study) > 12
    for place in study:
        cited = table.loc[place, "intervals"]
        assert re.search("_contrasts|changes|distraction", cited), place
    printed = {i for i in compares if written[i].get("kind") == "published"}
    alone = {i for i in printed if not {f"{i}.study", f"{i.rsplit('.', 1)[0]}.study"} & set(study)}
    assert alone == set()
    cited = table.loc["bigger-calibrated.normal.study", "intervals"]
    assert cited.count("model_contrasts.N_ece.") == 9
    one = table.loc["gpt-4o-ece.study"]
    low, high = re.search(r"\[(.*), (.*)\]", one["intervals"]).groups()
    assert (float(high) < 0) == (one["status"] == "reproduced")
    assert float(low) <= float(one["recomputed"]) <= float(high)


def test_fewer_rows_cite_their_interval_beside_the_note(real, questions):
    table = checked(questions[0], real)
    for place in ("table3.gpt-4o-mini.N_ece", "table1.gpt-4o-mini.harmed"):
        assert table.loc[place, "recomputed"] == ""
        assert "on the 20 rows at hand: " in table.loc[place, "intervals"]
    assert table.loc["gpt-4o-ece.study", "status"] == "needs unpublished data"
    assert table.loc["bigger-calibrated.normal.study", "status"] == "needs unpublished data"


# --- The workflow ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo_options(tmp_path_factory):
    folder = workspace(tmp_path_factory.mktemp("demo-options"))
    run_snakemake("--config", "only=demo-options", cwd=folder)
    return folder / "results" / "demo-options"


def test_the_demo_makes_everything(demo_options):
    from calscore.core import catalog

    features = {"options", "own_judge", "annotations", "simulated", "published"}
    missing = [p for p in catalog.available(features) if not (demo_options / p).exists()]
    assert not missing
    assert pd.read_csv(demo_options / "audit" / "unavailable.csv").empty
    figures = sorted(p.name for p in (demo_options / "figures").glob("*.svg"))
    assert len(figures) == 6
    for name in figures:
        assert "SIMULATED DATA" in (demo_options / "figures" / name).read_text(encoding="utf-8")


def test_tables_on_disk_are_valid(demo_options):
    found = {p.stem: store.read(p) for p in (demo_options / "tidy").glob("*.parquet")}
    assert set(found) == {"option_questions", "option_results", "option_annotations"}
    for name, table in found.items():
        assert not store.faults(table, name, parents=found), name


def test_another_run_gives_the_same_bytes(demo_options, tmp_path):
    folder = workspace(tmp_path / "again")
    run_snakemake("--cores", "1", "--config", "only=demo-options", cwd=folder)
    first, second = contents(demo_options), contents(folder / "results" / "demo-options")
    assert first.keys() == second.keys()
    assert len(first) > 30
    assert [name for name in first if first[name] != second[name]] == []


def test_the_report_holds_the_figures(demo_options):
    folder = demo_options.parent.parent
    run_snakemake("--report", "report.html", "--config", "only=demo-options", cwd=folder)
    assert "option_reliability" in (folder / "report.html").read_text(encoding="utf-8")


def test_printed_tables_are_the_csv_rounded(demo_options):
    table = pd.read_csv(demo_options / "tables" / "option_scores.csv")
    text = (demo_options / "tables" / "option_scores.md").read_text(encoding="utf-8")
    for row in table.itertuples():
        assert f"{row.N_ece:.3f} [{row.N_ece_low:.3f}, {row.N_ece_high:.3f}]" in text
        for name in ("N_right_share", "right_change", "harmed_of_right"):
            value, low, high = (
                100 * table.at[row.Index, f"{name}{end}"] for end in ("", "_low", "_high")
            )
            assert f"{value:.2f} [{low:.2f}, {high:.2f}]" in text
        assert row.name in text
    types = pd.read_csv(demo_options / "tables" / "option_types.csv")
    text = (demo_options / "tables" / "option_types.md").read_text(encoding="utf-8")
    for row in types.itertuples():
        assert f"{row.ece:.3f} [{row.ece_low:.3f}, {row.ece_high:.3f}]" in text


def test_the_published_results_run(folder, tmp_path):
    work = workspace(tmp_path / "real")
    arguments = ("--configfile", str(ROOT / "config" / "confidence-gap.yaml"))
    run_snakemake(*arguments, "--config", f"results_dir={folder}", cwd=work)
    results = work / "results" / "confidence-gap"
    table = pd.read_csv(results / "tables" / "option_scores.csv").set_index("reading")
    assert table.loc["release", "N_ece"] == pytest.approx(0.705)
    listed = set(pd.read_csv(results / "audit" / "unavailable.csv")["product"])
    assert "tables/judge_agreement.csv" in listed
    assert not any("table1" in path for path in listed)
    findings = pd.read_csv(results / "audit" / "findings.csv")
    assert (findings["finding"] == "empty distractor").sum() == 9


def test_a_bad_results_file_stops_the_workflow_with_one_message(folder, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in (QUESTION_FILE, *FILES.values()):
        (theirs / name).write_bytes((folder / name).read_bytes())
    path = theirs / FILES["normal"]
    path.write_text(path.read_text().replace('"confidence": 85', '"confidence": "85%"', 1))
    work = workspace(tmp_path / "bad")
    raw = yaml.safe_load((ROOT / "config" / "confidence-gap.yaml").read_text())
    inputs = raw["studies"]["confidence-gap"]["inputs"] | {"results_dir": str(theirs)}
    inputs["option_results"][0]["normal"]["sha256"] = None
    raw["studies"]["confidence-gap"]["inputs"] = inputs
    (work / "bad.yaml").write_text(yaml.safe_dump(raw))
    result = run_snakemake("--configfile", "bad.yaml", cwd=work, check=False)
    output = result.stdout + result.stderr
    assert result.returncode
    assert f"{FILES['normal']}, row 0, column confidence: found '85%'" in output
    assert "Traceback" not in output
    assert not (work / "results" / "confidence-gap" / "tidy" / "option_results.parquet").exists()
