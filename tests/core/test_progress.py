"""A bar on a terminal, and nothing elsewhere."""

import io
import sys

from calscore.core import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_for_terminals(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    items = [1, 2, 3]
    assert progress.progress(items, "judging") is items
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "DELAY", 0)
    assert list(progress.progress(items, "judging")) == items
    assert "judging" in sys.stderr.getvalue()


def test_a_step_that_is_soon_done_shows_none(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "DELAY", 1e9)
    assert list(progress.progress([1, 2], "judging")) == [1, 2]
    assert sys.stderr.getvalue().strip() == ""
