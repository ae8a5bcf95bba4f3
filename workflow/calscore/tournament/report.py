"""What the pages of a tournament's statistics report hold, as tables."""

from __future__ import annotations

from . import bonuses, players, standings


def tables(
    games,
    sides,
    box_scores,
    bonus_plays,
    plays,
    questions,
) -> dict:
    """Standings, scores, rounds, individuals, players by category, bonuses; ``questions`` None without packets."""
    scores = standings.scoreboard(games, sides, box_scores)
    return {
        "bonus_conversion": bonuses.conversion(bonus_plays, sides),
        "scoreboard": scores,
        "standings": standings.table(scores),
        "round_report": standings.rounds(scores),
        "individuals": standings.individuals(games, box_scores),
        "player_categories": players.by_category(plays, games, questions),
    }
