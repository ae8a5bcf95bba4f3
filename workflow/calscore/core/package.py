"""Where the package's own files lie: data, schemas, templates.

A module names what it reads as ``DATA / "prompts"`` or ``FOLDER / "audit" / "views.sql"``: from these words
:mod:`calscore.core.checksums` has what a rule rests on.
"""

from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files("calscore")))
DATA = FOLDER / "data"
PROJECT = FOLDER.parent.parent
"""Top of the checkout, where the package lies in one; nothing that it needs lies outside FOLDER."""
