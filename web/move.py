"""`kast export` and `kast import`: all games into a file, and from one into a log of any kind.

Pictures of rolls are in a file of their own. I/O: files.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

import platformdirs

from scorekeeper import archive
from scorekeeper.refusal import Refusal, _
from web import albums, security
from web.pictures import Pictures
from web.storage import PICTURES, is_there, open_log, place

STREAM = Path("-")


def run(args: argparse.Namespace) -> int:
    """Do what the arguments name."""
    return take_out(args) if args.what == "export" else bring_in(args)


def take_out(args: argparse.Namespace) -> int:
    """Write all games into the file, whole or not at all; only its owner may read it."""
    folder = _folder(args)
    if not is_there(folder):
        raise Refusal(_("There are no games in {folder}."), folder=folder)
    with closing(open_log(folder)) as log:
        games = {saved.game: log.dump(saved.game) for saved in log.games()}
    text = archive.pack(games)
    if args.file == STREAM:
        sys.stdout.write(text)
        return 0
    try:
        security.write_private(args.file, text.encode())
    except OSError as error:
        raise Refusal(_("{path} cannot be written: {reason}."), path=args.file, reason=error.strerror) from error
    print(f"{_games(len(games))} from {place(folder)} written to {args.file}. Pictures are not in it.")
    if args.pictures:
        names = albums.named(written.entry for entries in games.values() for written in entries)
        try:
            count = albums.pack(Pictures(folder / PICTURES), names, args.pictures)
        except OSError as error:
            template = _("{path} cannot be written: {reason}.")
            raise Refusal(template, path=args.pictures, reason=error.strerror) from error
        print(f"{_pictures(count)} written to {args.pictures}.")
    return 0


def bring_in(args: argparse.Namespace) -> int:
    """Take the games of the file, all or none."""
    folder = _folder(args)
    try:
        data = sys.stdin.buffer.read() if args.file == STREAM else args.file.read_bytes()
        text = data.decode("utf-8", "replace")
        names = albums.named(written.entry for entries in archive.unpack(text).values() for written in entries)
        if args.pictures:
            albums.check(args.pictures, names)  # before anything is taken
        log = open_log(folder)
    except OSError as error:
        path = error.filename or args.file
        raise Refusal(_("{path} cannot be read: {reason}."), path=path, reason=error.strerror) from error
    with closing(log):
        brought = archive.bring(log, text)
    known = f" {_games(len(brought.known))} were there already." if brought.known else ""
    print(f"{_games(len(brought.came))} came into {place(folder)}.{known}")
    if args.pictures:
        try:
            count = albums.unpack(args.pictures, names, Pictures(folder / PICTURES))
        except OSError as error:
            raise Refusal(_("The picture cannot be kept: {reason}."), reason=error.strerror) from error
        print(f"{_pictures(count)} came into {folder / PICTURES}.")
    return 0


def _folder(args: argparse.Namespace) -> Path:
    folder: Path = args.data or platformdirs.user_data_path("kast", appauthor=False)
    return folder


def _pictures(n: int) -> str:
    return "1 picture" if n == 1 else f"{n} pictures"


def _games(n: int) -> str:
    return "1 game" if n == 1 else f"{n} games"
