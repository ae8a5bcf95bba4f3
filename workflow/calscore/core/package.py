"""Where the package's own files lie: data, schemas, templates."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files("calscore")))
DATA = FOLDER / "data"
PROJECT = FOLDER.parent.parent
"""Top of the checkout, where the package lies in one; nothing that it needs lies outside FOLDER."""
