"""The addresses and names of this computer. I/O: asks the system for them."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress

import ifaddr

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104, what listens at all addresses
VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "tailscale", "zt")


def host_name() -> str:
    """What this computer is called."""
    return socket.gethostname() or "localhost"


def own_addresses() -> list[Address]:
    """The addresses of this computer that other devices may use, those of the home network first."""
    outward = _outward()
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ipaddress.ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if not address.is_loopback and not address.is_link_local:
                found.append((_far(address, adapter.name, outward), address))
    return list(dict.fromkeys(address for _rank, address in sorted(found, key=lambda pair: pair[0])))


def _far(address: Address, adapter: str, outward: str) -> tuple[bool, bool, bool, bool]:
    """What makes an address less likely to be the one that a tablet reaches, the gravest first."""
    return (
        adapter.lower().startswith(VIRTUAL),
        not address.is_private,
        address.version == 6,
        str(address) != outward,
    )


def _outward() -> str:
    """The address of the interface that leads outside; nothing where there is none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which interface it would take
        return str(probe.getsockname()[0])
    return ""


def own_names(host: str = "") -> list[str]:
    """All addresses and host names under which a browser may ask for this computer, and the host it is served at."""
    name = host_name()
    plain = name.partition(".")[0]
    names: Iterable[str] = (
        *map(str, own_addresses()),
        *(name, plain, f"{plain}.local", "localhost", "127.0.0.1", "::1"),
        *([host] if host not in EVERYWHERE else []),
    )
    return list(dict.fromkeys(names))
