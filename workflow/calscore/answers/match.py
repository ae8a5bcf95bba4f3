"""Answer equivalence: parse a quizbowl answer line and judge a guess against it.

A model's guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t), and the
answer line tells the moderator so: ``Nazi party [or NSDAP; prompt on fascists; do not accept
"Falange"]``. :func:`parse` turns the line into a small tree, :func:`judge` decides one guess, and
:func:`judge_pairs` a table of them. Nothing here is learned, and nothing knows a question's text
except :func:`condition_met`, which tells which of a line's conditions ("until X is read") are
past.

How a guess is decided, first match wins: an empty guess; the same words as an alternative, with
articles kept; the same words by a key of :class:`_Norm` (number words, Roman numerals, spelling,
order, plurals, spacing), in both cases reject before accept before prompt before an alternative
whose condition is past; then the best of what a derived wording, a person's name, a fuller guess
or, failing these, a misspelling suggests; then, where the line asks for it, a partial answer. A
guess that only drops or adds distinguishing words is rejected. :data:`RULES` says what each rule
has seen and :data:`CERTAIN` which of them a learned score must not overrule.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import Stemmer
from anyascii import anyascii
from rapidfuzz.distance import OSA

from ..core.errors import DataError, Fault

# --------------------------------------------------------------------------- lexicons


def _list(text: str) -> list[str]:
    return text.split()


def _phrases(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(";")]


def _words(text: str) -> frozenset[str]:
    return frozenset(_list(text))


_ARTICLES = _words("a an the")
_LINKS = _words("and of by in")  # carry no meaning once the order of words is free
_DIRECTION = _words("to from into than over under versus")  # these make the order matter
_JOINTS = _words("and or in on")  # what follows is another thing, or says where
_STOP = _words(
    "a an the and of by to from into than over under versus in on at for with as is are was be it"
    " its this that these those or not no his her their my your"
)
_EMPTY = {
    "", "none", "null", "nan", "n a", "na", "idk", "i don t know", "i dont know", "i do not know",
    "dont know", "do not know", "no answer", "no guess", "no idea", "unknown", "unsure", "not sure",
    "pass",
}  # fmt: skip
# Titles and class words that a guess may add.
_TITLES = _words(
    "president king queen emperor empress sir lord lady dr doctor mister mr mrs ms general"
    " pope bishop professor senator admiral captain colonel chancellor republic kingdom dynasty"
    " house language person movement saint prince princess prime minister"
)
_ROYAL = _words("king queen pope emperor empress sir dame prince princess dom don guru tsar sultan")
_STYLES = _ROYAL | _words(
    "lord lady general president saint st count baron duke imam rabbi chairman mrs miss"
)
# Class words that a moderator does not require ("Indus" for Indus River). City, ocean, sea and the
# like are missing on purpose: Mexico is not Mexico City.
_CLASS_HEAD = _words("river lake mount mt")
_CLASS_TAIL = _words("river mountains dynasty desert university group gang faction clan cartel")
_HEAD = re.compile(
    r"^(?:(?i:(?:the )?(?:(?:people's|federal|islamic|socialist|oriental|arab|hellenic) )?"
    r"(?:(?:republic|kingdom|duchy|state(?! of the)|commonwealth|sultanate|principality) of"
    r"|(?:battle|siege|treaty) of|gospel (?:of|according to)|epistle to))"
    r"|(?i:house|dynasty|book) of)(?: the)? (?P<name>[A-ZÀ-Þ].*)$"
)
# What a description may begin with and a guess leave out.
_OPENING = re.compile(
    r"^(?:being|getting|from|(?:the )?(?:act|process|practice|concept|idea) of"
    r"|(?:the )?(?:law|theory|principle) of(?= [\w-]+ \w+ \w+)) (?=\w)"
)
_RANKED = re.compile(
    r"\b(?:Arch)?(?:[Dd]uke|King|Queen|Prince|Princess|Pope|Sir|Emperor|President|General|Saint"
    r"|Captain|Colonel|Senator|Bishop|Cardinal) (?=[A-Z])"
)
_NOT_SURNAMES = (
    _CLASS_HEAD
    | _CLASS_TAIL
    | _words(
        """
        mountain republic kingdom war wars party island islands museum order knights street
        bridge trail expedition revolution empire sutra symphony sonata concerto opera music
        play novel tale poem prize award school company corporation university college church
        cathedral palace castle tower temple act treaty battle army legion congress court
        movement city county state sea ocean bay gulf strait valley canal coil effect law
        theorem equation constant number plan operation project incident affair cycle series
        park gardens garden building house society association club day night jr sr junior
        senior
        """
    )
)
_PARTICLES = _words("de da di del della von van der den du la le el al bin ibn ben of ter dos das")
_BOUND_PARTICLES = _words("du la le el al dos")  # never dropped: Du Bois, El Greco
_GIVEN = _words(
    """
    aaron abel abigail abraham ada adam adele adolf adrian agatha agnes agnolo aime akira alain
    alan albert alberta alberto aldous alejandro alessandra alessandro alex alexander alexandre
    alexei alfonso alfred alfredo ali alice allan allen allison alois alonzo alphonse amadeus
    amanda amelia amos amy ana anders andre andrea andreas andrei andres andrew andrey andy
    angel angela angelo angus anita ann anna anne annie anselm anselmo anthony antoine anton
    antonia antonin antonio archibald ariel arlene arne arnold artemisia arthur arturo ashley
    astrid aubrey audre audrey august auguste augustus ayn barack barbara barry baruch beatrice
    beatrix bela ben benedetto benedict benito benjamin bernard bernardo bernhard bertolt
    bertrand beth betty beverly bianca bill billy blaise bob bonnie booker boris boyd bradley
    bram brenda brett brian bruce caleb calvin cameron camille candace carl carla carlo carlos
    carmen carol carole caroline carolyn caspar cassius catalina catherine cecil celia cesar
    charles charlie charlotte chester chinua chloe chris christian christina christine
    christopher clara clarence clarissa claude claudia claudius clement clifford clyde colin
    connie conrad constance constantin constantine cordelia cormac cornelius cristina cynthia
    cyrus daisy dale dan daniel dante daphne darren david dean deborah delia denis dennis derek
    desmond diana diego dimitri dmitri dolores dominic dominique don donald donna dora doris
    dorothea dorothy douglas dwight dylan earl eddie edgar edgardo edith edmund edna eduard
    edvard edward edwin edwina egon elaine eleanor elena eli elias elie eliza elizabeth ella
    ellen elmer elsa elvis emanuel emil emile emilia emilio emily emma emmanuel enid enrico
    enrique eric erich erik erin ernest ernesto ernst erwin esteban esther ethan ethel eugene
    eugenia eva evan evelyn ezra fabian faye federico felix ferdinand fernando fiona flannery
    flavius florence floyd ford frances francesco francis francisco franco francois frank
    franklin frantz franz fred frederic frederick frida friedrich fritz fyodor gabriel gabriela
    gabriele gaius galileo garrett gary gene geoffrey georg george georges georgia georgina
    gerald gerard gerardo gerda gerhard gertrude giacomo gilbert gilberto giles gina gioachino
    giorgia giorgio giovanni giulia giuseppe glenn gloria gordon gottfried gottlob grace
    graciela graham grant gregor gregory greta guglielmo guido guillaume gunter gustav gustave
    gustavo guy gwen gwendolyn gyorgy hank hannah hans harold harper harriet harry haruki hayao
    hazel heather hector heidi heinrich helen helena helga henri henrietta henrik henry herbert
    herman hermann hermione hernan hieronymus hilary hilda hillary hiram homer honore horace
    howard hubert hugh hugo humphrey ian ida ignacio igor imre inez ingmar ingrid ira irene
    irving isaac isabel isabella isadora isaiah ismail italo ivan jack jackson jacob jacopo
    jacqueline jacques jaime jamal james jan jane janet jared jasper javier jawaharlal jean
    jeanne jeff jefferson jeffrey jennifer jenny jeremy jerome jesse jessica jill jim jimmy
    joachim joan joanna joaquin jocelyn joe joel johan johann johannes john johnny jon jonah
    jonas jonathan jordan jorge jose josef joseph josephine joshua joyce juan juana judith judy
    jules julia julian julie juliet julius junichiro jurgen justin kamala karen karl kate
    katherine kathleen kathryn katsushika kazuo keanu keith kelly ken kenneth kevin kim kirk
    kobo konrad kristen kurt kwame lance langston lara larry lars laura laurence lawrence lea
    leah lee leila lena leo leon leonard leonardo leonhard leonora leopold leos leroy leslie
    lester lewis liam lillian lily linda lionel lisa lloyd logan lois lola lorenzo lorraine
    louis louisa louise lucas lucia lucian lucius lucy ludwig luigi luis luisa luke lydia lyman
    lyndon lynn mabel madeleine madison magnus mahatma malcolm manfred manuel marc marcel marcia
    marco marcus margaret marguerite maria mariana marie marilyn marina mario marion marjorie
    mark marlene marsha martha martin marvin mary maryam mateo matilda matthew mattie maud
    maureen maurice max maxim maximilian maximilien maya mel melissa melvin mercedes meredith
    michael michel michelangelo miguel mikhail mildred miles millard milton minnie miranda
    mitchell mohammed mohandas molly monica morgan moses muhammad muriel myra myron nadia nadine
    nancy naomi napoleon natalie nathan nathaniel ned neil nelson niccolo nicholas nick nicolas
    nicolaus nicole niels nikita nikola nikolai nina noah noam noel nora norbert norma norman
    octave octavia octavio odette olaf olga oliver olivia olivier omar orhan orson orville oscar
    oskar oswald otis otto pablo pamela pascal patrice patricia patrick paul paula pauline paulo
    pedro peggy penelope percy perry pete peter phil philip philippa philippe phillis phoebe
    phyllis pierre piet pieter piotr priscilla publius pyotr quentin quintus rabindranath rachel
    rafael ralph ramon randolph raphael raul ray raymond rebecca regina reginald reinhold rene
    ricardo richard rita robert roberto roderick rodney rodrigo rogelio roger roland roman
    ronald rosa rosalind rose rosemary rowan roy rudolf rudy rudyard rufus rupert russell ruth
    ryunosuke sabrina sally salma salman salvador sam samuel sandra sandro santiago sara sarah
    satyajit saul scott sean sebastian selma serge sergei seth seymour shane sharon sheila
    sherman shirin shirley sidney sigmund sigrid silvia silvio simon simone sinclair sofia
    solomon sonia sophia soren spencer stacy stanley stefan stella stephen steve steven stuart
    subhas susan sven svetlana sydney sylvia tadeusz tamara tanya ted tennessee terence teresa
    terry thelonious theodor theodora theodore theresa theresia thomas thurgood tiberius tim
    timothy titus tobias tom tomas toni tony tracy trevor truman ulrich umberto upton uriah
    ursula vaclav valentina valerie vanessa vasily velma vera vernon veronica vicente victor
    victoria viktor vincent viola violet virginia vivian vladimir voltaire waldo wallace walt
    walter wanda warren wassily wayne wendell wendy werner wesley wilfred wilhelm wilhelmina
    willa willem william willy wilma wilson winifred winston wislawa wladyslaw wole wolfgang
    woodrow wright xavier yasunari yoko yukio yuri yves yvonne zachary zadie zelda zora
    """
)
_NAME_WORDS = _GIVEN | _PARTICLES
_FOREIGN_ARTICLES = _words("i il la le les lo der die das un une")
# Short forms of words, read as the word they stand for.
_SHORT = dict(
    pair.split(":")
    for pair in _list(
        """
        dr:doctor mr:mister mt:mount ft:fort st:saint ste:saint jr:junior sr:senior op:opus
        usa:us cm:centimeter mm:millimeter km:kilometer kg:kilogram hz:hertz dept:department
        univ:university gov:government govt:government intl:international assn:association
        chimp:chimpanzee hippo:hippopotamus rhino:rhinoceros croc:crocodile flu:influenza
        fridge:refrigerator gym:gymnasium lab:laboratory labs:laboratories exam:examination
        exams:examinations math:mathematics maths:mathematics photo:photograph
        photos:photographs phone:telephone phones:telephones plane:airplane planes:airplanes
        aeroplane:airplane bike:bicycle bikes:bicycles auto:automobile autos:automobiles
        limo:limousine memo:memorandum advert:advertisement gator:alligator deli:delicatessen
        dino:dinosaur dinos:dinosaurs mic:microphone vet:veterinarian taxi:taxicab
        econ:economics chem:chemistry bio:biology psych:psychology spec:spectroscopy
        tech:technology stats:statistics trig:trigonometry calc:calculus prof:professor
        lit:literature vs:versus
        """
    )
)
# American spellings; a rule that is wrong for a word does no harm, as it is applied to both sides.
_SPELLINGS = [
    (re.compile(pattern), to)
    for pattern, to in (
        (r"(?<=..)our(?=s?$|ed|ing|ite|abl|ful|less|hood|ist|er)", "or"),
        (r"(?<=....)is(?=e$|es$|ed$|er$|ers$|ing$|ation)", "iz"),
        (r"(?<=l)ys(?=e$|ed$|es$|er$|ing$)", "yz"),
        (r"(?<=.....)ll(?=e[dr]|ing|or|ous|ist|ment)", "l"),
        (r"(?<=..[bt])re(?=s?$)", "er"),
        (r"(?<=..)ogue(?=s?$)", "og"),
        (r"(?<=[aeo](?:f|c|t))ence$|(?<=lic)ence$", "ense"),
        (r"ae(?!l|$)|oe(?!s?$)", "e"),
        (r"sc(?=s?$)", "sk"),
        (r"sulph", "sulf"),
        (r"(?<=alum)inium", "inum"),
        (r"(?<=progr)amme", "am"),
        (r"^grey", "gray"),
        (r"^(?:czar|tzar)", "tsar"),
        (r"(?<=^m)ou(?=ld|lt|stach)", "o"),
        (r"(?<=dg)ement", "ment"),
        (r"^plough", "plow"),
        (r"^tyre", "tire"),
        (r"^sceptic", "skeptic"),
        (r"^artefact", "artifact"),
        (r"(?<=^man)euvre", "euver"),
        (r"^(?:koran|qoran|kuran)$", "quran"),
        (r"^m[ou]hamm?[ae]d$", "muhammad"),
    )
]
# Names of one thing that no rule on letters could bring together.
_OTHER_NAMES = [
    frozenset(names.split(" = "))
    for names in _phrases(
        """
        world war i = great war; american civil war = war between the states = us civil war;
        american revolution = american revolutionary war = american war of independence; vietnam
        war = second indochina war; falklands war = malvinas war; franco-prussian war =
        franco-german war; byzantine empire = eastern roman empire; ottoman empire = turkish
        empire; austria-hungary = austro-hungarian empire; soviet union = ussr = union of soviet
        socialist republics; united kingdom = great britain = britain = united kingdom of great
        britain and northern ireland; united states = america; european union = eu; united
        nations = un; myanmar = burma; iran = persia; thailand = siam; sri lanka = ceylon;
        ethiopia = abyssinia; eswatini = swaziland; cambodia = kampuchea; zimbabwe = rhodesia;
        netherlands = holland; czech republic = czechia; ivory coast = cote d'ivoire; cape verde
        = cabo verde; east timor = timor-leste; taiwan = formosa = republic of china; north
        korea = dprk = democratic people's republic of korea; south korea = republic of korea;
        china = prc = people's republic of china; democratic republic of the congo = drc = zaire
        = congo-kinshasa; bangladesh = east pakistan; burkina faso = upper volta; benin =
        dahomey; beijing = peking; mumbai = bombay; kolkata = calcutta; chennai = madras; ho chi
        minh city = saigon; saint petersburg = leningrad = petrograd; volgograd = stalingrad;
        yangon = rangoon; nanjing = nanking; native americans = american indians; inuit =
        eskimos; romani = roma people = gypsies; new york city = nyc = new york, new york;
        washington, d.c. = dc = district of columbia; mao zedong = mao tse-tung; deng xiaoping =
        teng hsiao-ping; chiang kai-shek = jiang jieshi; sun yat-sen = sun zhongshan; laozi =
        lao tzu; sunzi = sun tzu; zhuangzi = chuang tzu; daoism = taoism; confucius = kong fuzi;
        genghis khan = chinggis khan = temujin; tamerlane = timur; qing dynasty = manchu
        dynasty; muslims = moslems; hanukkah = chanukah; jesus = jesus christ = jesus of
        nazareth = christ; virgin mary = mary, mother of jesus; mahatma gandhi = mohandas gandhi
        = mohandas karamchand gandhi; john f kennedy = jfk = john fitzgerald kennedy; franklin d
        roosevelt = fdr = franklin delano roosevelt; theodore roosevelt = teddy roosevelt;
        lyndon b johnson = lbj = lyndon baines johnson; martin luther king jr = mlk = martin
        luther king; mark twain = samuel clemens = samuel langhorne clemens; lewis carroll =
        charles dodgson = charles lutwidge dodgson; george orwell = eric blair; voltaire =
        francois-marie arouet; molière = jean-baptiste poquelin; stendhal = marie-henri beyle;
        le corbusier = charles-edouard jeanneret; el greco = domenikos theotokopoulos; malcolm x
        = el-hajj malik el-shabazz; muhammad ali = cassius clay; heracles = hercules; odysseus =
        ulysses; deoxyribonucleic acid = dna; ribonucleic acid = rna; adenosine triphosphate =
        atp; mass spectrometry = mass spectroscopy; cell membrane = plasma membrane; sodium
        chloride = nacl; carbon dioxide = co2; water = h2o; sulfuric acid = h2so4; nitric acid =
        hno3; hydrochloric acid = hcl; hydrogen peroxide = h2o2; ammonia = nh3; methane = ch4;
        ozone = o3; sodium hydroxide = naoh; calcium carbonate = caco3; nitrous oxide = n2o;
        krebs cycle = citric acid cycle = tca cycle; influenza = flu; tuberculosis = tb; black
        death = bubonic plague
        """
    )
]
_SYMBOLS = dict(
    pair.split(":")
    for pair in _list(
        """
        hydrogen:H helium:He lithium:Li beryllium:Be boron:B carbon:C nitrogen:N oxygen:O
        fluorine:F neon:Ne sodium:Na magnesium:Mg aluminum:Al silicon:Si phosphorus:P sulfur:S
        chlorine:Cl argon:Ar potassium:K calcium:Ca scandium:Sc titanium:Ti vanadium:V
        chromium:Cr manganese:Mn iron:Fe cobalt:Co nickel:Ni copper:Cu zinc:Zn gallium:Ga
        germanium:Ge arsenic:As selenium:Se bromine:Br krypton:Kr rubidium:Rb strontium:Sr
        zirconium:Zr molybdenum:Mo technetium:Tc palladium:Pd silver:Ag cadmium:Cd indium:In
        tin:Sn antimony:Sb tellurium:Te iodine:I xenon:Xe cesium:Cs barium:Ba lanthanum:La
        tungsten:W rhenium:Re osmium:Os iridium:Ir platinum:Pt gold:Au mercury:Hg thallium:Tl
        lead:Pb bismuth:Bi polonium:Po astatine:At radon:Rn radium:Ra thorium:Th uranium:U
        neptunium:Np plutonium:Pu americium:Am
        """
    )
)
_NICKNAMES = {
    name: group.split()[0]
    for group in _phrases(
        """
        william bill billy will willie liam; robert bob bobby rob robbie bert; richard dick
        rick; james jim jimmy jamie; john jack johnny jon; joseph joe joey; thomas tom tommy;
        edward ed eddie ted teddy ned; theodore theo; charles charlie chuck; michael mike
        mickey; anthony tony; samuel sam; benjamin ben; daniel dan danny; david dave; stephen
        steven steve; andrew andy; nicholas nick; christopher chris; matthew matt; gregory greg;
        geoffrey jeff; jeffrey jeff; ronald ron; donald don; kenneth ken; lawrence larry; peter
        pete; philip phil; frederick fred freddie frederic friedrich frideric; karl carl; georg
        george; henri heinrich; albert al; alexander alex; abraham abe; walter walt; henry hank
        harry; elizabeth liz beth betty bess; margaret maggie peggy meg; katherine kate kathy
        katie; catherine cathy; susan sue; patricia pat patty; barbara barb; jacqueline jackie;
        deborah debbie; dorothy dot; rebecca becky; timothy tim; zachary zach; fyodor fedor
        feodor; nikolai nicolai; sergei sergey; alexei alexey aleksei; dmitri dmitry dimitri;
        mikhail michail; pyotr piotr; yuri yury; vasily vassily; aleksandr alexandre
        """
    )
    for name in group.split()
}
# People whom one given name is enough for.
_MONONYMS = _words(
    """
    rembrandt michelangelo raphael leonardo donatello titian dante galileo napoleon hannibal
    voltaire moliere tycho boethius petrarch boccaccio umar uthman abu saladin charlemagne
    beyonce madonna pele ronaldinho colette vercingetorix ovid virgil horace cicero livy bjork
    enya cher
    """
)
_REGIONS = _words(
    """
    alabama alaska arizona arkansas california colorado connecticut delaware florida georgia
    hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts
    michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon
    pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming ontario
    quebec alberta manitoba saskatchewan newfoundland england scotland wales ireland france
    germany italy spain portugal greece russia japan china india brazil mexico canada australia
    egypt turkey poland austria hungary belgium netherlands switzerland sweden norway denmark
    finland argentina chile peru colombia cuba iran iraq israel pakistan kenya nigeria uk us usa
    afghanistan albania algeria angola armenia azerbaijan bahrain bangladesh belarus belize
    benin bhutan bolivia bosnia botswana bulgaria burundi cambodia cameroon chad croatia cyprus
    ecuador eritrea estonia ethiopia fiji gabon gambia ghana guatemala guinea guyana haiti
    honduras iceland indonesia jamaica jordan kazakhstan kosovo kuwait kyrgyzstan laos latvia
    lebanon lesotho liberia libya lithuania madagascar malawi malaysia mali malta mauritania
    moldova mongolia montenegro morocco mozambique myanmar namibia nepal nicaragua niger oman
    panama paraguay philippines qatar romania rwanda senegal serbia singapore slovakia slovenia
    somalia sudan suriname syria taiwan tajikistan tanzania thailand togo tunisia turkmenistan
    uganda ukraine uruguay uzbekistan venezuela vietnam yemen zambia zimbabwe
    """
)
_IRREGULAR = {
    "mice": "mouse", "men": "man", "women": "woman", "children": "child", "people": "person",
    "feet": "foot", "teeth": "tooth", "geese": "goose", "oxen": "ox", "lice": "louse",
    "wolves": "wolf", "knives": "knife", "wives": "wife", "lives": "life", "leaves": "leaf",
    "elves": "elf", "selves": "self", "halves": "half", "loaves": "loaf", "thieves": "thief",
    "calves": "calf", "bacteria": "bacterium", "mitochondria": "mitochondrion",
    "phenomena": "phenomenon", "criteria": "criterion", "nuclei": "nucleus", "radii": "radius",
    "fungi": "fungus", "cacti": "cactus", "alumni": "alumnus", "vertices": "vertex",
    "vortices": "vortex", "indices": "index", "matrices": "matrix", "axes": "axis",
    "crises": "crisis", "theses": "thesis", "hypotheses": "hypothesis", "media": "medium",
    "quanta": "quantum", "spectra": "spectrum",
    "genera": "genus", "dwarves": "dwarf", "movies": "movie",
    "lens": "lens", "lenses": "lens",
    "octopi": "octopus", "hippopotami": "hippopotamus", "stimuli": "stimulus", "foci": "focus",
    "loci": "locus", "bacilli": "bacillus", "syllabi": "syllabus", "papyri": "papyrus",
    "cherubim": "cherub", "seraphim": "seraph", "zombies": "zombie", "dies": "die",
}  # fmt: skip
_UNITS = {
    word: value
    for value, word in enumerate(
        _list(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
            " fifteen sixteen seventeen eighteen nineteen"
        )
    )
} | {
    word: value
    for value, word in enumerate(
        _list(
            "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
            " twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
        )
    )
}
_TENS = {
    word + end: 10 * value
    for value, word in enumerate(_list("twent thirt fort fift sixt sevent eight ninet"), 2)
    for end in ("y", "ieth")
}
_DECADES = {word[:-1] + "ies": value for word, value in _TENS.items() if word.endswith("y")}
_SCALES = {"hundred": 100, "thousand": 1000, "hundredth": 100, "thousandth": 1000, "million": 10**6}
_ONES = ["", *_list("i ii iii iv v vi vii viii ix")]
_ROMAN = re.compile(r"(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})\Z")

# --------------------------------------------------------------------------- normalisation

# What anyascii would transliterate to something other than what a moderator would read.
_TRANSLATE = str.maketrans(
    {
        "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'", "´": "'", "`": "'", "ʹ": "'", "ʾ": "", "ʿ": "",
        "&": " and ", "+": " plus ", "%": " percent ", "–": "-", "—": " - ", "−": "-",
        "‐": "-", "‑": "-", "\u00ad": "", "\u200b": "", "_": " ", "þ": "th", "Þ": "th",
    }
)  # fmt: skip
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "ø": "oe"}
)
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        _list(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi"
            " rho sigma tau upsilon phi chi psi omega"
        ),
        strict=True,
    )
)
_LONE_GREEK = re.compile(rf"(?<![^\W\d_])[{''.join(_GREEK)}](?![^\W\d_])", re.I)
_REWRITES = [
    (re.compile(pattern), to)
    for pattern, to in (
        (r"(?<=\d),(?=\d{3}(?!\d))", ""),
        (r"(?<=\d)\.(?=\d)", "p"),  # 3.14 must stay one token, or it would equal 314 without spaces
        (r"(?<=\d)p0+(?!\d)", ""),
        (r"(?<!\S)-(?=\d)", "minus "),
        (r"#(?=\s*\d)", "no "),
        (r"#", " sharp "),
        (r"(?<=\d)'s\b", "s"),
        (r"(?<=\d)(?:st|nd|rd|th)\b", ""),
        (r"'s\b", ""),
        (r"'", ""),
    )
]
_REWRITTEN = re.compile(r"[\d'#]")  # what each of them needs
_TOKEN = re.compile(r"\d+(?:p\d+)*(?:s\b)?|[^\W\d_]+")


def _plain(text: str) -> str:
    """Words of ``text`` in lower-case ASCII without diacritics, punctuation and possessives."""
    text = text.translate(_TRANSLATE)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in text if not unicodedata.combining(c)).translate(_TRANSLATE)
        text = _LONE_GREEK.sub(lambda m: f" {_GREEK[m.group().casefold()]} ", text)
        text = anyascii(text)
    text = text.casefold()
    for pattern, to in _REWRITES if _REWRITTEN.search(text) else ():
        text = pattern.sub(to, text)
    return " ".join(_TOKEN.findall(text)) or "".join(text.split())


def _roman(token: str) -> int | None:
    if not token or not _ROMAN.match(token):
        return None
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[c] for c in token]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))


def _join_initials(tokens: list[str]) -> list[str]:
    """``['j', 'd', 'vance']`` → ``['jd', 'vance']``: J. D. and JD are the same."""
    joined: list[str] = []
    run = False
    for token in tokens:
        single = len(token) == 1 and token.isalpha()
        if single and run:
            joined[-1] += token
        else:
            joined.append(token)
        run = single
    return joined


def _numbers(tokens: list[str]) -> list[str]:
    """Number words, ordinals and Roman numerals (never as the first word) as digits."""
    out: list[str] = []
    value: int | None = None  # the number being read
    last = 0  # size of its last part, which tells whether the next word continues it

    def flush():
        nonlocal value
        if value is not None:
            out.append(str(value))
        value = None

    for index, token in enumerate(tokens):
        word = token[:-1] if token.endswith("s") and token[:-1] in _UNITS else token  # seconds
        part = _UNITS.get(word, _TENS.get(word))
        if token in _DECADES:
            century = f"{value}" if value is not None and 10 <= value < 100 else ""
            value = None if century else value
            flush()
            out.append(f"{century}{_DECADES[token]}s")
        elif token in _SCALES:
            scale = _SCALES[token]
            value = (1 if value is None else value) * scale
            last = scale
        elif part is not None:
            if value is None:
                value = part
            elif last >= 100 or (20 <= last < 100 and part < 10 and last % 10 == 0 and part):
                value += part
            elif 10 <= value < 100 and 10 <= part < 100:  # nineteen eighty → 1980
                value, part = value * 100 + part, part
            else:
                flush()
                value = part
            last = part
        else:
            flush()
            roman = _roman(token) if index and token != "l" else None
            at_end = index == len(tokens) - 1 or tokens[index + 1] == "of"
            if roman and (len(token) > 1 or at_end):
                out.append(str(roman))
            else:
                out.append(token)
    flush()
    return out


@lru_cache(maxsize=1 << 15)
def _singular(token: str) -> str:
    """A form that singular and plural share; not always a word (``hors`` for horse and horses)."""
    token = _IRREGULAR.get(token, token)
    if len(token) < 4 or token[0].isdigit():
        return token
    if token.endswith("ae"):
        return token[:-1]
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith("s") and not token.endswith(("ss", "us", "is")):
        token = token[:-1]
    if len(token) > 3 and token.endswith(("che", "she", "xe", "ze", "se", "oe")):
        token = token[:-1]
    return token


_ENGLISH = Stemmer.Stemmer("english", 10_000)
_ENDING = re.compile(
    r"(?<=....)(?:[ai]?bil|aci|[ae]nci|iti|at|it|ic|iz|ist|ism|er|or|ari|al|iv|[ieya])$"
)


def _stem(token: str) -> str:
    """Inflection off: ``jumping``, ``jumped`` and ``jump`` are one, ``jumper`` is not."""
    cut = token.endswith(("ing", "ed", "s"))
    return _ENGLISH.stemWord(_singular(token)) if cut else re.sub("e$", "", token)


def _root(token: str) -> str:
    """Derivation off as well, only for answer lines that say ``word forms``."""
    token = _ENGLISH.stemWord(_ENGLISH.stemWord(_singular(token)))
    return _ENDING.sub("", _ENDING.sub("", token))


@lru_cache(maxsize=1 << 15)
def _american(token: str) -> str:
    for pattern, to in _SPELLINGS if len(token) > 3 else ():
        token = pattern.sub(to, token)
    return token


_NUMBERED = re.compile(r"\b(?:no|number|opus no|op no) (?=\d|" + "|".join(_UNITS) + r")\b")


def _loose(tokens: list[str]) -> list[str]:
    """Tokens with numbers, abbreviations and spelling unified, articles and links dropped."""
    text = " ".join(tokens)
    if "united " in text:
        text = re.sub(r"\bunited states(?: of america)?\b", "us", text)
        text = re.sub(r"\bunited kingdom\b", "uk", text)
    text = _NUMBERED.sub("", text)
    words = [_SHORT.get(word, word) for word in text.split()]
    tokens = _join_initials(_numbers(words))
    out = []
    for index, token in enumerate(tokens):
        if token in _LINKS or (token in _ARTICLES and (token != "a" or index < len(tokens) - 1)):
            continue
        out.append(_american(token))
    return out or tokens


class _Norm(NamedTuple):
    """The forms of a text that are compared, from the strictest to the loosest.

    ``keys`` begin with their kind: the tokens sorted, their singulars sorted, then letters without
    spaces and the numbers, of both. Text rather than tuples, as many are kept in memory.
    """

    strict: str
    tokens: tuple[str, ...]
    singular: tuple[str, ...]
    keys: tuple[str, ...]
    content: bool
    links: bool


def _key(tokens: Iterable[str]) -> str:
    tokens = tuple(tokens)
    return " ".join(tokens if _DIRECTION.intersection(tokens) else sorted(tokens))


def _solid(tokens: Iterable[str]) -> str:
    digits = [t for t in tokens if t[0].isdigit()]
    return " ".join(["".join(t for t in tokens if not t[0].isdigit()), *digits])


@lru_cache(maxsize=1 << 15)
def _norm(text: str) -> _Norm:
    strict = _plain(text)
    words = strict.split()
    tokens = tuple(_loose(words))
    singular = tuple(map(_singular, tokens))
    keys = ["sorted:" + _key(tokens), "singular:" + _key(singular)] if tokens else []
    solid = _solid(tokens)
    if len(solid.partition(" ")[0]) > 3:
        keys += ["solid:" + solid, "singular solid:" + _solid(singular)]
    return _Norm(
        strict, tokens, singular, tuple(keys),
        any(t not in _STOP for t in tokens), not _JOINTS.isdisjoint(words),
    )  # fmt: skip


# --------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class Alternative:
    """One answer of a line and what a moderator does with it.

    ``required`` holds the underlined parts, where the line marks them: having them all is enough.
    ``until`` is the condition in words (``until "Drp1" is read``, ``before mention``, ``after …``),
    ``triggers`` the words that end it, ``after`` the verdict from then on ('' where it lapses).
    ``anti`` marks an anti-prompt (too specific rather than too vague), whose verdict is ``prompt``.
    """

    text: str
    verdict: str
    directed_prompt: str | None = None
    until: str | None = None
    word_forms: bool = False
    required: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    after: str = "reject"
    anti: bool = False
    main: bool = False

    def __str__(self) -> str:
        parts = [f"{'anti-prompt' if self.anti else self.verdict}: {self.text}"]
        if self.required and list(self.required) != [self.text]:
            parts.append("requires " + " + ".join(self.required))
        if self.until:
            parts.append(f"{self.until}, then {self.after or 'no longer applies'}")
        if self.word_forms:
            parts.append("or word forms")
        if self.directed_prompt:
            parts.append(f"ask “{self.directed_prompt}”")
        return "; ".join(parts)


@dataclass(frozen=True)
class Answerline:
    """A parsed answer line.

    ``partial`` is None, or the directed prompt ('' without one) of ``prompt on partial answers``.
    ``notes`` list what was not understood (and kept as literal text where it could be an answer),
    ``remarks`` the pronunciation guides and comments to the moderator.
    """

    source: str
    alternatives: tuple[Alternative, ...]
    partial: str | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    _indexes: dict = field(default_factory=dict, compare=False, repr=False)

    @property
    def main(self) -> str:
        """The answer before the first bracket."""
        return next((a.text for a in self.alternatives if a.main), "")

    @property
    def conditional(self) -> bool:
        """Whether any alternative depends on what has been read."""
        return any(a.triggers for a in self.alternatives)

    def describe(self) -> str:
        """The tree, one line per alternative, then notes and remarks."""
        lines = [self.main or "(no main answer)"]
        lines += [f"  {a}" for a in self.alternatives]
        if self.partial is not None:
            lines.append(
                "  prompt: partial answers" + f"; ask “{self.partial}”" * bool(self.partial)
            )
        lines += [f"  not understood: {note}" for note in self.notes]
        lines += [f"  remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    __str__ = describe


# --------------------------------------------------------------------------- parsing

_ON, _OFF = "\ue000", "\ue001"  # stand for the tags around a required part
_MARKS = re.compile(f"[{_ON}{_OFF}]")
_VERB = (
    r"(?:(?P<anti>(?:anti|reverse)[-\s]?prompt(?:\s+(?:on|for))?)"
    r"|(?P<reject>(?:do\s+not|don'?t|never|be\s+careful\s+not\s+to)\s+(?:accept|prompt|take)"
    r"(?:\s+on)?(?:\s*,?\s*(?:or|nor|and)\s+(?:accept|prompt|take))?(?:\s+on)?|reject|not(?=\s*\"))"
    r"|(?P<prompt>prompt(?:\s+(?:on|for))?)"
    r"|(?P<accept>(?:also\s+)?(?:accept|take)|or|also))\b"
)
_LEAD = r"(?:(?:and|but|or|also|please|generously)\s+)*?"
_NAMELESS_VERB = re.sub(r"\?P<\w+>", "?:", _VERB).replace("|or|also", "|or(?!,)|also")
_DIRECTIVE = re.compile(r"[\s,;.:]*" + _LEAD + _VERB + r"[\s:]*", re.I)
_LATER = (  # "but prompt on it afterwards"
    r"(?P<verb>(?:(?:do\s+not|don'?t)\s+)?(?:accept|prompt|reject)(?:\s+(?:or|nor)\s+prompt)?)"
    r"(?:\s+on)?(?:\s+(?:it|them|that|this))?\s+(?:after(?:wards?)?|thereafter|before)"
    r"(?:\s*(?:that|it|this)?\s*(?:is|has been)?\s*(?:read|mentioned)?)?\s*$"
)
_NEXT_DIRECTIVE = re.compile(
    r"[\s,.;]\s*" + _LEAD + r"(?=(?:(?:do\s+not|don'?t|be\s+careful\s+not\s+to)\s+(?:accept|prompt)"
    r"|reject|prompt\s+on|anti-?prompt|accept)\b)(?!" + _LATER.replace("?P<verb>", "?:") + ")",
    re.I,
)
_READ = (
    r"(?:\s*(?:'s|is|are|was|were|has been|have been|been|being)?"
    r"\s*(?:read|mention(?:ed|s)?|said|given))"
)
_WHEN = r"(?P<when>until|before|prior to|up to|after|once)"
_CONDITIONS = [
    re.compile(r"[\s,]*\b(?:only\s+)?" + _WHEN + pattern + r"(?:\s+in the question)?", re.I)
    for pattern in (
        r"\s+(?:the\s+)?(?:words?\s+|phrase\s+|term\s+|mention of\s+)?"
        r"(?P<what>\"[^\"]+\"(?:,?\s+(?:or|and)\s+\"[^\"]+\")*)" + _READ + "?",
        r"\s+(?:it|they|that|this|these|either|both)?" + _READ + r"\b(?!\s+\w+\s+\w+\s+is)",
        r"\s+(?P<what>(?!it\b|they\b)[^\";,]{1,60}?)\s+(?:is|are|has been)"
        r"\s+(?:read|mentioned|said)\b",
    )
]
_AFTERWARDS = re.compile(r"[\s,]*\b(?:but|and)?\s*" + _LATER, re.I)
_ASKING = re.compile(
    r"[\s,]*\b(?:by\s+(?:asking|saying)|asking|with|ask)\b[^\"]{0,20}\"(?P<ask>[^\"]+)\"?", re.I
)
_ASKING_BARE = re.compile(r"[\s,]*\bby\s+(?:asking|saying)[\s,:]+(?P<ask>[^\"]+)$", re.I)
_IN_PLACE = re.compile(
    r"^(?P<new>.+?)\s+(?:in place of|instead of)\s+(?P<old>\"[^\"]+\"(?:,?\s+or\s+\"[^\"]+\")*)",
    re.I,
)
_SYNONYMS = re.compile(
    r"^(?:other |any |reasonable )*(?:synonyms?|equivalents?) (?:for|of) (?P<old>\"[^\"]+\")"
    r",?\s+(?:like|such as)\s+(?P<new>.+)$",
    re.I,
)
_KIND = (
    r"(?:any|all|an?|the|other|some|more|less|clear|clear-knowledge|reasonable|obvious|similar"
    r"|specific|general|descriptive|logical|correct|related|further|longer"
    r"|alternate|more specific|just|minor)"
)
_THING = (
    r"(?:answers?|anything|everything|descriptions?|responses?|equivalents?|synonyms?"
    r"|translations?|variants?|mentions?|references?|things?|forms?|names?|titles?|versions?)"
)
_EQUIVALENTS = re.compile(  # says what an answer must contain, not what it may be
    rf"^(?:{_KIND}\s+)*(?:equivalents?|synonyms?|translations?|variants?|variations?)\s+"
    r"(?:(?:that|which)\s+)?(?:mention|includ|contain|involv|imply|for\b|of\b)",
    re.I,
)
_SPAN = re.compile(
    r"[\s,]+(?:(?:until|before)\s+(?:the\s+)?end\b|(?:during|in)\s+the\s+first"
    r"\s+(?:sentence|line)\b).*$",
    re.I,
)
_WORD_FORMS = re.compile(
    r"[\s,]*\b(?:(?:or|and|accept)\s+)?(?:(?:any|other|all|their|its)\s+)*"
    r"(?:word|verb|noun|adjective)[\s-]forms?"
    r"(?P<of>\s+of\s+(?:any|either|these|the|those|underlined)\b.*)?\s*$",
    re.I,
)
_FORMS_OF = re.compile(r"^(?:any |other )*word[\s-]forms?(?:\s+of|,?\s+(?:like|such as))\s+", re.I)
_PARTIAL = re.compile(
    r"^(?:on\s+)?(?:an?\s+|any\s+|just\s+)*(?:partial|incomplete)(?:\s+(?:or|and)\s+\w+)?"
    r"(?:\s+(?:answers?|titles?|names?|responses?))?(?P<rest>.*)$",
    re.I,
)
_EITHER = re.compile(
    r"^(?:any|either|one|each)(?:(?:\s+of\s+the)?(?:\s+underlined)?\s+"
    r"(?:parts?|portions?|names?|answers?|half|ones?|words?|of them))?(?:\s+alone)?$",
    re.I,
)
_ORDER = re.compile(r"\b(?:names?\s+)?in (?:either|any) order\b", re.I)
_VAGUE = re.compile(
    rf"^(?:(?:{_KIND}|or)\s+)*(?:{_THING}|equivalent|similar|like|etc\.?|vice versa)"
    r"(?:\s+(?:answers?|forms?))?$",
    re.I,
)
_SUCH_AS = re.compile(
    r"^(?P<what>.*?)[\s,]*\b(?:such as|like|including|e\.g\.,?|for example)\s*,?\s+", re.I
)
_GENERIC = re.compile(
    rf"\b(?:{_THING}|word forms?|types?|groups?|kinds?|specific|any|other|partial|incomplete)\b",
    re.I,
)
_ABOUT = re.compile(
    rf"^(?:{_KIND}\s+)*{_THING}\s+(?:(?:that|which)\s+)?(?:specifically\s+)?"
    r"(?:about|mention(?:s|ing)?|indicat(?:es?|ing)|express(?:es|ing)?|describ(?:es?|ing)"
    r"|involv(?:es?|ing)|contain(?:s|ing)?|includ(?:es?|ing)|relat(?:ed|ing) to|referring to"
    r"|talking about|equivalent to|along the lines of|to the effect of|of|for)\s+"
    r"(?:the\s+(?:ideas?|names?|words?|terms?|phrases?)\s+(?:of\s+)?)?(?:that\s+)?",
    re.I,
)
_TRIM = re.compile(
    r"^(?:on|just|simply|either|also|both|any of)\s+(?=\S)|\s+(?:alone|by itself|at any point"
    r"|anywhere|etc\.?|in general|specifically|only)$",
    re.I,
)
_REASON = re.compile(
    r"\s+(?:because|even though|as (?:the|it|they|this|that))\s.*$"
    r"|,\s+(?:since|as long as|(?:that|which) (?:do|does) not)\s.*$",
    re.I,
)
_GUIDE = re.compile(r"^\W*(?:\"[^\"]*\"|[\w' ]*[A-Z]{2,}-[\w-]*|[\w']+-[A-Z]{2,}[\w -]*)\W*$")


def _unmark(text: str) -> str:
    return _MARKS.sub("", text)


def _tidy(text: str) -> str:
    """White space and stray punctuation off, quotation marks around the whole off."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:/\t")
    while text.count('"') and text[:1] == '"' and text.find('"', 1) in (-1, len(text) - 1):
        text = text.strip('"').strip(" ,;:")
    if text.count('"') == 1:
        text = text.replace('"', "").strip(" ,;:")
    if text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    if text.startswith("(") and text.count("(") > text.count(")"):
        text = text[1:].lstrip()
    return text


def _clean(line: str) -> str:
    """Encoding damage, entities, tags, quotation marks and brackets brought to one form."""
    if "Ã" in line or "â€" in line:
        with suppress(UnicodeError):
            line = line.encode("cp1252").decode("utf-8")
    line = _MARKS.sub("", html.unescape(line))
    tag = "u" if re.search(r"<u\b", line, re.I) else "b"
    line = re.sub(rf"<{tag}\b[^<>]*>", _ON, line, flags=re.I)
    line = re.sub(rf"</{tag}\s*>", _OFF, line, flags=re.I)
    line = re.sub(r"</?[a-zA-Z][^<>]*>", "", line)
    line = re.sub(r"(?<!\w)‘([^‘’\"]{2,}?)’(?!\w)", r'"\1"', line)
    line = line.translate(str.maketrans("“”„«»‘’{}\u00a0", '"""""\'\'[] ', "\u200b\u00ad"))
    line = re.sub(r"(?<=[a-z])- (?=lents?\b)", "", line)
    if "[" not in line:  # the opening bracket is missing
        line = re.sub(rf";\s*(?={_LEAD}{_NAMELESS_VERB})", " [", line, count=1, flags=re.I)
    line = re.sub(r"([;,.])\s*\"(?=\s|$|[\])])", r'"\1', line)
    return re.sub(r"\s+", " ", line).strip()


def _open_depth(text: str) -> list[bool]:
    """For each character, whether it lies inside quotation marks, parentheses or an underline.

    A kind of mark that does not balance protects nothing: one missing mark cannot swallow a line.
    """
    quotes = text.count('"') % 2 == 0
    parens = text.count("(") == text.count(")")
    marks = text.count(_ON) == text.count(_OFF)
    inside, quoted, depth, marked = [], False, 0, 0
    for char in text:
        if char == '"' and quotes:
            quoted = not quoted
        elif char == "(" and parens:
            depth += 1
        elif char == ")" and parens:
            depth = max(0, depth - 1)
        elif char == _ON and marks:
            marked += 1
        elif char == _OFF and marks:
            marked = max(0, marked - 1)
        inside.append(quoted or depth > 0 or marked > 0)
    return inside


def _split(text: str, pattern: str | re.Pattern, start: int = 0) -> list[str]:
    """``text`` cut where ``pattern`` matches outside quotation marks, parentheses, underlines."""
    inside = _open_depth(text)
    pieces, last = [], 0
    for match in re.compile(pattern).finditer(text, start):
        if match.end() > match.start() and not inside[match.start()]:
            pieces.append(text[last : match.start()])
            last = match.end()
    return [*pieces, text[last:]]


def _groups(line: str) -> Iterator[tuple[str, str]]:
    """Pieces of a line in order: ('text' | 'bracket', content); the line closes open brackets."""
    last = position = 0
    while (start := line.find("[", position)) >= 0:
        depth, end = 0, len(line)
        for index in range(start, len(line)):
            depth += {"[": 1, "]": -1}.get(line[index], 0)
            if depth == 0:
                end = index
                break
        yield "text", line[last:start]
        yield "bracket", line[start + 1 : end].replace("[", "(").replace("]", ")")
        last = position = end + 1
    yield "text", line[last:].replace("]", " ")


def _required(marked: str) -> tuple[str, ...]:
    """Underlined parts; a fragment of a word stands for the word unless it has four letters."""
    if marked.count(_ON) != marked.count(_OFF) or _ON not in marked:
        return ()
    parts, fragments = [], []
    for match in re.finditer(f"{_ON}([^{_ON}{_OFF}]*){_OFF}", marked):
        part = match.group(1)
        before = re.search(r"\w*$", _unmark(marked[: match.start()])).group()
        behind = re.match(r"\w*", _unmark(marked[match.end() :])).group()
        fragment = bool((before or behind) and part.strip() == part)
        fragments.append(fragment and len(part) == 1)
        if fragment and len(part) < 4 and not (len(part) > 2 and behind in ("s", "es")):
            part = part if len(part) == 1 else before + part + behind
        if part.strip(" \"'"):
            parts.append(part.strip(" \"'"))
    if len(parts) > 1 and all(fragments):
        return ("".join(parts),)
    if any(fragments):
        return ()
    return tuple(parts)


class _Parser:
    """State of one parse: what has been collected, and the verdict that a bare clause inherits."""

    def __init__(self, source: str):
        self.source = source
        self.found: list[Alternative] = []
        self.substitutions: list[tuple[str, list[str], dict]] = []
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self.partial: str | None = None
        self.either = False
        self.all_forms = False
        self.split = False  # the head itself lists alternatives
        self.verdict = "accept"
        self.anti = False

    def parse(self) -> Answerline:
        head, clauses = [], []
        pieces = [(kind, text) for kind, text in _groups(_clean(self.source)) if text.strip()]
        for index, (kind, text) in enumerate(pieces):
            behind = pieces[index + 1][1] if index + 1 < len(pieces) else ""
            if kind == "text":
                head.append(self.outside(text, bool(clauses), clauses))
            elif _DIRECTIVE.match(text):
                clauses.append(text)
            elif re.match(r'^\s*"[^" ]*-[^"]*"', text):
                self.remarks.append(text.strip())
            elif not clauses and re.sub(r"\([^()]*\)", "", behind).strip(" .,;"):
                head.append(f"({text.strip()})")  # "[French] Socialist Party": may be left out
            else:
                clauses.append(text)
        self.head(" ".join(part for part in head if part))
        for clause in clauses:
            self.bracket(clause)
        self.finish()
        unique = tuple(dict.fromkeys(self.found))
        return Answerline(self.source, unique, self.partial, tuple(self.notes), tuple(self.remarks))

    def outside(self, text: str, after_bracket: bool, clauses: list[str]) -> str:
        """Text outside brackets: directives in parentheses to ``clauses``, guides to remarks."""

        def take(match: re.Match) -> str:
            content = match.group(1).strip()
            glued = match.start() > 0 and text[match.start() - 1].isalnum()
            if glued and len(content) <= 3:
                return match.group()
            if _DIRECTIVE.match(content) and not _PARTIAL.match(content):
                clauses.append(content)
            elif _GUIDE.match(content) or after_bracket or len(_unmark(content).split()) > 3:
                self.remarks.append(_unmark(content))
            else:
                return match.group()
            return " "

        text = re.sub(r"\(([^()]*)(?:\)|$)", take, text)
        if after_bracket and text.strip(' .,;)("'):
            directive = _DIRECTIVE.match(text)
            (clauses if directive else self.remarks).append(
                text if directive else _unmark(text).strip()
            )
            return ""
        return "" if after_bracket else text

    def head(self, text: str) -> None:
        text = _tidy(text)
        if not _unmark(text).strip(' "()'):
            if text:
                self.notes.append(_unmark(text))
            return
        whole = self.alternative(text, main=True)
        pieces = [_tidy(p) for p in _split(text, r"[;,:]?\s+or,?\s+")]
        usable = len(pieces) > 1 and all(_norm(_unmark(p)).content for p in pieces)
        if usable and (_ON not in text or all(_ON in p for p in pieces)):
            if _ON in text:  # each side names its own required part, both together are not needed
                whole = replace(whole, required=())
            else:
                self.notes.append(f"read as alternatives: {_unmark(text)}")
            self.split = True
            self.found.append(whole)
            self.found += [self.alternative(piece) for piece in pieces]
        else:
            self.found.append(whole)

    def alternative(self, marked: str, verdict: str = "accept", **more) -> Alternative:
        text = _tidy(_unmark(marked))
        return Alternative(text=text, verdict=verdict, required=_required(marked), **more)

    def bracket(self, text: str) -> None:
        for piece in _split(text, r";"):
            if piece.count('"') % 2:
                piece = piece.lstrip(' "')
            for clause in _clauses(piece):
                if clause.strip(' .,;"()'):
                    self.clause(clause.strip())

    def condition(self, text: str) -> tuple[str, dict]:
        """``text`` without its condition, and the fields of Alternative that hold it."""
        fields: dict = {}
        later = _AFTERWARDS.search(text)
        if later:
            text = text[: later.start()]
        inside = _open_depth(text)
        for pattern in _CONDITIONS:
            match = next((m for m in pattern.finditer(text) if not inside[m.start("when")]), None)
            if match is None:
                continue
            what = match.groupdict().get("what")
            words = re.findall(r'"([^"]+)"', what) or [what] if what else []
            when = match.group("when").lower()
            named = " or ".join(f'"{w}"' for w in words)
            fields["until"] = f"{when} {named} is read" if words else f"{when} mention"
            fields["triggers"] = tuple(t for t in (" ".join(_norm(w).singular) for w in words) if t)
            fields["reversed"] = when in ("after", "once")
            text = (text[: match.start()] + " " + text[match.end() :]).strip()
            break
        if later and fields:
            verb = later.group("verb").lower()
            fields["other"] = verb if verb in ("accept", "prompt") else "reject"
        elif later:
            self.notes.append(_unmark(later.group().strip(" ,")))
        return text, fields

    def clause(self, clause: str) -> None:
        body, when = self.condition(clause)
        first = _DIRECTIVE.match(body)
        if first:
            word = next(k for k, v in first.groupdict().items() if v)
            body = body[first.end() :]
            self.anti = word == "anti"
            self.verdict = "prompt" if self.anti else word
            if first.group().strip().lower() == "or" and _PARTIAL.match(body):
                self.verdict = "prompt"
        elif not body.strip():
            return
        elif len(body.split()) > 8 or re.search(r"\b(?:is|are|was|were|refers?|ask)\b", body):
            self.notes.append(_unmark(clause))
            return
        else:
            self.notes.append(f"no directive, read as {self.verdict}: {_unmark(clause)}")
        ask = None
        if self.verdict == "prompt":
            found = _ASKING.search(body) or _ASKING_BARE.search(body)
            if found:
                ask = found.group("ask").strip()
                body = body[: found.start()] + " " + body[found.end() :]
        body = body.strip(" .,;")
        span = _SPAN.search(body)
        if span:
            self.notes.append(f"condition not checked: {span.group().strip()}")
            body = body[: span.start()]
        fields = {"verdict": self.verdict, "directed_prompt": ask, "anti": self.anti}
        for pattern in (_IN_PLACE, _SYNONYMS):
            match = pattern.match(body)
            if match and self.verdict == "accept":
                old = re.findall(r'"([^"]+)"', match.group("old"))
                self.substitutions.append((match.group("new"), old, fields | {"when": when}))
                return
        if self.verdict == "accept" and _EQUIVALENTS.match(_unmark(body)):
            self.notes.append(_unmark(body))
            return
        self.items(body, fields, when)

    def items(self, body: str, fields: dict, when: dict) -> None:
        forms = _WORD_FORMS.search(body)
        if forms:
            body = body[: forms.start()]
            if not body.strip() or forms.group("of"):
                self.all_forms = True
        start = len(self.found)
        for item in _items(body):
            self.item(item, fields, when, bool(forms))
        if forms and not body.strip() and self.verdict != "accept":
            self.found[start:] = [replace(a, word_forms=True) for a in self.found[start:]]

    def item(self, item: str, fields: dict, when: dict, forms: bool) -> None:
        item = _tidy(_REASON.sub("", item))
        if _EITHER.match(_unmark(item)):
            if fields["verdict"] == "prompt":
                self.partial = fields["directed_prompt"] or ""
            self.either = self.either or fields["verdict"] == "accept"
            return
        for _ in range(3):
            item = _TRIM.sub("", item).strip(" ,")
        bare = _unmark(item)
        if not bare.strip(' "().'):
            return
        if _ORDER.search(bare):
            return  # the order of words is free anyway
        partial = _PARTIAL.match(bare)
        if partial and fields["verdict"] != "accept":
            if fields["verdict"] == "prompt":
                self.partial = fields["directed_prompt"] or ""
            rest = re.match(r"\s*,?\s*(?:like|such as)\s+", partial.group("rest"), re.I)
            if not rest:
                return
            item = partial.group("rest")[rest.end() :]
        if _VAGUE.match(bare):
            self.notes.append(bare)
            return
        for pattern in (_FORMS_OF, _SUCH_AS, _ABOUT):
            match = pattern.match(item)
            if not match:
                continue
            if pattern is _SUCH_AS:
                what = _unmark(match.group("what"))
                if what and not _GENERIC.search(what):
                    continue
            forms = forms or pattern is _FORMS_OF
            if item[: match.end()].strip().lower() not in ("such as", "like", "including"):
                self.notes.append(_unmark(item))
            item = item[match.end() :]
        item = _tidy(item)
        if _norm(_unmark(item)).strict:
            made = self.alternative(item, word_forms=forms, **fields)
            self.found.append(_conditioned(made, when))

    def finish(self) -> None:
        """What depends on the whole line: either part, word forms, substitutions."""
        head = next((a for a in self.found if a.main), None)
        if self.either and head and not self.split:
            parts = head.required if len(head.required) > 1 else ()
            parts = parts or [p for p in re.split(r"[\s,]+", (*head.required, head.text)[0]) if p]
            self.found += [Alternative(p, "accept") for p in parts if _norm(p).content]
        for new, olds, fields in self.substitutions:
            self.substitute(new, olds, fields)
        if self.all_forms:
            self.found = [
                replace(a, word_forms=True) if a.verdict == "accept" else a for a in self.found
            ]

    def substitute(self, new: str, olds: list[str], fields: dict) -> None:
        base = [a for a in self.found if a.verdict == "accept"]
        fields = dict(fields)
        when = fields.pop("when")
        made = []
        if re.match(r"^(?:any of )?the above answers with ", new, re.I):
            new = re.sub(r"^.*? with ", "", new)
        about = _ABOUT.match(new)
        for item in _items(new[about.end() :] if about else new):
            word = _tidy(_unmark(item))
            for old, alternative in product(olds, base[:60]):
                pattern = re.compile(rf"(?<!\w){re.escape(_unmark(old))}(?!\w)", re.I)
                text = pattern.sub(lambda _, word=word: word, alternative.text)
                if text != alternative.text:
                    made.append(_conditioned(Alternative(text, **fields), when))
        if made:
            self.found += made[:200]
        else:
            self.notes.append(f"{_unmark(new)} in place of {' or '.join(olds)}")


def _clauses(text: str) -> Iterator[str]:
    """``text`` cut before each further directive ("accept A but reject B")."""
    inside = _open_depth(text)
    start = 0
    first = _DIRECTIVE.match(text)
    position = first.end() if first else 0
    while match := _NEXT_DIRECTIVE.search(text, position):
        if inside[match.start()]:
            position = match.start() + 1
            continue
        yield text[start : match.start()]
        start = match.end()
        directive = _DIRECTIVE.match(text, start)  # may itself hold "accept or prompt on"
        position = directive.end() if directive else start + 1
    yield text[start:]


def _conditioned(made: Alternative, when: dict) -> Alternative:
    if not when:
        return made
    triggers = when["triggers"] or tuple(
        t
        for t in dict.fromkeys(" ".join(_norm(p).singular) for p in (*made.required, made.text))
        if t
    )
    default = "" if made.verdict == "reject" else "reject"
    other = when.get("other", default)
    if when["reversed"]:  # "accept X after Y": until then it is not accepted
        return replace(
            made, until=f"until {when['until']}", triggers=triggers, verdict=other or "reject",
            after=made.verdict,
        )  # fmt: skip
    return replace(made, until=when["until"], triggers=triggers, after=other)


def _items(body: str) -> list[str]:
    """The answers listed in one clause.

    "or" separates; a comma separates in "A, B, or C", or between short lower-case words before an
    "or", and is otherwise part of a title.
    """
    about = _ABOUT.match(_unmark(body))
    described = about and re.search(r"indicat|express|describ|impl|that\b", about.group(), re.I)
    oxford = [p for p in _split(body, r",\s*(?:and/)?or\s+(?:on\s+)?") if p.strip()]
    if described and len(oxford) == 1 and not re.search(f'["{_ON}]', body):
        pieces = _split(body, r"\s+or\s+")  # one description, whose "or" may be its own
        return oxford + (pieces if all(len(p.split()) > 1 for p in pieces[1:]) else [])
    if re.search(r",\s*etc\b", body):
        return [p for p in _split(body, r",\s+") if p.strip()]
    out: list[str] = []
    for number, piece in enumerate(oxford):
        parts = _split(piece, r"\s+(?:and/)?or\s+(?:on\s+)?|\s+as well as\s+|\s*/or\s+")
        short = _split(parts[0], r",\s+(?!such as|like)")
        if len(oxford) > 1 and number == 0:
            parts = [q for p in parts for q in _split(p, r",\s+(?!such as|like)")]
        elif len(parts) > 1:
            if len(short) > 1 and all(re.fullmatch(r"[a-z]+(?: [a-z]+)?", p) for p in short):
                parts[:1] = short
        elif len(oxford) == 1 and body.count('"') >= 4 and body.count('"') % 2 == 0:
            quoted = _split(body, r',\s*(?:and\s+)?(?=")')  # "A," "B"
            parts = quoted if len(quoted) > 1 else parts
        out += [p for p in parts if p.strip()]
    return out


# Small, as a full garbage collection visits every cached tree and would be felt as a pause.
@lru_cache(maxsize=1 << 11)
def parse(answerline: str) -> Answerline:
    """The tree of an answer line; every string gives one, whatever is wrong with it.

    The text before the first bracket is the main accepted answer. Clauses that are not understood
    are kept as literal text and reported in ``notes``. Raises ``DataError`` for anything but text.
    """
    if not isinstance(answerline, str):
        raise DataError(Fault("answer line", "", "answerline", answerline, "text"))
    return _Parser(answerline).parse()


# --------------------------------------------------------------------------- conditions


def condition_met(answerline: str | Answerline, text_read: str) -> str:
    """Key of the line's conditions that are past once ``text_read`` has been heard.

    The triggers found in the text, in normal form, sorted and joined by ``" | "``; '' where none is
    past, as for every line without conditions. ``judge(..., condition=key)`` takes it.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    if not line.conditional:
        return ""
    heard = f" {' '.join(_heard(text_read or ''))} "
    triggers = {t for a in line.alternatives for t in a.triggers}
    return " | ".join(sorted(t for t in triggers if f" {t} " in heard))


@lru_cache(maxsize=1 << 12)
def _heard(text: str) -> tuple[str, ...]:
    return _norm.__wrapped__(text).singular


# --------------------------------------------------------------------------- typos

_DOUBLE = re.compile(r"(.)\1+")
_NOT_CONSONANT = re.compile("[aeiouy]")
_SOUNDS = [  # letters that transliterations and spellers exchange
    (re.compile(pattern), to)
    for pattern, to in (
        ("^(?:gh?|q)(?=[au])", "g"), ("ph", "f"), ("oo|ou", "u"), ("dh", "d"), ("t?sch|tch|tsh", "ch"), ("kh|ck|q", "k"), ("gh", "g"), ("tz|ts|cz", "z"),
        ("c(?!h)", "k"), ("j", "i"), ("w", "v"), ("th", "t"), ("[ei]y|iy|y", "i"), ("iev", "ev"),
        ("oe|ae|ue", "e"),
    )
]  # fmt: skip
_ENDINGS = _words("ane ene yne ine ide ate ite ol al one yl ase ose ium ous ic oid as os")
_BEGINNINGS = _words(
    "hyper hypo inter intra infra endo exo ecto micro macro ante anti ab ad pre pro per post"
    " sub super mono poly homo hetero iso meso meta para peri bi tri di ortho over under in im"
    " un"
)


def _confusable(a: str, b: str) -> bool:
    """Whether two words differ just in an ending or beginning that makes another word of them."""
    for i in range(2, 5):
        for j in range(2, 5):
            if a[:-i] == b[:-j] and a[-i:] in _ENDINGS and b[-j:] in _ENDINGS:
                return True
    common = 0
    while common < min(len(a), len(b)) and a[-1 - common] == b[-1 - common]:
        common += 1
    for cut in range(common + 1):
        if a[: len(a) - cut] in _BEGINNINGS and b[: len(b) - cut] in _BEGINNINGS:
            return True
    return False


@lru_cache(maxsize=1 << 16)
def _sound(word: str) -> str:
    for pattern, to in _SOUNDS:
        word = pattern.sub(to, word)
    return _DOUBLE.sub(r"\1", word)


def _edits(a: str, b: str, limit: float) -> float:
    """Edits between two words, a change of the consonants counting half more; else infinity."""
    far = OSA.distance(a, b, score_cutoff=int(limit))
    if far <= limit:
        far += 0.5 * OSA.distance(_NOT_CONSONANT.sub("", a), _NOT_CONSONANT.sub("", b))
    return far if far <= limit else float("inf")


@lru_cache(maxsize=1 << 16)
def _slip(word: str, guess: str, name: bool) -> float:
    """Edits between two words of which one may be a misspelling of the other, else infinity.

    One edit per six letters is forgiven, never the first letter. A doubled letter is free.
    """
    far = float("inf")
    short, long = sorted((len(word), len(guess)))
    length = long if short > 5 else 5
    if short < 5 or long - short > 4 or not (word + guess).isalpha():
        return far
    plural = (word + "s" == guess or guess + "s" == word) and not (word + guess).count("ss")
    if name and plural:
        return far  # Jacob is not Jacobs
    if _confusable(word, guess):
        return far
    best = far
    if word[0] == guess[0]:
        best = _edits(_DOUBLE.sub(r"\1", word), _DOUBLE.sub(r"\1", guess), length / 6)
        if best > 2 and length > 7 and word[-1] == guess[-1] and sorted(word) == sorted(guess):
            best = 1.5  # the same letters in another order
    if name and best > 0.5 and length > 5:
        heard, said = _sound(word), _sound(guess)
        if heard[0] == said[0]:
            best = min(best, 0.5 + _edits(heard, said, length / 6 - 0.5))
    return max(best, 0.5)


# --------------------------------------------------------------------------- judging


class Judgement(NamedTuple):
    """``verdict`` (accept / prompt / reject), ``score`` in [0, 1] and the rule that decided.

    The score is above .5 for accept, .5 for prompt and below .5 for reject; 1 and 0 where the
    wording is the line's own, a similarity otherwise. Where ``rule`` is in :data:`CERTAIN` the
    verdict stands by itself; any other rule is a default that a learned score may overrule.
    """

    verdict: str
    score: float
    rule: str


# What each rule has seen. Rules that accept name the difference between guess and alternative.
RULES = {
    "exact": "the main answer itself, but for articles, spelling, order, plural, spacing",
    "alias": "another accepted alternative, in the same sense",
    "number": "the same, with a number written in another way",
    "word form": "another inflection of a common noun, or of any word where the line says so",
    "required": "every underlined part, and nothing that the line does not say",
    "surname": "the surname of a person, with or without a title",
    "name": "a shorter, fuller or abbreviated name of the same person",
    "title": "a title or subtitle more or less",
    "class word": "without the class it belongs to: River, Dynasty, Battle of",
    "place": "a town with or without its state or country",
    "acronym": "initials for words, or words for initials",
    "other name": "a name of the same thing from the list of other names",
    "nearly whole": "one lower-case word missing from a long description",
    "typo": "misspelled or transliterated in another way",
    "prompt": "an alternative that the line prompts on",
    "anti-prompt": "an alternative that the line calls too specific",
    "partial": "part of an answer where the line prompts on partial answers",
    "ambiguous": "short for an accepted and for a rejected alternative",
    "reject": "an alternative that the line rejects",
    "too late": "an alternative whose condition is past",
    "empty": "no guess",
    "stop words": "nothing but function words, and no alternative is that",
    "given name": "the given name of a person alone",
    "other number": "an alternative but for its number",
    "part": "some words of an alternative, not all",
    "more": "all words of an alternative and others, which may name something else",
    "no match": "nothing in common with the line, or too little to tell",
}
_UNCERTAIN = (
    "class word|place|title|acronym|other name|nearly whole|typo|ambiguous|part|more|no match"
)
CERTAIN = frozenset(RULES) - frozenset(_UNCERTAIN.split("|"))
_REJECT, _ACCEPT, _PROMPT, _LATE = range(4)  # order in which matches win


class _Form(NamedTuple):
    """One wording of one alternative, ready to compare."""

    norm: _Norm
    rank: int
    name: bool  # holds a surname, so that a final s is no plural
    proper: bool  # capitalised, so that it may be transliterated in other ways
    required: tuple[str, ...]  # singular tokens that suffice, where the line marks them


class _Hit(NamedTuple):
    score: float
    rank: int
    rule: str


def _judged(hit: _Hit) -> Judgement:
    """The judgement for a match of certainty ``score`` (0.5–1) with an alternative of a rank."""
    score, rank, rule = hit
    if rank == _ACCEPT:
        return Judgement("accept", score, rule)
    if rank == _PROMPT:
        return Judgement("prompt", 0.5, rule if rule == "anti-prompt" else "prompt")
    return Judgement("reject", round(1.0 - score, 4), "too late" if rank == _LATE else "reject")


def _variants(text: str) -> list[str]:
    """Wordings of a text with optional words in parentheses: all in, all out."""
    text = re.sub(r"(?<=\w)\((\w{1,3})\)", lambda m: m.group(1), text)
    if "(" not in text:
        return [text]
    inside = re.sub(r"[()]", " ", text)
    outside = re.sub(r"\([^()]*\)?", " ", text)
    return [v for v in (inside, outside) if _norm(v).strict]


def _raw_words(text: str) -> list[str]:
    return re.findall(r"[^\W_][\w'’.-]*", text)


# --------------------------------------------------------------------------- names of people


class _Person(NamedTuple):
    given: tuple[str, ...]
    surname: str
    sure: bool  # else the words only look like a name, and the surname alone is not enough


def _names(tokens: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Given names and surname of the tokens of a name: Du Bois is one word, van and de are none."""
    words: list[str] = []
    bound = ""
    for token in tokens:
        if token in _BOUND_PARTICLES:
            bound += token
        elif token not in _PARTICLES or token == "ben":
            words.append(bound + token)
            bound = ""
    if not words:
        return (), ""
    given: list[str] = []
    for word in words[:-1]:  # J.R.R. is three
        given += word if len(word) < 4 and not _is_given(word) else [word]
    return tuple(given), words[-1]


def _is_given(word: str) -> bool:
    return word in _GIVEN or word in _NICKNAMES


def _person(text: str, others: Iterable[str]) -> _Person | None:
    """The name in a text that looks like 'First [Middle] Last', else None.

    All words are capitalised but particles, and none is a function or class word. It is ``sure``
    where one but the last is a given name or an initial, or another alternative is a fuller form.
    """
    text = re.sub(r",?\s+(?:Jr|Sr|II|III)\.?$", "", text.strip())
    words = _raw_words(text)
    if re.search(r"[\d\",:;!?/()]", text) or not 2 <= len(words) <= 6:
        return None
    plain = [_plain(w).split() for w in words]
    last = "".join(plain[-1])
    if len(last) < 3 or _roman(last) or not words[-1][0].isupper():
        return None
    for word, tokens in zip(words, plain, strict=True):
        token = "".join(tokens)
        if token in _PARTICLES and token != "of":
            continue
        if not word[0].isupper() or token in _STOP - {"a"} or token in _NOT_SURNAMES:
            return None
    given, surname = _names(_norm(text).tokens)
    if not given:
        return None
    initials = re.fullmatch(r"(?:[A-Z]\.)+", words[0]) is not None and len(last) > 3
    sure = _is_given(given[0]) or initials or (len(given) > 1 and _is_given(given[1]))
    for other in others if not sure else ():
        fuller = tuple(_plain(other).split())
        if other != text and fuller[-1:] == (last,) and len(fuller) > len(words):
            rest = iter(fuller)
            sure = sure or (all("".join(p) in rest for p in plain) and _STOP.isdisjoint(fuller))
    return _Person(given, surname, sure)


def _same_given(a: str, b: str) -> bool:
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return a == b or (a in _NICKNAMES and _NICKNAMES[a] == _NICKNAMES.get(b))


def _same_person(person: _Person, tokens: tuple[str, ...]) -> tuple[float, str] | None:
    """Score and rule where ``tokens`` name the person, else None."""
    words = tokens
    while len(words) > 1 and words[0] in _TITLES:
        words = words[1:]
    given, surname = _names(words)
    if not surname or len(given) > 5:
        return None
    slip = 0.0 if surname == person.surname else _slip(person.surname, surname, True)
    if not given and surname == person.given[0] and surname in _MONONYMS:
        return 0.9, "name"
    if slip > 3:
        return None
    best = None
    if not given:
        best = (0.95, "surname") if person.sure else None
    else:
        known = list(person.given)
        rest = iter(known)
        first = _same_given(given[0], known[0])
        initial = any(len(name) == 1 for name in (*given[:1], *known))
        middle = zip(given[1:], known[1:], strict=False)
        if all(any(_same_given(name, k) for k in rest) for name in given):
            if first:
                best = (0.95, "name")
            elif person.sure and len(given[0]) > 1:
                best = (0.9, "name")
        elif len(given) > len(known) and (person.sure or all(len(g) == 1 for g in given[1:])):
            more = iter(given)
            if (first or _is_given(given[0]) or initial) and all(
                any(_same_given(k, name) for name in more) for k in known
            ):
                best = (0.85, "name")
        elif first and len(given[0]) > 1 and all(a[0] == b[0] for a, b in middle):
            best = (0.75, "typo")  # Friedrich for Frideric
        elif len(given) == len(known) == 1 and _slip(known[0], given[0], True) < 3:
            best = (0.75, "typo")
    if best and slip:
        return round(best[0] - 0.1 * slip, 4), "typo"
    return best


# --------------------------------------------------------------------------- the index of a line


class _Index:
    """Everything needed to judge guesses on one line under one condition.

    ``same`` maps the keys of a normal form (see :class:`_Norm`) to what they decide, ``near`` the
    keys of derived wordings to what they suggest.
    """

    def __init__(self, line: Answerline, past: frozenset[str]):
        self.partial = line.partial is not None
        self.same: dict[str, Judgement] = {}
        self.near: dict[str, list[_Hit]] = {}
        self.forms: list[_Form] = []
        self.people: list[tuple[_Person, int]] = []
        self.single: dict[str, int] = {}
        self.vocabulary: set[str] = set()
        ranked = sorted(
            ((rank, a) for a in line.alternatives if (rank := _rank(a, past)) is not None),
            key=lambda pair: pair[0],
        )
        texts = list(dict.fromkeys(a.text for _, a in ranked))
        people = {t: person for t in texts for v in _variants(t) if (person := _person(v, texts))}
        surnames = {p.surname for p in people.values() if p.sure}
        surnames |= {
            _plain(a.required[-1])
            for _, a in ranked
            if a.required and a.text != a.required[-1] and a.text.endswith(a.required[-1])
            and a.required[-1][0].isupper() and _is_given(_raw_words(a.text)[0].casefold())
        }  # fmt: skip
        self.accepted = {k for r, a in ranked if r == _ACCEPT for k in _norm(a.text).keys[:1]}
        for rank, alternative in ranked:
            self.add(alternative, rank, surnames, people.get(alternative.text), texts)
        self.accept_tokens = [frozenset(f.norm.singular) for f in self.forms if f.rank == _ACCEPT]
        self.kinds = {key.partition(":")[0] for key in self.near}
        longer = {t for f in self.forms if len(f.norm.tokens) > 1 for t in f.norm.tokens}
        self.single = {t: rank for t, rank in self.single.items() if t not in longer}

    def add(
        self, a: Alternative, rank: int, surnames: set[str], person: _Person | None, texts
    ) -> None:
        rule = "exact" if a.main else "alias"
        if rank == _PROMPT:
            rule = "anti-prompt" if a.anti else "prompt"
        core = " ".join(a.required)
        forms = _variants(a.text) + ([core] if core and _norm(core).strict else [])
        for text in dict.fromkeys(forms):
            norm = _norm(text)
            name = not surnames.isdisjoint(norm.tokens)
            form = _Form(norm, rank, name, text[:1].isupper(), _norm(core).singular if core else ())
            self.forms.append(form)
            self.exact(form, rule)
            self.inflected(form, a.word_forms, text)
            if rank in (_ACCEPT, _PROMPT):
                self.vocabulary.update(norm.singular)
            if not a.required:
                if person:
                    self.people.append((person, rank))
                    written = text.translate(_UMLAUTS)
                    if written != text and (other := _person(written, texts)):
                        self.people.append((other, rank))
                    self.suggest(" ".join((*person.given, person.surname)), rank, "name", 0.95)
                if rank != _REJECT:  # what is wrong with a word may be right without it
                    self.derive(form, text, texts)

    def exact(self, form: _Form, rule: str) -> None:
        norm = form.norm
        number = rule in ("exact", "alias") and any(t[0].isdigit() for t in norm.tokens)
        self.same.setdefault(norm.strict, _judged(_Hit(1.0, form.rank, rule)))
        same = _judged(_Hit(1.0, form.rank, "number" if number else rule))
        if form.rank == _REJECT and not self.accepted.isdisjoint(norm.keys):
            return  # differs from an accepted alternative by an article, which then counts
        for key in norm.keys:
            if not (form.name and key.startswith("singular")):
                self.same.setdefault(key, same)
        for name in _other_names(norm):
            self.hint(name, form.rank, "other name", 0.9)
        decade = re.fullmatch(r"(\d+)s", norm.strict)
        if decade:  # the year that begins a decade is taken for it, a decade not for a year
            self.same.setdefault(decade.group(1), _judged(_Hit(0.9, form.rank, "number")))

    def inflected(self, form: _Form, word_forms: bool, text: str) -> None:
        norm = form.norm
        lower = not any(c.isupper() for c in text[1:]) and not form.name
        if lower and norm.content:
            self.hint("stem:" + _key(map(_stem, norm.tokens)), form.rank, "word form", 0.9)
        if word_forms and norm.content:
            self.hint("root:" + _key(map(_root, norm.tokens)), form.rank, "word form", 0.9)
        written = text.translate(_UMLAUTS)
        if written != text:
            self.suggest(written, form.rank, "typo", 0.95)
        for acronym in _acronyms(norm.strict):
            self.hint("initials:" + acronym, form.rank, "acronym", 0.9)
        if re.fullmatch(r"(?:[A-Z]\.?){3,6}", text.strip()):
            self.hint("words:" + norm.strict.replace(" ", ""), form.rank, "acronym", 0.85)

    def hint(self, key: str, rank: int, rule: str, score: float) -> None:
        self.near.setdefault(key, []).append(_Hit(score, rank, rule))

    def suggest(self, text: str, rank: int, rule: str, score: float) -> None:
        """Let ``text`` stand for an alternative, unless it is only stop words."""
        norm = _norm(text)
        if norm.content and len(norm.strict) > 2:
            for key in norm.keys:
                if not key.startswith("singular"):
                    self.hint(key, rank, rule, score)

    def derive(self, form: _Form, text: str, texts: list[str]) -> None:
        """Shorter wordings that moderators take for the whole."""
        rank, tokens, words = form.rank, form.norm.tokens, _raw_words(text)
        plain = [_plain(w) for w in words]
        if not words:
            return
        if len(words) == 1 and words[0][0].isupper() and len(words[0]) > 3 and len(tokens) == 1:
            self.single[tokens[0]] = rank
        if plain[0] in _FOREIGN_ARTICLES and len(" ".join(plain[1:])) > 5:
            self.suggest(" ".join(words[1:]), rank, "title", 0.95)
        head, colon, _ = text.partition(": ")
        if colon and len(_norm(head).tokens) > 1:
            self.suggest(head, rank, "title", 0.95)
        place = re.fullmatch(r"([^,]+), ([^,]+)", text)
        if place and _REGIONS.issuperset(_plain(place.group(2)).split()):
            self.suggest(place.group(1), rank, "place", 0.9)
        author = re.fullmatch(r"(\S.+?),? by ([A-Z].*)", text)
        if author and text[:1].isupper():
            self.suggest(author.group(1), rank, "title", 0.9)
        if _OPENING.match(text):
            self.suggest(_OPENING.sub("", text), rank, "nearly whole", 0.85)
        if len(words) == 2 and words[0].istitle() and words[1].islower() and plain[0][0] != "a":
            self.suggest(f"{words[0][0]}. {words[1]}", rank, "acronym", 0.9)  # E. coli
        untitled = _RANKED.sub("", text)
        if untitled != text and len(_norm(untitled).tokens) > 1:
            self.suggest(untitled, rank, "title", 0.9)
        owned = re.fullmatch(r"[A-Z]\w+['’]s ([a-z]\w+ [a-z][\w ]+)", text)
        if owned and plain[1] not in _UNITS:
            self.suggest(owned.group(1), rank, "nearly whole", 0.8)
        rest = words[1:]
        if plain[0] in _STYLES and rest and all(w[0].isupper() for w in rest):
            known = any(rest[-1] in _raw_words(t) for t in texts if t != text)
            if len(rest) > 1 or known or plain[0] in _ROYAL:
                self.suggest(" ".join(rest), rank, "title" if len(rest) > 1 else "surname", 0.9)
        headed = _HEAD.match(text.replace("’", "'"))
        if headed and all(
            w[0].isupper() or _plain(w) in _STOP | _PARTICLES
            for w in _raw_words(headed.group("name"))
        ):
            self.suggest(headed.group("name"), rank, "class word", 0.9)
        elif len(words) > 1 and (plain[-1] in _CLASS_TAIL or plain[0] in _CLASS_HEAD):
            rest = words[:-1] if plain[-1] in _CLASS_TAIL else rest
            if all(w[0].isupper() or _plain(w) in _STOP | _PARTICLES for w in rest):
                self.suggest(" ".join(rest), rank, "class word", 0.9)
                if headed := _HEAD.match(" ".join(rest)):
                    self.suggest(headed.group("name"), rank, "class word", 0.85)
        if rank == _ACCEPT and len(tokens) > 5:
            for i in range(1, len(tokens) - 1):
                if tokens[i] in text and tokens[i] not in _STOP and tokens[i].isalpha():
                    self.hint(
                        "sorted:" + _key(tokens[:i] + tokens[i + 1 :]), rank, "nearly whole", 0.75
                    )

    # -- lookups

    def match(self, norm: _Norm) -> Judgement | None:
        """The judgement of a guess in normal form; None where nothing matches."""
        found = self.same.get(norm.strict)
        if found is not None:
            return found
        for key in norm.keys:
            found = self.same.get(key)
            if found is not None:
                return found
        if not norm.content:
            return None
        hits = list(self.suggestions(norm))
        top = max((hit.score for hit in hits), default=0.0)
        if {hit.rank for hit in hits if hit.score == top} >= {_REJECT, _ACCEPT}:
            return Judgement("prompt", 0.5, "ambiguous")
        if not hits:
            hits = list(self.misspelled(norm))
        if not hits:
            return None
        best = min(hits, key=lambda hit: (-hit.score, hit.rank))
        return _judged(best._replace(score=round(max(0.51, best.score), 4)))

    def suggestions(self, norm: _Norm) -> Iterator[_Hit]:
        near = self.near
        for key in (*norm.keys, *self.weak_keys(norm)) if near else ():
            yield from near.get(key, ())
        tokens = norm.tokens
        for person, rank in self.people:
            found = _same_person(person, tokens)
            if found:
                yield _Hit(found[0], rank, found[1])
        guess = set(norm.singular)
        for form in self.forms:
            needed = form.required or form.norm.singular
            if guess.issuperset(needed):
                yield from self.fuller(form, norm, guess)
        # A particle makes a name of any first word: Ludwig van Beethoven, Simone de Beauvoir.
        first = 1 < len(tokens) < 5 and (
            _is_given(tokens[0]) or (len(tokens) > 2 and tokens[-2] in _PARTICLES - {"of", "ben"})
        )
        named = first and tokens[-1] in self.single
        if named and all(
            _is_given(t) or t in _PARTICLES or (len(t) <= 2 and t != "v") for t in tokens[1:-1]
        ):
            yield _Hit(0.75, self.single[tokens[-1]], "name")

    def weak_keys(self, norm: _Norm) -> Iterator[str]:
        if "stem" in self.kinds:
            yield "stem:" + _key(map(_stem, norm.tokens))
        if "root" in self.kinds:
            yield "root:" + _key(map(_root, norm.tokens))
        if "initials" in self.kinds and len(norm.strict) <= 8:
            yield "initials:" + norm.strict.replace(" ", "")
        if "words" in self.kinds:
            for initials in _acronyms(norm.strict):
                yield "words:" + initials

    def fuller(self, form: _Form, norm: _Norm, guess: set[str]) -> Iterator[_Hit]:
        """A guess that says more than an alternative but nothing else."""
        tokens = form.norm.tokens
        more = guess.difference(form.norm.singular)
        if norm.links or not form.norm.content:
            return
        if form.required:
            allowed = self.vocabulary.union(form.norm.singular)
            if guess <= allowed and _in_order(form, norm):
                yield _Hit(0.95, form.rank, "required")
        elif not 0 < len(norm.tokens) - len(tokens) <= 3:
            return
        elif more <= _TITLES and form.proper:
            yield _Hit(0.9, form.rank, "title")
        elif more <= _REGIONS and norm.tokens[: len(tokens)] == tokens:
            yield _Hit(0.75, form.rank, "place")
        elif len(tokens) > 1 and more <= _NAME_WORDS and not form.name:
            yield _Hit(0.85, form.rank, "name")  # "Ludwig van" before "Beethoven Symphony"

    def misspelled(self, norm: _Norm) -> Iterator[_Hit]:
        for form in self.forms:
            score = _typo(form, norm)
            if score:
                yield _Hit(score, form.rank, "typo")

    def rejected(self, norm: _Norm) -> Judgement:
        """Why nothing matches, with the word overlap (Dice, below .5) as score."""
        guess = frozenset(norm.singular)
        best, rule = 0.0, "no match"
        for tokens in self.accept_tokens:
            shared = tokens & guess
            if not shared:
                continue
            best = max(best, 2.0 * len(shared) / (len(tokens) + len(guess)))
            if guess < tokens:
                rule = "part"
            elif guess > tokens and rule == "no match":
                rule = "more"
            elif rule == "no match" and not any(t.isalpha() for t in tokens ^ guess):
                rule = "other number"
        if not norm.content:
            rule = "stop words"
        elif any(set(norm.tokens) <= set(p.given) for p, rank in self.people if p.sure):
            rule = "given name"
        return Judgement("reject", round(0.49 * best, 4), rule)

    def is_partial(self, norm: _Norm) -> bool:
        guess = frozenset(norm.singular)
        return norm.content and any(guess < tokens for tokens in self.accept_tokens)


def _rank(a: Alternative, past: frozenset[str]) -> int | None:
    if a.triggers and not past.isdisjoint(a.triggers):
        verdict, late = a.after, a.after == "reject"
    else:
        verdict, late = a.verdict, a.verdict == "reject" and bool(a.triggers)
    if not verdict:
        return None
    return _LATE if late else {"reject": _REJECT, "accept": _ACCEPT, "prompt": _PROMPT}[verdict]


def _in_order(form: _Form, norm: _Norm) -> bool:
    """Whether a guess keeps the order of an alternative where the order matters."""
    if not _DIRECTION.intersection(form.required):
        return True
    rest = iter(norm.singular)
    return all(token in rest for token in form.required)


@lru_cache(maxsize=1)
def _symbols_and_names() -> dict[str, list[str]]:
    """For the sorted words of each name, the lookup keys of the other names of that thing."""
    groups = [[_norm(name) for name in group] for group in _OTHER_NAMES]
    groups += [[_norm(name), _norm(symbol)] for name, symbol in _SYMBOLS.items()]
    table: dict[str, list[str]] = {}
    for group in groups:
        for norm in group:
            if len(norm.strict) > 2:  # a symbol may stand for many things
                table.setdefault(norm.keys[0], []).extend(
                    other.keys[0] for other in group if other is not norm
                )
    return table


def _other_names(norm: _Norm) -> Iterable[str]:
    return _symbols_and_names().get(norm.keys[0], ()) if norm.keys else ()


def _initials(words: Iterable[str]) -> str:
    return "".join(w[0] for w in words)


def _acronyms(strict: str) -> set[str]:
    """Initials of a text of three or more words, with and without its small words."""
    words = strict.split()
    if not 3 <= len(words) <= 10:
        return set()
    numbered = _numbers(words)
    if numbered[-1].isdigit() and len(numbered) == len(words) and not words[0].isdigit():
        number, start = int(numbered[-1]), _initials(words[:-1])
        roman = "x" * (number // 10) + _ONES[number % 10] if 0 < number < 40 else numbered[-1]
        return {start + numbered[-1], start + roman}
    return {
        initials
        for initials in (_initials(words), _initials(w for w in words if w not in _STOP))
        if len(initials) > 2
    }


def _typo(form: _Form, guess: _Norm) -> float:
    """Similarity in (0.5, 1) where ``guess`` is a misspelling of the form, else 0."""
    words, typed = form.norm.tokens, guess.tokens
    if len(words) == len(typed):
        left, right = [], list(typed)
        for word in words:
            if word in right:
                right.remove(word)
            else:
                left.append(word)
                if len(left) > 2:
                    return 0.0
    elif len(words) == 1 or len(typed) == 1:
        left, right = ["".join(words)], ["".join(typed)]
        if min(len(left[0]), len(right[0])) < 8:
            return 0.0
    else:
        return 0.0
    slips = 0.0
    for word, other in zip(left, right, strict=True):
        if form.name:
            slips += _slip(word, other, True)
        else:
            slips += _slip(_singular(word), _singular(other), form.proper)
        if slips > 3:
            return 0.0
    length = max(sum(map(len, words)), sum(map(len, typed)))
    return max(0.51, 0.98 - slips / length) if left else 0.0


_PREFIX = re.compile(
    r"^\s*(?:the\s+)?(?:correct\s+)?(?:final\s+)?(?:answer|guess)(?:\s+is|\s*:)\s*:?\s*", re.I
)


def _readings(guess: str) -> Iterator[str]:
    """The guess as it stands, then without what models write around an answer."""
    yield guess
    text = _PREFIX.sub("", guess)
    if text != guess:
        yield text
    bare = re.sub(r"\s*\([^()]*\)?", " ", text)
    if bare != text and bare.strip():
        yield bare
    inverted = re.fullmatch(r"([\w'’-]+), ([\w.'’ -]+)", bare)  # "Clinton, Bill"
    if inverted:
        yield f"{inverted.group(2)} {inverted.group(1)}"
    for pattern in (r"(.+?),?\s+by\s+\w", r"(.+\s[IVX]+)\s+of\s+(?:the\s+)?[A-Z][\w ]+$"):
        match = re.match(pattern, bare)  # "Hamlet by Shakespeare", "Nicholas I of Russia"
        if match:
            yield match.group(1)


@lru_cache(maxsize=1 << 15)
def _guess_norms(guess: str) -> tuple[_Norm, ...]:
    return tuple(_norm(r) for r in _readings(guess))


def judge(answerline: str | Answerline, guess: str, condition: str = "") -> Judgement:
    """Whether a moderator would accept, prompt on or reject ``guess``.

    ``condition`` is a key of :func:`condition_met`; '' means that no condition of the line is past.
    A missing guess (None, NaN, "None", "I don't know") is rejected by rule ``empty``. Raises
    ``DataError`` where the answer line is not text.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    index = line._indexes.get(condition)
    if index is None:
        past = frozenset(part.strip() for part in condition.split(" | ")) - {""}
        index = line._indexes[condition] = _Index(line, past)
    if not isinstance(guess, str):
        return Judgement("reject", 0.0, "empty")
    norms = _guess_norms(guess)
    first = norms[0]
    if not first.strict:
        return Judgement("reject", 0.0, "empty")
    if first.strict in _EMPTY:
        named = index.near.get("sorted:" + first.strict) or ()
        found = index.same.get(first.strict) or next(map(_judged, named), None)
        return found or Judgement("reject", 0.0, "empty")
    for norm in norms:
        if norm.strict:
            found = index.match(norm)
            # a surname is not enough once "(state)" or the like has been cut off
            if found is not None and (norm is first or found.rule != "surname"):
                return found
    if " or " in guess:
        parts = [index.match(_norm(p)) for p in re.split(r"[;,]? or,? ", guess)]
        if all(p is not None and p.verdict == "accept" for p in parts):
            return min(parts, key=lambda p: p.score)  # a title with its second title
    if index.partial and any(index.is_partial(norm) for norm in norms):
        return Judgement("prompt", 0.5, "partial")
    return index.rejected(first)


_PAIR_COLUMNS = ("question_id", "guess", "condition", "answerline")


def judge_pairs(pairs):
    """Judge a table of guesses, each distinct answer line parsed once.

    ``pairs`` has the columns question_id, guess (nullable), condition (nullable, see
    :func:`condition_met`) and answerline. The result has one row per distinct question_id, guess
    and condition, in order of first appearance, as in the table ``judgements``: question_id,
    guess ('' for a missing one), condition, verdict, score, rule, source ('engine'). Raises
    ``DataError`` where a column is missing, an answer line is not text or a question has two.
    """
    import pandas as pd

    missing = [c for c in _PAIR_COLUMNS if c not in pairs]
    if missing:
        raise DataError([Fault("pairs", "", c, None, "the column to be present") for c in missing])
    rows: dict[tuple, tuple] = {}
    lines: dict[object, str] = {}
    parsed: dict[object, Answerline] = {}
    faults: list[Fault] = []
    columns = (pairs[c].tolist() for c in _PAIR_COLUMNS)
    for question, guess, condition, line in zip(*columns, strict=True):
        guess = guess if isinstance(guess, str) else ""
        condition = condition if isinstance(condition, str) else ""
        known = lines.setdefault(question, line)
        if not isinstance(line, str):
            faults.append(Fault("pairs", str(question), "answerline", line, "text"))
        elif known != line:
            faults.append(
                Fault("pairs", str(question), "answerline", line, f"the same as {known!r}")
            )
        elif (key := (question, guess, condition)) not in rows:
            if question not in parsed:
                parsed[question] = parse(line)
            rows[key] = judge(parsed[question], guess, condition)
    if faults:
        raise DataError(faults)
    frame = pd.DataFrame(
        [(*key, *judgement, "engine") for key, judgement in rows.items()],
        columns=["question_id", "guess", "condition", "verdict", "score", "rule", "source"],
    )
    return frame.astype({"score": float})
