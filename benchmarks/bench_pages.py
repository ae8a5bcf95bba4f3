"""Lighthouse scores of a study's pages: ``make bench-pages STUDY=grace`` (needs npm and Chromium).

Scores depend on the load of the machine; the issue of a slow page is seen in the times beside them.
"""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIGHTHOUSE = ROOT / ".venv-lighthouse" / "node_modules" / ".bin" / "lighthouse"
TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")  # fmt: skip


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        """No line for each request."""


def scores(address: str) -> dict:
    """Lighthouse's report on a page, as a phone on a slow line sees it."""
    command = [str(LIGHTHOUSE), address, "--quiet", "--only-categories=performance,accessibility"]
    command += ["--output=json", "--chrome-flags=--headless=new --no-sandbox"]
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or ""
    run = subprocess.run(command, env=os.environ | {"CHROME_PATH": chromium}, capture_output=True, check=True)  # fmt: skip
    return json.loads(run.stdout)


def main(study: str, pages: list[str]) -> None:
    """Print performance, accessibility and times of each page."""
    handler = functools.partial(Quiet, directory=str(ROOT / "results" / study))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for page in pages:
            report = scores(f"http://127.0.0.1:{server.server_port}/{page}")
            shares = [f"{name} {entry['score']:.2f}" for name, entry in report["categories"].items()]
            times = [f"{name} {report['audits'][name]['displayValue']}" for name in TIMES]
            print(f"{page}: {', '.join(shares + times)}")
        server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or ["index.html", "explorer.html", "leaderboard.html"])
