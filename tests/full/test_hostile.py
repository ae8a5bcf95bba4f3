"""A study whose every text from outside is hostile: markup, formulas, links, right-to-left marks, control characters.

What pages and notebooks do with it is seen in a browser; what spreadsheets would is read from the CSV.
"""

import base64
import csv
import hashlib
import json
import shutil
import subprocess
from xml.etree import ElementTree

import pandas as pd
import pytest
import yaml
from calscore.core import store
from support import once, run_snakemake, workspace

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MARK = "data-hacked"
RUN = f"document.documentElement.setAttribute('{MARK}', '1')"
MARKUP = [
    f"<script>{RUN}</script>",
    f'<img src=x onerror="{RUN}">',
    f"</script><script>{RUN}</script>",
    f'</title></style></textarea><svg onload="{RUN}">',
    f'"><b onmouseover="{RUN}" onfocus="{RUN}" autofocus tabindex=1>',
    f"[go](javascript:{RUN.replace(' ', '')})",
    "{{ 7 * 7 }} {% raw %} `code` **bold** $x_1$ \\(y\\)",
]
FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", '=HYPERLINK("x")', "\r=1"]
MARKS = ["\u202eabc\u202c", "\u200f\u200e", "a\u0007b\u001bc", "a\u0000b", "\ufeff\u2028x"]
TEAMS = [f"{m} {i}" for i, m in enumerate(MARKUP[:4])]
TEAMS += ["=1+2 team", "@team", "\u202eteam\u202c", "te\u0007am"]


def question(number):
    text = " ".join([*MARKUP, *MARKS, "one two three four five six seven eight nine ten"])
    return {
        "question": text.replace("<", "&lt;") + f" {number}. And more of it to hear, to the end.",
        "answer": f"<b><u>Ada {number}</u></b> [or {MARKUP[0].replace('<', '&lt;')}; or =2+2]",
        "metadata": [*MARKUP, *FORMULAS][number % 9],
    }


def match(number, one, other):
    questions = []
    for cycle in range(1, 7):
        team = (one, other)[cycle % 2]
        buzz = {"team": {"name": team}, "player": {"name": f"{FORMULAS[cycle]} of {team}"}}
        buzz["buzz_position"] = {"word_index": 10 + 3 * cycle + number}
        buzz["result"] = {"value": (10, -5)[cycle % 3 == 0]}
        asked = {"question_number": cycle}
        questions.append(asked | {"tossup_question": asked, "buzzes": [buzz]})
    sides = [{"team": {"name": name}, "match_players": []} for name in (one, other)]
    told = {"tossups_read": 6, "packets": f"{MARKUP[1]} {number}"}
    return told | {"match_teams": sides, "match_questions": questions}


def write(folder):
    """The files of the study, and its configuration."""
    (folder / "cup").mkdir()
    for number in (1, 2, 3, 4):
        packet = {"name": f"{MARKUP[1]} {number}", "tossups": [question(n) for n in range(1, 7)]}
        (folder / "cup" / f"packet-{number}.json").write_text(json.dumps(packet))
        for room in range(4):
            one, other = TEAMS[room], TEAMS[4 + (room + number) % 4]
            name = f"=Round_{number}_room_{room}.qbj"
            (folder / "cup" / name).write_text(json.dumps(match(number, one, other)))
    guesses, submission = [], []
    ids = [f"p{p:02d}-q{n:02d}" for p in range(1, 5) for n in range(1, 7)]
    for i, qid in enumerate(ids):
        for position in (18, 48):
            guess = [*MARKUP, *FORMULAS, *MARKS, "Ada"][(i + position) % 20]
            guesses.append(
                {"model": "mine", "elicitation": "verbalized", "question_id": qid, "position": position,
                 "guess": guess, "confidence": 0.3 + position / 100, "raw": f"{guess} {MARKUP[0]}"}
            )  # fmt: skip
        runs = [
            {"guess": FORMULAS[i % 7], "confidence": 0.6, "buzz": True, "correct": bool(i % 2), "token_position": 30}
        ]  # fmt: skip
        submission.append({"qid": qid, "run_outputs": runs})
    parts = [{"guess": MARKUP[0], "confidence": 0.5, "explanation": MARKUP[1], "correct": True}]
    for name, records in (
        ("guesses", guesses), ("runs", submission), ("bonus", [{"qid": "=b", "parts": parts}]),
    ):  # fmt: skip
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)))
    inputs = {
        "qbj_dir": "cup",
        "guesses": [{"path": "guesses.jsonl", "format": "jsonl"}],
        "submissions": [{"path": "runs.jsonl", "name": MARKUP[0]}],
        "bonus_submissions": [{"path": "bonus.jsonl", "name": "=1+1"}],
    }
    study = {"title": f"{MARKUP[0]} & =1+1", "inputs": inputs}
    models = {"mine": {"name": f"{MARKUP[1]} mine"}}
    options = {"replicates": 100, "segmentations": ["sentence-100"], "models": models}
    given = {"options": options, "studies": {"hostile": study}}
    (folder / "mine.yaml").write_text(yaml.safe_dump(given))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """Results of the hostile study."""

    def make(folder):
        write(workspace(folder))
        run_snakemake("--configfile", "mine.yaml", cwd=folder)

    return once(tmp_path_factory, "hostile", make) / "results" / "hostile"


def opened(page, folder, clicks: str) -> str:
    """What a browser makes of a page, after everything in it was clicked, as it is written down."""
    copy = page.with_name(f"{page.stem}-clicked.html")
    # The policy of the page lets only its own scripts run: the one that clicks is named beside them.
    script = clicks.removeprefix("<script>").removesuffix("</script>").encode()
    digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
    text = page.read_text(encoding="utf-8")
    text = text.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    copy.write_text(text + clicks, encoding="utf-8")
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={folder}", "--virtual-time-budget=8000", "--dump-dom", copy.as_uri(),
    ]  # fmt: skip
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    finally:
        copy.unlink()


CLICKS = f"""<script>
addEventListener("load", () => setTimeout(() => {{
  for (const one of document.querySelectorAll("details")) one.open = true;
  for (const one of document.querySelectorAll("button, summary, [data-sort]")) one.click();
  for (const one of document.querySelectorAll("select, input")) {{
    one.selectedIndex = 1; one.dispatchEvent(new Event("input", {{bubbles: true}}));
    one.dispatchEvent(new Event("change", {{bubbles: true}}));
  }}
  for (const one of document.querySelectorAll("a[href^='#']")) one.click();
  for (const one of document.querySelectorAll("a[href^='javascript:']"))
    document.documentElement.setAttribute("{MARK}", "link");
  document.documentElement.setAttribute("data-clicked", "1");
}}, 1500));
</script>"""


def test_nothing_from_outside_runs_in_a_page(hostile, tmp_path):
    if not CHROMIUM:
        pytest.skip("no Chromium found")
    pages = sorted(hostile.rglob("*.html"))
    assert {"explorer.html", "leaderboard.html", "add_your_model.html"} <= {p.name for p in pages}
    for page in pages:
        dom = opened(page, tmp_path, CLICKS)
        assert 'data-clicked="1"' in dom, page.name
        assert f'{MARK}="' not in dom[: dom.index("<head")], page.name


def test_figures_are_well_formed(hostile):
    figures = sorted(hostile.rglob("*.svg"))
    assert figures
    for figure in figures:
        ElementTree.parse(figure)


def test_a_spreadsheet_finds_no_formula(hostile):
    for path in sorted(hostile.rglob("*.csv")):
        if path.is_relative_to(hostile / "raw" / "tournament"):
            continue
        with path.open(encoding="utf-8", newline="") as handle:
            for row in csv.reader(handle):
                for cell in row:
                    if cell.startswith(("=", "+", "-", "@", "\t", "\r")):
                        assert pd.to_numeric(pd.Series([cell]), errors="coerce").notna().all(), path


def test_tables_hold_what_came(hostile):
    teams = set(store.read(hostile / "tidy" / "heard.parquet")["team"])
    assert teams == {name.strip() for name in TEAMS}
    written = store.read_csv(hostile / "tables" / "quizbowl_teams.csv", "quizbowl_teams")
    assert set(written["team"]) == teams
