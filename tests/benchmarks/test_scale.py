"""The documented times of large studies are those of docs/scale.csv, and the benchmark works on a small one."""

import re

import pandas as pd
from calscore.core import store
from support import ROOT

from benchmarks import bench_scale


def test_the_document_has_the_measured_numbers():
    text = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")
    table = pd.read_csv(bench_scale.TABLE)
    row = r"^\| ([\d,]+) \| ([\d,.]+) \| ([\d,.]+) \| ([\d,]+) \|$"
    printed = re.findall(row, text, re.MULTILINE)
    expected = [
        (f"{row.rows:,}", f"{row.h_cpu:,.1f}", f"{row.scores_cpu:,.1f}", f"{row.memory_mb:,.0f}")
        for row in table.itertuples()
    ]
    assert printed == expected
    powers = [f"{bench_scale.exponent(table, column):.2f}" for column in ("h_cpu", "scores_cpu")]
    assert f"the power {powers[0]} (*h_t*) and {powers[1]} (scores)" in text


def test_a_small_study_goes_through(tmp_path):
    bench_scale.simulate(tmp_path, 2000)
    found = bench_scale.work(tmp_path, 100, 1)
    assert found["memory_mb"] > 0
    assert len(store.read(tmp_path / "model_scores.parquet")) == 20 * 14
