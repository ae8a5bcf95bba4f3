"""Every recomputed estimate of the ledger cites its interval."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import curves
from calscore.ledger import claims, expressions, ledger, quantities, quantity_intervals, verbalise
from calscore.stats import proportions
from calscore.stats.bootstrap import Bootstrap
from ledger.paper import published


def named(claim: dict) -> set[str]:
    """The quantities that a claim's value or predicate names."""
    written = [ledger.predicate_of(claim), claim.get("value")]
    return set().union(*(expressions.names_in(one) for one in written if one), set())


def estimates(claim: dict) -> set[str]:
    """Those of them with intervals."""
    return named(claim) & quantities.ESTIMATES


def read_ledger(folder: Path) -> pd.DataFrame:
    tables = (folder / "tables" / f"{name}.csv" for name in verbalise.FORMS.values())
    found = [pd.read_csv(one, keep_default_na=False) for one in tables]
    return pd.concat(found).fillna("").set_index("id")


def uncited(ledger: pd.DataFrame) -> dict[str, set]:
    """Row → the estimates that it rests on and gives no interval of; only rows with some."""
    found = {}
    for claim in claims.all_claims(published()):
        row = ledger.loc[claim["id"]]
        if row["recomputed"]:
            cited = {one.split(".")[0] for one in row["intervals"].split("; ")}
            found[claim["id"]] = estimates(claim) - cited
    return {place: names for place, names in found.items() if names}


@pytest.mark.parametrize("study", ["demo", "grace"])
def test_every_row_on_an_estimate_cites_its_interval(study, request):
    """Row by row: whatever a recomputed row looks at has an interval, or is no estimate."""
    ledger = read_ledger(request.getfixturevalue(study))
    assert uncited(ledger) == {}
    exact = [one["id"] for one in claims.all_claims(published()) if not estimates(one)]
    assert (ledger.loc[exact, "intervals"] == "").all()
    # per match, survey, figure 6: whole families that once had none
    families = ["per-match$", "per-share$", "^figure4.*early", "^mistral"]
    families += ["^figure[56].*(?:humans|models)"] if study == "demo" else []
    for family in families:
        rows = ledger[ledger.index.str.contains(family) & (ledger["recomputed"] != "")]
        rows = rows[~rows.index.str.contains("table2")]
        assert len(rows) and (rows["intervals"] != "").all()


def test_no_statement_is_tested_on_what_is_noted():
    for claim in claims.all_claims(published()):
        assert not named(claim) & quantities.NOTED


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
    return claims.keep_paper_models(found, published())


def cited(tables, replicates: int) -> tuple[dict, dict]:
    """The quantities of a study, and their intervals by place."""
    given = "sentence-100", Bootstrap(replicates, 1, 0.95)
    found = quantities.quantities(tables, *given)
    return found, quantity_intervals.intervals(found, tables, *given)


def test_bounds_where_every_replicate_is_the_same(demo):
    """No early wrong buzz at all, and players who all do the same: Wilson's bound, not nothing."""
    tables = study_tables(demo)
    last = tables["questions"].set_index("question_id")["n_words"]
    late = tables["buzzes"].assign(word_index=tables["buzzes"]["question_id"].map(last) - 1)
    survey = tables["survey_responses"].assign(buzz=False)
    changed = tables | {"buzzes": late, "survey_responses": survey}
    _, found = cited(changed, 20)
    heard = tables["exposures"][tables["exposures"]["team"] == "M1"]
    high = proportions.wilson([0], [len(heard)])[1][0]
    text = f"0.000 [0.000, {high:.3f}] (Wilson's, none on the {len(heard)} independent questions"
    assert found["early_wrong", "quarter_clues", "M1"].startswith(f"per question heard {text}")
    per_match = high * len(heard) / heard["packet"].nunique()
    assert f"0.000 [0.000, {per_match:.3f}]" in found["early_counts", "quarter_clues", "M1"]
    assert "none on the 17 independent questions" in found["early_wrong", "quarter_clues", "H"]
    players = tables["players"]["half"].value_counts()["top"]
    high = proportions.wilson([0], [players])[1][0]
    text = f"fifth 5 0.000 [0.000, {high:.3f}] (Wilson's, {players} players all alike)"
    assert text in found["human_buzz", "top", "wrong"]
    mean, _ = found["model_buzz", "M1", "wrong"].split(", fifth 1")
    assert mean.endswith("] (questions resampled)")


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


def test_table_rows_cite_the_intervals_of_the_scores(demo):
    ledger = read_ledger(demo)
    table1 = pd.read_csv(demo / "tables" / "table1.csv")
    one = table1[(table1["definition"] == "paper") & (table1["model"] == "M2")]
    one = one[one["elicitation"] == "logit"].iloc[0]
    cited = ledger.loc["table1.logit.gpt-4o.calscore", "intervals"]
    assert f"{one['calscore']:.3f} [{one['calscore_low']:.3f}, {one['calscore_high']:.3f}]" in cited
    assert f"[{one['calscore_two_way_low']:.3f}" in cited
    intervals = ledger["intervals"]
    assert "share of replicates with rank" in intervals["table1.logit.gpt-4o.ece.rank"]
    assert intervals["table5.verbalized.gpt-4.arts"]
    assert "questions)" in intervals["table2.grace.gpt-4.60"]


def test_shares_of_ranks_are_among_the_models_of_the_paper():
    rng = np.random.default_rng(3)
    questions = [f"q{number:02d}" for number in range(30)]
    base = {"segmentation": "sentence-100", "elicitation": "logit", "reduction": "mean_prob"}
    base |= {"marks": "authors", "clue": 1, "position": 5, "buzz": pd.NA, "guess": "x"}
    rows = [
        base | {"question_id": question, "model": model, "correct": rng.random() < 0.5}
        | {"confidence": rng.random() ** sure}
        for model, sure in {"M1": 1, "M2": 1.2, "mine": 9}.items()
        for question in questions
    ]  # fmt: skip
    responses = pd.DataFrame(rows)
    curve = pd.DataFrame(
        [("sentence-100", q, 1, name, 0.1) for q in questions for name in curves.H_DEFINITIONS],
        columns=["segmentation", "question_id", "clue", "h_definition", "h"],
    )
    found = []
    for part in (responses, responses[responses["model"] != "mine"]):
        tables = claims.keep_paper_models({"responses": part, "human_curve": curve}, published())
        _, texts = cited(tables, 200)
        found.append({key: text for key, text in texts.items() if key[0] == "score_ranks"})
    assert found[0] == found[1]
    shares = r"share of replicates with rank 1: 0\.\d\d, rank 2: 0\.\d\d"
    assert re.fullmatch(shares, found[0]["score_ranks", "logit", "M1", "brier"])
