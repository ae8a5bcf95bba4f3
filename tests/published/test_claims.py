"""The ledger: expected statuses on the real release, and what makes a row change."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.clues import segment
from calscore.core import store
from calscore.core.errors import DataError
from calscore.published import claim_intervals, claims
from calscore.stats import resample
from support import ROOT

ARCHIVE = "[public]ALL_final_buzzpoints_enc.zip"
MERGED = {
    "Arts": ("Arts", "Music", "Painting"),
    "History": ("Hist",),
    "Literature": ("Lit", "World/Other"),
    "RMPSS": ("Religion", "Social Science", "Myth", "Philosophy"),
    "Science": ("Bio", "Physics", "Chem", "Sci"),
    "Geo/CE": ("Geo/CE",),
}


@cache
def published() -> dict:
    with (ROOT / "config" / "published" / "grace.yaml").open(encoding="utf-8") as handle:
        return yaml.safe_load(handle)


def release_folder() -> Path:
    folder = Path(os.environ.get("GRACE_RELEASE", ROOT.parent / "shared" / "data" / "grace"))
    if not (folder / ARCHIVE).exists():
        pytest.skip(f"the GRACE release is not in {folder} (set GRACE_RELEASE)")
    return folder


def _team_rows(questions, buzzes, declared):
    heard = {
        (key, team)
        for key, entry in zip(questions["question_id"], declared, strict=True)
        for team in entry["total_human_teams"]
        if re.fullmatch(r"[HM]\d+", team)
    }
    heard |= set(zip(buzzes["question_id"], buzzes["team"], strict=True))
    frame = pd.DataFrame(sorted(heard), columns=["question_id", "team"])
    frame["packet"] = frame["question_id"].str[1:3].astype(int)
    frame["kind"] = np.where(frame["team"].str.startswith("H"), "human", "model")
    return frame.assign(source="declared")


def _curve(cut, buzzes, exposures):
    """h of every clue by plain counting, apart from the package's own code."""
    parts = []
    humans = buzzes[buzzes["kind"] == "human"]
    heard = exposures[exposures["kind"] == "human"].groupby("question_id").size()
    by_question = {key: part for key, part in humans.groupby("question_id")}
    for row in cut.itertuples():
        mine = by_question.get(row.question_id, humans.iloc[:0])
        last = row.revealed == 1
        so_far = mine if last else mine[mine["word_index"] < row.end_word]
        right = int(so_far["correct"].sum())
        for name, total in (
            ("buzzed_so_far", len(so_far)),
            ("buzzed_on_question", len(mine)),
            ("heard", int(heard.get(row.question_id, 0))),
        ):
            key = (row.segmentation, name, row.question_id, row.clue)
            parts.append((*key, right, total, right / total if total else 0.0))
    names = ["segmentation", "h_definition", "question_id", "clue", "correct", "total", "h"]
    return pd.DataFrame(parts, columns=names)


def _teams(cut, buzzes):
    """Counts and the two quartile rules that the ledger uses."""
    at = buzzes.assign(clue=segment.assign(cut, buzzes))
    last = cut["clue"].max()
    rows = []
    for (team, kind), part in at.groupby(["team", "kind"]):
        right = part[part["correct"]]
        rows.append((team, kind, len(right), int((last + 1 - right["clue"]).sum())))
    teams = pd.DataFrame(rows, columns=["team", "kind", "score_paper", "score_release"])
    human = teams["kind"] == "human"
    for rule in ("paper", "release"):
        score = teams.loc[human, f"score_{rule}"]
        edges = np.percentile(score, [25, 50, 75])
        quartile = 1 + (score.to_numpy()[:, None] > edges).sum(axis=1)
        teams[f"quartile_{rule}"] = pd.array([None] * len(teams), dtype="Int64")
        teams.loc[human, f"quartile_{rule}"] = quartile
    return teams


@cache
def release_tables() -> dict[str, pd.DataFrame]:
    """The tidy tables straight from the raw JSON."""
    folder = release_folder()
    questions, buzzes = [], []
    with zipfile.ZipFile(folder / ARCHIVE) as archive:
        archive.setpassword(b"buzzbuzz")
        for packet in range(1, 13):
            name = f"[public]ALL_final_buzzpoints/packet{packet}_buzzpoints.json"
            for number, raw in enumerate(json.loads(archive.read(name)), start=1):
                key, text = f"p{packet:02d}-q{number:02d}", raw["question"]
                matches = (
                    name
                    for name, parts in MERGED.items()
                    if any(p in raw["category"] for p in parts)
                )
                questions.append(
                    {
                        "question_id": key,
                        "packet": packet,
                        "category": next(matches),
                        "category_raw": raw["category"],
                        "text": text,
                        "answerline": raw["answer"],
                        "n_words": len(text.split()),
                        "n_chars": len(text),
                        "n_sentences": len(segment.sentences(text)),
                    }
                )
                for entry in raw["position"]:
                    ((word, mark),) = entry.items()
                    team, sign = re.fullmatch(r"\[(\w+), ([+-])\]", mark).groups()
                    kind = "human" if team.startswith("H") else "model"
                    buzzes.append((key, team, kind, int(word), sign == "+"))
    questions = pd.DataFrame(questions)
    names = ["question_id", "team", "kind", "word_index", "correct"]
    buzzes = pd.DataFrame(buzzes, columns=names)
    with (folder / "human_team_per_question.pkl").open("rb") as handle:
        exposures = _team_rows(questions, buzzes, pickle.load(handle))
    cut = segment.cut(questions, ["sentence-100", "sentence-35"])
    main = cut[cut["segmentation"] == "sentence-100"]
    return {
        "questions": questions,
        "buzzes": buzzes,
        "exposures": exposures,
        "clues": cut,
        "human_curve": _curve(cut, buzzes, exposures),
        "teams": _teams(main, buzzes),
    }


@cache
def release_quantities() -> dict:
    return claims.quantities(release_tables())


def statuses(paper: dict, quantities: dict, simulated: bool = False) -> dict[str, str]:
    ledger = claims.evaluate(paper, quantities, simulated)
    return dict(zip(ledger["id"], ledger["status"], strict=True))


@cache
def ledger() -> pd.DataFrame:
    return claims.evaluate(published(), release_quantities(), False).set_index("id")


def with_claim(**claim) -> dict:
    """The published file with one claim instead of its own."""
    return {**published(), "claims": [{"section": "§0", "statement": "a statement", **claim}]}


def models() -> list[tuple[str, str]]:
    scores = published()["table1"]["scores"]
    return [(elicitation, model) for elicitation in scores for model in scores[elicitation]]


def simulated_scores(shift: float = 0.0) -> dict[str, pd.DataFrame]:
    """model_scores and question_scores that hold the printed numbers, shifted."""
    rows, per_question = [], []
    paper = published()
    questions = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(6)],
            "packet": 1,
            "category": sorted(paper["table5"]["calscore"]["logit"]["M1"]),
            "category_raw": "x",
            "text": "one two three",
            "answerline": "one",
            "n_words": 3,
            "n_chars": 13,
            "n_sentences": 1,
        }
    )
    for elicitation, model in models():
        where = {"segmentation": "sentence-100", "definition": "paper", "model": model}
        where |= {"elicitation": elicitation, "reduction": "stated"}
        for metric, value in paper["table1"]["scores"][elicitation][model].items():
            rank = paper["table1"]["ranks"][elicitation][model][metric]
            rows.append({**where, "metric": metric, "value": float(value) + shift, "rank": rank})
        for q in questions.itertuples():
            score = float(paper["table5"]["calscore"][elicitation][model][q.category]) + shift
            per_question.append(
                {**where, "question_id": q.question_id, "calscore": score, "mce": score}
            )
    return {
        "questions": questions,
        "model_scores": pd.DataFrame(rows),
        "question_scores": pd.DataFrame(per_question),
    }


# --- On the real release ---

EXPECTED = """
reproduced: buzzes.total questions.sets questions.packets questions.stratified teams.human
reproduced: teams.models matches.arithmetic matches.slots.bound sentences.mean.arithmetic
reproduced: clue.words clue.characters.sentence-35 words.range.characters-mean sentences.mean
reproduced: distribution.literature distribution.history distribution.science distribution.arts
reproduced: distribution.geography distribution.myth distribution.parts survey.questions.welcome
reproduced: table1.calscore-above-mce table1.higher-than-ece-brier table1.gap-widens.trend
reproduced: table1.ranks.logit table1.ranks.verbalized table1.correlates readme.contains-buzzes
reproduced: category.humans-best-literature category.literature-weak category.science-well
reproduced: table2.trickme-80-at-60 figure5.top-models-under-half.table2 quartiles.sizes
reproduced: appendix-l.logit.gpt-4o-best.arts appendix-l.logit.gpt-4o-best-model.arts
reproduced: appendix-l.logit.llama-2-highest.arts appendix-l.logit.llama-2-worst-model.literature
reproduced: appendix-l.verbalized.gpt-4o-lowest.arts appendix-l.verbalized.gpt-4o-lowest.science
reproduced: appendix-l.verbalized.llama-2-own.literature table5.caption.verbalized-worse
reproduced: table5.caption.logit-worse table5.caption.struggle.gpt-4.logit prizes.total
reproduced: figure4.incorrect.gpt-4.per-question figure4.incorrect.gpt-4.release
reproduced: buzzes.share-wrong respondents.specialisations range.release.buzzed_on_question
reproduced: range.logit.gpt-4.so-far range.logit.gpt-4.heard range.exchanged.logit.gpt-4.so-far
reproduced: range.logit.mistral-7b-instruct.heard range.verbalized.llama-2-70b-chat.on-question
reproduced: range.exchanged.logit.llama-2-70b-chat.heard figure4.not-all-humans.total-correct
reproduced: figure4.overconfident-early.gpt-4.per-match sentences.total
contradicted: questions.released words.range words.range.characters clue.characters
contradicted: clue.words.sentence-35 category.gpt-4o-over-humans category.gpt-4-under-humans
contradicted: figure4.q4-over-twice.per-question figure4.q4-over-twice.release figure3.h1
contradicted: figure4.gpt-4-below-half.per-question figure4.mistral-lags.per-question
contradicted: figure4.incorrect.gpt-4o.per-question figure4.incorrect.gpt-4o.per-match
contradicted: figure4.models-wrong-more-often.per-match figure4.peak-in-middle.per-match
contradicted: range.logit.llama-2-70b-chat.so-far range.logit.llama-2-70b-chat.on-question
contradicted: range.exchanged.logit.llama-2-70b-chat.so-far figure3.gpt-4o pay.minimum-wage
contradicted: examples.alice-walker quartiles.rule figure4.stronger-humans.total-correct
internally inconsistent: table5.mean.is-calscore table5.mean.is-mce table5.mean.appendix-b
internally inconsistent: h.cumulative h.share-of-humans sh.weights pay.editors
internally inconsistent: eq2.text eq3.probability thresholds.scale table2.two-to-four
internally inconsistent: appendix-l.logit.gpt-4o-best-model.science
internally inconsistent: appendix-l.logit.gpt-4o-excels.history
internally inconsistent: appendix-l.logit.gpt-4o-excels.literature
internally inconsistent: appendix-l.logit.llama-2-own-highest.arts
internally inconsistent: appendix-l.logit.llama-2-own-worst.literature
internally inconsistent: appendix-l.verbalized.mistral-own.literature
internally inconsistent: appendix-l.verbalized-improves.mistral
internally inconsistent: appendix-l.verbalized-improves.llama-3.1-8b
internally inconsistent: appendix-l.verbalized-improves.llama-3.1-70b table5.caption.science.logit
internally inconsistent: table5.caption.struggle.gpt-4.verbalized
internally inconsistent: clue.words-and-characters categories.six.appendix-b readme.g
needs unpublished data: table1.logit.gpt-4.calscore table1.verbalized.gpt-4o.ece.rank
needs unpublished data: table5.logit.gpt-4.geo-ce table2.grace.gpt-4.20 table2.trickme.gpt-4o.100
needs unpublished data: figure5.humans-rise figure6.models-below-45 survey.players matches.total
needs unpublished data: figure4.q4-over-twice.per-match figure4.q4-highest.per-match
needs unpublished data: figure4.incorrect.gpt-4.per-match eq3.approximates examples.before-clues
needs unpublished data: figure4.overconfident-early.per-match
needs unpublished data: examples.philosophical-investigations range.logit.llama-2-70b-chat.heard
needs unpublished data: range.verbalized.llama-2-70b-chat.so-far
needs unpublished data: range.exchanged.verbalized.mistral-7b-instruct.so-far
"""


def test_expected_statuses_on_the_release():
    found = statuses(published(), release_quantities())
    wrong = {
        (name, found.get(name))
        for line in EXPECTED.strip().splitlines()
        for name in line.split(": ")[1].split()
        if found.get(name) != line.split(": ")[0]
    }
    assert not wrong


def test_table5_averages_to_the_column_headed_mce():
    for elicitation, model in models():
        slug = published()["models"][model].lower()
        row = ledger().loc[f"table5.mean.{elicitation}.{slug}"]
        printed = published()["table1"]["scores"][elicitation][model]
        assert row["status"] == claims.INCONSISTENT
        assert abs(float(row["recomputed"]) - float(printed["mce"])) <= 0.00055
        assert abs(float(row["recomputed"]) - float(printed["calscore"])) > 0.003
    assert ledger().loc["table5.mean.is-mce", "recomputed"] == "12"
    assert ledger().loc["table5.mean.is-calscore", "recomputed"] == "0"


def test_recomputed_values_by_hand():
    rows = ledger()["recomputed"]
    assert rows["buzzes.total"] == "1749"
    assert json.loads(rows["words.range"])[1] == pytest.approx(102.4125)
    assert float(rows["words.range.characters-outside"]) == pytest.approx(57 / 240)
    assert json.loads(rows["category.gpt-4o-over-humans"]) == ["History", "Literature"]
    assert json.loads(rows["respondents.specialisations"]) == [23, 46]
    assert json.loads(rows["eq3.probability"])[1] < 0.0012
    assert rows["matches.slots.bound"] == "123"
    curve = release_tables()["human_curve"].query("segmentation == 'sentence-100'")
    h = curve.pivot(index=["question_id", "clue"], columns="h_definition", values="h")
    differ = (h["buzzed_so_far"] != h["heard"]).mean()
    assert float(rows["h.share-of-humans"]) == pytest.approx(differ)
    assert float(rows["sentences.total"]) == pytest.approx(1238 + 3 * 1238 / 240)


def test_figure4_of_one_team_by_hand():
    """GPT-4: 157 buzzes (95 right) on 200 questions heard."""
    curves = release_quantities()["curves"].value
    assert curves["per-question"]["correct"]["M1"][-1] == pytest.approx(95 / 200)
    assert curves["per-question"]["incorrect"]["M1"][-1] == pytest.approx(62 / 200)
    tables = release_tables()
    main = tables["clues"][tables["clues"]["segmentation"] == "sentence-100"]
    heard = tables["exposures"].query("team == 'M1'")["question_id"]
    clues_heard = main["question_id"].isin(heard).sum()
    assert curves["release"]["correct"]["M1"][-1] == pytest.approx(95 / clues_heard)
    assert all(np.diff(curves["per-question"]["correct"]["Q4"]) >= 0)


def test_every_row_is_complete():
    frame = ledger()
    assert list(claims.evaluate(published(), {}, False).columns) == claims.COLUMNS
    assert frame.index.is_unique
    assert set(frame["status"]) <= set(claims.STATUSES)
    assert (frame["section"] != "").all() and (frame["statement"] != "").all()
    decided = frame[frame["status"] != claims.UNPUBLISHED]
    assert (decided["predicate"] != "").all() and (decided["recomputed"] != "").all()
    assert decided["evidence"].str.match(r"[\w/]+\.(parquet|yaml|py)( with \S+)?: .").all()
    missing = frame[frame["status"] == claims.UNPUBLISHED]
    assert missing["note"].str.contains("needs: ").all()
    assert not frame["note"].str.contains(r"\{|\}|unknown here").any()


def test_evidence_names_the_rows_that_were_used():
    tables, evidence = release_tables(), ledger()["evidence"]
    buzzes = tables["buzzes"].merge(tables["questions"], on="question_id")
    literature = buzzes.query("team == 'M1' and category == 'Geo/CE'")
    row = claims.evaluate(
        with_claim(id="a", predicate="by_category.M1['Geo/CE'].correct > 0"),
        release_quantities(),
        False,
    ).set_index("id")
    assert row.loc["a", "evidence"] == (
        "tidy/buzzes.parquet with tidy/questions.parquet:"
        f" team = M1, category = Geo/CE ({len(literature)} rows)"
    )
    both = "tidy/buzzes.parquet with tidy/questions.parquet: kind = human (1371 rows) | team = M1"
    assert evidence["category.gpt-4-under-humans"] == f"{both} (157 rows)"
    assert evidence["figure3.h1"] == "tidy/buzzes.parquet: question_id = p10-q04 (7 rows)"
    assert evidence["mistral.weaker.per-buzz"] == (
        "tidy/buzzes.parquet: team = M1 (157 rows) | team = M2 (128 rows) | team = M3 (93 rows)"
    )
    assert evidence["pay.minimum-wage"].endswith("facts.minimum_wage.law")
    rows = (tables["clues"]["segmentation"] == "sentence-35").sum()
    assert f"h_definition = heard ({rows} rows)" in evidence["range.logit.gpt-4.heard"]
    assert "buzzed_so_far" not in evidence["range.logit.gpt-4.heard"]
    everything = evidence[evidence.str.contains("buzzes.parquet: all ")].index
    assert set(everything) == {"buzzes.total", "readme.contains-buzzes"}


def test_attainable_range_depends_on_h():
    """The highest attainable score under each reading, and what the row of .921 says of it."""
    highest = {"so-far": (0.786, 0.805), "on-question": (0.869, 0.888), "heard": (0.910, 0.922)}
    for reading, ends in highest.items():
        row = ledger().loc[f"range.logit.llama-2-70b-chat.{reading}"]
        found = json.loads(row["recomputed"])
        assert [round(found[s][1], 3) for s in ("sentence-100", "sentence-35")] == list(ends)
    row = ledger().loc["range.logit.llama-2-70b-chat.so-far"]
    assert "h of §4.1" in row["statement"] and row["published"] == "0.921"
    assert "h of §4.3, the share of the human teams that have answered correctly:" in row["note"]
    assert "only under sentence-35 (highest sentence-100 0.9099" in row["note"]
    assert "a clue after each word: 0.8206" in row["note"]
    rows = [key for key in ledger().index if re.match(r"range\.(exchanged\.)?(logit|verb)", key)]
    assert len(rows) == 2 * 12 * 3


def test_figure4_per_match_on_the_knife_edge():
    """2 · matches of Q4 > right buzzes: 19 + 23 + 13 matches are just the 55 there are."""
    row = ledger().loc["figure4.q4-over-twice.per-match"]
    peak, right = json.loads(row["recomputed"])
    assert peak == pytest.approx(10.05) and right == [95, 111, 62]
    least = [2 * one // peak + 1 for one in right]
    assert least == [19, 23, 13]
    assert "M1 19, M2 23, M3 13" in row["note"]
    assert "together 55 of the 55: the statement holds for 1 of the 435 ways" in row["note"]
    changed = copy.deepcopy(published())
    changed["facts"]["matches"] |= {"human_model": 54}
    found = claims.evaluate(changed, release_quantities(), False).set_index("id")
    assert found.loc[row.name, "status"] == claims.CONTRADICTED
    most = json.loads(ledger().loc["figure4.incorrect.gpt-4o.per-match", "recomputed"])[0][1]
    assert most == pytest.approx(17 / 9)


@pytest.mark.parametrize(
    ("truths", "status"),
    [
        ("[True, True]", claims.REPRODUCED),
        ("[False, False]", claims.CONTRADICTED),
        ("[True, False]", claims.UNPUBLISHED),
        ("[]", claims.UNPUBLISHED),
    ],
)
def test_possibilities_must_agree(truths, status):
    claim = {"id": "a", "value": "n_buzzes", "predicate": truths, "undecided": "the match records"}
    row = claims.evaluate(with_claim(**claim), release_quantities(), False).set_index("id").loc["a"]
    assert row["status"] == status and row["recomputed"] == "1749"
    assert ("needs: the match records" in row["note"]) == (status == claims.UNPUBLISHED)


def test_expressions_in_a_note():
    note = "{{ {'n': n_buzzes, 'third': 1 / 3} }} of {{ tally.M9.ratio }}, {{ [] }}"
    claim = {"id": "a", "predicate": "n_buzzes > 0", "note": note}
    row = claims.evaluate(with_claim(**claim), release_quantities(), False).set_index("id").loc["a"]
    assert row["note"] == "n 1749, third 0.3333 of unknown here, none"
    assert row["evidence"] == "tidy/buzzes.parquet: all 1749 rows"


def test_no_printed_number_enters_a_recomputed_one():
    """Every printed number changed: what is computed from the tables stays as it is."""
    changed = copy.deepcopy(published())
    for claim in changed["claims"]:
        if isinstance(claim.get("published"), (int, float)):
            claim["published"] += 1000
    for table, key in (("table1", "scores"), ("table5", "calscore"), ("table2", "accuracy")):
        for rows in changed[table][key].values():
            for row in rows.values():
                row |= {name: "77" for name in row}
    found = claims.evaluate(changed, release_quantities(), False).set_index("id")
    same = [
        one["id"]
        for one in claims.all_claims(published())
        if one.get("value") and "printed" not in one["value"] and "published" not in one["value"]
    ]
    assert len(same) > 300
    assert (found.loc[same, "recomputed"] == ledger().loc[same, "recomputed"]).all()


# --- What changes a row ---


@pytest.mark.parametrize(
    "place", ["buzzes.total", "teams.human", "clue.words", "distribution.arts"]
)
def test_mutated_number_flips_its_row_and_no_other(place):
    changed = copy.deepcopy(published())
    claim = next(one for one in changed["claims"] if one["id"] == place)
    claim["published"] += 1
    before, after = (statuses(one, release_quantities()) for one in (published(), changed))
    assert {key for key in before if before[key] != after[key]} == {place}
    assert after[place] == claims.CONTRADICTED


def test_mutated_table_number_flips_what_depends_on_it():
    changed = copy.deepcopy(published())
    changed["table1"]["scores"]["logit"]["M4"]["calscore"] = "0.700"
    before, after = (statuses(one, {}) for one in (published(), changed))
    assert before["table1.calscore-above-mce"] == claims.REPRODUCED
    assert after["table1.calscore-above-mce"] == claims.INCONSISTENT
    assert after["table1.ranks.logit"] == claims.INCONSISTENT


@pytest.mark.parametrize(("shift", "status"), [(0.0004, "reproduced"), (0.0006, "contradicted")])
def test_table1_rows_within_rounding(shift, status):
    found = statuses(published(), claims.quantities(simulated_scores(shift)))
    places = [f"table1.{e}.{published()['models'][m].lower()}.mce" for e, m in models()]
    assert {found[place] for place in places} == {status}
    assert {found[f"{place}.rank"] for place in places} == {"reproduced"}


def test_table5_rows_within_rounding():
    exact = statuses(published(), claims.quantities(simulated_scores()))
    beside = statuses(published(), claims.quantities(simulated_scores(0.0001)))
    rows = [key for key in exact if re.fullmatch(r"table5\.(logit|verbalized)\..*", key)]
    assert len(rows) == 72
    assert {exact[key] for key in rows} == {"reproduced"}
    assert {beside[key] for key in rows} == {"contradicted"}


def test_one_row_for_each_printed_number():
    found = list(statuses(published(), {}))
    assert len(found) == len(set(found))
    assert (
        sum(bool(re.fullmatch(r"table1\.(logit|verbalized)\.\S+\.rank", key)) for key in found)
        == 48
    )
    assert (
        sum(bool(re.fullmatch(r"table2\.(trickme|grace)\.gpt-4o?\.\d+", key)) for key in found)
        == 20
    )


def test_missing_quantity_needs_unpublished_data():
    found = claims.evaluate(published(), {}, False).set_index("id")
    row = found.loc["buzzes.total"]
    assert row["status"] == claims.UNPUBLISHED
    assert claims.RELEASE in row["note"] and row["recomputed"] == ""
    assert claims.OUTPUTS in found.loc["table1.logit.gpt-4.mce", "note"]
    assert claims.SURVEY in found.loc["survey.players", "note"]
    assert "TrickMe outputs" in found.loc["table2.trickme.gpt-4.20", "note"]
    assert found.loc["pay.editors", "status"] == claims.INCONSISTENT


def test_missing_branch_needs_unpublished_data():
    """A study with some of the models: the others' rows are missing, not wrong."""
    tables = simulated_scores()
    tables["model_scores"] = tables["model_scores"].query("model == 'M1'")
    found = claims.evaluate(published(), claims.quantities(tables), False).set_index("id")
    assert found.loc["table1.logit.gpt-4.mce", "status"] == claims.REPRODUCED
    row = found.loc["table1.logit.gpt-4o.mce"]
    assert row["status"] == claims.UNPUBLISHED and "M2" in row["note"]


def test_simulated_study():
    quantities = claims.quantities(simulated_scores(0.2))
    found = claims.evaluate(published(), quantities, True).set_index("id")
    row = found.loc["table1.logit.gpt-4.mce"]
    assert row["status"] == claims.SIMULATED
    assert float(row["recomputed"]) == pytest.approx(0.872)
    assert found.loc["survey.players", "status"] == claims.SIMULATED
    assert found.loc["matches.total", "status"] == claims.SIMULATED
    assert found.loc["table5.mean.is-mce", "status"] == claims.SIMULATED
    assert found.loc["pay.editors", "status"] == claims.INCONSISTENT
    assert found.loc["prizes.total", "status"] == claims.REPRODUCED


@pytest.mark.parametrize("kinds", [["human"], ["model"], ["human", "model"]])
def test_a_small_study_is_evaluated(kinds):
    """Two questions, perhaps without a model or a human: rows are missing, nothing fails."""
    tables = {}
    for name, frame in release_tables().items():
        if "question_id" in frame:
            frame = frame[frame["question_id"].isin(["p01-q15", "p12-q17"])]
        if "kind" in frame:
            frame = frame[frame["kind"].isin(kinds)]
        tables[name] = frame
    claim_intervals.intervals(tables, "sentence-100", 20, 1, 0.95)
    found = statuses(published(), claims.quantities(tables), simulated=True)
    assert found["buzzes.total"] == claims.SIMULATED
    wrong = [key for key in found if found[key] == claims.CONTRADICTED]
    assert wrong == ["pay.minimum-wage"]
    assert found["figure4.q4-over-twice.per-match"] == claims.SIMULATED


def test_survey_and_responses():
    """Two players and one model on one question of four clues, counted by hand."""
    survey = pd.DataFrame(
        [("a", "q", clue, 4, clue >= 3, clue >= 3, clue == 3) for clue in range(1, 5)]
        + [("b", "q", clue, 4, clue == 4, clue == 4, False) for clue in range(1, 5)],
        columns=["player", "question_id", "clue", "n_clues", "observed", "correct", "buzz"],
    )
    players = pd.DataFrame({"player": ["a", "b"], "quartile": [4, 1], "half": ["top", "bottom"]})
    responses = pd.DataFrame(
        {
            "segmentation": "sentence-100",
            "model": "M1",
            "elicitation": "logit",
            "reduction": "mean_prob",
            "question_id": "q",
            "clue": [1, 2, 3, 4],
            "correct": [False, True, False, True],
            "buzz": [False, False, True, True],
        }
    )
    tables = {"survey_responses": survey, "players": players, "responses": responses}
    found = claims.quantities(tables)
    assert found["n_survey_players"].value == 2
    curve = found["human_accuracy"].value["H"]
    assert [curve[percent] for percent in (50, 70, 80, 100)] == [0.0, 0.5, 1.0, 1.0]
    assert found["accuracy"].value["M1"] == {
        10: 0.0,
        20: 0.0,
        30: 1.0,
        40: 1.0,
        50: 1.0,
        60: 0.0,
        70: 0.0,
        80: 1.0,
        90: 1.0,
        100: 1.0,
    }
    # player a buzzes on the first right guess, at clue 3 of 4 (fifth 4); clue 4 no longer counts
    assert found["human_buzz"].value["top"]["right"] == [None, None, None, 1.0, None]
    assert found["human_buzz"].value["top"]["wrong"] == [None, 0.0, 0.0, None, None]
    assert found["model_buzz"].value["M1"]["right"] == [None, None, 0.0, None, None]
    assert found["model_buzz"].value["M1"]["wrong"] == [None, 0.0, None, 1.0, None]


# --- Faults of the claims ---


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"id": "a", "predicate": "n_buzes == 1"}, "n_buzes"),
        ({"id": "a", "predicate": "n_buzzes =="}, "an expression"),
        ({"id": "a", "predicate": "1 == 1", "note": "{{ n_buzes }}"}, "n_buzes"),
        ({"id": "a"}, "either a predicate"),
        ({"id": "a", "predicate": "n_buzzes == 1", "kind": "published"}, "printed values only"),
        ({"id": "a", "predicate": "1 == 1", "kind": "sure"}, "one of study"),
        ({"id": "a", "predicate": "1 == 1", "tolerence": 1}, "tolerence"),
        ({"id": "a", "predicate": "printed.table1.logit.M9.mce > 0"}, "M9"),
        ({"id": "a", "predicate": "open('x') == 1"}, "open"),
        ({"id": "a", "predicate": "().__class__ == 1"}, "an expression that can be evaluated"),
        ({"id": "a", "predicate": "1 / 0 == 1"}, "ZeroDivisionError"),
        ({"id": "table1.logit.gpt-4.mce", "predicate": "1 == 1"}, "an id that occurs once"),
    ],
)
def test_faulty_claims_are_refused(claim, words):
    with pytest.raises(DataError, match=re.escape(words)):
        claims.evaluate(with_claim(**claim), {}, False)


def test_unknown_quantity_is_refused():
    with pytest.raises(DataError, match="n_buzes"):
        claims.evaluate(published(), {"n_buzes": claims.Quantity(1, "somewhere")}, False)


def test_missing_column_is_named():
    questions = simulated_scores()["questions"]
    with pytest.raises(DataError, match="category_raw"):
        claims.quantities({"questions": questions.drop(columns="category_raw")})


def test_functions_by_hand():
    call = claims.FUNCTIONS
    assert call["rank"]([3, 1, 1, 5]) == [3, 1, 1, 4]
    assert call["weighted_mean"]({"a": 1.0, "b": 4.0}, {"a": 2, "b": 1}) == 2.0
    assert call["polynomial"]([1, 2, 3], 2) == 17
    assert call["spearman"]([1, 2, 3], [10, 20, 15]) == pytest.approx(0.5)
    assert call["counts"]([39.13, 21.74], 2, 23) == [9, 5]
    assert call["counts"]([39.13], 2, 15) == []
    assert call["splits"]({"a": 1, "b": 2}, 4) == [{"a": 1, "b": 3}, {"a": 2, "b": 2}]
    assert len(call["splits"]({"a": 10, "b": 9, "c": 8}, 55)) == 30 * 29 // 2
    assert call["rates"]({"a": 6, "b": 6}, {"a": 1, "b": 2}, 4) == [
        {"a": 6, "b": 2},
        {"a": 3, "b": 3},
    ]
    with pytest.raises(claims.Missing):
        call["splits"]({"a": 3, "b": 2}, 4)
    assert call["where"]({"a": True, "b": False}) == "only under a"
    assert call["where"]({"a": True}) == "yes" and call["where"]({"a": False}) == "no"


def test_quantities_are_deterministic():
    again = claims.quantities(release_tables())
    assert claims.evaluate(published(), again, False).equals(ledger().reset_index())


# --- Intervals ---


def estimates(claim: dict) -> set[str]:
    """The quantities with intervals that a claim's value or predicate names."""
    written = [claims._predicate(claim), claim.get("value")]
    names = set().union(*(claims._names(one) for one in written if one), set())
    return names & set(claims.KNOWN) - set(claim_intervals.WITHOUT)


def read_ledger(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / "claims.csv", keep_default_na=False).set_index("id")


def uncited(ledger: pd.DataFrame) -> dict[str, set]:
    """Row → the estimates that it rests on and gives no interval of; only rows with some."""
    found = {}
    for claim in claims.all_claims(published()):
        row = ledger.loc[claim["id"]]
        if row["recomputed"]:
            cited = {one.split(".")[0] for one in row["intervals"].split("; ")}
            found[claim["id"]] = estimates(claim) - cited
    return {place: names for place, names in found.items() if names}


#: Rows of the simulated study that name questions which only the release has: nothing to look at.
NOTHING_FOUND = {"calibration.well": {"hardness"}, "calibration.poor": {"hardness"}}


@pytest.mark.parametrize(("study", "absent"), [("demo", NOTHING_FOUND), ("grace", {})])
def test_every_row_on_an_estimate_cites_its_interval(study, absent, request):
    """Row by row: whatever a recomputed row looks at has an interval, or is in WITHOUT."""
    ledger = read_ledger(request.getfixturevalue(study))
    assert uncited(ledger) == absent
    assert not any(any(json.loads(ledger.loc[place, "recomputed"])) for place in absent)
    exact = [one["id"] for one in claims.all_claims(published()) if not estimates(one)]
    assert (ledger.loc[exact, "intervals"] == "").all()
    # per match, survey, figure 6: whole families that once had none
    families = ["per-match$", "^figure4.*early", "^mistral", "^gpt-4.aggressive"]
    families += ["^figure[56].*(?:humans|models)"] if study == "demo" else []
    for family in families:
        rows = ledger[ledger.index.str.contains(family) & (ledger["recomputed"] != "")]
        rows = rows[~rows.index.str.contains("table2")]
        assert len(rows) and (rows["intervals"] != "").all()


def test_every_quantity_has_intervals_or_a_reason():
    assert set(claim_intervals.WITHOUT) < set(claims.KNOWN)
    notes = {name for name, why in claim_intervals.WITHOUT.items() if "in notes only" in why}
    for claim in claims.all_claims(published()):
        written = [claims._predicate(claim), claim.get("value")]
        assert not notes & set().union(*(claims._names(one) for one in written if one), set())


def study_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables that the ledger of a study is made from."""
    found = {}
    for place in ("tidy", "human", "judged", "scores", "inference"):
        for path in sorted((folder / place).glob("*.parquet")):
            found[path.stem] = store.read(path)
    for name in ("cumulative_buzzes", "table5"):
        path = folder / "tables" / f"{name}.csv"
        if path.exists():
            found[name] = pd.read_csv(path)
    return claims.of_the_paper(found, published())


def parts(value, place: tuple = ()):
    """The places of a nested value that hold numbers; a list of numbers is one."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, one in value.items():
            yield from parts(one, (*place, key))
    elif not isinstance(value, str) and np.any([one is not None for one in np.atleast_1d(value)]):
        yield place


@pytest.mark.parametrize("study", ["demo", "grace"])
def test_every_part_of_an_estimate_has_an_interval(study, request):
    """Whichever group, category, clue share or model a claim looks at: its interval is there."""
    tables = study_tables(request.getfixturevalue(study))
    found = claim_intervals.intervals(tables, "sentence-100", 200, 1, 0.95)
    lacking = {
        (name, *place)
        for name, quantity in claims.quantities(tables).items()
        if name not in claim_intervals.WITHOUT
        for place in parts(quantity.value)
        if not any((name, *place)[: len(one)] == one for one in found)
        # no statement is about ranks by SH, which table rank_probabilities leaves out
        and not (name == "score_ranks" and place[-1].startswith("sh_"))
    }
    assert not sorted(lacking, key=str)
    bounds = re.findall(r"(\S+) \[(\S+), (\S+)\]", " ".join(found.values()))
    assert len(bounds) > 150
    assert all(float(low) < float(high) for _, low, high in bounds)


def test_a_bare_name_cites_what_the_predicate_looks_at():
    intervals = {("buzz_revealed", group): f"of {group}" for group in ("H", "M1", "M2", "M3")}
    intervals |= {("tally", "H"): "no part of this"}

    def cited(**claim):
        found = claims.evaluate(with_claim(id="a", **claim), release_quantities(), False, intervals)
        return found.set_index("id").loc["a", "intervals"]

    two = "buzz_revealed.H: of H; buzz_revealed.M3: of M3"
    assert cited(value="buzz_revealed", predicate="value.M3 > value.H") == two
    assert cited(predicate="buzz_revealed.M3 > buzz_revealed.H") == two
    assert cited(value="buzz_revealed", predicate="max(value.values()) < 1").count(": of ") == 4
    assert cited(value="n_buzzes", predicate="value > 0") == ""
    assert cited(value="tally.M9", predicate="value.ratio > buzz_revealed.H") == ""


def test_bounds_where_every_replicate_is_the_same(demo):
    """No early wrong buzz at all, and players who all do the same: Wilson's bound, not nothing."""
    tables = study_tables(demo)
    last = tables["questions"].set_index("question_id")["n_words"]
    late = tables["buzzes"].assign(word_index=tables["buzzes"]["question_id"].map(last) - 1)
    survey = tables["survey_responses"].assign(buzz=False)
    changed = tables | {"buzzes": late, "survey_responses": survey}
    found = claim_intervals.intervals(changed, "sentence-100", 20, 1, 0.95)
    heard = tables["exposures"][tables["exposures"]["team"] == "M1"]
    high = resample.wilson([0], [len(heard)])[1][0]
    text = f"0.000 [0.000, {high:.3f}] (Wilson's, none on the {len(heard)} independent questions"
    assert found["early_wrong", "M1"].startswith(f"per question heard {text}")
    per_match = high * len(heard) / heard["packet"].nunique()
    assert f"0.000 [0.000, {per_match:.3f}]" in found["early_counts", "M1"]
    assert "none on the 17 independent questions" in found["early_wrong", "H"]
    players = tables["players"]["half"].value_counts()["top"]
    high = resample.wilson([0], [players])[1][0]
    text = f"fifth 5 0.000 [0.000, {high:.3f}] (Wilson's, {players} players all alike)"
    assert text in found["human_buzz", "top", "wrong"]


def test_per_match_rows_cite_the_bounds_of_their_table(grace):
    """The table's own for groups; for a single team what its rows would be."""
    table = pd.read_csv(grace / "tables" / "cumulative_buzzes.csv")
    last = table[table["clue"] == table["clue"].max()].set_index(["rule", "group", "outcome"])
    one = last.loc[("paper", "Q4", "correct")]
    ledger = read_ledger(grace)
    cited = ledger.loc["figure4.q4-over-twice.per-match", "intervals"]
    bounds = f"[{one['per_match_low']:.3f}, {one['per_match_high']:.3f}] (questions resampled)"
    text = f"per match at the last clue, {one['matches']:.0f} of one packet each, {one['per_match']:.3f}"
    assert f"buzz_counts.correct.Q4: {text} {bounds}" in cited
    teams = ledger.loc["figure4.mistral-lags.teams.per-match"]
    values = json.loads(teams["recomputed"])
    assert len(values) == 17
    for team, value in values.items():
        assert re.search(rf"buzz_counts.correct.{team}: [^\[]* {value:.3f} \[", teams["intervals"])


def test_comparisons_cite_intervals(grace):
    """Every verdict on who buzzes better, later or more cites the intervals of what it compares."""
    ledger = read_ledger(grace)
    one = ledger.loc["buzzes.share-wrong", "intervals"]
    precision = pd.read_parquet(grace / "inference" / "precision.parquet")
    human = precision.set_index(["category", "group"]).loc[("all", "human")]
    assert f"tally.H: P(correct | buzz) {human['value']:.3f}" in one
    assert f"[{human['low']:.3f}, {human['high']:.3f}]" in one and "minus humans" in one
    assert (
        "curves.per-question.correct.Q4: at the last clue"
        in (ledger.loc["figure4.q4-highest.per-question", "intervals"])
    )
    assert "by_category.H.Literature" in ledger.loc["category.humans-best-literature", "intervals"]
    assert ledger.loc["questions.released", "intervals"] == ""


def test_table_rows_cite_the_intervals_of_the_scores(demo):
    ledger = read_ledger(demo)
    table1 = pd.read_csv(demo / "tables" / "table1.csv")
    one = table1[(table1["definition"] == "paper") & (table1["model"] == "M2")]
    one = one[one["elicitation"] == "logit"].iloc[0]
    cited = ledger.loc["table1.logit.gpt-4o.calscore", "intervals"]
    assert f"{one['calscore']:.3f} [{one['calscore_low']:.3f}, {one['calscore_high']:.3f}]" in cited
    assert f"[{one['calscore_two_way_low']:.3f}" in cited
    assert (
        "share of replicates with rank" in ledger.loc["table1.logit.gpt-4o.ece.rank", "intervals"]
    )
    assert ledger.loc["table5.verbalized.gpt-4.arts", "intervals"]
    assert "questions)" in ledger.loc["table2.grace.gpt-4.60", "intervals"]
