# %% [markdown]
# # The paper, section by section
#
# What the paper (Sung et al. 2025) shows, in its order, as this study's inputs give it, with the verdict on
# each of its statements. The notebook reads results; every number was made by a rule of the workflow.

# %%
import os
from pathlib import Path

import pandas as pd
from calscore.pages.redaction import RedactedStudy
from IPython.display import HTML, SVG, Markdown, display

study = Path(os.environ.get("CALSCORE_STUDY", "results/demo"))
redacted = RedactedStudy.read(study)
statements = (
    pd.read_csv(study / "tables" / "statements.csv")
    if (study / "tables" / "statements.csv").exists()
    else None
)
printed_statements = set()
STATEMENT_COLUMNS = ["section", "quote", "verdict", "says"]
missing = pd.read_csv(study / "audit" / "unavailable.csv").set_index("product")["missing"]


def show_table(name, rows=None, columns=None):
    """A final table as it is, or why there is none."""
    path = study / "tables" / f"{name}.csv"
    if not path.exists():
        return display(Markdown(f"*{name} needs {missing.get(f'tables/{name}.csv', 'other inputs')}.*"))
    table = redacted.redact(pd.read_csv(path))
    if rows is not None:
        table = table.query(rows)
    return display(HTML(as_markdown(table, columns or list(table))))


def show_figure(name):
    """A figure as it is, or why there is none."""
    path = study / "figures" / f"{name}.svg"
    if not path.exists():
        return display(Markdown(f"*{name} needs {missing.get(f'figures/{name}.svg', 'other inputs')}.*"))
    return display(SVG(filename=str(path)))


def count_verdicts(rows):
    """How many statements have each verdict."""
    order = ["holds", "in part", "fails", "undecided", "open", "simulated", "not at hand"]
    counts = rows["verdict"].value_counts()
    return ", ".join(f"{counts[name]} {name}" for name in order if name in counts)


def number(value):
    """A count as it is, another number to three digits, anything else as it stands."""
    if not isinstance(value, float):
        return value
    if value % 1 == 0:
        return int(value)
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.3g}"


def as_markdown(rows, columns):
    """Columns of a table, no row and no text cut."""
    cells = rows[columns].astype(object).where(rows[columns].notna(), "")
    text = cells.map(number)
    kind = "dataframe text" if "says" in columns else "dataframe"
    with pd.option_context("display.max_colwidth", None):
        return text.to_html(index=False, border=0, classes=kind)


def verdicts(*sections):
    """The statements of sections, each told once; those that do not fail are folded. All that are left without one."""
    if statements is None:
        return display(Markdown("*This study names no published numbers.*"))
    in_sections = statements["section"].map(
        lambda s: not sections or any(s == section or s.startswith(section + " ") for section in sections)
    )
    rows = statements[in_sections & ~statements["statement"].isin(printed_statements)]
    printed_statements.update(rows["statement"])
    display(Markdown(f"**{len(rows)} statements**: {count_verdicts(rows) or 'none'}."))
    broken = rows["verdict"].isin(["fails", "in part", "undecided"])
    if broken.any():
        display(HTML(as_markdown(rows[broken], STATEMENT_COLUMNS)))
    if (~broken).any():
        counts = f"The other {(~broken).sum()}: {count_verdicts(rows[~broken])}"
        summary = f"<summary>{counts if broken.any() else 'All of them'}</summary>"
        display(HTML(f"<details>{summary}{as_markdown(rows[~broken], STATEMENT_COLUMNS)}</details>"))


# %% [markdown]
# ## 3 The dataset
#
# Counts and lengths of questions, buzzes, teams and clues.

# %%
show_table("dataset")
verdicts("§3.1", "§3.2.1", "§3.2.2", "Appendix B.1", "Appendix C")

# %% [markdown]
# ## 4 The metric
#
# h at each clue is the share of humans who were right by then, under definitions that differ between the paper, its
# code and its appendix; see the notebook `human_curve`.

# %%
verdicts("§4.1", "§4.3", "Appendix H", "Appendix K")

# %% [markdown]
# ## 5.1 Humans and models
#
# Figure 4: cumulative buzzes of each quartile of human teams and of each model that played.

# %%
show_figure("figure4")

# %% [markdown]
# Figure 5: accuracy as more clues are revealed. Figure 6: how often players and models buzz when right and
# when wrong.

# %%
show_figure("figure5")
show_figure("figure6")
verdicts("§5.1", "Figure 3", "Figure 4", "Figure 5", "Figure 6")

# %% [markdown]
# Table 2: accuracy at fifths of the clues.

# %%
show_table(
    "table2",
    "reading == 'at'",
    ["elicitation", "name", "marks", *(f"{share}%" for share in range(20, 101, 20))],
)
verdicts("Table 2")

# %% [markdown]
# ## 5.2 CalScore
#
# Table 1, definition `paper`: lower is better; intervals resample questions.

# %%
columns = [
    "elicitation",
    "name",
    "marks",
    "brier",
    "ece",
    "mce",
    "calscore",
    "calscore_low",
    "calscore_high",
    "calscore_rank",
]
show_table("table1", "definition == 'paper'", columns)
verdicts("Table 1", "§5.2")

# %% [markdown]
# The same under the definition `release`, that of the public code.

# %%
show_table("table1", "definition == 'release'", columns)
show_figure("reliability")

# %% [markdown]
# ## 5.3 Categories and questions
#
# Table 5: CalScore by category. Then the three best and the three worst calibrated questions. Being extremes of
# many, they owe part of their distance to chance.

# %%
show_table(
    "table5",
    "definition == 'paper' and level == 'merged'",
    ["category", "elicitation", "name", "marks", "n_questions", "mce", "calscore"],
)
show_figure("calscore_by_category")
verdicts("Table 5", "§5.3")

# %%
show_table(
    "extreme_questions",
    "definition == 'paper' and (rank <= 3 or rank > rank.max() - 3)",
    ["elicitation", "end", "question_id", "category", "answerline", "calscore"],
)
show_figure("precision")

# %% [markdown]
# ## What else the paper says
#
# Statements of sections that none of the above shows, and then all of them.

# %%
verdicts()
if statements is not None:
    display(Markdown(f"**All {len(statements)} statements of the paper**: {count_verdicts(statements)}."))
    assert printed_statements == set(statements["statement"])

# %% [markdown]
# ## What the inputs do not allow, and what is odd in them

# %%
display(HTML(as_markdown(missing.reset_index(), ["product", "missing"])))
findings = pd.read_csv(study / "audit" / "findings.csv")
kinds = findings.groupby(["severity", "finding"]).size().rename("rows").reset_index()
display(HTML(as_markdown(kinds, list(kinds))))
