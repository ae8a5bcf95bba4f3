"""A disk that is full, whoever meets it first: one line, and nothing half-written left beside the outputs."""

import os
import re
import resource
import shutil
import subprocess
from types import SimpleNamespace

import pandas as pd
import pytest
from calscore.audit import database
from calscore.core import store
from calscore.raw import fetch
from calscore.runner import bind, disk_space
from support import mounted


@pytest.fixture(params=["disk", "limit"])
def small(tmp_path, request):
    """A disk of 512 kB, where root can mount one; a folder in which no file may be larger than that."""
    folder = tmp_path / "small"
    folder.mkdir()
    if request.param == "disk":
        mounted(folder, "512k")
        yield folder
        subprocess.run(["umount", folder], check=True)
    else:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        (tmp_path / "whole").write_bytes(bytes(10**6))
        resource.setrlimit(resource.RLIMIT_FSIZE, (512_000, before[1]))
        yield folder
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


LONG = pd.DataFrame({"question_id": [f"q{n:06d}" for n in range(60_000)], "value": "x"})  # fmt: skip


def _table(folder):
    store.write_csv(LONG, folder / "out")


def _arrow(folder):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"x": [os.urandom(20) for _ in range(100_000)]}), folder / "out")


def _database(folder):
    with database._connected(folder / "out") as connection:
        connection.register("incoming", LONG)
        connection.execute("CREATE TABLE a AS SELECT *, random() AS r FROM incoming")


def _text(folder):
    (folder / "out").write_text("x" * 10**6)


def _copy(folder):
    whole = folder.parent / "whole"
    if not whole.exists():
        whole.write_bytes(bytes(10**6))
    fetch.fetch_or_copy({"name": "whole"}, folder.parent, folder / "out")


@pytest.mark.parametrize("write", [_table, _arrow, _database, _text, _copy])
@pytest.mark.parametrize("log", ["logs", "small"])
def test_a_full_disk_is_one_line(small, tmp_path, capfd, write, log):
    (tmp_path / "logs").mkdir()
    logs, output = [str(tmp_path / log / "it.log")], [str(small / "out")]
    job = SimpleNamespace(rule="make_it", log=logs, input=[], params={}, output=output)
    with pytest.raises(SystemExit), bind.guard(job):
        write(small)
    # A log on a full disk may stay empty.
    said = capfd.readouterr().err.strip() or (tmp_path / log / "it.log").read_text().strip()
    assert len(said.splitlines()) == 1
    assert said.startswith(f"make_it: {small}: found '")
    why = r"no space left \(.* of 0.5 MB are free|as large as it may be \(0.5 MB: ulimit -f"
    assert re.search(why, said)
    assert "', expected room for more than the " in said
    assert said.endswith("make some and give the same command again; what is finished stays")
    # The output itself is deleted by Snakemake.
    assert {path.name for path in small.iterdir()} <= {"out", "it.log"}


def test_a_disk_without_inodes_says_so(tmp_path, monkeypatch):
    free = {"f_bavail": 9, "f_blocks": 9, "f_bfree": 9, "f_frsize": 4096}
    disk = SimpleNamespace(f_files=1000, f_favail=0, **free)
    monkeypatch.setattr(os, "statvfs", lambda at: disk)
    said = str(disk_space.full_disk_fault([tmp_path / "out"]))
    assert "no inodes left (none of 1000 files is free, " in said


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(28, "x"), True),
        (OSError(122, "x"), True),
        (OSError(27, "File too large"), True),
        (OSError("[Errno 28] Error writing bytes to file. No space left on device"), True),
        (RuntimeError('IO Error: Could not write file "a": No space left on device'), True),
        (OSError(13, "Permission denied"), False),
        (ValueError("x"), False),
    ],
)
def test_who_says_that_a_disk_is_full(error, full):
    assert disk_space.is_full(error) is full


def test_the_folder_is_that_with_the_least_space(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    free = {str(tmp_path / "results"): 3, "/var/elsewhere": 1}
    usage = lambda at: SimpleNamespace(free=free[str(at)] * 1e6, total=64e6)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", usage)
    monkeypatch.setattr(disk_space.tempfile, "gettempdir", lambda: "/var/elsewhere")
    monkeypatch.setattr(disk_space, "_device", str)
    output = tmp_path / "results" / "new" / "out"
    for least, place in (("1.0 of 64", "/var/elsewhere"), ("3", tmp_path / "results")):
        said = str(disk_space.full_disk_fault([output]))
        assert said.startswith(f"{place}: found 'no space left ({least}")
        free["/var/elsewhere"] = 9


def test_on_one_disk_the_folder_is_the_outputs_however_its_space_changes(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    left = iter(range(10**6, 0, -1000))
    usage = lambda at: SimpleNamespace(free=next(left), total=64e6)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", usage)
    monkeypatch.setattr(disk_space.tempfile, "gettempdir", lambda: tmp_path)
    said = str(disk_space.full_disk_fault([tmp_path / "results" / "out"]))
    assert said.startswith(f"{tmp_path / 'results'}: found 'no space left (")
