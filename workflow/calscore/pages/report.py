"""What Snakemake's report lacks: tables that open in the page, and a head that asks not to be kept.

``python -m calscore.pages.report results/demo/report.html`` rewrites the report in place. Snakemake offers a table as
a CSV to download; here it is shown as text in columns, as long as :data:`MOST` rows.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path

from ..core import catalog
from ..core.config import features
from ..core.errors import DataError
from ..core.study import Study
from .base import NOINDEX, environment, source
from .texts import Shown

MOST = 500
_RESULTS = re.compile(
    r'(<script id="results">\s*var results = )(\{.*?\})(;\s*</script>)', re.DOTALL
)


def table_page(one: catalog.Product, frame) -> str:
    """A table as a page of its own."""
    number = [c for c in frame if frame[c].dtype.kind in "fiu"]
    shown = frame.head(MOST).astype(object).where(frame.head(MOST).notna(), "")
    rows = [
        [f"{v:.6g}" if isinstance(v, float) else str(v) for v in row]
        for row in shown.itertuples(index=False, name=None)
    ]
    meant = catalog.table(one.name)
    specs = {c: catalog.column_of(str(c), meant) or {} for c in frame}
    return (
        environment()
        .get_template("table.html.j2")
        .render(
            css=source("page.css"),
            title=one.title,
            file=one.file,
            total=len(frame),
            columns=[(str(c), specs[c].get("description", ""), c in number) for c in frame],
            rows=rows,
        )
    )


def finished(text: str, study, private: bool) -> str:
    """The report with its tables as pages. ``study``: :class:`.texts.Shown`; ``private``: it holds real texts."""
    found = _RESULTS.search(text)
    if not found:
        raise DataError.at("report.html", "", "results", None, "a report of Snakemake 9")
    results = json.loads(found[2])
    tables = {one.file: one for one in catalog.products() if one.kind == "table"}
    for path, entry in results.items():
        one = tables.get(path.split("/", 2)[-1])
        if one and one.name in study:
            page = table_page(one, study[one.name]).encode("utf-8")
            entry["mime_type"] = "text/html"
            entry["data_uri"] = (
                f"data:text/html;charset=utf8;base64,{base64.b64encode(page).decode()}"
            )
    # As Snakemake writes it, but for what would end the script.
    made = json.dumps(results).replace("</", "<\\/")
    text = text[: found.start()] + found[1] + made + found[3] + text[found.end() :]
    return text.replace("<head>", f"<head>\n{NOINDEX}", 1) if private else text


def finish(path: Path) -> None:
    """Rewrite the report of a study, results/<study>/report.html."""
    study = Study(path.parent)
    about = study.provenance["study"]
    hidden = about["options"].get("texts") == "hidden"
    private = not about["simulate"] and not hidden and bool({"buzzes", "options"} & features(about))
    path.write_text(finished(path.read_text(encoding="utf-8"), Shown(study, hidden), private), encoding="utf-8")  # fmt: skip


if __name__ == "__main__":
    finish(Path(sys.argv[1]))
