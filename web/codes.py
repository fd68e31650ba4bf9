"""The codes by which other screens join a table. Pure.

A code follows from the table's id and the server's secret key: it is kept nowhere, and servers with one key agree.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no letter that looks like another sign
LOOK_ALIKES = str.maketrans("OIL", "011")
SIGNS, GROUP = 8, 4  # 40 bits, and how many signs stand together


def code(key: bytes, table: str) -> str:
    """The code of the table with this id: “K3F7-9QXD”. Nobody can tell it without the key."""
    number = int.from_bytes(hmac.digest(key, f"join {table}".encode(), hashlib.sha256))
    signs = "".join(ALPHABET[number >> 5 * place & 31] for place in range(SIGNS))
    return "-".join(signs[start : start + GROUP] for start in range(0, SIGNS, GROUP))


def plain(text: str) -> str:
    """What somebody has typed, without what does not matter: small letters, blanks, dashes, look-alikes."""
    return "".join(sign for sign in text.upper().translate(LOOK_ALIKES) if sign in ALPHABET)


def find(key: bytes, tables: Iterable[str], text: str) -> str | None:
    """The table with this code, None where none has it. How long it takes tells nothing of a code."""
    typed, found = plain(text[:40]), None
    for table in tables:
        if hmac.compare_digest(plain(code(key, table)), typed):
            found = table
    return found
