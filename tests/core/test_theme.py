"""What figures share: what is left out of a picture."""

import math
from itertools import pairwise
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from calscore.core import theme
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from support import ROOT

pytestmark = pytest.mark.usefixtures("style")


def test_bands_end_before_points_do():
    table = pd.DataFrame({
        "n": [9, 10, 200, 200], "n_effective": [9.0, 10, 19, 20],
        "accuracy": 0.5, "low": 0.4, "high": 0.6,
    })  # fmt: skip
    kept = theme.mask_small_n(table, 10)
    assert kept["accuracy"].notna().tolist() == [False, True, True, True]
    assert kept["low"].notna().tolist() == kept["high"].notna().tolist() == [False] * 3 + [True]
    kept = theme.mask_small_n(table.drop(columns="n_effective"), 10)
    assert kept["low"].notna().tolist() == [False, True, True, True]


def test_dollar_signs_in_names_are_no_formulas():
    """Names come from outside: a formula among them would be drawn as one, or end the run where it is none."""
    figure, ax = plt.subplots()
    ax.set_title(r"$x_1$ and $\nothing$ and 5 $")
    figure.canvas.draw()
    assert ax.title.get_parse_math() is False


def test_control_characters_in_names_leave_a_figure_well_formed(tmp_path):
    figure, ax = plt.subplots()
    ax.set_title("a\u0007b\u0000c\ufffe \u202ed")
    ax.set_xticks([0], ["\u001b"])
    theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
    text = "".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "a\ufffdb\ufffdc\ufffd \u202ed" in text


def test_the_last_bits_of_a_layout_do_not_reach_the_file(tmp_path):
    found = []
    for left in (0.2, math.nextafter(0.2, 1)):
        figure = plt.figure(layout="none")
        figure.add_axes([left, 0.2, 0.6, 0.6]).plot([0, 1, 2], [0, 3, 1])
        theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
        found.append((tmp_path / "a.svg").read_bytes())
    assert found[0] == found[1]


def test_a_long_name_leaves_its_panel_room(tmp_path):
    figure, axes = plt.subplots(figsize=(4, 2))
    long = "H14 + Llama-3.1-70B-Instruct (logit guesses) (1329)"
    axes.set_yticks([0, 1, 2], ["Ada\nn = 5", "x" * 60 + "\nn = 7", long])
    theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
    shown = [one.get_text() for one in axes.get_yticklabels()]
    at_a_word = "H14 + Llama-3.1-70B-Instruct (logit\nguesses) (1329)"
    assert shown == ["Ada\nn = 5", "x" * 40 + "\n" + "x" * 20 + "\nn = 7", at_a_word]


def test_names_of_two_lines_stand_clear_of_each_other(tmp_path):
    """Rows that are too low for what is broken make the figure taller; others leave it as it is."""
    found = []
    for name in ("GPT-4", "Llama-3.1-8B-Instruct − Llama-3.1-70B-Instruct"):
        figure, ax = plt.subplots(figsize=(theme.WIDTH, 2))
        ax.plot([0, 1, 2], range(3))
        ax.set_yticks(range(3), [name] * 3)
        ax.set_ylim(8, -0.5)
        theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
        renderer = FigureCanvasAgg(figure).get_renderer()
        boxes = [one.get_window_extent(renderer) for one in ax.get_yticklabels()]
        assert not any(one.overlaps(two) for one, two in pairwise(boxes))
        found.append(figure.get_size_inches()[1])
    assert found[0] == 2 < found[1]


def test_a_models_hue_stands_for_nothing_else():
    hues = [colour for colour, _ in theme._MODEL_STYLES]
    for path in (ROOT / "workflow" / "calscore").rglob("*.py"):
        if path.name != "theme.py":
            text = path.read_text(encoding="utf-8").lower()
            assert not [hue for hue in hues if hue in text], path
    others = {theme.HUMAN, theme.RIGHT, theme.WRONG, theme.GREY, *theme.MODELS, *theme.BLUES, *theme.QUARTILES.values()}  # fmt: skip
    assert not others & set(hues)


def test_lines_have_their_names_at_their_ends_and_apart():
    figure, axes = plt.subplots(1, 2, sharey=True)
    values = {"a": 0.9, "b": 0.91, "c": float("nan"), "d": 0.1, "e": 0.95}
    for ax in axes:
        for name, end in values.items():
            ax.plot([0, 1, 2], [0, 0.5, end], label=name)
        ax.set_ylim(0, 1)
    theme.name_lines(figure, axes, "a note")
    figure.draw_without_rendering()
    assert not figure.legends and figure.get_supxlabel() == "a note"
    for ax in axes:
        names = sorted(ax.texts, key=lambda text: text.xyann[1])
        # By height, that of c where it was last known.
        assert [text.get_text() for text in names] == ["d", "c", "a", "b", "e"]
        boxes = [Text.get_window_extent(text) for text in names]
        assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))
        assert names[-1].xyann[1] <= 1 and boxes[0].x0 > ax.bbox.x1
    figure, ax = plt.subplots(squeeze=False)
    for name in range(theme.MOST_NAMED + 1):
        ax[0, 0].plot([0, 1], label=str(name))
    theme.name_lines(figure, ax, "many")
    assert len(figure.legends) == 1 and not ax[0, 0].texts
