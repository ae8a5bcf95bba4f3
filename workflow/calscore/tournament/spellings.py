"""Teams and players that may be the same under two spellings: suggested, never merged."""

import re
from itertools import combinations, product

import pandas as pd
from rapidfuzz.distance import OSA

from .packets import Note

RARE = 2
"""Matches that a misspelt player has at most."""
_LABEL = re.compile(r"\d+|\b(?:[^\W\d_]|[ivx]+|jv)\b")
"""What tells apart names that are alike else: numbers, single letters, Roman numerals."""


def plain_name(name: str) -> str:
    """A name casefolded, letters and digits only: equal ones differ by case, spaces or punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def are_close(a: str, b: str) -> bool:
    """Whether two names of at least five letters differ by at most one edit (a swap of neighbours is one). Numbers, single
    letters and Roman numerals in them must be equal. Case, spaces and punctuation are ignored."""
    if _LABEL.findall(a.casefold()) != _LABEL.findall(b.casefold()):
        return False
    a, b = plain_name(a), plain_name(b)
    return min(len(a), len(b)) > 4 and OSA.distance(a, b, score_cutoff=1) <= 1


def _word_added(a: str, b: str) -> bool:
    """Whether one name is the other with exactly one more word, ignoring case."""
    short, long = sorted((a.casefold().split(), b.casefold().split()), key=len)
    return any(short == long[:i] + long[i + 1 :] for i in range(len(long)))


def flag_teams(sides: pd.DataFrame, games: pd.DataFrame, note: Note) -> None:
    """Note pairs of teams that never play in the same round and may be one team. Their names differ in case, spaces or
    punctuation alone or, if one of them plays a single match and the other several, by an edit (:func:`are_close`) or a word."""
    count = sides.groupby("team", observed=True)["game"].nunique()
    names = pd.Series(sorted(count.index), dtype=object)
    groups = names.groupby(names.map(plain_name))
    pairs = {pair for _, alike in groups for pair in combinations(alike, 2)}
    singles, regular = count.index[count == 1], count.index[count > 1]
    pairs |= {
        tuple(sorted(pair)) for pair in product(singles, regular) if are_close(*pair) or _word_added(*pair)
    }
    place = games.set_index("game")[["tournament", "round"]]
    for a, b in sorted(pairs):
        rounds = (place.loc[sides.loc[sides["team"] == team, "game"]] for team in (a, b))
        if not len(pd.merge(*(rows.drop_duplicates() for rows in rounds))):
            detail = f"{a!r} and {b!r} look alike and never play in the same round"
            note("one team under two spellings?", f"{a} / {b}", detail)


def flag_players(rosters: pd.DataFrame, note: Note) -> None:
    """Note pairs of players of a team that may be one player. Their names differ in case, spaces or punctuation alone; or
    they are close (:func:`are_close`), never play in the same match, and one is listed in at most :data:`RARE` matches and
    fewer than the other. A listing with 0 tossups heard does not count as playing."""
    listed, played = (
        rows.groupby(["team", "player"], observed=True)["game"].agg(set).to_dict()
        for rows in (rosters, rosters[rosters["tossups_heard"].ne(0).fillna(True)])
    )
    members: dict[str, list] = {}
    for team, player in sorted(listed):
        members.setdefault(team, []).append(player)
    pairs = ((team, pair) for team, group in members.items() for pair in combinations(group, 2))
    for team, pair in pairs:
        games_of = {player: listed[team, player] for player in pair}
        rare, usual = sorted(pair, key=lambda player: len(games_of[player]))
        seldom = len(games_of[rare]) <= min(RARE, len(games_of[usual]) - 1)
        meetings = set.intersection(*(played.get((team, player), set()) for player in pair))
        slip = seldom and not meetings and are_close(rare, usual)
        if slip or plain_name(rare) == plain_name(usual):
            count = f"{len(games_of[rare])} of the {len(set.union(*games_of.values()))} matches"
            detail = f"{rare!r} of {team!r} is listed in {count} of the two"
            note("one player under two spellings?", f"{rare} / {usual}", detail)
