"""Between a web server that reads requests in an event loop (ASGI) and an application that answers in threads (WSGI).

A thread is given to a request once all of it is here, and is free again once the answer is made: whoever sends or reads
slowly holds up nobody.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

logger = logging.getLogger(__name__)

SMALL = 64 * 1024  # bytes of a body that there is always room for
ROOM = 256 * 1024 * 1024  # bytes of larger bodies, all together
LARGEST = 100 * 1024 * 1024  # bytes of a body that is waited for, so that the application can say that it is too large

Message = MutableMapping[str, Any]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class _Refused(Exception):
    """A request is answered with this status, and not by the application."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Threaded:
    """An application of PEP 3333 as one of ASGI 3; its answers are made whole before they are sent."""

    def __init__(self, application: Application, threads: int, kept: int) -> None:
        """`kept`: bytes of a body that the application reads at most; of a longer one it gets the length alone."""
        self._application, self._kept, self._held = application, kept, 0
        self._threads = ThreadPoolExecutor(threads, "kast answers")

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """One request."""
        status, headers, content = await self._answer(scope, receive)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def close(self) -> None:
        """Wait for the answers that are being made; there are none after this."""
        self._threads.shutdown()

    async def _answer(self, scope: Message, receive: Callable[[], Awaitable[Message]]) -> Answer:
        body = bytearray()
        try:
            length = await self._read(body, receive)
            environ = environment(scope, bytes(body), length)
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._call, environ)
        except _Refused as refused:
            return _alone(refused.status)
        except Exception:
            logger.exception("%s %s is not answered", scope["method"], scope["path"])
            return _alone(500)
        finally:
            self._held -= _large(body)

    async def _read(self, body: bytearray, receive: Callable[[], Awaitable[Message]]) -> int:
        """Put what comes into `body`, unless it is too long; how long it is."""
        length, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Refused(400)
            part, more = message["body"], message["more_body"]
            length += len(part)
            if length > LARGEST:
                raise _Refused(413)
            before = _large(body)
            if length <= self._kept:
                body += part
            else:
                body.clear()
            self._held += _large(body) - before
            if self._held > ROOM:
                raise _Refused(503)
        return length

    def _call(self, environ: dict[str, Any]) -> Answer:
        head: list[Any] = []
        chunks = self._application(environ, lambda status, headers, exc_info=None: head.extend((status, headers)))
        try:
            content = b"".join(chunks)
        finally:
            close = getattr(chunks, "close", None)
            if close:
                close()
        status, headers = head[-2:]
        plain = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return int(status[:3]), plain, content


def environment(scope: Message, body: bytes, length: int) -> dict[str, Any]:
    """What PEP 3333 says of a request (an ASGI scope of type http) with this body, that is or was so long."""
    host, port = scope["server"] or ("", 0)
    client = scope["client"] or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin-1")
        if "_" in key or key in ("content-length", "transfer-encoding"):  # “a_b” could pass for “a-b”
            continue
        key = key.upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text, joint = value.decode("latin-1"), "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    if length or scope["method"] in ("POST", "PUT", "PATCH"):
        environ["CONTENT_LENGTH"] = str(length)
    return environ


def _large(body: bytearray) -> int:
    """What counts of a body where there must be room for it."""
    return len(body) if len(body) > SMALL else 0


def _alone(status: int) -> Answer:
    """An answer without words, after which the connection is closed."""
    return status, [(b"content-length", b"0"), (b"connection", b"close")], b""
