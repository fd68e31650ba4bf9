"""How often somebody may do something: a number at once, and then one at a time. Pure: time is handed in.

This is the generic cell rate algorithm (ITU-T I.371): one number is held for each caller, and of so many callers only.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict

MOST_HELD = 4096  # callers; whoever was quiet longest is forgotten


class Limit:
    """For each caller `burst` at once, and then one every so many seconds. For any number of threads."""

    def __init__(self, burst: int, every: float) -> None:
        self._slack, self._every = (burst - 1) * every, every
        self._due: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, caller: str, now: float) -> float:
        """Seconds until this caller may again; 0 at once."""
        with self._lock:
            return max(self._due.get(caller, now) - now - self._slack, 0.0)

    def take(self, caller: str, now: float) -> float:
        """Seconds until this caller may again; at 0 it has been done, and counts."""
        with self._lock:
            due = max(self._due.get(caller, now), now)
            if due - now > self._slack:
                return due - now - self._slack
            self._due[caller] = due + self._every
            self._due.move_to_end(caller)
            while len(self._due) > MOST_HELD:
                self._due.popitem(last=False)
            return 0.0


def caller(address: str) -> str:
    """Whoever asks from this address: a device may take any of the 2⁶⁴ addresses (IPv6) of its network."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address) and not ip.ipv4_mapped:
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(getattr(ip, "ipv4_mapped", None) or ip)
