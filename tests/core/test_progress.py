"""A bar on a terminal, and nothing elsewhere."""

import io
import sys

from calscore.core import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_for_terminals_and_for_steps_that_take_a_while(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    items = [1, 2, 3]
    assert progress.progress(items, "judging") is items
    for delay, shown in ((0, True), (1e9, False)):
        monkeypatch.setattr(sys, "stderr", Terminal())
        monkeypatch.setattr(progress, "DELAY", delay)
        assert list(progress.progress(items, "judging")) == items
        said = sys.stderr.getvalue().strip()
        assert "judging" in said if shown else said == ""
