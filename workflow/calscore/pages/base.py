"""What all pages have in common: header, styles, footer, and how a page comes from its template."""

import base64
import hashlib
import json
import re
from pathlib import Path

from ..core import catalog
from ..core.package import FOLDER
from ..core.visible import escape_control_chars

TEMPLATES = FOLDER / "pages" / "templates"
VENDOR = FOLDER / "pages" / "vendor"

DOORS = (
    ("index.html", "Findings", None),
    ("ledger.html", "Ledger", "ledger_page"),
    ("explorer.html#models", "Models", "explorer"),
    ("explorer.html#questions", "Questions", "explorer"),
    ("explorer.html#teams", "Teams", "explorer"),
    ("statistics.html", "Statistics", "statistics_page"),
    ("leaderboard.html", "Leaderboard", "leaderboard_page"),
    ("audit/index.html", "Audit", "audit_page"),
    ("index.html#all", "All tables and figures", None),
)
"""Links of the header: address in the study's folder, name, and the declared page that must be there."""
NOINDEX = '<meta name="robots" content="noindex, nofollow, noarchive">'
"""Asks search engines not to keep a page."""


def links(features: list[str]) -> list[tuple[str, str]]:
    """(address, name) of each of :data:`DOORS` that a study with these features has; Models only with
    guesses, models or release."""
    product_names = {product.name for product in catalog.products() if product.possible(set(features))}
    hidden = set() if {"guesses", "models", "release"} & set(features) else {"Models"}
    return [
        (path, name)
        for path, name, page in DOORS
        if name not in hidden and (page is None or page in product_names)
    ]


_ESCAPED = re.compile(r"\\\\|\\u00[01][0-9a-f]|\\[bf]")


def embed(content) -> str:
    """``content`` as JSON for a script element: nothing ends the element, control characters become visible
    signs but for tab and ends of lines; ``ValueError`` for nan and infinities."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = escape_control_chars(
        _ESCAPED.sub(lambda match: match[0] if match[0][1] == "\\" else json.loads(f'"{match[0]}"'), text)
    )
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def embedded_svg(path: Path) -> str:
    """The SVG file as a data URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"


def source(name: str) -> str:
    """The text of a file in the folder of templates."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def libraries(*names: str) -> str:
    """The code of the bundled libraries with these names, each under a comment, in the order of ``vendor.json``."""
    parts = []
    for entry in json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8")):
        if entry["name"] in names:
            code = (VENDOR / entry["file"]).read_text(encoding="utf-8")
            parts.append(f"/* {entry['name']} {entry['version']}, {entry['licence']} */\n{code}")
    return "\n".join(parts)


def tables_script() -> str:
    """The script that sorts, filters and folds columns of every table of class ``data``, with its library."""
    return libraries("datatables.net") + "\n" + source("tables.js")


def environment():
    """The Jinja environment of the templates: values are escaped, control characters made visible, undefined names are errors."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=escape_control_chars,
    )


_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
_CHARSET = '<meta charset="utf-8">'


def add_content_policy(html: str, embedding: bool = False) -> str:
    """The page with a Content-Security-Policy after its charset: inline scripts by their hashes, nothing from
    the network. Images beside the page may be loaded, scripts where one has ``src``. ``embedding``: the page
    shows others that it holds as data, and draws with Vega, which compiles expressions (the report of
    Snakemake)."""
    hashes, beside = [], ""
    for script in _SCRIPT.finditer(html):
        if "src=" in script["attributes"] or "src: " in script["code"]:
            beside = " 'self' file:"
        if "src=" in script["attributes"]:
            continue
        if "json" not in script["attributes"]:
            digest = hashlib.sha256(script["code"].encode("utf-8")).digest()
            hashes.append(f"'sha256-{base64.b64encode(digest).decode()}'")
    scripts = (" ".join(dict.fromkeys(hashes)) + beside).strip() or "'none'"
    if embedding:
        scripts += " 'unsafe-eval'; font-src data:; frame-src data:; object-src data:; connect-src data:"
    policy = (
        f"default-src 'none'; img-src data: 'self' file:; style-src 'unsafe-inline'; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return html.replace(_CHARSET, f"{_CHARSET}\n{meta}", 1)


def render(name: str, masthead: dict, here: str, texts: bool = False, doors=None, **context) -> str:
    """A page from its template, which extends ``base.html.j2``. ``masthead``: title, whether the study is
    simulated, its features, its models' names, whether texts are hidden (``rules/common/pages.smk``).
    ``here``: the page's path in the study's folder. ``texts``: whether the page holds texts of questions or
    answers; unless hidden or simulated, search engines are asked not to keep it, and its footer says why.
    ``doors``: the links of the header, None for the study's. Values are escaped; data, script and svg stand
    as they are."""
    from markupsafe import Markup

    features = set(masthead["features"])
    alone = "irt" in features and not features & {"buzzes", "options", "submissions"}
    raw = {key: Markup(context.pop(key)) for key in ("data", "script", "svg") if key in context}
    html = (
        environment()
        .get_template(name)
        .render(
            css=Markup(source("page.css")),
            noindex=Markup(NOINDEX),
            masthead=masthead,
            doors=links(masthead["features"]) if doors is None else doors,
            here=here,
            root="../" * here.count("/"),
            private=texts and not masthead["simulated"] and not masthead["hidden"],
            encrypted="release" in features,
            # Item responses have agents of their own.
            names={} if alone else masthead["names"],
            **raw,
            **context,
        )
    )
    return add_content_policy(html)
