"""What the pages of a tournament's statistics report hold, as tables."""

import pandas as pd

from . import bonuses, players, standings


def report_tables(
    games: pd.DataFrame,
    sides: pd.DataFrame,
    box_scores: pd.DataFrame,
    bonus_plays: pd.DataFrame,
    plays: pd.DataFrame,
    questions: pd.DataFrame | None,
) -> dict[str, pd.DataFrame]:
    """The six tables of the statistics page by name: bonus_conversion, scoreboard, standings, round_report, individuals,
    player_categories. ``questions``: None without packets. The arguments are tidy tables."""
    scores = standings.scoreboard(games, sides, box_scores)
    return {
        "bonus_conversion": bonuses.bonus_conversion(bonus_plays, sides),
        "scoreboard": scores,
        "standings": standings.standings_table(scores),
        "round_report": standings.round_report(scores),
        "individuals": standings.individual_standings(games, box_scores),
        "player_categories": players.player_categories(plays, games, questions),
    }
