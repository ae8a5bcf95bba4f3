"""Matches without packets: what needs no text is counted, and what is missing is said."""

import json

import pytest
from calscore.core import catalog, store
from calscore.core.errors import DataError
from calscore.pages import statement_view
from calscore.runner import config
from calscore.tournament import files, quizbowl
from matches import buzz, match, question


def _match(teams, *values):
    """A match in which the first team buzzes for each of ``values`` points, at word 3."""
    buzzes = [[buzz(teams[0], 3, value, f"{teams[0]} 1")] if value else [] for value in values]
    return match(*(question(*one) for one in enumerate(buzzes, start=1)), teams=teams)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qbj").mkdir()
    one = _match(("A", "B"), 15, 10, -5, 0)
    (tmp_path / "qbj" / "Round_1_a.qbj").write_text(json.dumps(one))
    return tmp_path


def test_matches_alone_give_points_and_conversion_and_say_what_is_missing(folder):
    made = files.tidy_tournament(folder, {}, {}, {}, {}, "keep", 0, {}, [])
    assert [one.finding for one in made["findings"]] == ["no packet", "points are not declared"]
    assert made["games"][["round", "packet"]].to_numpy().tolist() == [["1", "Packet 1"]]
    for name in ("plays", "heard", "games", "rosters"):
        assert not store.validation_errors(made[name], name, parents=made), name
    counted = quizbowl.quizbowl_tables(made["plays"], made["heard"], made["rosters"], None, 0.95)
    teams = counted["quizbowl_teams"].set_index("team")
    wanted = ["heard", "gets", "powers", "negs", "points", "conversion"]
    assert teams.loc["A", wanted].tolist() == [4, 2, 1, 1, 20, 0.5]
    assert teams.loc["B", wanted].tolist() == [4, 0, 0, 0, 0, 0]
    assert teams["bpa"].isna().all()
    assert counted["quizbowl_players"].loc[0, ["player", "heard", "points"]].tolist() == [
        "A 1", 4, 20,
    ]  # fmt: skip


def _study(**inputs):
    return config.load({"studies": {"cup": {"inputs": inputs}}})["cup"]


def test_a_study_of_matches_alone_is_one_of_points_and_standings(folder):
    study = _study(qbj_dir=str(folder / "qbj"))
    assert config.study_features(study) == {"tournament"}
    missing = {row["product"]: row["missing"] for row in catalog.unavailable({"tournament"})}
    assert "texts of the tossups" in missing["figures/figure4.svg"]
    alone = config.load({"studies": {"cup": {"analyses": ["statistics"], "inputs": {"qbj_dir": str(folder / "qbj")}}}})["cup"]  # fmt: skip
    assert config.study_features(alone) == {"tournament"}
    (folder / "qbj" / "Packet 1.json").write_text('{"tossups" : [{"question": "A b", "answer": "c"}]}')
    assert config.study_features(_study(qbj_dir=str(folder / "qbj"))) >= {"buzzes", "tournament"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, None),
        ({"analyses": ["statistics", "buzz"]}, "statistics of a tournament, and not buzz beside it"),
        ({"inputs": {}}, "the raw buzz logs"),
        ({"inputs": {"qbj_dir": "{folder}", "submissions": [{"path": "{folder}/m.jsonl"}]}}, "statistics are of people alone"),
    ],
)  # fmt: skip
def test_statistics_alone_have_texts_and_no_scores(folder, changed, said):
    (folder / "qbj" / "Packet 1.json").write_text('{"tossups": [{"question": "A", "answer": "c"}]}')
    study = {"analyses": ["statistics"], "inputs": {"qbj_dir": "{folder}"}} | changed
    raw = json.loads(json.dumps({"studies": {"cup": study}}).replace("{folder}", str(folder / "qbj")))  # fmt: skip
    if said:
        with pytest.raises(DataError, match=said):
            config.load(raw)
        return
    found = config.study_features(config.load(raw)["cup"])
    assert found == {"tournament", "texts"} and not catalog.unavailable(found)
    made = catalog.available_files(found)
    assert {"statistics.html", "tables/standings.csv", "tidy/questions.parquet"} <= {*made}
    assert not any(one.startswith(("scores/", "notebooks/", "figures/")) for one in made)


@pytest.mark.parametrize("key", ["submissions", "survey"])
def test_what_is_held_against_texts_needs_packets(folder, key):
    path = str(folder / "mine.jsonl")
    given = path if key == "survey" else [{"path": path}]
    with pytest.raises(DataError, match=f"inputs, column {key}.*packets beside the matches"):
        _study(qbj_dir=str(folder / "qbj"), **{key: given})


def test_the_first_page_says_that_there_is_no_text(folder):
    made = files.tidy_tournament(folder, {}, {}, {}, {}, "keep", 0, {}, [])
    said = statement_view.study_sentence({name: made[name] for name in ("games", "plays")})
    assert said == (
        "1 match and 3 buzzes of 1 team, no packet among the files: what needs texts of the tossups is missing."
    )


@pytest.mark.parametrize("features", [{"tournament"}, {"buzzes", "tournament"}, {"buzzes", "release"}])
def test_what_is_missing_is_of_the_study_s_own_analyses(features):
    missing = {row["product"]: row["missing"] for row in catalog.unavailable(features)}
    assert "published numbers" in missing["tables/claims.csv"]
    assert "responses" not in missing["tables/claims.csv"]
