"""How soon pages are painted, and what they weigh: python tests/browser/paint.py [--loads N] [--lighthouse PROGRAM]

Each page is loaded so many times by a browser that keeps nothing, from a server on this computer, as a phone and as a
tablet. Lighthouse (a program of Node, installed as people like) judges the same pages, on its slow phone and slow line.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.table import chromium, serving, system_chromium
from tests.seeded import fill

PAGES = {"start": "/", "two, rolled": "/g/rolled", "two, before a throw": "/g/fresh", "twelve": "/g/twelve"}
SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 640}, "tablet": {"width": 1024, "height": 1366}}
PAINTED = """() => new Promise(done => new PerformanceObserver((list, observer) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (!paint) return;
    observer.disconnect();
    const parts = performance.getEntriesByType("resource"), [page] = performance.getEntriesByType("navigation");
    done([paint.startTime, [page, ...parts].reduce((sum, part) => sum + part.transferSize, 0)]);
}).observe({ type: "paint", buffered: true }))"""
JUDGED = ("performance", "accessibility", "best-practices")
SHOWN = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def measure(browser: Browser, address: str, size: ViewportSize, loads: int) -> tuple[list[float], int]:
    """Milliseconds from asking to the first contentful paint, lowest first, and the bytes that were transferred."""
    times, weight = [], 0
    for _load in range(loads):
        context = browser.new_context(viewport=size)
        page = context.new_page()
        page.goto(address)
        time, weight = page.evaluate(PAINTED)
        times.append(time)
        context.close()
    return sorted(times), weight


def judge(program: str, address: str) -> str:
    """The scores that Lighthouse gives, and the times behind them."""
    flags = "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        only = f"--only-categories={','.join(JUDGED)}"
        command = [program, address, "--quiet", "--output=json", f"--output-path={path}", only, flags]
        subprocess.run(command, check=True, timeout=300, env=os.environ | {"CHROME_PATH": str(system_chromium())})
        report = json.loads(path.read_text("utf-8"))
    scores = [f"{name} {report['categories'][name]['score'] * 100:.0f}" for name in JUDGED]
    return ", ".join([*scores, *(f"{name} {report['audits'][name]['displayValue']}" for name in SHOWN)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--lighthouse", metavar="PROGRAM")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = Path(folder) / "data"
        fill(data)
        browser = chromium(playwright)
        with serving(data) as address:
            for name, path in PAGES.items():
                for device, size in SIZES.items():
                    times, weight = measure(browser, address + path, size, args.loads)
                    late = times[int(0.95 * len(times))]
                    figures = (
                        f"first paint {statistics.median(times):.0f} ms, 95 % within {late:.0f} ms, {weight:,} bytes"
                    )
                    print(f"{name}, {device}: {figures}", flush=True)
            for name, path in PAGES.items() if args.lighthouse else ():
                print(f"{name}: {judge(args.lighthouse, address + path)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
