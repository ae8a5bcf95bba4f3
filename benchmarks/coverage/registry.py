"""What is measured: part → the world, the intervals of one of its studies, and what their truth is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from .. import ROOT
from . import engine
from .engine import Part
from .quantities import (
    curves,
    effects,
    items,
    odds,
    options,
    others,
    proper,
    quoted,
    scores,
    slopes,
    survey,
    tables,
    wins,
)
from .worlds import bonuses, buzzes, models, overconfident, tournament
from .worlds import effects as effect_studies
from .worlds import items as item_studies
from .worlds import options as option_studies
from .worlds import survey as surveys

TABLE = ROOT / "docs" / "coverage.csv"
ODDS = ROOT / "workflow" / "calscore" / "data" / "odds_ratio_coverage.csv"
"""The rows of odds ratios, which a figure quotes."""
TEAMS = {"same teams": False, "teams anew": True}
EFFECTS = "buzzes, random effects: "


def drawn(world, studies: int, apart: int, **options) -> dict:
    """The two kinds of studies of a world, by their seeds."""
    return {
        "studies": partial(world, seed=studies, **options),
        "apart": partial(world, seed=apart, **options),
    }


def played(name: str, seed: int, intervals, count: int, further: int, **options) -> Part:
    """A part whose world is the tournament; ``name``: whether teams are drawn anew."""
    skills = None if TEAMS[name] else models.skills(seed)
    studies = drawn(tournament.studies, seed + 2, seed + 1, skills=skills, **options)
    return Part(f"tournament, {name}", **studies, intervals=intervals, count=count, further=further)


def questions(calibrated: bool) -> Part:
    """Questions resampled alone; the truth is that of all studies pooled, as ECE is biased on one."""
    given = {"skills": models.skills(1), "calibrated": calibrated}
    return Part(
        f"{'calibrated' if calibrated else 'two'} models, same teams",
        **drawn(models.sums, 2, 3, **given),
        intervals=scores.calibrated_by_question if calibrated else scores.by_question,
        count=1000,
        further=2000,
        replicates=1000,
        truth=engine.pooled(models.pooled_sums),
    )


def of_a_crowd(name: str, many: int | None = None, **teams) -> Part:
    """CalScore where buzzes are few; ``many``: the truth is that of a crowd of so many teams."""
    apart = {"teams": many} if many else teams
    return Part(
        f"two models, late buzzes, {'same teams' if teams else 'teams anew'}",
        studies=partial(models.studies, seed=51, late=True, **teams),
        apart=partial(models.studies, seed=52, late=True, **apart),
        intervals=scores.of_a_crowd,
        count=400,
        further=60 if many else 1000,
        replicates=300,
    )


def of_slopes(kind: str) -> Part:
    """Calibration slopes, biased on one study; what becomes of confidences of 1 hangs on the number of rows."""
    return Part(
        f"two models, {kind}",
        **drawn(models.answers, 51, 52, kind=kind),
        intervals=partial(slopes.slopes, kind=kind),
        count=1000,
        further=500,
        truth=engine.means if kind == "tenths" else engine.pooled(models.pooled_answers),
    )


def of_options(name: str, intervals, count: int, **parameters) -> Part:
    """Answer options; the truth is that of one large study."""
    given = {"seed": 101, "parameters": parameters}
    return Part(
        name,
        studies=partial(option_studies.studies, **given),
        apart=partial(option_studies.large, **given),
        intervals=intervals,
        count=count,
        further=1,
    )


def of_odds(effects: str) -> Part:
    """Odds ratios; the truth comes from the studies themselves, all together."""
    studies = partial(buzzes.studies, effects=effects)
    return Part(
        EFFECTS + effects,
        studies,
        studies,
        odds.log_odds,
        count=300,
        further=300,
        truth=odds.of_all_studies,
    )


PARTS = {
    "questions": questions(calibrated=False),
    "questions, calibrated models": questions(calibrated=True),
    "questions and teams": Part(
        "two models, teams anew",
        **drawn(models.studies, 11, 12),
        intervals=scores.by_question_and_team,
        count=1000,
        further=2000,
        replicates=400,
    ),
    **{
        f"a crowd, {name}": of_a_crowd(name, **options)
        for name, options in {
            "these teams": {"skills": models.skills(51), "there": models.packets(51)},
            "17 teams like these": {},
            "teams without end": {"many": 300},
        }.items()
    },
    "few questions": Part(
        "two models, late buzzes, teams anew",
        **drawn(models.studies, 53, 54, late=True),
        intervals=scores.of_few_questions,
        count=1000,
        further=600,
        replicates=200,
    ),
    "curves, teams anew": played("teams anew", 31, partial(curves.by_team, anew=True), 300, 200),
    "curves, same teams": played("same teams", 31, partial(curves.by_team, anew=False), 1000, 500),
    **{
        f"fair quartiles, {name}": replace(
            played(name, 41, partial(curves.fair_quartiles, anew=anew), 300, 200, there=there),
            replicates=200,
        )
        for (name, anew), there in zip(TEAMS.items(), (models.packets(41), None), strict=True)
    },
    "opponents inferred": replace(
        played("teams anew", 31, partial(curves.with_opponents, hidden=True), 300, 100),
        replicates=200,
        truth=lambda apart, _: engine.means(apart, curves.with_opponents),
    ),
    **{f"slopes, {kind}": of_slopes(kind) for kind in slopes.KINDS},
    "expected wins": Part(
        "two models, teams anew",
        **drawn(models.studies, 73, 72),
        intervals=wins.expected_wins,
        count=1000,
        further=500,
    ),
    "decision value": played("teams anew", 131, wins.decision_value, 300, 100),
    "tables, teams anew": played("teams anew", 131, partial(tables.by_team, anew=True), 300, 100),
    "tables, same teams": played("same teams", 131, partial(tables.by_team, anew=False), 300, 100),
    "survey": Part(
        "survey",
        **drawn(surveys.studies, 133, 132),
        intervals=survey.answers,
        count=300,
        further=100,
    ),
    **{
        f"leaderboard, {name}": played(name, 131, partial(tables.leaderboard, anew=anew), 300, 100)
        for name, anew in reversed(TEAMS.items())
    },
    "judges": played("teams anew", 131, tables.judges, 300, 100, twice=True),
    **{
        f"what the ledger quotes, {name}": replace(
            played(name, 131, partial(quoted.ledger, anew=anew), 300, 60), replicates=300
        )
        for name, anew in reversed(TEAMS.items())
    },
    **{
        f"further tables, {name}": replace(
            played(name, 131, partial(others.studied, anew=anew), 300, 60, twice=True),
            replicates=300,
            truth=others.ranked,
        )
        for name, anew in reversed(TEAMS.items())
    },
    "bonuses": Part(
        "bonuses",
        **drawn(bonuses.studies, 161, 162),
        intervals=tables.bonus_metrics,
        count=300,
        further=300,
    ),
    **{
        f"item responses, {name}": Part(
            f"item responses, {name}",
            **drawn(item_studies.studies, 171, 172, skill=skill),
            intervals=partial(items.responses, anew=skill is None),
            count=300,
            further=300,
            replicates=300,
        )
        for name, skill in {"agents anew": None, "same agents": item_studies.skills(171)}.items()
    },
    "options": of_options("answer options", options.intervals, 300),
    "option contrasts": of_options("answer options", options.contrasted, 300),
    "options, nearly calibrated": of_options(
        "answer options, nearly calibrated",
        options.nearly_calibrated,
        300,
        **option_studies.NEARLY,
    ),
    **{f"odds ratios, {effects}": of_odds(effects) for effects in buzzes.EFFECTS},
    "partial pooling": Part(
        "drawn from the priors",
        **drawn(effect_studies.studies, 141, 142),
        intervals=effects.rates,
        count=300,
        further=1,
        replicates=1000,
        truth=effects.none,
    ),
    "partial pooling, same teams": replace(
        played("same teams", 131, effects.of_teams, 300, 100),
        truth=lambda apart, _: engine.means(apart, effects.raw),
    ),
    "debiased ECE, calibrated model": Part(
        "two models, calibrated",
        **drawn(models.answers, 61, 62, kind="calibrated"),
        intervals=proper.debiased,
        count=1000,
        further=1,
        replicates=300,
        truth=proper.of_no_error,
    ),
    "proper scores": Part(
        "one overconfident model",
        overconfident.studies,
        overconfident.large,
        proper.scores,
        count=1000,
        further=1,
    ),
}


def measure(name: str, studies: int | None = None) -> pd.DataFrame:
    """The rows of a part, over so many studies where given."""
    part = PARTS[name]
    return engine.measure(name, part.of(studies) if studies else part)


def committed() -> pd.DataFrame:
    """docs/coverage.csv."""
    return pd.read_csv(TABLE)


def odds_ratios(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of odds ratios as the package has them."""
    of = table[table["part"].str.startswith("odds ratios")]
    return pd.DataFrame(
        {
            "effects": of["world"].str.removeprefix(EFFECTS),
            "method": of["method"],
            "term": of["quantity"].str.removeprefix("odds ratio, "),
            "coverage": of["coverage"].round(3),
            "median_width": of["width"].round(3),
            "studies": of["studies"],
        }
    )


def write(measured: pd.DataFrame) -> None:
    """Replace the rows of the parts measured in docs/coverage.csv, and those that the package has."""
    kept = committed()
    kept = kept[~kept["part"].isin(measured["part"])]
    table = pd.concat([kept, measured])
    place = table["part"].map({name: number for number, name in enumerate(PARTS)})
    table = table.iloc[np.argsort(place, kind="stable")].round(6)
    table.to_csv(TABLE, index=False, lineterminator="\n")
    odds_ratios(table).to_csv(ODDS, index=False, lineterminator="\n")
