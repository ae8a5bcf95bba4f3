# %% [markdown]
# # Audit one number
#
# One cell of a table, followed to the raw rows that it rests on, and recomputed from them. On the
# command line the same is `make explain`; on `audit/index.html` it is a click.

# %%
import os
from html import escape
from pathlib import Path

import pandas as pd
from calscore.audit.explain import explain
from calscore.pages.redaction import RedactedStudy
from IPython.display import HTML, Markdown, display

redacted = RedactedStudy.read(Path(os.environ.get("CALSCORE_STUDY", "results/demo")))
study = redacted.whole
pd.set_option("display.max_colwidth", None, "display.precision", 6)

# %% [markdown]
# The number: CalScore in the first row of table 1 under the definition `paper`. A study without model
# outputs has no table 1; there it is a point of the human curve.

# %%
if "table1" in study:
    first_row = study["table1"].query("definition == 'paper'").iloc[0]
    table, column = "table1", "calscore"
    row = {name: first_row[name] for name in ("definition", "elicitation", "model")}
else:
    curve = study["human_curve"].query("h_definition == 'heard' and h > 0").iloc[0]
    table, column = "human_curve", "h"
    row = {name: str(curve[name]) for name in ("segmentation", "h_definition", "question_id", "clue")}
explanation = explain(study, table, row, column)
display(
    HTML(
        f"<code>{table}</code> {escape(str(row))} <code>{column}</code> = <b>{float(explanation.value)!r}</b>, made by "
        f"<code>{explanation.rule}</code>: {escape(explanation.formula)}. Recomputed from raw rows: "
        f"<b>{float(explanation.recomputed)!r}</b>, difference {explanation.difference:.1e}."
    )
)
assert explanation.difference <= 1e-12

# %% [markdown]
# What it rests on, from near to raw. `source_row` is the place in the raw file.

# %%
for step in explanation.steps:
    display(HTML(f"<h2>{escape(step.title)}</h2>{escape(step.note)}"))
    display(redacted.redact(step.rows.head(10).reset_index(drop=True)))
    if len(step.rows) > 10:
        display(Markdown(f"and {len(step.rows) - 10} more"))

# %% [markdown]
# What made the table: the rule, its inputs, options and the SHA-256 of its code. Then the checks of the table.

# %%
rule_record = study.provenance["rules"][explanation.rule]
display(Markdown(f"`{explanation.rule}`: {rule_record['docstring']} Code {rule_record['code_sha256']}"))
display(
    pd.DataFrame(
        [(k, p) for k, paths in rule_record["input"].items() for p in paths],
        columns=["input", "file"],
    )
)
checks = pd.read_csv(study.folder / "audit" / "checks.csv")
display(checks.loc[checks["table"] == table, ["check", "result", "rows", "statement"]].reset_index(drop=True))
