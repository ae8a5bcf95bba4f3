"""The simulated study ``demo``: a world with known parameters, in the raw formats of GRACE.

:func:`simulate` draws a tournament, the per-clue guesses of six models and an offline survey from
stated parameters; :func:`write` puts them on disk as the release, the participation tables, model
outputs and the survey would be (paper §3, Appendices D to F), with the truth beside them.

The world. Question q has difficulty d_q, agent i has skill s_i and a specialism e_ic in the
question's category. With a share x of the words revealed the agent knows the answer with
probability

    p = σ(s_i + e_ic − d_q + slope · (x − midpoint)),

decided by one uniform draw for each agent and question, so that what is known stays known. Models
may waver: p is then times 1 − waver · (1 − x). Each agent has a private signal on whether it is
right, z ~ N(+δ/2, 1) if so, else N(−δ/2, 1). Its posterior, logit p' = logit p + δz, is calibrated
by construction. Humans act on p'; a model states σ(a + b · logit p' + noise), which is calibrated
only for a = 0, b = 1 and no noise: a > 0 or b < 1 is overconfidence while little is known.
All names of places, people and books in the clues are invented, as the first sentence of every
question says.
"""

from __future__ import annotations

import copy
import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import DataError, Fault

if TYPE_CHECKING:
    import pandas as pd

PACKETS, PER_PACKET, EXHIBITIONS = 12, 20, 2
TEAMS = tuple(f"H{i}" for i in range(1, 18))
LIVE_MODELS = ("M1", "M2", "M3")
MODELS = ("M1", "M2", "M3", "M4", "M5", "M6")
PLAYERS = tuple(f"P{i:02d}" for i in range(1, 16))
SURVEY_QUESTIONS = 37
ELICITATIONS = ("logit", "verbalized")
SEGMENTATION = "sentence-100"
PASSWORD = "buzzbuzz"
FOLDER = "[public]ALL_final_buzzpoints"

#: Every parameter; ``simulate`` takes a dict of those that differ. Standard deviations end in
#: ``_sd``; skills, difficulties, ``a`` and human thresholds are in logits.
DEFAULTS: dict = {
    "question_difficulty_sd": 1.0,
    "specialism_sd": 0.35,
    "human_slope": 8.0,  # logits from no text to the whole of it
    "model_slope": 4.0,  # humans gain more from the last clues (paper §5.1)
    "midpoint": 0.70,  # share of words at which skill equal to difficulty means one half
    "human_skill_mean": -1.15,
    "human_skill_sd": 1.1,
    "human_signal": 2.0,  # δ
    "human_threshold_mean": 0.6,
    "human_threshold_sd": 0.4,
    "human_last_threshold": -1.6,  # at the last word nothing is lost by waiting
    "earliest_word": 6,  # 0-based index before which nobody buzzes
    # Main packets heard by each team, in random order; the most skilled also
    # plays the two exhibitions.
    "team_packets": [10, 10, 10, 10, 10, 10, 9, 9, 9, 8, 8, 7, 7, 5, 4, 2, 1],
    "human_model_matches": 55,
    "model_packets": {
        "M1": [1, 2, 3, 4, 5, 6, 7, 8, 9, 11],
        "M2": [3, 4, 5, 6, 7, 8, 9, 10, 12],
        "M3": [3, 5, 6, 7, 9, 10, 11, 12],
    },
    "model_skill": {"M1": 0.0, "M2": 0.3, "M3": -0.8, "M4": -1.2, "M5": -0.6, "M6": 0.1},
    "model_signal": 1.8,  # δ
    "model_waver": 0.15,  # chance to drop a known answer, falling to 0 at the last word
    "confidence": {
        "logit": {
            "M1": {"a": 4.3, "b": 0.75},
            "M2": {"a": 3.2, "b": 0.8},
            "M3": {"a": 3.1, "b": 0.45},
            "M4": {"a": 4.2, "b": 0.35},
            "M5": {"a": 1.0, "b": 0.35},
            "M6": {"a": 1.6, "b": 0.6},
        },
        "verbalized": {
            "M1": {"a": 1.0, "b": 0.5},
            "M2": {"a": 0.8, "b": 0.55},
            "M3": {"a": 2.2, "b": 0.2},
            "M4": {"a": 1.6, "b": 0.3},
            "M5": {"a": 1.9, "b": 0.3},
            "M6": {"a": 1.3, "b": 0.4},
        },
    },
    "confidence_noise_sd": 0.3,
    "token_spread_sd": 0.5,
    # A live model buzzes at the first clue whose mean token log-probability exceeds this (E.3).
    "buzz_threshold": {"M1": -0.03, "M2": -0.03, "M3": -0.05},
    "unparsable_replies": 24,
    "typo_rate": 0.02,
    "near_miss_rate": 0.35,  # wrong guesses that come from the answer's own list of look-alikes
    "change_rate": 0.2,  # chance per clue that a guess is worded or chosen anew
    "player_skill_mean": -0.9,
    "player_skill_sd": 0.8,
    "player_threshold_mean": 0.3,
    "player_threshold_sd": 0.5,
    "player_silence": 0.6,  # chance to write nothing at a clue while wrong, times 1 − p'
    "player_goes_on": 0.5,  # share of players who go on writing after they would buzz
    "player_slip_rate": 0.01,  # chance to write a wrong guess after the right one
    "text_chars_mean": 613.0,
    "text_chars_sd": 32.0,
}


@dataclass
class Study:
    """One simulated study.

    ``questions``: one row per question (question_id, packet, number, tossup_index, category,
    text, answer, n_words); ``rooms``: one row per match (packet, side_a, side_b); ``buzzes``: in
    the order of the release (question_id, packet, tossup_index, team, word_index 0-based, correct);
    ``guesses``: model × elicitation × question × clue (…, position in words heard, guess,
    token_logprobs, raw, p true probability of being right, posterior, confidence as stated,
    correct as meant, parsable); ``survey``: player × question × clue; ``truth``: every parameter.
    """

    questions: pd.DataFrame
    rooms: pd.DataFrame
    buzzes: pd.DataFrame
    guesses: pd.DataFrame
    survey: pd.DataFrame
    truth: dict


# --- The bank of answers -----------------------------------------------------------------------

# (category as the release writes it, its other spelling, packets that use the other spelling)
CATEGORIES = (
    ("Physics", None, ()),
    ("Chemistry", None, ()),
    ("Biology", None, ()),
    ("Other Sci", None, ()),
    ("American Hist", None, ()),
    ("Euro Hist", None, ()),
    ("World Hist", None, ()),
    ("Other Hist", None, ()),
    ("American Lit", None, ()),
    ("British Lit", None, ()),
    ("Euro Lit", None, ()),
    ("World/Other", "World/Other Lit", (1, 2, 12)),
    ("Painting/Sculpture", None, ()),
    ("Classical Music", None, ()),
    ("Other Arts", "Other Fine Arts", (1, 2)),
    ("Religion", None, ()),
    ("Philosophy", None, ()),
    ("Social Science", None, ()),
    ("Myth/Other Academic", "Myth", (1, 2)),
    ("Geo/CE", "Geo/CE/other", (1, 2)),
)

# Per answer: name | kind (person, event, location, work, thing) and noun | directives,
# "=" how the last sentence ends, "+" other right forms, "-" look-alikes that are not right.
_BANK = """
## Physics
alpha particle | t this particle | or alpha; accept helium nucleus before “helium”; prompt on helium
= positively charged particle that is the same as a helium nucleus
+ alpha particles; alpha
- beta particle; gamma ray; helium
entropy | t this quantity | accept thermodynamic entropy; prompt on disorder
= quantity that never falls in an isolated system by the second law
+ thermodynamic entropy
- enthalpy; disorder; energy
superconductivity | t this phenomenon | or superconducting; accept superconductors
= loss of all electrical resistance in a cold metal
+ superconductors
- superfluidity; conductivity
Michael Faraday | p this scientist | or Faraday
= English discoverer of electromagnetic induction
+ Faraday
- Michael Maestlin; James Clerk Maxwell
## Chemistry
hydrogen | t this element | accept H; or atomic number 1
= lightest element on the periodic table
+ atomic number 1
- hydrogen peroxide; helium; deuterium oxide
chromatography | t this technique | accept gas chromatography; prompt on separation
= technique that separates a mixture between a mobile and a stationary phase
+ gas chromatography
- distillation; separation; mass spectrometry
benzene | t this compound | or C6H6; accept benzene ring; prompt on aromatic compound
= aromatic hydrocarbon whose ring has six carbon atoms
+ C6H6; benzene ring
- toluene; cyclohexane; aromatic compound
Le Chatelier's principle | t this principle | or Chatelier’s principle; prompt on equilibrium
= principle on how a system at equilibrium answers a change
+ Chatelier's principle
- Hund's rule; equilibrium; the uncertainty principle
## Biology
mitochondria | t this organelle | or mitochondrion; prompt on organelles
= organelle often called the powerhouse of the cell
+ mitochondrion; the mitochondria
- chloroplast; the nucleus; organelles
photosynthesis | t this process | accept oxygenic photosynthesis; prompt on Calvin cycle
= process by which green plants make sugar from light
+ oxygenic photosynthesis
- chemosynthesis; cellular respiration; Calvin cycle
octopus | t this animal | or octopuses; or octopi; prompt on cephalopod or mollusk
= clever sea animal with eight arms
+ octopuses; octopi
- cuttlefish; giant squid; cephalopod
insulin | t this hormone | accept human insulin; prompt on hormone
= hormone of the pancreas that lowers blood sugar
+ human insulin
- glucagon; insulin-like growth factor; adrenaline
## Other Sci
prime number | t this kind of number | or primes; accept prime integers; prompt on integer
= kind of number with no divisors but one and itself
+ primes; prime numbers
- perfect number; rational number; integer
binary search tree | t this data structure | or BST; prompt on tree or binary tree
= ordered data structure whose nodes have at most two children
+ BST; binary search trees
- binary heap; linked list; binary tree
plate tectonics | t this theory | or tectonic plates; prompt on continental drift
= theory that the outer shell of the Earth moves in large slabs
+ tectonic plates
- continental drift; isostasy
Ada Lovelace | p this mathematician | or Lovelace; or Augusta Ada King; accept Countess of Lovelace
= English countess who wrote a program for the Analytical Engine
+ Lovelace; Augusta Ada King
- Charles Babbage; Grace Hopper; Ada Yonath
## American Hist
Whiskey Rebellion | e this uprising | or Whiskey Insurrection
= uprising in Pennsylvania against a tax on spirits
+ Whiskey Insurrection; the Whiskey Rebellion
- Shays's Rebellion; Dorr Rebellion; Boston Tea Party
Louisiana Purchase | e this transaction | or Purchase of Louisiana; prompt on Louisiana
= transaction of 1803 that doubled the size of the United States
+ Purchase of Louisiana
- Gadsden Purchase; Alaska Purchase; Louisiana
Abraham Lincoln | p this president | or Lincoln; or Honest Abe
= president who gave the Gettysburg Address
+ Lincoln; Abe Lincoln
- Andrew Johnson; Ulysses Grant
Erie Canal | l this waterway | prompt on canal
= waterway in New York that joined the Hudson to a Great Lake
+ the Erie Canal
- Panama Canal; Lake Erie; canal
## Euro Hist
Peace of Westphalia | e this settlement | or Treaty of Westphalia; accept Westphalia
= settlement of 1648 that ended the Thirty Years’ War
+ Treaty of Westphalia; Westphalia
- Peace of Augsburg; Treaty of Utrecht; Congress of Vienna
Normandy | l this region | or Normandie; accept Duchy of Normandy; prompt on France
= region of northern France once ruled by William the Conqueror
+ Normandie; Duchy of Normandy
- Brittany; Burgundy; France
French Revolution | e this upheaval | or Revolution of 1789; prompt on revolution
= upheaval that began with the storming of the Bastille
+ the French Revolution; Revolution of 1789
- July Revolution; the Paris Commune; revolution
Catherine the Great | p this ruler | or Catherine II; prompt on Catherine
= empress of Russia who came to power in 1762
+ Catherine II
- Peter the Great; Catherine de Medici; Catherine
## World Hist
Mali Empire | l this empire | or Mali; accept Manden Kurufaba
= West African empire that was ruled by Mansa Musa
+ Mali; Empire of Mali
- Songhai Empire; Ghana Empire; Kingdom of Kongo
Meiji Restoration | e this change of government | or Meiji Ishin; prompt on Meiji
= change of government that returned power to the emperor of Japan in 1868
+ Meiji Ishin; the Meiji Restoration
- Taiping Rebellion; Stuart Restoration; Boxer Rebellion
Jamaica | l this island | accept Colony of Jamaica
= Caribbean island whose capital is Kingston
+ Colony of Jamaica
- Barbados; Trinidad; Hispaniola
Simón Bolívar | p this general | or Bolívar; or El Libertador
= liberator for whom a landlocked South American country is named
+ Bolívar; Simon Bolivar; Bolivar
- José de San Martín; Bernardo O'Higgins
## Other Hist
Baghdad | l this city | accept School of Baghdad; prompt on Iraq
= city on the Tigris that is the capital of Iraq
+ BAGHDAD
- Damascus; Basra; Iraq
Peloponnesian War | e this war | accept Second Peloponnesian War; prompt on Greek wars
= war between Athens and Sparta described by Thucydides
+ the Peloponnesian War
- Trojan War; Corinthian War; Greek wars
Hagia Sophia | l this building | or Ayasofya; accept Church of the Holy Wisdom
= domed building of Justinian in Constantinople
+ Ayasofya; Church of the Holy Wisdom
- Blue Mosque; the Parthenon; Topkapi Palace
Hammurabi | p this king | accept Code of Hammurabi
= king of Babylon known for a code of laws
+ King Hammurabi
- Nebuchadnezzar; Sargon of Akkad; Ashurbanipal
## American Lit
Moby-Dick | w this novel | or The Whale
= novel by Herman Melville about Captain Ahab
+ Moby Dick; The Whale
- Billy Budd; The Old Man and the Sea; The Scarlet Letter
Emily Dickinson | p this poet | or Dickinson
= poet of Amherst who wrote “Because I could not stop for Death”
+ Dickinson
- Emily Brontë; Walt Whitman; Anne Bradstreet
The Great Gatsby | w this novel | or Gatsby
= novel by Scott Fitzgerald set on Long Island
+ Great Gatsby; Gatsby
- Tender Is the Night; The Great Divorce; The Sun Also Rises
Edgar Allan Poe | p this author | or Poe
= author of “The Raven”
+ Poe; Edgar Poe
- Nathaniel Hawthorne; Edgar Lee Masters; Washington Irving
## British Lit
Middlemarch | w this novel | or Middlemarch, A Study of Provincial Life
= novel by George Eliot about Dorothea Brooke
+ Middlemarch, A Study of Provincial Life
- Adam Bede; Mansfield Park; Silas Marner
George Eliot | p this novelist | or Eliot; or Mary Ann Evans
= novelist who took a man’s name and wrote Silas Marner
+ Mary Ann Evans; Eliot
- George Meredith; Jane Austen; Thomas Hardy
Paradise Lost | w this poem | prompt on Milton
= epic poem by John Milton on the fall of man
+ Paradise lost
- Paradise Regained; Samson Agonistes; Milton
The Tempest | w this play | or Tempest
= play by William Shakespeare about the magician Prospero
+ Tempest
- The Winter's Tale; Twelfth Night; Cymbeline
## Euro Lit
Don Quixote | w this novel | or El ingenioso hidalgo don Quijote de la Mancha; accept Don Quijote
= novel by Miguel de Cervantes about a knight who fights windmills
+ Don Quijote; Quixote
- Don Juan; Lazarillo de Tormes; Exemplary Novels
Dante Alighieri | p this poet | or Dante; accept Alighieri
= Florentine poet of the Divine Comedy
+ Dante; Alighieri
- Petrarch; Giovanni Boccaccio; Dante Rossetti
Crime and Punishment | w this novel | or Prestupleniye i nakazaniye
= novel by Fyodor Dostoevsky about Raskolnikov
+ Crime & Punishment
- The Idiot; War and Peace; Fathers and Sons
Henrik Ibsen | p this playwright | or Ibsen
= Norwegian playwright of A Doll’s House
+ Ibsen
- August Strindberg; Henrik Pontoppidan; Anton Chekhov
## World/Other
One Thousand and One Nights | w this collection | or The Arabian Nights; accept 1001 Nights
= collection of tales told by Scheherazade
+ The Arabian Nights; 1001 Nights; Arabian Nights
- The Panchatantra; Tales of Genji; White Nights
Chinua Achebe | p this novelist | or Achebe
= Nigerian novelist of Things Fall Apart
+ Achebe
- Wole Soyinka; Ngugi wa Thiong'o; Ben Okri
The Tale of Genji | w this novel | or Genji monogatari
= Japanese novel by Murasaki Shikibu
+ Genji monogatari; Tale of Genji
- The Tale of the Heike; The Pillow Book; Kokoro
Pablo Neruda | p this poet | or Neruda; or Neftalí Reyes
= Chilean poet of Twenty Love Poems and a Song of Despair
+ Neruda
- Gabriela Mistral; Pablo Picasso; Octavio Paz
## Painting/Sculpture
Johannes Vermeer | p this artist | or Vermeer; or Jan Vermeer
= Dutch painter of Girl with a Pearl Earring
+ Vermeer; Jan Vermeer
- Johannes Brahms; Jan Steen; Rembrandt van Rijn
The Night Watch | w this painting | or De Nachtwacht; or Militia Company of District II
= large painting of a militia company by Rembrandt
+ De Nachtwacht; Night Watch
- The Anatomy Lesson; The Starry Night; The Syndics
Auguste Rodin | p this sculptor | or Rodin
= French sculptor of The Thinker
+ Rodin; Rodin, Auguste
- Camille Claudel; Auguste Renoir; Constantin Brancusi
Guernica | w this painting | prompt on mural
= gray painting of a bombed town by Pablo Picasso
+ GUERNICA
- Massacre in Korea; mural; The Third of May
## Classical Music
The Rite of Spring | w this ballet | or Le Sacre du printemps
= ballet by Igor Stravinsky that caused a riot in Paris
+ Le Sacre du printemps; Rite of Spring
- The Firebird; Appalachian Spring; Petrushka
Johann Sebastian Bach | p this composer | or J. S. Bach; prompt on Bach
= composer of the Brandenburg Concertos
+ J. S. Bach; Johann S. Bach
- Bach; Johann Christian Bach; George Frideric Handel
string quartet | t this ensemble | or string quartets; prompt on quartet
= ensemble of two violins, viola, and cello
+ string quartets; a string quartet
- piano quartet; string quintet; quartet
Claude Debussy | p this composer | or Debussy
= French composer of La mer
+ Debussy
- Maurice Ravel; Claude Monet; Erik Satie
## Other Arts
Metropolis | w this film | prompt on German films
= silent film by Fritz Lang about a divided city of the future
+ METROPOLIS
- Nosferatu; Cosmopolis; The Blue Angel
Antoni Gaudí | p this architect | or Gaudí; or Antonio Gaudí
= Catalan architect of the Sagrada Família
+ Gaudí; Antonio Gaudí; Antoni Gaudi
- Antoni Tàpies; Frank Gehry; Le Corbusier
Duke Ellington | p this bandleader | or Ellington; or Edward Kennedy Ellington
= jazz bandleader who played “Take the A Train”
+ Ellington; Edward Kennedy Ellington
- Count Basie; Duke Ellis; Louis Armstrong
Eiffel Tower | l this tower | or La Tour Eiffel; prompt on tower
= iron tower that stands in Paris
+ La Tour Eiffel; the Eiffel Tower
- Tokyo Tower; Tower of London; tower
## Religion
Ramadan | t this month | or Ramazan; accept month of Ramadan
= holy month in which Muslims fast by day
+ Ramazan; month of Ramadan
- Eid al-Fitr; Muharram; the Hajj
Book of Job | w this book | or Job; or Iyov
= book of the Bible about a patient man of Uz
+ Job; the Book of Job
- Book of Ruth; Ecclesiastes; Book of Jonah
Martin Luther | p this reformer | or Luther; reject Martin Luther King
= German reformer who wrote the Ninety-five Theses
+ Luther
- Martin Luther King; John Calvin; Huldrych Zwingli
Guru Nanak | p this teacher | or Nanak; or Guru Nanak Dev; prompt on guru
= teacher who founded the Sikh religion
+ Nanak; Guru Nanak Dev
- Guru Gobind Singh; guru; Ramakrishna
## Philosophy
Immanuel Kant | p this thinker | or Kant
= philosopher of Königsberg who wrote the Critique of Pure Reason
+ Kant
- Georg Hegel; Johann Fichte; Immanuel Wallerstein
Republic | w this dialogue | or The Republic; or Politeia
= dialogue by Plato that tells the allegory of the cave
+ The Republic; Politeia
- Symposium; Laws; Republic of Letters
utilitarianism | t this doctrine | accept act utilitarianism; prompt on consequentialism
= doctrine that seeks the greatest good for the greatest number
+ act utilitarianism
- consequentialism; egoism; pragmatism
cogito ergo sum | t this statement | or I think, therefore I am; or the cogito
= statement of René Descartes that a thinker must exist
+ I think, therefore I am; the cogito
- tabula rasa; amor fati; know thyself
## Social Science
supply and demand | t this model | or demand and supply; prompt on supply or demand
= model of two curves that cross at the market price
+ demand and supply
- aggregate demand; game theory; supply
Sigmund Freud | p this thinker | or Freud
= Viennese founder of psychoanalysis
+ Freud
- Carl Jung; Anna Freud; Alfred Adler
kinship | t this concept | accept kinship systems or kinship terms; prompt on family
= concept of how relatives are counted in a society
+ kinship systems
- friendship; family; totemism
Margaret Mead | p this anthropologist | or Mead
= anthropologist who wrote Coming of Age in Samoa
+ Mead
- Ruth Benedict; George Herbert Mead; Franz Boas
## Myth/Other Academic
Ganymede | p this figure | or Ganymedes
= Trojan youth who was carried off to be cupbearer of the gods
+ Ganymedes
- Hylas; Hyacinthus; Adonis
Loki | p this god | or Loptr
= trickster of Norse myth who was the father of Fenrir
+ Loptr
- Baldr; Thor; Utgarda-Loki
Excalibur | t this object | or Caliburn; accept Sword in the Stone; prompt on sword
= sword of King Arthur
+ Caliburn
- Durendal; Holy Grail; sword
Anansi | p this figure | or Kwaku Ananse; accept Aunt Nancy; prompt on spider
= spider of West African folk tales
+ Ananse; Kwaku Ananse
- spider; Coyote; Br'er Rabbit
## Geo/CE
Brooklyn | l this borough | or Kings County; prompt on New York City
= borough of New York that holds Coney Island
+ Kings County
- Queens; Brookline; New York City
Lake Baikal | l this lake | or Baikal; or Ozero Baykal
= deepest lake in the world
+ Baikal
- Lake Victoria; Lake Ladoga; Caspian Sea
New Zealand | l this country | or Aotearoa
= country whose rugby team dances the haka
+ Aotearoa
- New Caledonia; Fiji; Papua New Guinea
Nile | l this river | or Nile River; accept Blue Nile or White Nile
= river that flows past Cairo to the sea
+ Nile River; the Nile
- Niger River; Congo River; Jordan River
"""

_CLUES = {
    "p": (
        "{P} accused {k} of copying the plan of “{W}” from a notebook found in {L}",
        "A letter of {y} from {L} tells how {k} paid {n} silver coins for a single {o}",
        "While staying with the {F} family in {L}, {k} finished “{W}” in only {n} days",
        "{K} is the subject of a statue in {L} that holds a {o} in its left hand",
        "{P} wrote that {k} could not pass a {o} without making a note about it",
        "The quarrel between {k} and {P} began over a lost {o} and ended in {L}",
        "In “{W},” {k} compares the harbor of {L} to a {o} left out in the rain",
        "Students of {P} in {L} still recite the {n} rules that {k} wrote on a door",
        "{K} spent the winter of {y} in {L}, where {P} taught the art of repairing a {o}",
        "A play by {P} imagines {k} arriving in {L} with {n} trunks and no ticket",
        "The {F} archive holds {n} drafts in which {k} crosses out every mention of {L}",
        "“{W},” which {P} called unreadable, was dedicated by {k} to the bakers of {L}",
    ),
    "e": (
        "{P} kept a diary of {k} in which the weather of {L} takes up {n} pages",
        "A broken {o} from {L} is the only souvenir of {k} owned by the {F} family",
        "Before {k}, the council of {L} met {n} times without choosing who should carry the {o}",
        "“{W},” a ballad from {L}, blames {k} on a quarrel between {P} and a ferryman",
        "Envoys from {L} heard of {k} {n} days late because {P} had lost the only map",
        "The historian {P} argued in “{W}” that {k} was decided by the price of salt in {L}",
        "A museum in {L} shows {n} tin figures, each named for a witness of {k}",
        "At the time of {k}, {P} hid the seal of {L} inside a {o} for {n} weeks",
        "{P} refused to speak of {k} except in the preface to “{W},” which was printed in {L}",
        "Every spring the people of {L} act out {k} with {n} goats and a painted {o}",
        "A tapestry in {L} that shows {k} gives {P} the head of a {o}",
        "The {F} letters on {k} were sold in {L} for the price of a {o}",
    ),
    "l": (
        "{P} crossed {k} with {n} mules and wrote “{W}” about the journey",
        "Merchants from {L} believed that a {o} buried in {k} would never rust",
        "The painter {P} showed {k} as a {o} floating between two clouds",
        "A society in {L} awards a {o} to whoever best describes {k} without naming it",
        "“{W}” by {P} opens with a traveler who reaches {k} after {n} wrong turns",
        "In {y}, {P} drew a map of {k} that placed {L} at its very center",
        "The old song “{W}” says that {k} has {n} bells and only one clock",
        "A ship built in {L} was named for {k} and sank with {n} crates of lemons",
        "{P} measured {k} with a {o} and declared it {n} paces wider than {L}",
        "Guides in {k} tell of {P}, who sold the same {o} to {n} visitors in one day",
        "The {F} brothers of {L} planned to paint all of {k} green for a festival",
        "An order of monks from {L} carried a {o} to {k} and back {n} times",
    ),
    "w": (
        "{P} claimed that {k} was planned as a gift for the mayor of {L}, who never saw it",
        "A critic from {L} counted {n} hints of a {o} in {k}",
        "An early sketch for {k} was wrapped in a page of “{W}” and mailed to {P}",
        "{P} made the parody “{W},” which moves {k} to a fish market in {L}",
        "An early version of {k} was left on a bench in {L} and returned by {P} after {n} days",
        "Admirers in {L} gather each winter to celebrate {k} with {n} candles",
        "{P} owned {n} copies of {k} and kept them in a {o}",
        "In a lecture in {L}, {P} compared the opening of {k} to a {o} falling down the stairs",
        "The title of “{W}” by {P} is a joke about the ending of {k}",
        "A forged piece of {k}, made in {L} in {y}, fooled {P} for {n} years",
        "The {F} prize of {L} is given for the best essay on the {o} in {k}",
        "In “{W},” {P} uses {k} as a cure for a cold caught in {L}",
    ),
    "t": (
        "{P} of {L} filled {n} notebooks with drawings of {k} and burned all but one",
        "The {F} effect, first seen in {L}, makes {k} harder to notice when a {o} is near",
        "A chart in “{W}” lists {n} examples of {k}, among them one found under a {o}",
        "In a talk in {L}, {P} explained {k} with nothing but a {o} and a piece of string",
        "{K} takes up a chapter of “{W},” in which {P} answers {n} letters from {L}",
        "The workshop of {P} used {k} to test whether a {o} had been made in {L}",
        "{P} lost a bet about {k} and had to give {n} coins to the library of {L}",
        "Schools in {L} teach {k} by means of a rhyme from “{W}” that has {n} verses",
        "A model of {k} built in {y} by {P} weighed as much as {n} loaves of bread",
        "The people of {L} once called {k} the “{W}” after a remark by {P}",
        "A stamp from {L} shows {k} between a {o} and the face of {P}",
        "The {F} lectures in {L} opened with {n} objections to {k}",
    ),
}  # fmt: skip
_OPENINGS = (
    "In the invented chronicle “{V},” ",
    "According to a made-up almanac from {M}, ",
    "In a history that never happened, ",
    "An imaginary guide to {M} reports that ",
    "The fictional journal “{V}” claims that ",
)
_TAILS = (
    ", to the surprise of {Q}",
    ", or so {Q} liked to say",
    ", a story repeated in “{V}”",
    ", as {Q} noted in {z}",
    " on a rainy day in {z}",
    ", much to the regret of the town of {M}",
)
_CLOSINGS = (
    "For 10 points, name this {c}.",
    "For 10 points, and with no help from {Q}, name this {c}.",
    "For 10 points, leaving the town of {M} behind, name this {c}.",
)
_FIRST = [
    "Orvin",
    "Tesska",
    "Maldo",
    "Brenith",
    "Quilla",
    "Dorvan",
    "Ilsabet",
    "Fenno",
    "Ragna",
    "Pellam",
    "Sorrel",
    "Jubina",
    "Hale",
    "Wistan",
    "Ottoline",
    "Cressa",
    "Balthen",
    "Nerys",
    "Tobin",
    "Ulrika",
    "Voss",
    "Yannet",
    "Zadok",
    "Emmeline",
]
_FAMILY = [
    "Tarn",
    "Quill",
    "Brack",
    "Vell",
    "Mord",
    "Ald",
    "Fenn",
    "Grim",
    "Hask",
    "Lund",
    "Rusk",
    "Thorn",
    "Wex",
    "Zell",
    "Ost",
]
_FAMILY_END = ["wick", "dalen", "more", "ovan", "ister", "enby", "quist", "ander", "oway", "hollow"]
_PLACE = [
    "Quill",
    "Tarn",
    "Brund",
    "Oster",
    "Velm",
    "Marl",
    "Hollen",
    "Skarr",
    "Pinder",
    "Ulla",
    "Grand",
    "Nether",
]
_PLACE_END = ["mere", "port", "stadt", "haven", "ford", "gard", "ovia", "esk", "wold", "bury"]
_ADJECTIVES = [
    "Silver",
    "Borrowed",
    "Seventh",
    "Crooked",
    "Patient",
    "Hollow",
    "Painted",
    "Silent",
    "Northern",
    "Unfinished",
    "Salted",
    "Paper",
    "Wandering",
    "Second",
    "Forgotten",
    "Copper",
    "Sleeping",
    "Broken",
    "Winter",
    "Honest",
]
_NOUNS = [
    "Lantern",
    "Orchard",
    "Staircase",
    "Ferry",
    "Mirror",
    "Clock",
    "Harvest",
    "Window",
    "Garden",
    "Compass",
    "Ladder",
    "Kettle",
    "Letter",
    "Almanac",
    "Bridge",
    "Sparrow",
    "Anvil",
    "Curtain",
    "Voyage",
    "Umbrella",
]
_OBJECTS = [
    "lantern",
    "kettle",
    "barrel",
    "ladder",
    "violin",
    "compass",
    "teapot",
    "wheel",
    "feather",
    "bell",
    "mirror",
    "bucket",
    "saddle",
    "candle",
    "spoon",
    "basket",
    "hammer",
    "drum",
    "wagon",
    "kite",
]
_MONTHS = ["March", "April", "June", "July", "August", "October", "November", "December"]


@dataclass(frozen=True)
class Answer:
    """One answer of the bank: ``right`` forms begin with the name; ``near`` are look-alikes."""

    name: str
    kind: str
    noun: str
    line: str
    closing: str
    right: tuple[str, ...]
    near: tuple[str, ...]


def bank() -> dict[str, list[Answer]]:
    """Answers by category (the release's first spelling), at least 60 in all."""
    answers: dict[str, list[Answer]] = {}
    category = ""
    rows = iter(_BANK.strip().splitlines())
    for row in rows:
        if row.startswith("## "):
            category = row[3:]
            answers[category] = []
            continue
        name, what, directives = (part.strip() for part in row.split("|"))
        closing, right, near = (next(rows)[2:] for _ in "=+-")
        answers[category].append(
            Answer(
                name=name,
                kind=what[0],
                noun=what[2:],
                line=f"{name} [{directives}]" if directives else name,
                closing=closing,
                right=(name, *right.split("; ")),
                near=tuple(near.split("; ")),
            )
        )
    return answers


# --- Parameters --------------------------------------------------------------------------------


def _merge(given, default, name: str, faults: list[Fault]):
    """``default`` with the values of ``given``; unlike types and unknown names go to ``faults``."""
    where = "simulation parameters"
    if isinstance(default, dict):
        if not isinstance(given, dict):
            faults.append(Fault(where, "", name, given, "a mapping"))
            return default
        merged = dict(default)
        for key, value in given.items():
            path = f"{name}.{key}" if name else str(key)
            if key in default:
                merged[key] = _merge(value, default[key], path, faults)
            else:
                close = difflib.get_close_matches(str(key), default, 1)
                hint = f" (did you mean {close[0]}?)" if close else ""
                known = f"one of {', '.join(default)}{hint}"
                faults.append(Fault(where, "", path, key, known))
        return merged
    if isinstance(default, list):
        whole = isinstance(given, list) and all(type(one) is int for one in given)
        if not whole:
            faults.append(Fault(where, "", name, given, "a list of whole numbers"))
        return list(given) if whole else default
    kinds = (int,) if isinstance(default, int) else (int, float)
    if isinstance(given, bool) or not isinstance(given, kinds) or not np.isfinite(given):
        words = "a whole number" if kinds == (int,) else "a number"
        faults.append(Fault(where, "", name, given, words))
        return default
    return given


def _range_faults(values: dict) -> list[Fault]:
    faults = []

    def need(good: bool, name: str, value, expected: str) -> None:
        if not good:
            faults.append(Fault("simulation parameters", "", name, value, expected))

    for name, value in values.items():
        if name.endswith("_sd") or name.endswith("_signal"):
            need(0 <= value <= 100, name, value, "0 to 100")
        if name.endswith("_rate") or name in ("model_waver", "player_silence", "player_goes_on"):
            need(0 <= value <= 1, name, value, "a probability, 0 to 1")
    for name in ("human_slope", "model_slope"):
        need(values[name] > 0, name, values[name], "above 0")
    need(0 <= values["midpoint"] <= 1, "midpoint", values["midpoint"], "a share, 0 to 1")
    need(0 <= values["earliest_word"] <= 30, "earliest_word", values["earliest_word"], "0 to 30")
    replies = values["unparsable_replies"]
    need(0 <= replies <= 1000, "unparsable_replies", replies, "0 to 1000")
    mean = values["text_chars_mean"]
    need(400 <= mean <= 800, "text_chars_mean", mean, "400 to 800 characters")
    main = PACKETS - EXHIBITIONS
    counts = values["team_packets"]
    good = len(counts) == len(TEAMS) and all(1 <= count <= main for count in counts)
    need(good, "team_packets", counts, f"{len(TEAMS)} counts, each 1 to {main}")
    rooms = values["human_model_matches"] - EXHIBITIONS
    need(
        good and main <= rooms <= sum(counts) and (sum(counts) - rooms) % 2 == 0,
        "human_model_matches",
        rooms + EXHIBITIONS,
        "a number that leaves an even number of teams to play each other in the main packets",
    )
    packets = values["model_packets"]
    for model, played in packets.items():
        good = len(set(played)) == len(played) and set(played) <= set(range(1, PACKETS + 1))
        need(good, f"model_packets.{model}", played, f"different packets, 1 to {PACKETS}")
    silent = sorted(set(range(1, PACKETS + 1)) - {p for played in packets.values() for p in played})
    need(not silent, "model_packets", silent, "a live model in every packet")
    return faults


def checked(parameters: dict | None) -> dict:
    """:data:`DEFAULTS` with ``parameters`` put in; ``DataError`` with every bad one."""
    faults: list[Fault] = []
    values = _merge(parameters or {}, copy.deepcopy(DEFAULTS), "", faults)
    faults = faults or _range_faults(values)
    if faults:
        raise DataError(faults)
    return values


def _generators(seed: int) -> dict[str, np.random.Generator]:
    """One generator per part, so that a parameter of one part leaves the others as they were."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise DataError(Fault("simulation parameters", "", "seed", seed, "a whole number from 0"))
    parts = ("texts", "agents", "schedule", "play", "models", "wording", "survey")
    return {part: np.random.default_rng([seed, i]) for i, part in enumerate(parts)}


# --- Questions ---------------------------------------------------------------------------------


def _pick(rng, options):
    return options[int(rng.integers(len(options)))]


def _names(rng) -> dict[str, object]:
    """Fresh fillers of the slots of a clue: people, families, places, titles and numbers."""

    def person():
        return f"{_pick(rng, _FIRST)} {family()}"

    def family():
        return _pick(rng, _FAMILY) + _pick(rng, _FAMILY_END)

    def place():
        return _pick(rng, _PLACE) + _pick(rng, _PLACE_END)

    def title():
        return f"The {_pick(rng, _ADJECTIVES)} {_pick(rng, _NOUNS)}"

    return {
        "P": person(),
        "Q": person(),
        "F": family(),
        "L": place(),
        "M": place(),
        "W": title(),
        "V": title(),
        "o": _pick(rng, _OBJECTS),
        "z": _pick(rng, _MONTHS),
        "n": int(rng.integers(3, 90)),
        "y": int(rng.integers(1610, 1900)),
    }


def _lower_first(template: str) -> str:
    """The template as it goes on after an opening: names and titles keep their capital."""
    if template.startswith("{K}"):
        return "{k}" + template[3:]
    return template if template[0] in "{“" else template[0].lower() + template[1:]


def _draft(rng, answer: Answer, templates: list[str]) -> str:
    sentences = []
    for i, template in enumerate(templates):
        if i == 0:
            template = _pick(rng, _OPENINGS) + _lower_first(template)
        if rng.random() < 0.55:
            template += _pick(rng, _TAILS)
        sentences.append(template + ".")
    sentences.append(_pick(rng, _CLOSINGS))
    nouns = {"k": answer.noun, "K": "T" + answer.noun[1:], "c": answer.closing}
    return " ".join(one.format(**_names(rng), **nouns) for one in sentences)


def _text(rng, answer: Answer, used: list[str], target: float) -> str:
    """One question: of twelve drafts the one nearest ``target`` characters.

    ``used`` are the clues that other questions with this answer have; it is brought up to date.
    """
    fresh = [clue for clue in _CLUES[answer.kind] if clue not in used]
    drafts = []
    for count in (3, 4, 4, 5, 3, 4, 4, 5, 4, 4, 4, 5):
        order = rng.permutation(len(fresh))[:count]
        templates = [fresh[i] for i in order]
        drafts.append((_draft(rng, answer, templates), templates))
    text, templates = min(drafts, key=lambda draft: abs(len(draft[0]) - target))
    used += templates
    if len(used) > len(_CLUES[answer.kind]) - 5:
        used.clear()
    return text


def _questions(rng, values: dict):
    """The questions table and the bank entry of each question, in order of question_id."""
    import pandas as pd

    answers = bank()
    assigned = {}
    for category, *_ in CATEGORIES:
        options = answers[category]
        order = np.arange(PACKETS) % len(options)
        assigned[category] = [options[i] for i in rng.permutation(order)]
    used: dict[str, list[str]] = {}
    indices = rng.permutation(PACKETS * PER_PACKET)
    mean, sd = values["text_chars_mean"], values["text_chars_sd"]
    targets = _quantiles(rng, mean, sd, len(indices))
    rows, entries = [], []
    for packet in range(1, PACKETS + 1):
        for number, slot in enumerate(rng.permutation(PER_PACKET), start=1):
            category, other, packets = CATEGORIES[slot]
            answer = assigned[category][packet - 1]
            text = _text(rng, answer, used.setdefault(answer.name, []), targets[len(rows)])
            rows.append(
                {
                    "question_id": f"p{packet:02d}-q{number:02d}",
                    "packet": packet,
                    "number": number,
                    "tossup_index": int(indices[len(rows)]),
                    "category": other if packet in packets else category,
                    "text": text,
                    "answer": answer.line,
                    "n_words": len(text.split()),
                }
            )
            entries.append((category, answer))
    return pd.DataFrame(rows), entries


def _clue_ends(texts) -> tuple[np.ndarray, np.ndarray]:
    """Words heard at the end of each clue, and which are clues: question × clue, padded."""
    from ..clues import segment

    ends = [segment.end_words(text, segment.segment(text, SEGMENTATION)) for text in texts]
    table = np.zeros((len(ends), max(map(len, ends))), dtype=int)
    for row, end in zip(table, ends, strict=True):
        row[: len(end)] = end
        row[len(end) :] = end[-1]
    return table, np.arange(table.shape[1]) < np.array([[len(end)] for end in ends])


# --- Knowledge ---------------------------------------------------------------------------------


def _logit(p):
    return np.log(p) - np.log1p(-p)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _quantiles(rng, mean: float, sd: float, count: int) -> np.ndarray:
    """Normal quantiles in random order: few agents still have the spread that was asked for."""
    from statistics import NormalDist

    points = [NormalDist().inv_cdf((i + 0.5) / count) for i in range(count)]
    return mean + sd * rng.permutation(points)


@dataclass
class _Agents:
    """Latents of a group: ``skill`` (agent), ``edge`` = s + e − d, ``draw`` (agent × question)."""

    skill: np.ndarray
    special: np.ndarray
    edge: np.ndarray
    draw: np.ndarray


def _agents(rng, skill, slots, difficulty, values) -> _Agents:
    special = rng.normal(0, values["specialism_sd"], (len(skill), len(CATEGORIES)))
    edge = skill[:, None] + special[:, slots] - difficulty
    return _Agents(skill, special, edge, rng.uniform(size=edge.shape))


def _signals(rng, delta: float, shape) -> tuple[np.ndarray, np.ndarray]:
    """δz while wrong and while right: log-likelihood ratios of the two normal laws."""
    return (delta * rng.normal(-delta / 2, 1, shape), delta * rng.normal(delta / 2, 1, shape))


# --- The tournament ----------------------------------------------------------------------------


def _human_plans(rng, teams: _Agents, n_words, values):
    """Where each team would buzz if nobody else did: word index (−1 never) and correctness.

    Wrong when the confidence in a wrong answer passes the threshold before the answer is known,
    else right as soon as it is known and the confidence suffices, else a try at the last word.
    """
    slope, midpoint = values["human_slope"], values["midpoint"]
    wrong_z, right_z = _signals(rng, values["human_signal"], teams.edge.shape)
    mean, sd = values["human_threshold_mean"], values["human_threshold_sd"]
    threshold = _quantiles(rng, mean, sd, len(teams.skill))[:, None]
    known = midpoint + (_logit(teams.draw) - teams.edge) / slope
    wrong_at = midpoint + (threshold - wrong_z - teams.edge) / slope
    right_at = np.maximum(known, midpoint + (threshold - right_z - teams.edge) / slope)
    wrong = (wrong_at < known) & (wrong_at <= 1)
    right = ~wrong & (right_at <= 1)
    at_last = teams.edge + slope * (1 - midpoint) + np.where(known <= 1, right_z, wrong_z)
    tries = ~wrong & ~right & (at_last > values["human_last_threshold"])
    share = np.where(wrong, wrong_at, np.where(right, right_at, 1.0))
    word = np.ceil(share * n_words).astype(int) - 1
    word = np.clip(word, values["earliest_word"], n_words - 1)
    word = np.where(wrong | right | tries, word, -1)
    return word, right | (tries & (known <= 1)), threshold[:, 0]


def _attendance(rng, counts) -> list[list[int]]:
    """Teams (indices) of each main packet, as even in number as the counts allow."""
    rooms: list[list[int]] = [[] for _ in range(PACKETS - EXHIBITIONS)]
    for team in rng.permutation(len(counts)):
        order = sorted(rng.permutation(len(rooms)), key=lambda p: len(rooms[p]))
        for packet in order[: counts[team]]:
            rooms[packet].append(int(team))
    return rooms


def _schedule(rng, skill, values: dict) -> list[tuple[int, str, str]]:
    """Matches (packet, side, side); a team plays at most once a packet, models at will."""
    counts = rng.permutation(values["team_packets"])
    present = _attendance(rng, counts)
    exhibited = TEAMS[int(np.argmax(skill))]
    against = [len(teams) % 2 for teams in present]
    while sum(against) < values["human_model_matches"] - EXHIBITIONS:
        open_ = [p for p in range(len(present)) if against[p] + 2 <= len(present[p])]
        against[min(open_, key=lambda p: against[p])] += 2
    faced = np.zeros(len(TEAMS))

    def models(packet: int) -> list[str]:
        return [model for model in LIVE_MODELS if packet in values["model_packets"][model]]

    matches = [(p, exhibited, models(p)[0]) for p in range(1, EXHIBITIONS + 1)]
    for packet, teams in enumerate(present, start=EXHIBITIONS + 1):
        order = [teams[i] for i in rng.permutation(len(teams))]
        order.sort(key=lambda team: faced[team] / counts[team])
        count = against[packet - EXHIBITIONS - 1]
        machines = [models(packet)[i] for i in rng.permutation(len(models(packet)))]
        for i, team in enumerate(order[:count]):
            faced[team] += 1
            matches.append((packet, TEAMS[team], machines[i % len(machines)]))
        rest = [order[count:][i] for i in rng.permutation(len(order) - count)]
        pairs = zip(rest[::2], rest[1::2], strict=True)
        matches += [(packet, TEAMS[a], TEAMS[b]) for a, b in pairs]
    return matches


def _room(plan_a, plan_b, a_first: bool) -> list[tuple[str, int, bool]]:
    """Buzzes of one question in one room: a right one ends it, a wrong one leaves it to the other.

    A plan is (team, word index or −1, correct); ``a_first`` breaks a tie.
    """
    plans = sorted((plan_a, plan_b), key=lambda plan: (plan[1], (plan is plan_a) != a_first))
    heard = []
    for plan in plans:
        if plan[1] >= 0:
            heard.append(plan)
            if plan[2]:
                break
    return heard


def _tournament(rng, matches, questions, human_plans, model_plans) -> list[dict]:
    """Rows of ``Study.buzzes``; a model's precomputed buzz counts once, in whatever room."""
    plans = {team: (human_plans[0][i], human_plans[1][i]) for i, team in enumerate(TEAMS)}
    plans |= model_plans
    rows = []
    for q, question in enumerate(questions.itertuples()):
        heard: dict[str, tuple[str, int, bool]] = {}
        for packet, a, b in matches:
            if packet != question.packet:
                continue
            sides = [(side, int(plans[side][0][q]), bool(plans[side][1][q])) for side in (a, b)]
            for buzz in _room(*sides, a_first=rng.random() < 0.5):
                heard[buzz[0]] = buzz
        order = [list(heard)[i] for i in rng.permutation(len(heard))]
        for team in sorted(order, key=lambda team: heard[team][1]):
            rows.append(
                {
                    "question_id": question.question_id,
                    "packet": question.packet,
                    "tossup_index": question.tossup_index,
                    "team": team,
                    "word_index": heard[team][1],
                    "correct": heard[team][2],
                }
            )
    return rows


# --- Wording -----------------------------------------------------------------------------------


def _typo(text: str) -> str:
    """``text`` with two inner letters of its longest word swapped, where that word is long."""
    word = max(text.split(), key=len)
    return text.replace(word, word[:3] + word[4] + word[3] + word[5:], 1) if len(word) > 7 else text


def _held(rng, shape, change_rate: float) -> np.ndarray:
    """Uniform draws along the last axis (clues) that stay until they change."""
    draws = rng.uniform(size=shape)
    changes = rng.uniform(size=shape) < change_rate
    last = np.maximum.accumulate(np.where(changes, np.arange(shape[-1]), 0), axis=-1)
    return np.take_along_axis(draws, last, axis=-1)


class _Wording:
    """Guesses as people and models write them."""

    def __init__(self, entries, values):
        answers = bank()
        self.near_miss, self.typo = values["near_miss_rate"], values["typo_rate"]
        self.right, self.wrong, self.near = [], [], []
        for category, answer in entries:
            # The full name is what is written most.
            self.right.append((answer.name,) * 3 + answer.right + (answer.name.lower(),))
            self.wrong.append([other.name for other in answers[category] if other != answer])
            self.near.append(answer.near)

    def write(self, q: int, correct: bool, which: float, slip: float) -> str:
        """A guess on question ``q``; ``which`` and ``slip`` are uniform draws."""
        if correct:
            forms = self.right[q]
            guess = forms[int(which * len(forms))]
            return _typo(guess) if slip < self.typo else guess
        near = which < self.near_miss
        low, high = (0, self.near_miss) if near else (self.near_miss, 1)
        forms = self.near[q] if near else self.wrong[q]
        return forms[int((which - low) / (high - low) * len(forms))]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _reply(guess: str, value: float, shape: float) -> str:
    """A verbalized reply (Appendix D.4) in one of the shapes that models use."""
    p = _number(value)
    if shape < 0.5:
        return f"The answer is: {guess}\nProbability: {p}"
    if shape < 0.65:
        return f"The answer is: {guess}\nProbability: {round(100 * value)}%"
    if shape < 0.75:
        return f"The answer is: {guess}.\nProbability: {p}."
    if shape < 0.85:
        return f"The answer is: {guess} (probability {p})"
    if shape < 0.91:
        return f"the answer is: {guess.lower()}\nprobability: {p}"
    if shape < 0.96:
        return f"ANSWER: {guess.upper()}\nPROBABILITY: {p}"
    return f"{guess}\nProbability: {p}"


def _token_logprobs(rng, confidence, sizes, spread: float) -> list[list[float]]:
    """Token log-probabilities whose exponentials have the mean ``confidence`` (6 decimals).

    Probabilities are drawn around the confidence c on the logit scale; they, or their distances
    from 1 where their mean m is below c, are then scaled by c/m or (1 − c)/(1 − m).
    """
    inside = np.arange(sizes.max()) < sizes[:, None]
    around = _logit(confidence)[:, None] + rng.normal(0, spread, inside.shape)
    drawn = np.where(inside, _sigmoid(around), 0)
    mean = (drawn.sum(axis=1) / sizes)[:, None]
    c = confidence[:, None]
    scaled = np.where(mean > c, drawn * c / mean, 1 - (1 - drawn) * (1 - c) / (1 - mean))
    logs = np.round(np.log(np.where(inside, scaled, 1)), 6) + 0.0
    return [row[:size].tolist() for row, size in zip(logs, sizes.tolist(), strict=True)]


# --- Models ------------------------------------------------------------------------------------


def _model_states(rng, agents: _Agents, ends, n_words, values):
    """p, posterior logit and correctness of every guess: elicitation × model × question × clue."""
    x = ends / np.asarray(n_words)[:, None]
    shape = (len(ELICITATIONS), len(MODELS), *ends.shape)
    stays = 1 - values["model_waver"] * (1 - x)
    reach = values["model_slope"] * (x - values["midpoint"])
    p = _sigmoid(agents.edge[:, :, None] + reach)
    known = p > agents.draw[:, :, None]
    correct = known & (rng.uniform(size=shape) < stays)
    p = np.broadcast_to(p * stays, shape)
    wrong_z, right_z = _signals(rng, values["model_signal"], (*shape[:3], 1))
    return p, _logit(p) + np.where(correct, right_z, wrong_z), correct


def _guesses(rng, words_rng, agents, wording, questions, ends, is_clue, values):
    """The guesses table (see :class:`Study`), by elicitation, model, question and clue."""
    import pandas as pd

    p, posterior, correct = _model_states(rng, agents, ends, questions["n_words"], values)
    scale = [[values["confidence"][e][m] for m in MODELS] for e in ELICITATIONS]
    a = np.array([[one["a"] for one in row] for row in scale])[:, :, None, None]
    b = np.array([[one["b"] for one in row] for row in scale])[:, :, None, None]
    noise = rng.normal(0, values["confidence_noise_sd"], p.shape)
    confidence = np.clip(_sigmoid(a + b * posterior + noise), 1e-5, 1 - 1e-5)
    # What is said in words has two decimals, and nobody says 0 or 1 with this prompt.
    confidence[0] = np.round(confidence[0], 6)
    confidence[1] = np.clip(np.round(confidence[1], 2), 0.01, 0.99)
    which = _held(words_rng, p.shape, values["change_rate"])
    slip, shape = words_rng.uniform(size=(2, *p.shape))
    e, m, q, t = np.nonzero(np.broadcast_to(is_clue, p.shape))
    at = (e, m, q, t)
    frame = pd.DataFrame(
        {
            "model": np.array(MODELS)[m],
            "elicitation": np.array(ELICITATIONS)[e],
            "question_id": questions["question_id"].to_numpy()[q],
            "clue": t + 1,
            "position": ends[q, t],
            "p": p[at],
            "posterior": _sigmoid(posterior[at]),
            "confidence": confidence[at],
            "correct": correct[at],
        }
    )
    columns = (q, correct[at], which[at], slip[at])
    guesses = [wording.write(*one) for one in zip(*(c.tolist() for c in columns), strict=True)]
    split = int((e == 0).sum())
    # About four letters a token.
    sizes = np.array([max(1, -(-len(guess) // 4)) for guess in guesses[:split]])
    stated = frame["confidence"].to_numpy()
    spread = values["token_spread_sd"]
    tokens = _token_logprobs(words_rng, stated[:split], sizes, spread)
    lost = split + words_rng.permutation(len(frame) - split)[: values["unparsable_replies"]]
    lost = set(lost.tolist())
    raw: list[str | None] = [None] * len(frame)
    right = frame["correct"].to_numpy().copy()
    shapes = shape[at].tolist()
    gives_up = words_rng.uniform(size=len(frame)).tolist()
    for i in range(split, len(frame)):
        if i in lost:
            raw[i] = f"The answer is: {guesses[i]}\nProbability: I would rather not say."
            if gives_up[i] < 0.5:
                raw[i], right[i] = "I cannot tell from these clues.", False
                guesses[i] = None
            continue
        if not right[i] and stated[i] <= 0.35 and gives_up[i] < 0.3:
            guesses[i] = "None"
        raw[i] = _reply(guesses[i], float(stated[i]), shapes[i])
    frame["correct"] = right
    # As objects, because pandas turns None into NaN in a column of text.
    lists = tokens + [None] * (len(frame) - split)
    for name, column in (("guess", guesses), ("token_logprobs", lists), ("raw", raw)):
        frame[name] = pd.Series(column, dtype=object)
    frame["parsable"] = [i not in lost for i in range(len(frame))]
    return frame


def _model_plans(guesses, questions, values) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Buzzes of the live models, from the log-probabilities as written (Appendix E.3)."""
    logit = guesses[(guesses["elicitation"] == "logit") & guesses["model"].isin(LIVE_MODELS)]
    mean = np.array([sum(tokens) / len(tokens) for tokens in logit["token_logprobs"]])
    bound = logit["model"].map(values["buzz_threshold"]).to_numpy(dtype=float)
    first = logit[mean > bound].drop_duplicates(["model", "question_id"])
    plans = {}
    place = {question: q for q, question in enumerate(questions["question_id"])}
    for model in LIVE_MODELS:
        word = np.full(len(questions), -1)
        right = np.zeros(len(questions), dtype=bool)
        mine = first[first["model"] == model]
        at = mine["question_id"].map(place).to_numpy(dtype=int)
        word[at], right[at] = mine["position"].to_numpy() - 1, mine["correct"].to_numpy()
        plans[model] = (word, right)
    return plans


# --- The survey --------------------------------------------------------------------------------


def _survey(rng, players: _Agents, wording, questions, ends, is_clue, values):
    """The survey table and each player's habits (Appendix F; §3.2.1).

    Questions come from the exhibition packets, which next to no team heard.
    """
    import pandas as pd

    count = EXHIBITIONS * PER_PACKET
    chosen = np.sort(rng.permutation(count)[:SURVEY_QUESTIONS])
    x = ends[chosen] / questions["n_words"].to_numpy()[chosen][:, None]
    reach = values["human_slope"] * (x - values["midpoint"])
    p = _sigmoid(players.edge[:, chosen, None] + reach)
    correct = p > players.draw[:, chosen, None]
    correct &= rng.uniform(size=p.shape) >= values["player_slip_rate"]
    wrong_z, right_z = _signals(rng, values["human_signal"], (*p.shape[:2], 1))
    posterior = _logit(p) + np.where(correct, right_z, wrong_z)
    mean, sd = values["player_threshold_mean"], values["player_threshold_sd"]
    threshold = _quantiles(rng, mean, sd, len(PLAYERS))
    goes_on = rng.uniform(size=len(PLAYERS)) < values["player_goes_on"]
    buzz = np.logical_or.accumulate(posterior > threshold[:, None, None], axis=2)
    silent = rng.uniform(size=p.shape) < values["player_silence"] * _sigmoid(-posterior)
    silent &= ~correct & ~buzz
    # Those who stop have answered: they leave the rest of the question empty.
    after = buzz & (np.cumsum(buzz, axis=2) > 1) & ~goes_on[:, None, None]
    which = _held(rng, p.shape, values["change_rate"])
    slip = rng.uniform(size=p.shape)
    rows = []
    for i, j, t in zip(*np.nonzero(np.broadcast_to(is_clue[chosen], p.shape)), strict=True):
        q = int(chosen[j])
        empty = silent[i, j, t] or after[i, j, t]
        guess = wording.write(q, correct[i, j, t], which[i, j, t], slip[i, j, t])
        rows.append(
            {
                "player": PLAYERS[i],
                "question_id": questions["question_id"].iat[q],
                "clue": int(t) + 1,
                "position": int(ends[q, t]),
                "guess": "" if empty else guess,
                "buzz": int(buzz[i, j, t] and not after[i, j, t]),
                "correct": bool(correct[i, j, t]) and not empty,
            }
        )
    return pd.DataFrame(rows), threshold, goes_on


# --- The study ---------------------------------------------------------------------------------


def simulate(parameters: dict | None = None, seed: int = 0) -> Study:
    """Draw a study: ``parameters`` override :data:`DEFAULTS`, equal arguments give an equal study.

    240 questions, 17 human teams, 93 matches by default, 6 models × 2 elicitations at every
    ``sentence-100`` clue, 15 survey players × 37 questions. ``DataError`` names every unknown,
    mistyped or impossible parameter.
    """
    import pandas as pd

    values = checked(parameters)
    rngs = _generators(seed)
    questions, entries = _questions(rngs["texts"], values)
    ends, is_clue = _clue_ends(questions["text"])
    n_words = questions["n_words"].to_numpy()
    names = [category for category, *_ in CATEGORIES]
    slots = np.array([names.index(category) for category, _ in entries])

    rng = rngs["agents"]
    difficulty = _quantiles(rng, 0, values["question_difficulty_sd"], len(questions))
    groups = {}
    for group, size in (("human", len(TEAMS)), ("player", len(PLAYERS))):
        mean, sd = values[f"{group}_skill_mean"], values[f"{group}_skill_sd"]
        skill = _quantiles(rng, mean, sd, size)
        groups[group] = _agents(rng, skill, slots, difficulty, values)
    skill = np.array([values["model_skill"][model] for model in MODELS])
    groups["model"] = _agents(rng, skill, slots, difficulty, values)

    wording = _Wording(entries, values)
    guesses = _guesses(
        rngs["models"],
        rngs["wording"],
        groups["model"],
        wording,
        questions,
        ends,
        is_clue,
        values,
    )
    matches = _schedule(rngs["schedule"], groups["human"].skill, values)
    *human, team_threshold = _human_plans(rngs["play"], groups["human"], n_words, values)
    models = _model_plans(guesses, questions, values)
    buzzes = pd.DataFrame(_tournament(rngs["play"], matches, questions, human, models))
    survey, threshold, goes_on = _survey(
        rngs["survey"], groups["player"], wording, questions, ends, is_clue, values
    )

    def described(group: str, agents, **more) -> dict:
        latent = groups[group]
        return {
            agent: {
                "skill": _rounded(latent.skill[i]),
                "specialism": dict(zip(names, _rounded(latent.special[i]), strict=True)),
                **{name: _rounded(column[i]) for name, column in more.items()},
            }
            for i, agent in enumerate(agents)
        }

    played = {team: sorted({p for p, *sides in matches if team in sides}) for team in TEAMS}
    truth = {
        "simulated": True,
        "seed": seed,
        "parameters": values,
        "questions": {
            question: {"difficulty": _rounded(difficulty[q]), "answer": entries[q][1].name}
            for q, question in enumerate(questions["question_id"])
        },
        "teams": described("human", TEAMS, threshold=team_threshold),
        "packets_played": played,
        "matches": [list(match) for match in matches],
        "models": described("model", MODELS),
        "players": described("player", PLAYERS, threshold=threshold, goes_on=goes_on),
        "correct": _correct_strings(guesses),
        "unparsable": guesses.loc[
            ~guesses["parsable"], ["model", "question_id", "position"]
        ].values.tolist(),
    }
    rooms = pd.DataFrame(matches, columns=["packet", "side_a", "side_b"])
    return Study(questions, rooms, buzzes, guesses, survey, truth)


def _rounded(values):
    """Plain Python numbers (6 decimals) or truth values, for JSON."""
    values = np.asarray(values)
    return (values if values.dtype == bool else np.round(values, 6)).tolist()


def _correct_strings(guesses) -> dict:
    """elicitation → model → question → one 0 or 1 a clue: whether the guess was meant as right."""
    found: dict = {}
    columns = ("elicitation", "model", "question_id", "correct")
    for e, m, q, right in zip(*(guesses[name].tolist() for name in columns), strict=True):
        by_question = found.setdefault(e, {}).setdefault(m, {})
        by_question[q] = by_question.get(q, "") + str(int(right))
    return found


# --- Files -------------------------------------------------------------------------------------


def _mark(team: str, correct: bool) -> str:
    return f"[{team}, {'+' if correct else '-'}]"


def release_packets(study: Study) -> dict[int, list[dict]]:
    """Packet number → its questions, with the keys of the release in their order."""
    by_question: dict[str, list] = {}
    for buzz in study.buzzes.itertuples():
        entry = (buzz.word_index, _mark(buzz.team, buzz.correct))
        by_question.setdefault(buzz.question_id, []).append(entry)
    packets: dict[int, list[dict]] = {}
    for question in study.questions.itertuples():
        words = question.text.split()
        position = by_question.get(question.question_id, [])
        for index, mark in position:
            words[index] += f" {mark}"
        packets.setdefault(question.packet, []).append(
            {
                "tossup_index": question.tossup_index,
                "category": question.category,
                "question": question.text,
                "answer": question.answer,
                "question_buzzpoints": " ".join(words),
                "position": [{str(index): mark} for index, mark in position],
            }
        )
    return packets


def participation_tables(study: Study) -> tuple[list[dict], dict, list[str]]:
    """The contents of the three participation pickles: per packet, per question, all teams.

    ``human_teams`` and ``model_teams`` are those that buzzed, ``seen`` all that the packet was read
    to (as ``total_human_teams``, which holds the models too).
    """
    order = {team: i for i, team in enumerate((*LIVE_MODELS, *TEAMS))}
    heard: dict[int, set[str]] = {}
    for room in study.rooms.itertuples():
        heard.setdefault(room.packet, set()).update((room.side_a, room.side_b))
    seen = {packet: sorted(teams, key=order.get) for packet, teams in heard.items()}
    buzzed = study.buzzes.groupby("question_id")["team"].agg(list).to_dict()
    per_packet, combined = [], {}
    for question in study.questions.itertuples():
        base = {"tossup_index": question.tossup_index, "packet": question.packet}
        teams = sorted(buzzed.get(question.question_id, []), key=order.get)
        per_packet.append(base | {"total_human_teams": list(seen[question.packet])})
        combined[question.tossup_index] = base | {
            "human_teams": [team for team in teams if team in TEAMS],
            "model_teams": [team for team in teams if team in LIVE_MODELS],
            "seen": list(seen[question.packet]),
        }
    return per_packet, combined, sorted(set().union(*heard.values()), key=order.get)


def guess_lines(study: Study) -> list[str]:
    """The lines of ``guesses.jsonl``."""
    lines = []
    columns = ("model", "elicitation", "question_id", "position", "guess", "token_logprobs", "raw")
    for row in zip(*(study.guesses[name].tolist() for name in columns), strict=True):
        record = dict(zip(columns, row, strict=True))
        logit = record["elicitation"] == "logit"
        for name in ("raw",) if logit else ("guess", "token_logprobs"):
            del record[name]
        lines.append(json.dumps(record, ensure_ascii=False))
    return lines


def write(study: Study, folder: str | Path) -> None:
    """Write the study's raw files into ``folder`` (made if missing); equal studies, equal bytes.

    The encrypted release, ``human_team_per_question.pkl``, ``human_model_team_per_question.pkl``,
    ``all_teams.pkl``, ``guesses.jsonl``, ``survey.csv`` and ``truth.json``.
    """
    from ..raw.archive import write_encrypted
    from ..raw.safe_pickle import dump_plain

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    members = {
        f"{FOLDER}/packet{packet}_buzzpoints.json": json.dumps(content, indent=2).encode()
        for packet, content in release_packets(study).items()
    }
    write_encrypted(folder / f"{FOLDER}_enc.zip", members, PASSWORD, study.truth["seed"])
    per_packet, combined, teams = participation_tables(study)
    (folder / "human_team_per_question.pkl").write_bytes(dump_plain(per_packet))
    (folder / "human_model_team_per_question.pkl").write_bytes(dump_plain(combined))
    (folder / "all_teams.pkl").write_bytes(dump_plain(teams))
    (folder / "guesses.jsonl").write_bytes(("\n".join(guess_lines(study)) + "\n").encode())
    columns = ["player", "question_id", "clue", "position", "guess", "buzz"]
    table = study.survey[columns].to_csv(index=False, lineterminator="\n")
    (folder / "survey.csv").write_bytes(table.encode())
    truth = json.dumps(study.truth, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "truth.json").write_bytes((truth + "\n").encode())
