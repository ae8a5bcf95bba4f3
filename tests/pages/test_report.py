"""What Snakemake's report lacks: tables that open in the page, a head that asks not to be kept."""

import base64
import json
import re

import pandas as pd
import pytest
from calscore.core import catalog
from calscore.core.errors import DataError
from calscore.pages import report
from calscore.pages.redaction import RedactedStudy

PAGE = '<html><head>\n<meta charset="utf-8">\n<script id="results">\n    var results = {};\n    </script></head></html>'
ENTRY = {"mime_type": "text/csv", "data_uri": "data:text/csv;base64,eA==", "name": "t"}
FRAME = pd.DataFrame({"stage": ["raw", "tidy"], "detail": ["Secret <b>", None], "rows": [1.23456789, 2.0]})


@pytest.mark.parametrize(("hidden", "private"), [(False, True), (True, False), (False, False)])
def test_tables_of_the_report_open_in_the_page(hidden, private):
    path = catalog.product("findings", "table").file
    results = {
        f"results/s/{path}": dict(ENTRY),
        "results/s/figures/x.svg": ENTRY | {"mime_type": "image/svg+xml"},
    }
    study = RedactedStudy({"findings": FRAME}, hidden)
    text = report.complete_report(PAGE.format(json.dumps(results)), study, private)
    made = json.loads(re.search(r"var results = (.*);\n", text)[1])
    entry = made[f"results/s/{path}"]
    assert entry["mime_type"] == "text/html"
    shown = base64.b64decode(entry["data_uri"].split(",", 1)[1]).decode("utf-8")
    assert ("Secret &lt;b&gt;" in shown) != hidden
    assert "1.23457" in shown and "2 rows" in shown and 'title="What' not in shown[:200]
    assert made["results/s/figures/x.svg"] == results["results/s/figures/x.svg"]
    assert ("noindex" in text) == private
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; img-src data: 'self' file:;")
    assert "http" not in policy and "*" not in policy
    assert "script-src 'none'" in re.search(r'Content-Security-Policy" content="([^"]*)"', shown)[1]


def test_a_report_of_another_kind_is_refused_in_one_line():
    with pytest.raises(DataError, match=r"report\.html.*a report of Snakemake 9"):
        report.complete_report("<html></html>", RedactedStudy({}, False), False)
