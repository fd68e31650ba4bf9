"""Serves the page on this machine's addresses until it is told to stop. I/O: sockets, signals, the data folder.

Two ports: plain http for everything but the live camera of a browser, which needs https. Where https cannot be, http
goes on without it.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Empty, SimpleQueue

import platformdirs

from recognizer import frames
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import Refusal, UnusableLog, _
from web import backups, journal, network, security, server, storage
from web.app import LARGEST_UPLOAD, create_app
from web.clock import Clock
from web.follow import OwnCamera
from web.house import House
from web.https import Https
from web.reach import Reach

logger = logging.getLogger(__name__)

UPKEEP = 60.0  # seconds between looks whether this computer has other addresses now, pictures are old, a day is over


def addresses(host: str, port: int, scheme: str = "http", called: str = "") -> list[str]:
    """Where the page can be reached, addresses that other devices can use first. `called`: what they are told."""
    here = ["localhost"] if host in network.EVERYWHERE else [host]
    hosts = [*([called] if called else []), *network.hosts(host), *here]
    return [network.url(scheme, name, port) for name in dict.fromkeys(hosts)]


def _listen(host: str, port: int, share: bool) -> server.Door:
    """A socket at this address; Refusal where nothing can listen there."""
    try:
        return server.listen(host, port, share=share)
    except (OSError, OverflowError, ValueError) as error:
        template = _("Kast cannot be served at {host}:{port}: {reason}.")
        raise Refusal(template, host=host, port=port, reason=str(error).rstrip(".")) from error


def serve(
    host: str,
    port: int,
    data_folder: Path | None = None,
    https_port: int = 8443,
    keep_pictures: int = 365,
    keep_backups: int = 30,
    camera: str = "",
    called: str = "",
    *,
    share: bool = False,
) -> None:
    """Serve the page until SIGTERM or Ctrl-C. Port 0 takes a free one. Pictures are kept for so many days, and the
    daily copies of the file of games of so many days. `camera`:
    the number, name or address of a camera that looks at the table, or the path of a video of it. `called`: the name
    or address by which other devices reach this computer, where Kast cannot know it. share: whether other servers may
    listen at the same ports; of those who do, each answers a part of the connections.

    UnusableLog where the data file is not ours, Refusal where nothing can be kept in the folder or nothing can listen
    at the address. Where only https cannot be, that is said, and http is served.
    """
    journal.set_up()
    folder = data_folder or platformdirs.user_data_path("kast", appauthor=False)
    told_to_stop = _signals()
    try:
        log = storage.open_log(folder)
        desk, key = storage.open_desk(folder, log), security.secret_key(folder)
    except UnusableLog as error:
        if os.environ.get(storage.DATABASE):
            raise
        advice = backups.advice(folder, datetime.now(UTC).date())
        raise UnusableLog("{trouble} {advice}", trouble=error, advice=advice) from error
    except OSError as error:
        raise Refusal(_("Games cannot be kept in {folder}: {reason}."), folder=folder, reason=error.strerror) from error
    with closing(desk), ExitStack() as running:
        threading.Thread(target=desk.recall, name="kast records", daemon=True).start()
        door = _listen(host, port, share)
        https, secure = _listen_securely(host, https_port, folder / "certificates", called, share)
        own_camera = OwnCamera(running.enter_context(frames.Camera(camera))) if camera else None
        app = create_app(desk, key, https, own_camera, Reach(host, door.port, called), House(folder / "house"))
        secured = [(secure, https.context)] if https and secure else []
        gc.freeze()  # what is here stays: it need not be looked through again for what can go
        running.enter_context(server.running(app, [(door, None), *secured], LARGEST_UPLOAD))
        print("Kast is ready. Open one of these addresses on a tablet, a phone or this computer:")
        plain = addresses(host, door.port, called=called)
        for address in plain:
            print(f"  {address}")
        print("Screens join a table by its code. The start page on this computer shows one; kast code prints all.")
        if https:
            print(f"For the live camera of a phone or tablet: {addresses(host, https.port, 'https', called)[0]}")
            print(f"  (how a device comes to trust it: {plain[0]}trust)")
        if camera and not frames.is_live(camera) and not Path(camera).exists():
            there = ", ".join(f"“{name}”" for name in frames.devices()) or "none by name"
            print(f"There is no such camera or video now: {camera}. It is looked for again. Cameras here: {there}.")
        print(f"Games are kept in {storage.place(folder)}. Stop with Ctrl-C.", flush=True)
        clock, kept = Clock(folder / "clock"), timedelta(days=keep_pictures)
        chores = [lambda: desk.pictures.forget(clock.reliable(datetime.now(UTC)) - kept)]
        if isinstance(log, SqliteLog):
            if not log.games() and backups.copies(folder / "backups"):
                print(f"There are no games in the file, but copies of one with games in {folder / 'backups'}.")
            copying = backups.Backups(log, folder / "house", folder / "backups", keep_backups)
            chores.append(lambda: copying.keep(datetime.now(UTC).date()))
        _wait(told_to_stop, [*chores, https.renew] if https else chores)
        print("Kast stops.", flush=True)


def _listen_securely(
    host: str, port: int, folder: Path, called: str, share: bool
) -> tuple[Https, server.Door] | tuple[None, None]:
    """What https needs and a socket at its port; neither, and a sentence, where that cannot be."""
    try:
        https = Https(folder, host, called)
        door = _listen(host, port, share)
    except OSError as error:
        print(f"There is no https, and so no live camera: {error}.")
    except Refusal as refusal:
        print(f"There is no https, and so no live camera. {refusal} Choose another port with --https-port.")
    else:
        https.port = door.port
        return https, door
    return None, None


def _wait(told_to_stop: SimpleQueue[int], chores: Sequence[Callable[[], object]]) -> None:
    """Until told to stop; meanwhile, now and then, everything is done that is to be done."""
    while True:
        for chore in chores:
            try:
                chore()
            except (OSError, Refusal):
                logger.exception("it is tried again")
        with suppress(Empty):
            told_to_stop.get(timeout=UPKEEP)
            return


def _signals() -> SimpleQueue[int]:
    """A queue that receives SIGTERM and Ctrl-C from now on.

    An exception instead would be raised wherever the main thread happens to be, in the middle of taking a lock, too,
    which then nobody gives back. Putting into this kind of queue is safe at any moment.
    """
    told: SimpleQueue[int] = SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: told.put(number))
    return told
