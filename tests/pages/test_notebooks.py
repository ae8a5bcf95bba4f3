"""Notebooks are run in the process of their rule: what they show, in its order, and nothing of each other."""

import os

import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.pages import notebooks


def run(folder, text: str):
    """Outputs of each cell of a script."""
    script = folder / "one.py"
    script.write_text(text, encoding="utf-8")
    return [cell["outputs"] for cell in notebooks.execute(script, folder / "results").cells]


def test_a_cell_shows_what_jupyter_would_in_its_order(tmp_path):
    (cell,) = run(
        tmp_path,
        """# %%
import sys
from IPython.display import HTML, display
print("one")
print("two")
display(HTML("<b>three</b>"))
print("four", file=sys.stderr)
6 * 7
""",
    )
    assert [dict(one) for one in cell] == [
        {"output_type": "stream", "name": "stdout", "text": "one\ntwo\n"},
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {
                "text/plain": "<IPython.core.display.HTML object>",
                "text/html": "<b>three</b>",
            },
        },
        {"output_type": "stream", "name": "stderr", "text": "four\n"},
        {
            "output_type": "execute_result",
            "metadata": {},
            "data": {"text/plain": "42"},
            "execution_count": 1,
        },
    ]


def test_a_notebook_sees_nothing_of_the_one_before(tmp_path, monkeypatch):
    monkeypatch.setenv("CALSCORE_STUDY", "mine")
    before = pd.get_option("display.max_colwidth"), pd.get_option("display.max_columns")
    run(tmp_path, "# %%\nimport pandas as pd\nleft = 1\npd.set_option('display.max_colwidth', 7)\n")
    assert before == (pd.get_option("display.max_colwidth"), pd.get_option("display.max_columns"))
    assert os.environ["CALSCORE_STUDY"] == "mine"
    with pytest.raises(DataError) as error:
        run(tmp_path, "# %%\nx = 1\n\n# %%\nprint(left)\n")
    fault = error.value.faults[0]
    assert (fault.file, fault.row) == ("one.py", "one-02")
    assert fault.value == "NameError: name 'left' is not defined"


def test_a_cell_that_is_no_python_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match="SyntaxError"):
        run(tmp_path, "# %%\nx = = 1\n")
    with pytest.raises(DataError, match="SystemExit: 3"):
        run(tmp_path, "# %%\nraise SystemExit(3)\n")
