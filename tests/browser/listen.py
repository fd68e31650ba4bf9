"""What screens that follow a game cost: python tests/browser/listen.py [--screens N] [--seconds N]

So many screens ask once a second whether a game has gone on, while somebody opens its page ten times a second. Then as
many streams of server-sent events as the web server has threads are opened, by one more at a time, and a page beside.
"""

from __future__ import annotations

import argparse
import http.client
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cheroot import wsgi

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.table import free_port, start_server, stop_server
from tests.seeded import fill
from web.serve import THREADS

ASKERS = 8  # threads here that ask for the screens
PATIENCE = 5.0  # seconds


def used(pid: int) -> float:
    """CPU-seconds of this process up to now (proc(5), utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def get(connection: http.client.HTTPConnection, path: str) -> float:
    """Seconds until the answer is there."""
    began = time.perf_counter()
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    connection.getresponse().read()
    return time.perf_counter() - began


def ask(screens: int, seconds: float) -> str:
    """Screens with a connection each, a second between two questions, and a player."""
    with tempfile.TemporaryDirectory() as folder:
        data, port = Path(folder) / "data", free_port()
        fill(data)
        server = start_server(data, port)
        all_screens = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _screen in range(screens)]
        player = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        get(player, "/g/rolled")
        ends, asked, opened = time.monotonic() + seconds, [0] * ASKERS, []

        def follow(n: int) -> None:
            while (began := time.monotonic()) < ends:
                for screen in all_screens[n::ASKERS]:
                    get(screen, "/g/rolled/seq")
                    asked[n] += 1
                time.sleep(max(0.0, began + 1 - time.monotonic()))

        before, askers = used(server.pid), [threading.Thread(target=follow, args=(n,)) for n in range(ASKERS)]
        for asker in askers:
            asker.start()
        while time.monotonic() < ends:
            opened.append(get(player, "/g/rolled"))
            time.sleep(0.1)
        for asker in askers:
            asker.join()
        share = (used(server.pid) - before) / seconds
        stop_server(server)
    late = sorted(opened)[int(0.95 * len(opened))]
    times = f"a page comes after {1e3 * statistics.median(opened):.0f} ms, 95 % within {1e3 * late:.0f} ms"
    return f"{screens} screens asked {sum(asked):,} times: {times}; the server used {share:.0%} of a core"


def streaming(environ: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
    """An application with one stream, which goes on for as long as it is waited for, and one page."""
    if environ["PATH_INFO"] != "/stream":
        start("200 OK", [("Content-Length", "4")])
        yield b"page"
        return
    start("200 OK", [("Content-Type", "text/event-stream")])
    for _second in range(int(PATIENCE * 3)):
        yield b": still here\n\n"
        time.sleep(1)


def stream() -> Iterator[str]:
    """What is left for a page beside streams."""
    server = wsgi.Server(("127.0.0.1", 0), streaming, numthreads=THREADS)
    server.prepare()
    threading.Thread(target=server.serve, daemon=True).start()
    port, listeners = server.bind_addr[1], []
    for count in range(1, THREADS + 1):
        listeners.append(http.client.HTTPConnection("127.0.0.1", port))
        listeners[-1].request("GET", "/stream")
        listeners[-1].getresponse()
        if count >= THREADS - 1:
            page = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                yield f"{count} streams: a page comes after {1e3 * get(page, '/'):.0f} ms"
            except TimeoutError:
                yield f"{count} streams: no page comes within {PATIENCE:.0f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screens", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    print(ask(args.screens, args.seconds), flush=True)
    for line in stream():
        print(line, flush=True)
    os._exit(0)  # the streams go on otherwise
