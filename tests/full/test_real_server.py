"""A study that asks a real server of llama.cpp, which is killed and started again in the middle (make test-endpoint)."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import pandas as pd
import pytest
import yaml
from calscore.audit import manifest
from calscore.simulate import grace
from flows.endpoints import KEY, assert_keyless, past_questions
from support import ROOT, failing, run_snakemake, workspace


def server_python() -> str:
    """An interpreter that has the server's wheel, nothing where there is none."""
    if find_spec("xllamacpp"):
        return sys.executable
    path = os.environ.get("CALSCORE_SERVER_PYTHON", "")
    found = path and Path(path).exists() and not subprocess.run(
        [path, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('xllamacpp') is None)"]
    ).returncode  # fmt: skip
    return path if found else ""


PYTHON = server_python()
APIS = {"chats": "chat", "completes": "completions"}


class Llama:
    """The server in a process of its own; ``kill_at``: it is killed and started again once so many replies are stored."""

    def __init__(self, folder: Path, store: Path, kill_at: int):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder, self.store, self.kill_at = folder, store, kill_at
        self.done, self.restarts = threading.Event(), 0

    def start(self) -> None:
        script = ROOT / "tests" / "llama_server.py"
        command = [PYTHON, str(script), str(self.folder), str(self.port), KEY]
        log = (self.folder / "server.log").open("a")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout.readline(), (self.folder / "server.log").read_text()

    def watch(self) -> None:
        while not self.done.wait(0.05):
            if self.store.exists() and self.store.read_bytes().count(b"\n") >= self.kill_at:
                self.process.kill()
                self.process.wait()
                time.sleep(0.5)
                self.start()
                self.restarts += 1
                return

    def __enter__(self):
        self.start()
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.process.kill()
        self.process.wait()


@pytest.mark.skipif(not PYTHON, reason="needs the wheel xllamacpp: make test-endpoint")
def test_a_real_server_is_asked_and_scored(tmp_path):
    folder = workspace(tmp_path / "asked")
    sizes = {"packets": 3, "questions_per_packet": 5, "teams": 8}
    grace.write_grace(grace.simulate_grace(sizes, 1), folder / "release")
    (folder / "past.json").write_text(json.dumps(past_questions()))
    path = folder / "tiny_endpoint.yaml"
    raw = yaml.safe_load((ROOT / "tests" / "flows" / path.name).read_text(encoding="utf-8"))
    inputs = raw["studies"]["tiny_endpoint"]["inputs"]
    server = Llama(folder, folder / "replies" / "chats.jsonl", 100)
    base = inputs["guessers"][0] | {"base_url": f"http://127.0.0.1:{server.port}/v1"}
    base |= {"max_tokens": 6, "attempts": 20, "concurrency": 4}
    inputs["guessers"] = [base | {"name": name, "api": api} for name, api in APIS.items()]
    path.write_text(yaml.safe_dump(raw))
    proxies = {name: of for name, of in os.environ.items() if not name.lower().endswith("_proxy")}
    with server, mock.patch.dict(os.environ, proxies | {"MINE_KEY": KEY}, clear=True):
        # Random weights end no sentence: the replies are cut, which is refused.
        said = failing(folder, "--configfile", path.name)
        assert "finish_reason: found 'length'" in said
        raw["options"]["unfinished_replies"] = "score"
        path.write_text(yaml.safe_dump(raw))
        before = {name: (folder / f"replies/{name}.jsonl").read_bytes() for name in APIS}
        run_snakemake("--configfile", path.name, cwd=folder)
    assert server.restarts == 1
    results = folder / "results" / "tiny_endpoint"
    stored = {name: (folder / f"replies/{name}.jsonl").read_bytes() for name in APIS}
    assert stored == before
    assert sum(text.count(b"\n") for text in stored.values()) >= 500
    plan = pd.read_csv(results / "tables" / "plan.csv")
    assert plan["distinct"].sum() == sum(text.count(b"\n") for text in stored.values())
    replies = pd.read_csv(results / "tables" / "replies.csv")
    assert set(replies["model"]) == set(APIS)
    assert (replies["cut"] > replies["guesses"] / 2).all()
    table = pd.read_csv(results / "tables" / "table1.csv")
    assert set(table.loc[table["elicitation"] == "logit", "model"]) == set(APIS)
    assert (results / "index.html").exists()
    assert manifest.verify(results) == []
    assert_keyless(folder)
