"""Which packet a match read: as the configuration says, by its name, by the numbers in it, by the round.

Reading software keeps the packet that was opened last, so that a match may name that of an earlier round. What
speaks for the packet of its round is reported; only the configuration moves a match.
"""

import json
import re
from collections import Counter
from collections.abc import Collection
from itertools import combinations
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core.errors import Faults
from .categoricals import floats
from .packets import Note

LINE = "; line for options.packets: "
"""In a finding, what comes before the line of the configuration that settles it."""


CLEAR = 5
"""Buzzes past the end that put a round's packet in doubt, and how many times those past the end of a better one."""


def packet_key(name: str) -> str:
    """Packet name for matching: casefolded, less .json, .pdf, .txt, .doc(x) at its end, punctuation, spaces and leading zeros."""
    stem = re.sub(r"\.(json|docx?|pdf|txt)$", "", str(name).strip(), flags=re.I)
    return re.sub(r"0*(\d+)", r"\1", re.sub(r"[\W_]+", "", stem.casefold()))


def numbers_without_years(name: object) -> set[int]:
    """Whole numbers of up to six digits in a name, less those from 1900 to 2099; may be empty."""
    result = {int(item) for item in re.findall(r"\d+", str(name)) if len(item) < 7}
    return {n for n in result if not 1900 <= n <= 2099}


def single_number(name: object) -> int | None:
    """The number in a name that has exactly one run of digits, of up to six; else None, as for a null."""
    result = re.findall(r"\d+", str(name))
    return int(result[0]) if len(result) == 1 and len(result[0]) < 7 else None


def packet_numbers(names: list[str]) -> dict[str, int]:
    """Packet name → a distinct whole number: the single one in each name, if every name has its own (not 0). Else 1, 2, … in
    order, with numbers in names sorted by value. Case is ignored in that order."""
    result = [single_number(name) for name in names]
    if all(n for n in result) and len(set(result)) == len(result):
        return dict(zip(names, result, strict=True))
    padded = {name: re.sub(r"\d+", lambda digits: digits[0].zfill(20), name) for name in names}
    order = sorted(names, key=lambda name: padded[name].casefold())
    return {name: number for number, name in enumerate(order, start=1)}


def _packet_by_numbers(text: object, names: list[str]) -> str | None:
    """The packet whose numbers include, or are among, those of ``text`` and share most with them; None if tied or without any."""
    wanted = numbers_without_years(text)
    if not wanted:
        return None
    shared = {}
    for name in names:
        own = numbers_without_years(name)
        if own and (own <= wanted or wanted <= own):
            shared[name] = len(own & wanted)
    best = [name for name, count in shared.items() if count == max(shared.values())]
    return best[0] if len(best) == 1 else None


def _text(value: object) -> str | None:
    """``value`` if it is text, else None."""
    return value if isinstance(value, str) else None


def packets_from_config(
    games: pd.DataFrame, names: list[str], packet_map: dict[str, str], note: Note, raw_paths: dict[str, str]
) -> dict[int, str]:
    """Index of ``games`` → packet, for the games that ``packet_map`` names by match, packet as written or round, in this
    precedence. ``names``: those of the packets. ``raw_paths``: file → its name in raw/. Each entry that applies is noted.
    Raises ``DataError`` for keys that fit no match and packets not in ``names``."""
    by_key = {packet_key(name): name for name in names}
    faults, order, result = Faults("config"), [], {}
    written = games["packet"].map(_text)
    rounds = games["round"].map(lambda name: f"round {name}".casefold() if _text(name) else None)
    files = [
        {file, raw_paths.get(file, file)} | {part for path in (file, raw_paths.get(file, file)) for part in (PurePosixPath(path).name, PurePosixPath(path).stem)}
        for file in games["file"]
    ]  # fmt: skip
    # A match's own entry comes before one for its packet, that before one for its round.
    for key, packet in packet_map.items():
        own = (games["game"] == key) | np.array([key in spelled for spelled in files])
        levels = rounds == key.casefold(), written == key, own
        order += [(level, key, place.to_numpy()) for level, place in enumerate(levels)]
        if not any(place.any() for place in levels):
            expected = "a match's file, a packet that matches name, or a round"
            faults.add("", f"options/packets/{key}", key, expected)
        if packet_key(packet) not in by_key:
            expected = f"one of {', '.join(names[:20])}"
            faults.add("", f"options/packets/{key}", packet, expected)
    faults.refuse()
    for _, key, place in sorted(order, key=lambda item: item[0]):
        packet, count = by_key[packet_key(packet_map[key])], int(place.sum())
        if count:
            was = sorted({repr(item) for item in written[place] if item}) or ["no packet"]
            words = ("match, which names", "is") if count == 1 else ("matches, which name", "are")
            detail = f"{count} {words[0]} {', '.join(was)}, {words[1]} of {packet!r}"
            note("packet as the configuration says", key, detail)
        result |= dict.fromkeys(games.index[place], packet)
    return result


def match_packets(
    games: pd.DataFrame,
    names: list[str],
    packet_map: dict[str, str],
    note: Note,
    raw_paths: dict[str, str] | None = None,
) -> pd.Series:
    """Packet (of ``names``) for each row of ``games`` (columns game, file, packet as written, round), None where none fits. The
    configuration's ``packet_map`` comes first, then the name, the numbers in it, and those of the round unless the name has only
    others. ``raw_paths``: file → its name in raw/, which ``packet_map`` may use too. Matches by number, failures are noted."""
    configured = packets_from_config(games, names, packet_map, note, raw_paths or {})
    by_key = {packet_key(name): name for name in names}
    result = pd.Series([None] * len(games), index=games.index, dtype=object)
    result.update(pd.Series(configured, dtype=object))
    remaining = games[~games.index.isin(list(configured))]
    missing, numbered = Counter(), Counter()
    for (written, round_name), index in remaining.groupby(
        [remaining["packet"].map(_text), remaining["round"].map(_text)],
        dropna=False,
        sort=False,
    ).groups.items():
        written, round_name = _text(written), _text(round_name)
        # Packets of two editions may differ in what their keys leave out.
        packet = written if written in names else written and by_key.get(packet_key(written))
        method = ""
        if packet is None and written:
            packet, method = _packet_by_numbers(written, names), "the numbers in the packet's name"
        # A name without the round's number speaks against the round.
        own = numbers_without_years(written or "")
        if packet is None and round_name and (not own or own & numbers_without_years(round_name)):
            packet, method = _packet_by_numbers(round_name, names), "the number of the round"
        result[index] = packet
        place = f"round {round_name}" if round_name else "matches without packet and round"
        place = f"packet {written!r}" if written else place
        if packet is None:
            missing[place] += len(index)
        elif method and packet != written:
            numbered[place, f"taken to be {packet!r} by {method}"] += len(index)
    for place, count in missing.items():
        detail = f"no packet of that name or number; matches that name it: {count}"
        note("packet missing", place, detail)
    for (place, detail), count in numbered.items():
        note("packet found by number", place, f"{detail}; matches that name it: {count}")
    return result


def packet_lengths(tossups: pd.DataFrame) -> dict[str, dict[int, int]]:
    """Packet → number of each tossup → its words, with those of a moderator's note. ``tossups``: part of a log."""
    n_words = tossups["text"].str.split().str.len() + tossups["note_words"]
    return {
        packet: dict(zip(group["number"], n_words[group.index], strict=True))
        for packet, group in tossups.groupby("packet")
    }


class _Fit(NamedTuple):
    """How buzzes fit a packet: ``past`` buzzes lie past the end of their tossup, the farthest by ``words``
    words, and ``lacking`` tossups that were heard are not in it."""

    past: int
    words: int
    lacking: int


def _fits(
    members: Collection[str],
    plays: pd.DataFrame,
    heard: pd.DataFrame,
    lengths: dict[str, dict[int, int]],
    packets: Collection[str],
) -> tuple[int, int, list[_Fit]]:
    """(counts of buzzes and of tossups heard, a :class:`_Fit` for each of ``packets``) of the games ``members``."""
    read = plays[plays["game"].isin(members)]
    tossups_heard = set(heard.loc[heard["game"].isin(members), "tossup"])
    word, fits = floats(read["word_index"]), []
    for own in map(lengths.__getitem__, packets):
        past = word - read["tossup"].map(own).to_numpy(dtype=float)
        past = past[past > 0]
        fits.append(_Fit(len(past), int(past.max(initial=0)), len(tossups_heard - set(own))))
    return len(read), len(tossups_heard), fits


def flag_doubtful_packets(
    games: pd.DataFrame, plays: pd.DataFrame, heard: pd.DataFrame, tossups: pd.DataFrame, note: Note
) -> None:
    """Note the matches (:func:`_flag_matches`), then the rounds (:func:`_flag_rounds`) whose packet is in doubt."""
    lengths = packet_lengths(tossups)
    rows = games[games["packet"].isin(list(lengths)) & games["round"].notna()]
    for flag in (_flag_matches, _flag_rounds):
        flag(rows, plays, heard, lengths, note)


def _flag_rounds(
    rows: pd.DataFrame, plays: pd.DataFrame, heard: pd.DataFrame, lengths: dict[str, dict], note: Note
) -> None:
    """Note rounds whose buzzes fit another packet clearly better (:data:`CLEAR`) than the one that most of their matches
    read. Of the other rounds, note two of a tournament that each read the packet with the other's number."""
    names, main, numbered = list(lengths), {}, {}
    for (title, round_name), group in rows.groupby(["tournament", "round"], sort=False):
        packet = group["packet"].value_counts().index[0]
        main[title, round_name] = packet
        members = set(group.loc[group["packet"] == packet, "game"])
        buzzes, _, fits = _fits(members, plays, heard, lengths, names)
        own, best = fits[names.index(packet)], min(fits, key=lambda fit: (fit.lacking, fit.past))
        if own.past >= CLEAR and own.past >= CLEAR * best.past and own.lacking >= best.lacking:
            rival = names[fits.index(best)]
            detail = f"{len(members)} matches read {packet!r} ({own.past} of {buzzes} buzzes past the end); {rival!r} fits better ({best.past} past the end)"
            line = f"{json.dumps(f'round {round_name}')}: {json.dumps(rival)}"
            note("round may have read another packet", f"round {round_name}", detail + LINE + line)
        else:
            numbered[title, round_name] = _packet_by_numbers(round_name, names)
    for pair in combinations(numbered, 2):
        (title, round_name), (rival_title, opponent) = pair
        packets = [main[key] for key in pair]
        swapped = packets == [numbered[key] for key in reversed(pair)]
        if title == rival_title and swapped and packets[0] != packets[1]:
            detail = f"they read {packets[0]!r} and {packets[1]!r}, whose numbers are the other way round"
            note("rounds may be swapped", f"round {round_name} and round {opponent}", detail)


def _flag_matches(
    rows: pd.DataFrame, plays: pd.DataFrame, heard: pd.DataFrame, lengths: dict[str, dict], note: Note
) -> None:
    """Note each match whose packet is not the one that most other games of its round read, unless the buzzes fit that one
    worse. If only one other game, or none but the round's number, speaks for another packet, the buzzes must fit it better."""
    groups = rows.groupby(["tournament", "round"], sort=False)["packet"]
    rows = rows[(groups.transform("nunique") > 1) | (groups.transform("size") == 1)]
    numbered = {name: _packet_by_numbers(name, list(lengths)) for name in rows["round"].unique()}
    for (_, round_name), group in rows.groupby(["tournament", "round"], sort=False):
        counts = group["packet"].value_counts()
        for game in group.itertuples():
            opponents = counts - (counts.index == game.packet)
            opponents = opponents[opponents > 0]
            many = int(opponents.iloc[0]) if len(opponents) else 0
            opponent = opponents.index[0] if many else numbered[round_name]
            if opponent in (None, game.packet) or (many and opponents.get(game.packet, 0) >= many):
                continue
            packets = game.packet, opponent
            buzzes, n_heard, (own, rival) = _fits([game.game], plays, heard, lengths, packets)
            better = own.past > rival.past or own.lacking > rival.lacking
            worse = own.past < rival.past or own.lacking < rival.lacking
            if worse or (many < 2 and not better):
                continue
            words = f", by up to {own.words} words" if own.past else ""
            reason = f"{many} of {len(group) - 1} other games of round {round_name} read"
            reason = reason if many else f"the number of round {round_name} is that of"
            note(
                "match may have read another packet",
                str(game.game),
                f"names {game.packet!r} ({own.past} of {buzzes} buzzes past the end{words}; "
                f"{own.lacking} of {n_heard} tossups not in it); "
                f"{reason} {opponent!r} ({rival.past} past the end; {rival.lacking} not in it)"
                f"{LINE}{json.dumps(game.file, ensure_ascii=False)}: {json.dumps(opponent, ensure_ascii=False)}",
            )
