"""What Snakemake's report lacks: tables that open in the page, and a head that asks not to be kept.

``python -m calscore.pages.report results/demo/report.html`` rewrites the report in place. Snakemake offers a table as
a CSV to download; here it is shown as text in columns, as long as :data:`MOST` rows.
"""

import base64
import json
import re
import sys
from pathlib import Path

from ..core import catalog
from ..core.errors import DataError
from ..runner import job_records
from ..runner.config import study_features
from .base import NOINDEX, add_content_policy, environment, source
from .redaction import RedactedStudy

MOST = 500
_RESULTS = re.compile(r'(<script id="results">\s*var results = )(\{.*?\})(;\s*</script>)', re.DOTALL)


def table_page(product: catalog.Product, frame) -> str:
    """The HTML page of a declared table: its first :data:`MOST` rows, floats to six significant digits."""
    number = [c for c in frame if frame[c].dtype.kind in "fiu"]
    rows_shown = frame.head(MOST).astype(object).where(frame.head(MOST).notna(), "")
    rows = [
        [f"{v:.6g}" if isinstance(v, float) else str(v) for v in row]
        for row in rows_shown.itertuples(index=False, name=None)
    ]
    meant = catalog.table(product.name)
    specs = {c: catalog.column_of(str(c), meant) or {} for c in frame}
    template = environment().get_template("table.html.j2")
    page = template.render(
        css=source("page.css"),
        title=product.title,
        file=product.file,
        total=len(frame),
        columns=[(str(c), specs[c].get("description", ""), c in number) for c in frame],
        rows=rows,
    )
    return add_content_policy(page)


def complete_report(text: str, study, private: bool) -> str:
    """The report's HTML with each declared table that it offers as a page in it; ``DataError`` where it is no
    report of Snakemake 9.

    ``study``: a :class:`.redaction.RedactedStudy`; ``private``: ask search engines not to list the report."""
    match = _RESULTS.search(text)
    if not match:
        raise DataError.at("report.html", "", "results", None, "a report of Snakemake 9")
    results = json.loads(match[2])
    tables = {product.file: product for product in catalog.products() if product.kind == "table"}
    for path, entry in results.items():
        product = tables.get(path.split("/", 2)[-1])
        if product and product.name in study:
            page = table_page(product, study[product.name]).encode("utf-8")
            entry["mime_type"] = "text/html"
            entry["data_uri"] = f"data:text/html;charset=utf8;base64,{base64.b64encode(page).decode()}"
    # As Snakemake writes it, but for what would end the script.
    results_text = json.dumps(results).replace("</", "<\\/")
    text = text[: match.start()] + match[1] + results_text + match[3] + text[match.end() :]
    text = text.replace("<head>", f"<head>\n{NOINDEX}", 1) if private else text
    return add_content_policy(text, embedding=True)


def finish(path: Path) -> None:
    """Complete the report at ``path``, results/<study>/report.html, in place, and write the record of its job."""
    study = RedactedStudy.read(path.parent)
    about = study.provenance["study"]
    has_texts = not about["simulate"] and not study.hidden
    private = has_texts and bool({"buzzes", "options"} & study_features(about))
    text = complete_report(path.read_text(encoding="utf-8"), study, private)
    path.write_text(text, encoding="utf-8")
    # Snakemake writes a report after all its jobs: what it wrote is noted as that of a job.
    job_records.write_job_record("write_report", [path], path.parent / "logs" / "write_report.log")


if __name__ == "__main__":
    finish(Path(sys.argv[1]))
