"""One browser for all tests that play in it; a server of its own for each; and nothing said on the console."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Playwright, sync_playwright

from tests.browser.table import chromium, serving


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = chromium(playwright)
    yield started
    started.close()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A real server process with a data folder of its own."""
    with serving(tmp_path / "data") as at:
        yield at


@pytest.fixture
def complaints(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """What the browser's console complains of; nothing, at the end of every test."""
    said: list[str] = []
    yield said
    assert said == []


def watch(context: BrowserContext, complaints: list[str]) -> BrowserContext:
    """The context, its errors and warnings noted."""

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    context.on("console", note)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    return context
