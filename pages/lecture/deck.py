"""A lecture as a file: its steps, read from TOML and written as TOML, and packed into a link."""

import re
import tomllib
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pages import entry_at
from pages.contract.answers import parsed

FOLDER = Path(__file__).parents[2] / "lectures"
"""Where the decks lie that are shipped."""

OWN_ADDRESS = "lecture"
"""The page that plays decks, which cannot be a step of one."""

MOST_STEPS = 200
MOST_BYTES = 256 * 1024
"""Bytes of a deck as TOML, in a file or unpacked from a link."""

LONGEST = {"title": 200, "link": 4000, "question": 1000, "notes": 5000}
"""Characters of each text of a deck."""

ON_ONE_LINE = ("title", "link")

PACKED = "~"
"""What a deck that a link holds begins with; no name of a shipped one does."""


class DeckError(ValueError):
    """Why a deck is refused: a sentence with the line, where there is one, and the reason."""


@dataclass(frozen=True)
class Step:
    """A step of a lecture: the link that it shows, as a path of this app, and a title for the hall.

    `notes` are for the lecturer alone, the `question` is for the room, and what the link shows is hidden at
    first if it is `covered`.
    """

    link: str
    title: str = ""
    notes: str = ""
    question: str = ""
    covered: bool = False


@dataclass(frozen=True)
class Deck:
    """A lecture: its title and its steps, of which there is at least one."""

    title: str
    steps: tuple[Step, ...]


Lines = Mapping[tuple[int, str], int]
"""The line of each field by the number of its step, 0 for the deck's own; of the step itself under ""."""


def read_deck(toml: str) -> Deck:
    """The deck that a file holds. Raises DeckError where it is none."""
    text = toml.removeprefix("\ufeff")
    _check_size(text)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise DeckError("This file is nested too deeply for a deck.") from None
    except ValueError as error:
        raise DeckError(_syntax_said(str(error))) from None
    return deck_of(data, _lines_of(text))


def deck_of(data: Mapping[str, Any], lines: Lines | None = None) -> Deck:
    """The deck that plain data says, `title` and `step`, a list. Raises DeckError with the line, if known."""
    known = lines or {}
    _check_fields(data, {"title", "step"}, 0, known)
    title = _text(data, "title", 0, known)
    steps = data.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(one, dict) for one in steps):
        raise _refused("step has to be a table: each step begins with [[step]]", 0, "step", known)
    if not steps:
        raise DeckError("This deck has no steps: each begins with [[step]] and has a link.")
    if len(steps) > MOST_STEPS:
        raise _refused(f"a deck has at most {MOST_STEPS} steps, got {len(steps)}", MOST_STEPS + 1, "", known)
    return Deck(title, tuple(_step(one, number, known) for number, one in enumerate(steps, 1)))


def write_deck(deck: Deck) -> str:
    """A deck as a file, from which `read_deck` makes the same. Raises DeckError for one that is too large."""
    lines = [f"title = {_quoted(deck.title)}"]
    for step in deck.steps:
        lines += ["", "[[step]]", f"link = {_quoted(step.link)}"]
        texts = {name: getattr(step, name) for name in ("title", "notes", "question")}
        lines += [f"{name} = {_quoted(text)}" for name, text in texts.items() if text]
        lines += ["covered = true"] * step.covered
    toml = "\n".join(lines) + "\n"
    _check_size(toml)
    return toml


def packed(deck: Deck) -> str:
    """A deck as a text that a link can hold. Raises DeckError for one that is too large."""
    pressed = zlib.compress(write_deck(deck).encode(), level=9)
    return PACKED + urlsafe_b64encode(pressed).decode().rstrip("=")


def unpacked(text: str) -> Deck:
    """The deck that a link holds. Raises DeckError where it is cut off, or no deck."""
    letters = text.removeprefix(PACKED)
    unpacker = zlib.decompressobj()
    try:
        pressed = urlsafe_b64decode((letters + "=" * (-len(letters) % 4)).encode("ascii"))
        plain = unpacker.decompress(pressed, MOST_BYTES + 1)
        if len(plain) > MOST_BYTES:
            raise DeckError(_TOO_LARGE)
        if not unpacker.eof:
            raise ValueError("cut off")
        toml = plain.decode()
    except DeckError:
        raise
    except (ValueError, zlib.error):  # other letters, half a text, other bytes than a deck's
        raise DeckError(
            "The lecture that this link holds is damaged: the link may have been cut off."
        ) from None
    return read_deck(toml)


def deck_named(value: str) -> Deck:
    """A shipped deck by its name, or the one that a link holds. Raises DeckError where there is none."""
    if value.startswith(PACKED):
        return unpacked(value)
    decks = shipped()
    if value not in decks:
        raise DeckError(f"There is no lecture “{_short(value)}”: there are {' and '.join(decks)}.")
    return decks[value]


@cache
def shipped() -> Mapping[str, Deck]:
    """The decks of the folder `lectures` by the names of their files."""
    files = sorted(FOLDER.glob("*.toml"))
    return MappingProxyType({path.stem: read_deck(path.read_text("utf-8")) for path in files})


def _step(data: Mapping[str, Any], number: int, lines: Lines) -> Step:
    _check_fields(data, {field.name for field in fields(Step)}, number, lines)
    if "link" not in data:
        raise _refused("link is missing", number, "", lines)
    texts = {name: _text(data, name, number, lines) for name in ("link", "title", "notes", "question")}
    if reason := _why_no_link(texts["link"]):
        raise _refused(reason, number, "link", lines)
    covered = data.get("covered", False)
    if not isinstance(covered, bool):
        raise _refused(f"covered has to be true or false, got {_kind(covered)}", number, "covered", lines)
    return Step(**texts, covered=covered)


def _text(data: Mapping[str, Any], name: str, number: int, lines: Lines) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise _refused(f"{name} has to be a text in quotes, got {_kind(value)}", number, name, lines)
    if len(value) > LONGEST[name]:
        reason = f"{name} has at most {LONGEST[name]} characters, got {len(value)}"
        raise _refused(reason, number, name, lines)
    if name in ON_ONE_LINE and "\n" in value:
        raise _refused(f"{name} has to be on one line", number, name, lines)
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise _refused(f"{name} has half a character", number, name, lines)
    return value


def _why_no_link(link: str) -> str:
    """Why a link does not lead to a page of this app; empty if it does."""
    shown = f"“{_short(link)}”"
    if not link.startswith("/") or link.startswith("//") or re.search(r"[\x00-\x1f\\#\x7f]", link):
        return f"link has to be a path of this app such as /masking?view=paint, got {shown}"
    address, _ = parsed(link)
    if address == OWN_ADDRESS:
        return f"link leads to a lecture, which cannot be a step of one: {shown}"
    if entry_at(address) is None:
        return f"link leads to no page: there is no /{_short(address)}"
    return ""


def _check_fields(data: Mapping[str, Any], known: set[str], number: int, lines: Lines) -> None:
    for name in data.keys() - known:
        there_are = ", ".join(sorted(known))
        reason = f"{_short(name)} is no field of a {'step' if number else 'deck'}: there are {there_are}"
        raise _refused(reason, number, name, lines)


def _check_size(toml: str) -> None:
    if len(toml) > MOST_BYTES or len(toml.encode("utf-8", "replace")) > MOST_BYTES:
        raise DeckError(_TOO_LARGE)


_TOO_LARGE = f"This deck is too large: a file has at most {MOST_BYTES // 1024} KB."


def _refused(reason: str, number: int, name: str, lines: Lines) -> DeckError:
    """Why a step is refused, or the deck itself as number 0, with the line of the field, or of the step."""
    line = lines.get((number, name)) or lines.get((number, ""))
    where = [f"line {line}"] * (line is not None) + [f"step {number}"] * (number > 0)
    said = f"{', '.join(where)}: {reason}." if where else f"{reason}."
    return DeckError(said[0].upper() + said[1:])


def _syntax_said(message: str) -> str:
    """What tomllib says of a text that is no TOML, with the line at its head."""
    reason, _, place = message.partition(" (at ")
    line = re.search(r"line (\d+)", place)
    where = f"Line {line[1]}" if line else "At the end"
    return f"{where}: this is no TOML: {reason[:1].lower()}{reason[1:]}."


_TOKENS = re.compile(
    r"""(?P<passed>\#[^\n]*|\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
    r"""|^[ \t]*(?P<step>\[{1,2}[ \t]*step[ \t]*\]{1,2})|^[ \t]*(?P<field>[\w-]+)[ \t]*=""",
    re.DOTALL | re.MULTILINE,
)
"""Of a text that is TOML: comments and strings, which are passed over, heads of steps, names of fields."""


def _lines_of(toml: str) -> Lines:
    """Where each step of a text that is TOML begins, and where its fields stand."""
    lines: dict[tuple[int, str], int] = {}
    number, line, counted = 0, 1, 0
    for token in _TOKENS.finditer(toml):
        start = token.start(token.lastgroup or 0)
        line, counted = line + toml.count("\n", counted, start), start
        if token.lastgroup == "step":
            number += 1
            lines[number, ""] = line
            lines.setdefault((0, "step"), line)
        elif token.lastgroup == "field":
            lines[number, token["field"]] = line
    return lines


_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Control characters that TOML does not take as they are; tabs and line ends stay."""


def _quoted(text: str) -> str:
    """A text as TOML writes it, over several lines where it has them, to be edited by hand."""
    escaped = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04X}", text.replace("\\", "\\\\"))
    if "\n" not in text:
        return '"' + escaped.replace('"', '\\"') + '"'
    return '"""\n' + escaped.replace('""', '"\\"') + '"""'


def _kind(value: object) -> str:
    """What a value is, in the words of who writes TOML."""
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "a table",
    }
    return next((said for kind, said in kinds.items() if type(value) is kind), "a date or a time")


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
