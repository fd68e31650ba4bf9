"""The https port of the real server: handshakes with a device that trusts it, with one that does not, and with none."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.table import ROOT, free_port, start_server, stop_server
from web.server import THREADS


class Served(NamedTuple):
    """A server: its two ports, and what trusts its authority."""

    port: int
    https_port: int
    trusting: ssl.SSLContext


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    ports = free_port(), free_port()
    server = start_server(tmp_path / "data", *ports)
    with urllib.request.urlopen(f"http://127.0.0.1:{ports[0]}/trust/kast.crt", timeout=20) as answer:
        assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
        authority = answer.read()
    yield Served(*ports, ssl.create_default_context(cadata=authority))
    stop_server(server)


def ask(served: Served, path: str, host: str = "127.0.0.1", **headers: str) -> http.client.HTTPResponse:
    """One request over https, the authority's certificate demanded; the answer, read."""
    with closing(http.client.HTTPSConnection("127.0.0.1", served.https_port, timeout=20)) as device:
        device.sock = served.trusting.wrap_socket(  # to this computer, whatever names it knows
            socket.create_connection(("127.0.0.1", served.https_port), timeout=20), server_hostname=host
        )
        device.request("GET", path, headers={"Host": f"[{host}]" if ":" in host else host, **headers})
        answer = device.getresponse()
        answer.text = answer.read().decode()  # type: ignore[attr-defined]
        return answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", socket.gethostname(), "::1"])
def test_the_page_is_there_over_https_for_whoever_trusts_the_authority(served: Served, host: str) -> None:
    answer = ask(served, "/", host)
    assert answer.status == 200
    assert "New game" in answer.text  # type: ignore[attr-defined]


def test_on_https_the_cookie_is_for_https_only_and_on_http_it_is_another(served: Served) -> None:
    secure = ask(served, "/").headers["Set-Cookie"]
    assert secure.startswith("__Host-kast=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(secure.split("; "))
    with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/", timeout=20) as answer:
        plain = answer.headers["Set-Cookie"]
    assert plain.startswith("kast=")
    assert "Secure" not in plain


def test_a_device_that_says_nothing_or_does_not_trust_kast_or_speaks_plain_http_holds_up_no_other(
    served: Served,
) -> None:
    silent = [socket.create_connection(("127.0.0.1", served.https_port), timeout=20) for _ in range(3 * THREADS)]
    for each in silent[::2]:
        each.sendall(b"\x16\x03\x01")  # a handshake begins, and does not go on
    with pytest.raises(ssl.SSLCertVerificationError):
        ssl.create_default_context().wrap_socket(
            socket.create_connection(("127.0.0.1", served.https_port), timeout=20), server_hostname="127.0.0.1"
        )
    with socket.create_connection(("127.0.0.1", served.https_port), timeout=20) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: kast\r\n\r\n")
        assert plain.recv(100) == b""
    assert ask(served, "/").status == 200
    for each in silent:
        each.close()


def said_at_start(data: Path, *arguments: str) -> list[str]:
    """What a server says before it serves."""
    command = [sys.executable, "-m", "web.command", "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    server = subprocess.Popen(
        [*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout
    lines = []
    for line in server.stdout:
        lines.append(line.strip())
        if line.startswith("Games are kept"):
            break
    port = re.search(r"http://127\.0\.0\.1:(\d+)/", "\n".join(lines))
    assert port
    with urllib.request.urlopen(f"http://127.0.0.1:{port[1]}/", timeout=20) as answer:
        assert answer.status == 200, "http is served whatever happens to https"
    stop_server(server)
    assert server.stderr
    server.stderr.close()
    return lines


def test_a_taken_https_port_is_said_in_words_and_http_goes_on(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = said_at_start(tmp_path / "data", "--https-port", str(port))
    assert said[0].startswith(f"There is no https, and so no live camera. Kast cannot be served at 127.0.0.1:{port}:")
    assert said[0].endswith("Choose another port with --https-port.")
    assert not any("https://" in line for line in said)


def test_a_folder_where_no_certificate_can_be_kept_is_said_in_words_and_http_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "certificates").touch()
    said = said_at_start(tmp_path / "data", "--https-port", "0")
    assert said[0].startswith("There is no https, and so no live camera:")


def test_the_addresses_for_the_live_camera_are_told(tmp_path: Path) -> None:
    said = said_at_start(tmp_path / "data", "--https-port", "0")
    assert any(
        re.fullmatch(r"For the live camera of a phone or tablet: https://127\.0\.0\.1:\d+/", line) for line in said
    )
    assert any(line.endswith("/trust)") for line in said)


def test_a_camera_that_is_not_there_is_said_in_words_and_the_page_goes_on(tmp_path: Path) -> None:
    said = said_at_start(tmp_path / "data", "--https-port", "0", "--camera", "Hall Cam")
    assert any(line.startswith("There is no such camera or video now: Hall Cam. It is looked for") for line in said)
    (tmp_path / "pictures").mkdir()
    said = said_at_start(tmp_path / "data", "--https-port", "0", "--camera", str(tmp_path / "pictures"))
    assert not any("no such camera" in line for line in said)
