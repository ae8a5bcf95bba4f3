# %% [markdown]
# # Audit one number
#
# One cell of a printed table, followed to the raw rows that it rests on, and recomputed from them. On the
# command line the same is `make explain`; on `audit/index.html` it is a click.

# %%
import os
from html import escape
from pathlib import Path

import pandas as pd
from calscore.audit.explain import explain
from calscore.pages.texts import Shown
from IPython.display import HTML, Markdown, display

shown = Shown.read(Path(os.environ.get("CALSCORE_STUDY", "results/demo")))
study = shown.whole
pd.set_option("display.max_colwidth", None, "display.precision", 6)

# %% [markdown]
# The number: CalScore of the best model of table 1 under the definition `paper`. A study without model
# outputs has no table 1; there it is a point of the human curve.

# %%
if "table1" in study:
    first = study["table1"].query("definition == 'paper'").iloc[0]
    table, column = "table1", "calscore"
    row = {name: first[name] for name in ("definition", "elicitation", "model")}
else:
    curve = study["human_curve"].query("h_definition == 'heard' and h > 0").iloc[0]
    table, column = "human_curve", "h"
    row = {
        name: str(curve[name]) for name in ("segmentation", "h_definition", "question_id", "clue")
    }
found = explain(study, table, row, column)
display(
    HTML(
        f"<code>{table}</code> {escape(str(row))} <code>{column}</code> = <b>{float(found.value)!r}</b>, made by "
        f"<code>{found.rule}</code>: {escape(found.formula)}. Recomputed from raw rows: "
        f"<b>{float(found.recomputed)!r}</b>, difference {found.difference:.1e}."
    )
)
assert found.difference <= 1e-12

# %% [markdown]
# What it rests on, from near to raw. `source_row` is the place in the raw file.

# %%
for step in found.steps:
    display(HTML(f"<h3>{escape(step.title)}</h3>{escape(step.note)}"))
    display(shown.of(step.rows.head(10).reset_index(drop=True)))
    if len(step.rows) > 10:
        display(Markdown(f"and {len(step.rows) - 10} more"))

# %% [markdown]
# What made the table: the rule, its inputs, options and the SHA-256 of its code. Then the checks of the table.

# %%
made = study.provenance["rules"][found.rule]
display(Markdown(f"`{found.rule}`: {made['docstring']} Code {made['code_sha256']}"))
display(
    pd.DataFrame(
        [(k, p) for k, paths in made["input"].items() for p in paths], columns=["input", "file"]
    )
)
checks = pd.read_csv(study.folder / "audit" / "checks.csv")
display(
    checks.loc[checks["table"] == table, ["check", "result", "rows", "statement"]].reset_index(
        drop=True
    )
)
