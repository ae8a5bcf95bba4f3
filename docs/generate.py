"""The generated reference: configuration, tables, figures, rules, Python API and command line."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import jinja2
import pandas as pd
from calscore import cli
from calscore.core import catalog, schema
from calscore.pages import notebooks

ROOT = Path(__file__).resolve().parent.parent
API = (
    "calscore.answers",
    "calscore.scores.metrics",
    "calscore.human.curves",
    "calscore.stats.bootstrap",
    "calscore.irt.model",
)
"""Modules that other programs import."""
TUTORIALS = {
    "demo": ["first-run", "your-model", "audit-a-number"],
    "tournament": ["your-tournament"],
}
"""Study on whose results tutorials are executed → their names."""
OUTSIDE = {
    "config/README.md": "reference/configuration.md",
    "CONTRIBUTING.md": "reference/contributing.md",
    "CHANGELOG.md": "reference/changelog.md",
    "resources/grace/README.md": "reference/grace-numbers.md",
    "resources/confidence-gap/README.md": "reference/confidence-gap-numbers.md",
    "README.md": "index.md",
}
"""Files outside of the site → the page that shows what they say."""


def relink(name: str, source: list[str]) -> None:
    """Turn links to files outside of the site into links to the pages that show them."""
    up = "../" * name.count("/")
    for path, page in OUTSIDE.items():
        source[0] = re.sub(rf"\]\((?:\.\./)*{re.escape(path)}", f"]({up}{page}", source[0])
    if name in ("reference/contributing", "reference/changelog"):
        source[0] = source[0].replace("](docs/", "](../")


def _shown(output) -> str:
    """An output of a cell as MyST: tables as HTML, all else as text."""
    data = output.get("data", {})
    if "text/html" in data:
        return f"\n```{{raw}} html\n{data['text/html']}\n```\n"
    return f"\n```text\n{(output.get('text') or data.get('text/plain', '')).rstrip()}\n```\n"


def executed_tutorials(docs: Path) -> dict[str, str]:
    """Pages of the tutorials with what their cells print, executed on studies of this machine (:data:`TUTORIALS`)."""
    pages = {}
    results = Path(os.environ.get("CALSCORE_RESULTS", ROOT / "results"))
    for study, names in TUTORIALS.items():
        with notebooks.kernel(results / study, ROOT) as client:
            for name in names:
                cells = notebooks.execute(docs / "tutorials" / f"{name}.md", client).cells
                pages[f"tutorials/{name}"] = "\n\n".join(
                    cell.source
                    if cell.cell_type == "markdown"
                    else f"```python\n{cell.source}\n```\n" + "".join(map(_shown, cell.outputs))
                    for cell in cells
                )
    return pages


def _cell(text) -> str:
    return " ".join(str(text).replace("|", "\\|").split())


def _table(heads: list[str], rows: list[list]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines) + "\n"


def configuration() -> str:
    """Every key of the schema with its type, default and meaning."""
    schema = json.loads((ROOT / "workflow" / "calscore" / "core" / "config.json").read_text(encoding="utf-8"))
    parts = ["# Configuration\n\nEvery key, from the schema that a run is checked against.\n"]

    def rows(node: dict, prefix: str = "") -> list[list]:
        entries = []
        for key, entry in node.get("properties", {}).items():
            reference = entry.get("$ref", "").rsplit("/", 1)[-1]
            kind = entry.get("type") or (reference and f"see {reference}") or "one of several"
            if "enum" in entry:
                kind = ", ".join(f"`{value}`" for value in entry["enum"])
            default = f"`{json.dumps(entry['default'])}`" if "default" in entry else ""
            kind = ", ".join(kind) if isinstance(kind, list) else kind
            entries.append([f"`{prefix}{key}`", kind, default, entry.get("description", "")])
            if not reference:
                entries += rows(entry, f"{prefix}{key}.")
        return entries

    sections = {"Top level": schema} | schema.get("$defs", {})
    for name, node in sections.items():
        if node.get("properties"):
            parts.append(f"## {name.capitalize()}\n")
            parts.append(_table(["key", "type or values", "default", "meaning"], rows(node)))
    return "\n".join(parts)


def writers() -> dict[str, str]:
    """Name of each table → the rules that write it, with their file."""
    places: dict[str, list[str]] = {}
    for path in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for rule, _, body in _RULE.findall(path.read_text(encoding="utf-8")):
            for inside in re.findall(r"\bwrites\(([^()]*)\)", body):
                for name in _NAMES.findall(inside):
                    places.setdefault(name, []).append(f"`{rule}` of `{path.name}`")
    return {name: ", ".join(rules) for name, rules in places.items()}


def tables() -> str:
    """Every declared table with its columns, its declaration, and what writes, computes and tests it."""
    parts = ["# Tables\n\nEvery table that a study can have, from its declaration.\n"]
    written_by = writers()
    rooms: dict[str, list] = {}
    for product in catalog.products():
        if product.kind == "table":
            rooms.setdefault(product.room, []).append(product)
    for room, products in rooms.items():
        parts.append(f"## {room}\n")
        for product in products:
            declared = catalog.table(product.name)
            parts.append(f"### {product.name}\n\n{product.title}. `{product.file}`\n")
            functions = re.findall(r"[\w.]+", str(declared["function"]))
            parts.append(
                f"Declared in `tables/{room}/{product.name}.yaml`; written by {written_by[product.name]}; "
                f"computed by {', '.join(f'`{name}`' for name in functions)}; tested in `{declared['test']}`.\n"
            )
            if declared.get("description"):
                parts.append(declared["description"] + "\n")
            columns = [
                [f"`{name}`", spec.get("type", ""), spec.get("unit", ""), spec.get("description", "")]
                for name, spec in ((n, catalog.column_of(n, declared) or {}) for n in declared["columns"])
            ]  # fmt: skip
            parts.append(_table(["column", "type", "unit", "meaning"], columns))
    return "\n".join(parts)


def _percent(share: float) -> str:
    """A share in percent with one decimal, halves rounded up."""
    return f"{math.floor(1000 * share + 0.5 + 1e-9) / 10:.1f} %"


def coverage(docs: Path) -> str:
    """How often intervals held the truth, by simulated world and by method, from coverage.csv."""
    table = pd.read_csv(docs / "coverage.csv")
    parts = ["# Coverage of 95 % intervals\n\nFrom [coverage.csv](../coverage.csv), written by `python -m benchmarks.coverage`.\n"]  # fmt: skip
    rows = []
    for name, part in table.groupby("part", sort=False):
        shares_held = part["coverage"]
        shares = [_percent(share) for share in (shares_held.min(), shares_held.median(), shares_held.max())]
        rows.append([name, part["world"].iloc[0], len(part), f"{part['studies'].max():,}", *shares])
    heads = ["part", "simulated world", "quantities", "studies", "lowest", "median", "highest"]
    parts.append("## By simulated world\n\n" + _table(heads, rows))
    for part, quantities in table.groupby("part", sort=False):
        heads = ["quantity", "method", "held", "bias"]
        rows = [
            [row.quantity, row.method, _percent(row.coverage), f"{row.bias:.2g}"]
            for row in quantities.itertuples()
        ]
        parts.append(f"## {part}\n\n" + _table(heads, rows))
    ranks = pd.read_csv(docs / "calibration.csv")
    rows = [
        [row.rate, f"{row.p_chi_square:.2f}", f"{row.farthest:.3f}", f"{row.p_farthest:.2f}"]
        for row in ranks.itertuples()
    ]
    heads = ["rank of", "p, tenths", "largest distance from uniform", "p"]
    parts.append("## Ranks of the truth among draws of the model of buzzes\n\n" + _table(heads, rows))
    return "\n".join(parts)


def gallery(docs: Path) -> str:
    """Every figure with a sentence, and its picture where a study on this machine has drawn it."""
    parts = ["# Gallery\n\nEvery figure, from its declaration. Pictures are those of studies on this machine.\n"]  # fmt: skip
    target = docs / "reference" / "figures"
    for product in catalog.products():
        if product.kind != "figure":
            continue
        parts.append(f"## {product.title}\n")
        drawn = sorted(
            ROOT.glob(f"results/*/figures/{product.name}.png"),
            key=lambda path: "grace" not in path.parts,
        )
        if drawn:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(drawn[0], target / f"{product.name}.png")
            parts.append(f"![{product.title}](figures/{product.name}.png)\n")
        parts.append(f"{_sentence(product)}.\n")
    return "\n".join(parts)


def _sentence(product) -> str:
    """The first sentence of a figure's caption under the default options; its title where they do not say all."""
    caption = ROOT / "workflow" / "report" / "figures" / f"{product.name}.rst"
    if not caption.exists():
        return product.title
    template = jinja2.Template(caption.read_text(encoding="utf-8"), undefined=jinja2.StrictUndefined)
    params = schema.defaults("options") | {"simulated": False}
    try:
        text = template.render(snakemake={"params": params})
    except jinja2.UndefinedError:
        return product.title
    return " ".join(text.split()).partition(". ")[0].rstrip(".").replace("*", "\\*")


_RULE = re.compile(r'^rule (\w+):\n\s+"""(.*?)"""(.*?)(?=^rule |\Z)', re.M | re.S)
_NAMES = re.compile(r'"(\w+)"')


def rule_edges(study: str) -> set[tuple[str, str]]:
    """(rule that makes, rule that reads) of a study, as Snakemake has them; what other edges imply is left out."""
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "--quiet", "all", "--config"]
    done = subprocess.run([*command, f"only={study}"], cwd=ROOT, capture_output=True, text=True, check=True)  # fmt: skip
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', done.stdout))
    readers: dict[str, set] = {name: set() for name in names.values()}
    for maker, reader in re.findall(r"(\d+) -> (\d+)", done.stdout):
        readers[names[maker]].add(names[reader])

    @cache
    def below(rule: str) -> frozenset:
        return frozenset(readers[rule]).union(*map(below, readers[rule]))

    return {
        (maker, reader)
        for maker in readers
        for reader in readers[maker]
        if not any(reader in below(other) for other in readers[maker])
    } - {(maker, "default") for maker in readers}


def rule_graph(study: str, target: Path) -> None:
    """Draw the rules of a study in layers, an arrow from each to those that read what it makes."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    edges = sorted(rule_edges(study))
    makers: dict[str, list] = {}
    for maker, reader in edges:
        makers.setdefault(maker, [])
        makers.setdefault(reader, []).append(maker)

    @cache
    def layer(rule: str) -> int:
        return max((layer(maker) + 1 for maker in makers[rule]), default=0)

    place: dict[str, tuple] = {}
    depth = max(map(layer, makers)) + 1
    for level in range(depth):
        # Each stands below the middle of those that it reads from.
        middles = {
            rule: sum(place[maker][0] for maker in makers[rule]) / max(len(makers[rule]), 1)
            for rule in sorted(makers)
            if layer(rule) == level
        }
        row = sorted(middles, key=lambda rule: (middles[rule], rule))
        place |= {rule: (2.3 * (x - (len(row) - 1) / 2), level) for x, rule in enumerate(row)}
    widest = max(abs(x) for x, _ in place.values()) + 1.2
    with plt.rc_context({"svg.hashsalt": "calscore", "svg.fonttype": "none", "font.size": 9}):
        figure, ax = plt.subplots(figsize=(1.55 * widest, 0.62 * depth))
        for maker, reader in edges:
            arrow = {
                "arrowstyle": "-|>",
                "color": "#2171b5",
                "alpha": 0.6,
                "shrinkA": 9,
                "shrinkB": 9,
            }
            ax.annotate("", place[reader], place[maker], arrowprops=arrow)
        box = {"boxstyle": "round", "facecolor": "#eaf2fa", "edgecolor": "#08306b"}
        for rule, (x, y) in place.items():
            ax.text(x, y, rule.replace("_", " "), ha="center", va="center", bbox=box)
        ax.set_xlim(-widest, widest)
        ax.set_ylim(depth - 0.5, -0.5)
        ax.axis("off")
        figure.savefig(target, metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)


def rules(docs: Path) -> str:
    """Every rule with what it reads and writes: the graph of the workflow as picture and text."""
    rule_graph("demo", docs / "reference" / "rules.svg")
    parts = [
        "# Rules\n\nThe rules of the study `demo`, from the simulation to the pages. `snakemake --rulegraph` draws those of any "
        "study.\n\n![Rules of the study demo, each below those that it reads from](rules.svg)\n\n"
        "Every rule follows with the tables it reads and writes.\n"
    ]
    for path in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        text = path.read_text(encoding="utf-8")
        declared = _RULE.findall(text)
        if not declared:
            continue
        contract = re.match(r'"""(.*?)"""', text, re.S)
        parts.append(f"## {path.stem}\n\n{(contract[1] if contract else '').partition(chr(10))[0]}\n")
        rows = []
        for name, docstring, body in declared:
            calls = {"reads": [], "writes": [], "draws": [], "files": []}
            for call, inside in re.findall(r"\b(reads|writes|draws|files)\(([^()]*)\)", body):
                calls[call] += _NAMES.findall(inside)
            outputs = calls["writes"] + calls["draws"] + calls["files"]
            rows.append([f"`{name}`", docstring, ", ".join(calls["reads"]), ", ".join(outputs)])
        parts.append(_table(["rule", "what it does", "reads", "writes"], rows))
    return "\n".join(parts)


def api() -> str:
    """Modules that other programs import, from their docstrings."""
    parts = ["# Python API\n"]
    for module in API:
        if (ROOT / "workflow" / Path(*module.split("."))).with_suffix(".py").exists() or (
            ROOT / "workflow" / Path(*module.split("."))
        ).is_dir():
            parts.append(f"## {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n```\n")  # fmt: skip
    return "\n".join(parts)


def command_line() -> str:
    """The targets of make, as ``make help`` prints them, and the command ``calscore``."""
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    comments = []
    for line in lines:
        if not line.startswith("#"):
            break
        comments.append(line.removeprefix("#").removeprefix(" "))
    text = "\n".join(comments)
    usage = cli.parser().format_help()
    return (
        f"# Command line\n\nTargets of make:\n\n```text\n{text}\n```\n\n"
        f"The command `calscore` calls them:\n\n```text\n{usage}```\n"
    )


def write(docs: Path) -> None:
    """Write all generated pages below ``docs/reference``."""
    folder = docs / "reference"
    folder.mkdir(exist_ok=True)
    pages = {
        "configuration": configuration(),
        "tables": tables(),
        "coverage": coverage(docs),
        "gallery": gallery(docs),
        "rules": rules(docs),
        "api": api(),
        "command-line": command_line(),
    }
    for path, page in OUTSIDE.items():
        name = Path(page).stem
        if page.startswith("reference/") and name not in pages:
            pages[name] = (ROOT / path).read_text(encoding="utf-8")
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
