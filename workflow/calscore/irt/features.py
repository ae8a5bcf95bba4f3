"""What is known of items from a file: covariates of the model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError
from .items import rows_of_items

#: Values that a text column of features may have.
MOST_VALUES = 20


def read_features(path, items, covariates):
    """Columns ``covariates`` of a CSV with ``id``, indexed by item_id in the order of ``items``.

    A covariate of texts (easy, medium, hard) becomes a 0/1 column for each value, ``<column>=<value>``. Raises ``DataError``
    for an item without a row and for a value that is not finite.
    """
    raw, columns = store.read_raw_csv(path, ["id", *covariates]), []
    table = rows_of_items(raw, items, path.name, "features of every item")
    for name in covariates:
        column = pd.to_numeric(table[name], errors="coerce").rename(name).to_frame()
        if not np.isfinite(column.to_numpy()).any():
            column = pd.get_dummies(table[name], prefix=name, prefix_sep="=", dtype=float)
            if len(column.columns) > MOST_VALUES:
                number = f"{len(column.columns)} texts"
                expected = f"at most {MOST_VALUES}, or numbers"
                raise DataError.at(path.name, "", name, number, expected)
        bad = np.flatnonzero(~np.isfinite(column.to_numpy()).all(axis=1))
        if len(bad):
            row, value = items["item_id"].iloc[bad[0]], table[name].iloc[bad[0]]
            raise DataError.at(path.name, row, name, value, "a finite number")
        columns.append(column)
    return pd.concat(columns, axis=1).rename_axis("item_id")
