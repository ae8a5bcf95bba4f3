"""Checks of tournaments and bonus submissions."""

from __future__ import annotations

from .checks import again

PLAYED = ("plays", "heard", "rosters", "questions")


def _statistics(c) -> dict:
    def make(c):
        from ..tournament import stats

        return stats.tables(*(c[name] for name in PLAYED), c.options["level"])

    return c.again("quizbowl", PLAYED, make)


def _of_plays(name):
    @again(f"quizbowl_{name}", *PLAYED)
    def from_plays(c):
        """Counts, rates, positions and points follow from plays, rosters and who heard what."""
        return _statistics(c)[f"quizbowl_{name}"]


for _name in ("teams", "players", "categories", "team_categories", "questions"):
    _of_plays(_name)


@again("buzzpoint_curves", "plays", "heard", "questions")
def _curves(c):
    """Buzz-point curves follow from plays and who heard what."""
    from ..tournament import stats

    return stats.all_curves(*(c[name] for name in ("plays", "heard", "questions")))


@again("bonuses", "bonus_parts")
def _bonuses(c):
    """Metrics, intervals, notes and ranks follow from the parts."""
    from ..leaderboard import bonuses

    return bonuses.board(c["bonus_parts"], **c.drawn)
