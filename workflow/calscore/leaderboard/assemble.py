"""The leaderboard's tables: live models, submissions and models replayed from guesses in one field."""

import pandas as pd

from ..scores.tables import primary_rows
from ..stats.bootstrap import Bootstrap
from . import pairs, ranks, replay, submissions, tossups


def assemble_field(runs, plays, exposures, missing_questions: str) -> tossups.Field:
    """:class:`.tossups.Field` of tidy/runs against ``plays`` (tidy/human_plays). Live models count on what they heard
    (tidy/exposures or None), submissions as :func:`.submissions.counted_questions` says. ``DataError`` for a reserved name."""
    replay.check_reserved_names(runs["submission"])
    questions = runs.loc[~runs["live"], ["submission", "question_id"]]
    if exposures is not None:
        questions = pd.concat([questions, submissions.live_exposures(exposures)], ignore_index=True)
    has_output = runs[["guess", "confidence"]].notna().any(axis=1) | runs["buzz"] | runs["live"]
    silent = runs.loc[~has_output, ["submission", "question_id"]]
    # A question that is listed without outputs is not answered.
    answered = pd.concat([questions.drop_duplicates(), silent]).drop_duplicates(keep=False)
    questions = submissions.counted_questions(questions, runs, plays, missing_questions)
    return tossups.score_field(runs, questions, plays, answered)


def add_display_names(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """A copy of ``table`` with column ``name`` after submission: its label in ``names``, else the submission itself."""
    # Some tables have all their columns from the start.
    table = table.drop(columns="name", errors="ignore")
    labels = table["submission"].map(lambda item: names.get(item, item))
    table.insert(table.columns.get_loc("submission") + 1, "name", labels)
    return table


def leaderboard_tables(
    runs: pd.DataFrame,
    human_plays: pd.DataFrame,
    questions: pd.DataFrame | None,
    buzzes: pd.DataFrame | None,
    exposures: pd.DataFrame | None,
    buzzpoints: pd.DataFrame | None,
    responses: pd.DataFrame | None,
    clues: pd.DataFrame | None,
    own: dict[str, float],
    replicates: int,
    seed: int,
    level: float,
    missing_questions: str,
    rank_coverage: float,
    score_early_stopped: bool,
    opponents: str,
    primary_segmentation: str,
    reductions: list[str],
    names: dict[str, str],
    reference_models: list[str],
    groups: dict[str, str],
) -> dict[str, pd.DataFrame]:
    """Tables leaderboard, leaderboard_classes (without live models), leaderboard_ranks and leaderboard_pairs by name.
    questions, buzzes, exposures: of live play; buzzpoints, responses, clues: of replayed models; None without them.
    ``own``: model → its threshold; ``missing_questions`` to ``reductions``: options of the study; ``rank_coverage``: least share
    of questions for a rank. ``names``: model → label; ``groups``: submission → group that it is ranked in;
    ``reference_models``: not the user's."""
    bootstrap = Bootstrap(replicates, seed, level)
    fields = [assemble_field(runs, human_plays, exposures, missing_questions)]
    live = set(runs.loc[runs["live"], "submission"])
    kinds = {name: "live" if name in live else "submitted" for name in set(runs["submission"])}
    yours = set()
    if buzzpoints is not None:
        rules = replay.replay_rules(buzzpoints, own, opponents)
        beliefs = replay.confidences_at_clue_ends(
            primary_rows(responses, primary_segmentation, reductions), clues
        )
        kinds |= dict.fromkeys(rules["submission"], "replayed")
        yours = set(rules.loc[~rules["model"].isin([*reference_models, *live]), "submission"])
        names = names | replay.display_names(rules, names)
        fields.append(replay.replayed_field(buzzpoints, rules, human_plays, missing_questions, beliefs))
    fields = [field for field in fields if len(field.scored)]
    board = tossups.leaderboard_metrics(fields, bootstrap, score_early_stopped)
    scored = pd.concat([field.scored for field in fields], ignore_index=True)
    stopped = pd.concat([field.stopped for field in fields], ignore_index=True)
    # Of a live model only the buzz is known, so its buzzes have no class.
    classed = scored[~scored["submission"].isin(live)]
    teams = None if buzzes is None else pairs.team_first_buzzes(buzzes, exposures, questions)
    counts_missing = missing_questions != "leave_out"
    strict = fields
    if counts_missing:
        strict = [tossups.silence_as_wrong(field, human_plays) for field in fields]
    entered = ranks.pool_entrants(strict, score_early_stopped, counts_missing, live, yours)
    board, standing, compared = ranks.rank_within_groups(
        board, entered, groups, human_plays, rank_coverage, bootstrap
    )
    met = pairs.meeting_rows(scored, teams, bootstrap)
    return {
        "leaderboard": add_display_names(tossups.add_submission_flags(board, scored, stopped), names),
        "leaderboard_classes": add_display_names(tossups.class_table(classed, level), names),
        "leaderboard_ranks": add_display_names(standing, names),
        "leaderboard_pairs": pairs.pairs_table([*met, *compared], kinds, names, yours),
    }
