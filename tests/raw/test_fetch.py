"""Raw files from a folder and from a server, checked; a user's own file is never harmed."""

import contextlib
import hashlib
import http.server
import time

import pytest
from calscore.core.errors import DataError
from calscore.raw import fetch
from support import serving

CONTENT = b"twelve packets of twenty"
SHA = hashlib.sha256(CONTENT).hexdigest()
ENTRY = {"name": "[public] packets.zip", "sha256": SHA}
ZEROS = {"sha256": "0" * 64}


@pytest.fixture
def folder(tmp_path):
    source = tmp_path / "theirs"
    source.mkdir()
    (source / "[public] packets.zip").write_bytes(CONTENT)
    return source


@pytest.fixture
def url(folder):
    with serving(folder) as address:
        yield f"{address}/%5Bpublic%5D%20packets.zip"


def test_copy_from_a_folder(folder, tmp_path):
    row = fetch.fetch_or_copy(ENTRY, folder, tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip").read_bytes() == CONTENT
    assert (row["sha256"], row["bytes"], row["checked"]) == (SHA, len(CONTENT), True)
    assert "/" not in row["source"]


def test_a_wrong_local_file_is_named_and_kept(folder, tmp_path):
    message = rf"packets.zip, column SHA-256: found '{SHA}', expected 0+"
    with pytest.raises(DataError, match=message):
        fetch.fetch_or_copy(ENTRY | ZEROS, folder, tmp_path / "mine.zip")
    assert (folder / "[public] packets.zip").read_bytes() == CONTENT
    assert not (tmp_path / "mine.zip").exists()


def test_an_absent_local_file(folder, tmp_path):
    with pytest.raises(DataError, match="the file other.zip in the folder"):
        fetch.fetch_or_copy({"name": "other.zip"}, folder, tmp_path / "mine.zip")


def test_download(url, tmp_path):
    row = fetch.fetch_or_copy(ENTRY | {"url": url}, None, tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip").read_bytes() == CONTENT
    assert row["source"] == url


def test_a_wrong_download_leaves_nothing(url, tmp_path):
    with pytest.raises(DataError, match="column SHA-256"):
        fetch.fetch_or_copy(ENTRY | ZEROS | {"url": url}, None, tmp_path / "mine.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


@pytest.mark.parametrize("is_served", [True, False])
def test_an_address_that_does_not_answer(url, tmp_path, is_served):
    entry = ENTRY | {"url": f"{url}.absent" if is_served else "http://127.0.0.1:9/x.zip"}
    with pytest.raises(DataError, match="a file that can be downloaded"):
        fetch.fetch_or_copy(entry, None, tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_neither_folder_nor_address(tmp_path):
    with pytest.raises(DataError, match="release_dir with a local folder"):
        fetch.fetch_or_copy({"name": "x.zip"}, None, tmp_path / "x.zip")


PAGE = b"\n<!DOCTYPE html><html><body>Please log in to the network.</body></html>"


class Odd(http.server.BaseHTTPRequestHandler):
    """A server whose answers are of another kind on each path."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        with contextlib.suppress(OSError):
            given_up_before = time.monotonic() + 30
            if self.path == "/header":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: ")
            while self.path in ("/header", "/interim") and time.monotonic() < given_up_before:
                self.wfile.write(b"x" if self.path == "/header" else b"HTTP/1.1 100 Continue\r\n\r\n")
                time.sleep(0.05)
        told = {"/big": 10**12, "/page": len(PAGE), "/cut": 1000}.get(self.path)
        self.send_response(302 if self.path == "/round" else 200)
        if self.path == "/round":
            self.send_header("location", "/round")
        if told:
            self.send_header("content-length", str(told))
        if self.path == "/portal":
            self.send_header("content-type", "text/html; charset=utf-8")
        if self.path == "/frame":
            self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        starts = {
            "/page": PAGE,
            "/comment": b"<!-- a -->\n" + PAGE,
            "/xml": b'<?xml version="1.0"?>' + PAGE,
            "/long-comment": b"<!--" + b"x" * 5000 + b"-->" + PAGE,
            "/wide": PAGE.decode().encode("utf-16"),
            "/form": b"\xef\xbb\xbf\r\n<div>Please log in to the network.</div>",
            "/nothing": b"",
            "/frame": b"0",
        }
        self.wfile.write(starts.get(self.path, b"x"))
        with contextlib.suppress(OSError):
            given_up_before = time.monotonic() + 30
            endless = self.path in ("/flood", "/trickle", "/silent", "/frame")
            while endless and time.monotonic() < given_up_before:
                if self.path != "/silent":
                    self.wfile.write({"/trickle": b"x", "/frame": b"0"}.get(self.path, b"x" * 2**16))
                time.sleep(0 if self.path == "/flood" else 0.05)


@pytest.fixture(scope="module")
def odd():
    with serving(Odd) as address:
        yield address


@pytest.mark.parametrize(
    ("path", "entry", "limits", "found"),
    [
        ("/flood", {}, {"MAX_BYTES": 10**6}, "more than 1000000 bytes"),
        ("/flood", {"bytes": 5000}, {}, "more than 50000 bytes"),
        ("/flood", {}, {"MAX_SECONDS": 0.3}, "no end within 0.3 s"),
        ("/trickle", {}, {"RATE_WINDOW": 1.0}, "less than 1000 bytes a second"),
        ("/trickle", {"sha256": SHA}, {"MAX_SECONDS": 0.3}, "no end within 0.3 s"),
        ("/silent", {}, {"RATE_WINDOW": 0.3}, "(ReadTimeout|less than 1000 bytes)"),
        ("/frame", {}, {"RATE_WINDOW": 1.0}, "less than 1000 bytes a second"),
        ("/big", {}, {}, "1000000000000 bytes, more than 1000000000"),
        ("/page", {}, {}, "a web page"),
        ("/page", {"sha256": SHA}, {}, "a web page"),
        ("/comment", {}, {}, "a web page"),
        ("/xml", {}, {}, "a web page"),
        ("/portal", {}, {}, "a web page"),
        ("/long-comment", {}, {}, "a web page"),
        ("/wide", {}, {}, "a web page"),
        ("/form", {}, {}, "a web page"),
        ("/nothing", {}, {}, "no byte"),
        ("/header", {}, {"RATE_WINDOW": 1.0}, "no answer within 3 s"),
        ("/interim", {}, {"RATE_WINDOW": 1.0}, "no answer within 3 s"),
        ("/cut", {}, {}, "RemoteProtocolError"),
        ("/round", {}, {}, "TooManyRedirects"),
    ],
)  # fmt: skip
def test_what_has_no_end_or_is_a_page_is_given_up(odd, tmp_path, monkeypatch, path, entry, limits, found):
    for name, value in limits.items():
        monkeypatch.setattr(fetch, name, value)
    with pytest.raises(DataError, match=rf"{path}: found '{found}.*a file that can be down") as no:
        fetch.fetch_or_copy({"name": "x.zip", "url": odd + path} | entry, None, tmp_path / "x.zip")
    assert len(str(no.value).splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_up_to_ten_times_its_size_is_taken(url, tmp_path):
    entry = {"name": "x.zip", "url": url, "bytes": 3}
    assert fetch.fetch_or_copy(entry, None, tmp_path / "x.zip")["bytes"] == len(CONTENT)
    with pytest.raises(DataError, match="24 bytes, more than 20"):
        fetch.fetch_or_copy(entry | {"bytes": 2}, None, tmp_path / "y.zip")
