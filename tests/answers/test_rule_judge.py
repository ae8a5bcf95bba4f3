"""The rules: verdicts of a written table, written pairs, real lines, fuzz."""

import csv
import gc
import json
import re
import sys
from collections import Counter

import pytest
from answer_lines import FLOWERS, NIXON, grace_lines, real
from answer_suite import read
from calscore.answers import rules
from calscore.answers.hybrid_judge import judge_by_rules
from calscore.answers.parse import _Parser as line_reader
from calscore.answers.parse import condition_met, line_of, parse
from hypothesis import given, settings
from hypothesis import strategies as st
from support import DATA

VERDICTS = ("accept", "prompt", "reject")


# ------------------------------------------------------------------ verdicts

EDDA = "The Prose Edda [prompt on The Edda; or Snorri’s Edda; antiprompt on Gylfaginning before"
EDDA += " mention; reject “The Poetic Edda”]"
TABLE = read(DATA / "verdicts_of_rules.txt")


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case.line}, {case.guess}")
def test_verdict(case):
    found = judge_by_rules(case.line, case.guess)
    assert found.verdict == case.verdict, f"{found}\n{parse(case.line)}"
    assert (found.score > 0.5, found.score == 0.5) == (
        case.verdict == "accept",
        case.verdict == "prompt",
    )


def test_table_is_large_enough_and_has_every_verdict():
    assert len({case[:2] for case in TABLE}) == len(TABLE) >= 80
    assert min(Counter(case.verdict for case in TABLE).values()) >= 10


CONCERTO = "Pyotr Ilyich <b><u>Tchaikovsky</u></b>’s <b><u>Piano Concerto</u></b> No. <b><u>1</u></b>"  # fmt: skip


@pytest.mark.parametrize(
    ("line", "guess", "rule", "verdict"),
    [
        (NIXON, "Richard Nixon", "exact", "accept"),
        (NIXON, "Richard Milhous Nixon", "alias", "accept"),
        (NIXON, "Nixon", "surname", "accept"),
        (NIXON, "Ricahrd Nixon", "typo", "accept"),
        (NIXON, "Kennedy", "no match", "reject"),
        (NIXON, "Richard", "given name", "reject"),
        ("Henry VIII", "Henry 8", "number", "accept"),
        ("World War II", "World War I", "other number", "reject"),
        ("linear [accept word forms; prompt on hyperplanar or planar or word forms]", "linearity", "word form", "accept"),
        (CONCERTO, "Tchaikovsky's Piano Concerto", "part", "reject"),
        (CONCERTO, "Ilyich Tchaikovsky Piano Concerto 1", "required", "accept"),
        ("New York", "New", "part", "reject"),
        ("The Catcher in the Rye", "in the", "stop words", "reject"),
        ("iron", "iron oxide", "more", "reject"),
        ("sodium", "Na", "other name", "accept"),
        ("Milan, Italy", "Milan", "place", "accept"),
        ("Indus River", "Indus", "class word", "accept"),
        ("cosmic microwave background", "CMB", "acronym", "accept"),
        (EDDA, "Edda", "prompt", "prompt"),
        (EDDA, "Gylfaginning", "anti-prompt", "prompt"),
        (EDDA, "The Poetic Edda", "reject", "reject"),
        ("golden apples [prompt on partial answers; accept apples of Idunn]", "apples", "partial", "prompt"),
        ("Richard Strauss [reject “Johann Strauss”]", "Strauss", "ambiguous", "prompt"),
        ("dogs [or Canis familiaris or foxes; do not accept “wolf,” “fox,” or “jackal”]", "fox", "reject", "reject"),
        *(("Hamlet", guess, "empty", "reject") for guess in (" ", "None", "I don’t know.", None, float("nan"))),
    ],
)  # fmt: skip
def test_rule(line, guess, rule, verdict):
    found = judge_by_rules(line, guess)
    assert (found.rule, found.verdict) == (rule, verdict)


def test_scores_order_the_verdicts():
    assert judge_by_rules(NIXON, "Richard Nixon").score == 1
    assert judge_by_rules(EDDA, "The Poetic Edda").score == 0
    assert 0.5 < judge_by_rules(NIXON, "Ricahrd Nixon").score < 1
    part, nothing = (judge_by_rules("Water Music", guess).score for guess in ("Music", "Hamlet"))
    assert part > nothing == 0


# ------------------------------------------------------------------ certainty


def test_every_rule_is_documented_and_the_certain_ones_are_marked():
    seen = {judge_by_rules(line, guess, condition_met(line, text)).rule for line, guess, text, *_ in PAIRS}
    assert seen <= set(rules.RULES)
    assert set(rules.RULES) - seen <= {"anti-prompt", "nearly whole", "other kind"}
    assert set(rules.RULES) > rules.CERTAIN
    assert {"exact", "alias", "surname", "prompt", "reject", "stop words"} <= rules.CERTAIN
    assert rules.CERTAIN.isdisjoint({"no match", "part", "more", "typo", "ambiguous"})


# ------------------------------------------------------------------ written pairs

PAIR_COLUMNS = ["answerline", "guess", "text_read", "verdict", "clause", "reason"]
with (DATA / "answer_pairs.csv").open(encoding="utf-8", newline="") as f:
    PAIRS = [tuple(row[c] for c in PAIR_COLUMNS) for row in csv.DictReader(f)]
CLAUSES = """anti-prompt|AND answers|after|articles|before mention|British and American|descriptions
acronyms|decades and years|diacritics|directed prompt|do not accept|either underlined part|html
in place of|missing bracket|note to moderator|number words|optional part|ordinals|partial answers
plural|prompt on|pronunciation|Roman numerals|stop words and subsets|surnames|transliteration|typos
until read|word forms|until, then prompt|curly quotes|order|titles of works|or, accept"""


def test_written_pairs_cover_every_clause():
    assert len({row[:3] for row in PAIRS}) == len(PAIRS) >= 300
    counts = Counter(row[4] for row in PAIRS)
    assert min(counts[clause] for clause in re.split(r"[|\n]", CLAUSES)) >= 3
    assert {row[3] for row in PAIRS} == set(VERDICTS)
    assert all(row[5] for row in PAIRS)


def test_written_pairs_agree(record_property):
    """At least 97 % agree, with at most 2 % false accepts; failures are listed."""
    failed = []
    for line, guess, text, verdict, clause, reason in PAIRS:
        found = judge_by_rules(line, guess, condition_met(line, text))
        if found.verdict != verdict:
            failed.append((verdict, found.verdict, found.rule, guess, line, clause, reason))
    listed = "\n".join(" | ".join(row) for row in failed)
    print(f"{len(failed)} of {len(PAIRS)} pairs fail (expected, found, rule, guess, ...)\n{listed}")
    record_property("failed_pairs", listed)
    assert len(failed) <= 0.03 * len(PAIRS), listed
    assert sum(row[1] == "accept" for row in failed) <= 0.02 * len(PAIRS), listed


# Guesses that hold the whole answer and say more of it, or another thing. Names are of common knowledge.
MORE = [
    ("<u>Taiping</u> Rebellion", "Taiping Rebellion led by Hong Xiuquan", "accept"),
    ("<u>Mexican Revolution</u>", "the Mexican Revolution against Porfirio Díaz", "accept"),
    ("<u>Songhai</u> Empire", "the Songhai Empire under Askia the Great", "accept"),
    ("<u>assassination</u> of Julius <u>Caesar</u>", "the assassination of Julius Caesar in 44 BC", "accept"),
    ("<u>assassination</u> of Julius <u>Caesar</u>", "the assassination of Augustus Caesar", "reject"),
    ("Søren <u>Kierkegaard</u>", "the father of existentialism, Søren Kierkegaard", "accept"),
    ("<u>Narnia</u>", "The Lion, the Witch and the Wardrobe", "reject"),
    ("<u>basalt</u>", "the mafic volcanic rock called basalt", "accept"),
    ("<u>Jain</u>ism", "the Indian religion of Jainism", "accept"),
    ("<i><u>Beowulf</u></i>", "the Old English epic Beowulf", "accept"),
    ("<i><u>Middlemarch</u>: A Study of Provincial Life</i>", "George Eliot's novel Middlemarch", "accept"),
    ("<u>Titan</u>", "I'm pretty sure it's Titan", "accept"),
    ("<u>Titan</u>", "We want to say Titan", "accept"),
    ("<u>Titan</u>", "Titan I think", "accept"),
    ("Call Me", "Call Me Maybe", "reject"),
    ("<u>Parthenon</u>", "the Parthenon on the Acropolis of Athens", "accept"),
    ("<u>Ramadan</u>", "Ramadan in Islam", "accept"),
    ("Islam", "Islam in Vietnam", "reject"),
    ("Odysseus", "Odysseus of Ithaca", "accept"),
    ("<u>Hannibal</u> Barca", "Hannibal of Carthage", "accept"),
    ("The <u>Lottery</u>", "The Lottery in Babylon", "reject"),
    ("Breaking Bad", "Breaking Bad with Bryan Cranston", "accept"),
    ("Louis Pasteur", "Louis Pasteur the French chemist", "accept"),
    ("Marbury v. Madison", "the Supreme Court case Marbury v. Madison", "accept"),
    ("Hermione Granger", "the Harry Potter character Hermione Granger", "accept"),
    ("A <u>Doll's House</u>", "A Doll's House, Part 2", "reject"),
    ("Stanford prison experiment", "the Stanford prison experiment or the Milgram experiment", "reject"),
    ("gravity [or gravitation]", "gravity, or gravitation", "accept"),
    ("<u>Alexander III</u> of Macedon", "Tsar Alexander III of Russia", "reject"),
    ("Saint <u>Augustine</u> of Hippo", "Augustine of Canterbury", "reject"),
    ("<u>Memphis</u>", "Memphis, Tennessee", "accept"),
    ("<u>Memphis</u>", "Memphis, Egypt", "reject"),
    ("<u>Carthaginian</u>s", "the Carthaginian Empire", "accept"),
    ("<u>September 11</u> attacks", "September 11th, 2001", "accept"),
    ("<u>July 4</u>, 1776", "July 4, 1777", "reject"),
    ("<u>1968</u> [prompt on the 1960s]", "May 1968", "accept"),
    ("June <u>1914</u>", "July 1914", "reject"),
    ("<u>44 BC</u> [prompt on <u>44</u>]", "AD 44", "reject"),
    ("<u>44 BC</u> [prompt on <u>44</u>]", "44", "prompt"),
    ("Pedro Calderón de la Barca", "Calderon", "accept"),
    ("Miguel Hidalgo y Costilla", "Miguel Hidalgo", "accept"),
    ("Ana María de la Vega", "María", "reject"),
    ("Louis XIV of France [prompt on Louis]", "Louis XIV", "accept"),
    ("Louis XIV of France [prompt on Louis]", "Louis the Fourteenth", "accept"),
    ("Louis XIV of France [prompt on Louis]", "King Louis XIV", "accept"),
    ("Louis XIV of France [prompt on Louis]", "Louis XV", "reject"),
    ("<u>Gandhi</u> [do not accept or prompt on Indira Gandhi]", "Ghandi", "accept"),
    ("<u>Gandhi</u> [do not accept or prompt on Indira Gandhi]", "Indira Ghandi", "reject"),
]


@pytest.mark.parametrize(("line", "guess", "verdict"), MORE)
def test_a_guess_that_says_more(line, guess, verdict):
    assert judge_by_rules(parse(line), guess).verdict == verdict


# ------------------------------------------------------------------ conditions


@pytest.mark.parametrize(
    ("guess", "text", "verdict"),
    [
        ("petals", "", "accept"),
        ("petals", "It has a petal", "reject"),
        ("blooms", "In April", "accept"),
        ("blooms", "In spring’s rain", "prompt"),
        ("plants", "A science", "prompt"),
        ("plants", "In botany", "reject"),
        ("roses", "A stem", "reject"),
        ("roses", "A thorn", "accept"),
        ("flowers", "In spring, botany has a petal and a thorn", "accept"),
        ("weeds", "In spring, botany has a petal and a thorn", "reject"),
    ],
)
def test_condition_decides(guess, text, verdict):
    assert judge_by_rules(FLOWERS, guess, condition_met(FLOWERS, text)).verdict == verdict


# ------------------------------------------------------------------ fuzz

WORDS = """[ ] ( ) “ ” " ' ‘ ’ ; , . <b> <u> </u> </b> & é 中 { } or and accept prompt on
reject do not until before “x” is read mention word forms partial answers by asking in place of such
as either IV 12 1940s the Hamlet"""
PIECES = st.sampled_from(sorted(set(WORDS.split())))
LINES = st.lists(PIECES | st.text(max_size=6), max_size=25).map(" ".join) | st.text(max_size=80)


@settings(max_examples=400, deadline=None)
@given(line=LINES, guess=LINES, text=LINES)
def test_no_string_raises(line, guess, text):
    parsed = parse(line)
    assert isinstance(str(parsed), str)
    for condition in {"", condition_met(line, text)}:
        verdict, score, _ = judge_by_rules(parsed, guess, condition)
        assert verdict in ("accept", "prompt", "reject")
        assert 0 <= score <= 1
        assert judge_by_rules(parsed, guess, condition) == judge_by_rules(line, guess, condition)


@settings(max_examples=200, deadline=None)
@given(st.from_regex(r"[A-Z][a-z]{3,9}( [A-Za-z][a-z]{2,9}){0,3}", fullmatch=True))
def test_every_answer_accepts_itself(answer):
    if answer.casefold().strip() in ("none", "null", "pass", "unknown") or " or " in answer.lower():
        return
    for guess in (answer, answer.upper(), f" {answer}. ", f"the {answer}"):
        assert judge_by_rules(answer, guess).verdict == "accept"
    assert judge_by_rules(f"{answer} [reject “{answer}”]", answer).verdict == "reject"


def test_odd_and_long_lines_are_judged():
    long = ("or " * 1500, "any " * 800 + "answer", '"' * 801, "(" * 900, "or a, " * 900, "x;" * 900)
    for body in long:
        for line in (f"y [{body}]", f"y [or {body}", body):
            assert {judge_by_rules(line, guess).verdict for guess in ("y", body)} <= {*VERDICTS}


# ------------------------------------------------------------------ real data


def test_grace_lines_parse_and_accept_their_main_answer():
    lines = grace_lines()
    assert len(lines) == 240
    for line in lines:
        parsed = parse(line)
        assert parsed.main, line
        assert judge_by_rules(parsed, parsed.main).verdict == "accept", line
        for alternative in parsed.alternatives:
            assert not any(c in alternative.text for c in "[]“”<>;"), line
            expected = "prompt" if alternative.anti else alternative.verdict
            found = judge_by_rules(parsed, alternative.text)
            assert found.verdict in (expected, "reject"), (line, alternative)
    assert sum(len(parse(line).notes) > 0 for line in lines) <= 15


def test_grace_guesses_by_hand():
    lines = {parse(line).main: line for line in grace_lines()}
    logs = lines["logs"]
    assert judge_by_rules(logs, "bûches de Noël").verdict == "accept"
    condition = condition_met(logs, "The bûche de Noël")
    assert judge_by_rules(logs, "bûche de Noël", condition).verdict == "prompt"
    portraits = next(line for main, line in lines.items() if main.startswith("self-portraits"))
    casinos = lines["American Indian reservations"]
    assert judge_by_rules(casinos, "tribal casinos").verdict == "accept"
    assert judge_by_rules(casinos, "casinos") == ("prompt", 0.5, "prompt")
    assert judge_by_rules(portraits, "self-portraits").verdict == "prompt"
    assert judge_by_rules(lines["C"], "C++").verdict == "reject"
    museum = lines["Solomon R. Guggenheim Museum"]
    assert judge_by_rules(museum, "Guggenheim Bilbao").verdict == "reject"


def test_published_cases_agree():
    cases = json.loads(real("answers", "qbreader_2023_cases.json").read_text(encoding="utf-8"))
    wrong = [
        (case["expected"], judge_by_rules(case["answerline"], case["given"]), case["given"])
        for case in cases
        if judge_by_rules(case["answerline"], case["given"]).verdict != case["expected"]
    ]
    assert len(cases) == 215
    assert len(cases) - len(wrong) >= 213, wrong
    for case in cases:
        prompts = {a.directed_prompt for a in parse(case["answerline"]).alternatives}
        assert not case["directed_prompt"] or case["directed_prompt"] in prompts


def test_human_labels_are_seldom_contradicted():
    """Accepting what people call wrong is the costly error: precision on question answering."""
    accepted = wrong = right = 0
    for row in real("answers", "evouna_dev.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(row)
        line = line_of(case["refs"])
        if judge_by_rules(line, case["candidate"]).verdict == "accept":
            accepted += 1
            wrong += not case["human_label"]
        right += case["human_label"]
    assert wrong / accepted < 0.01
    assert accepted / right > 0.65


@pytest.mark.parametrize("lines_read", [2_000, pytest.param(10_000, marks=pytest.mark.full)])
def test_ten_thousand_mutated_lines(lines_read):
    import numpy as np

    lines = grace_lines()
    rng = np.random.default_rng(11)
    signs = [*"[]()“”\"'‘’;,.<>&{}", " or ", " prompt on ", " until read", "<u>", "</b>"]
    for _ in range(lines_read):
        text = str(rng.choice(lines))
        for _ in range(int(rng.integers(1, 8))):
            at = int(rng.integers(0, len(text) + 1))
            kind = int(rng.integers(0, 5))
            if kind == 4:
                text = text[:at] + text[at : at + 20] * int(rng.integers(2, 12)) + text[at:]
            elif kind == 0:
                text = text[:at] + text[at + int(rng.integers(1, 5)) :]
            elif kind == 1:
                text = text[:at] + signs[int(rng.integers(len(signs)))] + text[at:]
            elif kind == 2:
                text = text[at:] + text[:at]
            else:
                text = text[:at] + str(rng.choice(lines))[: int(rng.integers(0, 40))] + text[at:]

        def read(text=text) -> None:
            parsed = parse(text)
            assert judge_by_rules(parsed, parsed.main or text, condition_met(parsed, text)).verdict
            assert isinstance(parsed.describe(), str)

        assert steps(read) <= MOST_STEPS, text


# Of a line of some hundred characters, first words of the tables included: the most was 40,000.
MOST_STEPS = 200_000


def steps(work) -> int:
    """How many functions ``work`` calls, of Python and of C: its cost whatever the machine does."""
    count = 0

    def called(frame, event, argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()  # the collector calls what others have asked it to
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
    return count


def judged(text: str) -> str:
    return judge_by_rules(line_reader(text).parse(), "pear").verdict


@pytest.mark.parametrize(
    "line",
    [
        lambda count: "apple" + " or" * count,
        lambda count: "tea [" + "or " * count + "]",
        lambda count: " or ".join(["apple"] * count),
        lambda count: "tea [accept " + " or ".join(["cha"] * count) + "]",
    ],
    ids=["bare", "bare in a clause", "words", "words in a clause"],
)
def test_three_thousand_or(line):
    assert judged(line(3000)) == "reject"  # and every word has been seen
    assert steps(lambda: judged(line(3000))) <= 2.5 * steps(lambda: judged(line(1500)))


@pytest.mark.parametrize("guess", ["pear", "{0} and pear"])
@pytest.mark.parametrize("name", ["{0}", "{1} {0}"], ids=["words", "names"])
def test_answers_cost_no_more_than_their_number(name, guess):
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = [a + b + c for a in syllables for b in syllables[::4] for c in syllables[::5]]
    texts = [name.format(w.title(), v.title()) for w, v in zip(words, words[7:], strict=False)]

    def cost(count: int) -> int:
        line = line_reader("tea [or " + " or ".join(texts[:count]) + "]").parse()
        return steps(lambda: judge_by_rules(line, guess.format(texts[0])))

    cost(480)  # every word has been seen
    assert cost(480) <= 2.5 * cost(240) <= 2.5**2 * cost(120)
