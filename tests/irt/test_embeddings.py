"""Embeddings of items from a file and from text."""

import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.irt import embeddings
from irt_files import table_of


def vectors(table, folder, third=None):
    """A file of vectors in reverse order; ``third``: the lines in place of the third item's."""
    lines = [f"{name},mine,{i},{i + 1},{i + 2},{i + 3}" for i, name in enumerate(table["item_id"])]
    lines[2:3] = lines[2:3] if third is None else third
    path = folder / "vectors.csv"
    path.write_text("\n".join(["id,model,e0,e1,e2,e3", *lines[::-1]]) + "\n")
    return path


@pytest.mark.parametrize(
    ("third", "message"),
    [
        (["q1_3,mine,2,3,4"], "vectors.csv, row 7: found '5 cells', expected 6 cells, as many as columns"),
        (["q1_3,mine,2,nan,4,5"], "row q1_3, column vector: .*expected finite numbers"),
        ([], "row q1_3, column id: found None, expected a vector for every item"),
        (["q1_3,mine,2,3,4,5", "q1_1,mine,0,1,2,3"], "column id: found 'q1_1', expected an id once"),
        (["q1_3,mine,2,x,4,5"], "expected numbers"),
    ],
)  # fmt: skip
def test_bad_embeddings_are_one_clear_error(tmp_path, third, message):
    table = table_of()
    with pytest.raises(DataError, match=message) as error:
        embeddings.read_vectors(vectors(table, tmp_path, third), table)
    assert len(error.value.faults) == 1


def test_embeddings_from_a_file_and_from_text(tmp_path):
    table = table_of([f"q{i}" for i in range(6)])
    path = vectors(table, tmp_path)
    assert embeddings.read_vectors(path, table)[3].tolist() == [3.0, 4.0, 5.0, 6.0]
    settings = {"embedding": "tfidf", "embedding_size": 5, "text": ("clues", "answer"), "seed": 0}
    made = embeddings.embed(table, settings)
    assert made.shape == (24, 5)
    assert (made == embeddings.embed(table, settings)).all()
    assert embeddings.embed(table.assign(text=""), settings).shape == (24, 0)
    raw = pd.read_csv(path).assign(hash="0" * 16)
    raw.to_csv(path, index=False)
    with pytest.raises(DataError, match="that of the item's text"):
        embeddings.read_vectors(path, table)
    with pytest.raises(DataError, match="column summary"):
        embeddings.tfidf(table, ("clues", "summary"), 5)
