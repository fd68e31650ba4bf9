"""The https port: a server whose certificate follows the addresses of this computer. I/O: sockets, the certificates."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path

from cheroot import wsgi
from cheroot.server import HTTPConnection
from cheroot.ssl.builtin import BuiltinSSLAdapter

from web import certificates, network


class Adapter(BuiltinSSLAdapter):
    """Speaks TLS, but leaves the handshake to the thread that serves the device."""

    def wrap(self, sock: socket.socket) -> tuple[socket.socket, dict[str, str]]:
        """The socket, and what a request on it says of itself."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class Connection(HTTPConnection):
    """A device that says nothing, or does not trust Kast yet, holds up no other."""

    def communicate(self) -> bool:
        """One request and its answer; whether the connection stays open."""
        try:
            self.socket.do_handshake()  # does nothing once it is done
        except OSError:
            return False
        return bool(super().communicate())  # type: ignore[no-untyped-call]


class Https:
    """What https needs here: the authority for devices to trust, and a certificate for this computer as it is now.

    port: where the page is served.
    """

    def __init__(self, folder: Path, *hosts: str) -> None:
        """`hosts`: where the page is served, and what else this computer is called. OSError where nothing can be kept
        in the folder."""
        self.port = 0
        self._folder, self._hosts = folder, hosts
        self._authority, self._leaf = self._keep()
        self._adapter = Adapter(folder / certificates.SERVER, folder / certificates.SERVER)

    @property
    def authority(self) -> bytes:
        """The certificate (DER, X.509)."""
        return self._authority.der

    @property
    def name(self) -> str:
        """What devices call the authority: “Kast at kitchen”."""
        return self._authority.name

    def secure(self, server: wsgi.Server) -> None:
        """Have this server, which does not listen yet, speak https."""
        server.ssl_adapter, server.ConnectionClass = self._adapter, Connection

    def renew(self) -> None:
        """Take another certificate where addresses have changed, or it nears its end; connections go on."""
        before = self._leaf
        self._authority, self._leaf = self._keep()
        if self._leaf.certificate != before.certificate:
            self._adapter.context.load_cert_chain(self._folder / certificates.SERVER)

    def _keep(self) -> tuple[certificates.Signed, certificates.Signed]:
        names = network.own_names(*self._hosts)
        return certificates.keep(self._folder, network.host_name(), names, datetime.now(UTC))
