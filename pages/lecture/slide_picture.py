"""The pictures of slides: PNG, JPEG or WebP, written as data URLs into the file of a lecture."""

import re
from base64 import b64decode
from io import BytesIO
from zlib import crc32

from PIL import Image, UnidentifiedImageError

MOST_PICTURE_BYTES = 150 * 1024
"""Bytes of a picture, before they are written as letters."""

MOST_PIXELS = 12_000_000
"""Greatest number of pixels: a small file can unpack to far more, which would fill a browser's memory."""

LONGEST_URL = 4 * MOST_PICTURE_BYTES // 3 + 40

KINDS = {"png": "PNG", "jpeg": "JPEG", "webp": "WEBP"}
"""Kinds of pictures by their names in a data URL; without SVG, which can run scripts."""

_URL = re.compile(r"data:image/([a-z0-9.+-]+);base64,([A-Za-z0-9+/]++={0,2})")
IN_BROWSER = "browser:"
"""Prefix of the name of a picture that a link leaves in the browser of its lecturer."""

_KEPT = re.compile(rf"{IN_BROWSER}[0-9a-f]{{8}}-[0-9]{{1,6}}")


def is_kept_in_browser(picture: str) -> bool:
    """Return whether a link names a picture that only the browser of its lecturer has."""
    return _KEPT.fullmatch(picture) is not None


def name_in_browser(picture: str) -> str:
    """Return the name of a picture by which its lecturer's browser finds it, see slide_picture.js."""
    if not picture or is_kept_in_browser(picture):
        return picture
    return f"{IN_BROWSER}{crc32(picture.encode()):08x}-{len(picture)}"


def why_no_picture(picture: str) -> str:
    """Return why a text is no valid picture of a slide; empty if it is."""
    if is_kept_in_browser(picture):
        return ""
    written = _URL.fullmatch(picture)
    if written is None or written[1] not in KINDS:
        return "picture has to be a PNG, JPEG or WebP as data:image/png;base64,…"
    if len(picture) > LONGEST_URL:
        return f"picture has more than {MOST_PICTURE_BYTES // 1024} KB: make it smaller"
    try:
        with Image.open(BytesIO(b64decode(written[2], validate=True)), formats=[KINDS[written[1]]]) as image:
            pixels = image.width * image.height
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return f"picture is no {written[1].upper()} that can be read"
    if pixels > MOST_PIXELS:
        return f"picture has more than {MOST_PIXELS // 10**6} million pixels: make it smaller"
    return ""


def bytes_of(picture: str) -> bytes:
    """Return the file in a data URL of a picture."""
    return b64decode(picture.partition(",")[2])
