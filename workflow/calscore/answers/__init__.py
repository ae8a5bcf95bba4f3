"""Answer equivalence: what an answer line accepts, and who said so."""

from importlib import import_module


def __getattr__(name: str):
    """``judge`` of the engine; its rules and word lists are loaded when it is first asked for."""
    if name != "judge":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(".equivalence", __name__).judge
