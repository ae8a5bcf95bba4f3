"""Whether a statement about differences would hold beyond chance: their intervals over resampled studies."""

from typing import NamedTuple

import numpy as np

QUANTIFIERS = ("all", "any", "most")


class MarginTest(NamedTuple):
    """Result of :func:`test_margins` for one possibility. ``verdict``: whether it holds (True) or fails
    (False) at ``level``, else None. ``part``: name of the margin that decides, with its ``difference`` and
    interval. ``stays``: share of the resampled studies that agree with the data. ``too_few``: whether too few
    events, or replicates that do not vary, and not the interval, prevent a verdict."""

    verdict: bool | None
    part: str
    difference: float
    low: float
    high: float
    stays: float
    too_few: bool = False


def _truth(above: np.ndarray, quantifier: str) -> np.ndarray:
    """Mask (n,): whether ``all``, ``any`` or ``most`` (over half) of the margins of ``above``, (n, margins), are true."""
    if quantifier == "most":
        return 2 * above.sum(axis=1) > above.shape[1]
    return above.all(axis=1) if quantifier == "all" else above.any(axis=1)


def _decisions(ends: np.ndarray, usable: np.ndarray, quantifier: str) -> tuple[np.ndarray, np.ndarray]:
    """(holds, fails): masks (possibilities,) of a statement that does so beyond chance. ``ends`` (4, possibilities, margins):
    low, high, simultaneous low and high. A margin not ``usable`` (possibilities, margins) supports neither."""
    low, high, low_all, high_all = ends
    above, below = usable & (low > 0), usable & (high <= 0)
    if quantifier == "all":
        return above.all(axis=1), (usable & (high_all <= 0)).any(axis=1)
    if quantifier == "any":
        return (usable & (low_all > 0)).any(axis=1), below.all(axis=1)
    size = usable.shape[1]
    return 2 * above.sum(axis=1) > size, 2 * below.sum(axis=1) >= size


def test_margins(
    margins: list[dict[str, float]],
    replicates: list[dict[str, np.ndarray]],
    quantifier: str,
    level: float,
    events: list[dict[str, float]] | None = None,
    least: float = 0,
) -> list[MarginTest]:
    """Test that ``quantifier`` (all, any or most) of the margins are above 0; one result for each
    possibility. ``margins``: for each possibility, margin → its value; ``replicates``: margin → its values in
    resampled studies, (R,). All possibilities have the same margins. Replicates in which a margin of the
    possibility is not finite are left out; if none is left, the verdict is None, low, high and stays nan.
    ``all`` uses the intersection–union test: it holds if every interval lies above 0, and fails if a
    simultaneous (Bonferroni) interval, at ``level`` too, lies at or below 0. ``any`` mirrors it; ``most``
    counts margins one by one. ``events``: margin → events on its rarer side. A margin with fewer than
    ``least`` of them, or whose replicates do not vary, decides nothing."""
    names = list(margins[0])
    value = np.array([[margin[name] for name in names] for margin in margins], dtype=float)
    cells = np.array([[drawn[name] for name in names] for drawn in replicates], dtype=float)
    finite = np.isfinite(cells).all(axis=(0, 1))
    if len(margins) > 1 and not finite.all():
        counts = events or [None] * len(margins)
        return [
            test_margins([margin], [drawn], quantifier, level, count and [count], least)[0]
            for margin, drawn, count in zip(margins, replicates, counts, strict=True)
        ]
    cells = cells[..., finite]
    if not finite.any():
        return [MarginTest(None, names[0], float(value[0, 0]), np.nan, np.nan, np.nan)]

    levels = level, 1 - (1 - level) / len(names)
    tails = [(1 + side * level) / 2 for level in levels for side in (-1, 1)]
    ends = np.quantile(cells, tails, axis=2)
    spread = cells.std(axis=2)
    usable = spread > 0
    if events:
        usable &= np.array([[count[name] for name in names] for count in events]) >= least
    holds, fails = _decisions(ends, usable, quantifier)
    # the deciding margin: nearest to failing, to holding, or the middle one, in units of its spread
    order = np.argsort(value / np.maximum(spread, 1e-12), axis=1, kind="stable")
    places = order[:, {"all": 0, "any": -1, "most": (len(names) - 1) // 2}[quantifier]]
    decided = np.logical_or(*_decisions(ends, np.ones_like(usable), quantifier)) & ~(holds | fails)
    scarce = decided | ~usable[np.arange(len(places)), places] & ~(holds | fails)
    stays = (_truth(cells > 0, quantifier) == _truth(value > 0, quantifier)[:, None]).mean(axis=1)
    low, high, low_all, high_all = ends
    results = []
    for index, place in enumerate(places):
        verdict = True if holds[index] else False if fails[index] else None
        alone = verdict is (quantifier != "any") or quantifier == "most"
        interval = (low, high) if alone else (low_all, high_all)
        numeric = (value[index, place], *(end[index, place] for end in interval), stays[index])
        results.append(MarginTest(verdict, names[place], *map(float, numeric), too_few=bool(scarce[index])))
    return results
