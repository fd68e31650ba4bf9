"""What the server says of itself while it runs: for the person who keeps it, and to be sent to whoever helps them.

So it holds nothing private: no names, games, codes, or addresses, no folders called after somebody. Whatever an error
says may hold such things; here it says of which kind it is, and where in the program. I/O: standard error.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from scorekeeper.refusal import Refusal

HEX = "[0-9a-fA-F]{1,4}"
PRIVATE = re.compile(
    r"(?<![\w-])(?=[\w-]*[0-9A-Z])[\w-]{16,}(?![\w-])"  # what may be an id or a code
    r"|(?<![\w.])\d{1,3}(\.\d{1,3}){3}(:\d+)?(?![\w.])"  # an address: IPv4, with a port or without
    rf"|(?<![\w:])(({HEX}:){{7}}{HEX}|({HEX}(:{HEX})*)?::({HEX}(:{HEX})*)?)(?![\w:])"  # IPv6
)
HIDDEN = "…"


def set_up() -> None:
    """From now on this process says what it logs on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


class Formatter(logging.Formatter):
    """Lines and tracebacks without what is private."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        record.message = hidden(record.message)
        return super().formatMessage(record)

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        lines = list[str]()
        for error in _chain(ei[1]):
            frames = traceback.extract_tb(error.__traceback__)
            lines = [*map(_place, frames), f"{type(error).__name__}: {described(error)}", *lines]
        return "\n".join(lines)


def _place(frame: traceback.FrameSummary) -> str:
    return f"  {'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} in {frame.name}: {frame.line}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def reasons(error: BaseException) -> list[str]:
    """What the error says, and those that led to it, as far as they say anything that may be told."""
    return [said for said in map(described, _chain(error)) if said != HIDDEN]


def described(error: BaseException) -> str:
    """What an error says, without whatever it says it of."""
    match error:
        case Refusal():
            return error.template.format_map({key: _told(value) for key, value in error.values.items()})
        case sqlite3.Error():
            return hidden(str(error))
        case OSError():
            return error.strerror or HIDDEN
    return HIDDEN


def _told(value: object) -> object:
    if isinstance(value, BaseException):
        return described(value)
    return value if isinstance(value, int | float) else HIDDEN


def hidden(text: str) -> str:
    """The text without ids, addresses of devices, and the name of whose folder it is."""
    home = str(Path.home())
    return PRIVATE.sub(HIDDEN, text.replace(home, "~") if len(home) > 1 else text)
