"""Plays Kast in Chromium as a person does: taps what can be seen, reads what is written."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Playwright

from web import codes, security

ROOT = Path(__file__).parents[2]
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
)  # fmt: skip


def system_chromium() -> str | None:
    """The system's Chromium, where there is one; playwright's own is used otherwise."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def chromium(playwright: Playwright, film: Path | None = None) -> Browser:
    """A browser; its camera shows the film (motion JPEG)."""
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    camera = (*fake, f"--use-file-for-fake-video-capture={film}") if film else ()
    return playwright.chromium.launch(executable_path=system_chromium(), args=[*QUIET, *camera])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(
    data: Path, port: int, https_port: int = 0, camera: str = "", called: str = "", share: bool = False
) -> subprocess.Popen[str]:
    """A real server process, once it says that it is ready."""
    program = "import sys; from pathlib import Path; from web.serve import serve; "
    program += "port, data, https_port, camera, called, share = sys.argv[1:]; "
    program += "serve('127.0.0.1', int(port), Path(data), int(https_port), camera=camera, called=called, "
    program += "share=bool(share))"
    with (data.parent / "server.log").open("a") as log:
        server = subprocess.Popen(
            [sys.executable, "-c", program, str(port), str(data), str(https_port), camera, called, "yes" * share],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert server.stdout
    for line in server.stdout:
        if line.startswith("Games are kept"):
            return server
    raise AssertionError("the server did not start")


def stop_server(server: subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> None:
    server.send_signal(how)
    server.wait(timeout=20)
    assert server.stdout
    server.stdout.close()


@contextmanager
def serving(data: Path, *, securely: bool = False, camera: str = "", called: str = "") -> Iterator[str]:
    """The address of a server with its games in this folder; the one for https if that is asked for."""
    port, https_port = free_port(), free_port()
    server = start_server(data, port, https_port, camera, called)
    try:
        yield f"https://127.0.0.1:{https_port}" if securely else f"http://127.0.0.1:{port}"
    finally:
        stop_server(server)


def way_in(data: Path, path: str = "/") -> str:
    """The path by which a browser joins the table of the house and comes to this path, on the server of this folder."""
    return f"/join/{codes.code(security.secret_key(data), '')}{path}"


# As if the last tap were long ago: a second one on the same spot right after it counts as a slip of the finger.
GUARD_IS_OVER = "() => sessionStorage.removeItem('tap')"


class Table:
    """The page of a game, by what a person does with it. Works with JavaScript and without."""

    def __init__(self, page: Page, scripted: bool = True, touch: bool = False) -> None:
        """`scripted`: whether the browser runs JavaScript, and so sends a whole roll by itself. `touch`: by fingers."""
        self.page = page
        self.scripted = scripted
        self.touch = touch

    def press(self, place: Locator) -> None:
        """Tap or click here."""
        if self.touch:
            place.tap()
        else:
            place.click()

    def begin(self, rules: str, *players: str, **options: str) -> None:
        """A new game with these people; an option is tapped where it can be seen."""
        self.page.goto(f"/new/{rules}")
        if len(players) > 4:
            self.page.locator("summary").first.click()
        for field, name in zip(self.page.locator("[name=player]").all(), players, strict=False):
            field.fill(name)
        for key, value in options.items():
            self.page.locator(f"[name={key}][value='{value}']").check(force=True)
        self.press(self.page.locator(".begin button"))
        self.page.wait_for_selector("#sheet")

    def tap(self, *dice: int) -> None:
        """Enter dice on the pad."""
        for face in dice:
            self.press(self.page.locator(f".hand .pad .key:nth-child({face})"))

    def throw(self, *dice: int) -> None:
        """Enter a whole roll, so that the boxes light up."""
        again = self.page.locator(".ways a[href*='again']")
        if again.count():
            self.press(again)
            self.page.wait_for_selector("#hand")
        by_itself = self.scripted and self.page.locator("#hand[data-at-once]").count()
        self.tap(*dice)
        if not by_itself:
            self.press(self.page.locator("#hand .use"))
        self.page.wait_for_selector(".hand .slot[href^='#die']")

    def show(self, file: Path, dice: list[int]) -> None:
        """Upload a photograph of the roll, and put right what was misread."""
        self.page.locator(".hand input[type=file]").set_input_files(file)
        self.agree(dice)

    def agree(self, dice: list[int]) -> None:
        """Make the dice of the photograph these ones, as a person would who sees what is wrong, and accept them."""
        self.page.wait_for_selector(".picture")
        while (read := self.read()) != sorted(dice):
            wrong = [face for face in read if read.count(face) > dice.count(face)]
            missing = [face for face in dice if dice.count(face) > read.count(face)]
            if wrong:
                self.page.locator(f".review .tray .slot:has(use[href='#d{wrong[0]}'])").first.click()
                change = f".key:has(use[href='#d{missing[0]}'])" if missing else ".strike"
            else:
                self.press(self.page.locator(".tray .add"))
                change = f".key:has(use[href='#d{missing[0]}'])"
            with self.page.expect_navigation():
                self.press(self.page.locator(f".bar:target {change}"))
        if self.scripted:  # a second tap on the same spot would be taken for a slip of the finger
            self.page.evaluate(GUARD_IS_OVER)
        self.press(self.page.locator(".accept .primary"))
        self.page.wait_for_selector(".hand .slot[href^='#die']")

    def read(self) -> list[int]:
        """What the dice beside the photograph show, lowest first."""
        drawn = self.page.locator(".review .tray .slot use")
        return sorted(
            int(str(die.get_attribute("href"))[2:]) for die in drawn.all() if "#d" in str(die.get_attribute("href"))
        )

    def offered(self) -> dict[str, int]:
        """Points by box of what may be filled now; 0 where it is a strike."""
        cells = self.page.locator("td.choice a, td.strike a")
        by_box = {str(cell.get_attribute("href")).removeprefix("#write-"): cell.inner_text() for cell in cells.all()}
        return {box: int(text) if text.isdigit() else 0 for box, text in by_box.items()}

    def write(self, box: str) -> None:
        """Write the points of the roll in this box, and confirm."""
        self._act(box, ".primary")

    def strike(self, box: str) -> None:
        """Strike this box, and confirm."""
        self._act(box, ".strike")

    def strike_or_write(self, box: str) -> None:
        """Fill this box with what the roll gives."""
        self._act(box, ".primary" if self.page.locator(f"#write-{box} .primary").count() else ".strike")

    def _act(self, box: str, button: str) -> None:
        self.press(self.page.locator(f"[href='#write-{box}']"))
        if self.scripted:  # a second tap on the same spot would be taken for a slip of the finger
            self.page.evaluate(GUARD_IS_OVER)
        self.press(self.page.locator(f"#write-{box} {button}"))
        self.page.wait_for_selector("#hand, .result")

    def boxes(self) -> list[str]:
        """Keys of the boxes, as the addresses of the cells name them."""
        cells = self.page.locator("tr.box td:first-of-type a")
        return [str(cell.get_attribute("href")).rsplit("/", 1)[-1] for cell in cells.all()]

    def player(self) -> str:
        """Whose turn it is, by the lit column."""
        return self.page.locator("th.active .name").inner_text()

    def sums(self, kind: str) -> list[int]:
        """Upper totals, bonuses or totals of all players, as written."""
        return [int(text) for text in self.page.locator(f"tr.{kind} td").all_inner_texts()]
