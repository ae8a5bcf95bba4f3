"""Agreement of judges beyond chance."""

import numpy as np


def cohen_kappa(cells: np.ndarray) -> np.ndarray:
    """Cohen's κ of contingency tables: shape (…), in [-1, 1]; nan where chance agreement is 1 or a table is empty.

    ``cells`` (…, k, k): counts, one judge by row, the other by column.

    Examples
    --------
    >>> round(float(cohen_kappa(np.array([[20, 5], [10, 15]]))), 3)
    0.4
    """
    total = cells.sum(axis=(-2, -1))
    observed = np.trace(cells, axis1=-2, axis2=-1) / total
    chance = (cells.sum(axis=-1) * cells.sum(axis=-2)).sum(axis=-1) / total**2
    return np.divide(observed - chance, 1 - chance, out=np.full(total.shape, np.nan), where=chance < 1)
