"""The leaderboard's tables: live models, submissions and models replayed from guesses in one field."""

from __future__ import annotations

import pandas as pd

from ..scores.tables import primary
from . import common, ranks, replayed, submissions, tossups


def entered(runs, plays, exposures, missing_questions: str) -> tossups.Field:
    """Live models and submissions, on the questions that they heard or answered."""
    replayed.refuse(runs["submission"])
    asked = runs.loc[~runs["live"], ["submission", "question_id"]]
    if exposures is not None:
        asked = pd.concat([asked, submissions.heard_live(exposures)], ignore_index=True)
    answered = asked.drop_duplicates()
    asked = submissions.asked(asked, runs, plays, missing_questions)
    return tossups.field(runs, asked, plays, answered)


def named(table, names: dict[str, str], *keys: str):
    """The table with the name shown beside each of its keys, which pages and figures take from here."""
    for key in keys or ("submission",):
        column = f"{key}_name" if keys else "name"
        # Some tables have all their columns from the start.
        table = table.drop(columns=column, errors="ignore")
        shown = table[key].map(lambda one: names.get(one, one))
        table.insert(table.columns.get_loc(key) + 1, column, shown)
    return table


def tables(
    runs,
    human_plays,
    questions,
    buzzes,
    exposures,
    buzzpoints,
    responses,
    clues,
    own: dict[str, float],
    replicates: int,
    seed: int,
    level: float,
    missing_questions: str,
    rank_coverage: float,
    score_early_stopped: bool,
    opponents: str,
    primary_segmentation: str,
    reductions: dict,
    names: dict[str, str],
    known: list[str],
) -> dict:
    """leaderboard, leaderboard_classes, _ranks and _pairs, head_to_head and common_questions.

    questions, buzzes and exposures: of live play, None without it; buzzpoints, responses and clues: of the
    models that are replayed, None without them. ``own`` as for :func:`replayed.chosen`; ``names``: model → name
    shown; ``known``: models that are no user's own, as they have printed numbers or the workflow asks them.
    """
    resampling = replicates, seed, level
    first = entered(runs, human_plays, exposures, missing_questions)
    fields = [first]
    live = set(runs.loc[runs["live"], "submission"])
    kinds = {name: "live" if name in live else "submitted" for name in set(runs["submission"])}
    yours = set()
    if buzzpoints is not None:
        rules = replayed.chosen(buzzpoints, own, opponents)
        beliefs = replayed.beliefs(primary(responses, primary_segmentation, reductions), clues)
        kinds |= dict.fromkeys(rules["submission"], "replayed")
        yours = set(rules.loc[~rules["model"].isin([*known, *live]), "submission"])
        names = names | replayed.shown_names(rules, names)
        fields.append(replayed.field(buzzpoints, rules, human_plays, missing_questions, beliefs))
    fields = [one for one in fields if len(one.scored)]
    board = tossups.boards(fields, *resampling, score_stopped=score_early_stopped)
    scored = pd.concat([one.scored for one in fields], ignore_index=True)
    stopped = pd.concat([one.stopped for one in fields], ignore_index=True)
    # Of a live model only the buzz is known, so its buzzes have no class.
    classed = scored[~scored["submission"].isin(live)]
    # Those replayed meet human teams in tables/matches.csv.
    others = None if buzzes is None else tossups.team_firsts(buzzes, exposures, questions)
    everyone = ranks.entered(fields, score_early_stopped)
    board = ranks.ranked(board, everyone, rank_coverage)
    standing = ranks.ranks(board)
    standing, pairs = ranks.sure(standing, everyone, human_plays, rank_coverage, *resampling)
    return {
        "leaderboard": named(tossups.described(board, scored, stopped), names),
        "leaderboard_classes": named(tossups.classes(classed, level), names),
        "leaderboard_ranks": named(standing, names),
        "leaderboard_pairs": named(pairs, names, "a", "b"),
        "head_to_head": named(tossups.head_to_head(first.firsts, others, level), names, "a", "b"),
        "common_questions": common.common_questions(
            scored, others, kinds, names, yours, *resampling
        ),
    }
