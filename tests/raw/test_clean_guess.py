"""Guesses as a reader takes them: what is unwrapped, what is cut off, and what must stay as it is."""

import gzip
import json

import pandas as pd
import pytest
from calscore.raw import clean_guess

from tests.support import data_folder

# As sent, as read, what was done. Most are answers of the models of GRACE (Sung et al. 2025), whose guesses hold
# literal escapes and whole sentences; what is cut off at their end was cut by whoever copied them.
CASES = [
    # Escapes that were written out.
    (r"Rh\xf4ne", "Rhône", {"escapes"}),
    (r"Ry\u016bnosuke Akutagawa", "Ryūnosuke Akutagawa", {"escapes"}),
    (r"Constantin Br\xe2ncu\u0219i", "Constantin Brâncuși", {"escapes"}),
    (r"Friedmann\u2013Lema\xeetre metric", "Friedmann–Lemaître metric", {"escapes"}),
    (r"\ud835\udd38 (mathematics)", "\U0001d538 (mathematics)", {"escapes"}),
    (r"Les Mis\xe9rables.", "Les Misérables.", {"escapes"}),
    (r"Bogot\xe1\nThe question is about", "Bogotá", {"escapes", "rest"}),
    # An escape that was cut through says nothing.
    (r"The Friedmann\u2013Lema\xeetre\u20", "The Friedmann–Lemaître", {"escapes"}),
    (r"The answer is: \u0110\u1ea1o Cao \u0110" + "\\", "Đạo Cao Đ", {"escapes", "wrapper"}),
    # Wrappers that end in a colon.
    ("The answer is: Bear", "Bear", {"wrapper"}),
    ("The Answer is: Being and Time", "Being and Time", {"wrapper"}),
    ("The Answer: The Poverty of Historicism", "The Poverty of Historicism", {"wrapper"}),
    ("The answer is: Bridges.", "Bridges", {"wrapper"}),
    ("The answer is: The B.A.R.", "The B.A.R.", {"wrapper"}),
    ("The answer is:  Lu Ban Bridge", "Lu Ban Bridge", {"wrapper"}),
    ("The answer is: Symphony No. 9", "Symphony No. 9", {"wrapper"}),
    ("Your answer is: Order of the Golden Spur", "Order of the Golden Spur", {"wrapper"}),
    ("The answer to your question is: Al Gore.", "Al Gore", {"wrapper"}),
    ("The answer to your question would be: Ne", "Ne", {"wrapper"}),
    ("Sure! The answer to your question is: Eu", "Eu", {"wrapper"}),
    ("I think the answer is: Gustave Caillebot", "Gustave Caillebot", {"wrapper"}),
    ("I'm not sure, but my best guess is:  Ipu", "Ipu", {"wrapper"}),
    ("I'm not sure, but a possible answer is: Drum", "Drum", {"wrapper"}),
    ("I'm going to take a guess:  Mere exposur", "Mere exposur", {"wrapper"}),
    ("Presumably, the answer is Lyndon B. John", "Lyndon B. John", {"wrapper"}),
    ("Guess: Maya Lin's Vietnam Veterans Memor", "Maya Lin's Vietnam Veterans Memor", {"wrapper"}),
    ("**Answer:** Silas Marner", "Silas Marner", {"wrapper"}),
    ("Answer: The Wikipedia page is: Pi", "Pi", {"wrapper"}),
    ("Title of the Short Story: None", "None", {"wrapper"}),
    (
        "The title of the Wikipedia page that would best answer your question is: Silas Marner",
        "Silas Marner",
        {"wrapper"},
    ),
    (
        'The title of the Wikipedia page that would best answer this is "Silas Marner".',
        "Silas Marner",
        {"wrapper", "quotes"},
    ),
    ("The Wikipedia page for the answer to your question is: Pi", "Pi", {"wrapper"}),
    ("Ode on a Grecian Urn - Wikipedia", "Ode on a Grecian Urn", {"wrapper"}),
    ("The growth of these structures is: Dendrites", "Dendrites", {"wrapper"}),
    # The answer stands below the wrapper.
    ("The answer is:\n\nAdam Smith", "Adam Smith", {"wrapper"}),
    ("Sure! Here's my answer:\n\nThe answer is: Pi", "Pi", {"wrapper"}),
    ("Sure! Here's my answer:\n\nWilliam Shake", "William Shake", {"wrapper"}),
    ("The sister of a captain with this:\n\nPearl", "Pearl", {"wrapper"}),
    ("The answer is:\n\nRoman Britain\n\nThe q", "Roman Britain", {"wrapper", "rest"}),
    # What follows the answer.
    ("The answer is: Cahokia.\n\nThe question", "Cahokia", {"wrapper", "rest"}),
    ("The answer is: Competitive exclusion.\n\\", "Competitive exclusion", {"wrapper", "escapes"}),
    ("The answer is: None.\n\nExplanation:\nTh", "None", {"wrapper", "rest"}),
    ("Answer: Silas Marner\nConfidence: .9", "Silas Marner", {"wrapper", "rest"}),
    ("Answer: Silas Marner, Confidence: 0.9", "Silas Marner", {"wrapper", "rest"}),
    ("Silas Marner\nProbability: 0.7", "Silas Marner", {"rest"}),
    ("Algerian Civil War \n\nNote: The informati", "Algerian Civil War", {"rest"}),
    ("Austria \nNone", "Austria", {"rest"}),
    ("Albanians  or Shqiptaret  - Both article", "Albanians  or Shqiptaret", {"rest"}),
    ("Hilma Af Klint - Hilma Af Klint is an ar", "Hilma Af Klint", {"rest"}),
    ("None  However, if we were to guess a per", "None", {"rest"}),
    ("Anthropology  could be a possible answer", "Anthropology", {"rest"}),
    ("Jonathan Swift  or Gulliver  if referrin", "Jonathan Swift  or Gulliver", {"rest"}),
    ("Arrival , but it's more commonly associa", "Arrival", {"rest"}),
    ("Cube root, as it refers to the operation", "Cube root", {"rest"}),
    # JSON, whole and cut.
    ('{"guess": "Silas Marner"}', "Silas Marner", {"json"}),
    ('{"answer": "Silas Marner", "confidence": 0.9}', "Silas Marner", {"json"}),
    ('```json\n{"guess": "Silas Marner"}\n```', "Silas Marner", {"json"}),
    ('{"guess": "The Tragical History of the L', "The Tragical History of the L", {"json"}),
    ('{"guess": "Silas Marner", "confidence": ', "Silas Marner", {"json"}),
    ('{"guess": "\\"The Dead\\"", "conf', "The Dead", {"json", "quotes"}),
    (r'{"guess": "Rh\u00f4ne"}', "Rhône", {"json"}),
    (r'{"guess": "Rh\u00f', "Rh", {"json"}),
    # Quotes within a wrapper.
    ('The answer is: "Silas Marner".', "Silas Marner", {"wrapper", "quotes"}),
    ("The answer is: “Silas Marner”", "Silas Marner", {"wrapper", "quotes"}),
    ("Answer: **Silas Marner**\nA novel.", "Silas Marner", {"wrapper", "quotes", "rest"}),
]

# Only a wrapper is left of it, or an excuse: nothing to be read, so it stays.
ONLY_A_WRAPPER = [
    "The title of the Wikipedia page that wou",
    "The Wikipedia page that would best answe",
    "Title of the Wikipedia page that would b",
    "Sure! The title of the Wikipedia page th",
    "Sure! Here's my answer:\n\nThe answer i",
    "Sure! Here's my answer:\n\nThe answer is:",
    "Sure! Here's my answer:\n\nTitle of the W",
    "Sure! Here's my answer:\n\nYour Question",
    "Sure! Here's my answer:\n\nQuestion: Dur",
    "Sure! The answer to your question is:\n\n",
    "Sure! The answer to your question is:\n\\",
    "Sure! The answer to your question would",
    "The answer to your question would be:\n\n",
    "I'm not sure, but a possible answer is:",
    "I'm not sure what the question is asking",
    "I don't have enough information to provi",
    "It seems like the question is incomplete",
    "I think the question is incomplete. Howe",
    "Your question is unclear, but based on t",
    "Your Question: A thinker with this surna",
    "Your question fragment is: In a referenc",
    "The start of this illness follows an:\n\\",
    '{"guess": "',
    '{"gue',
]

# Normal guesses, most of them of the same models or titles of works: nothing may change.
NORMAL = [
    "Silas Marner",
    "None",
    "None.",
    "Pablo Picasso.",
    "W.S.",
    "Tesla, Inc.",
    "Washington, D.C.",
    "Le Guin's The Dispossessed",
    "Symphony No. 9 (Beethoven)",
    "The Birds (story)",
    "War in Afghanistan (2001–2021)",
    "Friedmann–Lemaître–Robertson–Walker metric",
    "L=A=N=G=U=A=G=E",
    "Nocturne in Black and Gold – The Falling",
    "Nocturne: Blue and Silver - Chelsea",
    "Sweeney Todd: Demon Barber of Fleet Stre",
    "Grande Sertão: Veredas",
    "Genesis 46:8-27",
    "Passacaglia and Fugue in C minor, BWV 58",
    "When Lilacs Last in the Walt Whitman",
    "Are You There God? It's Me, Margaret",
    "Some are born great, some achieve greatn",
    "I will walk in London with a thunderstorm, /",
    "and notes that 'job or no job, you can't",
    "Who's Afraid of Virginia Woolf?",
    "What Is to Be Done?",
    "The Answer",
    "The Answer Is Blowing in the Wind",
    "The Unanswered Question",
    "Guess Who's Coming to Dinner",
    "Title of the Song",
    "Wikipedia",
    "The Thing About Life Is: One Day You Die",
    "The Question: A Tragedy",
    "This Is: The Life",
    "Sure Thing",
    "I Am Not Sure",
    "Here's Johnny",
    "It's a Wonderful Life",
    'James Joyce\'s "The Dead"',
    '"The Dead" and "Araby"',
    '"The Dead"',
    "“Silas Marner”",
    "**Silas Marner**",
    "'Silas Marner'",
    "'Tis Pity She's a Whore",
    "Finnegans' Wake'",
    r"\nabla",
    r"\nu",
    r"\xi",
    r"\underline{x}",
    r"AC\DC",
    "f*g",
    "C* algebra",
    "*-algebra",
    "{1, 2}",
    "H_2O",
    "C",
    "C\n\n",
    "'",
    "",
    "   ",
    "Apache or Navajo",
    "Death - be not proud",
    "Cat , Dog",
    "Life, as It Happens",
]


@pytest.mark.parametrize(("sent", "guess", "done"), CASES, ids=[one[0][:40] for one in CASES])
def test_what_a_reader_takes_off(sent, guess, done):
    found = clean_guess.clean(sent)
    assert (found.guess, set(found.done)) == (guess, done)


@pytest.mark.parametrize("sent", ONLY_A_WRAPPER)
def test_where_only_a_wrapper_is_left_the_guess_stays_and_is_counted(sent):
    assert clean_guess.clean(sent) == (sent, ("nothing",))


@pytest.mark.parametrize("guess", NORMAL)
def test_a_normal_guess_stays(guess):
    assert clean_guess.clean(guess) == (guess, ())


def test_no_guess_stays_no_guess():
    assert clean_guess.clean(None) == (None, ())


@pytest.mark.parametrize("sent", [one[0] for one in CASES])
def test_what_was_read_is_not_read_further(sent):
    guess = clean_guess.clean(sent).guess
    assert clean_guess.clean(guess).guess == guess


def test_guesses_of_a_model_that_keeps_to_titles():
    file = "grace-precursor/gpr_runs_2024co.csv"
    sent = pd.read_csv(data_folder(file) / file, keep_default_na=False)["guess"]
    assert [one for one in sent if clean_guess.clean(one) != (one, ())] == []


def test_the_few_that_are_wrapped_among_many():
    file = "quizbowl/gpr_runs.jsonl.gz"
    with gzip.open(data_folder(file) / file, "rt", encoding="utf-8") as lines:
        sent = {json.loads(line)["guess"] for line in lines}
    read = {one: found.guess for one in sent if (found := clean_guess.clean(one)).done}
    assert read == {
        "The answer is: The Flag": "The Flag",
        "Wikipedia: Disneyland": "Disneyland",
        "Wikipedia page for Moscow": "Moscow",
        "Wikipedia page for Jiang Zemin": "Jiang Zemin",
        "Wikipedia page for William Butler Yeats": "William Butler Yeats",
        "Wikipedia page for Piano Sonata No. 8 (Beethoven)": "Piano Sonata No. 8 (Beethoven)",
        'Wikipedia page for "Sonata for Violin and Piano No. 1 (Brahms)"': (
            "Sonata for Violin and Piano No. 1 (Brahms)"
        ),
        'The Wikipedia page for "I Am an Arab"': "I Am an Arab",
        "The Wikipedia page on Umberto Eco": "Umberto Eco",
        "The Wikipedia page on Haruki Murakami": "Haruki Murakami",
    }
