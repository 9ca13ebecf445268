"""A lecture as a file: its steps, read from TOML and written as TOML, and packed into a link."""

import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pages.contract.real import is_absent
from pages.lecture.deck_file import MOST_BYTES, DeckError, Lines, check_size, decoded, read_lines, short
from pages.lecture.slide_picture import name_in_browser, why_no_picture
from pages.lecture.step import LectureStep, check_fields, read_step, read_text, refused, why_not_shown
from words import enumerated

FOLDER = Path(__file__).parents[2] / "lectures"
MOST_STEPS = 200

MOST_LINK_BYTES = 256 * 1024
"""Greatest size of a deck in a link, in bytes of TOML without its pictures."""

LONGEST_PACKED = 4 * MOST_LINK_BYTES // 3 + 200
"""Greatest length of a link with a deck, in letters: incompressible text becomes a little longer."""

ORDER = (
    *("link", "kind", "title", "sentence", "text", "formula", "picture", "notes", "question"),
    *("answer_kind", "options", "right", "covered"),
)
"""The fields of a step as a file has them."""

PACKED = "~"
"""Prefix of a deck that a link holds; no name of a shipped deck has it."""

TOO_LARGE_FOR_A_LINK = (
    f"This deck is too large for a link, which holds at most {MOST_LINK_BYTES // 1024} KB: use its file."
)

_DAMAGED = "The lecture that this link holds is damaged: the link may have been cut off."


@dataclass(frozen=True)
class Deck:
    """A lecture: its title, at least one step, and `about`, its audience and its length."""

    title: str
    steps: tuple[LectureStep, ...]
    about: str = ""


def read_deck(toml: str) -> Deck:
    """Return the deck of a file. Raises DeckError with the line, also for an unknown view."""
    return _deck(*read_lines(toml), checks_views=True)


def deck_of(data: Mapping[str, Any]) -> Deck:
    """Return the deck of plain data: `title`, `about` and `step`, a list. Raises DeckError."""
    return _deck(data, {}, checks_views=True)


def _deck(data: Mapping[str, Any], known: Lines, *, checks_views: bool) -> Deck:
    check_fields(data, {"title", "about", "step"}, 0, known)
    title, about = (read_text(data, name, 0, known) for name in ("title", "about"))
    steps = data.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(one, dict) for one in steps):
        raise refused("step has to be a table: each step begins with [[step]]", 0, "step", known)
    if not steps:
        raise DeckError("This deck has no steps: each begins with [[step]].")
    if len(steps) > MOST_STEPS:
        raise refused(f"a deck has at most {MOST_STEPS} steps, got {len(steps)}", MOST_STEPS + 1, "", known)
    read = tuple(read_step(one, number, known) for number, one in enumerate(steps, 1))
    for number, step in enumerate(read, 1):
        if checks_views and step.link and (reason := why_not_shown(step.link)):
            raise refused(reason, number, "link", known)
    return Deck(title, read, about)


def write_deck(deck: Deck) -> str:
    """Return a deck as a file, from which `read_deck` makes the same. Raises DeckError if it is too large."""
    lines = [f"title = {_quoted(deck.title)}", *([f"about = {_quoted(deck.about)}"] if deck.about else [])]
    for step in deck.steps:
        lines += ["", "[[step]]", *_written(step)]
    toml = "\n".join(lines) + "\n"
    check_size(toml)
    return toml


def _written(step: LectureStep) -> Iterator[str]:
    """Yield the non-empty fields of a step, a line each."""
    for name in ORDER:
        value = getattr(step, name)
        if value is True:
            yield f"{name} = true"
        elif isinstance(value, tuple) and value:
            yield f"{name} = [{', '.join(map(_quoted, value))}]"
        elif value:
            yield f"{name} = {_quoted(value)}"


def packed(deck: Deck) -> str:
    """Return a deck as text for a link. Raises DeckError if it is too large."""
    # Pictures are too large for a link: it names them, and the browser that has them shows them.
    named = (replace(step, picture=name_in_browser(step.picture)) for step in deck.steps)
    toml = write_deck(replace(deck, steps=tuple(named))).encode()
    if len(toml) > MOST_LINK_BYTES:
        raise DeckError(TOO_LARGE_FOR_A_LINK)
    return PACKED + urlsafe_b64encode(zlib.compress(toml, level=9)).decode().rstrip("=")


def with_pictures(deck: Deck, pictures: Sequence[str]) -> Deck:
    """Return a deck with those of the pictures that it names. Raises DeckError if one is no picture."""
    for picture in pictures:
        if reason := why_no_picture(picture):
            raise DeckError(f"{reason[0].upper()}{reason[1:]}.")
    named = {name_in_browser(picture): picture for picture in pictures}
    steps = (replace(step, picture=named.get(step.picture, step.picture)) for step in deck.steps)
    return replace(deck, steps=tuple(steps))


def unpacked(text: str) -> Deck:
    """Return the deck of a link. Raises DeckError if it is cut off, or no deck."""
    letters = text.removeprefix(PACKED)
    if len(letters) > LONGEST_PACKED:
        raise DeckError(TOO_LARGE_FOR_A_LINK)
    unpacker = zlib.decompressobj()
    try:
        pressed = b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        plain = unpacker.decompress(pressed, MOST_LINK_BYTES + 1)
        if len(plain) > MOST_LINK_BYTES:
            raise DeckError(TOO_LARGE_FOR_A_LINK)
        if not unpacker.eof:
            raise DeckError(_DAMAGED)
        toml = plain.decode()
    except DeckError:
        raise
    except (ValueError, zlib.error):  # other letters, or other bytes than those of a deck
        raise DeckError(_DAMAGED) from None
    return _deck(*read_lines(toml), checks_views=False)  # the link may be older than the app


def deck_named(value: str) -> Deck:
    """Return a shipped deck by its name, or the deck of a link. Raises DeckError."""
    if value.startswith(PACKED):
        return unpacked(value)
    if value in spoilt():
        raise DeckError(f"{value}.toml cannot be read. {spoilt()[value]}")
    decks = shipped()
    if value not in decks:
        raise DeckError(f"There is no lecture “{short(value)}”: there are {enumerated(list(decks))}.")
    deck = decks[value]
    steps = tuple(step for step in deck.steps if not is_absent(step.link))  # they would be empty
    return deck if steps == deck.steps else replace(deck, steps=steps)


def shipped() -> Mapping[str, Deck]:
    """Return the decks of the folder `lectures` by the names of their files."""
    return {name: deck for name, deck in _files().items() if isinstance(deck, Deck)}


def spoilt() -> Mapping[str, DeckError]:
    """Return the files of the folder `lectures` that are no valid decks, each with the reason."""
    return {name: error for name, error in _files().items() if isinstance(error, DeckError)}


@cache
def _files() -> Mapping[str, Deck | DeckError]:
    return MappingProxyType({path.stem: _file(path) for path in sorted(FOLDER.glob("*.toml"))})


def _file(path: Path) -> Deck | DeckError:
    try:
        with path.open("rb") as file:
            return read_deck(decoded(file.read(MOST_BYTES + 1)))
    except DeckError as error:
        return error
    except OSError as error:
        return DeckError(f"The file cannot be opened: {error.strerror}.")


def _quoted(text: str) -> str:
    """Return a text as a TOML string, over several lines if it has them, for editing by hand."""
    escaped = text.replace("\\", "\\\\")
    if "\n" not in text:
        return '"' + escaped.replace('"', '\\"') + '"'
    return '"""\n' + escaped.replace('""', '"\\"') + '"""'
