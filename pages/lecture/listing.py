"""The shipped lectures, and the visitor's own, which the browser keeps and the server reads and writes."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pages import ENTRIES, LECTURE
from pages.browser.scripts import FILES, KEPT, PAPER, SMALL_PICTURES, file_address
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import Drawing, Sheet, Text, Tile, Tiles
from pages.contract.view import page_of, view
from pages.data.links import Link
from pages.home.pictures import address_of
from pages.lecture.deck import Deck, deck_named, deck_of, packed, read_deck, shipped, spoilt, write_deck
from pages.lecture.deck_file import MOST_BYTES, TOO_LARGE, DeckError, decoded
from pages.lecture.slide_picture import MOST_PICTURE_BYTES
from pages.lecture.step import LONGEST, WRONG_RIGHT
from words import counted

HERE = Path(__file__).parent

SCRIPTS = ("steps.js", "markdown.js", "small_slide.js", "slide_fields.js", "plan.js")

LONG_LINK = 8000
"""Length of a link, in characters, from which other programs may cut it off: the app takes 32 KB."""


FIRST_MINUTES = """\
- **Give it.** A presenter's remote changes the steps. `S` opens your notes, `B` turns the screen black, `?`
  lists all shortcuts.
- **Make your own.** Set up any page as your students should see it. Press **+ Add to lecture** at its top.
  Then order the steps here and add notes. `F5` starts the lecture.
- **Take it along.** For a hall without the app, download slides: PPTX with your notes, or PDF. The hand-out
  is one page for your students, which opens offline.
- **Phones in the room.** `Q` asks the room the question of a step. Phones scan a code and answer, without an
  account or a name. `R` shows the answers."""


@view(asks=False)
def lecture(ask: Ask, scene: Scene) -> Sheet:
    """Return the shipped lectures, and the visitor's own; a notice says why a linked one is invalid."""
    ask.parameters.followed.add("step")  # of the lecture
    named = next(iter(ask.parameters.spellings("deck")), "")
    spoilt_files = (f"lectures/{name}.toml cannot be given. {error}" for name, error in spoilt().items())
    ready = f"{counted(len(shipped()), 'lecture')} {'is' if len(shipped()) == 1 else 'are'}"
    return Sheet(
        headline=f"{ready} ready to be given; your own is kept in this browser alone.",
        notes=tuple(Text(f"{Typed(said):600}", "warning") for said in (*_why_not(named), *spoilt_files)),
        parts=(
            Tiles(tuple(_tile(name) for name in shipped())),
            Text(FIRST_MINUTES, "remark"),
            Text("## My lecture"),
            Drawing(
                "my_lecture",
                HERE / "mine.js",
                _data(ask.look),
                on=(KEPT, *SMALL_PICTURES, FILES, PAPER, *(HERE / script for script in SCRIPTS)),
                answer=answer,
                is_saved=False,
            ),
        ),
    )


def _why_not(named: str) -> list[str]:
    """Return why the lecture of a link cannot be shown; nothing if it can, or without a lecture."""
    try:
        if named:
            deck_named(named)
    except DeckError as error:
        return [str(error)]
    return []


def answer(asked: Any) -> Mapping[str, Any]:
    """Return the reply to the browser, with the number of its request; nothing of it is kept here.

    It requests a deck that is written and packed, a deck read from the bytes of a file, which it sends in
    base64, or a shipped deck.
    """
    try:
        match asked:
            case {"number": int(number), "write": {} as data}:
                deck = deck_of(data)
                return {"number": number, "toml": write_deck(deck), "packed": packed(deck)}
            case {"number": int(number), "file": str(letters)}:
                return {"number": number, "deck": as_data(read_deck(_text_of(letters)))}
            case {"number": int(number), "take": str(name)}:
                return {"number": number, "deck": as_data(deck_named(name))}
    except DeckError as error:
        return {"number": number, "refused": str(error)}
    return {}


def as_data(deck: Deck) -> dict[str, Any]:
    """Return a deck as plain data, from which `deck_of` makes the same."""
    return {"title": deck.title, "about": deck.about, "step": [asdict(step) for step in deck.steps]}


def _text_of(letters: str) -> str:
    """Return the text of a file that a browser has sent in base64. Raises DeckError."""
    if len(letters) > 2 * MOST_BYTES:
        raise DeckError(TOO_LARGE)
    try:
        content = b64decode(letters, validate=True)
    except ValueError as error:
        raise DeckError("The file did not arrive completely: upload it again.") from error
    return decoded(content)


def _tile(name: str) -> Tile:
    deck = deck_named(name)
    path = Link("", "lecture", {"deck": name, "step": 1}).path
    whole = Link("", "lecture", {"deck": name}).path
    slides = {kind: file_address(whole, kind) for kind in ("pptx", "pdf", "html")}
    return Tile(deck.title, deck.about, path, counted(len(deck.steps), "step"), slides=slides, act="Give")


def _data(look: Look) -> dict[str, Any]:
    return {
        "alt": "The steps of the lecture that you are collecting, in their order.",
        "decks": [[name, deck.title] for name, deck in shipped().items()],
        "pictures": _pictures(look.theme.name),
        "printed": _pictures("light"),
        "longest": LONGEST,
        "long_link": LONG_LINK,
        "largest": MOST_BYTES,
        "largest_picture": MOST_PICTURE_BYTES,
        "wrong_right": WRONG_RIGHT,
        "katex": _katex(),
    }


@cache
def _katex() -> str:
    """Return the address of the KaTeX that comes with Streamlit; empty if this version brings none."""
    found = find_spec("streamlit")
    if found is None or found.origin is None:
        return ""
    folder = Path(found.origin).parent / "static" / "static" / "js"
    return next((f"/static/js/{path.name}" for path in folder.glob("katex.*.js")), "")


@cache
def _pictures(theme: str) -> dict[str, list[list[str]]]:
    """Return the views at each address, each with its small picture; the first one opens the page."""
    return {
        entry.address: [[view, address_of(entry.folder, view, theme)] for view in page_of(entry).views]
        for entry in ENTRIES
        if entry != LECTURE
    }
