"""Names as categories that tables share, so that millions of rows are compared as small numbers."""

from collections.abc import Iterable
from functools import reduce

import numpy as np
import pandas as pd


def share_categories(names: Iterable[str], *frames: pd.DataFrame) -> None:
    """Replace columns ``names``, in frames that have them, in place by categoricals over the sorted union of their values."""
    for name in names:
        parts = [frame for frame in frames if name in frame]
        columns = [part[name].astype("category") for part in parts]
        universe = reduce(pd.Index.union, (column.cat.categories for column in columns))
        universe = universe.astype(object).sort_values()
        for part, column in zip(parts, columns, strict=True):
            part[name] = column.cat.set_categories(universe)


def row_codes(key: list[str], *frames: pd.DataFrame) -> list[np.ndarray]:
    """For each frame, an int64 array with a code for each row: two rows of any frames have one code exactly where they agree in
    all columns of ``key``. Columns are whole numbers or categoricals that share their categories (:func:`share_categories`); a
    null category is a value of its own, numbers have none. Order of codes: by ``key``, if they fit in 62 bits."""
    code, size = np.zeros(sum(map(len, frames)), dtype="int64"), 1
    for name in key:
        columns = [frame[name] for frame in frames]
        columns = [c.cat.codes if hasattr(c, "cat") else c for c in columns]
        # As they come where they are whole numbers, which are narrower than 64 bits.
        own = np.concatenate([c.to_numpy(dtype=None if c.dtype.kind == "i" else "int64") for c in columns])
        least = int(own.min(initial=0))
        width = int(own.max(initial=0)) - least + 1
        if size * width >= 1 << 62:
            code, size = pd.factorize(code)[0], len(code)
            own, least, width = pd.factorize(own)[0], 0, len(own)
        code *= width
        code += own
        code -= least
        size *= width
    return np.split(code, np.cumsum([len(frame) for frame in frames])[:-1])


def repeats(code: np.ndarray) -> np.ndarray:
    """Mask: whether an equal element of ``code`` precedes it. It sorts, which takes a third of the memory of hashes."""
    place = np.argsort(code, kind="stable")
    ordered = code[place]
    again = np.zeros(len(code), dtype=bool)
    again[place[1:][ordered[1:] == ordered[:-1]]] = True
    return again


def floats(column: pd.Series | pd.api.extensions.ExtensionArray) -> np.ndarray:
    """A column of numbers (nullable or not) as a float array (n,), nan for null."""
    return pd.array(column, dtype="Float64").to_numpy(dtype=float, na_value=np.nan)


def broadcast(column: pd.Series, values: pd.Series) -> pd.api.extensions.ExtensionArray:
    """``values`` (index: names) looked up for each row of a categorical column; null for unknown or missing names."""
    return values.reindex(column.cat.categories).array.take(column.cat.codes.to_numpy(), allow_fill=True)
