"""Where games, pictures and tables are kept. I/O: the data folder, or a database. May know: both kinds of log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from recognizer.reader import Reader
from scorekeeper import whole
from scorekeeper.log import Log, SqliteLog
from scorekeeper.refusal import NoGames, UnusableLog, _
from web.background import Background
from web.desk import Desk
from web.pictures import Pictures

FILE, PICTURES = "kast.sqlite3", "pictures"
DATABASE = "KAST_DATABASE"  # names the variable with the address of a PostgreSQL database


def open_log(data_folder: Path) -> Log:
    """The log in the database that KAST_DATABASE names, else in a file of this folder.

    UnusableLog where that is not ours, cannot be reached, or is of a kind that Kast does not know; OSError where there
    can be no such folder.
    """
    os.umask(0o077)  # what this process makes from now on is for its owner alone
    data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in data_folder.glob(f"{FILE}*"):
        file.chmod(0o600)
    return _database() if os.environ.get(DATABASE) else SqliteLog(data_folder / FILE)


@contextmanager
def looked_into(data_folder: Path) -> Iterator[Log | None]:
    """The same log to read in only, after all of it was found whole; None where there is none yet. Nothing is made or
    changed: a file is copied elsewhere first. UnusableLog as in `open_log`, OSError where there is no room for a copy.
    """
    path = data_folder / FILE
    if os.environ.get(DATABASE):
        try:
            log = _database(only_look=True)
        except NoGames:
            yield None
            return
        with closing(log):
            yield log
    elif not path.exists() or not path.stat().st_size:
        yield None
    else:
        whole.refuse_damaged(path, every_page=True)
        with whole.copied(path) as copy, closing(SqliteLog(copy)) as copied:
            yield copied


def _database(only_look: bool = False) -> Log:
    address = os.environ[DATABASE]
    if not address.startswith(("postgresql://", "postgres://")):
        raise UnusableLog(_("{variable} has to begin with postgresql://."), variable=DATABASE)
    try:
        from scorekeeper.postgres import PostgresLog  # an extra: at home nobody needs it
    except ImportError as error:
        template = _("To keep games in PostgreSQL, install what talks to it: {command}.")
        raise UnusableLog(template, command="pip install 'kast[postgresql]'") from error
    return PostgresLog(address, only_look)


def is_there(data_folder: Path) -> bool:
    """Whether there is a log already, as far as one can know without making one."""
    return bool(os.environ.get(DATABASE)) or (data_folder / FILE).exists()


def place(data_folder: Path) -> str:
    """Where games are kept, in words."""
    return f"the database of {DATABASE}, pictures in {data_folder}" if os.environ.get(DATABASE) else str(data_folder)


def open_desk(data_folder: Path, log: Log) -> Desk:
    """The desk with this log, whose pictures and tables are in this folder."""
    return Desk(log, Pictures(data_folder / PICTURES), Reader, Background(data_folder / "tables"))
