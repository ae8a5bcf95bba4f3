# %% [markdown]
# # The human curve h
#
# CalScore weighs each clue by 1 − h, where h is the share of humans who were right by then. The
# denominator differs: the paper divides by the buzzes so far, its code by all buzzes on the question, its
# appendix by the teams that heard the question. `heard_seen` counts only teams whose hearing is recorded.

# %%
import json
import os
from pathlib import Path

import pandas as pd
from calscore.core import store
from calscore.pages.redaction import RedactedStudy, quoted
from IPython.display import HTML, SVG, display

pd.set_option("display.max_colwidth", None)
study = Path(os.environ.get("CALSCORE_STUDY", "results/demo"))
options = json.loads((study / "audit" / "provenance.json").read_text(encoding="utf-8"))["study"]["options"]
curve = store.read(study / "human" / "human_curve.parquet")
curve = curve[curve["segmentation"] == options["primary_segmentation"]]
questions = RedactedStudy.read(study)["questions"].set_index("question_id")
buzzes = store.read(study / "tidy" / "buzzes.parquet")

# %% [markdown]
# One question, the one with the most human buzzes: numerator, denominator and h at each clue.

# %%
chosen = buzzes[buzzes["kind"] == "human"].groupby("question_id").size().idxmax()
display(
    HTML(
        f"<b>{chosen}</b>: {quoted(questions.at[chosen, 'answerline'])}{quoted(questions.at[chosen, 'text'])}"
    )
)
question_curve = curve[curve["question_id"] == chosen]
display(question_curve.pivot(index="clue", columns="h_definition", values=["correct", "total", "h"]).round(3))

# %% [markdown]
# The buzzes that it is counted from.

# %%
question_buzzes = buzzes.query("question_id == @chosen").sort_values("word_index")
display(question_buzzes[["team", "kind", "word_index", "correct", "source_row"]].reset_index(drop=True))

# %% [markdown]
# Over all questions: the distribution of h by clue. `buzzed_so_far` can fall when somebody is wrong; the others
# never do, which the checks hold. Later clues exist in fewer questions, so means of two clues compare other questions.

# %%
display(curve.groupby(["h_definition", "clue"])["h"].describe()[["count", "mean", "50%"]].unstack(0).round(3))
checks = pd.read_csv(study / "audit" / "checks.csv")
display(
    checks.loc[checks["table"] == "human_curve", ["check", "result", "rows", "statement"]].reset_index(
        drop=True
    )
)

# %% [markdown]
# Where teams buzz.

# %%
display(SVG(filename=str(study / "figures" / "buzz_positions.svg")))
