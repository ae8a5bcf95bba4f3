"""Raw files from a folder and from a server, checked; a user's own file is never harmed."""

import functools
import hashlib
import http.server
import threading

import pytest
from calscore.core.errors import DataError
from calscore.raw import fetch

CONTENT = b"twelve packets of twenty"
SHA = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def folder(tmp_path):
    source = tmp_path / "theirs"
    source.mkdir()
    (source / "[public] packets.zip").write_bytes(CONTENT)
    return source


@pytest.fixture
def server(folder):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_copy_from_a_folder(folder, tmp_path):
    row = fetch.bring(
        {"name": "[public] packets.zip", "sha256": SHA}, folder, tmp_path / "mine.zip"
    )
    assert (tmp_path / "mine.zip").read_bytes() == CONTENT
    assert (row["sha256"], row["bytes"], row["checked"]) == (SHA, len(CONTENT), True)
    assert "/" not in row["source"]


def test_a_wrong_local_file_is_named_and_kept(folder, tmp_path):
    with pytest.raises(
        DataError, match=rf"packets.zip, column SHA-256: found '{SHA}', expected 0+"
    ):
        fetch.bring(
            {"name": "[public] packets.zip", "sha256": "0" * 64}, folder, tmp_path / "mine.zip"
        )
    assert (folder / "[public] packets.zip").read_bytes() == CONTENT
    assert not (tmp_path / "mine.zip").exists()


def test_an_absent_local_file(folder, tmp_path):
    with pytest.raises(DataError, match="the file other.zip in the folder"):
        fetch.bring({"name": "other.zip"}, folder, tmp_path / "mine.zip")


def test_download(server, tmp_path):
    entry = {"name": "packets.zip", "url": f"{server}/%5Bpublic%5D%20packets.zip", "sha256": SHA}
    row = fetch.bring(entry, None, tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip").read_bytes() == CONTENT
    assert row["source"] == entry["url"]


def test_a_wrong_download_leaves_nothing(server, tmp_path):
    entry = {
        "name": "packets.zip",
        "url": f"{server}/%5Bpublic%5D%20packets.zip",
        "sha256": "0" * 64,
    }
    with pytest.raises(DataError, match="column SHA-256"):
        fetch.bring(entry, None, tmp_path / "mine.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


@pytest.mark.parametrize("path", ["absent.zip", ""])
def test_an_address_that_does_not_answer(server, tmp_path, path):
    url = f"{server}/absent.zip" if path else "http://127.0.0.1:9/x.zip"
    with pytest.raises(DataError, match="a file that can be downloaded"):
        fetch.bring({"name": "x.zip", "url": url, "sha256": SHA}, None, tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_neither_folder_nor_address(tmp_path):
    with pytest.raises(DataError, match="release_dir with a local folder"):
        fetch.bring({"name": "x.zip"}, None, tmp_path / "x.zip")
