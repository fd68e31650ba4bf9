"""A desk that sees the same five dice in every picture, and a browser without scripts before it."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recognizer.reader import Die, Reading
from scorekeeper.log import SqliteLog
from tests import database
from tests.test_desk import FixedReader
from web import network
from web.app import create_app
from web.desk import Desk
from web.house import House
from web.pictures import Pictures

FIVE = Reading(
    tuple(
        Die(face, (0.1 + 0.15 * n, 0.3, 0.1, 0.15), 0.99 if face < 6 else 0.6, ((5, 0.3), (1, 0.001)))
        for n, face in enumerate((1, 1, 1, 2, 6))
    ),
    False,
    ("dark",),
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a real PostgreSQL."""
    with database.running() as address:
        yield address


@pytest.fixture
def empty(server: str) -> str:
    """The address of a database in which nothing of Kast's is kept."""
    return database.emptied(server)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures"), lambda: FixedReader(FIVE))
    yield made
    made.close()


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """This computer has addresses of a home network, by which others call it."""
    there = [ip_address(address) for address in ("192.168.1.20", "192.168.7.7", "10.8.0.2")]
    monkeypatch.setattr(network, "own_addresses", lambda: there)
    monkeypatch.setattr(network, "host_name", lambda: "kitchen")


@pytest.fixture
def client(desk: Desk, tmp_path: Path) -> FlaskClient:
    app = create_app(desk, b"a key for tests", house=House(tmp_path / "house"))
    app.testing = True
    return app.test_client()
