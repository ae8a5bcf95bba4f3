"""Sizes of figures of the default studies."""

import struct

import pytest

LONGEST = 1400
"""Pixels at 200 dpi: what a page shows without scrolling."""


@pytest.mark.parametrize("study", ["demo", "demo_options", "demo_irt", "grace", "played"])
def test_no_figure_is_wider_or_taller_than_a_screen(request, study):
    folder = request.getfixturevalue(study)
    paths = folder.rglob("figures/*.png")
    sizes = {path.name: struct.unpack(">II", path.read_bytes()[16:24]) for path in paths}
    assert sizes
    assert {name: size for name, size in sizes.items() if max(size) > LONGEST} == {}
