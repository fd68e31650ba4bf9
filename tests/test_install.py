"""Kast on a home screen: what a device asks for is there, and of the sizes that are promised."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageChops

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "web" / "static"


def image(client: FlaskClient, address: str) -> Image.Image:
    with client.get(address) as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "image/png"
        return Image.open(io.BytesIO(answer.data))


def test_a_page_leads_to_a_manifest_from_which_a_browser_can_install(client: FlaskClient) -> None:
    page = client.get("/").text
    address = re.findall(r'<link rel="manifest" href="([^"]*)"', page)
    answer = client.get(address[0])
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json()
    assert (manifest["name"], manifest["display"], manifest["start_url"], manifest["scope"]) == (
        *("Kast", "standalone"),
        *("/", "/"),
    )
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} == {
        *(("192x192", "any"), ("512x512", "any")),
        ("512x512", "maskable"),
    }
    for icon in manifest["icons"]:
        assert "x".join(map(str, image(client, icon["src"]).size)) == icon["sizes"]
    assert "manifest-src 'self'" in answer.headers["Content-Security-Policy"]
    assert client.get(manifest["start_url"]).status_code == 200


def test_the_manifest_speaks_the_browsers_language(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest", headers={"Accept-Language": "sv"}).get_json()
    assert (manifest["lang"], "Kast" in manifest["description"]) == ("sv", True)
    assert manifest["description"] != client.get("/manifest.webmanifest").get_json()["description"]


def test_an_iphone_finds_an_icon_without_corners_that_it_can_see_through(client: FlaskClient) -> None:
    address = re.findall(r'<link rel="apple-touch-icon" href="([^"]*)"', client.get("/").text)
    icon = image(client, address[0])
    assert icon.size == (180, 180)
    assert icon.convert("RGBA").getchannel("A").getextrema() == (255, 255)


def test_what_a_device_may_cut_off_a_maskable_icon_is_only_ground() -> None:
    icon = Image.open(STATIC / "icon-maskable.png").convert("RGB")
    ground = icon.getpixel((0, 0))
    plain = Image.new("RGB", icon.size, ground)
    around = ImageChops.difference(icon, plain).getbbox()
    assert around
    centre, safe = 256, 0.4 * 512  # the safe zone is a circle of 80 % (W3C, Web Application Manifest)
    corners = [(x - centre) ** 2 + (y - centre) ** 2 for x in around[::2] for y in around[1::2]]
    assert max(corners) < safe**2


@pytest.mark.parametrize("name", ["icon-192", "icon-512", "icon-maskable", "apple-touch-icon"])
def test_the_icons_are_the_drawing_and_nothing_else(tmp_path: Path, name: str) -> None:
    subprocess.run([sys.executable, ROOT / "script" / "icons", tmp_path], check=True, timeout=60)
    drawn, kept = (Image.open(folder / f"{name}.png").convert("RGBA") for folder in (tmp_path, STATIC))
    assert drawn.size == kept.size
    histogram = ImageChops.difference(drawn, kept).histogram()  # of each channel, one after the other
    assert not any(count for n, count in enumerate(histogram) if n % 256 > 16), "libraries may round otherwise"
