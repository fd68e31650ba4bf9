"""The web server: what it makes of requests, and of those who are slow, silent or many; with a tiny application."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from typing import Any

import pytest

from web import server, wsgi

HEAD = b"GET / HTTP/1.1\r\nHost: kast\r\n"
MANY = 3 * server.THREADS
KEPT, LONG = 1000, 8_000_000  # bytes of a body that is read, and of the longest answer: more than the system takes

release = threading.Event()


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Says what came, a lot if asked for it, or nothing until it is released."""
    if environ["PATH_INFO"] == "/broken":
        raise ValueError("broken")
    if environ["PATH_INFO"] == "/wait":
        release.wait(20)
    body = environ["wsgi.input"].read()
    said = [environ[name] for name in ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING")]
    said += [environ.get("CONTENT_LENGTH", "none"), body.decode("latin-1"), environ.get("HTTP_COOKIE", "")]
    said += [environ.get("HTTP_X_A", ""), environ["REMOTE_ADDR"], environ["wsgi.url_scheme"]]
    content = b"x" * LONG if environ["PATH_INFO"] == "/long" else "|".join(said).encode("latin-1")
    start("200 OK", [("Content-Length", str(len(content))), ("X-B", "c")])
    return [content]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    door = server.listen("127.0.0.1", 0)
    with server.running(application, [(door, None)], KEPT):
        yield door.port


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """The status and the text of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as client:
        client.request(method, path, body, headers)
        answer = client.getresponse()
        return answer.status, answer.read().decode("latin-1")


def connect(port: int, *said: bytes, room: int = 0) -> socket.socket:
    """Somebody who says this; room: bytes of an answer that the system takes for them."""
    guest = socket.socket()
    if room:
        guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    guest.settimeout(10)
    guest.connect(("127.0.0.1", port))
    for part in said:
        guest.sendall(part)
    return guest


def heard(guest: socket.socket) -> bytes:
    """All that the server says until it closes this connection; TimeoutError where it does not."""
    said = b""
    with suppress(ConnectionError):
        while part := guest.recv(1 << 20):
            said += part
    return said


def test_a_request_comes_to_the_application_as_it_was_sent(port: int) -> None:
    assert ask(port, "GET", "/g/%C3%A5?a=b%20c") == (200, "GET|/g/\u00c3\u00a5|a=b%20c|none||||127.0.0.1|http")
    assert ask(port, "POST", "/", b"d=1", Cookie="e=f")[1] == "POST|/||3|d=1|e=f||127.0.0.1|http"
    assert ask(port, "POST", "/")[1].startswith("POST|/||0|"), "a form without fields has a length, too"
    assert ask(port, "HEAD", "/") == (200, "")


def test_a_body_in_chunks_has_its_length_when_it_is_here(port: int) -> None:
    said = HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    with connect(port, said, b"3\r\nabc\r\n", b"2\r\nde\r\n0\r\n\r\n") as guest:
        assert b"POST|/||5|abcde|" in heard(guest)


def test_headers_that_could_be_taken_for_others_do_not_come(port: int) -> None:
    said = HEAD + b"Connection: close\r\nX_A: mine\r\nX-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: https\r\n\r\n"
    with connect(port, said) as guest:
        assert heard(guest).endswith(b"|||127.0.0.1|http")
    with connect(port, said.replace(b"_", b"-")) as guest:
        assert heard(guest).endswith(b"||mine|127.0.0.1|http")


def test_of_a_body_that_is_too_long_the_application_gets_the_length_alone(port: int) -> None:
    assert ask(port, "POST", "/", b"a" * (KEPT + 1))[1].startswith(f"POST|/||{KEPT + 1}||")


def test_a_body_without_end_is_cut_off(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi, "LARGEST", 5000)
    said = HEAD.replace(b"GET", b"POST") + b"Content-Length: 1000000\r\n\r\n"
    with connect(port, said, b"a" * 6000) as guest:
        assert heard(guest).startswith(b"HTTP/1.1 413 ")


def test_bodies_that_wait_have_so_much_room_together_and_small_ones_always(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi, "SMALL", 100)
    monkeypatch.setattr(wsgi, "ROOM", 1000)
    post = HEAD.replace(b"GET", b"POST") + b"Content-Length: 900\r\n\r\n"
    with connect(port, post, b"a" * 899):
        assert ask(port, "POST", "/", b"a" * 100)[0] == 200
        assert [ask(port, "POST", "/", b"b" * 500)[0] for _try in range(3)] == [503] * 3
        assert ask(port, "POST", "/", b"a" * 100)[0] == 200


def test_an_application_that_fails_is_an_error_and_the_next_request_is_answered(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert ask(port, "GET", "/broken") == (500, "")
    assert "broken" in caplog.text
    assert ask(port, "GET", "/")[0] == 200


@pytest.mark.parametrize(
    "said",
    [
        pytest.param([], id="nothing"),
        pytest.param([HEAD[:20]], id="a part of a request"),
        pytest.param([HEAD + b"X-Long: ", b"a", b"b"], id="a header, letter by letter"),
        pytest.param([HEAD.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\n", b"a"], id="a part of a body"),
        pytest.param([HEAD + b"\r\n"], id="a request, and then nothing"),
    ],
)
def test_many_who_are_slow_or_silent_hold_up_nobody(port: int, said: list[bytes]) -> None:
    guests = [connect(port, *said) for _guest in range(MANY)]
    assert ask(port, "GET", "/")[0] == 200
    for guest in guests:
        guest.close()


def test_many_who_do_not_read_their_answers_hold_up_nobody(port: int) -> None:
    guests = [connect(port, HEAD.replace(b"/ ", b"/long ") + b"\r\n", room=2048) for _guest in range(10)]
    assert ask(port, "GET", "/")[0] == 200
    for guest in guests:
        guest.close()


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        pytest.param("HEAD_TIME", [], id="nothing is said"),
        pytest.param("HEAD_TIME", [HEAD], id="a head has no end"),
        pytest.param("HEAD_TIME", [HEAD + b"\r\n" + HEAD], id="the next head has no end"),
        pytest.param("EXCHANGE", [HEAD.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\na"], id="nor a body"),
        pytest.param("IDLE", [HEAD + b"\r\n"], id="nothing more is asked"),
        pytest.param("IDLE", [HEAD.replace(b"/ ", b"/long ") + b"\r\n"], id="an answer is not read"),
    ],
)
def test_who_takes_too_long_is_not_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch, limit: str, said: list[bytes]
) -> None:
    monkeypatch.setattr(server, limit, 0.3)
    with connect(port, *said, room=2048) as guest:
        threading.Event().wait(0.6)
        heard(guest)


def test_later_requests_have_no_more_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_TIME", 0.3)
    with connect(port, HEAD + b"\r\n") as guest:
        assert guest.recv(99)
        guest.sendall(HEAD)
        heard(guest)


def test_a_head_without_end_is_not_kept(port: int) -> None:
    with connect(port, HEAD) as guest:
        with suppress(ConnectionError):
            for n in range(100):
                guest.sendall(b"X-%d: %s\r\n" % (n, b"a" * 10_000))
        assert heard(guest) == b""


def test_of_too_many_connections_whoever_has_most_loses_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST", 5)
    door = server.listen("127.0.0.1", 0)
    with server.running(application, [(door, None)], KEPT):
        guests = [connect(door.port, HEAD + b"\r\n") for _guest in range(5)]
        for guest in guests:
            assert guest.recv(99)
        assert ask(door.port, "GET", "/")[0] == 200
        heard(guests[0])
        guests[1].settimeout(0.1)
        with pytest.raises(TimeoutError):
            heard(guests[1])
        for guest in guests:
            guest.close()


def test_what_has_begun_is_answered_when_the_server_stops() -> None:
    release.clear()
    door = server.listen("127.0.0.1", 0)
    with server.running(application, [(door, None)], KEPT):
        guest = connect(door.port, HEAD.replace(b"/ ", b"/wait ") + b"\r\n")
        ask(door.port, "GET", "/")
        threading.Timer(0.3, release.set).start()
    assert guest.recv(99).startswith(b"HTTP/1.1 200 OK")
    guest.close()


def test_a_port_that_is_taken_is_shared_only_where_both_want_that() -> None:
    with server.listen("127.0.0.1", 0) as alone, pytest.raises(OSError, match="in use"):
        server.listen("127.0.0.1", alone.port, share=True)
    with server.listen("127.0.0.1", 0, share=True) as one, server.listen("127.0.0.1", one.port, share=True) as other:
        assert one.port == other.port


def test_a_computer_is_reached_by_both_kinds_of_addresses() -> None:
    door = server.listen("::", 0)
    with server.running(application, [(door, None)], KEPT):
        assert ask(door.port, "GET", "/")[0] == 200
        with closing(http.client.HTTPConnection("::1", door.port, timeout=5)) as client:
            client.request("GET", "/")
            assert client.getresponse().read().endswith(b"::1|http")
