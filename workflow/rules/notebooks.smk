"""Notebooks, executed on the study's results: a notebook that fails fails the run.

inputs:  notebooks/*.py, all tables and figures, audit/checks.csv
outputs: notebooks/*.ipynb and *.html
"""

NOTEBOOKS = ["regenerate_paper", "audit_a_number", "add_your_model", "human_curve"]


rule execute_notebooks:
    """Execute every notebook on the study and write it with its outputs."""
    input:
        scripts=[os.path.relpath(PACKAGE.parent / "notebooks" / f"{n}.py") for n in NOTEBOOKS],
        provenance="results/{study}/audit/provenance.json",
        checks="results/{study}/audit/checks.csv",
        made=made,
    output:
        ipynb=expand("results/{{study}}/notebooks/{name}.ipynb", name=NOTEBOOKS),
        html=report(
            expand("results/{{study}}/notebooks/{name}.html", name=NOTEBOOKS),
            caption="../report/desk/notebooks.rst",
            category="{study}",
            subcategory="Notebooks",
        ),
    params:
        code=code("execute_notebooks"),
    log:
        "results/{study}/logs/execute_notebooks.log",
    benchmark:
        "results/{study}/benchmarks/execute_notebooks.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/execute_notebooks.py"
