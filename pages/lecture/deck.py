"""A lecture as a file: its steps, read from TOML and written as TOML, and packed into a link."""

import re
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pages import entry_at
from pages.contract.answers import parsed
from pages.contract.unfollowed import unknown_parameters
from pages.contract.view import Page
from pages.lecture.deck_file import (
    CONTROL,
    MOST_BYTES,
    TOO_LARGE,
    DeckError,
    Lines,
    check_size,
    decoded,
    read_lines,
)

FOLDER = Path(__file__).parents[2] / "lectures"
"""Where the decks lie that are shipped."""

OWN_ADDRESS = "lecture"
"""The page that plays decks, which cannot be a step of one."""

MOST_STEPS = 200
MOST_NAMED = 5
"""Greatest number of unknown parameters that are named."""

LONGEST_PACKED = 4 * MOST_BYTES // 3 + 200
"""Letters of a link that can hold a deck: what cannot be pressed becomes a little longer."""

LONGEST = {"title": 200, "link": 4000, "question": 1000, "notes": 5000}
"""Characters of each text of a deck."""

ON_ONE_LINE = ("title", "link")

PACKED = "~"
"""What a deck that a link holds begins with; no name of a shipped one does."""

_DAMAGED = "The lecture that this link holds is damaged: the link may have been cut off."

_SERVER = re.compile(
    r"(?:https?://[^/?#\\\s]+|(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?)(?=[/?#]|\Z)", re.IGNORECASE
)
"""The part of an address that names a server; browsers show it without its scheme."""


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


def read_deck(toml: str) -> Deck:
    """Return the deck of a file. Raises DeckError with the line, also for a view that there is not."""
    return _deck(*read_lines(toml), checks_views=True)


def deck_of(data: Mapping[str, Any]) -> Deck:
    """Return the deck of plain data, `title` and `step`, a list. Raises DeckError."""
    return _deck(data, {}, checks_views=True)


def _deck(data: Mapping[str, Any], known: Lines, *, checks_views: bool) -> Deck:
    _check_fields(data, {"title", "step"}, 0, known)
    title = _text(data, "title", 0, known)
    steps = data.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(one, dict) for one in steps):
        raise _refused("step has to be a table: each step begins with [[step]]", 0, "step", known)
    if not steps:
        raise DeckError("This deck has no steps: each begins with [[step]] and has a link.")
    if len(steps) > MOST_STEPS:
        raise _refused(f"a deck has at most {MOST_STEPS} steps, got {len(steps)}", MOST_STEPS + 1, "", known)
    read = tuple(_step(one, number, known) for number, one in enumerate(steps, 1))
    for number, step in enumerate(read, 1):
        if checks_views and (reason := why_not_shown(step.link)):
            raise _refused(reason, number, "link", known)
    return Deck(title, read)


def write_deck(deck: Deck) -> str:
    """A deck as a file, from which `read_deck` makes the same. Raises DeckError for one that is too large."""
    lines = [f"title = {_quoted(deck.title)}"]
    for step in deck.steps:
        lines += ["", "[[step]]", f"link = {_quoted(step.link)}"]
        texts = {name: getattr(step, name) for name in ("title", "notes", "question")}
        lines += [f"{name} = {_quoted(text)}" for name, text in texts.items() if text]
        lines += ["covered = true"] * step.covered
    toml = "\n".join(lines) + "\n"
    check_size(toml)
    return toml


def packed(deck: Deck) -> str:
    """A deck as a text that a link can hold. Raises DeckError for one that is too large."""
    pressed = zlib.compress(write_deck(deck).encode(), level=9)
    return PACKED + urlsafe_b64encode(pressed).decode().rstrip("=")


def unpacked(text: str) -> Deck:
    """Return the deck that a link holds. Raises DeckError if it is cut off, or no deck.

    A view that there is not stops nobody: the link may be older than the app.
    """
    letters = text.removeprefix(PACKED)
    if len(letters) > LONGEST_PACKED:
        raise DeckError(TOO_LARGE)
    unpacker = zlib.decompressobj()
    try:
        pressed = b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        plain = unpacker.decompress(pressed, MOST_BYTES + 1)
        if len(plain) > MOST_BYTES:
            raise DeckError(TOO_LARGE)
        if not unpacker.eof:
            raise DeckError(_DAMAGED)
        toml = plain.decode()
    except DeckError:
        raise
    except (ValueError, zlib.error):  # other letters, or other bytes than those of a deck
        raise DeckError(_DAMAGED) from None
    return _deck(*read_lines(toml), checks_views=False)


def deck_named(value: str) -> Deck:
    """Return a shipped deck by its name, or the one that a link holds. Raises DeckError."""
    if value.startswith(PACKED):
        return unpacked(value)
    if value in spoilt():
        raise DeckError(f"{value}.toml cannot be read. {spoilt()[value]}")
    decks = shipped()
    if value not in decks:
        raise DeckError(f"There is no lecture “{_short(value)}”: there are {' and '.join(decks)}.")
    return decks[value]


def shipped() -> Mapping[str, Deck]:
    """Return the decks of the folder `lectures` by the names of their files."""
    return {name: deck for name, deck in _files().items() if isinstance(deck, Deck)}


def spoilt() -> Mapping[str, DeckError]:
    """Return the files of the folder `lectures` that are no decks, each with the reason."""
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


def _step(data: Mapping[str, Any], number: int, lines: Lines) -> Step:
    _check_fields(data, {field.name for field in fields(Step)}, number, lines)
    if "link" not in data:
        raise _refused("link is missing", number, "", lines)
    texts = {name: _text(data, name, number, lines) for name in ("link", "title", "notes", "question")}
    texts["link"] = path_of(texts["link"])
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
    if control := CONTROL.search(value):
        after = f" after “{value[max(0, control.start() - 20) : control.start()]}”"
        raise _refused(
            f"{name} has the control character U+{ord(control[0]):04X}{after}", number, name, lines
        )
    return value


def path_of(link: str) -> str:
    """Return the path and the query of a link, which may be a whole address, without its fragment.

    A server may have the app below a path of its own: the page is then the last part of the address.
    """
    server = _SERVER.match(link)
    path, mark, query = link[server.end() if server else 0 :].partition("#")[0].partition("?")
    if server:
        page = path.strip("/")
        last = page.rpartition("/")[2]
        path = f"/{last if entry_at(page) is None and entry_at(last) else page}"
    return f"{path}{mark}{query}"


def _why_no_link(link: str) -> str:
    """Return why a link does not lead to a page of this app; empty if it does."""
    shown = f"“{_short(link)}”"
    if not link.startswith("/") or link.startswith("//") or "\\" in link or "\t" in link:
        return f"link has to be a path of this app such as /masking?view=paint, got {shown}"
    address, _ = parsed(link)
    if address == OWN_ADDRESS:
        return f"link leads to a lecture, which cannot be a step of one: {shown}"
    if entry_at(address) is None:
        return f"link leads to no page: there is no /{_short(address)}"
    return ""


def why_not_shown(link: str) -> str:
    """Return why the page of a link cannot show what the link asks for; empty if it has the view.

    Only names are looked at: whether a value suits its control depends on the model.
    """
    address, parameters = parsed(link)
    entry = entry_at(address)
    assert entry is not None, "the page of a step is known"
    page: Page = import_module(f"pages.{entry.folder}").PAGE
    if parameters.get("view", []) not in [[], *([name] for name in page.views)]:
        asked = _short(", ".join(parameters["view"]))
        return f"the page {entry.title} has no view “{asked}”: there are {', '.join(page.views)}"
    unknown = [_short(name) for name in parameters if unknown_parameters([name])]
    if unknown:
        return f"link has a parameter that no page knows: {', '.join(unknown[:MOST_NAMED])}"
    return ""


def _check_fields(data: Mapping[str, Any], known: set[str], number: int, lines: Lines) -> None:
    for name in (name for name in data if name not in known):
        there_are = ", ".join(sorted(known))
        reason = f"{_short(name)} is no field of a {'step' if number else 'deck'}: there are {there_are}"
        raise _refused(reason, number, name, lines)


def _refused(reason: str, number: int, name: str, lines: Lines) -> DeckError:
    """Why a step is refused, or the deck itself as number 0, with the line of the field, or of the step."""
    line = lines.get((number, name)) or lines.get((number, ""))
    where = [f"line {line}"] * (line is not None) + [f"step {number}"] * (number > 0)
    said = f"{', '.join(where)}: {reason}." if where else f"{reason}."
    return DeckError(said[0].upper() + said[1:])


def _quoted(text: str) -> str:
    """Return a text as TOML writes it, over several lines if it has some, to be edited by hand."""
    escaped = text.replace("\\", "\\\\")
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
