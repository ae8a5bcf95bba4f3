"""What of the package a rule rests on, and so what makes it run again."""

import pytest
from calscore.core import checksums
from calscore.core.package import FOLDER
from support import ROOT

# script, file of the package, whether it rests on it
BEHIND = [
    ("fit_irt", "irt/model.py", True),
    ("fit_irt", "irt/__init__.py", True),
    ("fit_irt", "irt/plot.py", False),
    ("fit_irt", "core/theme.py", False),
    ("fit_irt", "core/findings/irt.yaml", True),
    ("fit_irt", "core/findings/tournament.yaml", False),
    ("plot_irt", "irt/plot.py", True),
    ("plot_irt", "irt/model.py", False),
    ("plot_irt", "core/theme.py", True),
    ("plot_irt", "core/house.mplstyle", True),
    ("simulate_irt", "core/theme.py", False),
    ("simulate_irt", "data/english_words.txt", False),
    ("simulate_irt", "data/simulate/words.json", True),
    ("judge_guesses", "data/english_words.txt", True),
    ("judge_guesses", "data/answers/words.txt", True),
    ("judge_guesses", "data/prompts/logit.txt", False),
    ("make_guesses", "data/prompts/logit.txt", True),
    ("make_guesses", "data/prompts/README.md", False),
    ("parse_tournament", "raw/schemas/qbj_match.json", True),
    ("write_pages", "pages/templates/page.css", True),
    ("score_models", "tables/metrics.yaml", True),
    ("score_models", "core/config.json", False),
]


def checksum_with(path, monkeypatch, script):
    """The checksum of a script if that file had another content."""
    digest = checksums._once
    monkeypatch.setattr(checksums, "_once", lambda file: "" if file == path else digest(file))
    checksums.script_checksum.cache_clear()
    return checksums.script_checksum(script, ())


@pytest.mark.parametrize(("name", "file", "expected"), BEHIND)
def test_a_changed_file_makes_again_what_rests_on_it(name, file, expected, monkeypatch):
    script, path = ROOT / "workflow" / "scripts" / f"{name}.py", FOLDER / file
    assert path.is_file()
    before = checksums.script_checksum(script, ())
    assert (checksum_with(path, monkeypatch, script) != before) is expected
    checksums.script_checksum.cache_clear()
