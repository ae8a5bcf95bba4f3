"""The GRACE paper, its released tables, and made ones for tests of the ledger."""

from functools import cache

import grace_release
import numpy as np
import pandas as pd
from calscore.clues import segment
from calscore.human import curves
from calscore.ledger import claims, quantities
from calscore.raw import release_files
from calscore.runner import config
from calscore.scores import metrics
from calscore.stats.bootstrap import Bootstrap
from support import configuration


@cache
def published() -> dict:
    return configuration("published/grace")


@cache
def release_tables() -> dict[str, pd.DataFrame]:
    """The tidy tables of the release at the clues of the two segmentations; full/test_release.py counts them anew."""
    study = config.load(configuration("grace"))["grace"]
    files = {role: one for role, one in study["inputs"]["release"].items() if role != "password"}
    options = (study["options"][name] for name in ("category_aliases", "categories"))
    given = *options, "per_packet", "seen", [], "release"
    tables = release_files.release_tables(grace_release.folder(), files, "buzzbuzz", *given)
    clues = segment.cut_questions(tables["questions"], ["sentence-100", "sentence-35"])
    crowd = tables["buzzes"], tables["exposures"]
    main = clues[clues["segmentation"] == "sentence-100"]
    tables |= {"clues": clues, "human_curve": curves.human_curve(clues, *crowd)}
    return tables | {"teams": curves.rank_teams(main, *crowd)}


def quantities_of(tables: dict, replicates: int = 2) -> dict:
    """Quantities of a study from few resampled ones, for what does not depend on them."""
    return quantities.quantities(tables, "sentence-100", Bootstrap(replicates, 3, 0.95))


@cache
def release_quantities() -> dict:
    return quantities_of(release_tables())


def statuses(paper: dict, quantities: dict, simulated: bool = False) -> dict[str, str]:
    ledger = claims.evaluate(paper, quantities, simulated)
    return dict(zip(ledger["id"], ledger["status"], strict=True))


@cache
def grace_ledger() -> pd.DataFrame:
    return claims.evaluate(published(), release_quantities(), False).set_index("id")


@cache
def drawn_ledger() -> pd.DataFrame:
    """The ledger with verdicts from drawn studies."""
    found = quantities_of(release_tables(), 300)
    return claims.evaluate(published(), found, False, level=0.95, min_n=10).set_index("id")


def with_claim(**claim) -> dict:
    """The published file with one claim instead of its own."""
    return {**published(), "claims": [{"section": "§0", "statement": "a statement", **claim}]}


def models() -> list[tuple[str, str]]:
    scores = published()["table1"]["scores"]
    return [(elicitation, model) for elicitation in scores for model in scores[elicitation]]


def simulated_scores(shift: float = 0.0) -> dict[str, pd.DataFrame]:
    """model_scores and question_scores that hold the printed numbers, shifted."""
    rows, per_question = [], []
    paper = published()
    about = {"packet": 1, "category_raw": "x", "text": "one two three", "answerline": "one"}
    about |= {"n_words": 3, "n_chars": 13, "n_sentences": 1}
    about["category"] = sorted(paper["table5"]["calscore"]["logit"]["M1"])
    questions = pd.DataFrame(about).assign(question_id=[f"q{i}" for i in range(6)])
    for elicitation, model in models():
        where = {"segmentation": "sentence-100", "definition": "paper", "model": model}
        where |= {"elicitation": elicitation, "reduction": "stated"}
        for metric, value in paper["table1"]["scores"][elicitation][model].items():
            rank = paper["table1"]["ranks"][elicitation][model][metric]
            rows.append({**where, "metric": metric, "value": float(value) + shift, "rank": rank})
        for q in questions.itertuples():
            score = float(paper["table5"]["calscore"][elicitation][model][q.category]) + shift
            scores = {"question_id": q.question_id, "calscore": score, "mce": score}
            per_question.append(where | scores)
    tables = {"model_scores": rows, "question_scores": per_question}
    return {name: pd.DataFrame(of) for name, of in tables.items()} | {"questions": questions}


def model(n, rng, definition):
    """Signed confidences of some model: uniform, or mostly sure."""
    low = -1.0 if definition == "paper" else 0.0
    x = rng.uniform(low, 1.0, n)
    sure = rng.random(n) < rng.random()
    return np.where(sure, rng.choice([low, 1.0], n), x)


def scores(x, h, starts, definition):
    """Benchmark MCE and CalScore, by the package's own metric, of a model with signed confidence x."""
    mce, calscore = metrics.question_errors(x > 0, np.abs(x), h, starts, definition)
    return float(mce.mean()), float(calscore.mean())
