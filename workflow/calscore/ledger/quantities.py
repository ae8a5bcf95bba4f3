"""What a paper states, computed from a study's own tables: the quantities that claims name.

Nothing printed enters a recomputed number: :func:`quantities` does not see the published file.
"""

from collections.abc import Collection

from ..stats.bootstrap import Bootstrap
from . import buzz_quantities, guess_quantities
from .estimates import Quantity, StudySums, Tables
from .registry import SOURCES

_MODULES = (buzz_quantities, guess_quantities)
"""They register their quantities as they are imported."""

#: Every quantity that can be had → the input it needs.
INPUTS_OF = {
    name: source.needs for source in SOURCES for name in (*source.estimates, *source.exact, *source.noted)
}
ESTIMATES = {name for source in SOURCES for name in source.estimates}
NOTED = {name for source in SOURCES for name in source.noted}


def quantities(
    tables: Tables, segmentation: str, bootstrap: Bootstrap, wanted: Collection[str] = ()
) -> dict[str, Quantity]:
    """Name → quantity, of every one that ``tables`` (name → frame, see calscore/tables) allow.

    A quantity whose tables are absent or empty is absent. ``segmentation`` is used where a quantity needs
    one, or the first one by name if the study lacks it; the evidence says so. ``wanted``: if not empty,
    functions that return none of these names are not called."""
    study = StudySums(tables, segmentation, bootstrap)
    by_name = {}
    for source in SOURCES:
        names = {*source.estimates, *source.exact, *source.noted}
        lacking = any(name not in tables or len(tables[name]) == 0 for name in source.tables)
        if lacking or (wanted and names.isdisjoint(wanted)):
            continue
        for name, (tree, *places) in source.compute(tables, study).items():
            by_name[name] = Quantity(tree, *places)
    return by_name
