"""Rows told apart by whole numbers, held against pandas."""

import numpy as np
import pandas as pd
import pytest
from calscore.tournament import categoricals


@pytest.mark.parametrize("size", [0, 1, 500])
def test_a_row_is_repeated_as_pandas_says(size):
    rng = np.random.default_rng(size)
    team = pd.Categorical.from_codes(rng.integers(0, 9, size), [f"Team {n}" for n in range(9)])
    rows = pd.DataFrame({"team": team, "tossup": rng.integers(-3, 12, size).astype("int32")})
    (code,) = categoricals.row_codes(["team", "tossup"], rows)
    assert categoricals.repeats(code).tolist() == rows.duplicated().tolist()


def test_rows_of_two_tables_have_one_number_where_they_are_the_same():
    one, other = pd.DataFrame({"a": [300, -1]}), pd.DataFrame({"a": [-1, 7, 300]})
    one, other = one.assign(b=[0, 2]), other.assign(b=[2, 2, 1])
    here, there = categoricals.row_codes(["a", "b"], one.astype("int16"), other)
    assert (here[:, None] == there).tolist() == [[False, False, False], [True, False, False]]


def test_numbers_beyond_64_bits_are_told_apart():
    wide = [-(2**31), 0, 2**31 - 1]
    rows = pd.DataFrame({name: wide for name in "abcd"})
    (code,) = categoricals.row_codes(list("abcd"), pd.concat([rows, rows[1:]]))
    assert len(set(code)) == 3 and categoricals.repeats(code).tolist() == [False] * 3 + [True] * 2
