"""Whom this computer answers: browsers that call it by a name of its own, and one that runs on itself.

A web site can have its own name lead to an address of the home network (DNS rebinding); what it asks for then carries
that name, and gets nothing. May know: the network, requests.
"""

from __future__ import annotations

import ipaddress
import threading
from time import monotonic
from urllib.parse import urlsplit

from flask import current_app, request

from web import network
from web.reach import Reach

LOOK_AGAIN = 5.0  # seconds after which an unknown name is looked for among the addresses of this computer again
HOME = ("local", "lan", "home", "home.arpa", "internal", "localdomain")  # no web site can have a name that ends so
# What programs add that pass requests on.
PASSED_ON = ("Forwarded", "Via", "X-Real-Ip", *(f"X-Forwarded-{what}" for what in ("For", "Host", "Proto", "Server")))


class Hosts:
    """The names and addresses of this computer, as they are now. For any number of threads."""

    def __init__(self, *told: str) -> None:
        self._told = told
        self._known = frozenset[str]()
        self._looked = -LOOK_AGAIN
        self._lock = threading.Lock()

    def know(self, host: str) -> bool:
        """Whether a browser that asks for this host means this computer."""
        if host in self._known or network.is_this_computer(host):
            return True
        with self._lock:
            if monotonic() - self._looked > LOOK_AGAIN:
                self._known, self._looked = self._look(), monotonic()
        return host in self._known

    def _look(self) -> frozenset[str]:
        plain = network.host_name().partition(".")[0]
        names = [*network.own_names(*self._told), *(f"{plain}.{end}" for end in HOME)]
        return frozenset(map(normal, names))


def normal(host: str) -> str:
    """The host as it is compared."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.lower().rstrip(".")
    return str(getattr(address, "ipv4_mapped", None) or address)


def asked() -> str:
    """The host that the request is for; nothing where that is none."""
    try:
        return normal(urlsplit(f"//{request.host}").hostname or "")
    except ValueError:
        return ""


def is_known() -> bool:
    """Whether the request is for this computer."""
    hosts: Hosts = current_app.extensions["hosts"]
    return hosts.know(asked())


def is_here() -> bool:
    """Whether the browser that asks runs on this computer, and nobody passes on what others ask.

    A reverse proxy here connects from this computer, too. It adds a header, or is told to the server as what others
    call it; one that does neither (as nginx when told nothing) speaks HTTP/1.0, which no browser does.
    """
    reach: Reach = current_app.extensions["reach"]
    return (
        not reach.called
        and network.is_this_computer(normal(request.remote_addr or ""))
        and network.is_this_computer(asked())
        and request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"
        and not any(name in request.headers for name in PASSED_ON)
    )
