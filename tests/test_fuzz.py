"""The page stands whatever is sent to it. `python -m tests.fuzz` sends a hundred thousand requests."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz import fuzz

REQUESTS = 2000


def test_no_request_breaks_the_page_and_none_that_is_refused_changes_a_game(tmp_path: Path) -> None:
    seen = fuzz(tmp_path, REQUESTS, seed=20261130)
    assert sum(seen.values()) == REQUESTS
    assert {status for _method, status in seen} >= {200, 303, 400, 404, 422}, "little of the page was reached"
