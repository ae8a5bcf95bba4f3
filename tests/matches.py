"""Matches and buzz tables of a few tossups, and what is read from them."""

import json

from calscore.tournament import buzz_csv, match_log, qbj

PACKET = {
    "tossups": [
        {"question": f"<b>Words</b> of tossup {n} (*) go (“goh”) on to the end.", "answer": f"<u>A{n}</u>", "metadata": "Arts"}
        for n in range(1, 6)
    ]
}  # fmt: skip


WORDS = 9


def buzz(team, word, value, player="P"):
    return {
        "team": {"name": team}, "player": {"name": player},
        "buzz_position": {"word_index": word}, "result": {"value": value},
    }  # fmt: skip


def question(cycle, buzzes=(), tossup=None, replacement=None):
    one = {"question_number": cycle, "tossup_question": {"question_number": tossup or cycle}}
    if replacement:
        one["replacement_tossup_question"] = {"question_number": replacement}
    return one | {"buzzes": list(buzzes)}


def match(*questions, teams=("Alpha", "Beta"), **fields):
    sides = [{"team": {"name": name}, "match_players": []} for name in teams]
    read = len(questions)
    return {
        "tossups_read": read,
        "match_teams": sides,
        "match_questions": list(questions),
        "packets": "Packet 1",
    } | fields


def tidied(members, **options):
    """Tidy tables and findings of files: names and their bytes."""
    log = qbj.read_qbj_files(members, "Cup")
    options = {"aliases": {}, "merged": {}} | options
    return match_log.tidy_tables(log, **options), log.findings


def read(*matches, packet=PACKET, **files):
    members = {"Packet 01.json": json.dumps(packet).encode()} if packet else {}
    members |= {f"m{i}.qbj": json.dumps(one).encode() for i, one in enumerate(matches)}
    result, findings = tidied(members | files)
    return result, {f.finding: f for f in findings}


HEAD = "tournament,round,game,tossup,team,player,buzz_position,value\n"


def csv(tmp_path, body, heard=None, base=0, head=HEAD):
    (tmp_path / "Packet 1.json").write_text(json.dumps(PACKET))
    (tmp_path / "b.csv").write_text(head + body)
    if heard:
        (tmp_path / "h.csv").write_text("tournament,round,game,tossup,team\n" + heard)
    found = buzz_csv.read_buzz_csv(tmp_path / "b.csv", tmp_path / "h.csv" if heard else None, base=base)
    return match_log.tidy_tables(found, {}, {}), {f.finding for f in found.findings}
