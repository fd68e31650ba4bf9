"""What else can befall a server in play: a full disk, a clock that leaps, another server on the same file.

python -m tests.faults [--rounds 20] [--seed 1]

The clients, and what must hold, are those of tests.crash: what was confirmed is there once and in order, and what was
refused is not there.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.browser.table import ROOT
from tests.crash import CLIENTS, Client, Server, check, playing
from web.storage import open_log

SMALL, ROOM = 4_000_000, 200_000  # bytes of a small disk, and of what is left there to play
CLOCK = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
PROGRAM = (
    "import sys; from pathlib import Path; from web.serve import serve; "
    "serve('127.0.0.1', int(sys.argv[1]), Path(sys.argv[2]), 0)"
)


class Unavailable(Exception):
    """This machine does not let us make such a fault."""


def people(servers: list[Server], seed: int) -> list[Client]:
    """Clients that are spread over the servers, want no help, and have a game in common. The servers are up."""
    clients = [
        Client(f"c{n}", servers[n % len(servers)], random.Random(seed * 100 + n), help="none") for n in range(CLIENTS)
    ]
    common = Client("host", servers[0], random.Random(seed), help="none").begin()
    for client in clients:
        client.common = common
    return clients


def checked(folder: Path, clients: list[Client]) -> int:
    with closing(open_log(folder)) as log:
        return check(log, clients)


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """Something else in the place of this folder meanwhile."""
    if subprocess.run(["mount", *options, str(folder)], capture_output=True, check=False).returncode:
        raise Unavailable("mounting is for the administrator of a machine of one's own")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The same folder, to which nobody may write meanwhile, not even the administrator."""
    with mounted(folder, "--bind", str(folder)), mounted(folder, "-o", "remount,ro,bind"):
        yield


def full_disk(folder: Path, rounds: int, seed: int) -> tuple[int, int]:
    """Plays on a disk until it is full, on a full one and after a kill there, and on once there is room again, each
    time so often. The number of acts that were confirmed, and of those that the disk did not take."""
    folder.mkdir(exist_ok=True)
    with mounted(folder, "-t", "tmpfs", "-o", f"size={SMALL}", "none"):
        server, refused = Server(folder), 0
        server.start()
        clients = people([server], seed)
        for _round in range(rounds):
            fill(folder / "ballast")
            with playing(clients):
                while sum(client.refused for client in clients) < refused + CLIENTS:
                    server.await_answers(1)
            refused = sum(client.refused for client in clients)
            checked(folder, clients)
            server.stop()
            server.start()  # pages are shown all the same
            checked(folder, clients)
            (folder / "ballast").unlink()
            with playing(clients):
                server.await_answers(40)
        server.stop()
        return checked(folder, clients), refused


def fill(file: Path) -> None:
    """Take all room on the disk but a little."""
    with file.open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(4096))
    os.truncate(file, max(0, file.stat().st_size - ROOM))


def two_servers(folder: Path, rounds: int, seed: int) -> int:
    """Two servers on one file, for the same people and games, each killed now and then; the confirmed acts."""
    servers, rng = [Server(folder), Server(folder)], random.Random(seed)
    for server in servers:
        server.start()
    clients = people(servers, seed)
    for number in range(rounds):
        with playing(clients):
            servers[number % 2].kill(rng)
        checked(folder, clients)
        servers[number % 2].start()
        with playing(clients):
            for server in servers:
                server.await_answers(5)
        checked(folder, clients)
    for server in servers:
        server.stop()
    return checked(folder, clients)


class Leaping(Server):
    """A server whose clock is `days` ahead of ours, or behind. Each start is a process of its own."""

    days = 0

    def start(self) -> None:
        if not CLOCK.exists():
            raise Unavailable("libfaketime is not installed")
        leap = {"LD_PRELOAD": str(CLOCK), "FAKETIME": f"{self.days:+}d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        command = [sys.executable, "-c", PROGRAM, str(self.port), str(self.folder)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | leap, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while self.process.poll() is None and not self.answers_now():
            pass
        assert self.process.poll() is None, "the server ended by itself"
        self.up.set()

    def stop(self) -> None:
        self.up.clear()
        self.process.kill()
        self.process.wait()


def leaps(folder: Path, days: list[int], seed: int) -> int:
    """Plays with the clock so many days ahead, one after the other; the number of acts that were confirmed."""
    server, clients = Leaping(folder), list[Client]()
    for leap in days:
        server.days = leap
        server.start()
        try:
            clients = clients or people([server], seed)
            with playing(clients):
                server.await_answers(12)
                server.stop()
        finally:
            server.stop()
        checked(folder, clients)
    return checked(folder, clients)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    days = [rng.choice((0, 1, -1, 30, -30, 400, -400, 3650, -3650)) for _ in range(options.rounds)]
    faults: dict[str, Callable[[Path], object]] = {
        "a full disk": lambda folder: full_disk(folder, options.rounds, options.seed),
        "two servers": lambda folder: two_servers(folder, options.rounds, options.seed),
        "a leaping clock": lambda folder: leaps(folder, days, options.seed),
    }
    for name, play in faults.items():
        with tempfile.TemporaryDirectory() as made:
            try:
                print(f"{name}: {play(Path(made) / 'data')} acts confirmed (and refused)", flush=True)
            except Unavailable as error:
                print(f"{name}: left out, {error}")


if __name__ == "__main__":
    main()
