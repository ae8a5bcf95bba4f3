"""Pages made from all the rest, for looking: what was found, ledger, audit pages, explorer, executed notebooks.

inputs:  all tables and figures, audit/provenance.json, audit/checks.csv, notebooks/*.py
outputs: index.html with audit/opening.html, ledger.html, audit/index.html, explorer.html with explorer.js, notebooks/*.ipynb and *.html
"""

NOTEBOOKS = ["regenerate_paper", "audit_a_number", "add_your_model", "human_curve"]


rule write_pages:
    """The page that a run ends with; every table with what made it, its checks and a sample; all of them in a database."""
    input:
        **recorded("checks"),
        made=made,
    output:
        **files("index_page", "opening", "audit_page", "database"),
    params:
        masthead=masthead,
    script:
        "../scripts/write_pages.py"


rule write_ledger:
    """Every statement of the paper with its verdict, and the rows of the ledger behind it."""
    input:
        **recorded(),
        made=made_tables,
    output:
        **files("ledger_page"),
    params:
        masthead=masthead,
    priority: DRAWN_LAST
    script:
        "../scripts/write_ledger.py"


rule build_explorer:
    """One page for looking: questions with buzzes, h and confidences; models; teams."""
    input:
        **recorded(),
        made=made_tables,
    output:
        **files("explorer", "explorer_script"),
    params:
        masthead=masthead,
    priority: DRAWN_LAST
    script:
        "../scripts/build_explorer.py"


rule execute_notebooks:
    """Execute every notebook on the study and write it with its outputs."""
    input:
        **recorded("checks"),
        scripts=[outside(of_project(f"notebooks/{name}.py")) for name in NOTEBOOKS],
        made=made,
    output:
        **files(*(f"notebook_{name}{end}" for name in NOTEBOOKS for end in ("", "_html"))),
    params:
        masthead=masthead,
    script:
        "../scripts/execute_notebooks.py"
