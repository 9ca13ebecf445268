"""A step of a lecture, and the checks of its fields in a file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any

from pages import entry_at
from pages.contract.link_parameters import parsed
from pages.contract.unused_parameters import unknown_parameters
from pages.contract.view import page_of
from pages.lecture.deck_file import CONTROL, MOST_BYTES, DeckError, Lines, short
from pages.lecture.slide_picture import why_no_picture

OWN_ADDRESS = "lecture"

MOST_NAMED = 5

LONGEST = {
    "link": 4000,
    "kind": 20,
    "title": 200,
    "about": 300,
    "sentence": 500,
    "text": 3000,
    "formula": 1000,
    "picture": MOST_BYTES,  # it has a separate limit
    "question": 1000,
    "answer_kind": 20,
    "right": 200,
    "notes": 5000,
}
"""Characters of each text of a deck and its steps."""

OF_STEP = tuple(name for name in LONGEST if name != "about")

LONGEST_OPTION = 120
MOST_OPTIONS = 12

ON_ONE_LINE = ("title", "about", "link", "kind", "sentence", "picture", "answer_kind", "right")

SLIDES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "title": ("title", ("text",)),
    "agenda": ("text", ("text",)),
    "text": ("text", ("text",)),
    "formula": ("formula", ("formula", "text")),
    "picture": ("picture", ("picture", "text")),
    "end": ("", ("text",)),
}
"""Kinds of slides, each with its required field and the fields that it shows below its title."""

ANSWER_KINDS = ("choice", "number", "order", "drawing", "words")

NO_SENTENCE = "none"
"""Value of `sentence` for no sentence at all."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

_SERVER = re.compile(
    r"(?:https?://[^/?#\\\s]+|(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?)(?=[/?#]|\Z)", re.IGNORECASE
)
"""The part of an address that names a server; browsers show it without its scheme."""


@dataclass(frozen=True)
class LectureStep:
    """A step of a lecture: a `link` to a view of this app, or a slide of a `kind`, with a title for the hall.

    `notes` are for the lecturer alone, the `question` is for the room, and the page is hidden at first if it
    is `covered`. The `sentence` replaces the view's headline; "none" leaves both out. A slide shows its
    `text`, which is Markdown, its `formula` in LaTeX or its `picture`, a data URL.

    The room answers the question in the way of `answer_kind`: "choice" among the options, of which `right`
    names one; "number", which `right` is; "order" of the options, which are written in the right one;
    "drawing" of a bar for each option, with the right heights in `right`, separated by blanks; or "words".
    Without an answer kind the question is only projected. Without `right` no answer is right.
    """

    link: str = ""
    title: str = ""
    notes: str = ""
    question: str = ""
    covered: bool = False
    kind: str = ""
    sentence: str = ""
    text: str = ""
    formula: str = ""
    picture: str = ""
    answer_kind: str = ""
    options: tuple[str, ...] = ()
    right: str = ""

    @property
    def right_option(self) -> int | None:
        """Return the number of the right option of a choice, counted from 0; None if no option is right."""
        return self.options.index(self.right) if self.answer_kind == "choice" and self.right else None

    @property
    def right_numbers(self) -> tuple[float, ...]:
        """Return the right number, or the right heights of a drawing; nothing if none is right."""
        return tuple(map(float, self.right.split())) if self.answer_kind in ("number", "drawing") else ()


def read_step(data: Mapping[str, Any], number: int, lines: Lines) -> LectureStep:
    """Return the step of plain data. Raises DeckError with its line or its number."""
    check_fields(data, {field.name for field in fields(LectureStep)}, number, lines)
    texts = {name: read_text(data, name, number, lines) for name in OF_STEP if name != "right"}
    covered = data.get("covered", False)
    if not isinstance(covered, bool):
        raise refused(f"covered has to be true or false, got {_kind(covered)}", number, "covered", lines)
    if texts["link"]:
        texts["link"] = path_of(texts["link"])
    for name, reason in (*_why_no_step(texts, has_link="link" in data), *_why_no_slide(texts)):
        raise refused(reason, number, name, lines)
    asked = _asked(data, texts, number, lines)
    return LectureStep(**{**texts, **asked}, covered=covered)


def _why_no_step(texts: Mapping[str, str], *, has_link: bool) -> list[tuple[str, str]]:
    """Return the field and the reason if a step shows nothing, or if fields exclude each other."""
    if texts["kind"] and texts["link"]:
        return [("kind", "a step has a link or a kind of slide, not both")]
    if texts["kind"]:
        return []
    if not has_link:
        return [("", f"link is missing, or the kind of a slide: {_one_of(SLIDES)}")]
    if reason := _why_no_link(texts["link"]):
        return [("link", reason)]
    return [(name, f"{name} belongs to a slide, and this step has a link") for name in _SHOWN if texts[name]]


_SHOWN = ("text", "formula", "picture")


def _why_no_slide(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the field and the reason if a slide lacks a required field, or has one it cannot show."""
    kind = texts["kind"]
    if not kind:
        return []
    if kind not in SLIDES:
        return [("kind", f"kind has to be {_one_of(SLIDES)}, got “{short(kind)}”")]
    needed, shown = SLIDES[kind]
    if needed and not texts[needed].strip():
        return [("", f"a slide of the kind {kind} needs the field {needed}")]
    other = [name for name in ("sentence", *_SHOWN) if texts[name] and name not in shown]
    found = [(name, f"{name} is not a field of a slide of the kind {kind}") for name in other]
    if "![" in texts["text"]:
        found.append(("text", "text has a picture, ![…]: make it a slide of the kind picture"))
    if texts["picture"] and (reason := why_no_picture(texts["picture"])):
        found.append(("picture", reason))
    return found


def _asked(data: Mapping[str, Any], texts: Mapping[str, str], number: int, lines: Lines) -> dict[str, Any]:
    """Return how a question is answered: its kind, its options and its right answer. Raises DeckError."""
    options, right = _options(data, number, lines), _right(data, number, lines)
    kind = texts["answer_kind"] or ("choice" if options else "")
    if not kind and right:
        raise refused("right needs options or an answer_kind", number, "right", lines)
    if not kind:
        return {}
    where = "answer_kind" if texts["answer_kind"] else "options"
    if kind not in ANSWER_KINDS:
        said = f"answer_kind has to be {_one_of(ANSWER_KINDS)}, got “{short(kind)}”"
        raise refused(said, number, where, lines)
    if not texts["question"].strip():
        raise refused(f"{where} needs a question", number, where, lines)
    has_options = kind in ("choice", "order", "drawing")
    if has_options != bool(options):
        said = f"the answer_kind {kind} {'needs' if has_options else 'has no'} options"
        raise refused(said, number, where, lines)
    answered = _right_of(kind, options, right)
    if answered is None:
        raise refused(WRONG_RIGHT[kind], number, "right", lines)
    return {"answer_kind": kind, "options": options, "right": answered}


WRONG_RIGHT = {
    "choice": "right has to be one of the options, or its number counted from 1",
    "number": "right has to be a number",
    "order": "right must be left out of an order: write the options in the right order, the room sees them "
    "mixed",
    "drawing": "right has to be a list of numbers from 0 on, one for each option",
    "words": "right must be left out where the room answers with words",
}
"""Reasons why an answer cannot be right, by the kind of the answer."""


def _right_of(kind: str, options: tuple[str, ...], right: tuple[str, ...]) -> str | None:
    """Return the right answer as a text; None if it is impossible."""
    if not right:
        return ""
    if kind == "choice" and len(right) == 1:
        if right[0] in options:
            return right[0]
        place = int(right[0]) if right[0].isascii() and right[0].isdigit() and len(right[0]) < 4 else 0
        return options[place - 1] if 1 <= place <= len(options) else None
    if kind in ("number", "drawing") and all(map(_is_number, right)):
        if kind == "number":
            return right[0] if len(right) == 1 else None
        values = [float(one) for one in right]
        return " ".join(right) if len(values) == len(options) and min(values) >= 0 < max(values) else None
    return None


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and isfinite(float(text))


def _options(data: Mapping[str, Any], number: int, lines: Lines) -> tuple[str, ...]:
    options = data.get("options", ())
    if not isinstance(options, list | tuple) or not all(isinstance(one, str) for one in options):
        raise refused('options has to be a list of texts, as in ["one", "two"]', number, "options", lines)
    for one in options:
        check_characters(one, "options", LONGEST_OPTION, number, lines)
        if not one.strip() or "\n" in one:
            raise refused("each of the options is a text on one line", number, "options", lines)
    if options and not 2 <= len(options) <= MOST_OPTIONS:
        said = f"a question has from 2 to {MOST_OPTIONS} options, got {len(options)}"
        raise refused(said, number, "options", lines)
    if len(set(options)) < len(options):
        raise refused("two of the options are the same", number, "options", lines)
    return tuple(options)


def _right(data: Mapping[str, Any], number: int, lines: Lines) -> tuple[str, ...]:
    """Return the right answer as texts: several numbers for a drawing. Raises DeckError."""
    right = data.get("right", "")
    several = right if isinstance(right, list | tuple) else [right]
    if not all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in several):
        raise refused("right has to be a text, a number or a list of numbers", number, "right", lines)
    found = [str(one) for one in several]
    for one in found:
        check_characters(one, "right", LONGEST["right"], number, lines)
    is_drawn = data.get("answer_kind") == "drawing" and len(found) == 1
    return tuple(found[0].split() if is_drawn else filter(None, found))


def read_text(data: Mapping[str, Any], name: str, number: int, lines: Lines) -> str:
    """Return a text of a deck, or of a step with its number. Raises DeckError."""
    value = data.get(name, "")
    if not isinstance(value, str):
        raise refused(f"{name} has to be a text in quotes, got {_kind(value)}", number, name, lines)
    check_characters(value, name, LONGEST[name], number, lines)
    return value


def check_characters(value: str, name: str, longest: int, number: int, lines: Lines) -> None:
    """Raise DeckError for a text that is too long, or has unprintable characters."""
    if len(value) > longest:
        raise refused(f"{name} has at most {longest} characters, got {len(value)}", number, name, lines)
    if name in ON_ONE_LINE and "\n" in value:
        raise refused(f"{name} has to be on one line", number, name, lines)
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise refused(f"{name} has half a character", number, name, lines)
    if control := CONTROL.search(value):
        after = f" after “{value[max(0, control.start() - 20) : control.start()]}”"
        said = f"{name} has the control character U+{ord(control[0]):04X}{after}"
        raise refused(said, number, name, lines)


def path_of(link: str) -> str:
    """Return the path and the query of a link, which may be a whole address, without its fragment.

    A server may have the app below a base path: the page is then the last part of the address.
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
    shown = f"“{short(link)}”"
    if not link.startswith("/") or link.startswith("//") or "\\" in link or "\t" in link:
        return f"link has to be a path of this app such as /masking?view=paint, got {shown}"
    address, _ = parsed(link)
    if address == OWN_ADDRESS:
        return f"link leads to a lecture, which cannot be a step of one: {shown}"
    if entry_at(address) is None:
        return f"link leads to no page: there is no /{short(address)}"
    return ""


def why_not_shown(link: str) -> str:
    """Return why the page of a link lacks its view or a parameter, by name; empty if it has all."""
    address, parameters = parsed(link)
    entry = entry_at(address)
    assert entry is not None, "the page of a step is known"
    page = page_of(entry)
    if parameters.get("view", []) not in [[], *([name] for name in page.views)]:
        asked = short(", ".join(parameters["view"]))
        return f"the page {entry.title} has no view “{asked}”: there are {', '.join(page.views)}"
    unknown = [short(name) for name in parameters if unknown_parameters([name])]
    if unknown:
        return f"link has a parameter that no page knows: {', '.join(unknown[:MOST_NAMED])}"
    return ""


def check_fields(data: Mapping[str, Any], known: set[str], number: int, lines: Lines) -> None:
    """Raise DeckError for a field that a deck, or a step with its number, does not have."""
    for name in (name for name in data if name not in known):
        there_are = ", ".join(sorted(known))
        reason = f"{short(name)} is not a field of a {'step' if number else 'deck'}: there are {there_are}"
        raise refused(reason, number, name, lines)


def refused(reason: str, number: int, name: str, lines: Lines) -> DeckError:
    """Return why a step is refused, or the deck as number 0, with the line of the field, or of the step."""
    line = lines.get((number, name)) or lines.get((number, ""))
    where = [f"line {line}"] * (line is not None) + [f"step {number}"] * (number > 0)
    said = f"{', '.join(where)}: {reason}." if where else f"{reason}."
    return DeckError(said[0].upper() + said[1:])


def _one_of(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}"


def _kind(value: object) -> str:
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "a table",
    }
    return next((said for kind, said in kinds.items() if type(value) is kind), "a date or a time")
