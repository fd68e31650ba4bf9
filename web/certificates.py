"""Https at home: Kast's own authority, and the certificate that it signs for this computer's addresses.

Making and judging certificates is pure, the time is handed in. I/O: `keep` reads and writes two files, which only their
owner may read. Knows nothing of pages.

A device that trusts the authority trusts it for names at home only: name constraints (RFC 5280, 4.2.1.10) forbid it to
vouch for any site on the internet by name. The certificate lives 397 days at most, is for servers only and names its
addresses as alternative names, which is what iOS and browsers demand.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.security import write_private

logger = logging.getLogger(__name__)

AUTHORITY, SERVER = "authority.pem", "server.pem"  # certificates with their keys
BEFORE = "authority-until-*.pem"  # authorities that were replaced
AUTHORITY_LIFE = timedelta(days=3650)
LIFE = timedelta(days=397)
NEAR_ITS_END = timedelta(days=30)
CLOCKS_DIFFER = timedelta(days=1)  # a phone's clock may be behind this computer's
HOME = ("localhost", "local", "lan", "home", "home.arpa", "internal", "fritz.box")  # what no site out there is called


@dataclass(frozen=True)
class Signed:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        """Both, as a web server loads them."""
        key = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return key + self.certificate.public_bytes(Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate, as devices install it."""
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def name(self) -> str:
        """The common name of the subject."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @classmethod
    def from_pem(cls, pem: bytes) -> Signed:
        """ValueError where it is no certificate with its key."""
        key, certificate = load_pem_private_key(pem, None), x509.load_pem_x509_certificate(pem)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the key is not that of the certificate")
        return cls(certificate, key)


def new_authority(host: str, now: datetime) -> Signed:
    """An authority that devices can be told to trust, for this host, names at home, and any address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Kast at {host}"[:64])])
    permitted = [x509.DNSName(each) for each in _unique(map(_dns, (*HOME, host)))]
    builder = (
        _builder(name, name, key, now, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True, crl_sign=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True)
    )
    return Signed(builder.sign(key, hashes.SHA256()), key)


def issue(authority: Signed, names: Iterable[str], now: datetime) -> Signed:
    """A certificate for a server at these addresses and host names, as far as the authority may vouch for them."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kast")]), authority.certificate.subject
    builder = (
        _builder(subject, issuer, key, now, LIFE, authority)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(map(_general, vouched(authority, names))), critical=False)
    )
    return Signed(builder.sign(authority.key, hashes.SHA256()), key)


def vouched(authority: Signed, names: Iterable[str]) -> list[str]:
    """Those of the names that the authority may vouch for."""
    constraints = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = constraints.permitted_subtrees or []
    ends = tuple(f".{each.value}" for each in permitted)
    return [name for name in _unique(map(_dns, names)) if _is_address(name) or f".{name}".endswith(ends)]


def serves(leaf: Signed, authority: Signed, names: Iterable[str], now: datetime) -> bool:
    """Whether this certificate is the authority's, for just these names, and not near its end."""
    certificate = leaf.certificate
    try:
        certificate.verify_directly_issued_by(authority.certificate)
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    in_time = certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - NEAR_ITS_END
    return in_time and set(held) == set(map(_general, vouched(authority, names)))


def lasts(authority: Signed, now: datetime) -> bool:
    """Whether the authority is one, and outlives what it signs now."""
    certificate = authority.certificate
    try:
        is_one = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
        certificate.extensions.get_extension_for_class(x509.NameConstraints)
    except x509.ExtensionNotFound:
        return False
    return is_one and certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - LIFE


def keep(folder: Path, host: str, names: Iterable[str], now: datetime) -> tuple[Signed, Signed]:
    """The authority, and what it signed for these names: as they are in the folder, or made anew.

    What is damaged, of another kind or over is replaced, but kept, and the log says so. OSError where nothing can be
    kept there.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    authority = _held(folder / AUTHORITY)
    if authority is None or not lasts(authority, now):
        _put_aside(folder / AUTHORITY, now)
        before = [held for path in sorted(folder.glob(BEFORE)) if (held := _held(path)) and lasts(held, now)]
        authority = before[-1] if before else new_authority(host, now)
        write_private(folder / AUTHORITY, authority.pem)
        again = "the authority of before is used again" if before else "a new authority was made"
        logger.info("%s: devices are to trust it before they use the live camera", again)
    leaf, wanted = _held(folder / SERVER), vouched(authority, names)
    if leaf is None or not serves(leaf, authority, wanted, now):
        leaf = issue(authority, wanted, now)
        write_private(folder / SERVER, leaf.pem)
        logger.info("a certificate was made for %d names and addresses", len(wanted))
    return authority, leaf


def _put_aside(path: Path, now: datetime) -> None:
    """Keep what is replaced: where the clock was wrong, it is right again tomorrow, and devices trust it already."""
    if path.exists():
        path.replace(path.with_name(BEFORE.replace("*", f"{now:%Y-%m-%d}")))


def _held(path: Path) -> Signed | None:
    """What is in this file; None where there is nothing, or nothing that can be used."""
    try:
        return Signed.from_pem(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        logger.warning("%s is damaged, and is replaced", path.name)
        return None


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
    life: timedelta,
    authority: Signed | None = None,
) -> x509.CertificateBuilder:
    signer = authority.key if authority else key
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now - CLOCKS_DIFFER + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )


_usage = partial(
    x509.KeyUsage,
    **dict.fromkeys(
        (
            *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
            *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    ),
)


def _general(name: str) -> x509.GeneralName:
    return x509.IPAddress(ipaddress.ip_address(name)) if _is_address(name) else x509.DNSName(name)


def _is_address(name: str) -> bool:
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _dns(name: str) -> str:
    """The name as certificates write it; nothing where it cannot be one."""
    try:
        return name.lower().rstrip(".").encode("idna").decode()
    except UnicodeError:
        return ""


def _unique(names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name]
