"""Scores in batches are those of all clues at once, and no question is in two batches."""

import numpy as np
import pandas as pd
import pytest
from calscore.clues import segment
from calscore.core import store
from calscore.core.errors import DataError
from calscore.human import curves
from calscore.scores import metrics, score, streaming
from calscore.scores.score import SERIES
from calscore.stats.bootstrap import Bootstrap

SEGMENTATIONS = ["words-2", "words-3"]
RESAMPLED = {"replicates": 120, "seed": 5, "level": 0.9}


@pytest.fixture(scope="module")
def tables():
    """Forty questions of one to five clues; series that lack questions, replies without confidence, teams that lack packets."""
    rng = np.random.default_rng(2)
    ids = [f"p{n // 8 + 1:02d}-q{n % 8 + 1:02d}" for n in range(40)]
    clues = pd.DataFrame(
        [
            (name, q, t, 2 * t, 12 * t, t / of)
            for number, name in enumerate(SEGMENTATIONS)
            for q, of in zip(ids, rng.integers(1 + number, 6, 40), strict=True)
            for t in range(1, of + 1)
        ],
        columns=["segmentation", "question_id", "clue", "end_word", "end_char", "revealed"],
    )
    heard = pd.DataFrame({"question_id": ids}).merge(
        pd.DataFrame({"team": list("ABCDE"), "kind": "human"}), how="cross"
    )
    heard["packet"] = heard["question_id"].str[1:3].astype(int)
    heard = heard[(heard["team"] != "E") | (heard["packet"] == 2)].assign(source="declared")
    # What one team alone heard is known in the replicates that draw this team.
    heard = heard[(heard["team"] == "A") | (heard["packet"] != 5)]
    buzzes = heard[rng.random(len(heard)) < 0.7].assign(player=None, match=None, value=None, source_row="")
    buzzes["word_index"] = rng.integers(0, 10, len(buzzes))
    buzzes["correct"] = rng.random(len(buzzes)) < 0.6
    series = pd.DataFrame(
        [
            ("m1", "logit", "mean_prob"),
            ("m1", "verbalized", "stated"),
            ("m2", "logit", "mean_prob"),
        ],
        columns=SERIES[:3],
    )
    responses = clues[["segmentation", "question_id", "clue"]].merge(series, how="cross")
    responses = responses[(responses["model"] != "m2") | ~responses["question_id"].isin(ids[5:11])]
    confidence = rng.random(len(responses)).round(2)
    responses = responses.assign(
        marks="engine", position=responses["clue"] * 2, guess="x", buzz=None, carried=False,
        confidence=np.where(rng.random(len(responses)) < 0.05, np.nan, confidence),
        correct=rng.random(len(responses)) < confidence,
    )  # fmt: skip
    found = {"clues": clues, "exposures": heard, "buzzes": buzzes, "responses": responses}
    found |= {
        "crowd": curves.team_clue_counts(clues, buzzes, heard),
        "human_curve": curves.human_curve(clues, buzzes, heard),
    }
    return {name: store.frame(table, name) for name, table in found.items()}


@pytest.fixture(scope="module")
def stored(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for name, table in tables.items():
        store.write(table, name, folder / f"{name}.parquet")
    return {name: store.Stored(folder / f"{name}.parquet", name) for name in tables}


@pytest.fixture(scope="module")
def whole(tables):
    """In memory, in one batch."""
    crowds = curves.team_clue_counts_from_table(tables["crowd"], tables["clues"])
    made = streaming.score_tables(
        score.scored_rows(tables["responses"], tables["human_curve"]),
        Bootstrap(**RESAMPLED),
        crowds,
    )
    return {name: by_key(table, name) for name, table in made.items()}


def by_key(table, name):
    return table.sort_values(store.schema(name)["key"], ignore_index=True)


READ = ("responses", "human_curve", "crowd", "clues")


def made(stored, threads=1):
    found = streaming.scores(*(stored[name] for name in READ), **RESAMPLED, memory=100, threads=threads)
    # Pieces come in the order of the key.
    found |= {name: pd.concat(found[name], ignore_index=True) for name in ("question_scores", "sh_scores")}
    return {
        name: table if "_" in name and name != "model_scores" else by_key(table, name)
        for name, table in found.items()
    }


def test_one_batch_from_disk_has_the_same_numbers(stored, whole):
    for name, table in made(stored).items():
        pd.testing.assert_frame_equal(table, whole[name], check_exact=True)


@pytest.mark.parametrize(("clues", "threads"), [(1, 1), (1, 2), (0.3, 1)])
def test_batches_have_the_numbers_of_one(stored, whole, monkeypatch, clues, threads):
    monkeypatch.setattr(streaming, "CLUES_OF_A_MEGABYTE", clues)
    found = made(stored, threads)
    for name in ("question_scores", "sh_scores", "reliability"):
        pd.testing.assert_frame_equal(found[name], whole[name], check_exact=True)
    pd.testing.assert_frame_equal(found["model_scores"], whole["model_scores"], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("shards", "clues"), [(2, 0.1), (5, 1), (5, 1000)])
def test_jobs_that_share_the_work_make_the_same_bytes(stored, monkeypatch, tmp_path, shards, clues):
    """In batches (a few in a chunk, or one), or all clues at once, so that some jobs have nothing to do."""
    monkeypatch.setattr(streaming, "CLUES_OF_A_MEGABYTE", clues)
    tables = [stored[name] for name in READ]
    given = {"memory": 100, "threads": 2}
    folders = [tmp_path / f"{shard}-of-{shards}" for shard in range(1, shards + 1)]
    for shard, folder in enumerate(folders, 1):
        streaming.scored_shard(
            *tables, RESAMPLED["replicates"], RESAMPLED["seed"], **given,
            shard=str(shard), shards=str(shards), scored=folder,
        )  # fmt: skip
    one, many = (streaming.scores(*tables, **RESAMPLED, **given, parts=of) for of in (None, folders))
    for name in one:
        for label, found in (("one", one), ("many", many)):
            store.save(found[name], name, tmp_path / f"{label}.parquet")
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "many.parquet").read_bytes()


@pytest.mark.parametrize("shards", [1, 5, 42])
def test_each_question_is_in_the_batch_of_one_job(tables, stored, monkeypatch, tmp_path, shards):
    monkeypatch.setattr(streaming, "CLUES_OF_A_MEGABYTE", 0.1)
    monkeypatch.setattr(streaming, "CHUNKS", 7)
    found, sizes = [], []
    for shard in range(1, shards + 1):
        parts = [
            (one.segmentation, question)
            for one in streaming.read_batches([stored[name] for name in READ], 100, 1, tmp_path, shard, shards)
            for batch in one.batches
            for question in one.questions[batch.part]
        ]  # fmt: skip
        found += parts
        sizes.append(len(parts))
    scored = tables["responses"].dropna(subset="confidence")[["segmentation", "question_id"]]
    every = scored.drop_duplicates().sort_values(["segmentation", "question_id"])
    assert found == list(every.itertuples(index=False, name=None))
    assert max(sizes) < 2 * len(every) / min(shards, 14) + 1


@pytest.mark.parametrize("name", [name for name, one in metrics.METRICS.items() if one.curve])
def test_what_has_an_h_of_its_own_is_the_same_under_every_definition(name):
    g, c, starts = np.array([1.0, 0, 1, 1]), np.array([0.2, 0.5, 0.3, 0.9]), np.array([0, 3])
    (a, b), (x, y) = (metrics.METRICS[name].linear(g, c, starts, d)[:2] for d in metrics.DEFINITIONS)
    assert (a == x).all() and (b == y).all()


@pytest.mark.parametrize(("shards", "rows", "count"), [(2, 5, 40), (5, 1000, 3)])
def test_jobs_that_share_the_human_side_make_the_same_bytes(
    tables, stored, monkeypatch, tmp_path, shards, rows, count
):
    """With everything read at once or in ranges, and with more jobs than questions."""
    monkeypatch.setattr(curves, "ROWS_OF_A_MEGABYTE", rows)
    ids = tables["clues"]["question_id"].unique()[:count]
    questions = pd.DataFrame({"question_id": ids, "text": "a b c. d e f. g h i. j k l"})
    guesses = pd.DataFrame({"model": "m", "question_id": ids[1:7], "position": 5})
    heard = stored["buzzes"], stored["exposures"]

    def save(made, folder):
        folder.mkdir(exist_ok=True)
        for name, table in made.items():
            store.save(table, name, folder / f"{name}.parquet")
        return store.Stored(folder / "clues.parquet", "clues")

    def work(folder, clues, **parts):
        save(curves.human_tables(save(clues, folder), *heard, 100, **parts), folder)
        return sorted(folder.iterdir())

    cut = ["sentence-3", "words-2", "given"]
    one = work(tmp_path / "one", segment.every_clue(questions, cut, guesses))
    parts = [
        path
        for shard in map(str, range(1, shards + 1))
        for path in work(
            tmp_path / shard, segment.clues_of_shard(questions, cut, guesses, shard, str(shards))
        )
    ]
    many = work(tmp_path / "many", segment.every_clue(questions, cut, guesses, parts), parts=parts)
    same = {a.name: a.read_bytes() == b.read_bytes() for a, b in zip(one, many, strict=True)}
    assert same == dict.fromkeys(
        (f"{name}.parquet" for name in ("clues", "crowd", "human_curve", "team_responses")), True
    )


def test_the_human_side_in_parts_is_that_of_all(tables, stored, monkeypatch, tmp_path):
    monkeypatch.setattr(curves, "ROWS_OF_A_MEGABYTE", 1)
    names = ("clues", "buzzes", "exposures")
    assert len(store.question_ranges([stored[name] for name in names], 100)) > 3
    found = curves.human_tables(*(stored[name] for name in names), 100)
    frames = [store.read(stored[name].path) for name in names]
    expected = {
        "team_responses": curves.team_responses(*frames[:2]),
        "crowd": tables["crowd"],
        "human_curve": tables["human_curve"],
    }
    for name, table in expected.items():
        store.save(found[name], name, tmp_path / "parts.parquet")
        store.write(table, name, tmp_path / "all.parquet")
        same = (tmp_path / "parts.parquet").read_bytes() == (tmp_path / "all.parquet").read_bytes()
        assert same, name


def test_sums_of_batches_have_the_same_names():
    one, two = {"a": np.array([1.0])}, {"a": np.array([2.0]), "b": np.array([4.0])}
    assert streaming._add_sums([one, one])["a"] == 2
    for parts in ([one, two], [two, one]):
        with pytest.raises(KeyError, match="b"):
            streaming._add_sums(parts)


def test_scores_of_no_confidence_are_refused(tables):
    responses = tables["responses"].assign(confidence=np.nan)
    rows = score.scored_rows(responses, tables["human_curve"])
    with pytest.raises(DataError, match="responses.*confidence.*at least one confidence"):
        streaming.score_tables(rows, Bootstrap(**RESAMPLED))
