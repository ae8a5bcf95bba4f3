"""Misspelled and transliterated words."""

import math

import pytest
from calscore.answers import judge
from calscore.answers.typos import spelling_distance


@pytest.mark.parametrize(
    ("word", "guess", "name", "near"),
    [
        ("boltzmann", "boltzman", True, True),
        ("tchaikovsky", "chaikovskii", True, True),
        ("photosynthesis", "photosynthisis", False, True),
        ("jacobs", "jacob", True, False),
        ("monet", "manet", True, False),
        ("convection", "conduction", False, False),
        ("hypothermia", "hyperthermia", False, False),
        ("sulfate", "sulfite", False, False),
        ("iron", "irom", False, False),
    ],
)
def test_distance(word, guess, name, near):
    far = spelling_distance(word, guess, name)
    assert math.isfinite(far) == near
    assert far >= 0.5 and far == spelling_distance(word, guess, name)


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        ("Giacomo <u>Puccini</u>", "Poochini | Giacomo Poochini", "Pacino | Rossini"),
        ("<u>Guillaume Apollinaire</u> [or <u>Apollinaire</u>]", "Apolinair", "Apollo | Apollonius"),
        ("Albert <u>Camus</u>", "Camoo | Camous | Albert Camoo", "Camas | Cano | Albert"),
        ("Claude <u>Monet</u>", "Monay | Claude Monay", "Manet | Manay | Money | Moneta"),
        ("Edgar <u>Degas</u>", "Daega", "Diego | Degan"),
        ("Frédéric <u>Chopin</u>", "Shopan", "Chaplin | shopping"),
        ("Jean <u>Piaget</u>", "Piajet | Jean Piajet", "Paget | Pinot | Page"),
        ("<u>Miguel de Cervantes</u>", "Servantes | Miguel de Servantes", "Servants | Miguel"),
        ("Hernán <u>Cortés</u>", "Cortez | Hernan Cortez", "Cordoba | Carter"),
        ("<u>Quixote</u>", "Kihote", "Coyote | Quote"),
        ("Sigmund <u>Freud</u>", "Froid | Sigmund Froyd", "Fried | Anna Froid | Fraud"),
        ("Niccolò <u>Machiavelli</u>", "Makiavelli | Makyavelli", "Macchio | Torricelli"),
        ("<u>cello</u>", "chello", "cell | celli of the body | jello | hello"),
        ("<u>mitochondria</u>", "mitokondria", "mitosis | chondria"),
        ("<u>photosynthesis</u>", "fotosynthesis", "biosynthesis | photolysis"),
        ('<u>xylem</u> [do not accept "phloem"]', "zylem", "phloem | flowem"),
        ("John <u>Keats</u>", "Keets | John Keets", "Kitts | John Kitts"),
        ("<u>Queen</u>", "Kween", "Quinn"),
        ("<u>Xhosa</u>", "Xhoza", "Hausa | Tosa"),
        ("<u>Nepal</u>", "Nepall", "Naipaul"),
        ("<u>Dave Davies</u>", "Davies | Dave Davis", "Miles Davis"),
    ],
)
def test_a_guess_may_be_written_as_another_language_reads_the_word(line, right, wrong):
    """As a player who has only heard a name spells it; never another name or word that looks alike."""
    verdicts = {guess: judge(line, guess).verdict for guess in (right + " | " + wrong).split(" | ")}
    assert verdicts == dict.fromkeys(right.split(" | "), "accept") | dict.fromkeys(
        wrong.split(" | "), "reject"
    )
