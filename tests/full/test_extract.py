"""GRACE from its numbers against GRACE from the release and the model outputs, table by table."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from calscore.core import catalog, store
from calscore.core.extract_files import guess_id
from conftest import GRACE, ran
from support import ROOT, renormalised, run_snakemake

DATA = re.compile(r'<script[^>]*id="data"[^>]*>(.*?)</script>', re.S)
TEXTS = {
    *("text", "answerline", "answer", "guess", "sent", "condition", "rule", "source_row"),
    *("guess_words", "guess_words_heard", "points_said", "conditions"),
}
"""Columns that are texts, stand for them, or name a source."""
DESCRIBE = {"manifest", "names", "checks", "findings", "unavailable"}
"""Tables about the run itself."""
CLAIMS = {
    *("figure3.text", "examples.exist", "examples.alice-walker.outputs", "samples.exist"),
    "examples.philosophical-investigations",
}
"""Claims on what a question or a guess says."""


@pytest.fixture(scope="module")
def from_texts(tmp_path_factory, release_dir, model_outputs):
    given = (f"release={release_dir}", f"outputs={model_outputs}")
    files = (*GRACE[:2], str(ROOT / "config" / "grace-outputs.yaml"), "--config", *given)
    return ran(tmp_path_factory, "grace", *files, folder="grace-texts"), files


@pytest.fixture(scope="module")
def from_numbers(tmp_path_factory):
    return ran(tmp_path_factory, "grace", "--config", "only=grace", folder="grace-numbers")


def test_the_rule_writes_the_committed_bytes(from_texts):
    folder, files = from_texts
    run_snakemake(*files, "--", "results/grace/extract", cwd=folder.parent.parent)
    for path in (ROOT / "resources" / "grace").iterdir():
        if path.name != "README.md":
            assert (folder / "extract" / path.name).read_bytes() == path.read_bytes(), path.name


def test_pictures_in_the_documents_are_those_of_the_default_study(from_numbers):
    for name in ("figure4", "crowd_size"):
        shown = ROOT / "docs" / "images" / f"grace-{name}.png"
        assert shown.read_bytes() == (from_numbers / "figures" / f"{name}.png").read_bytes(), name


def recounted(answers: list, human: dict) -> tuple[float, float]:
    """MCE and CalScore of a question by the paper: 1 − r(mean of g·c), 1 − r(mean of (1 − h)·g·c)."""
    known = (answer for answer in answers if answer[-1] is not None)
    rows = np.array([[clue - 1, 2 * right - 1, c] for clue, _, right, c in known])
    place = rows[:, 0].astype(int)
    right, buzzes = (np.array(human[name])[place] for name in ("right", "buzzes"))
    h = np.where(buzzes > 0, right / np.maximum(buzzes, 1), 0.0)
    gc = rows[:, 1] * rows[:, 2]
    return tuple(1 - renormalised(np.mean(terms)) for terms in (gc, (1 - h) * gc))


def test_the_audit_page_counts_each_models_own_clues_against_the_buzzes_before_them(from_numbers):
    page = (from_numbers / "audit" / "index.html").read_text(encoding="utf-8")
    data = json.loads(DATA.search(page)[1])
    assert data["own"]
    table = pd.read_csv(from_numbers / "tables" / "table1.csv").query("definition == 'paper'")
    series = {(s["elicitation"], s["model"], s["marks"]): s["rows"] for s in data["series"]}
    for row in table.itertuples():
        answers = series[row.elicitation, row.model, row.marks]
        scores = [recounted(*pair) for pair in zip(answers, data["clues"], strict=True) if pair[0]]
        assert np.mean(scores, axis=0) == pytest.approx([row.mce, row.calscore], abs=1e-12)
    assert len(table) >= 6


def comparable(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """A table without its texts, guesses as ids, in the order of what is left of its key."""
    if {"guess", "question_id"} <= set(frame):
        ids = [
            text if text is None or pd.isna(text) or (text[:1] == "g" and len(text) == 9)
            else guess_id(key, text)
            for key, text in zip(frame["question_id"], frame["guess"], strict=True)
        ]  # fmt: skip
        frame = frame.assign(guess_id=ids)
    by = [{"guess": "guess_id"}.get(column, column) for column in store.schema(name)["key"]]
    by = [column for column in by if column in frame and column != "source_row"]
    frame = frame.sort_values(by, kind="stable", ignore_index=True) if by else frame
    return frame.drop(columns=TEXTS & set(frame))


def test_every_table_is_equal_but_for_texts(from_texts, from_numbers):
    texts, _ = from_texts
    listed = set(pd.read_csv(from_numbers / "audit" / "unavailable.csv")["product"])
    differing = []
    for product in catalog.products():
        if product.kind != "table" or product.name in DESCRIBE | {"claims", "statements"}:
            continue
        mine, theirs = (folder / product.file for folder in (from_numbers, texts))
        if not mine.exists():
            hidden = product.file.startswith("irt/") or product.file in listed
            assert hidden or not theirs.exists(), product.name
            continue
        frames = [store.load(path, product.name) for path in (mine, theirs)]
        one, two = (comparable(frame, product.name) for frame in frames)
        if not one.equals(two):
            differing.append(product.name)
    assert differing == []


def test_claims_differ_only_where_they_quote_texts(from_texts, from_numbers):
    one, two = (
        store.read_csv(folder / "tables" / "claims.csv", "claims").set_index("id")
        for folder in (from_numbers, from_texts[0])
    )
    assert one.index.tolist() == two.index.tolist()
    differing = one["status"] != two["status"]
    assert set(one.index[differing]) <= CLAIMS
    rest = one.index.difference(sorted(CLAIMS))
    assert one.loc[rest, "recomputed"].equals(two.loc[rest, "recomputed"])


LEDGER = ("statements", "claims", "printed_cells", "readings", "reading_cells", "script_curves")


@pytest.fixture(scope="module")
def own_guesses(tmp_path_factory):
    """Guesses of one model at other words than the paper's models were asked at."""
    clues = pd.read_csv(ROOT / "resources" / "grace" / "clues.csv")
    clues = clues[clues["segmentation"] == "sentence-100"]
    rng = np.random.default_rng(7)
    file = tmp_path_factory.mktemp("own") / "mine.jsonl"
    with file.open("w", encoding="utf-8") as handle:
        for row in clues.itertuples():
            question = f"p{row.packet:02d}-q{row.number:02d}"
            for place, end in enumerate(map(int, row.end_words.split()), 1):
                guess = {"question_id": question, "position": end, "guess": f"guess {place}"}
                guess |= {"model": "mine", "elicitation": "verbalized"}
                guess |= {"confidence": round(rng.random(), 3), "correct": bool(rng.random() < 0.6)}
                handle.write(json.dumps(guess) + "\n")
    return file


@pytest.mark.parametrize("beside", ["numbers", "release", "release and outputs"])
def test_a_model_of_ones_own_leaves_the_ledger_as_it_is(beside, own_guesses, request, tmp_path_factory):
    """The same bytes with and without guesses of one's own, and no check fails."""
    if beside == "numbers":
        before, given = request.getfixturevalue("from_numbers"), ["--config", "only=grace"]
    elif beside == "release":
        release = request.getfixturevalue("release_dir")
        before, given = request.getfixturevalue("grace"), [*GRACE, f"release={release}"]
    else:
        before, given = request.getfixturevalue("from_texts")
    wanted = ["tables/table1.csv", "audit/checks.csv"]
    wanted += [f"tables/{name}.csv" for name in LEDGER if (before / f"tables/{name}.csv").exists()]
    given = *given, f"guesses={own_guesses}", "--", *(f"results/grace/{place}" for place in wanted)
    name = f"grace-own-{beside.replace(' ', '-')}"
    folder = ran(tmp_path_factory, "grace", *given, folder=name, after=before)
    assert "mine" in set(pd.read_csv(folder / "tables" / "table1.csv")["model"])
    checks = pd.read_csv(folder / "audit" / "checks.csv")
    assert not len(checks[checks["failures"].gt(0) & (checks["severity"] == "error")])
    for place in wanted[2:]:
        assert (folder / place).read_bytes() == (before / place).read_bytes(), place
