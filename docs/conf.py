"""Sphinx configuration of the documents: hand-written pages, and a reference generated from the code."""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "workflow")]

import generate  # noqa: E402
from pygments.lexers import PythonLexer  # noqa: E402

project = "calscore"
copyright = "the calscore authors, MIT licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_align": "left",
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
myst_heading_anchors = 4
numpydoc_show_class_members = False
autodoc_typehints = "none"
nitpicky = False

generate.write(DOCS)
TUTORIALS = generate.executed_tutorials(DOCS)


def setup(app):
    """Tutorials have what their cells print, links to files outside of the site lead to their generated pages."""
    app.add_lexer("snakemake", PythonLexer)
    app.connect("source-read", complete)


def complete(app, name, source):
    """The page as it is read: a tutorial executed, links turned."""
    source[0] = TUTORIALS.get(name, source[0])
    generate.relink(name, source)
