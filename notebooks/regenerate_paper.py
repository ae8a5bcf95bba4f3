# %% [markdown]
# # The paper, section by section
#
# What the paper (Sung et al. 2025) shows, in its order, as this study's inputs give it, with the ledger's
# verdicts on what it says. The notebook reads results; every number was made by a rule of the workflow.

# %%
import os
from pathlib import Path

import pandas as pd
from IPython.display import SVG, Markdown, display

study = Path(os.environ.get("CALSCORE_STUDY", "results/demo"))
pd.set_option("display.max_colwidth", 100, "display.precision", 3, "display.width", 160)
claims = (
    pd.read_csv(study / "tables" / "claims.csv")
    if (study / "tables" / "claims.csv").exists()
    else None
)
missing = pd.read_csv(study / "audit" / "unavailable.csv").set_index("product")["missing"]


def show_table(name, rows=None, columns=None):
    """A final table as it is, or why there is none."""
    path = study / "tables" / f"{name}.csv"
    if not path.exists():
        return display(
            Markdown(f"*{name} needs {missing.get(f'tables/{name}.csv', 'other inputs')}.*")
        )
    table = pd.read_csv(path)
    if rows is not None:
        table = table.query(rows)
    return display(table[columns] if columns else table)


def show_figure(name):
    """A figure as it is, or why there is none."""
    path = study / "figures" / f"{name}.svg"
    if not path.exists():
        return display(
            Markdown(f"*{name} needs {missing.get(f'figures/{name}.svg', 'other inputs')}.*")
        )
    return display(SVG(filename=str(path)))


def verdicts(*sections):
    """The ledger's rows on sections of the paper: how many of each verdict, and those that do not hold."""
    if claims is None:
        return display(Markdown("*This study names no published numbers.*"))
    of = claims[
        claims["section"].map(
            lambda s: any(s == one or s.startswith(one + " ") for one in sections)
        )
    ]
    counts = ", ".join(
        f"{n} {status}" for status, n in of["status"].value_counts(sort=False).sort_index().items()
    )
    display(Markdown(f"**Ledger**: {len(of)} statements ({counts})."))
    broken = of[of["status"].isin(["contradicted", "internally inconsistent"])]
    if len(broken):
        display(
            broken[["section", "statement", "published", "recomputed", "status"]]
            .head(12)
            .reset_index(drop=True)
        )


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
# h at each clue is the share of humans who were right by then, under three definitions that the paper, its code
# and its appendix use; see the notebook `human_curve`.

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
show_table("table2", "reading == 'at'", None)
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
# Table 5: CalScore by category. Then the best and worst calibrated questions.

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
    "definition == 'paper' and rank <= 3",
    ["elicitation", "question_id", "category", "answerline", "calscore"],
)
show_figure("category_precision")

# %% [markdown]
# ## What the inputs do not allow, and what is odd in them

# %%
display(missing.reset_index())
display(
    pd.read_csv(study / "audit" / "findings.csv")[["severity", "finding", "place", "detail"]].head(
        12
    )
)
