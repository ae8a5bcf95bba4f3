"""The tables of rewrites and of words beside an answer: each row matches its example and not the other."""

import pytest
from calscore.answers import judge
from calscore.answers.wordings import REWRITES, guess_variants

PLACES = """France Spain Poland Hungary Sweden Norway Scotland Jordan Morocco Egypt Brazil Japan Tonga Georgia Milan Burgundy
Florence Naples Castile Navarre Bavaria Vienna Geneva Cordoba Normandy Wales Austria Kyoto Virginia Jersey"""
RULERS = """Louis XIII of {0}|King of {0}|Marie de {0}|Duke of {0}|Isabella of {0}|Michael {0}
President {0}|Prime Minister of {0}|Saint {0}|Mary, Queen of {0}|Catherine de {0}|Lord {0}"""

# By the rules of the game: what is said of the answer may not name another thing of its name.
DESCRIBED = """
Abraham _Lincoln_ | Lincoln, the capital of Nebraska | Abraham Lincoln, the sixteenth president
Charles _Darwin_ | Darwin, Australia | the English naturalist Charles Darwin
_Phoenix_, Arizona | phoenix, the bird of fire | Phoenix, the capital of Arizona
_Mercury_ (planet) | Mercury, the messenger of the gods | Mercury, the innermost planet
_mercury_ [or _Hg_] | Mercury, the Roman god of trade | the liquid metal mercury
_Jupiter_ [or _Zeus_] | Jupiter, the gas giant planet | Zeus, king of the gods
_Queen_ (band) | Queen, the chess piece | Queen, the British rock band
_jaguar_s | Jaguar, the British car maker | the jaguar, a large cat
_Amazon_ River | Amazon, the online retailer | the Amazon, the largest river by discharge
_Georgia_ (country) | Georgia, the US state | Georgia, the country in the Caucasus
_Olympia_ (by Manet) | Olympia, the capital of Washington | Manet's painting Olympia
_Antigone_ (by Sophocles) | Antigone by Jean Anouilh | Sophocles' tragedy Antigone
_Titanic_ (film) | the Titanic, the ship that sank in 1912 | Titanic, the James Cameron movie
_Moses_ | Robert Moses, the New York city planner | Moses, the Hebrew prophet
_Paris_ of Troy | Paris, the capital of France | Paris, the lover of Helen
_Treaty of Paris_ (1763) | the Treaty of Paris of 1783 | the Treaty of Paris in 1763
_Isis_ [or Aset] | ISIS, the Islamic State of Iraq | Isis, the Egyptian goddess
George W. _Bush_ | a bush, a small shrub | George W. Bush, the 43rd president
_black hole_s | the Black Hole of Calcutta | black holes, from which no light escapes
"""

# A line, a guess that says more of its answer, and one that names another thing.
BESIDE = """
Everest | Mount Everest | Mount Elbert
Danube | Danube River | Volga River
Lake Titicaca | Lake Titicaca, Peru and Bolivia | Titicaca, Ohio
Yoruba | the Yoruba religion | the Igbo religion
Frankenstein | Frankenstein; or, The Modern Prometheus | Frankenstein Meets the Wolf Man
Book of Kells | the Book of Kells manuscript | Hamlet Cigars
Vasa Museum | Vasa Museum, Stockholm | Paris, Texas
Ludwig van _Beethoven_ | the German composer Ludwig van Beethoven | the battleship Beethoven
Otto von _Bismarck_ | Otto von Bismarck, the Iron Chancellor of Germany | Otto Hahn, the discoverer of fission
The _Nutcracker_ | The Nutcracker ballet by Pyotr Ilyich Tchaikovsky | The Firebird ballet by Igor Stravinsky
Oedipus | King Oedipus of Thebes | King Laius of Thebes
Death | Death, the end of life | Danton's Death
Emma _Woodhouse_ | Emma Woodhouse of Hartfield, Highbury's matchmaker | Emma Bovary of Rouen, a doctor's wife
_Beethoven's Seventh_ Symphony | Beethoven's Seventh Symphony in A major | Bruckner's Seventh Symphony
"""


@pytest.mark.parametrize(
    ("row", "verdicts"),
    [(row, ["reject", "accept"]) for row in DESCRIBED.strip().splitlines()]
    + [(row, ["accept", "reject"]) for row in BESIDE.strip().splitlines()],
)
def test_words_beside_an_answer_are_of_it_or_of_another_thing(row, verdicts):
    line, *guesses = row.split(" | ")
    assert [judge(line, guess).verdict for guess in guesses] == verdicts


@pytest.mark.parametrize(
    ("line", "guess", "asked", "verdict"),
    [
        ("_Saturn_", "Saturn, the planet with the rings", "god", "reject"),
        ("_Saturn_", "Saturn, the planet with the rings", "planet", "accept"),
        ("_The Kiss_", "The Kiss, Rodin's marble", "Gustav Klimt painting", "reject"),
        ("_The Kiss_", "The Kiss, Klimt's canvas", "Gustav Klimt painting", "accept"),
    ],
)
def test_a_question_tells_the_kind_and_whose_a_work_is(line, guess, asked, verdict):
    assert judge(line, guess, tossup=f"For 10 points, name this {asked}.").verdict == verdict


@pytest.mark.parametrize("rule", REWRITES, ids=lambda rule: rule.name)
def test_a_rewrite_has_its_example(rule):
    assert rule.pattern.sub(rule.to, rule.example) != rule.example
    assert rule.pattern.sub(rule.to, rule.counterexample) == rule.counterexample


def test_what_is_prompted_on_is_prompted_on_with_a_description():
    line = "_Anne Brontë_ [prompt on Brontë]"
    assert judge(line, "Brontë, a writer from Yorkshire").verdict == "prompt"


def test_what_loses_a_word_is_not_the_answer_itself():
    variants = dict(guess_variants("The answer is the city of Constantinople"))
    assert variants["the city of Constantinople"] and not variants["Constantinople"]
    assert judge("Constantinople", "the city of Constantinople")[1:] == (0.9, "more")


@pytest.mark.parametrize("mark", ["{0}", "<u>{0}</u>"], ids=["plain", "marked"])
def test_a_place_accepts_no_person_and_no_title(mark):
    places = PLACES.split()
    guesses = [form for row in RULERS.splitlines() for form in row.split("|")]
    accepted = [
        guess.format(place)
        for place in places
        for guess in guesses
        if judge(mark.format(place), guess.format(place)).verdict == "accept"
    ]
    assert len(places) * len(guesses) == 360 and accepted == []
