"""Guesses as a reader takes them: what is unwrapped, what is cut off, and what must stay as it is."""

import pandas as pd
import pytest
from calscore.raw import clean_guess

from tests.support import data_folder

# As sent, as read, what was done. The forms are those of the models of GRACE (Sung et al. 2025), whose guesses hold
# literal escapes and whole sentences, cut after 40 characters; the answers are invented.
CASES = [
    # Escapes that were written out.
    (r"Rh\xf4ne", "Rhône", {"escapes"}),
    (r"Ry\u016bnosuke Akutagawa", "Ryūnosuke Akutagawa", {"escapes"}),
    (r"Constantin Br\xe2ncu\u0219i", "Constantin Brâncuși", {"escapes"}),
    (r"Friedmann\u2013Lema\xeetre metric", "Friedmann–Lemaître metric", {"escapes"}),
    (r"\ud835\udd38 (mathematics)", "\U0001d538 (mathematics)", {"escapes"}),
    (r"Les Mis\xe9rables.", "Les Misérables.", {"escapes"}),
    (r"Cuzc\xf3\nThe question is about", "Cuzcó", {"escapes", "rest"}),
    # An escape that was cut through says nothing.
    (r"The Friedmann\u2013Lema\xeetre\u20", "The Friedmann–Lemaître", {"escapes"}),
    (r"The answer is: \u0141\xf3d\u017a \u0141" + "\\", "Łódź Ł", {"escapes", "wrapper"}),
    # Wrappers that end in a colon.
    ("The answer is: Otter", "Otter", {"wrapper"}),
    ("The Answer is: Tides and Weather", "Tides and Weather", {"wrapper"}),
    ("The Answer: The Comfort of Lighthouses", "The Comfort of Lighthouses", {"wrapper"}),
    ("The answer is: Harbours.", "Harbours", {"wrapper"}),
    ("The answer is: The Q.X.Z.", "The Q.X.Z.", {"wrapper"}),
    ("The answer is:  Green Marsh Canal", "Green Marsh Canal", {"wrapper"}),
    ("The answer is: Quartet No. 31", "Quartet No. 31", {"wrapper"}),
    ("Your answer is: Guild of the Copper Bee", "Guild of the Copper Bee", {"wrapper"}),
    ("The answer to your question is: Ann Poe.", "Ann Poe", {"wrapper"}),
    ("The answer to your question would be: Zi", "Zi", {"wrapper"}),
    ("Sure! The answer to your question is: Qu", "Qu", {"wrapper"}),
    ("I think the answer is: Theodora Marlinsp", "Theodora Marlinsp", {"wrapper"}),
    ("I'm not sure, but my best guess is:  Oxl", "Oxl", {"wrapper"}),
    ("I'm not sure, but a possible answer is: Kite", "Kite", {"wrapper"}),
    ("I'm going to take a guess:  Slow erosion", "Slow erosion", {"wrapper"}),
    ("Presumably, the answer is Martha Q. Pine", "Martha Q. Pine", {"wrapper"}),
    ("Guess: Anna Roe's Garden of Tall Windmil", "Anna Roe's Garden of Tall Windmil", {"wrapper"}),
    ("**Answer:** Silas Marner", "Silas Marner", {"wrapper"}),
    ("Answer: The Wikipedia page is: Pi", "Pi", {"wrapper"}),
    ("Title of the Short Poem: None", "None", {"wrapper"}),
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
    ("Ode to a Paper Boat - Wikipedia", "Ode to a Paper Boat", {"wrapper"}),
    ("The colour of these feathers is: Vermilion", "Vermilion", {"wrapper"}),
    # The answer stands below the wrapper.
    ("The answer is:\n\nEve Carter", "Eve Carter", {"wrapper"}),
    ("Sure! Here's my answer:\n\nThe answer is: Pi", "Pi", {"wrapper"}),
    ("Sure! Here's my answer:\n\nGwendolyn Hart", "Gwendolyn Hart", {"wrapper"}),
    ("The cousin of a miller with this:\n\nHazel", "Hazel", {"wrapper"}),
    ("The answer is:\n\nNorse Iceland\n\nThe q", "Norse Iceland", {"wrapper", "rest"}),
    # What follows the answer.
    ("The answer is: Petrona.\n\nThe question", "Petrona", {"wrapper", "rest"}),
    ("The answer is: Deliberate imitation.\n\\", "Deliberate imitation", {"wrapper", "escapes"}),
    ("The answer is: None.\n\nExplanation:\nAs", "None", {"wrapper", "rest"}),
    ("Answer: Silas Marner\nConfidence: .9", "Silas Marner", {"wrapper", "rest"}),
    ("Answer: Silas Marner, Confidence: 0.9", "Silas Marner", {"wrapper", "rest"}),
    ("Silas Marner\nProbability: 0.7", "Silas Marner", {"rest"}),
    ("Marmalade Strike \n\nNote: The informati", "Marmalade Strike", {"rest"}),
    ("Utopia \nNone", "Utopia", {"rest"}),
    ("Finns  or Suomalaiset  - Both article", "Finns  or Suomalaiset", {"rest"}),
    ("Berta Von Holm - Berta Von Holm is an ar", "Berta Von Holm", {"rest"}),
    ("None  However, if we had to name a riv", "None", {"rest"}),
    ("Cartography  could be a possible answer", "Cartography", {"rest"}),
    ("Oliver Stone-Hill  or Rowan  if referrin", "Oliver Stone-Hill  or Rowan", {"rest"}),
    ("Departure , but it's more often describ", "Departure", {"rest"}),
    ("Long division, as it refers to a method", "Long division", {"rest"}),
    # JSON, whole and cut.
    ('{"guess": "Silas Marner"}', "Silas Marner", {"json"}),
    ('{"answer": "Silas Marner", "confidence": 0.9}', "Silas Marner", {"json"}),
    ('```json\n{"guess": "Silas Marner"}\n```', "Silas Marner", {"json"}),
    ('{"guess": "The Memorable Journey of the B', "The Memorable Journey of the B", {"json"}),
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
    "Sure! Here's my answer:\n\nQuestion: Und",
    "Sure! The answer to your question is:\n\n",
    "Sure! The answer to your question is:\n\\",
    "Sure! The answer to your question would",
    "The answer to your question would be:\n\n",
    "I'm not sure, but a possible answer is:",
    "I'm not sure what the question is about.",
    "I do not have enough information for it",
    "It seems like the question is incomplete",
    "I think the question is incomplete. Plea",
    "Your question is unclear, but judging by",
    "Your Question: A baker with this surname",
    "Your question fragment is: In an orchard",
    "The end of this festival follows a:\n\\",
    '{"guess": "',
    '{"gue',
]

# Normal guesses, in forms that models send: nothing may change.
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
    "Müller–Peña–Sørensen metric",
    "W=I=N=D=M=I=L=L",
    "Sketch in Green and Silver – The Sleepin",
    "Sketch: Brown and White - Harbour",
    "Ada Finch: The Clockmaker of Mill Stre",
    "Longa Praia: Dunas",
    "Genesis 46:8-27",
    "Prelude and Canon in G sharp, op. 71 no",
    "When Swallows Came to the Edith Crane",
    "Is Anyone Home? It's Us, Henry",
    "Some days are long, some days are windl",
    "I shall row to Dover with a lantern, /",
    "and writes that 'rain or no rain, we won't",
    "Who's Counting the Paper Boats?",
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
    assert (found.guess, set(found.changes)) == (guess, done)


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
