"""One look for all figures: sizes, colours that colour-blind readers can tell apart, deterministic files."""

import io
import re
import textwrap
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from .package import FOLDER

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold; names from outside may."""

WIDTH = 6.75
"""Printed width of a full-width figure, inches."""

# Sequential blues, dark is best.
QUARTILES = {"Q1": "#9ecae1", "Q2": "#5fa2d0", "Q3": "#2171b5", "Q4": "#08306b"}
HALVES = {"bottom": "#6baed6", "top": "#08306b"}
HUMAN = "#2171b5"
# Crimson is no model's hue.
RIGHT, WRONG = "#2171b5", "#a50f15"
# Models taken together, and kinds of them: reds, dark first. What is neither people nor models: blues.
MODELS = ["#a50f15", "#67000d", "#d94848", "#ee8a8a", "#f7bcbc"]
BLUES = ["#08306b", "#2171b5", "#6baed6", "#9ecae1"]
GREY = "#b0b0b0"

# Okabe and Ito's palette without its blues and yellow, plus darks and a grey; with a marker each.
_MODEL_STYLES = [
    ("#d55e00", "s"),
    ("#e69f00", "^"),
    ("#009e73", "D"),
    ("#cc79a7", "v"),
    ("#7a5195", "P"),
    ("#000000", "X"),
    ("#8c6d31", "*"),
    ("#7f7f7f", "p"),
]
QUARTILE_MARKER = "o"


REDUCTIONS = {
    "mean_prob": "mean of tokens",
    "exp_mean_logprob": "geometric mean",
    "exp_sum_logprob": "product of tokens",
}
"""Ways to one confidence from the probabilities of tokens, as readers call them."""


RULE_WORDS = {
    "paper": "total correct buzzes",
    "release": "summed cumulative correct buzzes",
    "rate": "correct buzzes per question heard",
}
"""Rule of quartiles → what it ranks teams by."""


def quartile_words(group: str) -> str:
    """Label of a group: ``Q1 (bottom)``, ``Q4 (top)``; other names stay."""
    return group + {"Q1": " (bottom)", "Q4": " (top)"}.get(group, "")


def model_styles(named: Iterable[str], present: Iterable[str] = ()) -> dict[str, tuple[str, str]]:
    """Model key → (colour, marker), the same in every figure of a study. There are eight styles; the ninth model has the first.

    ``named``: models of the configuration in its order; models only in ``present``, those of the data, follow by name.
    """
    models = [*named, *sorted(set(present) - set(named))]
    return {model: _MODEL_STYLES[i % len(_MODEL_STYLES)] for i, model in enumerate(models)}


def apply_style() -> None:
    """Set matplotlib's style and backend; call it once before drawing."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rc_file(FOLDER / "core" / "house.mplstyle", use_default_template=False)


_NAME = 40
"""Characters of a line of a name beside a panel, so that it leaves the panel room."""


def _crowded(ax) -> float:
    """Factor by which names of several lines beside a panel are too tall for its rows; 1 where they fit."""
    names = [label for label in ax.get_yticklabels() if label.get_text()]
    if not any("\n" in label.get_text() for label in names):
        return 1.0
    boxes = [label.get_window_extent() for label in names]
    rows = sorted((box.y0 + box.y1, box.height) for box in boxes)
    # Sums of two ends stand for middles, of two heights for their mean; a little air between them.
    times = [1.05 * (a + b) / (up - low) for (low, a), (up, b) in pairwise(rows) if up > low]
    return max([1.0, *times])


def _settle(figure) -> None:
    """Lay the figure out once, and round where its axes are: the solver's last bits differ from run to run.

    Names beside a panel that would leave it no room are broken first; where its rows are too low for that,
    the figure is made taller."""
    for ax in figure.axes:
        names = [item.get_text() for item in ax.get_yticklabels()]
        broken = [_wrap_label(name, _NAME) for name in names]
        if broken != names:
            ax.set_yticks(ax.get_yticks(), broken)
    if engine := figure.get_layout_engine():
        engine.execute(figure)
        taller = max(map(_crowded, figure.axes), default=1.0)
        if taller > 1:
            width, height = figure.get_size_inches()
            panels = [ax.get_position() for ax in figure.axes]
            share = max(item.y1 for item in panels) - min(item.y0 for item in panels)
            figure.set_size_inches(width, height * (1 + (taller - 1) * share))
            engine.execute(figure)
    figure.set_layout_engine(None)
    for ax in figure.axes:
        ax.set_position([round(float(item), 9) for item in ax.get_position(original=True).bounds])


def save(figure, svg: str | Path, png: str | Path, simulated: bool = False) -> None:
    """Write a figure as SVG and PNG without dates and close it; ``simulated`` prints SIMULATED DATA on it."""
    import matplotlib.pyplot as plt

    if simulated:
        figure.suptitle("SIMULATED DATA", color="#b30000", weight="bold", fontsize=12)
    # Without any engine once it is laid out: each file would give it the default one again, and draw it twice.
    with plt.rc_context({"figure.constrained_layout.use": False}):
        _settle(figure)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        text = _NO_XML.sub("\ufffd", drawn.getvalue())
        Path(svg).write_text(text, encoding="utf-8", newline="\n")
        figure.savefig(Path(png), metadata={"Software": None})
    plt.close(figure)


def curve_with_band(ax, x, y, band: tuple, style: tuple[str, str], label: str, **kwargs) -> None:
    """Draw y over x in ``style`` (colour, marker), shaded between ``band`` (low, high); ``kwargs``: of ``ax.plot``."""
    colour, marker = style
    ax.plot(x, y, color=colour, marker=marker, label=label, **kwargs)
    ax.fill_between(x, *band, color=colour, alpha=0.1, linewidth=0)


def mask_small_n(table, min_n: int):
    """A copy of a frame with nan for accuracy, p, low and high where ``n`` is under ``min_n``. None for None.

    low and high are nan too where ``n_effective``, the number of independent answers, is under twice ``min_n``.
    """
    if table is None:
        return None
    enough = table["n"] >= min_n
    enough_independent = enough & (table["n_effective"] >= 2 * min_n) if "n_effective" in table else enough
    keep = {"accuracy": enough, "p": enough, "low": enough_independent, "high": enough_independent}
    return table.assign(**{name: table[name].where(mask) for name, mask in keep.items() if name in table})


def legend_entries(axes) -> tuple[list, list[str]]:
    """(handles, labels) of all that has a label in an array of ``axes``, each label once (its first), in order."""
    by_label = {}
    for ax in axes.flat:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            by_label.setdefault(label, handle)
    return list(by_label.values()), list(by_label)


MOST_NAMED = 8
"""Lines of a figure up to which each has its name at its end, and none a legend."""


def name_lines(figure, axes, note: str = "") -> None:
    """Write the name of each line at its end, in its colour (darkened), and ``note`` below; of over eight
    names a legend instead, with ``note`` as its title. Lines without label or finite value get no name.

    Call it last: names stand by the limits of the panels. ``axes``: an array of panels of one figure."""
    handles, names = legend_entries(axes)
    if len(names) > MOST_NAMED:
        place = {"loc": "outside lower center", "ncols": 3 if len(names) > 10 else 2}
        figure.legend(handles, names, title=note or None, title_fontsize=8, **place)
        return
    rows = axes.flat[0].get_subplotspec().get_gridspec().nrows
    for ax in axes.flat:
        _name_ends(ax, 0.25 * rows / figure.get_size_inches()[1])
    if note:
        figure.supxlabel(note, fontsize=8)


def _name_ends(ax, gap: float) -> None:
    """Names right of a panel at the heights of its lines' ends; ``gap``: height of a line of text as a share of the panel."""
    import numpy as np

    ends = []
    for drawn in ax.get_lines():
        x, y = (np.asarray(values, dtype=float) for values in drawn.get_data())
        finite = np.flatnonzero(np.isfinite(y))
        if not drawn.get_label().startswith("_") and len(finite):
            # A line across the panel has no place of its own.
            along, _ = drawn.get_transform().contains_branch_seperately(ax.transData)
            ends.append((y[finite[-1]], x[finite[-1]] if along else ax.get_xlim()[1], drawn))
    low, high = ax.get_ylim()
    ends.sort(key=lambda end: end[0])
    words = [_wrap_label(drawn.get_label(), 22) for *_, drawn in ends]
    tall = [gap * (text.count("\n") + 1) for text in words]
    heights = [min(max((y - low) / (high - low), 0.0), 1.0) for y, *_ in ends]
    # Each two that overlap part by halves, until none does; what leaves the panel goes back to its edge.
    for _ in range(200):
        for place in range(1, len(ends)):
            lack = heights[place - 1] + (tall[place] + tall[place - 1]) / 2 - heights[place]
            if lack > 0:
                heights[place - 1] -= lack / 2
                heights[place] += lack / 2
        heights = [min(max(height, 0.0), 1.0) for height in heights]
    for (y, x, drawn), text, height in zip(ends, words, heights, strict=True):
        colour = drawn.get_color()
        ax.annotate(
            text, (x, y), (1.05, height), textcoords="axes fraction", va="center", fontsize=8,
            color=_ink(colour), annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 1, "shrinkB": 0},
        )  # fmt: skip


def _wrap_label(name: str, most: int) -> str:
    """A label broken into lines of at most ``most`` characters, at spaces, and within a longer word."""
    return "\n".join(textwrap.fill(part, most, break_on_hyphens=False) for part in name.split("\n"))


def _ink(colour: str) -> tuple[float, float, float]:
    """RGB of a colour, darkened until its contrast with white is at least 4.5."""
    from matplotlib.colors import to_rgb

    def luminance(rgb):
        parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    rgb = to_rgb(colour)
    while luminance(rgb) > 0.183:
        rgb = tuple(0.95 * c for c in rgb)
    return rgb


def percent_ticks(ax, axis: str = "y") -> None:
    """Label ticks of the x or y ``axis``, whose values are shares, in whole percent."""
    from matplotlib.ticker import PercentFormatter

    (ax.yaxis if axis == "y" else ax.xaxis).set_major_formatter(PercentFormatter(1, decimals=0))
