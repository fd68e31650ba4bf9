"""The command line. Imports what a command needs when it is asked for.

A refusal is one plain sentence on standard error, or {"error": …} with --json, and exit status 1; wrong usage is 2.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from scorekeeper.refusal import Refusal, _
from web.arguments import add_data, add_json, add_rules, count, days

MOST_DICE = 30  # that kast watch follows


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    # JSON is UTF-8 on every terminal, and a file name may hold what the terminal cannot write.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except Refusal as refusal:
        if getattr(args, "json", False):
            print(json.dumps({"error": str(refusal)}))
        else:
            print(f"kast: {refusal}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, BrokenPipeError):
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kast",
        description="Keeps the score when you play Yatzy with real dice. Nothing leaves the house.",
        epilog="Say kast COMMAND --help for more of a command.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(
        name: str, run: Callable[[argparse.Namespace], int] | None, does: str, to: Any = commands
    ) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = to.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.")
        command.set_defaults(run=run)
        return command

    serve = add("serve", _serve, "start the page that tablets and phones open")
    serve.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every one)")  # noqa: S104
    serve.add_argument("--port", type=int, default=8123, help="port to listen on (default: %(default)s)")
    serve.add_argument(
        "--https-port",
        type=int,
        default=8443,
        help="port for https, which the live camera of a phone needs (default: %(default)s)",
    )
    serve.add_argument(
        "--called",
        default="",
        metavar="HOST",
        help="the name or address by which other devices reach this computer, where Kast cannot know it, as in a "
        "container: the code on the start page leads there",
    )
    serve.add_argument(
        "--camera",
        default="",
        metavar="CAMERA",
        help="what looks at the table: a camera at this computer by its number or name, one in the network by its "
        "address (http, https, rtsp), or a video of a game, which begins when a page looks at it",
    )
    serve.add_argument(
        "--keep-pictures",
        type=count,
        default=365,
        metavar="DAYS",
        help="delete pictures of rolls that are older (default: %(default)s)",
    )
    serve.add_argument(
        "--keep-backups",
        type=days,
        default=30,
        metavar="DAYS",
        help="keep the daily copies of the file of games of so many days; make none if 0 (default: %(default)s)",
    )
    serve.add_argument(
        "--share",
        action="store_true",
        help="let other servers of Kast with the same data listen at the same ports: each answers a part of all, and "
        "where one ends the others go on",
    )
    add_data(serve)

    _add_doctor(add)

    _add_keeping(add)

    read = add("read", _read, "read the dice in photos")
    read.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC file")
    add_json(read)

    watch = add("watch", _watch, "follow the dice in a video, or before a camera, and say what happens")
    watch.add_argument(
        "source", metavar="VIDEO", help="a video, a folder of pictures, or a camera: its number, name or address"
    )
    thrown = watch.add_mutually_exclusive_group()
    thrown.add_argument("--rules", metavar="RULES", help="with the dice of this game, or of a TOML file")
    thrown.add_argument("--dice", metavar="N", help="with so many dice, or any: whatever lies there (default: any)")
    watch.set_defaults(option=[])
    add_json(watch)

    score = add("score", _score, "say what every box pays for a roll")
    add_rules(score, nargs=None)
    score.add_argument("dice", nargs="+", metavar="DICE", help="what the dice show: 6 6 6 5 5, or 66655")
    add_json(score)

    lists = add("rules", _rules, "list the games and their options, or print one as TOML")
    add_rules(lists, nargs="?")
    add_json(lists)

    advise = add("advise", _advise, "rank the plays of positions, which are read from standard input")
    add_data(advise)
    add_json(advise)

    solve = add("solve", _solve, "work out best play for a whole game, so that advice comes at once")
    add_rules(solve, nargs=None)
    solve.add_argument(
        "--spread",
        action="store_true",
        help="also work out the standard deviation of the final total, and the chance of the bonus",
    )
    add_data(solve)
    add_json(solve)

    _add_bench(add, add("bench", None, "measure how long Kast takes on this computer"))
    return parser


def _add_doctor(add: Callable[..., argparse.ArgumentParser]) -> None:
    doctor = add("doctor", _doctor, "look at everything that Kast needs, and say what to do where something is wrong")
    doctor.add_argument("--port", type=int, default=8123, help="port of the page (default: %(default)s)")
    doctor.add_argument("--https-port", type=int, default=8443, help="port of https (default: %(default)s)")
    doctor.add_argument(
        "--to-send", action="store_true", help="leave out what is nobody else's business: names, folders, addresses"
    )
    add_data(doctor)


def _add_keeping(add: Callable[..., argparse.ArgumentParser]) -> None:
    add_data(add("code", _code, "print the code of every table, by which other screens join it"))

    for what, does in (
        ("export", "write all games into a file, to be moved to another computer or database"),
        ("import", "take the games of such a file; what is there already is not taken twice"),
    ):
        moving = add(what, _move, does)
        moving.add_argument("file", type=Path, metavar="FILE", help="a JSON file, or - for the standard stream")
        moving.add_argument(
            "--pictures", type=Path, metavar="FILE", help="a ZIP file with the pictures of their rolls (default: none)"
        )
        moving.set_defaults(what=what)
        add_data(moving)


def _add_bench(add: Callable[..., argparse.ArgumentParser], bench: argparse.ArgumentParser) -> None:
    parts = bench.add_subparsers(title="what to measure", required=True, metavar="WHAT", dest="what")
    reading = add("read", _bench, "read the frames that come with Kast, stage by stage", parts)
    reading.add_argument("--threads", type=count, metavar="N", help="use so many threads (default: 1, then 2)")
    reading.add_argument("--rounds", type=count, default=20, metavar="N", help="how often (default: %(default)s)")
    add_json(reading)
    solving = add("solve", _bench, "solve whole games from nothing, the compiled code warm", parts)
    advising = add("advise", _bench, "play whole games as advised, and time every request", parts)
    paging = add("page", _bench, "start games on a fresh server, and ask for pages while one is solved", parts)
    reviewing = add("review", _bench, "look back on games of four, and time it", parts)
    for timing in (solving, advising, paging, reviewing):
        timing.add_argument("rules", nargs="*", metavar="RULES", help="as in maxi-yatzy:bonus=tactic (default: all)")
        add_json(timing)
    solving.add_argument("--spread", action="store_true", help="with standard deviation and chance of the bonus")
    advising.add_argument("--rounds", type=count, default=3, metavar="N", help="games each (default: %(default)s)")
    paging.add_argument("--seconds", type=count, default=20, metavar="N", help="how long (default: %(default)s)")
    living = add("live", _bench, "show a server pictures of a live camera, and time what is drawn over each", parts)
    living.add_argument("--frames", type=count, default=100, metavar="N", help="pictures (default: %(default)s)")
    loading = add("load", _bench, "play many games at once, with several screens each, and time every answer", parts)
    loading.add_argument("--games", type=count, default=100, metavar="N", help="games (default: %(default)s)")
    loading.add_argument("--screens", type=count, default=4, metavar="N", help="screens each (default: %(default)s)")
    loading.add_argument("--minutes", type=float, default=2, metavar="N", help="how long (default: %(default)s)")
    loading.add_argument(
        "--pace", type=float, default=10, metavar="S", help="seconds between two acts of a game (default: %(default)s)"
    )
    loading.add_argument("--solve", action="store_true", help="while best play is worked out in the background")
    loading.add_argument("--url", default="", help="of a server that runs already, as http://192.168.1.20:8123")
    for timing in (living, loading):
        add_json(timing)


def _serve(args: argparse.Namespace) -> int:
    from web.serve import serve

    kept = args.keep_pictures, args.keep_backups
    serve(args.host, args.port, args.data, args.https_port, *kept, args.camera, args.called, share=args.share)
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from web.doctor import run

    return run(args)


def _code(args: argparse.Namespace) -> int:
    from web.tell import run

    return run(args)


def _move(args: argparse.Namespace) -> int:
    from web.move import run

    return run(args)


def _advise(args: argparse.Namespace) -> int:
    from web.exact import advise

    return advise(args, sys.stdin)


def _solve(args: argparse.Namespace) -> int:
    from web.exact import solve
    from web.rulebook import chosen

    return solve(args, chosen(args, ask=True))


def _bench(args: argparse.Namespace) -> int:
    by_what = {"read": "web.bench", "solve": "web.bench_exact", "advise": "web.bench_exact"}
    return int(import_module(by_what.get(args.what, f"web.bench_{args.what}")).run(args))


def _read(args: argparse.Namespace) -> int:
    from web.eye import read

    return read(args)


def _watch(args: argparse.Namespace) -> int:
    from web.rulebook import chosen
    from web.watch import watch

    if args.rules:
        return watch(args, chosen(args).dice)
    if args.dice in (None, "any"):
        return watch(args, None)
    if not args.dice.isdecimal() or not 1 <= int(args.dice) <= MOST_DICE:
        raise Refusal(_("Say how many dice are thrown, 1 to {most}, or any."), most=MOST_DICE)
    return watch(args, int(args.dice))


def _score(args: argparse.Namespace) -> int:
    from web.rulebook import score

    return score(args)


def _rules(args: argparse.Namespace) -> int:
    from web.rulebook import rules

    return rules(args)


if __name__ == "__main__":
    sys.exit(main())
