"""The rules: verdicts of a written table, written pairs, real lines, fuzz."""

from __future__ import annotations

import csv
import gc
import json
import re
import sys
from collections import Counter

import pytest
from answer_lines import FLOWERS, NIXON, grace_lines, real
from calscore.answers import rules
from calscore.answers.conditions import condition_met
from calscore.answers.parse import _Parser as line_reader
from calscore.answers.parse import line_of, parse
from calscore.answers.rule_judge import judge_by_rules
from hypothesis import given, settings
from hypothesis import strategies as st
from support import ROOT

VERDICTS = ("accept", "prompt", "reject")


# ------------------------------------------------------------------ verdicts

DECADE = "1940s [prompt on 40's]"
EDDA = "The Prose Edda [prompt on The Edda; or Snorri’s Edda; antiprompt on Gylfaginning before"
EDDA += " mention; reject “The Poetic Edda”]"
MAN = "Invisible Man [do not accept or prompt on “The Invisible Man”]"
CHINA = 'People\'s Republic of China [accept PRC; do not accept "Republic of China"]'
LANG_C = 'C [reject "Objective C;" reject "C Sharp;" reject "C Plus Plus;" accept K and R C]'
GALA = "Met Gala [prompt on a ball, a fundraiser, or gala; do not accept “fashion show”]"
BOWEL = "large intestine [accept rectum or colon, prompt on intestine or bowel]"
ALPHA = "alpha particles [or helium nuclei before ‘helium’ is read; prompt on helium but"
ALPHA += " reject “helium atom”]"
LOGS = "logs [accept descriptions of wood, such as trunks or stumps; prompt on trees"
LOGS += " but REJECT “fir trees”]"
LINEAR = "linear [accept word forms; prompt on hyperplanar or planar or word forms]"
BORN = "Yongle Emperor [accept Zhu Di, Prince of Yan, or Chengzu of Ming; prompt on Ming]"
UNDER = "Pyotr Ilyich <b><u>Tchaikovsky</u></b>’s <b><u>Piano Concerto</u></b> No. <b><u>1</u></b>"
BREAD = "sacramental <b><u>bread</u></b> [accept the host; prompt on the <u>Eucharist</u>]"
DOGS = "dogs [or Canis familiaris or foxes; do not accept “wolf,” “fox,” or “jackal”]"
EITHER = (
    "William <b><u>Thomson</u></b>, 1st Baron <b><u>Kelvin</u></b> [accept either underlined part]"
)
LANDS = "domestic lands [or American Indian lands; accept tribal or Native in place of"
LANDS += " “American Indian”]"
PARTIAL = "golden apples [prompt on partial answers; accept apples of Idunn]"
AUSTIN = "J. L. Austin [accept John Langshaw Austin] (The quotes are from “A Plea for Excuses.”)"
STRAUSS = "Richard Strauss [reject “Johann Strauss”]"
BRIDGE = 'bridge [or qiáo; accept "Second Bridge of the Yangtze")'
FLAG = "raising a flag [prompt on banner; accept synonyms for “raising” like “putting up” or “erecting”]"
VENUS = "Venus [accept Venus, Cupid, Youth, and Time; reject “Aphrodite”]"
FACTORY = (
    'The Factory [prompt on "Warhol\'s studio" by asking “What did he call it?”; or Factory Hall]'
)

TABLE = [
    # answer line, guess, verdict, why
    (NIXON, "Richard Nixon", "accept", "the main answer itself"),
    (NIXON, "richard nixon.", "accept", "case and punctuation do not count"),
    (NIXON, "Nixon", "accept", "a surname is enough for a person"),
    (NIXON, "President Nixon", "accept", "a title before the surname"),
    (NIXON, "Richard M. Nixon", "accept", "an initial for the middle name"),
    (NIXON, "Richard", "reject", "a given name alone is not"),
    (NIXON, "Pat Nixon", "reject", "another given name"),
    (NIXON, "Presidency of Richard Nixon", "reject", "his presidency is not the man"),
    (NIXON, "Nixon, Richard", "accept", "order is free"),
    (NIXON, "Ricahrd Nixon", "accept", "transposed letters"),
    ("Ludwig Boltzmann", "Boltzman", "accept", "a lost letter in a surname"),
    ("Ludwig Boltzmann", "Boltzmann constant", "reject", "a constant is not the man"),
    ("Claude Monet", "Manet", "reject", "a short name leaves no room for a typo"),
    ("Jane Jacobs", "Jacob", "reject", "the s of a surname is no plural"),
    ("Tennessee Williams", "William", "reject", "nor is it a typo"),
    ("Miguel Hidalgo", "Hidalgo (state)", "reject", "a namesake"),
    ("Elizabeth Barrett Browning", "Elizabeth Browning", "accept", "first and last name"),
    ("Elizabeth Barrett Browning", "Robert Browning", "reject", "her husband"),
    ("Miguel de Cervantes", "de Cervantes", "accept", "surname with its particle"),
    ("W. E. B. Du Bois (“dyoo-BWAH”)", "WEB DuBois", "accept", "initials run together"),
    ("W. E. B. Du Bois (“dyoo-BWAH”)", "dyoo-BWAH", "reject", "a pronunciation is no answer"),
    ("Martin Luther King Jr.", "Martin Luther King", "accept", "without Jr."),
    ("Martin Luther King Jr.", "Martin Luther", "reject", "drops what tells them apart"),
    ("Lord Byron [accept George Gordon Byron]", "Byron", "accept", "the title may go"),
    ("Coltrane", "John Coltrane", "accept", "more than a bare surname asks for"),
    ("Ohio", "Terry v. Ohio", "reject", "a case is not the state"),
    (AUSTIN, "John Austin", "accept", "given name for an initial"),
    (AUSTIN, "A Plea for Excuses", "reject", "a comment to the moderator is no answer"),
    (STRAUSS, "Strauss", "prompt", "a surname that the line also rejects"),
    (STRAUSS, "Johann Strauss", "reject", "named as wrong"),
    ("Salvador Dalí", "dali", "accept", "diacritics do not count"),
    ("War and Peace", "War & Peace", "accept", "ampersand"),
    ("War and Peace", "War", "reject", "half a title"),
    ("The Trial [or Der Prozess]", "Trial", "accept", "articles do not count"),
    ("A Garden of One’s Own", "A Garden of Ones Own", "accept", "apostrophe"),
    ("“The Garden of Forking Paths”", "Garden of Forking Paths", "accept", "quotation marks"),
    ("the yellow wallpaper", "wallpaper", "reject", "drops the distinguishing word"),
    ("Water Music [or Wassermusik]", "Music", "reject", "drops the distinguishing word"),
    ("I Pagliacci", "Pagliacci", "accept", "a foreign article"),
    ("Bowling Alone: The Collapse of Community", "Bowling Alone", "accept", "without a subtitle"),
    ("Indus River", "Indus", "accept", "River is a class word"),
    ("Mexico", "Mexico City", "reject", "City is not"),
    ("New York City", "New York", "reject", "City is not"),
    ("House of Medici (“MED-ih-chee”)", "Medici", "accept", "House of is a class word"),
    ("Baba Yaga's house", "Baba Yaga", "reject", "a house is not its owner"),
    ("Republic of Ireland", "Ireland", "accept", "form of state"),
    ("Democratic Republic of the Congo", "Congo", "reject", "Democratic tells two states apart"),
    ("cactus", "cacti", "accept", "irregular plural"),
    ("spacewalks", "space walk", "accept", "a word written as two"),
    ("hydrogen bonding", "hydrogen bond", "accept", "inflection of a common noun"),
    ("convection", "conduction", "reject", "two consonants off are another word"),
    ("alkenes", "alkanes", "reject", "another ending is another substance"),
    ("adsorption", "absorption", "reject", "another beginning is another process"),
    ("Australia", "Austria", "reject", "a country, not a typo"),
    ("resonance", "resonnance", "accept", "doubled letter"),
    ("mass", "moss", "reject", "no typos in short words"),
    ("North Korea", "South Korea", "reject", "differs in one word"),
    ("Henry VIII", "Henry the Eighth", "accept", "ordinal and Roman numeral"),
    ("Henry VIII", "Henry VII", "reject", "another number"),
    ("Henry VIII", "Henry", "reject", "without its number"),
    ("Nineteen Eighty-Four", "1984", "accept", "number words"),
    ("twenty-one", "21", "accept", "number words"),
    ("World War II", "WW2", "accept", "initials with a number"),
    ("World War II", "World War I", "reject", "another number"),
    ("World War II", "Second World War", "accept", "ordinal for a numeral"),
    ("Beethoven Symphony No. 3", "Beethoven's Third Symphony", "accept", "No. 3 is Third"),
    ("Beethoven Symphony No. 3", "Beethoven's Fifth Symphony", "reject", "another number"),
    ("Beethoven Symphony No. 3", "Ludwig van Beethoven's Symphony No. 3", "accept", "given name"),
    ("3.14", "314", "reject", "a decimal point counts"),
    ("minus one", "-1", "accept", "minus sign"),
    ("1", "-1", "reject", "minus sign"),
    (DECADE, "1940s", "accept", "decade"),
    (DECADE, "the nineteen-forties", "accept", "decade in words"),
    (DECADE, "40s", "prompt", "the line prompts on the short decade"),
    (DECADE, "'40s", "prompt", "apostrophe before"),
    (DECADE, "1950s", "reject", "another decade"),
    ("1940s", "40s", "accept", "the short decade is of the last century"),
    ("1940", "1940s", "reject", "a decade is no year"),
    ("1940s", "1940", "accept", "the year that begins it stands for a decade"),
    (EDDA, "Prose Edda", "accept", "article"),
    (EDDA, "Edda", "prompt", "prompt on"),
    (EDDA, "Poetic Edda", "reject", "reject, matched without its article as well"),
    (EDDA, "Poetic Eddaa", "reject", "reject with a typo"),
    (EDDA, "Gylfaginning", "prompt", "anti-prompt"),
    (EDDA, "Snorri's Eda", "reject", "no typos in short words"),
    (MAN, "Invisible Man", "accept", "the article tells two books apart"),
    (MAN, "The Invisible Man", "reject", "do not accept or prompt on"),
    (CHINA, "China", "accept", "what is rejected does not reach its parts"),
    (CHINA, "Republic of China", "reject", "do not accept"),
    (LANG_C, "C", "accept", "one letter"),
    (LANG_C, "C++", "reject", "a sign that counts; semicolon inside quotation marks"),
    (LANG_C, "C#", "reject", "a sign that counts"),
    (GALA, "a ball", "prompt", "comma list"),
    (GALA, "fundraiser", "prompt", "end of the comma list"),
    (GALA, "fashion shows", "reject", "reject in the plural"),
    (BOWEL, "rectum", "accept", "first of two directives in a clause"),
    (BOWEL, "intestine", "prompt", "second directive after a comma"),
    (ALPHA, "helium", "prompt", "prompt but reject in one clause"),
    (ALPHA, "helium atoms", "reject", "prompt but reject in one clause"),
    (ALPHA, "helium nucleus", "accept", "single curly quotation marks; irregular plural"),
    (LOGS, "stumps", "accept", "descriptions such as"),
    (LOGS, "tree", "prompt", "prompt on trees"),
    (LOGS, "fir tree", "reject", "upper-case directive"),
    (LINEAR, "linearity", "accept", "word forms of the accepted"),
    (LINEAR, "planarity", "prompt", "word forms of the prompted"),
    (BORN, "Prince of Yan", "accept", "comma list with Oxford comma"),
    (BORN, "Ming", "prompt", "prompt after a list"),
    (UNDER, "Tchaikovsky Piano Concerto 1", "accept", "the underlined parts are enough"),
    (UNDER, "Tchaikovsky", "reject", "one underlined part is not"),
    (UNDER, "Tchaikovsky Violin Concerto 1", "reject", "a required word is missing"),
    (EITHER, "Kelvin", "accept", "either underlined part"),
    (EITHER, "William", "reject", "not an underlined part"),
    (
        "<b><u>W</u></b>orld <b><u>T</u></b>rade <b><u>O</u></b>rganization",
        "WTO",
        "accept",
        "marked",
    ),
    (BREAD, "Eucharist bread", "accept", "the underlined part with a word from the line"),
    (BREAD, "toast bread", "reject", "the underlined part with a word of its own"),
    (BREAD, "Eucharist", "prompt", "underlined part of a prompt"),
    (DOGS, "fox", "reject", "comma inside quotation marks"),
    ("cosmic microwave background", "CMB", "accept", "initials"),
    (LANDS, "tribal lands", "accept", "in place of"),
    (LANDS, "Native lands", "accept", "in place of, second"),
    (FLAG, "putting up a flag", "accept", "synonyms for … like …"),
    (PARTIAL, "apples", "prompt", "prompt on partial answers"),
    (PARTIAL, "oranges", "reject", "no part of the answer"),
    (
        "working memory [prompt on short-term memory]",
        "memory",
        "reject",
        "a part without such a line",
    ),
    (BRIDGE, "Second Bridge of the Yangtze", "accept", "closing bracket is missing"),
    ("The (Holy) Grail", "grail", "accept", "optional word left out"),
    ("The (Holy) Grail", "holy grail", "accept", "optional word put in"),
    ("[French] Socialist Party", "Socialist Party", "accept", "optional word in brackets"),
    ("coagulation or blood clotting", "blood clotting", "accept", "or before the bracket"),
    (
        "going from left to right",
        "going from right to left",
        "reject",
        "to and from keep the order",
    ),
    (VENUS, "Venus, Cupid, Youth, and Time", "accept", "commas inside a title"),
    (VENUS, "Cupid", "reject", "a title is not cut at its commas"),
    (FACTORY, "Warhol's studio", "prompt", "directed prompt"),
    (FACTORY, "What did he call it?", "reject", "the moderator's question is no answer"),
    (FACTORY, "Factory Hall", "accept", "a clause after the directed prompt"),
    ("fire (accept flames; prompt on heat)", "flame", "accept", "directives in parentheses"),
    ("Moby-Dick {or The Whale]", "the whale", "accept", "wrong opening bracket"),
    ("oil [accept “shale;” accept tar]", "tar", "accept", "semicolon inside quotation marks"),
    (
        "Islam [accept Shia Islam accept Sunni Islam]",
        "Shia Islam",
        "accept",
        "semicolon is missing",
    ),
    ("dogs [or the like; or obvious equivalents]", "the like", "reject", "a phrase, not an answer"),
    ("Hamlet", "the", "reject", "stop word"),
    ("Hamlet", "", "reject", "nothing was guessed"),
    ("Hamlet", "None", "reject", "nothing was guessed"),
    ("Hamlet", "I don't know", "reject", "nothing was guessed"),
    ("sodium [accept Na]", "Na", "accept", "an answer that looks like no answer"),
    ("TaÃ­nos", "Taino", "accept", "encoding damage"),
    ("pi [or π]", "Π", "accept", "Greek letter"),
    ("Billy Budd", "Melville's Billy Budd", "accept", "whose it is"),
    ("fairy tales", "Grimms' Fairy Tales", "reject", "a work of that kind"),
    ("<u>law</u>", "Boyle's law", "reject", "another thing of that kind"),
    ("Rhineland", "Rineland", "accept", "silent h"),
    ("rhombus", "thrombus", "reject", "another word"),
    ("Siddhartha <u>Mukherjee</u>", "Sidartha Mukherjee", "accept", "given name misspelled"),
    ("Siddhartha <u>Mukherjee</u>", "Bharati Mukherjee", "reject", "another given name"),
    ("Quetzalcoatl", "**Answer:** Quetzalcoatl", "accept", "marks around a label"),
    ("St. Nicholas", "Saint Nicholas", "accept", "abbreviation"),
    (
        "US Presidential election of 1824",
        "1824 United States presidential election",
        "accept",
        "US",
    ),
]


@pytest.mark.parametrize(("line", "guess", "verdict", "why"), TABLE)
def test_verdict(line, guess, verdict, why):
    found = judge_by_rules(line, guess)
    assert found.verdict == verdict, f"{why}: {found}\n{parse(line)}"


def test_table_is_large_enough_and_has_every_verdict():
    assert len({(line, guess) for line, guess, *_ in TABLE}) == len(TABLE) >= 80
    assert min(Counter(row[2] for row in TABLE).values()) >= 10


@pytest.mark.parametrize(
    ("line", "guess", "rule"),
    [
        (NIXON, "Richard Nixon", "exact"),
        (NIXON, "Richard Milhous Nixon", "alias"),
        (NIXON, "Nixon", "surname"),
        (NIXON, "Ricahrd Nixon", "typo"),
        (NIXON, "Kennedy", "no match"),
        ("Henry VIII", "Henry 8", "number"),
        (LINEAR, "linearity", "word form"),
        (UNDER, "Tchaikovsky's Piano Concerto", "part"),
        (UNDER, "Ilyich Tchaikovsky Piano Concerto 1", "required"),
        ("Indus River", "Indus", "class word"),
        ("cosmic microwave background", "CMB", "acronym"),
        (EDDA, "Edda", "prompt"),
        (EDDA, "Gylfaginning", "anti-prompt"),
        (EDDA, "The Poetic Edda", "reject"),
        (PARTIAL, "apples", "partial"),
        (STRAUSS, "Strauss", "ambiguous"),
        (DOGS, "fox", "reject"),
        ("Hamlet", " ", "empty"),
        ("Hamlet", "None", "empty"),
        ("Hamlet", "I don’t know.", "empty"),
        ("Hamlet", None, "empty"),
        ("Hamlet", float("nan"), "empty"),
    ],
)
def test_rule(line, guess, rule):
    assert judge_by_rules(line, guess).rule == rule


def test_scores_order_the_verdicts():
    for line, guess, *_ in TABLE:
        verdict, score, _ = judge_by_rules(line, guess)
        assert 0 <= score <= 1
        assert (score > 0.5, score == 0.5) == (verdict == "accept", verdict == "prompt")
    assert judge_by_rules(NIXON, "Richard Nixon").score == 1
    assert judge_by_rules(EDDA, "The Poetic Edda").score == 0
    assert 0.5 < judge_by_rules(NIXON, "Ricahrd Nixon").score < 1
    assert (
        judge_by_rules("Water Music", "Music").score
        > judge_by_rules("Water Music", "Hamlet").score
        == 0
    )


# ------------------------------------------------------------------ certainty


def test_every_rule_is_documented_and_the_certain_ones_are_marked():
    seen = {
        judge_by_rules(line, guess, condition_met(line, text)).rule
        for line, guess, text, *_ in PAIRS
    }
    assert seen <= set(rules.RULES)
    assert set(rules.RULES) - seen <= {"anti-prompt", "nearly whole", "other kind"}
    assert set(rules.RULES) > rules.CERTAIN
    assert {"exact", "alias", "surname", "prompt", "reject", "stop words"} <= rules.CERTAIN
    assert rules.CERTAIN.isdisjoint({"no match", "part", "more", "typo", "ambiguous"})


@pytest.mark.parametrize(
    ("line", "guess", "rule", "verdict"),
    [
        ("The Catcher in the Rye", "in the", "stop words", "reject"),
        (NIXON, "Richard", "given name", "reject"),
        ("World War II", "World War I", "other number", "reject"),
        ("New York", "New", "part", "reject"),
        ("iron", "iron oxide", "more", "reject"),
        ("sodium", "Na", "other name", "accept"),
        ("Milan, Italy", "Milan", "place", "accept"),
    ],
)
def test_rule_names_what_differs(line, guess, rule, verdict):
    found = judge_by_rules(line, guess)
    assert (found.rule, found.verdict) == (rule, verdict)


# ------------------------------------------------------------------ written pairs

PAIR_COLUMNS = ["answerline", "guess", "text_read", "verdict", "clause", "reason"]
with (ROOT / "tests" / "data" / "answer_pairs.csv").open(encoding="utf-8", newline="") as f:
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
    for body in (
        "or " * 1500,
        "any " * 800 + "answer",
        '"' * 801,
        "(" * 900,
        "or a, " * 900,
        "x;" * 900,
    ):
        for line in (f"y [{body}]", f"y [or {body}", body):
            assert judge_by_rules(line, "y").verdict in VERDICTS
            assert judge_by_rules(line, body).verdict in VERDICTS


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
            assert judge_by_rules(parsed, alternative.text).verdict in (expected, "reject"), (
                line,
                alternative,
            )
    assert sum(len(parse(line).notes) > 0 for line in lines) <= 15


def test_grace_guesses_by_hand():
    lines = {parse(line).main: line for line in grace_lines()}
    logs = lines["logs"]
    assert judge_by_rules(logs, "bûches de Noël").verdict == "accept"
    assert (
        judge_by_rules(logs, "bûche de Noël", condition_met(logs, "The bûche de Noël")).verdict
        == "prompt"
    )
    portraits = next(line for main, line in lines.items() if main.startswith("self-portraits"))
    casinos = lines["American Indian reservations"]
    assert judge_by_rules(casinos, "tribal casinos").verdict == "accept"
    assert judge_by_rules(casinos, "casinos") == ("prompt", 0.5, "prompt")
    assert judge_by_rules(portraits, "self-portraits").verdict == "prompt"
    assert judge_by_rules(lines["C"], "C++").verdict == "reject"
    assert (
        judge_by_rules(lines["Solomon R. Guggenheim Museum"], "Guggenheim Bilbao").verdict
        == "reject"
    )


def test_published_cases_agree():
    cases = json.loads(real("answers", "qbreader_2023_cases.json").read_text(encoding="utf-8"))
    wrong = [
        (case["expected"], judge_by_rules(case["answerline"], case["given"]), case["given"])
        for case in cases
        if judge_by_rules(case["answerline"], case["given"]).verdict != case["expected"]
    ]
    assert len(cases) == 215
    assert len(cases) - len(wrong) >= 213, wrong
    asked = [case for case in cases if case["directed_prompt"]]
    for case in asked:
        prompts = {a.directed_prompt for a in parse(case["answerline"]).alternatives}
        assert case["directed_prompt"] in prompts


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


@pytest.mark.parametrize(
    ("answer", "guess", "verdict"),
    [
        ("Beethoven", "Ludwig van Beethoven", "accept"),
        ("Beauvoir", "Simone de Beauvoir", "accept"),
        ("Gama", "Vasco da Gama", "accept"),
        ("Virginia", "West Virginia", "reject"),
        ("Africa", "Horn of Africa", "reject"),
        ("Rome", "Fall of Rome", "reject"),
    ],
)
def test_a_particle_makes_a_name(answer, guess, verdict):
    assert judge_by_rules(answer, guess).verdict == verdict


@pytest.mark.parametrize(
    ("line", "accepted", "refused"),
    [
        # Small words marked in each answer of a list without "and".
        ("<u>lung</u>s, <u>pulmonary</u> system", ("lung", "the pulmonary system"), ("heart",)),
        ("<u>lock</u>, <u>stock</u>, <u>barrel</u>", (), ("lock",)),
        ("<u>red</u>, <u>white</u>, and <u>blue</u>", (), ("red",)),
        # A word that is required twice is said twice.
        ("<u>n log n</u>", ("n log n",), ("log n",)),
        # What is required and more of the same name, of which another is refused.
        (
            'John Henry <u>Fuseli</u> [do not accept "John Caspar Fuseli"]',
            ("Henry Fuseli",),
            ("John Caspar Fuseli", "Caspar Fuseli"),
        ),
        # As names sound.
        ("<u>Frieda</u> <u>Kahl</u>", ("Freeda Kahl",), ("Frida Kuhn",)),
        ("Ana <u>Yekaterina</u>", ("Ana Ekaterina",), ("Anna Katya",)),
        ("Antoine <u>Watteau</u>", ("Watto", "Antoine Watto"), ("Wattle",)),
        ("<u>Seema</u>", ("Sima",), ("Soma",)),
        ("<u>Marie</u>", (), ("Mary",)),
        ("<u>Steele</u>", (), ("Stiles",)),
    ],
)
def test_lists_names_and_sounds(line, accepted, refused):
    assert {judge_by_rules(line, guess).verdict for guess in accepted} <= {"accept"}
    assert not {judge_by_rules(line, guess).verdict for guess in refused} & {"accept"}
