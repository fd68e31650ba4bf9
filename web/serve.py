"""Serves the page on this machine's addresses until it is told to stop. I/O: sockets, signals, the data folder."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue

import platformdirs
from cheroot import wsgi
from flask import Flask

from recognizer.reader import Reader
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import Refusal, _
from web import security
from web.app import create_app
from web.background import Background
from web.desk import Desk
from web.pictures import Pictures

THREADS = 8
LARGEST_BODY = 100 * 1024 * 1024  # bytes; an upload below this is answered in words, a larger one is cut off


def open_desk(data_folder: Path) -> Desk:
    """The desk whose games and pictures are in this folder; UnusableLog where its file is not ours."""
    data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    log, pictures = SqliteLog(data_folder / "kast.sqlite3"), Pictures(data_folder / "pictures")
    return Desk(log, pictures, Reader, Background(data_folder / "tables"))


def addresses(host: str, port: int) -> list[str]:
    """Where the page can be reached, addresses that other devices can use first."""
    if host not in ("", "0.0.0.0", "::"):  # noqa: S104, this only asks whether it is so
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    return [f"http://{name}:{port}/" for name in dict.fromkeys((*_own_addresses(), "localhost"))]


def _own_addresses() -> list[str]:
    found = []
    # Without a network, or a name of its own, this machine can still play.
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which interface leads outside
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith(("127.", "0."))]


def _listen(host: str, port: int, app: Flask) -> wsgi.Server:
    """A server that has its port; Refusal where nothing can listen at the address."""
    try:
        server = wsgi.Server((host, port), app, numthreads=THREADS)
        server.max_request_body_size = LARGEST_BODY
        server.prepare()
    except (OSError, OverflowError, ValueError) as error:
        template = _("Kast cannot be served at {host}:{port}: {reason}.")
        raise Refusal(template, host=host, port=port, reason=str(error).rstrip(".")) from error
    return server


def serve(host: str, port: int, data_folder: Path | None = None) -> None:
    """Serve the page until SIGTERM or Ctrl-C. Port 0 takes a free one.

    UnusableLog where the data file is not ours, Refusal where nothing can be kept in the folder or nothing can listen
    at the address.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    folder = data_folder or platformdirs.user_data_path("kast", appauthor=False)
    told_to_stop = _signals()
    try:
        desk, key = open_desk(folder), security.secret_key(folder)
    except OSError as error:
        raise Refusal(_("Games cannot be kept in {folder}: {reason}."), folder=folder, reason=error.strerror) from error
    with closing(desk):
        server = _listen(host, port, create_app(desk, key))
        thread = threading.Thread(target=server.serve, name="kast server")
        thread.start()
        print("Kast is ready. Open one of these addresses on a tablet, a phone or this computer:")
        for address in addresses(host, server.bind_addr[1]):
            print(f"  {address}")
        print(f"Games are kept in {folder}. Stop with Ctrl-C.", flush=True)
        told_to_stop.get()
        print("Kast stops.", flush=True)
        server.stop()
        thread.join()


def _signals() -> SimpleQueue[int]:
    """A queue that receives SIGTERM and Ctrl-C from now on.

    An exception instead would be raised wherever the main thread happens to be, in the middle of taking a lock, too,
    which then nobody gives back. Putting into this kind of queue is safe at any moment.
    """
    told: SimpleQueue[int] = SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: told.put(number))
    return told
