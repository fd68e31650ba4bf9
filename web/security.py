"""What keeps a table's acts its own: the secret key, form tokens, headers. I/O: the key's file.

May know: Flask, the network.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, g, request, session
from flask.sessions import SecureCookieSessionInterface

from web import network
from web.alone import alone

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
}


# A path on this site. Browsers take “\” for “/”, drop tabs and line ends, and “//” leads to another site.
OWN_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20]*")


def secret_key(folder: Path) -> bytes:
    """The key in this folder, which only its owner may read; made the first time. OSError where it cannot be."""
    path = folder / "secret"
    with alone(folder):  # several servers have one key
        if not path.exists():
            write_private(path, secrets.token_bytes(32))
        return path.read_bytes()


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read. It is there whole or as before, whatever happens meanwhile."""
    handle, whole = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(whole).replace(path)
    except OSError:
        Path(whole).unlink()
        raise


def new_id() -> str:
    """A name that cannot be guessed (120 random bits)."""
    return secrets.token_urlsafe(15)


def derived_id(key: bytes, request: str) -> str:
    """A name that cannot be guessed without the key, and that is the same whenever the request is repeated."""
    return hmac.new(key, request.encode(), hashlib.sha256).hexdigest()[:30]


def form_token() -> str:
    """The token that tells this browser's own forms from those of others."""
    month = f"{datetime.now(UTC):%Y-%m}"
    if session.get("since") != month:  # so that the cookie, which lasts a year, is sent again now and then
        session["since"] = month
        session.permanent = True
        session.setdefault("token", new_id())
    return str(session["token"])


def masked_token() -> str:
    """The token as a form carries it: different in every page, so that the length of what is compressed tells nothing
    of it (the BREACH attack)."""
    if "masked_token" not in g:
        token = form_token().encode()
        mask = secrets.token_bytes(len(token))
        g.masked_token = urlsafe_b64encode(mask + _xor(mask, token)).decode()
    return str(g.masked_token)


def is_own(masked: str) -> bool:
    """Whether this is the token that this browser was given."""
    try:
        both = urlsafe_b64decode(masked.encode())
    except ValueError:
        return False
    half = len(both) // 2
    return "token" in session and hmac.compare_digest(str(session["token"]).encode(), _xor(both[:half], both[half:]))


def is_from_here() -> bool:
    """Whether the page that sends this is one of ours, as far as the browser says (Origin, Fetch Metadata)."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "same-origin")
    return site in ("same-origin", "none") and (origin is None or urlsplit(origin).netloc == request.host)


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


class Sessions(SecureCookieSessionInterface):
    """A browser's session, one for http and one for https, which no plain page can read or replace.

    Cookies know no ports: with one name for both, a page on http could neither read nor set what https has set.
    """

    def get_cookie_name(self, app: Flask) -> str:
        """The prefix makes browsers refuse the cookie from anyone but this host on https (RFC 6265bis, 4.1.3)."""
        return "__Host-kast" if request.is_secure else "kast"

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie may travel encrypted only."""
        return request.is_secure


def can_use_camera() -> bool:
    """Whether browsers let this page use a camera: on https, or on the computer itself."""
    return request.is_secure or network.is_this_computer(urlsplit(f"//{request.host}").hostname or "")


def harden(response: Response) -> Response:
    """The response with the headers that every answer carries; pages and pictures are not kept in shared caches."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if can_use_camera():  # on a page that is not secure it means nothing, and browsers complain of it
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response
