"""Judges against people."""

import pandas as pd
import pytest
from calscore.multiple_choice import agreement
from calscore.stats.agreement import cohen_kappa


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
    assert cohen_kappa(cross[None].astype(float))[0] == pytest.approx(pair["kappa"])


def test_verdicts_side_by_side_add_up(world):
    _, _, results, _ = world
    table = agreement.verdict_confusion(results)
    assert table.groupby(["model", "setting"])["n"].sum().unique().tolist() == [4326]
