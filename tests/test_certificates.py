"""Https at home: what a device that trusts Kast's authority accepts, what is kept, and what is made anew."""

from __future__ import annotations

import logging
import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from web import certificates, network
from web.certificates import Signed

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ["192.168.1.20", "fd00::20", "kitchen", "kitchen.local", "localhost", "127.0.0.1", "::1"]


def keep(folder: Path, names: list[str] = NAMES, now: datetime = NOW) -> tuple[Signed, Signed]:
    return certificates.keep(folder, "kitchen", names, now)


def accepts(authority: Signed, file: Path, name: str, *, leaf: Signed | None = None) -> bool:
    """Whether a client that trusts this authority, and nothing else, completes a handshake by this name."""
    if leaf:
        file.write_bytes(leaf.pem)
    context = ssl.create_default_context(cadata=authority.der)
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(file)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname=name)
    server = served.wrap_bio(to_server, to_client, server_side=True)
    for _turn in range(3):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError:
                return False
    return client.version() == "TLSv1.3"


def alternative_names(leaf: Signed) -> set[str]:
    held = leaf.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in held}


@pytest.fixture(scope="module")
def real_time() -> datetime:
    return datetime.now(UTC)  # OpenSSL looks at its own clock


def test_a_device_that_trusts_the_authority_accepts_every_name_of_this_computer(
    tmp_path: Path, real_time: datetime
) -> None:
    names = network.own_names()
    authority, _leaf = certificates.keep(tmp_path, network.host_name(), names, real_time)
    assert {"127.0.0.1", "localhost", socket.gethostname()} <= set(names)
    for name in names:
        assert accepts(authority, tmp_path / "server.pem", name), name
    assert not accepts(authority, tmp_path / "server.pem", "example.org")
    assert not accepts(certificates.new_authority("kitchen", real_time), tmp_path / "server.pem", "localhost")


def test_the_authority_cannot_vouch_for_a_site_on_the_internet(
    tmp_path: Path, real_time: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = certificates.new_authority("kitchen", real_time)
    assert certificates.vouched(authority, ["bank.example.org", "kitchen", "tv.fritz.box", "8.8.8.8"]) == [
        "kitchen", "tv.fritz.box", "8.8.8.8",
    ]  # fmt: skip
    monkeypatch.setattr(certificates, "vouched", lambda _authority, names: names)
    stolen = certificates.issue(authority, ["bank.example.org"], real_time)
    assert not accepts(authority, tmp_path / "stolen.pem", "bank.example.org", leaf=stolen)
    kitchen = certificates.issue(authority, ["kitchen"], real_time)
    assert accepts(authority, tmp_path / "own.pem", "kitchen", leaf=kitchen)


def test_the_certificate_is_one_that_ios_accepts(tmp_path: Path) -> None:
    authority, leaf = keep(tmp_path)
    certificate, extensions = leaf.certificate, leaf.certificate.extensions
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= timedelta(days=397)
    assert alternative_names(leaf) == set(NAMES)
    assert list(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert not extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    basic = authority.certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.value.ca, basic.critical) == (True, True)
    assert authority.name == "Kast at kitchen"


def test_both_are_kept_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    first, again = keep(folder), keep(folder, now=NOW + timedelta(days=300))
    assert [each.certificate for each in first] == [each.certificate for each in again]
    assert sorted(path.name for path in folder.iterdir()) == ["authority.pem", "server.pem"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_other_addresses_get_another_certificate_by_the_same_authority(tmp_path: Path) -> None:
    authority, leaf = keep(tmp_path)
    moved, newer = keep(tmp_path, ["10.0.0.7", *NAMES[1:]])
    assert moved.certificate == authority.certificate
    assert newer.certificate != leaf.certificate
    assert alternative_names(newer) == {"10.0.0.7", *NAMES[1:]}


@pytest.mark.parametrize(("days", "renewed"), [(360, False), (370, True), (500, True), (-3, True)])
def test_a_certificate_that_nears_its_end_or_comes_from_the_future_is_renewed(
    tmp_path: Path, days: int, renewed: bool
) -> None:
    _authority, leaf = keep(tmp_path)
    later = NOW + timedelta(days=days)
    newer = keep(tmp_path, now=later)[1].certificate
    assert (newer != leaf.certificate) == renewed
    assert newer.not_valid_before_utc <= later < newer.not_valid_after_utc


def test_an_authority_that_ends_too_soon_is_replaced_and_the_log_says_what_to_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    authority, _leaf = keep(tmp_path)
    caplog.clear()
    successor, leaf = keep(tmp_path, now=NOW + timedelta(days=3400))
    assert successor.certificate != authority.certificate
    assert "devices are to trust it" in caplog.text
    leaf.certificate.verify_directly_issued_by(successor.certificate)


@pytest.mark.parametrize("damage", [b"", b"this is a letter", b"-----BEGIN CERTIFICATE-----\nAAAA\n", b"\xff" * 3000])
@pytest.mark.parametrize("name", ["authority.pem", "server.pem"])
def test_damaged_files_are_replaced_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, damage: bytes
) -> None:
    authority, _leaf = keep(tmp_path)
    (tmp_path / name).write_bytes(damage)
    kept, leaf = keep(tmp_path)
    assert f"{name} is damaged, and is replaced" in caplog.text
    assert (kept.certificate == authority.certificate) == (name == "server.pem")
    leaf.certificate.verify_directly_issued_by(kept.certificate)
    assert certificates.serves(leaf, kept, NAMES, NOW)


def test_a_key_that_is_not_the_certificates_is_damage(tmp_path: Path) -> None:
    authority, leaf = keep(tmp_path)
    key = authority.pem.partition(b"-----BEGIN CERT")[0]
    mixed = key + leaf.pem[leaf.pem.index(b"-----BEGIN CERT") :]
    with pytest.raises(ValueError, match="not that of the certificate"):
        Signed.from_pem(mixed)


def test_a_certificate_in_the_authoritys_place_is_no_authority(tmp_path: Path) -> None:
    _authority, leaf = keep(tmp_path)
    (tmp_path / "authority.pem").write_bytes(leaf.pem)
    kept, _leaf = keep(tmp_path)
    assert kept.name == "Kast at kitchen"


@pytest.mark.parametrize("name", ["", ".", "a..b", "x" * 64 + ".local", "å" * 70])
def test_a_name_that_cannot_stand_in_a_certificate_is_left_out(tmp_path: Path, name: str) -> None:
    _authority, leaf = keep(tmp_path, [name, "127.0.0.1"])
    assert alternative_names(leaf) == {"127.0.0.1"}


def test_once_a_clock_that_had_leapt_is_right_again_so_is_the_authority_that_devices_trust(tmp_path: Path) -> None:
    authority, _leaf = keep(tmp_path)
    leapt, _leaf = keep(tmp_path, now=NOW + timedelta(days=3650))
    assert leapt.certificate != authority.certificate
    assert keep(tmp_path)[0].certificate == authority.certificate
    assert keep(tmp_path, now=NOW + timedelta(days=3650))[0].certificate == leapt.certificate
