"""`kast code`: the codes of all tables, for whoever sits at the computer without a screen. I/O: the log, the key."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

import platformdirs

from scorekeeper.history import replay
from scorekeeper.refusal import Refusal, _
from web import codes, security
from web.storage import is_there, open_log


def run(args: argparse.Namespace) -> int:
    """Print a line for each table, the one that was played at last first: its code, and who played there last."""
    folder: Path = args.data or platformdirs.user_data_path("kast", appauthor=False)
    if not is_there(folder):
        raise Refusal(_("There are no games in {folder}."), folder=folder)
    key, players = security.secret_key(folder), dict[str, str]()
    with closing(open_log(folder)) as log:
        for saved in log.games():
            try:
                history = replay(log.read(saved.game))
            except Refusal:  # one game that cannot be read hides no other
                continue
            players.setdefault(history.table, f"{', '.join(history.game.players)} ({saved.at:%Y-%m-%d})")
    players.setdefault("", "nobody has played there yet")
    for table, names in players.items():
        print(f"{codes.code(key, table)}  {'the house: ' if not table else ''}{names}")
    return 0
