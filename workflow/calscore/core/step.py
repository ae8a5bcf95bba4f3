"""What every rule's script shares: bad input ends in one clear message, in the log and on screen."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

from .errors import DataError


@contextmanager
def guard(snakemake):
    """Run the body; a ``DataError`` is written to the rule's log and ends the script with status 1."""
    log = Path(snakemake.log[0]) if snakemake.log else None
    try:
        yield
    except DataError as error:
        message = f"{snakemake.rule}: {error}"
        if log:
            log.write_text(message + "\n", encoding="utf-8")
        print(message, file=sys.stderr)
        sys.exit(1)
    if log:
        log.write_text("done\n", encoding="utf-8")
