"""The address of a room as a QR code, for phones in the last row too."""

from io import BytesIO

import segno

QUIET = 4
"""White modules around the code: without them some cameras do not find it."""


def picture(address: str) -> str:
    """Return a scalable SVG, black on white in every theme, because cameras need a light background."""
    written = BytesIO()
    code = segno.make_qr(address, error="m")
    look = {"border": QUIET, "dark": "#000000", "light": "#FFFFFF"}
    code.save(written, kind="svg", omitsize=True, xmldecl=False, **look)
    return written.getvalue().decode()
