"""A real PostgreSQL for tests, started and stopped by them. It needs initdb and pg_ctl on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest


def programs() -> Path | None:
    """The folder of PostgreSQL's programs: Debian keeps them out of the search path."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return Path(found).resolve().parent if found else folders[-1] if folders else None


@contextmanager
def running() -> Iterator[str]:
    """The address of a server that listens in a folder of its own; skips the test where there is none to start."""
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None  # it does not run as root
    extra: list[str] | None = None if user is None else []
    with tempfile.TemporaryDirectory(prefix="kast", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        if user:
            shutil.chown(folder, user)

        def run(program: str, *arguments: str) -> None:
            command: list[str | Path] = [where / program, "-D", folder / "data", *arguments]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, user=user, extra_groups=extra)

        run("initdb", "--username=kast", "--auth=trust", "--encoding=UTF8", "--no-sync")
        # No syncing: these tests kill servers of Kast, not the machine.
        run("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", f"-F -c listen_addresses='' -k {folder}")
        try:
            yield f"postgresql:///postgres?host={folder}&user=kast"
        finally:
            run("pg_ctl", "stop", "-m", "immediate")


def emptied(address: str) -> str:
    """The same address, where now nothing of Kast's is kept."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("DROP SCHEMA IF EXISTS kast CASCADE")
    return address
