"""Snakemake whose scripts run in forks of one process that has the libraries loaded already.

``python tests/forked.py <arguments of snakemake>``. An interpreter and its imports cost a job .5 to 2 s,
and a study has fifty jobs, most of which do next to nothing where the study is tiny. Rules, jobs, their
environment and what they print are those of an ordinary run; only times (benchmarks/) are not.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import sys
import tempfile
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

#: What scripts import from outside the package, which is itself never loaded before a fork.
LIBRARIES = (
    "pyarrow.parquet",
    "pandas",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "scipy.stats",
    "scipy.optimize.elementwise",
    "scipy.fft",
    "statsmodels.api",
    "sklearn.linear_model",
    "sklearn.pipeline",
    "sklearn.decomposition",
    "sklearn.feature_extraction.text",
    "sklearn.cluster",
    "duckdb",
    "yaml",
    "jinja2",
    "jsonschema",
    "jupytext",
    "nbclient",
    "nbconvert",
    "snakemake.script",
)
ADDRESS = "CALSCORE_FORKS"

#: Stands in for the interpreter: hands files, folder and environment on, and ends as the fork does.
CLIENT = f"""
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(os.environ["{ADDRESS}"])
    socket.send_fds(server, [b" "], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[1], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(8) or 1))
"""


def run(script: str, folder: str, environment: dict[str, str]) -> int:
    """Run a script as ``python script`` would; its exit status."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [script]
    sys.path[:0] = [str(Path(script).parent), *environment.get("PYTHONPATH", "").split(os.pathsep)]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def answer(client: socket.socket) -> None:
    """Run what a client asks for in a process of its own, and tell the client how it ended."""
    _, files, *_ = socket.recv_fds(client, 1, 3)
    with client.makefile("rb") as asked:
        script, folder, environment = json.load(asked)
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        client.sendall(str(os.waitstatus_to_exitcode(status) & 0xFF).encode())
        return
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    client.close()
    status = run(script, folder, environment)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def serve(listener: socket.socket, parent: int) -> None:
    """Answer clients, each in a process of its own, as long as the parent lives."""
    for name in LIBRARIES:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener.settimeout(1)
    while os.getppid() == parent:
        with suppress(TimeoutError):
            client, _ = listener.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                client.settimeout(None)
                answer(client)
                os._exit(0)
            client.close()


def main() -> int:
    # As the workflow has it, but numpy is loaded before the workflow can say so.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    parent = os.getpid()
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        os.environ[ADDRESS] = f"{folder}/socket"
        listener.bind(os.environ[ADDRESS])
        listener.listen(64)
        server = os.fork()
        if server == 0:
            try:
                serve(listener, parent)
            finally:
                os._exit(1)
        client, python = Path(folder, "client.py"), Path(folder, "python")
        client.write_text(CLIENT, encoding="utf-8")
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{client}" "$@"\n')
        python.chmod(0o755)
        sys.executable = str(python)
        from snakemake.cli import main as snakemake

        try:
            snakemake(sys.argv[1:])
        except SystemExit as end:
            return end.code or 0
        finally:
            os.kill(server, signal.SIGTERM)
            os.waitpid(server, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
