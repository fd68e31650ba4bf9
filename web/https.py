"""What https needs: a certificate that follows the addresses of this computer. I/O: the certificates."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from pathlib import Path

from web import certificates, network
from web.alone import alone


class Https:
    """What https needs here: the authority for devices to trust, and a certificate for this computer as it is now.

    port: where the page is served. context: with which a server speaks TLS.
    """

    def __init__(self, folder: Path, *hosts: str) -> None:
        """`hosts`: where the page is served, and what else this computer is called. OSError where nothing can be kept
        in the folder."""
        self.port = 0
        self._folder, self._hosts = folder, hosts
        self._authority, self._leaf = self._keep()
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(folder / certificates.SERVER)

    @property
    def authority(self) -> bytes:
        """The certificate (DER, X.509)."""
        return self._authority.der

    @property
    def name(self) -> str:
        """What devices call the authority: “Kast at kitchen”."""
        return self._authority.name

    def renew(self) -> None:
        """Take another certificate where addresses have changed, or it nears its end; connections go on."""
        before = self._leaf
        self._authority, self._leaf = self._keep()
        if self._leaf.certificate != before.certificate:
            self.context.load_cert_chain(self._folder / certificates.SERVER)

    def _keep(self) -> tuple[certificates.Signed, certificates.Signed]:
        names = network.own_names(*self._hosts)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone(self._folder):  # several servers have one authority
            return certificates.keep(self._folder, network.host_name(), names, datetime.now(UTC))
