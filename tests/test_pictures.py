"""Photographs of every kind, and files that only pretend to be one."""

from __future__ import annotations

import contextlib
import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from recognizer.pictures import LONGEST, UPRIGHT, UnreadablePicture, load

PICTURES = Path(__file__).parent / "pictures"


def quarters(mode: str = "RGB") -> Image.Image:
    """120 × 80 pixels: red, green above blue, white."""
    colours = np.zeros((80, 120, 3), np.uint8)
    colours[:40, :60], colours[:40, 60:] = (220, 20, 20), (20, 200, 20)
    colours[40:, :60], colours[40:, 60:] = (20, 20, 220), (250, 250, 250)
    return Image.fromarray(colours).convert(mode)


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def is_quarters(image: np.ndarray) -> bool:
    """Red, green, blue, white in BGR, whatever compression did to them."""
    height, width = image.shape[:2]
    seen = [image[y * height // 4, x * width // 4] for y, x in ((1, 1), (1, 3), (3, 1), (3, 3))]
    return bool(np.allclose(seen, [(20, 20, 220), (20, 200, 20), (220, 20, 20), (250, 250, 250)], atol=40))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 95}),
        ("JPEG", {"progressive": True}),
        ("PNG", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
        ("BMP", {}),
    ],
)
def test_a_picture_of_any_usual_format_is_read(kind: str, options: dict[str, object]) -> None:
    picture = load(encoded(quarters(), kind, **options))
    assert picture.image.shape == (80, 120, 3)
    assert (picture.width, picture.height) == (120, 80)
    assert is_quarters(picture.image)


@pytest.mark.parametrize("mode", ["P", "RGBA", "CMYK", "YCbCr"])
def test_every_way_to_write_colours_gives_the_same_colours(mode: str) -> None:
    kind = "JPEG" if mode in ("CMYK", "YCbCr") else "PNG"
    assert is_quarters(load(encoded(quarters(mode), kind)).image)


def test_a_palette_with_a_transparent_colour_is_read() -> None:
    assert is_quarters(load(encoded(quarters("P"), "PNG", transparency=255)).image)


def test_grey_pictures_of_8_and_of_16_bits_look_the_same() -> None:
    grey = quarters("L")
    wide = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    assert wide.mode == "I;16"
    np.testing.assert_allclose(load(encoded(grey, "PNG")).image, load(encoded(wide, "PNG")).image, atol=1)


def test_what_is_transparent_lies_on_white() -> None:
    clear = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    assert (load(encoded(clear, "PNG")).image == 255).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
def test_of_an_animation_the_first_picture_counts(kind: str) -> None:
    black = Image.new("RGB", (120, 80))
    assert is_quarters(load(encoded(quarters(), kind, save_all=True, append_images=[black], duration=50)).image)


@pytest.mark.parametrize("orientation", [1, *UPRIGHT])
def test_a_picture_taken_with_the_phone_turned_is_upright(orientation: int) -> None:
    undo = {6: UPRIGHT[8], 8: UPRIGHT[6]}.get(orientation, UPRIGHT.get(orientation))
    stored = quarters() if undo is None else quarters().transpose(undo)
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = load(encoded(stored, "JPEG", quality=95, exif=exif))
    assert (picture.width, picture.height) == (120, 80)
    assert is_quarters(picture.image)


def test_a_large_photograph_is_handed_out_reduced_and_remembers_its_size() -> None:
    picture = load(encoded(quarters().resize((6000, 4000)), "JPEG"))
    assert (picture.width, picture.height) == (6000, 4000)
    assert max(picture.image.shape) == LONGEST
    assert is_quarters(picture.image)


def png_of_declared_size(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b"hello", "not a picture"),
        (b"%PDF-1.7 and so on", "not a picture"),
        (b"\x89PNG\r\n\x1a\n", "not a picture|damaged"),
        (encoded(quarters(), "PNG")[:150], "damaged"),
        (encoded(quarters(), "JPEG")[:700], "damaged"),
        (encoded(quarters(), "WEBP")[:60], "damaged|not a picture"),
        (png_of_declared_size(50_000, 50_000), "too large"),
        (png_of_declared_size(9_000, 9_000), "too large"),
        (encoded(Image.new("RGB", (3, 3)), "PNG"), "too small"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(UnreadablePicture, match=sentence) as caught:
        load(data)
    assert caught.value.template.format(**caught.value.values) == str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_missing_file_and_a_folder_are_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="no such file"):
        load(tmp_path / "none.jpg")
    with pytest.raises(UnreadablePicture, match="folder"):
        load(tmp_path)


def test_noise_behind_the_head_of_a_picture_never_does_more_than_refuse() -> None:
    rng = np.random.default_rng(0)
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        whole = np.frombuffer(encoded(quarters(), kind), np.uint8)
        for _ in range(60):
            broken = whole.copy()
            places = rng.integers(8, len(whole), 6)
            broken[places] = rng.integers(0, 256, 6)
            with contextlib.suppress(UnreadablePicture):
                assert load(broken.tobytes()).image.ndim == 3


MEASURE = """
import pathlib, sys
from recognizer.pictures import UnreadablePicture, load
try:
    print(*load(sys.argv[1]).image.shape)
except UnreadablePicture as refused:
    print(refused)
print(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells a process how much memory it had at most"
)
@pytest.mark.timeout(300)
def test_the_largest_pictures_fit_into_a_gigabyte(tmp_path: Path) -> None:
    photographs = {
        "large.jpg": encoded(Image.effect_noise((10_000, 10_000), 40).convert("RGB"), "JPEG", quality=30),
        "progressive.jpg": encoded(Image.new("RGB", (10_000, 10_000), "teal"), "JPEG", progressive=True, subsampling=0),
        "four colours.jpg": encoded(Image.new("CMYK", (10_000, 8_800)), "JPEG", progressive=True, subsampling=0),
        "too large.jpg": encoded(Image.new("CMYK", (10_000, 10_000)), "JPEG", progressive=True, subsampling=0),
        "large.png": encoded(Image.new("RGBA", (8_000, 6_000), (9, 99, 199, 99)), "PNG", compress_level=1),
        "bomb.png": png_of_declared_size(50_000, 50_000),
    }
    for name, data in photographs.items():
        path = tmp_path / name
        path.write_bytes(data)
        done = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
        answer, peak = done.stdout.splitlines()
        assert int(peak) < 900_000, f"{name}: {peak} kB, {answer}"
        assert ("too large" in answer) == (name in ("bomb.png", "too large.jpg")), f"{name}: {answer}"
