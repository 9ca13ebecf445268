"""Pages for phones: some kB of markup, one script and one style, each under an address with its hash."""

import gzip
import hashlib
from html import escape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import segno

HERE = Path(__file__).parent
ADDRESS = "/room"
"""The path below which rooms have all their addresses."""

QUIET = 4
"""White modules around a QR code: without them some cameras do not find it."""

FORM = """<form id="enter">
<h1>Enter a room</h1>
<label for="letters">The four letters on the lecturer's screen</label>
<input id="letters" maxlength="4" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button class="submit">Enter</button>
</form>"""


KEY_FORM = """<form id="lecturer">
<h1>Lecturers</h1>
<label for="key">The key that the operator of this server has given you</label>
<input id="key" type="password" autocomplete="off" required>
<button class="submit">Send</button>
<p id="said" role="status"></p>
</form>"""


class File(NamedTuple):
    """A script or a style: its type, its content, and the content compressed."""

    kind: str
    body: bytes
    packed: bytes


class Documents:
    """The pages and their files; `fields` is the script of the fields of questions, `look` their style."""

    def __init__(self, fields: str, look: str) -> None:
        script, style = _read("phone.js"), _read("phone.css")
        self.files: dict[str, File] = {}
        self._script = self._keep("phone", "js", f"{fields}\n{script}")
        self._enter = self._keep("enter", "js", _read("enter.js"))
        self._lecturer = self._keep("lecturer", "js", _read("lecturer.js"))
        self._style = self._keep("phone", "css", f"{style}\n{look}")

    def phone(self, base: str, code: str) -> str:
        """Return the page of a phone in a room; `base` is the path below which the app is served."""
        return self._document(
            base, f"Room {code}", f'<main id="room" data-code="{code}"></main>', self._script
        )

    def enter(self, base: str, complaint: str = "") -> str:
        """Return the page to type four letters on, with the error of the last try."""
        said = f'<p class="trouble" role="alert">{escape(complaint)}</p>\n' if complaint else ""
        return self._document(base, "Enter a room", f"<main>{said}{FORM}</main>", self._enter)

    def lecturer(self, base: str) -> str:
        """Return the page to type the lecturers' key on."""
        return self._document(base, "Lecturers", f"<main>{KEY_FORM}</main>", self._lecturer)

    def _keep(self, stem: str, ending: str, text: str) -> str:
        """Keep a file and return its address, which contains a hash because browsers cache it for a year."""
        name = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:16]}.{ending}"
        kind = "text/css" if ending == "css" else "text/javascript"
        self.files[name] = File(kind, text.encode(), gzip.compress(text.encode()))
        return f"{ADDRESS}/files/{name}"

    def _document(self, base: str, title: str, body: str, script: str) -> str:
        return "\n".join(
            [
                '<!doctype html><html lang="en"><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">',
                f'<title>{title} · Attention Lab</title><link rel="stylesheet" href="{base}{self._style}">',
                f'<script type="module" src="{base}{script}"></script>{body}</html>',
            ]
        )


def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")


def qr_code(address: str) -> str:
    """Return a scalable SVG, black on white in every theme, because cameras need a light background."""
    written = BytesIO()
    look = {"border": QUIET, "dark": "#000000", "light": "#FFFFFF"}
    segno.make_qr(address, error="m").save(written, kind="svg", omitsize=True, xmldecl=False, **look)
    return written.getvalue().decode()
