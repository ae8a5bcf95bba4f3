"""Snakemake whose scripts run in forks of one process that has the libraries loaded already.

An interpreter and its imports cost a job .5 to 2 s, and a study has forty jobs, most of which do next to
nothing where the study is small. Rules, jobs, their environment and what they print are those of an ordinary
run; only times (benchmarks/) are not. All tests of a session share one such process, of which Snakemake is a
fork as well: ``start`` and ``ask``.
"""

import atexit
import gc
import json
import logging
import os
import runpy
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

#: What scripts import from outside the package, which is itself never loaded before a fork.
LIBRARIES = (
    *("pyarrow.parquet", "pandas", "matplotlib.pyplot", "matplotlib.backends.backend_agg"),
    *("matplotlib.backends.backend_svg", "scipy.stats", "scipy.optimize.elementwise", "scipy.fft"),
    *("statsmodels.api", "sklearn.linear_model", "sklearn.pipeline", "sklearn.decomposition"),
    *("sklearn.feature_extraction.text", "sklearn.cluster", "duckdb", "yaml", "jinja2"),
    *("jsonschema", "jupytext", "nbclient", "nbconvert", "snakemake.script", "snakemake.cli"),
)
ADDRESS = "CALSCORE_FORKS"
#: Names a file that Snakemake and each script run first.
FIRST = "CALSCORE_FIRST"
#: Where a working folder has, for each script that ran, the package's files that it loaded or read.
USED = Path(".snakemake", "used")

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


def snakemake(arguments: list[str]) -> None:
    """Run Snakemake in this process, whose scripts go to the server."""
    from snakemake.cli import main

    sys.executable = str(Path(os.environ[ADDRESS]).with_name("python"))
    main(arguments)


def note_used(script: Path, opened: set[str]) -> None:
    """Write down the package's files among the loaded modules and the ``opened`` files."""
    loaded = (getattr(module, "__file__", None) for module in [*sys.modules.values()])
    used = sorted(path for path in {*opened, *filter(None, loaded)} if "/calscore/" in path)
    USED.mkdir(parents=True, exist_ok=True)
    (USED / f"{script.name}.{os.getpid()}").write_text("\n".join(used), encoding="utf-8")


def run(asked: str | list[str], folder: str, environment: dict[str, str]) -> int:
    """Run a script as ``python script`` would, or Snakemake with arguments; the exit status."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    script = "snakemake" if isinstance(asked, list) else asked
    sys.argv = [script]
    sys.path[:0] = [str(Path(script).parent), *environment.get("PYTHONPATH", "").split(os.pathsep)]
    opened: set[str] = set()
    sys.addaudithook(lambda event, given: event == "open" and opened.add(str(given[0])))
    try:
        if FIRST in environment:
            exec(Path(environment[FIRST]).read_text(encoding="utf-8"), {})
        if isinstance(asked, list):
            snakemake(asked)
        else:
            runpy.run_path(script, run_name="__main__")
            note_used(Path(folder, script), opened)
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
    with client.makefile("rb") as said:
        asked, folder, environment = json.load(said)
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        with suppress(BrokenPipeError):  # of a run that was killed
            client.sendall(str(os.waitstatus_to_exitcode(status) & 0xFF).encode())
        return
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    client.close()
    atexit._clear()
    status = run(asked, folder, environment)
    atexit._run_exitfuncs()
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def reap(*_) -> None:
    """Let forks that have ended go, and count their time as this process's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def serve(listener: socket.socket, parent: int) -> None:
    """Answer clients, each in a process of its own, as long as the parent lives."""
    signal.signal(signal.SIGCHLD, reap)
    listener.settimeout(1)
    while os.getppid() == parent:
        with suppress(TimeoutError):
            client, _ = listener.accept()
            if not gc.get_freeze_count():
                for name in LIBRARIES:
                    import_module(name)
                gc.freeze()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                client.settimeout(None)
                answer(client)
                os._exit(0)
            client.close()


def listen(folder: Path) -> socket.socket:
    """A socket in ``folder``, named in the environment, and beside it what Snakemake takes for Python."""
    # As the workflow has it, but numpy is loaded before the workflow can say so.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    os.environ[ADDRESS] = str(folder / "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ[ADDRESS])
    listener.listen(64)
    client, python = folder / "client.py", folder / "python"
    client.write_text(CLIENT, encoding="utf-8")
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{client}" "$@"\n')
    python.chmod(0o755)
    return listener


def start(folder: Path) -> subprocess.Popen:
    """A server for this process and those that it starts."""
    with listen(folder) as listener:
        number = listener.fileno()
        return subprocess.Popen([sys.executable, __file__, f"--serve={number}"], pass_fds=[number])


def ask(arguments: list[str], folder: Path, *files: int) -> int:
    """Run Snakemake in a fork of the server that was started; its exit status."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ[ADDRESS])
        socket.send_fds(server, [b" "], files)
        server.sendall(json.dumps([arguments, str(folder), dict(os.environ)]).encode())
        server.shutdown(socket.SHUT_WR)
        return int(server.recv(8) or 1)


if __name__ == "__main__":
    number = int(sys.argv[1].removeprefix("--serve="))
    serve(socket.socket(fileno=number), os.getppid())
