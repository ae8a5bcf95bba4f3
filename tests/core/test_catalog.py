"""Declarations: whole, of known words, and nothing in two of them."""

from __future__ import annotations

import re

import pytest
import yaml
from calscore.core import catalog, store
from calscore.core.schema import schema
from calscore.runner import config
from support import ROOT

TABLES = sorted(one.name for one in catalog.products() if one.kind == "table")
ENTRY = set(
    [
        "title",
        "file",
        "needs",
        "report",
        "caption",
        "printed",
        "description",
        "key",
        "foreign_keys",
        "unbounded",
        "like",
        "stored_as",
        "unchecked",
        "columns",
        "patterns",
        "checks",
    ]
)
TYPES = {"string", "integer", "number", "boolean", "numbers"}


def test_no_two_products_share_a_file():
    files = [file for one in catalog.products() for file in one.files]
    assert sorted({file for file in files if files.count(file) > 1}) == []


@pytest.mark.parametrize("name", TABLES)
def test_every_declaration_is_whole(name):
    written = yaml.safe_load(catalog.declaration_file(name).read_text(encoding="utf-8"))
    assert set(written) <= ENTRY
    declared = catalog.table(name)
    assert set(declared["key"]) <= set(declared["columns"])
    for column, spec in declared["columns"].items():
        assert set(spec) <= set(catalog.COLUMN), column
        assert spec["type"] in TYPES, column
        assert spec.get("description"), column
    for parent, columns in declared.get("foreign_keys", {}).items():
        assert set(columns) <= set(declared["columns"]) & set(store.columns(parent))
    if declared["file"].endswith(".parquet"):
        assert declared["key"], "a Parquet file is sorted by its key"
        assert list(store.empty(name).columns) == list(declared["columns"])


@pytest.mark.parametrize("one", catalog.products(), ids=lambda one: f"{one.kind}-{one.name}")
def test_what_the_report_shows_has_a_caption(one):
    if one.report:
        assert (ROOT / "workflow" / "report" / one.caption).is_file()


def test_every_caption_belongs_to_a_product():
    shown = {one.caption for one in catalog.products() if one.report}
    folder = ROOT / "workflow" / "report"
    found = {path.relative_to(folder).as_posix() for path in folder.glob("*/*.rst")}
    assert found - shown == set()


def test_needs_are_features_that_a_study_can_have():
    source = (ROOT / "workflow" / "calscore" / "runner" / "config.py").read_text(encoding="utf-8")
    known = set(re.findall(r'"(\w+)"', source[source.index("def _buzz_features") :]))
    # An analysis is a feature of that name.
    known |= set(schema()["$defs"]["study"]["properties"]["analyses"]["items"]["enum"])
    needed = {word for one in catalog.products() for need in one.needs for word in need}
    assert needed <= known
    assert set(catalog.WORDS) <= known
    assert config.study_features


def test_words_of_columns_are_used_by_two_tables_or_more():
    uses = [column for name in TABLES for column in catalog.table(name)["columns"]]
    assert sorted(word for word in catalog.words() if uses.count(word) < 2) == []


def test_unknown_names_are_errors():
    with pytest.raises(KeyError, match="no table 'nobody'"):
        catalog.table("nobody")
    with pytest.raises(KeyError, match="no figure 'nobody'"):
        catalog.product("nobody", "figure")


def test_names_that_end_in_bounds_and_ranks_explain_themselves():
    assert catalog.column("some_rank")["description"] == "Rank by some, 1 is best."
    assert catalog.column("20%_n")["description"]
    assert catalog.column("nobody knows")["description"] == ""


def test_what_the_features_lack_is_said():
    missing = {row["product"]: row["missing"] for row in catalog.unavailable({"buzzes"})}
    assert missing["tables/survey_accuracy.csv"] == catalog.WORDS["survey"]
    assert "tables/dataset.csv" not in missing
