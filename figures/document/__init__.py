"""A picture as one page of HTML that needs nothing else: no server, no network, no typeface."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import ascii_letters, digits, punctuation

import orjson

from figures.export_pictures import ExportPicture
from figures.numbers import html
from figures.plain import as_html
from figures.rendering import fonts
from figures.rendering.browser import PLOTLY
from figures.rendering.job import Plot
from figures.rendering.marks import IN_HTML
from viz.theme import Theme

FOLDER = Path(__file__).parent

ALWAYS = frozenset(f"{ascii_letters}{digits}{punctuation} −–…·×")
"""Characters of the typeface that every page contains, because hover texts are written with them."""

IN_SCRIPTS = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})
"""Escapes in JSON for signs that could end a script or begin a comment in it."""


def document(export_picture: ExportPicture, theme: Theme, drawn: Plot | bytes) -> bytes:
    """Return the page of a picture: an interactive plot, or an SVG as it is."""
    alt, link = escape(export_picture.alt), escape(export_picture.link)
    is_whole = link.startswith(("https://", "http://"))
    anchor = f'<a href="{link}" rel="noreferrer">{link}</a>' if is_whole else link
    scripts: tuple[str, ...] = ()
    if isinstance(drawn, Plot):
        scripts = PLOTLY.read_text("utf-8"), script("page.js")
        picture = f'<div id="place"><div id="picture" role="img" aria-label="{alt}"></div></div>'
        figure = orjson.dumps(drawn, option=orjson.OPT_SERIALIZE_NUMPY).decode().translate(IN_SCRIPTS)
        data = f'<script type="application/json" id="figure">{figure}</script>'
    else:
        picture, data = as_image(drawn, alt), ""
    numbers = ""
    if export_picture.table is not None:
        numbers = f"<details><summary>Numbers</summary>{html(export_picture.table())}</details>"
    body = "\n".join(
        [
            f"<h1>{escape(export_picture.title)}</h1>",
            f"<figure>{picture}",
            f"<figcaption>{escape(export_picture.caption)}</figcaption></figure>",
            f"<p>{as_html(export_picture.headline)}</p>" if export_picture.headline else "",
            f"<p class='link'>{anchor}</p>" if link else "",
            f"<details><summary>In words</summary><p>{alt}</p></details>",
            numbers,
            data,
        ]
    )
    characters = frozenset(body) | frozenset(export_picture.title)
    return page_of(
        head(export_picture.title, export_picture.provenance, theme, characters, scripts), body, scripts
    )


def as_image(svg: bytes, alt: str) -> str:
    """Return an SVG as an image, in which no script can run; `alt` is HTML already."""
    return f'<img src="data:image/svg+xml;base64,{b64encode(svg).decode("ascii")}" alt="{alt}">'


def page_of(head: str, body: str, scripts: tuple[str, ...]) -> bytes:
    """Return a page with its scripts behind its body."""
    code = "".join(f"<script>{script}</script>\n" for script in scripts)
    return f"<!doctype html>\n<html lang='en'>\n{head}\n<body>\n{body}\n{code}</body>\n</html>\n".encode()


def head(
    title: str,
    said: Mapping[str, str],
    theme: Theme,
    characters: frozenset[str],
    scripts: tuple[str, ...],
    style: str = "page.css",
) -> str:
    """Return the head of a page, with its provenance, its style sheet and the letters it needs."""
    provenance = "\n".join(
        f'<meta name="{IN_HTML}{escape(name)}" content="{escape(value)}">' for name, value in said.items()
    )
    colours = f":root {{ --paper: {theme.paper}; --ink: {theme.ink}; --muted: {theme.muted}; "
    colours += f"--line: {theme.line}; --primary: {theme.primary}; "
    colours += f"color-scheme: {'dark' if theme.name == 'dark' else 'light'} }}"
    letters = frozenset(one for one in characters | ALWAYS if one.isprintable())
    typeface = "".join(fonts.rule(weight, letters) for weight in fonts.WEIGHTS)
    return f"""<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
{provenance}
<style>{typeface}\n{colours}\n{script(style)}</style>
</head>"""


def _policy(scripts: tuple[str, ...]) -> str:
    """Return the policy of a page: only these scripts run, and no request leaves the page."""
    hashes = [f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in scripts]
    allowed = " ".join(hashes) or "'none'"
    data = "style-src 'unsafe-inline'; img-src data:; font-src data:"
    return f"default-src 'none'; script-src {allowed}; {data}; base-uri 'none'; form-action 'none'"


@cache
def script(name: str) -> str:
    """Return a script, or a style sheet, of this folder."""
    return (FOLDER / name).read_text("utf-8")
