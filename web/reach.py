"""How other devices find this computer: the address to open, others to try, and a code that leads there.

May know: the network, requests. The code is made here, without the internet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import current_app, request

from web import network
from web.https import Https


@dataclass(frozen=True)
class Reach:
    """Where the page is served: at which host, at which port (0: where this request came), and what other devices call
    this computer if somebody has said so, as where it runs in a container."""

    served_at: str = ""
    port: int = 0
    called: str = ""

    def hosts(self) -> list[str]:
        """What other devices can call this computer, the likeliest first; none where they cannot reach it.

        The address by which the device at hand got here is one that works. It goes first where it is one of the home
        network; a name goes last, since not every device finds it.
        """
        found, asked = network.hosts(self.served_at), _asked()
        if not network.is_this_computer(asked):
            found = [asked, *found] if network.is_private(asked) else [*found, asked]
        return list(dict.fromkeys([*([self.called] if self.called else []), *found]))


@dataclass(frozen=True)
class Way:
    """An address that leads to a page from another device."""

    address: str

    @property
    def code(self) -> str:
        """A QR code of it, an SVG element, black on white in either theme."""
        return _code(self.address)


def ways(path: str) -> list[Way]:
    """The addresses of this page on plain http, which asks for no trust, the likeliest to work first."""
    reach: Reach = current_app.extensions["reach"]
    port = reach.port or urlsplit(request.host_url).port or 80
    return [_way("http", host, port, path) for host in reach.hosts()]


def known(path: str) -> list[Way]:
    """The addresses of this page for whoever came by one that Kast does not know, which is not repeated."""
    reach: Reach = current_app.extensions["reach"]
    here = [reach.called] if reach.called else network.hosts(reach.served_at)
    return [_way("http", host, reach.port or 80, path) for host in [*here, "localhost"]]


def secure_way(path: str) -> Way | None:
    """The address of this page on https; None where there is none."""
    reach: Reach = current_app.extensions["reach"]
    https: Https | None = current_app.extensions["https"]
    if not https:
        return None
    return _way("https", next(iter(reach.hosts()), _asked()), https.port, path)


def _asked() -> str:
    """What the browser that asks calls this computer."""
    return urlsplit(f"//{request.host}").hostname or "localhost"


def _way(scheme: str, host: str, port: int, path: str) -> Way:
    return Way(f"{network.url(scheme, host, port).rstrip('/')}{path}")


@lru_cache(maxsize=64)
def _code(address: str) -> str:
    """A QR code (ISO/IEC 18004)."""
    return segno.make(address, error="m").svg_inline(border=4, omitsize=True, light="#fff")
