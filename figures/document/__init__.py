"""A picture as one page of HTML that needs nothing else: no server, no network, no typeface."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import ascii_letters, digits, punctuation

import orjson
import pandas as pd

from figures.exhibits import Exhibit
from figures.numbers import html
from figures.plain import as_html
from figures.rendering import fonts
from figures.rendering.browser import PLOTLY
from figures.rendering.job import Plot
from figures.rendering.marks import IN_HTML
from viz.theme import Theme

FOLDER = Path(__file__).parent

ALWAYS = frozenset(f"{ascii_letters}{digits}{punctuation} −–…·×")
"""Characters of the typeface that are taken along in any case: what is hovered is written then."""

IN_SCRIPTS = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})
"""How JSON writes what could end a script, or begin something else in it."""


def document(exhibit: Exhibit, theme: Theme, drawn: Plot | bytes) -> bytes:
    """The page of a picture, which Plotly draws and tells of under the pointer, or as the SVG that it is."""
    scripts = _scripts() if isinstance(drawn, Plot) else ()
    table = exhibit.table() if exhibit.table is not None else None
    body = "\n".join(
        [
            f"<h1>{escape(exhibit.title)}</h1>",
            f"<figure>{_picture(drawn, exhibit.alt)}",
            f"<figcaption>{escape(exhibit.caption)}</figcaption></figure>",
            f"<p>{as_html(exhibit.answer)}</p>",
            f"<p class='link'>{_anchor(exhibit.provenance.link)}</p>",
            f"<details><summary>In words</summary><p>{escape(exhibit.alt)}</p></details>",
            _numbers(table),
            _data(drawn),
        ]
    )
    head = _head(exhibit, theme, frozenset(body) | frozenset(exhibit.title), scripts)
    code = "".join(f"<script>{script}</script>\n" for script in scripts)
    return f"<!doctype html>\n<html lang='en'>\n{head}\n<body>\n{body}\n{code}</body>\n</html>\n".encode()


def _head(exhibit: Exhibit, theme: Theme, characters: frozenset[str], scripts: tuple[str, ...]) -> str:
    remembered = "\n".join(
        f'<meta name="{IN_HTML}{escape(name)}" content="{escape(value)}">'
        for name, value in exhibit.provenance.said.items()
    )
    colours = f":root {{ --paper: {theme.paper}; --ink: {theme.ink}; --muted: {theme.muted}; "
    colours += f"--line: {theme.line}; --primary: {theme.primary}; color-scheme: {_scheme(theme)} }}"
    letters = frozenset(one for one in characters | ALWAYS if one.isprintable())
    typeface = "".join(fonts.rule(weight, letters) for weight in fonts.WEIGHTS)
    return f"""<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">
<meta name="viewport" content="width=device-width">
<title>{escape(exhibit.title)}</title>
{remembered}
<style>{typeface}\n{colours}\n{_file("page.css")}</style>
</head>"""


def _policy(scripts: tuple[str, ...]) -> str:
    """What the page may do: run these very scripts, show what it has brought, and ask nobody for anything."""
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join(hashes) or "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "font-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in allowed.items())


def _scheme(theme: Theme) -> str:
    return "dark" if theme.name == "dark" else "light"


def _picture(drawn: Plot | bytes, alt: str) -> str:
    if isinstance(drawn, Plot):
        return f'<div id="place"><div id="picture" role="img" aria-label="{escape(alt)}"></div></div>'
    source = f"data:image/svg+xml;base64,{b64encode(drawn).decode('ascii')}"
    return f'<img src="{source}" alt="{escape(alt)}">'


def _anchor(link: str) -> str:
    shown = escape(link)
    is_whole = link.startswith(("https://", "http://"))
    return f'<a href="{shown}" rel="noreferrer">{shown}</a>' if is_whole else shown


def _numbers(table: pd.DataFrame | None) -> str:
    if table is None:
        return ""
    return f"<details><summary>Numbers</summary>{html(table)}</details>"


def _data(drawn: Plot | bytes) -> str:
    if not isinstance(drawn, Plot):
        return ""
    said: Mapping[str, object] = {**vars(drawn), "figure": dict(drawn.figure)}
    written = orjson.dumps(said, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return f'<script type="application/json" id="figure">{written.translate(IN_SCRIPTS)}</script>'


@cache
def _scripts() -> tuple[str, ...]:
    return PLOTLY.read_text("utf-8"), _file("page.js")


@cache
def _file(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")
