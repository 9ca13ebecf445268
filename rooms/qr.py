"""The address of a room as a QR code, for phones in the last row too."""

from io import BytesIO

import segno

QUIET = 4
"""Modules of white around it: without them some cameras find nothing."""


def picture(address: str) -> str:
    """An SVG that grows with its frame, black on white in every theme, for cameras want the paper lighter."""
    written = BytesIO()
    code = segno.make_qr(address, error="m")
    look = {"border": QUIET, "dark": "#000000", "light": "#FFFFFF"}
    code.save(written, kind="svg", omitsize=True, xmldecl=False, **look)
    return written.getvalue().decode()
