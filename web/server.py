"""The web server: a listening socket, and the event loop that reads requests and writes answers. I/O: sockets.

May know: nothing of Kast. Whoever is slow, silent or many costs a connection and no thread. All times and sizes have a
limit; of connections there are so many at most, and at one more whoever has most of them loses the oldest.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import ssl
import threading
from asyncio import TimerHandle, Transport
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web.wsgi import Application, Threaded

THREADS = 8  # that answer, of each port
WAITING = 1024  # connections that the system holds until they are accepted
MOST = 800  # connections of each port
FILES = 4096  # files and connections of this process, where the system lets it have so many
HEAD_TIME, HEAD_SIZE = 20.0, 64 * 1024  # seconds for, and bytes of, what comes before the body
EXCHANGE = 180.0  # seconds for the body to come, and the answer to be made
IDLE = 120.0  # seconds that a connection stays open after an answer, which must have been read by then
END = 5.0  # seconds for what has begun, when the server stops


class Door(socket.socket):
    """A listening socket that keeps no more than MOST of its connections open."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._guests: list[tuple[str, socket.socket]] = []

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.getsockname()[1])

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection."""
        guest, address = super().accept()
        if len(self._guests) >= MOST:
            self._make_room()
        self._guests.append((address[0], guest))
        return guest, address

    def _make_room(self) -> None:
        self._guests = [(host, guest) for host, guest in self._guests if guest.fileno() >= 0]
        if len(self._guests) < MOST:
            return
        host, _count = Counter(host for host, _guest in self._guests).most_common(1)[0]
        oldest = next(at for at, guest in enumerate(self._guests) if guest[0] == host)
        with suppress(OSError):
            self._guests.pop(oldest)[1].shutdown(socket.SHUT_RDWR)  # whoever reads from it closes it then


class Protocol(HttpToolsProtocol):
    """HTTP, for those who send the head of a request, and take an answer, in time."""

    _late: TimerHandle | None = None
    _in_head = False
    _size = 0  # of a head that is not complete

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._give(HEAD_TIME)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._late:
            self._late.cancel()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._give(HEAD_TIME)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._give(EXCHANGE)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._give(HEAD_TIME if self._in_head else IDLE)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._size = self._size + len(data) if self._in_head else 0
        if self._size > HEAD_SIZE:
            self.transport.abort()

    def _give(self, seconds: float) -> None:
        """From now on the connection has so long for what comes next."""
        if self._late:
            self._late.cancel()
        self._late = self.loop.call_later(seconds, self.transport.abort)


def listen(host: str, port: int, *, share: bool = False) -> Door:
    """A socket at the address of this host, IPv4 or IPv6; port 0 takes a free one. share: whether other processes may
    listen there, too, which share the connections. OSError, OverflowError or ValueError where it cannot be."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _name, address = found[0]
    door = Door(family, kind, protocol)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if share:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6 and host == "::":
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        door.bind((address[0], port, *address[2:]))  # the look-up takes any number for a port
        door.listen(WAITING)
    except BaseException:
        door.close()
        raise
    return door


@contextmanager
def running(application: Application, doors: Sequence[tuple[Door, ssl.SSLContext | None]], kept: int) -> Iterator[None]:
    """The application is served at these sockets, over TLS where there is a context. `kept`: as `Threaded` has it."""
    _have_files()
    bridges = [Threaded(application, THREADS, kept) for _door in doors]
    servers = [_server(bridge, context) for bridge, (_door, context) in zip(bridges, doors, strict=True)]

    async def serve() -> None:
        await asyncio.gather(*(server.serve([door]) for server, (door, _) in zip(servers, doors, strict=True)))

    thread = threading.Thread(target=asyncio.run, args=(serve(),), name="kast server")
    thread.start()
    try:
        yield
    finally:
        for server in servers:
            server.should_exit = True
        thread.join()
        for bridge in bridges:
            bridge.close()


def _server(bridge: Threaded, context: ssl.SSLContext | None) -> uvicorn.Server:
    config = uvicorn.Config(
        bridge,
        loop="asyncio",
        http=Protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        proxy_headers=False,  # anybody could send them
        server_header=False,
        access_log=False,
        log_config=None,
        log_level="critical",  # it speaks of those who send nonsense, or nothing
        timeout_keep_alive=int(IDLE) - 5,
        timeout_graceful_shutdown=int(END),
        ssl_context_factory=(lambda *_: context) if context else None,
    )
    return uvicorn.Server(config)


def _have_files() -> None:
    """As many open files as connections need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
