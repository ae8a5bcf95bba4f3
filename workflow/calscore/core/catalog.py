"""What a study can produce: the declarations in ``calscore/tables``, one file a table.

``tables/<room>/<name>.yaml`` declares a table: ``title``; ``file`` (its path in the study's folder); ``function`` (of
the package, which computes its rows; several where several rules write it) and ``test`` (the file that tests it); ``needs``
(features of :func:`calscore.runner.config.study_features`, alternatives separated by |); ``report`` (its heading in
the report, where it has a place there, with the caption ``workflow/report/<kind>/<name>.rst``); ``printed`` (it has a Markdown and a LaTeX form); ``description``;
``key`` (columns that are unique together; a Parquet file is sorted by them); ``foreign_keys`` (table →
columns that occur in it); ``unbounded`` (why none of its estimates has bounds); ``checks`` (functions in
``calscore/<room>/checks.py``) or ``unchecked`` (why it has none); ``columns`` (name → what :data:`COLUMN` lists; what is not said there stands
in ``tables/columns.yaml``), ``patterns`` (the same for columns whose names depend on the data); or ``like``,
the table whose key and columns it shares; ``stored_as`` (the name within the file, where it is another: Snakemake keeps ``items`` to itself). ``tables/<room>/figures.yaml`` and ``files.yaml`` declare the rest.

Among columns, ``metrics of <place>: [ends]`` stands for those of every metric that ``tables/metrics.yaml``
shows there (:func:`metric_columns`), and as ``values`` for their names.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .package import FOLDER

TABLES = FOLDER / "tables"
STAGES = (
    *("simulated", "raw", "guess", "asked", "past", "tidy", "judged", "human", "scores"),
    *("inference", "buzzing", "irt", "tables", "figures", "audit"),
)
"""Folders in the order in which data move through them."""
COLUMN = (
    *("type", "unit", "description", "values", "minimum", "maximum", "nullable"),
    *("bounds", "bounds_missing", "unbounded"),
)
"""What is said of a column. ``bounds``: the pairs of columns between which its value lies; ``unbounded``: why it has
none, of an upper end why it may be missing."""
DESK = ("audit", "pages")
"""Rooms whose products are made from all the rest: for looking and checking, never read by a rule above."""
ELSEWHERE = ("tournament", "leaderboard", "guessers", "simulate")
"""Rooms whose products are made where there is what they need, and not missed where there is not."""
_TEXTS = "texts of questions, answers and guesses (make grace FETCH=1, or make grace RELEASE=<folder> OUTPUTS=<folder>)"
WORDS = {
    "buzzes": "texts of the tossups (packets beside the matches)",
    "guesses": "per-clue model outputs (inputs.guesses)",
    "marked": "guesses that came with marks (inputs.guesses of format model_output)",
    "outputs": "the authors' model outputs (inputs.guesses, format: model_output)",
    "survey": "the offline survey (inputs.survey)",
    "published": "published numbers (published)",
    "simulated": "a simulation (simulate)",
    "compared": "data that are not simulated",
    "heard": "human buzzes (live ones, or inputs.agents.buzzes)",
    "own_judge": "answers judged by the models themselves (inputs.option_results, judging: own)",
    "annotations": "verdicts of people (inputs.annotations)",
    "wording": _TEXTS,
    "irt": _TEXTS,
    "irt_live": _TEXTS,
    "past": "runs on past questions (inputs.corpus with inputs.past_runs or inputs.guessers)",
}
METRICS_OF = "metrics of "
METRIC_UNIT = "0 to 1, lower is better"
_ANALYSES = ("options", "irt_live", "irt", "answered")
"""Analyses other than live buzzes. A product that names none of them belongs to live buzzes."""
_ENDS = {
    "_low": "Lower end of the interval of {}.",
    "_high": "Upper end of the interval of {}.",
    "_rank": "Rank by {}, 1 is best.",
    "_n": "Answers that {} rests on.",
}


class Product(NamedTuple):
    """One declared output of a study. ``kind``: table, figure or file; ``file``: in the study's folder;
    ``needs``: sets of features, each enough by itself; ``report``: its heading there, or None; ``caption``:
    with a heading, a file below workflow/report; ``parts``: (part of a figure, feature that it needs)."""

    name: str
    room: str
    kind: str
    file: str
    title: str
    needs: tuple[frozenset[str], ...]
    report: str | None
    caption: str = ""
    printed: bool = False
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def files(self) -> list[str]:
        """Paths in the study's folder: the declared file, then PNG of a figure, or Markdown and LaTeX if ``printed``."""
        stem, suffix = self.file.rpartition(".")[::2]
        ends = [suffix, *(["md", "tex"] if self.printed else ["png"] if self.kind == "figure" else [])]
        return [f"{stem}.{end}" for end in ends] if stem else [self.file]

    @property
    def needs_texts(self) -> bool:
        """Whether one of ``needs``, or a part of a figure, asks for texts of questions."""
        return any("wording" in need for need in self.needs) or "wording" in dict(self.parts).values()

    def possible(self, features: set[str]) -> bool:
        """Whether ``features`` include all of at least one set of ``needs``."""
        return any(need <= features for need in self.needs)


def read_yaml(path: Path) -> dict:
    """The document in a YAML file; {} where it is empty."""
    import yaml

    with path.open(encoding="utf-8") as handle:
        return yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}


def _product(name: str, room: str, kind: str, entry: dict) -> Product:
    """The :class:`Product` of an ``entry`` in a declaration."""
    file = entry.get("file") or f"figures/{name}.svg"
    parts = tuple(entry.get("parts", {}).items())
    # "a b | c": sets of features, each enough by itself.
    needs = tuple(frozenset(part.split()) for part in entry.get("needs", "").split("|"))
    caption = f"{kind}s/{entry.get('caption', name)}.rst".replace("files/", "pages/")
    report, printed = entry.get("report"), entry.get("printed", False)
    return Product(name, room, kind, file, entry["title"], needs, report, caption, printed, parts)


@cache
def _declaration_paths() -> dict[str, Path]:
    """Name of a table → its declaration's file; ``ValueError`` where two declare the same name."""
    paths = {}
    for path in sorted(TABLES.glob("*/*.yaml")):
        if path.stem not in ("figures", "files"):
            if path.stem in paths:
                raise ValueError(f"two declarations of the table {path.stem}")
            paths[path.stem] = path
    return paths


@cache
def products() -> tuple[Product, ...]:
    """All declared tables, figures and files, in order of :data:`STAGES` (other folders last), then path."""
    declared_products = [
        _product(n, p.parent.name, "table", read_yaml(p)) for n, p in _declaration_paths().items()
    ]
    for kind in ("figure", "file"):
        for path in TABLES.glob(f"*/{kind}s.yaml"):
            entries = read_yaml(path).items()
            declared_products += [_product(name, path.parent.name, kind, entry) for name, entry in entries]
    rank = {stage: place for place, stage in enumerate(STAGES)}
    # What lies beside the stages, pages of the study, comes last.
    return tuple(sorted(declared_products, key=lambda p: (rank.get(p.file.split("/")[0], len(rank)), p.file)))


@cache
def product(name: str, kind: str) -> Product:
    """The product of that name and kind (table, figure or file); ``KeyError`` where none is declared."""
    for candidate in products():
        if candidate.name == name and candidate.kind == kind:
            return candidate
    raise KeyError(f"no {kind} {name!r} is declared in {TABLES}")


@cache
def shared_columns() -> dict[str, dict]:
    """Name → what is declared for columns of that name in every table (``tables/columns.yaml``)."""
    return read_yaml(TABLES / "columns.yaml")


def column(name: str) -> dict:
    """What is declared for columns of that name in every table; ``{"description": ""}`` where nothing is.

    A name that ends in _low, _high, _rank or _n is described by the name before the ending."""
    if name in shared_columns():
        return shared_columns()[name]
    for end, sentence in _ENDS.items():
        if name.endswith(end):
            return {"description": sentence.format(name.removesuffix(end))}
    return {"description": ""}


def is_table(name: str) -> bool:
    """Whether a table of that name is declared."""
    return name in _declaration_paths()


def declaration_file(name: str) -> Path:
    """Path of the file that declares a table; raises ``KeyError`` where there is none."""
    if name not in _declaration_paths():
        raise KeyError(f"no table {name!r} is declared in {TABLES}")
    return _declaration_paths()[name]


@cache
def metrics() -> dict[str, dict]:
    """Metric → its declaration in ``tables/metrics.yaml``, in the order of the columns of tables."""
    return read_yaml(TABLES / "metrics.yaml")


def metric_names(place: str) -> list[str]:
    """Metrics whose declaration shows them at ``place``, in their order."""
    return [name for name, metric in metrics().items() if place in metric["places"]]


def metric_columns(place: str, ends: list[str]) -> dict[str, dict]:
    """Column → declaration for each metric shown at ``place``: its value (with a range if ``ends`` is empty),
    then what ``ends`` adds. ``ends``: "rank"; or "low" and "high", with ``…_two_way_low`` and ``…_high`` for
    metrics of human behaviour."""
    columns: dict[str, dict] = {}
    for name in metric_names(place):
        metric = metrics()[name]
        number = {"type": "number", "unit": metric.get("unit", METRIC_UNIT)}
        own = number | {"description": metric["description"]}
        if not ends:
            own |= {"minimum": metric.get("least", 0.0), "maximum": metric.get("greatest", 1.0)}
        columns[name] = shared_columns().get(name, own)
        if "rank" in ends:
            reason = "ranks of one table: how sure they are stands in rank_shares"
            columns[f"{name}_rank"] = column(f"{name}_rank") | {"type": "integer", "unbounded": reason}
        stems = {name: "a sample of questions"} if "low" in ends else {}
        if stems and metric.get("human"):
            stems[f"{name}_two_way"] = "samples of questions and of teams like these"
        for stem, units in stems.items():
            for end, side in (("low", "Lower"), ("high", "Upper")):
                description = f"{side} end of the interval of {name}, from {units}."
                if not metric.get("interval", True):
                    description = f"{side} end of the spread of {name} over resamples of questions; no interval, as {name} is biased upward on each."
                columns[f"{stem}_{end}"] = number | {"description": description}
        if stems:
            bounds = [[f"{stem}_low", f"{stem}_high"] for stem in stems]
            columns[name] = columns[name] | {"bounds": bounds}
    return columns


@cache
def table(name: str) -> dict:
    """The declaration of a table as the module describes it, ``columns`` filled in; ``KeyError`` where there is none."""
    entry = read_yaml(declaration_file(name))
    if "like" in entry:
        original = table(entry["like"])
        return {**original, "stored_as": entry["like"], **entry}
    filled = {"description": entry["title"], "key": [], "stored_as": name} | entry
    filled["columns"] = columns = {}
    for key, spec in entry.get("columns", {}).items():
        if key.startswith(METRICS_OF):
            listed = metric_columns(key.removeprefix(METRICS_OF), spec)
            columns |= {k: v for k, v in listed.items() if k not in columns}
            continue
        # A table takes back with null what the shared words say.
        spec_of_column = {k: v for k, v in (column(key) | (spec or {})).items() if v is not None}
        if isinstance(spec_of_column.get("values"), str):
            spec_of_column["values"] = metric_names(spec_of_column["values"].removeprefix(METRICS_OF))
        columns[key] = spec_of_column
    return filled


def column_of(name: str, declared_table: dict) -> dict | None:
    """Declaration of a column in ``declared_table``, by its name or a pattern; None for an undeclared one."""
    if name in declared_table["columns"]:
        return declared_table["columns"][name]
    for pattern, spec in declared_table.get("patterns", {}).items():
        if re.fullmatch(pattern, name):
            return spec
    return None


def _is_desk_product(candidate: Product) -> bool:
    """Whether a product is made from all the others: those of :data:`DESK` but the tables findings and unavailable."""
    return candidate.room in DESK and candidate.name not in ("findings", "unavailable")


def study_products(features: set[str]) -> list[Product]:
    """Products that ``features`` allow, without those of :func:`desk_products`."""
    return [p for p in products() if not _is_desk_product(p) and p.possible(features)]


def desk_products(features: set[str]) -> list[Product]:
    """Products that ``features`` allow and that are made from all the others: pages and checks."""
    return [p for p in products() if _is_desk_product(p) and p.possible(features)]


def available_files(features: set[str]) -> list[str]:
    """Paths, relative to the study's folder, of all products that ``features`` allow."""
    return [file for item in (*study_products(features), *desk_products(features)) for file in item.files]


def cross_study_files(features: set[str]) -> list[str]:
    """Paths, relative to results/studies, of the products that ``features`` allow and that need some feature.

    ``features``: of :func:`calscore.runner.config.cross_study_features`; a study's would allow its own products too.
    """
    items = [item for item in products() if item.possible(features) and not item.possible(set())]
    return [file for item in items for file in item.files]


def number_files(features: set[str]) -> list[str]:
    """Paths, in the study's folder, of JSON files and tables (printed forms too) of :func:`study_products`,
    and audit/provenance.json."""
    tables = [
        item for item in study_products(features) if item.kind == "table" or item.file.endswith(".json")
    ]
    return [*(file for item in tables for file in item.files), "audit/provenance.json"]


def unavailable(features: set[str]) -> list[dict[str, str]]:
    """Rows (product, title, missing) of what ``features`` do not allow: files in tables/, figures/ and audit/, all that
    needs texts, and parts of these.

    ``product``: path, or "path (part)" without suffix; ``missing``: in words, what it needs. Left out: rooms of
    :data:`ELSEWHERE` and :data:`DESK` without texts, analyses outside this study."""
    rows = []
    # Matches without texts are a study of live buzzes that lacks them.
    own = features | {"buzzes"} if {"tournament", "texts"} & features == {"tournament"} else features
    own = own | {"irt", "irt_live"} if "irt without texts" in features else own
    for item in products():
        looked_at = item.file.startswith(("tables/", "figures/", "audit/"))
        if not (item.needs_texts or (looked_at and item.room not in (*ELSEWHERE, *DESK))):
            continue
        stem = item.file.rsplit(".", 1)[0]
        wanted = [(file, item.title, item.needs) for file in item.files]
        wanted += [(f"{stem} ({part})", f"{item.title}: {part}", [{need}]) for part, need in item.parts]
        for path, title, needs in wanted:
            # Ways of an analysis that the study does not do are none of its own.
            needs = [n for n in needs if next((a for a in _ANALYSES if a in n), "buzzes") in own]
            if needs and not any(need <= features for need in needs):
                ways = ["; ".join(WORDS[name] for name in sorted(need - features)) for need in needs]
                rows.append({"product": path, "title": title, "missing": " or ".join(ways)})
    return rows
