"""What there is to know when something does not work: `kast doctor` looks at everything, in words, with what to do.

I/O: the data folder or database, ports, cameras, the networks. It only looks, and changes nothing.
"""

from __future__ import annotations

import argparse
import getpass
import os
import platform
import re
import shutil
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

import platformdirs

from recognizer import frames, pictures
from recognizer.model import ForeignModel
from recognizer.reader import MODELS, Reader
from scorekeeper import games, openings, tables
from scorekeeper.history import replay
from scorekeeper.log import Log
from scorekeeper.refusal import Refusal
from scorekeeper.rules import RuleSet
from web import backups, certificates, house, journal, network, storage
from web.clock import TRIAL, Clock

FRAMES = Path(__file__).parent / "frames"
LITTLE = 2e9  # bytes of free space: best play of the largest game needs so much while it is worked out
USED_UP = 5e7  # bytes of free space with which scores may not be saved any more
AT_ONCE = 0.5  # seconds in which a server at this computer answers
PARTS = ("numpy", "numba", "onnxruntime", "opencv-python-headless", "flask", "uvicorn", "cryptography")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `fine`: whether it is as it should be; `advice`: what to do, if anything;
    `private`: what in both is nobody else's business."""

    about: str
    what: str
    fine: bool = True
    advice: str = ""
    private: tuple[object, ...] = ()

    def __str__(self) -> str:
        sign = "ok " if self.fine else "!! "
        return f"{sign} {self.about:13} {self.what}" + (f"\n{'':18}{self.advice}" if self.advice else "")


def run(args: argparse.Namespace) -> int:
    """The command: prints what is found, and returns 1 where something is not as it should be."""
    folder, wrong = args.data or platformdirs.user_data_path("kast", appauthor=False), 0
    for finding in examine(folder, (args.port, args.https_port)):
        print(_to_send(finding, folder) if args.to_send else finding, flush=True)
        wrong += not finding.fine
    print("All is well." if not wrong else f"Lines with !! need something to be done: {wrong}.")
    return 1 if wrong else 0


def _to_send(finding: Finding, folder: Path) -> str:
    """The finding for somebody else's eyes."""
    text = str(finding)
    for private in (*finding.private, folder, getpass.getuser(), platform.node()):
        text = re.sub(rf"(?<!\w){re.escape(str(private))}(?!\w)", journal.HIDDEN, text)
    return journal.hidden(text)


def examine(folder: Path, ports: Sequence[int]) -> Iterator[Finding]:
    """Looks at everything: games and tables in this folder, and who listens at these ports."""
    looks = {
        "program": _program(),
        "free space": _space(folder),
        "clock": _clock(folder / "clock"),
        "games": _games(folder),
        "house rules": _house(folder / "house"),
        "best play": _tables(folder),
        "eye": _eye(),
        "cameras": _cameras(),
        "addresses": _addresses(ports),
        "https": _https(folder / "certificates"),
    }
    for about, look in looks.items():
        try:
            yield from look
        except Exception as error:  # one thing that cannot be looked at hides no other
            yield Finding(about, f"cannot be looked at: {error}", False, "Please report this.")


def _program() -> Iterator[Finding]:
    missing, versions = [], []
    for part in PARTS:
        try:
            versions.append(f"{part} {metadata.version(part)}")
        except metadata.PackageNotFoundError:
            missing.append(part)
    yield Finding(
        "program", f"Kast {metadata.version('kast')}, Python {platform.python_version()}, {platform.platform()}"
    )
    yield Finding("parts", ", ".join(versions))
    if missing:
        advice = "Install Kast again: pip install . in its folder, or script/server."
        yield Finding("parts", f"missing: {', '.join(missing)}", False, advice)


def _space(folder: Path) -> Iterator[Finding]:
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < USED_UP:
        yield Finding("free space", f"{free / 1e6:.0f} MB", False, "Scores may not be saved. Delete something soon.")
    elif free < LITTLE:
        advice = "Enough to play; best play of the largest games cannot be worked out with less than 2 GB."
        yield Finding("free space", f"{free / 1e9:.1f} GB", advice=advice)
    else:
        yield Finding("free space", f"{free / 1e9:.1f} GB")


def _games(folder: Path) -> Iterator[Finding]:
    now, there = datetime.now(UTC), backups.copies(folder / "backups")
    in_database = bool(os.environ.get(storage.DATABASE))
    advice = "Look after the database." if in_database else backups.advice(folder, now.date())
    if folder.exists() and not os.access(folder, os.W_OK):
        yield Finding("folder", f"nothing can be written to {folder}", False, "Let whoever starts Kast write to it.")
    try:
        with storage.looked_into(folder) as log:
            saved = log.games() if log else []
            spoilt = [game for game in saved if log and not _is_played_through(log, game.game)]
    except (Refusal, OSError) as error:
        yield Finding("games", str(error), False, advice)
        return
    if spoilt:
        what = f"{len(spoilt)} of {len(saved)} cannot be read; the others can be played on"
        yield Finding("games", what, False, advice)
    elif saved:
        yield Finding("games", f"{len(saved)}, all whole, in {storage.place(folder)}")
    else:
        lost = "" if not there else f"There are copies of a file with games, though. {advice}"
        yield Finding("games", f"none yet; they will be kept in {storage.place(folder)}", not there, lost)
    if there and not in_database:
        back = backups.to_go_back_to(folder / "backups", now.date())
        what = f"{len(there)}, the newest whole one is {back.name}" if back else f"{len(there)}, none of them whole"
        yield Finding("copies", what, back is not None, "" if back else "Copy the folder of Kast's data elsewhere now.")


def _is_played_through(log: Log, game: str) -> bool:
    try:
        replay(log.read(game))
    except Refusal:
        return False
    return True


def _house(folder: Path) -> Iterator[Finding]:
    for path in sorted(folder.glob("*.toml")):
        try:
            house.read(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, Refusal) as error:
            private = (f"{path.name}: {error}", path)
            yield Finding("house rules", f"{path.name}: {error}", False, f"Mend or delete {path}.", private)


def _clock(file: Path) -> Iterator[Finding]:
    now = datetime.now(UTC)
    behind = now - Clock(file).reliable(now, write=False)
    if behind > timedelta(0):
        advice = (
            f"Set it right if it is wrong. It is believed after {TRIAL.days} days; no picture is deleted till then."
        )
        yield Finding("clock", f"it says {now:%Y-%m-%d}, and has leapt by {behind.days} days", False, advice)


def _is_solved(folder: Path, rules: RuleSet) -> bool:
    return tables.path(folder, rules).exists()


def _tables(folder: Path) -> Iterator[Finding]:
    shipped = list(MODELS.glob(f"*{openings.ENDING}"))
    solved = [printed.rules.name for printed in games.GAMES.values() if _is_solved(folder / "tables", printed.rules)]
    kept = sum(file.stat().st_size for file in (folder / "tables").glob(f"*{tables.ENDING}"))
    what = f"{len(shipped)} openings came with Kast, {', '.join(solved) or 'no game'} solved here, {kept / 1e6:.0f} MB"
    yield Finding("best play", what, bool(shipped), "" if shipped else "Install Kast again: the openings are missing.")


def _eye() -> Iterator[Finding]:
    try:
        reader = Reader(threads=1)
    except ForeignModel as error:
        yield Finding("eye", str(error), False, "Install Kast again: its networks are missing or damaged.")
        return
    image = pictures.load((FRAMES / "frame-1.jpg").read_bytes()).image
    reader.read(image)
    began = time.perf_counter()
    dice = reader.read(image).faces
    took = 1000 * (time.perf_counter() - began)
    yield Finding("eye", f"model {reader.version} reads {' '.join(map(str, dice))} in a test picture, in {took:.0f} ms")


def _cameras() -> Iterator[Finding]:
    found = frames.devices()
    if not found:
        yield Finding("cameras", "none at this computer whose name is known; a phone, or one in the network, will do")
    for name, number in found.items():
        node = Path(f"/dev/video{number}")
        may = os.access(node, os.R_OK | os.W_OK)
        advice = "" if may else f"You may not use it: sudo usermod -aG video {getpass.getuser()}, then log in again."
        yield Finding("cameras", f"“{name}”: kast serve --camera {number}", may, advice, (name,))


def _addresses(ports: Sequence[int]) -> Iterator[Finding]:
    others = network.hosts("0.0.0.0")  # noqa: S104
    if others:
        yield Finding("addresses", ", ".join(network.url("http", host, ports[0]) for host in others))
    else:
        advice = "Connect it to the Wi-Fi of the tablets and phones."
        yield Finding("addresses", "other devices cannot reach this computer", False, advice)
    for port in ports:
        with closing(socket.socket()) as probe:
            probe.settimeout(AT_ONCE)
            answers = probe.connect_ex(("127.0.0.1", port)) == 0
        yield Finding("ports", f"{port}: {'a server is there, Kast or another' if answers else 'free'}")


def _https(folder: Path) -> Iterator[Finding]:
    if not (folder / certificates.AUTHORITY).exists():
        yield Finding("https", "no certificate yet; it is made when the page is first served")
        return
    try:
        authority = certificates.Signed.from_pem((folder / certificates.AUTHORITY).read_bytes())
    except (ValueError, TypeError, OSError) as error:
        advice = "It is made anew when the page is served; devices then have to trust it again."
        yield Finding("https", f"the authority cannot be used: {error}", False, advice)
        return
    until = f"{authority.certificate.not_valid_after_utc:%Y-%m-%d}"
    yield Finding("https", f"devices can trust “{authority.name}” until {until}", private=(authority.name,))
