"""Invariants of match logs: what one part of a log says of another."""

import pandas as pd

from ..core.check_result import Outcome, failing_rows, first_failure

CYCLE = ["game", "cycle"]


def ordered_buzzes(plays: pd.DataFrame) -> Outcome:
    """Orders in each cycle of a game are 1, 2, …, source rows are unique, and value is above 0 exactly for right
    buzzes (null is allowed for both)."""
    table = plays.sort_values([*CYCLE, "order"], ignore_index=True)
    right = table["correct"].astype(bool)
    wrong = table["order"] != table.groupby(CYCLE).cumcount() + 1
    wrong |= table.duplicated("source_row") | ((table["value"] > 0) & ~right)
    wrong |= right & (table["value"] <= 0)
    return failing_rows(table, wrong, *CYCLE, "order")


def listed_buzzers(
    plays: pd.DataFrame, heard: pd.DataFrame, rosters: pd.DataFrame, games: pd.DataFrame
) -> Outcome:
    """``heard`` lists each buzzing team for the cycle, ``rosters`` each named buzzer, and no game heard more cycles
    than tossups_read."""
    outcomes = []
    for listed, key in ((heard, [*CYCLE, "team"]), (rosters, ["game", "team", "player"])):
        buzzers = plays.dropna(subset=key)[key].drop_duplicates()
        both = buzzers.merge(listed[key].drop_duplicates(), how="left", indicator=True)
        outcomes.append(failing_rows(both, both["_merge"] == "left_only", *key))
    cycles = games["game"].map(heard.groupby("game")["cycle"].nunique()).fillna(0)
    outcomes.append(failing_rows(games, cycles > games["tossups_read"], "game", "tossups_read"))
    return first_failure(*outcomes)


def bonuses_of_right_teams(bonus_plays: pd.DataFrame, plays: pd.DataFrame) -> Outcome:
    """Each team with a bonus has a right buzz in the same game and cycle."""
    key = [*CYCLE, "team"]
    right = plays.loc[plays["correct"].astype(bool), key].drop_duplicates()
    both = bonus_plays[key].drop_duplicates().merge(right, how="left", indicator=True)
    return failing_rows(both, both["_merge"] == "left_only", *key)
