"""Fair quartiles: cuts, halves, shrinkage that must come out, correlations with exposure."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import cumulative, incidence, quartiles
from calscore.human import curves as human
from calscore.stats.bootstrap import Bootstrap


def simulated(rng, skill, packets, n_packets=12, per=20, last=3):
    """A Play in which team m hears ``packets[m]`` packets and is right with probability ``skill[m]``."""
    n_teams = len(skill)
    played = np.zeros((n_packets, n_teams))
    for m, count in enumerate(packets):
        played[rng.permutation(n_packets)[:count], m] = 1
    packet = np.repeat(np.arange(n_packets), per)
    heard = played[packet]
    right = (rng.random(heard.shape) < skill) * heard
    at = rng.integers(0, last, heard.shape)
    curves = right[:, :, None] * (at[:, :, None] <= np.arange(last))
    return quartiles.TeamRecord([f"H{m}" for m in range(n_teams)], packet, heard, heard, curves)


def test_quartiles_cut_as_those_of_the_human_tables():
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 12, (200, 17)) / rng.integers(1, 5, (200, 1))
    found = quartiles.quartiles_by_row(scores)
    np.testing.assert_array_equal(found + 1, [human.quartile(row) for row in scores])
    scores[:, [2, 5]] = np.nan
    found = quartiles.quartiles_by_row(scores)
    assert (found[:, [2, 5]] == -1).all()
    kept = np.delete(np.arange(17), [2, 5])
    np.testing.assert_array_equal(found[:, kept] + 1, [human.quartile(row[kept]) for row in scores])
    assert (quartiles.quartiles_by_row(np.full((1, 4), np.nan)) == -1).all()


def test_halves_are_halves():
    half = quartiles.random_halves(11, 500, np.random.default_rng(2))
    assert (half.sum(axis=1) == 5).all()
    assert np.abs(half.mean(axis=0) - 5 / 11).max() < 0.1


def test_equal_teams_have_a_gap_only_where_they_were_ranked():
    """Without differences between teams, the whole gap is luck, and the other half has none of it."""
    gaps = []
    for seed in range(6):
        play = simulated(np.random.default_rng(seed), np.full(17, 0.5), np.full(17, 10))
        gaps.append(quartiles.fair_quartiles(play, 40, Bootstrap(100, 1, 0.95))[1].set_index("score").loc["rate"])  # fmt: skip
    gaps = pd.DataFrame(gaps)
    assert gaps["gap_same_half"].mean() > 0.08
    assert abs(gaps["gap_other_half"].mean()) < 0.03
    assert gaps["shrinkage"].mean() > 0.6


def test_teams_that_differ_keep_their_gap():
    skill = np.repeat([0.1, 0.35, 0.6, 0.85], [5, 4, 4, 4])
    play = simulated(np.random.default_rng(3), skill, np.full(17, 12))
    curves, shrinkage = quartiles.fair_quartiles(play, 40, Bootstrap(200, 1, 0.95))
    row = shrinkage.set_index("score").loc["rate"]
    assert row["gap_other_half"] == pytest.approx(0.75, abs=0.06)
    assert row["shrinkage"] < 0.05
    end = curves[(curves["clue"] == 3) & (curves["drawn"] == "other_half")]
    assert ((end["low"] <= end["right"]) & (end["right"] <= end["high"])).all()


def test_total_follows_exposure_and_rate_does_not():
    """Teams of equal skill that played unequally: total ranks them by what they played."""
    packets = np.tile([2, 4, 8, 12], 5)[:17]
    play = simulated(np.random.default_rng(4), np.full(17, 0.5), packets)
    (sums,) = quartiles._weighted_team_sums(play, np.ones((1, 240)))
    heard, right = sums[:, 0], sums[:, 2:]
    assert np.corrcoef(right[:, -1], heard)[0, 1] > 0.95
    group = quartiles.quartiles_by_row(right[None, :, -1])[0]
    assert heard[group == 3].mean() > 3 * heard[group == 0].mean()


def test_one_split_by_hand():
    """Four teams, two packets of one question: assigned on one, drawn on the other, both ways."""
    right = np.array([[[1.0], [0], [0], [0]], [[0.0], [0], [0], [1]]])
    heard = np.ones((2, 4))
    play = quartiles.TeamRecord(list("ABCD"), np.array([0, 1]), heard, heard, right)
    curves, shrinkage = quartiles.fair_quartiles(play, 3, Bootstrap(100, 1, 0.95))
    row = shrinkage.set_index("score").loc["total"]
    # On packet 1, A alone is above the third cut (.25): Q4 = {A}, and Q1 = the rest; D is right on packet 2.
    assert row["gap_same_half"] == pytest.approx(1)
    assert row["gap_other_half"] == pytest.approx(-1 / 3)
    assert row["shrinkage"] == pytest.approx(4 / 3)
    at = curves.set_index(["score", "drawn", "group", "clue"])
    assert at.loc[("rate", "other_half", "Q1", 1), "right"] == pytest.approx(1 / 3)
    assert np.isnan(at.loc[("rate", "other_half", "Q2", 1), "right"])
    sizes = at.sort_index().loc[("total", "other_half")].droplevel("clue")[["n_teams", "questions_heard"]]
    assert sizes.to_numpy().tolist() == [[3, 3], [0, 0], [0, 0], [1, 1]]


def test_sizes_of_quartiles_add_up_to_what_was_heard():
    """Each question and team once on all packets, half of that on a half: on the same and the other."""
    play = simulated(np.random.default_rng(6), np.linspace(0.2, 0.8, 9), np.tile([4, 8, 12], 3))
    curves, _ = quartiles.fair_quartiles(play, 20, Bootstrap(100, 1, 0.95))
    first = curves[curves["clue"] == 1].groupby(["score", "drawn"])
    heard = first["questions_heard"].sum().unstack("drawn")
    assert (heard["all"] == play.heard.sum()).all()
    np.testing.assert_allclose(heard["same_half"], heard["all"] / 2)
    # Who heard nothing on the half that quartiles were assigned on has none on the other.
    assert (heard["other_half"] <= heard["same_half"] + 1e-9).all()
    assert (first["n_teams"].sum().unstack("drawn")["all"] == 9).all()


def test_one_packet_has_no_halves():
    play = simulated(np.random.default_rng(5), np.full(8, 0.5), np.ones(8, int), n_packets=1)
    curves, shrinkage = quartiles.fair_quartiles(play, 5, Bootstrap(100, 1, 0.95))
    assert set(curves["drawn"]) == {"all"}
    assert shrinkage["shrinkage"].isna().all() and (shrinkage["n_halves"] == 0).all()


@pytest.mark.parametrize("kept", ["nobody", "models", "one team"])
def test_studies_with_hardly_any_human_team_give_tables_without_estimates(grace, kept):
    read = {name: store.read(grace / "tidy" / f"{name}.parquet") for name in ("questions", "clues", "buzzes", "exposures")}  # fmt: skip
    questions, clues, buzzes, exposures = read.values()
    clues = clues[clues["segmentation"] == "sentence-100"]
    teams = store.read(grace / "human" / "teams.parquet")
    chosen = {
        "nobody": lambda t: t["team"] == "",
        "models": lambda t: t["kind"] == "model",
        "one team": lambda t: t["team"] == "H9",
    }[kept]
    buzzes, exposures, teams = (t[chosen(t)].reset_index(drop=True) for t in (buzzes, exposures, teams))  # fmt: skip
    data = questions, clues, buzzes, exposures
    pairs = incidence.pairings(questions, buzzes, exposures)
    assert pairs.empty and not store.validation_errors(pairs, "pairings")
    found = incidence.cumulative_incidence(
        *data, pairs, cumulative.group_members(teams), Bootstrap(100, 1, 0.95)
    )
    assert not store.validation_errors(found, "incidence")
    assert found.empty == (kept == "nobody")
    curves, shrinkage = quartiles.fair_quartiles(quartiles.team_record(*data), 5, Bootstrap(100, 1, 0.95))
    assert shrinkage["shrinkage"].isna().all()
    assert curves["right"].isna().all() == (kept != "one team")
