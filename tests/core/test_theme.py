"""What figures share: what is left out of a picture."""

from xml.etree import ElementTree

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


def test_dollar_signs_in_names_are_no_formulas():
    """Names come from outside: a formula among them would be drawn as one, or end the run where it is none."""
    import matplotlib.pyplot as plt

    theme.apply()
    figure, ax = plt.subplots()
    ax.set_title(r"$x_1$ and $\nothing$ and 5 $")
    figure.canvas.draw()
    assert ax.title.get_parse_math() is False
    plt.close(figure)


def test_control_characters_in_names_leave_a_figure_well_formed(tmp_path):
    import matplotlib.pyplot as plt

    theme.apply()
    figure, ax = plt.subplots()
    ax.set_title("a\u0007b\u0000c\ufffe \u202ed")
    ax.set_xticks([0], ["\u001b"])
    theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
    text = "".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "a\ufffdb\ufffdc\ufffd \u202ed" in text


def test_the_last_bits_of_a_layout_do_not_reach_the_file(tmp_path):
    import math

    import matplotlib.pyplot as plt

    found = []
    for left in (0.2, math.nextafter(0.2, 1)):
        figure = plt.figure(layout="none")
        figure.add_axes([left, 0.2, 0.6, 0.6]).plot([0, 1, 2], [0, 3, 1])
        theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
        found.append((tmp_path / "a.svg").read_bytes())
    assert found[0] == found[1]


def test_a_long_name_leaves_its_panel_room(tmp_path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4, 2))
    long = "H14 + Llama-3.1-70B-Instruct (logit guesses) (1329)"
    axes.set_yticks([0, 1, 2], ["Ada\nn = 5", "x" * 60 + "\nn = 7", long])
    theme.save(figure, tmp_path / "a.svg", tmp_path / "a.png")
    shown = [one.get_text() for one in axes.get_yticklabels()]
    at_a_word = "H14 + Llama-3.1-70B-Instruct (logit\nguesses) (1329)"
    assert shown == ["Ada\nn = 5", "x" * 40 + "\n" + "x" * 20 + "\nn = 7", at_a_word]
