"""What figures share: what is left out of a picture."""

import pandas as pd
from calscore.core import theme


def test_bands_end_before_points_do():
    table = pd.DataFrame({
        "n": [9, 10, 200, 200], "n_effective": [9.0, 10, 19, 20],
        "accuracy": 0.5, "low": 0.4, "high": 0.6,
    })  # fmt: skip
    kept = theme.enough(table, 10)
    assert kept["accuracy"].notna().tolist() == [False, True, True, True]
    assert kept["low"].notna().tolist() == kept["high"].notna().tolist() == [False] * 3 + [True]
    kept = theme.enough(table.drop(columns="n_effective"), 10)
    assert kept["low"].notna().tolist() == [False, True, True, True]
