"""The demo study of answer options and the published results, whole."""

import pandas as pd
import pytest
from support import ROOT, run_snakemake, workspace


def test_printed_tables_are_the_csv_rounded(demo_options):
    table = pd.read_csv(demo_options / "tables" / "option_scores.csv")
    text = (demo_options / "tables" / "option_scores.md").read_text(encoding="utf-8")
    for row in table.itertuples():
        assert f"{row.N_ece:.3f} [{row.N_ece_low:.3f}, {row.N_ece_high:.3f}]" in text
        for name in ("N_right_share", "right_change", "harmed_of_right"):
            values = (getattr(row, f"{name}{end}") for end in ("", "_low", "_high"))
            value, low, high = (100 * one for one in values)
            assert f"{value:.2f} [{low:.2f}, {high:.2f}]" in text
        assert row.name in text
    types = pd.read_csv(demo_options / "tables" / "option_types.csv")
    text = (demo_options / "tables" / "option_types.md").read_text(encoding="utf-8")
    for row in types.itertuples():
        assert f"{row.ece:.3f} [{row.ece_low:.3f}, {row.ece_high:.3f}]" in text


@pytest.mark.full
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
