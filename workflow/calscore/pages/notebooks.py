"""Execute notebooks (jupytext scripts or MyST pages) on a study: the same results give the same bytes."""

import os
import re
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from ..core.errors import DataError
from ..core.results_folder import Study
from .base import render

FOLDED = """{% extends "basic/index.html.j2" %}
{% block input_group %}<details class="code"><summary>code</summary>{{ super() }}</details>{% endblock %}"""
"""Text and results stand open, code behind a line."""
TIMEOUT = 120
"""Seconds that one cell may take."""
CLEAN = "import pandas\npandas.reset_option('^(?!plotting)')\nget_ipython().reset()"
"""What a kernel runs before each notebook: it finds no name and no option of the one before.

Options of plotting stay: to reset them pandas loads matplotlib, and notebooks show the figures that the study has."""


def read_script(path: Path):
    """The notebook in a percent script or a MyST page (.md); ids of cells are made from the file's name and their place."""
    import jupytext

    notebook = jupytext.read(path, fmt="md:myst" if path.suffix == ".md" else "py:percent")
    for number, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"{path.stem}-{number:02d}"
        cell["metadata"] = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


@contextmanager
def kernel(study: Path, root: Path):
    """Context manager: a client whose one kernel runs notebook after notebook in ``root``, on the results
    folder ``study``.

    Raises ``DataError`` where the kernel does not start."""
    import nbclient
    import nbformat
    from traitlets.config import Config

    with ExitStack() as running:
        scratch = running.enter_context(tempfile.TemporaryDirectory())
        # Nothing of the user's own Jupyter or IPython set-up, and nothing left in it.
        variables = {
            "CALSCORE_STUDY": str(study),
            "IPYTHONDIR": scratch,
            "JUPYTER_RUNTIME_DIR": scratch,
            "JUPYTER_PREFER_ENV_PATH": "1",
            "PYTHONHASHSEED": "0",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        running.enter_context(patch.dict(os.environ, variables))
        client = nbclient.NotebookClient(
            nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CLEAN)]),
            timeout=TIMEOUT,
            kernel_name="python3",
            record_timing=False,
            shutdown_kernel="immediate",
            # No results kept by number: whenever they are dropped all objects are looked through.
            extra_arguments=["--InteractiveShell.cache_size=0"],
            # Sockets in the scratch folder instead of ports on the network.
            config=Config({"KernelManager": {"transport": "ipc", "ip": f"{scratch}/kernel"}}),
            resources={"metadata": {"path": str(root)}},
        )
        try:
            running.enter_context(client.setup_kernel())
        except RuntimeError as error:
            raise DataError.at("notebooks", "", "", str(error), "a kernel that starts") from None
        yield client


def execute(path: Path, client):
    """The script as an executed notebook, in a namespace of its own, after :func:`_drop_run_details`.

    Raises ``DataError`` with notebook, cell and error where a cell fails."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook, clean = read_script(path), client.nb
    metadata = dict(notebook.metadata)
    try:
        client.execute(cleanup_kc=False)
        client.nb = notebook
        client.execute(cleanup_kc=False)
    except CellExecutionError as error:
        outputs = [(cell["id"], output) for cell in notebook.cells for output in cell.get("outputs", [])]
        failed = (cell for cell, output in outputs if output.get("output_type") == "error")
        problem = f"{error.ename}: {error.evalue}"
        raise DataError.at(path.name, next(failed, ""), "", problem, "a cell that runs") from None
    except (CellTimeoutError, DeadKernelError, RuntimeError) as error:
        raise DataError.at(path.name, "", "", str(error), "a cell that ends") from None
    finally:
        client.nb = clean
    return _drop_run_details(notebook, metadata)


def _drop_run_details(notebook, metadata: dict):
    """The notebook with its ``metadata`` back, without that of cells and outputs and addresses in results."""
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


def html_exporter():
    """The exporter of notebooks to HTML that needs no other file; each cell's code is folded."""
    from nbconvert import HTMLExporter

    bare = ("exclude_input_prompt", "exclude_output_prompt", "exclude_anchor_links")
    look = {"template_name": "basic", "embed_images": True, "raw_template": FOLDED}
    return HTMLExporter(**look, **dict.fromkeys(bare, True))


def page(body: str, stem: str, masthead: dict) -> str:
    """The page of an executed notebook; ``body``: its HTML from :func:`html_exporter`, ``stem``: its name.

    Outputs that scroll take the keyboard's focus; a corner of a table heads nothing."""
    from pygments.formatters import HtmlFormatter

    body = body.replace("<th></th>", "<td></td>")
    body = body.replace('<div class="output_html', '<div tabindex="0" class="output_html')
    return render(
        "notebook.html.j2",
        masthead,
        f"notebooks/{stem}.html",
        texts=True,
        title=stem.replace("_", " ").capitalize(),
        data=body,
        script=HtmlFormatter(style="default").get_style_defs(".highlight"),
    )


def execute_notebooks(study: Study, scripts: list[Path], masthead: dict) -> dict[str, str]:
    """``notebook_<name>`` and ``notebook_<name>_html`` of each script, executed on the study in one kernel."""
    import nbformat

    outputs = {}
    as_html = html_exporter()
    with kernel(study.folder, Path.cwd()) as client:
        for path in scripts:
            notebook, name = execute(path, client), f"notebook_{path.stem}"
            nbformat.validate(notebook)
            outputs[name] = nbformat.writes(notebook, version=4) + "\n"
            html, _ = as_html.from_notebook_node(notebook)
            outputs[f"{name}_html"] = page(html, path.stem, masthead)
    return outputs
