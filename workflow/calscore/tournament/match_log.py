"""A tournament as its logs tell it, and the tidy tables that follow from it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from ..core.errors import DataError
from ..raw.release import merge_category
from . import bonuses, packet_matching, packets, spellings, standings
from .categoricals import broadcast, floats, repeats, row_codes, share_categories
from .packet_matching import packet_numbers
from .packets import Note, data_issue

ALONE = {
    "sides": [
        *("game", "team", "kind", "declared", "bonus_points", "bounceback_points"),
        *("without_bonus", "bonuses", "listed"),
    ],
    "answers": ["game", "team", "player", "value", "number"],
    "bonuses": ["game", "cycle", "bonus", "part", "team", "points", "bounceback"],
    "bonus_parts": [
        *("packet", "number", "part", "leadin", "text", "answerline", "category_raw"),
        *("difficulty", "value"),
    ],
    "tossups": ["packet", "number", "text", "answerline", "category_raw", "power_word", "note_words"],
}
"""Columns of the parts of a log that are no tidy tables."""
_LOOKED_UP = ("number", "question_id", "kind", "n_words")
"""Columns that tidy tables have more than the parts of a log."""
USUAL = (-5.0, 0.0, 10.0, 15.0, 20.0)
"""Points that a buzz usually scores."""
_LISTED = 200
"""Buzzes of one kind that are listed one by one; the rest are one finding with their number."""


def part_columns(part: str) -> list[str]:
    """Columns of a part of a :class:`Log`: of :data:`ALONE`, else those of the tidy table less question_id, number, kind and
    n_words, which are looked up later."""
    return ALONE.get(part) or [item for item in store.columns(part) if item not in _LOOKED_UP]


@dataclass
class Log:
    """What match files say, before packets are looked up. Parts are lists of mappings, or frames, with at least
    :func:`part_columns`. ``tossup``: number in the packet, ``cycle``: place in the match, ``word_index``: 0-based."""

    games: list | pd.DataFrame = field(default_factory=list)
    sides: list | pd.DataFrame = field(default_factory=list)
    heard: list | pd.DataFrame = field(default_factory=list)
    plays: list | pd.DataFrame = field(default_factory=list)
    rosters: list | pd.DataFrame = field(default_factory=list)
    tossups: list | pd.DataFrame = field(default_factory=list)
    answers: list | pd.DataFrame = field(default_factory=list)
    bonuses: list | pd.DataFrame = field(default_factory=list)
    bonus_parts: list | pd.DataFrame = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    """File → its name in raw/, by which the configuration may call it too."""

    def note(self, kind: str, place: str, detail: str) -> None:
        """Append a finding of stage "tournament"; ``KeyError`` for a ``kind`` not in core/findings/tournament.yaml."""
        self.findings.append(data_issue(kind, place, detail))

    def add_packet(
        self, document: dict, file: str, numbers: tuple[Sequence[int], Sequence[int]] | None = None
    ) -> None:
        """Check a packet and add its tossups and bonus parts, named by its ``name``, else the file's stem. An equal copy is only
        noted; ``DataError`` for other contents under a known name. ``numbers``: of the tossups and bonuses, else 1, 2, …."""
        name = document.get("name")
        name = name.strip() if isinstance(name, str) and name.strip() else PurePosixPath(file).stem
        packets.check_packet(document, file)
        tossups, findings = packets.parse_packet(document, file, name)
        both = tossups, bonuses.packet_bonus_parts(document, name)
        for rows, own in zip(both, numbers or (), strict=False):
            for row in rows:
                row["number"] = own[row["number"] - 1]
        earlier = tuple(
            [row for row in group if row["packet"] == name] for group in (self.tossups, self.bonus_parts)
        )
        if earlier == both:
            self.note("packet in several files", name, f"{file} holds the same")
        elif earlier[0]:
            expected = "a packet whose name no file of other texts has"
            raise DataError.at(file, "", "name", name, expected)
        else:
            self.tossups += both[0]
            self.bonus_parts += both[1]
            self.findings += findings

    def frame(self, name: str) -> pd.DataFrame:
        """The part ``name`` as a frame with exactly :func:`part_columns`, also if empty, rows numbered from 0."""
        return pd.DataFrame(getattr(self, name), columns=part_columns(name)).reset_index(drop=True)


def note_rows(note: Note, kind: str, rows: pd.DataFrame, place: str, detail: str) -> None:
    """Note one finding for all ``rows``, none if empty. ``place`` and ``detail`` are format strings over the columns of the
    first row and ``n``, the number of rows."""
    if len(rows):
        values = rows.iloc[0].to_dict() | {"n": len(rows)}
        note(kind, place.format(**values), detail.format(**values))


def note_each(note: Note, kind: str, rows: pd.DataFrame, detail: str) -> None:
    """Note a finding for each of the first :data:`_LISTED` rows, at its source row, and one that counts the others. ``detail``
    is a format string over the row's columns."""
    for values in rows.head(_LISTED).to_dict("records"):
        note(kind, values["source_row"], detail.format(**values))
    if len(rows) > _LISTED:
        note(kind, f"{len(rows)} buzzes", f"{len(rows) - _LISTED} more of the same")


def qualify_team_names(games: pd.DataFrame, parts: Sequence[pd.DataFrame], note: Note) -> None:
    """Rename, in place in all ``parts``, teams that play in several tournaments to "team (tournament)". ``parts[0]``: sides.
    Several tournaments are noted, and each such team. One alone: nothing."""
    titles = games["tournament"].unique()
    if len(titles) < 2:
        return
    detail = f"{len(titles)} tournaments in one study"
    note("mirrors of one set", ", ".join(map(str, titles)), detail)
    title = games.set_index("game")["tournament"]
    mirrors = parts[0].assign(tournament=parts[0]["game"].map(title))
    mirrors = mirrors.groupby("team", observed=True)["tournament"].unique()
    many = mirrors[mirrors.map(len) > 1]
    for team, titles_of in many.items():
        detail = f"{team!r} plays in {', '.join(sorted(titles_of))}"
        note("team name in several mirrors", str(team), detail)
    for part in parts if len(many) else ():
        part["team"] = _with_title(part, title, set(many.index))


def _with_title(part: pd.DataFrame, title: pd.Series, many: set[str]) -> pd.Categorical | np.ndarray:
    """Column ``team`` of a part with " (tournament)" added to the names in ``many``; ``title``: game → tournament."""
    titles = broadcast(part["game"].astype("category"), title.astype("category"))
    pairs = pd.DataFrame({"team": part["team"].astype("category")}).assign(tournament=titles)
    place, _ = pd.factorize(*row_codes(["team", "tournament"], pairs))
    # A name is made once for each distinct pair.
    pairs = pairs[~repeats(place)].astype(object)
    longer = pairs["team"] + " (" + pairs["tournament"] + ")"
    names = pd.Categorical(pairs["team"].where(~pairs["team"].isin(many), longer)).take(place)
    return names if isinstance(part["team"].dtype, pd.CategoricalDtype) else names.astype(object)


def _duplicate_games(games: pd.DataFrame, sides: pd.DataFrame, plays: pd.DataFrame, note: Note) -> set[str]:
    """Names of games, each noted, with tournament, round, packet, teams and buzzes of an earlier one; none without buzzes."""
    if len(plays) == 0:
        return set()
    key = ["cycle", "tossup", "team", "word_index", "correct"]
    digest = pd.util.hash_pandas_object(plays[key].astype({"word_index": "float64"}), index=False)
    # Sums of 64-bit digests that go around are as good as sums.
    content = digest.groupby(plays["game"], sort=False).sum()
    team_names = sides.sort_values("team").groupby("game")["team"].agg("/".join)
    frame = games.assign(content=games["game"].map(content), who=games["game"].map(team_names))
    frame = frame[frame["content"].notna()]
    key = ["tournament", "round", "packet", "content", "who"]
    equal = frame.duplicated(key)
    earliest = frame.groupby(key, dropna=False)["game"].transform("first")
    for game, opponent in zip(frame.loc[equal, "game"], earliest[equal], strict=True):
        note("game recorded twice", str(game), f"the same teams, round and buzzes as {opponent}")
    return set(frame.loc[equal, "game"])


def _game_phases(games: pd.DataFrame, phase_rounds: dict[str, list[str]], note: Note) -> pd.Series:
    """Phase of each row of ``games``: that of the configuration (``phase_rounds``: phase → rounds, the last that matches),
    else the file's, else None. A phase without a match is noted."""
    result = games["phase"].astype(object).where(games["phase"].notna(), None)
    for phase, rounds in phase_rounds.items():
        place = standings.in_rounds(games["round"], rounds)
        result = result.mask(place, phase)
        if not place.any():
            note("phase without a match", phase, f"no match is of {', '.join(map(str, rounds))}")
    return result


def _counts_for_individuals(games: pd.DataFrame, exclude: list[str], note: Note) -> pd.Series:
    """Mask of ``games`` that count for individuals: the file does not say False and ``exclude`` (rounds) does not list the
    round. A round without a match is noted."""
    result = games["individual"].ne(False).fillna(True).astype(bool)
    for item in exclude:
        place = standings.in_rounds(games["round"], [item])
        if not place.any():
            detail = "no match is of the round that is to be left out"
            note("round without a match", str(item), detail)
        result &= ~place
    return result


def questions_table(
    tossups: pd.DataFrame, aliases: dict[str, str], merged: dict[str, list[str]]
) -> pd.DataFrame:
    """tidy/questions: a row for each of ``tossups`` (part of a log), in order, packets numbered by
    :func:`.packet_matching.packet_numbers`. ``aliases``, ``merged``: for :func:`.release.merge_category`.
    Empty without tossups."""
    if not len(tossups):
        return store.empty("questions")
    from ..clues.sentences import count_answer_words, sentence_spans

    numbers = packet_numbers(list(tossups["packet"].unique()))
    packet = tossups["packet"].map(numbers)
    pairs = [merge_category(raw, aliases, merged) for raw in tossups["category_raw"]]
    table = pd.DataFrame(
        {
            "question_id": [f"p{p:02d}-q{n:02d}" for p, n in zip(packet, tossups["number"], strict=True)],
            "packet": packet.to_numpy(dtype="int64"),
            "number": tossups["number"].to_numpy(dtype="int64"),
            "source_id": tossups["packet"] + "/" + tossups["number"].astype(str),
            "category": [pair[1] for pair in pairs],
            "category_fine": [pair[0] for pair in pairs],
            "category_raw": tossups["category_raw"],
            "text": tossups["text"],
            "answerline": tossups["answerline"],
            "n_words": [len(text.split()) for text in tossups["text"]],
            "n_chars": tossups["text"].str.len(),
            "n_sentences": [max(1, len(sentence_spans(text))) for text in tossups["text"]],
            "n_answer_words": [count_answer_words(line) for line in tossups["answerline"]],
        }
    )
    return store.frame(table, "questions").reset_index(drop=True)


def flag_questions(questions: pd.DataFrame, merged: dict[str, list[str]], note: Note) -> None:
    """Note, in one finding, questions with text and answer line of an earlier one; and each category outside
    ``merged``, unless that is empty."""
    earliest = questions.groupby(["text", "answerline"])["question_id"].transform("first")
    again = questions.assign(earliest=earliest)[questions["question_id"] != earliest]
    detail = "{question_id} has the text and answer line of {earliest}, the first of {n}"
    note_rows(note, "question in several packets", again, "{question_id}", detail)
    for row in questions.drop_duplicates("category").itertuples():
        if merged and row.category not in merged:
            detail = f"category {row.category_raw!r} matches no merged category"
            note("category without a group", row.category, detail)


def tidy_tables(
    log: Log,
    aliases: dict[str, str],
    merged: dict[str, list[str]],
    models: Collection[str] = (),
    packets: dict[str, str] | None = None,
    phases: dict[str, list[str]] | None = None,
    exclude: list[str] | None = None,
) -> dict[str, pd.DataFrame]:
    """Tidy tables by name: questions, buzzes, participation (empty), exposures, games, plays, heard, rosters, sides, box_scores,
    tossups, bonus_items, bonus_plays. ``aliases`` and ``merged``: category options (:func:`questions_table`); ``packets``: match,
    packet as written or round → packet; ``phases``: phase → its rounds; ``exclude``: rounds that do not count for individuals.
    ``models``: names of teams that are models. Oddities are appended to ``log.findings``; a game recorded twice counts once;
    large parts of ``log`` are dropped. ``plays`` and ``heard`` keep rows without a known text (question_id null); ``buzzes`` and
    ``exposures`` do not. ``DataError`` if there are packets and no match read any."""

    note = log.note
    of_games = ("games", "sides", "heard", "plays", "rosters", "answers", "bonuses")
    games, *parts, tossups = (log.frame(name) for name in (*of_games, "tossups"))
    # Of millions of rows these are held once: what is left of them in the log names people.
    log.heard, log.plays = [], parts[2][["team", "player"]].drop_duplicates()
    log.bonuses = []
    lacking = not len(tossups)
    if lacking:
        note("no packet", f"{len(games)} matches", "no file holds texts of the tossups")
    repeated = _duplicate_games(games, parts[0], parts[2], note)
    if repeated:
        games, *parts = (p[~p["game"].isin(repeated)].copy() for p in (games, *parts))
    spellings.flag_teams(parts[0], games, note)
    qualify_team_names(games, parts, note)
    sides, heard, plays, rosters, answers, scored = parts
    share_categories(("game", "team", "player"), heard, plays, rosters)
    games["phase"] = _game_phases(games, phases or {}, note)
    games["individual"] = _counts_for_individuals(games, exclude or [], note)
    names = list(tossups["packet"].unique())
    if lacking:
        games["packet"] = games["packet"].map(lambda name: name if isinstance(name, str) else None)
    else:
        games["packet"] = packet_matching.match_packets(games, names, packets or {}, note, log.paths)
    packet_matching.flag_doubtful_packets(games, plays, heard, tossups, note)
    used = set(games["packet"].dropna()) & set(names)
    for name in sorted(set(names) - used):
        note("packet without a match", name, "no match read it")
    tossups = tossups[tossups["packet"].isin(used)]
    if not len(tossups) and not lacking:
        expected = "a packet that some match names, or whose number is that of a round"
        raise DataError.at("packets", "", "packet", ", ".join(names)[:80], expected)
    questions = questions_table(tossups, aliases, merged)
    flag_questions(questions, merged, note)
    names = ["packet", "number", "power_word", "note_words"]
    index = tossups[names].reset_index(drop=True).astype({"packet": "category"})
    index = index.assign(question_id=questions["question_id"], n_words=questions["n_words"])
    packet_of = games.set_index("game")["packet"]
    packet_row = packet_of.where(packet_of.isin(index["packet"])).astype(index["packet"].dtype)

    # Two cycles of a game with one tossup number: which was read under it cannot be told.
    unlike = heard.loc[heard["cycle"] != heard["tossup"], "game"].unique()
    item = heard.loc[heard["game"].isin(unlike), ["game", "cycle", "tossup"]].drop_duplicates()
    double = item[item.duplicated(["game", "tossup"], keep=False)]
    for (game, tossup), rows in double.groupby(["game", "tossup"], sort=True, observed=True):
        cycles = ", ".join(map(str, sorted(rows["cycle"])))
        detail = f"cycles {cycles} both name tossup {tossup}"
        note("two tossups with one number", f"{game}, tossup {tossup}", detail)
    unclear = pd.MultiIndex.from_frame(double[["game", "tossup"]].drop_duplicates())

    def look_up(part: pd.DataFrame) -> np.ndarray:
        """Row of ``index`` with the tossup of each row of ``part``; −1 without one, or if two cycles name it."""
        wanted = pd.DataFrame({"number": part["tossup"].to_numpy()})
        wanted["packet"] = broadcast(part["game"], packet_row)
        own, wanted = row_codes(["packet", "number"], index, wanted)
        position = pd.Index(own).get_indexer(wanted)
        if len(unclear):
            position = np.where(
                pd.MultiIndex.from_frame(part[["game", "tossup"]]).isin(unclear), -1, position
            )
        return position

    named_ids = pd.Categorical(index["question_id"], categories=sorted(index["question_id"]))
    for part in (heard, plays):
        part["at"] = look_up(part)
        part["question_id"] = named_ids.take(part["at"].to_numpy(), allow_fill=True)
    absent = heard[(heard["at"] < 0) & broadcast(heard["game"], packet_of.isin(used)).astype(bool)]
    if len(unclear):
        absent = absent[~pd.MultiIndex.from_frame(absent[["game", "tossup"]]).isin(unclear)]
    whose = absent["game"].astype(object).map(packet_of)
    for (packet, tossup), rows in absent.groupby([whose, "tossup"]):
        detail = f"the packet has none of that number; matches that read it: {rows['game'].nunique()}"
        note("tossup is not in the packet", f"{packet}, tossup {tossup}", detail)
    plays = _shift_positions(plays, index, note)
    kinds = sides.drop_duplicates("team").set_index("team")["kind"]
    kinds[kinds.index.isin(list(models))] = "model"
    kinds = kinds.astype("category")
    _flag_values(plays, note)
    heard = _add_buzzing_teams(heard, plays)
    buzzes = _comparable_buzzes(plays, questions, kinds, note)
    exposures = _exposures(heard, questions, kinds)
    unread = questions[~questions["question_id"].isin(list(exposures["question_id"].unique()))]
    place = "{question_id} and " + f"{len(unread) - 1} more" if len(unread) > 1 else "{question_id}"
    detail = "{n} of " + f"{len(questions)} tossups were heard by nobody"
    note_rows(note, "tossup never read", unread, place, detail)
    games["packet"] = games["packet"].where(games["packet"].notna(), None)
    numbers = packet_numbers(list(tossups["packet"].unique()))
    games["number"] = games["packet"].map(numbers).astype("Int64")
    plays["kind"] = broadcast(plays["team"], kinds)
    heard["kind"] = broadcast(heard["team"], kinds)
    power = index.assign(power_word=lambda t: t["power_word"].astype("Int64"))
    # Who buzzes played, whether a match lists its players or not.
    listed = ["game", "team", "player"]
    visited = plays.loc[plays["player"].notna(), listed].drop_duplicates()
    rosters = pd.concat([rosters, visited.assign(tossups_heard=pd.NA)], ignore_index=True)
    rosters = rosters.drop_duplicates(listed).astype(dict.fromkeys(listed, object))
    spellings.flag_players(rosters, note)
    listed_bonuses = bonuses.tidy_bonus_items(
        log.frame("bonus_parts").query("packet in @used"),
        numbers,
        lambda raw: merge_category(raw, aliases, merged),
    )
    bonus_plays = bonuses.tidy_bonus_plays(scored, listed_bonuses, games.set_index("game")["number"])
    _flag_beyond(games, bonus_plays, listed_bonuses, note)
    _flag_heard_counts(games, rosters, plays, note)
    box = standings.tidy_box_scores(plays, rosters, answers)
    result = {"games": games, "plays": plays, "heard": heard, "rosters": rosters, "tossups": power}
    result |= {"bonus_items": listed_bonuses, "bonus_plays": bonus_plays, "box_scores": box}
    group = sides[sides["listed"].ne(False)]
    _flag_games(games, group, heard, tossups.groupby("packet").size(), note)
    result["sides"] = standings.tidy_sides(group.reset_index(drop=True), box, bonus_plays, note)
    result = {name: _frame(part, name) for name, part in result.items()}
    return {
        "questions": questions,
        "buzzes": buzzes,
        "participation": store.empty("participation"),
        "exposures": exposures,
        **result,
    }


def _frame(part: pd.DataFrame, name: str) -> pd.DataFrame:
    """``part`` as the declared table ``name``, rows numbered from 0."""
    return store.frame(part, name).reset_index(drop=True)


def _shift_positions(plays: pd.DataFrame, index: pd.DataFrame, note: Note) -> pd.DataFrame:
    """``plays`` (with ``at``: row of ``index``, −1 for none) with n_words and with word_index less the words of the moderator's
    note (0 within it); null where unknown. Noted: positions missing, within the note, at or past END, at odds with points."""
    place = plays["at"].to_numpy()
    shift, length, power = (
        np.append(floats(index[name]), end)[place]
        for name, end in (("note_words", 0.0), ("n_words", np.nan), ("power_word", np.nan))
    )
    heard = floats(plays["word_index"])
    early = (place >= 0) & (heard < shift)
    word = np.where(early, 0.0, heard - shift)
    plays = plays.assign(
        word_index=pd.array(word, dtype="Float64").astype("Int64"),
        n_words=pd.array(length, dtype="Float64").astype("Int64"),
    )
    total, value = f"{{n:,}} of {len(plays):,} buzzes", floats(plays["value"])
    odd = ((value == 15) & (word >= power)) | ((value == 10) & (word < power))
    detail = "the file does not say at which word"
    note_rows(note, "buzz without a position", plays[np.isnan(heard)], total, detail)
    detail = "{n} buzzes before the first word of the question"
    note_rows(note, "buzz in the moderator's note", plays[early], "{source_row}", detail)
    detail = "word_index equal to the number of words: after the last word"
    note_rows(note, "buzz at the END mark", plays[word == length], total, detail)
    detail = "{n} right buzzes score as if beyond the power mark, or before it; first: {value:g} points at word {word_index}"
    note_rows(note, "power mark and points disagree", plays[odd], "{source_row}", detail)
    detail = "word {word_index} of {n_words} by {team}"
    note_each(note, "buzz past the end", plays[word > length], detail)
    return plays


def _flag_values(plays: pd.DataFrame, note: Note) -> None:
    """Note wrong answers without penalty, tossups answered right twice in a cycle, and points outside :data:`USUAL`."""
    value = plays["value"].astype("Float64")
    detail = f"value 0 is a wrong answer that cost nothing ({int((value < 0).sum()):,} cost points)"
    total = f"{{n:,}} of {len(plays):,} buzzes"
    note_rows(note, "wrong without penalty", plays[(value == 0).fillna(False)], total, detail)
    right = plays[plays["correct"].to_numpy(dtype=bool)]
    (place,) = row_codes(["game", "cycle", "tossup"], right)
    detail = "{n} right answers on tossups that had been answered"
    note_rows(note, "tossup answered right twice", right[repeats(place)], "{source_row}", detail)
    odd = value.notna() & ~value.isin(USUAL)
    for points, count in value[odd].value_counts().sort_index().items():
        note("unusual points", f"value {points:g}", f"{count} buzzes")


def _add_buzzing_teams(heard: pd.DataFrame, plays: pd.DataFrame) -> pd.DataFrame:
    """``heard`` (one row for each game, cycle, tossup and team) with rows of source "buzzed" for others that buzzed."""
    key = ["game", "cycle", "tossup", "team"]
    buzzed = pd.Categorical.from_codes(np.zeros(len(plays), "int8"), ["buzzed"])
    parts = heard.drop(columns="at"), plays[[*key, "question_id"]].assign(source=buzzed)
    share_categories(["source"], *parts)
    rows = pd.concat(parts, ignore_index=True)
    return rows[~repeats(*row_codes(key, rows))].reset_index(drop=True)


def _comparable_buzzes(
    plays: pd.DataFrame, questions: pd.DataFrame, kinds: pd.Series, note: Note
) -> pd.DataFrame:
    """tidy/buzzes: plays with a known question and position. A team's second buzz at one word, any after its right one, and any
    in another match than its first are dropped. Those dropped are noted and counted. ``kinds``: team → kind."""
    key = ["question_id", "team"]
    present = plays["question_id"].notna() & plays["word_index"].notna()
    rows = plays.loc[present, [*key, "game", "word_index", "correct"]].astype({"word_index": "int32"})
    (code,) = row_codes([*key, "word_index"], rows)
    double = repeats(code)
    detail = "{team} has another buzz on {question_id} at word {word_index}"
    again = plays.loc[rows.index[double]]
    note_each(note, "team buzzed twice at one word", again, detail)
    rows = rows[~double]
    (code,) = row_codes(key, rows)
    many = repeats(code)
    if many.any():
        detail = "{n} buzzes of teams that had buzzed on the question before"
        again = plays.loc[rows.index[many], ["source_row"]]
        note_rows(note, "team buzzed more than once", again, "{source_row}", detail)
        group = rows[many | repeats(code[::-1])[::-1]]
        groups = group.groupby(key, observed=True)
        right = group["correct"].astype(int)
        done = right.groupby([group[name] for name in key], observed=True).cumsum() > right
        late = group.index[done | (group["game"] != groups["game"].transform("first"))]
        detail = "{n} buzzes of teams that had been right on the question, or heard it in another match"
        done = plays.loc[late, ["source_row"]]
        note_rows(note, "team had been done with a tossup", done, "{source_row}", detail)
        rows = rows.drop(index=late)
    if len(rows) < len(plays) and len(questions):
        text, position = plays["question_id"].notna(), plays["word_index"].notna()
        counts = {
            "on tossups without a text": int((~text).sum()),
            "without a position": int((text & ~position).sum()),
            "after another buzz of the team": int(present.sum()) - len(rows),
        }
        place = f"{len(plays) - len(rows):,} of {len(plays):,} buzzes"
        detail = ", ".join(f"{n:,} {words}" for words, n in counts.items() if n)
        note("buzz left out of comparisons", place, detail)
    rows = rows.assign(
        packet=_packets(rows, questions),
        match=rows["game"],
        kind=broadcast(rows["team"], kinds),
        correct=rows["correct"].astype(bool),
        **plays.loc[rows.index, ["player", "value", "source_row"]].astype({"value": float}),
    )
    return _frame(rows, "buzzes")


def _exposures(heard: pd.DataFrame, questions: pd.DataFrame, kinds: pd.Series) -> pd.DataFrame:
    """tidy/exposures: a row for each known question and team that heard it, of the match listed first. ``kinds``: team → kind."""
    rows = heard.loc[heard["question_id"].notna(), ["question_id", "team", "source"]]
    rows = rows[~repeats(*row_codes(["question_id", "team"], rows))]
    rows = rows.assign(packet=_packets(rows, questions), kind=broadcast(rows["team"], kinds))
    return _frame(rows, "exposures")


def _packets(rows: pd.DataFrame, questions: pd.DataFrame) -> np.ndarray:
    """Packet number of each row's question, int32."""
    group = questions.set_index("question_id")["packet"]
    return np.asarray(broadcast(rows["question_id"], group.astype("int32")), dtype="int32")


def _flag_games(
    games: pd.DataFrame, sides: pd.DataFrame, heard: pd.DataFrame, lengths: pd.Series, note: Note
) -> None:
    """Note matches not of two teams, and those that read fewer tossups than their packet has (``lengths``, by packet)."""
    count = games["game"].map(sides.groupby("game", observed=True).size()).fillna(0).astype(int)
    odd = games.assign(count=count)[count != 2]
    note_rows(note, "match not of two teams", odd, "{game}", "{n} matches; the first lists {count}")
    read = heard[["game", "cycle"]].drop_duplicates().groupby("game", observed=True).size()
    read, full = games["game"].map(read).fillna(0).astype(int), games["packet"].map(lengths)
    short = games.assign(read=read, full=full)[full.notna() & (read < full)]
    detail = "{n} matches read fewer tossups than their packet has; the first {read} of {full:.0f}"
    note_rows(note, "tossups_read shorter than the packet", short, "{game}", detail)


def _flag_beyond(games: pd.DataFrame, bonus_plays: pd.DataFrame, items: pd.DataFrame, note: Note) -> None:
    """Note, as one finding, bonus numbers that their packet lacks (if it lists any bonus)."""
    group = games.set_index("game")
    lost = bonus_plays[bonus_plays["bonus_id"].isna() & bonus_plays["bonus"].notna()]
    lost = lost[lost["game"].map(group["number"]).isin(items["packet"])]
    lost = lost.drop_duplicates(["game", "cycle"])
    place, detail = "{game}, cycle {cycle}", "bonus {bonus}, the first of {n}"
    note_rows(note, "bonus is not in the packet", lost, place, detail)


def _flag_heard_counts(games: pd.DataFrame, rosters: pd.DataFrame, plays: pd.DataFrame, note: Note) -> None:
    """Note, as one finding each, players said to have heard more tossups than their match read, or fewer than they buzzed on."""
    key = ["game", "team", "player"]
    stated = rosters[rosters["tossups_heard"].notna()]
    buzzed = plays.loc[~repeats(*row_codes([*key, "cycle"], plays)), key].groupby(key, observed=True).size()
    buzzed = buzzed.reindex(pd.MultiIndex.from_frame(stated[key])).fillna(0).to_numpy(dtype=int)
    stated = stated.assign(buzzed=buzzed, read=stated["game"].map(games.set_index("game")["tossups_read"]))
    place, detail = "{player} of {team}", "{tossups_heard} tossups in {game}, the first of {n}"
    extra = stated[stated["tossups_heard"] > stated["read"]]
    note_rows(note, "player heard more than was read", extra, place, detail)
    detail = "heard {tossups_heard} and buzzed on {buzzed} tossups in {game}, the first of {n}"
    fewer = stated[stated["tossups_heard"] < stated["buzzed"]]
    note_rows(note, "player buzzed on more than they heard", fewer, place, detail)
