"""A bar on a terminal inside a step that takes long."""

import sys

DELAY = 5.0
"""Seconds after which a bar is shown."""


def progress(items, label: str):
    """``items``, with a bar named ``label`` where standard error is a terminal, after :data:`DELAY`."""
    if not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    return tqdm(items, desc=label, delay=DELAY, mininterval=0.5, leave=False, file=sys.stderr)
