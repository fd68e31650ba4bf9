"""The addresses and names of this computer. I/O: asks the system for them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import ifaddr

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104, what listens at all addresses
DEVICES = Path("/sys/class/net")  # where Linux has hardware behind an interface, there is a “device” in its folder
CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))  # what Docker and Podman put into every container

# By the name of the interface, or on Windows by its description: networks of containers and virtual machines, which
# no other device can reach; and those that lead through a tunnel, which few can.
INSIDE = re.compile(
    r"^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|podman|cali|flannel|bridge1\d\d)"
    r"|virtualbox|vmware|hyper-v|vethernet"
)
TUNNEL = re.compile(r"^(tun|tap|wg|utun|tailscale|zt|ppp|ipsec|nordlynx)|wireguard|openvpn|tap-windows|zerotier")


class Distance(NamedTuple):
    """What makes an address less likely to be the one that a tablet reaches, the gravest first."""

    inside: bool
    tunnel: bool
    public: bool
    version_6: bool
    virtual: bool
    not_outward: bool


def host_name() -> str:
    """What this computer is called."""
    return socket.gethostname() or "localhost"


def own_addresses() -> list[Address]:
    """All addresses of this computer but its own loop, those of the home network first."""
    return [address for _distance, address in _found()]


def shared_addresses() -> list[Address]:
    """The addresses at which other devices may reach this computer, the likeliest first; none where it is alone."""
    return [address for distance, address in _found() if not distance.inside]


def _found() -> list[tuple[Distance, Address]]:
    outward, contained = _outward(), any(sign.exists() for sign in CONTAINERS)
    found: dict[Address, Distance] = {}
    for adapter in ifaddr.get_adapters():
        name = f"{adapter.name} {adapter.nice_name}".lower()
        virtual = DEVICES.exists() and not (DEVICES / adapter.name / "device").exists()
        for ip in adapter.ips:
            address = ipaddress.ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if not address.is_loopback and not address.is_link_local:
                distance = Distance(
                    inside=bool(INSIDE.search(name)) or (contained and virtual),
                    tunnel=bool(TUNNEL.search(name)),
                    public=not address.is_private,
                    version_6=address.version == 6,
                    virtual=virtual,
                    not_outward=str(address) != outward,
                )
                found[address] = min(distance, found.get(address, distance))
    return sorted(((distance, address) for address, distance in found.items()), key=lambda pair: pair[0])


def _outward() -> str:
    """The address of the interface that leads outside; nothing where there is none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which interface it would take
        return str(probe.getsockname()[0])
    return ""


def own_names(*hosts: str) -> list[str]:
    """All addresses and host names under which a browser may ask for this computer, with those that it is told."""
    name = host_name()
    plain = name.partition(".")[0]
    names: Iterable[str] = (
        *map(str, own_addresses()),
        *(name, plain, f"{plain}.local", "localhost", "127.0.0.1", "::1"),
        *(host for host in hosts if host not in EVERYWHERE),
    )
    return list(dict.fromkeys(names))


def is_this_computer(host: str) -> bool:
    """Whether a browser can only mean the computer that it runs on."""
    return host in ("localhost", "::1") or host.startswith("127.")


def is_private(host: str) -> bool:
    """Whether this is an address, and one of a home network."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def hosts(served_at: str) -> list[str]:
    """What other devices can call a computer that serves the page at this host, the likeliest first.

    None where it serves only itself, or is in no network. Its name comes last: not every device finds it.
    """
    if served_at not in EVERYWHERE:
        return [] if is_this_computer(served_at) else [served_at]
    found = [str(address) for address in shared_addresses() if served_at == "::" or address.version == 4]
    return [*found, f"{host_name().partition('.')[0]}.local"] if found else []


def url(scheme: str, host: str, port: int) -> str:
    """The address of the start page: “http://192.168.1.20:8000/”."""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
