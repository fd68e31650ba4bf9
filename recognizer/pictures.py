"""Photographs from anywhere, safely: JPEG, PNG, WebP or HEIC in, an upright picture out, or a plain sentence why not.

The size is checked before anything is decoded, and large photographs are decoded reduced where their format allows it.
"""

from __future__ import annotations

import io
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import pi_heif
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "GIF", "BMP")
LARGEST_FILE = 60_000_000  # bytes
LARGEST_SIDE = 20_000  # pixels
MOST_PIXELS = 120_000_000  # declared, in three colours, by a file that can be decoded reduced
MOST_DECODED = 50_000_000  # held at once; the largest photographs of phones have 48 to 50 million
LONGEST = 2560  # longer side in pixels of the picture handed out: dice in larger ones have pixels to spare
ORIENTATION = 0x0112  # EXIF tag; its values and what turns the picture upright:
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


class UnreadablePicture(Exception):
    """The picture cannot be read. `template` is an English sentence with fields in braces, `values` fills them."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template, self.values = template, values


@dataclass(frozen=True)
class Picture:
    """`image` (H, W, 3) BGR, upright, perhaps reduced; `width` and `height` in pixels of the original, upright."""

    image: NDArray[np.uint8]
    width: int
    height: int


def load(source: Path | str | bytes) -> Picture:
    """The picture in a file, or in the bytes of one, turned upright as its EXIF orientation says.

    Transparent pixels lie on white; of an animation the first picture counts. Raises UnreadablePicture for whatever is
    missing, damaged, of another kind or too large.
    """
    data = source if isinstance(source, bytes) else _bytes(Path(source))
    if not data:
        raise UnreadablePicture("The file is empty.")
    if len(data) > LARGEST_FILE:
        raise UnreadablePicture("The file is larger than {megabytes} MB.", megabytes=LARGEST_FILE // 1_000_000)
    Image.init()
    pi_heif.register_heif_opener()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata is no reason to refuse a picture
            return _decode(io.BytesIO(data))
    except UnreadablePicture:
        raise
    except UnidentifiedImageError as error:
        raise UnreadablePicture(
            "This is not a picture in a format that can be read (JPEG, PNG, WebP, HEIC)."
        ) from error
    except Image.DecompressionBombError as error:
        raise UnreadablePicture("The picture is too large.") from error
    except Exception as error:  # decoders of seven formats raise what they like on damaged data
        raise UnreadablePicture("The picture is damaged and cannot be read.") from error


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise UnreadablePicture("The file is larger than {megabytes} MB.", megabytes=LARGEST_FILE // 1_000_000)
            return file.read(LARGEST_FILE + 1)
    except IsADirectoryError as error:
        raise UnreadablePicture("This is a folder, not a picture.") from error
    except FileNotFoundError as error:
        raise UnreadablePicture("There is no such file.") from error
    except (OSError, ValueError) as error:
        raise UnreadablePicture("The file cannot be opened.") from error


def _decode(file: IO[bytes]) -> Picture:
    with Image.open(file, formats=FORMATS) as opened:
        width, height = opened.size
        # Decoders of progressive pictures hold all of every colour, however reduced the picture that they make.
        _check(width, height, MOST_PIXELS * 3 // max(3, len(opened.getbands())))
        opened.draft("RGB", (LONGEST, LONGEST))  # a JPEG is now decoded at 1/2, 1/4 or 1/8, not smaller than asked for
        _check(*opened.size, MOST_DECODED)
        orientation = opened.getexif().get(ORIENTATION, 1)  # of a PNG this decodes all
        picture = _rgb(opened) if opened.mode in ("1", "P", "PA") else opened  # a palette's numbers cannot be averaged
        picture.thumbnail((LONGEST, LONGEST), Image.Resampling.BOX)
        picture = _rgb(picture)
    if orientation in UPRIGHT:
        picture = picture.transpose(UPRIGHT[orientation])
    if orientation in (5, 6, 7, 8):
        width, height = height, width
    return Picture(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), width, height)


def _check(width: int, height: int, most: int) -> None:
    if max(width, height) > LARGEST_SIDE or width * height > most:
        raise UnreadablePicture("The picture is too large: {width} × {height} pixels.", width=width, height=height)
    if min(width, height) < 8:
        raise UnreadablePicture("The picture is too small: {width} × {height} pixels.", width=width, height=height)


def _rgb(picture: Image.Image) -> Image.Image:
    """Any mode as 8-bit RGB: wide greys scaled down, transparency laid on white."""
    if picture.mode.startswith(("I", "F")):
        values = np.asarray(picture, dtype=np.float32)
        picture = Image.fromarray((np.clip(values / (257 if values.max() > 255 else 1), 0, 255)).astype(np.uint8))
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        ground.alpha_composite(layer)
        picture = ground
    return picture.convert("RGB")
