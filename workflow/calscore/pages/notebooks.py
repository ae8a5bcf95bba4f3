"""Execute notebooks (jupytext percent scripts) on a study: the same results give the same bytes."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from ..core.errors import DataError
from .base import render

FOLDED = """{% extends "basic/index.html.j2" %}
{% block input_group %}<details class="code"><summary>code</summary>{{ super() }}</details>{% endblock %}"""
"""Text and results stand open, code behind a line."""
TIMEOUT = 120
"""Seconds that one cell may take."""


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


def execute(path: Path, study: Path, root: Path):
    """The notebook of a script, run in ``root`` on the results folder ``study``.

    Raises ``DataError`` with notebook, cell and error where a cell fails.
    """
    import nbclient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    notebook = read(path)
    metadata = dict(notebook.metadata)
    with tempfile.TemporaryDirectory() as scratch:
        # Nothing of the user's own Jupyter or IPython set-up, and nothing left in it.
        environment = os.environ | {
            "CALSCORE_STUDY": str(study),
            "IPYTHONDIR": scratch,
            "JUPYTER_RUNTIME_DIR": scratch,
            "JUPYTER_PREFER_ENV_PATH": "1",
            "PYTHONHASHSEED": "0",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        kept = dict(os.environ)
        os.environ.update(environment)
        try:
            # Sockets in the scratch folder instead of ports on the network.
            quiet = Config({"KernelManager": {"transport": "ipc", "ip": f"{scratch}/kernel"}})
            client = nbclient.NotebookClient(
                notebook,
                timeout=TIMEOUT,
                kernel_name="python3",
                record_timing=False,
                shutdown_kernel="immediate",
                config=quiet,
                resources={"metadata": {"path": str(root)}},
            )
            client.execute()
        except CellExecutionError as error:
            cell = next((c for c in notebook.cells if _failed(c)), None)
            where = cell["id"] if cell else ""
            raise DataError.at(
                path.name, where, "", f"{error.ename}: {error.evalue}", "a cell that runs"
            ) from None
        except (CellTimeoutError, DeadKernelError, RuntimeError) as error:
            raise DataError.at(path.name, "", "", str(error), "a cell that ends") from None
        finally:
            os.environ.clear()
            os.environ.update(kept)
    return _settled(notebook, metadata)


def _failed(cell) -> bool:
    return any(output.get("output_type") == "error" for output in cell.get("outputs", []))


def _settled(notebook, metadata: dict):
    """Without anything that differs from run to run: versions, identities, addresses in memory."""
    notebook.metadata = metadata
    for cell in notebook.cells:
        cell["metadata"] = {}
        for output in cell.get("outputs", []):
            if output.get("output_type") in ("display_data", "execute_result"):
                output["metadata"] = {}
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
        notebook = execute(path, folder, Path.cwd())
        nbformat.validate(notebook)
        found[f"notebook_{path.stem}"] = nbformat.writes(notebook, version=4) + "\n"
        found[f"notebook_{path.stem}_html"] = as_html(notebook, path.stem, masthead)
    return found
