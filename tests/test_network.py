"""Which of a computer's addresses a tablet is told: on machines of many kinds, as the system describes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from web import network
from web.serve import addresses

# What `ifaddr` says of interfaces: name, description, addresses; and whether there is hardware behind it.
Interface = tuple[str, str, list[str], bool]
Become = Callable[..., None]
LOOP: Interface = ("lo", "lo", ["127.0.0.1", "::1"], False)
WIFI: Interface = ("wlan0", "wlan0", ["192.168.1.20", "fe80::1", "2001:db8::20"], True)
CABLE: Interface = ("eth0", "eth0", ["192.168.1.21"], True)
DOCKER: Interface = ("docker0", "docker0", ["172.17.0.1"], False)
BRIDGE: Interface = ("br-5f3a", "br-5f3a", ["172.18.0.1"], False)
VETH: Interface = ("veth12ab", "veth12ab", ["169.254.7.1", "10.0.3.1"], False)
VIRTUAL: Interface = ("virbr0", "virbr0", ["192.168.122.1"], False)
TAILSCALE: Interface = ("tailscale0", "tailscale0", ["100.101.102.103", "fd7a:115c:a1e0::1"], False)
VPN: Interface = ("tun0", "tun0", ["10.8.0.2"], False)
PUBLIC: Interface = ("eth1", "eth1", ["93.184.216.34"], True)
HOME_BRIDGE: Interface = ("br0", "br0", ["192.168.1.5"], False)
WINDOWS: list[Interface] = [
    ("{1A}", "Hyper-V Virtual Ethernet Adapter", ["172.28.0.1"], False),
    ("{2B}", "VirtualBox Host-Only Ethernet Adapter", ["192.168.56.1"], False),
    ("{3C}", "WireGuard Tunnel", ["10.6.0.2"], False),
    ("{4D}", "Intel(R) Wi-Fi 6 AX201 160MHz", ["192.168.0.14"], False),
]
MAC: list[Interface] = [
    ("utun3", "utun3", ["10.9.0.3"], False),
    ("bridge100", "bridge100", ["192.168.64.1"], False),
    ("en0", "en0", ["192.168.0.15"], False),
]


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Become:
    """Call it with the interfaces of a computer, and what leads outside, to be on that computer."""

    def become(
        *interfaces: Interface, outward: str = "", contained: bool = False, is_linux: bool = True, name: str = "kitchen"
    ) -> None:
        adapters = []
        devices = tmp_path / "net"
        for adapter, description, ips, physical in interfaces:
            if is_linux:
                (devices / adapter / ("device" if physical else "")).mkdir(parents=True, exist_ok=True)
            found = [SimpleNamespace(ip=(ip, 0, 0) if ":" in ip else ip) for ip in ips]
            adapters.append(SimpleNamespace(name=adapter, nice_name=description, ips=found))
        mark = tmp_path / "contained"
        if contained:
            mark.touch()
        monkeypatch.setattr(network, "DEVICES", devices)
        monkeypatch.setattr(network, "CONTAINERS", (mark,))
        monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
        monkeypatch.setattr(network, "_outward", lambda: outward)
        monkeypatch.setattr(network, "host_name", lambda: name)

    return become


@pytest.mark.parametrize("outward", ["192.168.1.20", "10.8.0.2", "172.17.0.1", ""])
def test_the_home_network_comes_first_tunnels_last_and_networks_of_containers_are_not_told(
    computer: Become, outward: str
) -> None:
    computer(LOOP, VPN, DOCKER, BRIDGE, VETH, VIRTUAL, TAILSCALE, PUBLIC, WIFI, outward=outward)
    told = network.hosts("0.0.0.0")
    assert told == ["192.168.1.20", "93.184.216.34", "10.8.0.2", "100.101.102.103", "kitchen.local"]


def test_of_two_cards_the_one_that_leads_outside_comes_first(computer: Become) -> None:
    computer(CABLE, WIFI, outward="192.168.1.20")
    assert network.hosts("")[:2] == ["192.168.1.20", "192.168.1.21"]
    computer(CABLE, WIFI, outward="192.168.1.21")
    assert network.hosts("")[:2] == ["192.168.1.21", "192.168.1.20"]


def test_a_bridge_of_the_home_network_is_told_and_a_card_goes_before_it(computer: Become) -> None:
    computer(HOME_BRIDGE)
    assert network.hosts("")[0] == "192.168.1.5"
    computer(HOME_BRIDGE, CABLE)
    assert network.hosts("")[0] == "192.168.1.21"


@pytest.mark.parametrize(
    ("machine", "told"),
    [(WINDOWS, ["192.168.0.14", "10.6.0.2", "kitchen.local"]), (MAC, ["192.168.0.15", "10.9.0.3", "kitchen.local"])],
    ids=["Windows", "macOS"],
)
def test_on_other_systems_interfaces_are_known_by_what_they_are_called(
    computer: Become, machine: list[Interface], told: list[str]
) -> None:
    computer(*machine, is_linux=False)
    assert network.hosts("") == told


def test_in_a_container_its_own_address_is_not_told_but_the_hosts_is_where_it_shares_that(computer: Become) -> None:
    computer(LOOP, ("eth0", "eth0", ["172.17.0.2"], False), contained=True)
    assert network.hosts("0.0.0.0") == []
    computer(LOOP, WIFI, DOCKER, contained=True)
    assert network.hosts("0.0.0.0") == ["192.168.1.20", "kitchen.local"]


def test_version_6_is_told_where_the_page_is_served_there_and_never_the_loop_or_a_link(computer: Become) -> None:
    computer(LOOP, WIFI)
    assert network.hosts("::") == ["192.168.1.20", "2001:db8::20", "kitchen.local"]
    assert not {"127.0.0.1", "::1", "fe80::1"} & set(map(str, network.own_addresses()))


def test_who_serves_only_itself_or_is_in_no_network_tells_nothing(computer: Become) -> None:
    computer(LOOP, WIFI)
    for host in ("127.0.0.1", "localhost", "::1"):
        assert network.hosts(host) == []
    assert network.hosts("192.168.1.20") == ["192.168.1.20"]
    computer(LOOP)
    assert network.hosts("") == []


def test_the_certificate_is_for_every_address_those_of_containers_too(computer: Become) -> None:
    computer(LOOP, DOCKER, WIFI)
    assert {"192.168.1.20", "172.17.0.1", "kitchen.local", "localhost"} <= set(network.own_names())


def test_what_others_are_to_call_this_computer_is_told_first_and_stands_in_the_certificate(computer: Become) -> None:
    computer(LOOP, WIFI)
    assert "192.168.9.9" in network.own_names("0.0.0.0", "192.168.9.9")
    assert not {"", "0.0.0.0"} & set(network.own_names("0.0.0.0", ""))
    told = addresses("", 8000, called="yatzy.example")
    assert told[:2] == ["http://yatzy.example:8000/", "http://192.168.1.20:8000/"]
    assert told[-1] == "http://localhost:8000/"
