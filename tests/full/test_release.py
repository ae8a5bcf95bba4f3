"""The study on the real release against facts computed here from the raw JSON alone."""

from collections import Counter

import grace_release
import pandas as pd
import pytest
from calscore.raw import safe_pickle


@pytest.fixture(scope="module")
def buzzes():
    """(question id, team, right, word index) of every buzz."""
    asked = grace_release.questions()
    return [(one, *buzz) for one, question in asked for buzz in grace_release.buzzes(question)]


def test_totals(grace, buzzes):
    raw = grace_release.questions()
    questions = pd.read_parquet(grace / "tidy" / "questions.parquet")
    table = pd.read_parquet(grace / "tidy" / "buzzes.parquet")
    assert len(questions) == len(raw) == 240
    assert len(table) == len(buzzes) == 1749
    kinds = Counter(team[0] for _, team, _, _ in buzzes)
    assert table["kind"].value_counts().to_dict() == {"human": kinds["H"], "model": kinds["M"]}
    assert (kinds["H"], kinds["M"]) == (1371, 378)
    key = ["question_id", "team", "correct", "word_index"]
    assert sorted(table[key].itertuples(index=False, name=None)) == sorted(buzzes)
    texts = dict(zip(questions["question_id"], questions["text"], strict=True))
    assert texts == {q: r["question"] for q, r in raw}
    categories = Counter(grace_release.category(r["category"]) for _, r in raw)
    assert questions["category"].value_counts().to_dict() == categories


def test_who_heard_a_question(grace, buzzes, release_dir):
    """Declared teams, those that buzzed, and those that buzzed on another question of the packet."""
    position, declared = Counter(), set()
    for entry in safe_pickle.load_plain(release_dir / "human_team_per_question.pkl"):
        position[entry["packet"]] += 1
        question = f"p{entry['packet']:02d}-q{position[entry['packet']]:02d}"
        declared |= {(question, team) for team in entry["total_human_teams"] if team[0] == "H"}
    buzzed = {(question, team) for question, team, _, _ in buzzes if team[0] == "H"}
    packets = {(question[:3], team) for question, team in declared}
    silent = {(question[:3], team) for question, team in buzzed} - packets
    assert len(silent) == 25
    heard = pd.read_parquet(grace / "tidy" / "exposures.parquet").query("kind == 'human'")
    found = set(heard[["question_id", "team"]].itertuples(index=False, name=None))
    of_packets = {one for one in found if (one[0][:3], one[1]) in silent}
    assert found == declared | buzzed | of_packets


def test_known_faults_are_found(grace):
    findings = pd.read_csv(grace / "audit" / "findings.csv")
    counts = findings["finding"].value_counts()
    detail = findings.set_index("place")["detail"]
    assert "p03-q02, p10-q16" in detail["128"]
    assert counts["table loses a question"] == 1
    assert detail["combined"].startswith("315 of 1749 buzzes")
    assert detail["per_packet"].startswith("262 of 1749 buzzes")
    assert counts["participation tables disagree"] > 0
    no_team = findings.loc[findings["finding"] == "identifier is no team", "place"]
    assert no_team.tolist() == ["per_packet: A"]
    assert counts["category names vary"] == 4
    assert counts["no human buzz"] == 13
    assert detail["all packets"].startswith("1749 positions compared")
    assert detail["all packets"].endswith("0 questions differ")
    assert "marks differ from positions" not in counts


def test_unpublished_products_are_listed_not_made(grace):
    listed = set(pd.read_csv(grace / "audit" / "unavailable.csv")["product"])
    assert {"tables/table1.csv", "figures/figure5.svg", "tables/survey_accuracy.csv"} <= listed
    made = {str(path.relative_to(grace)) for path in grace.rglob("*") if path.is_file()}
    assert not listed & made
    assert {"figures/figure4.svg", "figures/buzz_positions.png", "tables/claims.csv"} <= made


def test_draft_guesses_get_scores_against_real_humans(grace_draft, precursor):
    alignment = pd.read_csv(grace_draft / "tidy" / "alignment.csv")
    raw_rows = pd.read_csv(precursor)
    questions = pd.read_parquet(grace_draft / "tidy" / "questions.parquet").set_index("question_id")
    drafts = raw_rows.drop_duplicates(["set", "qid"])
    assert len(alignment) == len(drafts) == 103
    used = alignment[alignment["used"]]
    assert (used["n_sent_matched"] == used["n_sent"]).all()
    assert (used["n_words"] == questions.loc[used["question_id"], "n_words"].to_numpy()).all()
    guesses = pd.read_parquet(grace_draft / "tidy" / "guesses.parquet")
    # Each question's last line stands twice in the raw file.
    raw_rows = raw_rows.drop_duplicates()
    kept = raw_rows.merge(used[["set", "qid"]], on=["set", "qid"])
    assert len(guesses) == len(kept)
    assert sorted(guesses["mean_logprob"]) == pytest.approx(sorted(kept["mean_logprob"]))
    table = pd.read_csv(grace_draft / "tables" / "table1.csv")
    assert set(table["reduction"]) == {"exp_mean_logprob"}
    assert (table["n_questions"] == len(used)).all()
    release = table[table["definition"] == "release"].iloc[0]
    assert 0 < release["mce"] <= release["calscore"] <= 1
