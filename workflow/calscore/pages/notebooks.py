"""Execute notebooks (jupytext percent scripts) on a study: the same results give the same bytes."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from ..core.errors import DataError
from .base import render

FOLDED = """{% extends "basic/index.html.j2" %}
{% block input_group %}<details class="code"><summary>code</summary>{{ super() }}</details>{% endblock %}"""
"""Text and results stand open, code behind a line."""


def read(path: Path):
    """A percent script as a notebook, its cells with ids made from name and place."""
    import jupytext

    notebook = jupytext.read(path, fmt="py:percent")
    for at, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"{path.stem}-{at:02d}"
        cell["metadata"] = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


class _Stream:
    """What a cell prints, among its other outputs."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: list):
        self.name, self.outputs = name, outputs

    def write(self, text: str) -> int:
        from nbformat.v4 import new_output

        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == self.name:
            last["text"] += text
        else:
            self.outputs.append(new_output("stream", name=self.name, text=text))
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return False


@contextmanager
def _shell(study: Path, outputs: list):
    """An IPython of its own, in this process, that puts what it shows into ``outputs``.

    A kernel would start Python and its libraries once more for each notebook.
    """
    import pandas as pd
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from nbformat.v4 import new_output
    from traitlets.config import Config

    class Published(DisplayPublisher):
        def publish(self, data, metadata=None, **more):
            outputs.append(new_output("display_data", data=data))

    class Result(DisplayHook):
        def write_output_prompt(self):
            """Notebooks have a place for it."""

        def write_format_data(self, format_dict, md_dict=None):
            count = self.prompt_count
            outputs.append(new_output("execute_result", data=format_dict, execution_count=count))

        def finish_displayhook(self):
            """Nothing is printed that would need an end."""

    class Shell(InteractiveShell):
        display_pub_class, displayhook_class = Published, Result

    kept = os.environ.get("CALSCORE_STUDY")
    with tempfile.TemporaryDirectory() as scratch:
        # Nothing of the user's own IPython set-up, and nothing left in it.
        quiet = Config({"HistoryManager": {"enabled": False}})
        shell = Shell.instance(ipython_dir=scratch, config=quiet)
        os.environ["CALSCORE_STUDY"] = str(study)
        # Where there is neither kernel nor terminal pandas takes the width of lines for that of tables.
        pd.set_option("display.max_columns", 20)
        try:
            said, warned = _Stream("stdout", outputs), _Stream("stderr", outputs)
            with redirect_stdout(said), redirect_stderr(warned):
                yield shell
        finally:
            Shell.clear_instance()
            pd.reset_option("^display")
            os.environ.pop("CALSCORE_STUDY")
            if kept is not None:
                os.environ["CALSCORE_STUDY"] = kept


def execute(path: Path, study: Path):
    """The notebook of a script, run on the results folder ``study``.

    Raises ``DataError`` with notebook, cell and error where a cell fails.
    """
    notebook = read(path)
    outputs: list = []
    with _shell(study, outputs) as shell:
        for cell in notebook.cells:
            if cell["cell_type"] != "code":
                continue
            done = shell.run_cell(cell["source"], store_history=True)
            error = done.error_before_exec or done.error_in_exec
            if error:
                said = f"{type(error).__name__}: {error}"
                raise DataError.at(path.name, cell["id"], "", said, "a cell that runs")
            cell["execution_count"], cell["outputs"] = done.execution_count, [*outputs]
            outputs.clear()
    return _settled(notebook)


def _settled(notebook):
    """Without addresses in memory, which differ from run to run."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for kind, text in (output.get("data") or {}).items():
                if kind.startswith("text/"):
                    output["data"][kind] = re.sub(r" at 0x[0-9a-f]+", "", text)
    return notebook


def as_html(notebook, stem: str, masthead: dict) -> str:
    """A self-contained page of an executed notebook, ``stem`` its name: no outside scripts, styles or fonts."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    exporter = HTMLExporter(template_name="basic", embed_images=True, raw_template=FOLDED)
    exporter.exclude_input_prompt = exporter.exclude_output_prompt = True
    exporter.exclude_anchor_links = True
    body, _ = exporter.from_notebook_node(notebook)
    return render(
        "notebook.html.j2",
        masthead,
        f"notebooks/{stem}.html",
        texts=True,
        title=stem.replace("_", " ").capitalize(),
        data=body,
        script=HtmlFormatter(style="default").get_style_defs(".highlight"),
    )


def executed(provenance: Path, scripts: list[Path], masthead: dict) -> dict:
    """Every script executed on the study that a record belongs to, as notebook and as page."""
    import nbformat

    folder = provenance.parent.parent
    found = {}
    for path in scripts:
        notebook = execute(path, folder)
        nbformat.validate(notebook)
        found[f"notebook_{path.stem}"] = nbformat.writes(notebook, version=4) + "\n"
        found[f"notebook_{path.stem}_html"] = as_html(notebook, path.stem, masthead)
    return found
