"""The lines of TOML that a deck needs; every other line is refused with its number.

A general reader of TOML needs memory quadratic in the parts of a dotted key: a link of 110 characters could
take gigabytes. This reader knows comments, `[[step]]`, and fields that are texts, numbers, true, false, or
lists of texts and numbers. Its time and its memory are linear in the size of the text.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from typing import Any
from unicodedata import category

MOST_BYTES = 2 * 2**20
"""Greatest size of a deck as TOML in bytes, in a file or unpacked from a link."""

TOO_LARGE = f"This deck is too large: a file has at most {MOST_BYTES // 2**20} MB."

UTF_16 = "This file is UTF-16, or not a text file: save it again as UTF-8."

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, except line ends and tabs, which a text may have."""

LISTS = ("options", "right")
NUMBERS = ("right",)
"""Fields that can be a list, and those that can be a number or a list with numbers."""

_MEANT = {
    "covered": "true or false",
    "options": 'a list of texts, as in ["one", "two"]',
    "right": "a text in quotes, a number or a list",
}
"""Expected values of the fields that are not only texts."""

Lines = Mapping[tuple[int, str], int]
"""Lines of fields, by the number of the step and the name; the step itself has no name, the deck number 0."""

_BLANK = re.compile(r"[ \t\n]*+(?:#[^\n]*+[ \t\n]*+)*+")
_STEP = re.compile(r"\[\[[ \t]*+step[ \t]*+\]\]")
_OTHER_STEP = re.compile(r"\[?[ \t]*+step\b")
_NAME = re.compile(r"([\w-]++)[ \t]*+=[ \t]*+", re.ASCII)
_TRUTH = re.compile(r"(?:true|false)(?![\w-])")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14})(\.\d{1,15})?(?![\w.:-])", re.ASCII)
_REST = re.compile(r"[ \t]*+(?:#[^\n]*+)?+")

_TEXTS: Mapping[str, re.Pattern[str]] = {
    '"""': re.compile(r'"""((?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,2})"""(?!")', re.DOTALL),
    "'''": re.compile(r"'''((?:[^']++|'{1,2}(?!'))*+'{0,2})'''(?!')", re.DOTALL),
    '"': re.compile(r'"((?:[^"\\\n]++|\\[^\n])*+)"'),
    "'": re.compile(r"'([^'\n]*+)'"),
}
"""The texts of TOML by the quotation marks around them."""

_CURLY = re.compile("[\u2018-\u201f\u00ab\u00bb\u2032\u2033\uff02]")

_SEVERAL_CURLY = re.compile(f"(?:{_CURLY.pattern}){{2,}}")

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[ \t]*+\n[ \t\n]*+|.)", re.DOTALL)
_COMMAND = re.compile(r"[A-Za-z]+|.", re.DOTALL)

_READ_AS = {"b": "a backspace", "t": "a tab", "f": "a form feed", "r": "a carriage return", "n": "a line end"}
"""Escapes of TOML that begin commands of LaTeX, with the character that TOML makes of them."""

_LATEX_N = re.compile(r"n[a-z]\w*|nV[Dd]ash")
"""Words that begin with an escaped line end: many are commands of LaTeX, and no list of those is complete."""


class DeckError(ValueError):
    """A refused deck: a sentence with the reason, and the line if it is known."""


def decoded(content: bytes) -> str:
    """Return the text of a file. Raises DeckError if it is too large, or not UTF-8."""
    if len(content) > MOST_BYTES:
        raise DeckError(TOO_LARGE)
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in content:
        raise DeckError(UTF_16)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DeckError(
            f"Line {line}: this file is not UTF-8, perhaps Windows-1252: save it again as UTF-8."
        ) from error


def check_size(toml: str) -> None:
    """Raise DeckError if a text has more bytes than a deck may have."""
    if len(toml) > MOST_BYTES or len(toml.encode("utf-8", "replace")) > MOST_BYTES:
        raise DeckError(TOO_LARGE)


def read_lines(toml: str) -> tuple[dict[str, Any], Lines]:
    """Return the fields of a deck and their lines; the field `step` is a list. Raises DeckError."""
    check_size(toml)
    text = toml.removeprefix("\ufeff").replace("\r\n", "\n")
    if found := CONTROL.search(text):
        if found[0] == "\0":
            raise DeckError(UTF_16)
        line = text.count("\n", 0, found.start()) + 1
        raise DeckError(f"Line {line}: delete the control character U+{ord(found[0]):04X}.")
    return _Reader(text).read()


class _Reader:
    """One pass over a text: `at` is the position, and `line` its line."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.fields: dict[str, Any] = {}
        self.lines: dict[tuple[int, str], int] = {}

    def read(self) -> tuple[dict[str, Any], Lines]:
        """Return the fields of the deck, with those of its steps, and the line of each."""
        steps: list[dict[str, Any]] = []
        into = self.fields
        while self._skip_blank():
            if step := _STEP.match(self.text, self.at):
                self._go_to(step.end())
                steps.append(into := {})
                self.lines[len(steps), ""] = self.line
            elif _OTHER_STEP.match(self.text, self.at) and into is self.fields:
                raise self._error("each step begins with [[step]]")
            elif name := _NAME.match(self.text, self.at):
                if name[1] in into:
                    raise self._error(f"{short(name[1], 40)} is given twice")
                self.lines[len(steps), name[1]] = self.line
                self._go_to(name.end())
                into[name[1]] = self._value(short(name[1], 40))
            else:
                raise self._error(
                    f"expected [[step]] or a field such as link = '/masking', got {self._shown()}"
                )
            self._end_line()
        return ({**self.fields, "step": steps} if steps else self.fields), self.lines

    def _skip_blank(self) -> bool:
        """Go on to the next line with something on it; return whether there is one."""
        blank = _BLANK.match(self.text, self.at)
        self._go_to(blank.end() if blank else self.at)
        return self.at < len(self.text)

    def _value(self, name: str) -> Any:
        if truth := _TRUTH.match(self.text, self.at):
            self._go_to(truth.end())
            return truth[0] == "true"
        if name in LISTS and self.text.startswith("[", self.at):
            return self._list(name)
        return self._item(name)

    def _list(self, name: str) -> list[Any]:
        """Return a list, which can go over several lines and has no list in it."""
        items: list[Any] = []
        begins, line = self.at, self.line
        self._go_to(self.at + 1)
        while self._skip_blank() and not self.text.startswith("]", self.at):
            items.append(self._item(name))
            if self._skip_blank() and self.text.startswith(",", self.at):
                self._go_to(self.at + 1)
            elif self.at < len(self.text) and not self.text.startswith("]", self.at):
                raise self._error(f"{name} needs a comma between its items, got {self._shown()}")
        if self.at == len(self.text):
            self.at, self.line = begins, line
            raise self._error(f"{name} has a list that begins with [ and does not end")
        self._go_to(self.at + 1)
        return items

    def _item(self, name: str) -> str | int | float:
        if name in NUMBERS and (number := _NUMBER.match(self.text, self.at)):
            self._go_to(number.end())
            return float(number[0]) if number[1] else int(number[0])
        quotes = next((one for one in _TEXTS if self.text.startswith(one, self.at)), None)
        if quotes is None:
            raise self._error(f"{name} has to be {_MEANT.get(name, 'a text in quotes')}, got {self._shown()}")
        found = _TEXTS[quotes].match(self.text, self.at)
        if found is None:
            where = "" if len(quotes) == 3 else " on this line"
            raise self._error(f"{name} has a text that begins with {quotes} and does not end{where}")
        raw = found[1].removeprefix("\n") if len(quotes) == 3 else found[1]
        if quotes[0] == '"':
            raw = self._unescaped(raw, found.end(1) - len(raw), quotes)
        self._go_to(found.end())
        return raw

    def _end_line(self) -> None:
        rest = _REST.match(self.text, self.at)
        self._go_to(rest.end() if rest else self.at)
        if self.at < len(self.text) and self.text[self.at] != "\n":
            raise self._error(f"expected the end of the line, got {self._shown()}")

    def _unescaped(self, raw: str, start: int, quotes: str) -> str:
        """Return a text with its escapes replaced; `start` is its position in the file."""

        def sign(found: re.Match[str]) -> str:
            escape = found[1]
            if escape in ('"', "\\"):
                return escape
            if not escape.strip(" \t\n") and "\n" in escape:
                return ""
            if len(escape) > 1:
                return self._character(int(escape[1:], 16), start + found.start())
            command = _COMMAND.match(raw, found.start(1))
            assert command is not None, "it matches whatever follows the backslash"
            if escape == "n" and not _LATEX_N.fullmatch(command[0]):
                return "\n"
            self._go_to(start + found.start())
            read_as = f"is read as {_READ_AS[escape]}" if escape in _READ_AS else "is not a TOML escape"
            other = quotes.replace('"', "'")
            shown = short(command[0], 40)
            meant = '. For a line end, break the line between """' if escape == "n" else ""
            raise self._error(
                f"\\{shown} {read_as}: write \\\\{shown}, or use {other} in place of {quotes}{meant}"
            )

        return _ESCAPE.sub(sign, raw)

    def _character(self, number: int, place: int) -> str:
        if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
            character = chr(number)
            if not CONTROL.match(character):
                return character
        self._go_to(place)
        raise self._error(f"U+{number:04X} is not allowed in a text")

    def _go_to(self, place: int) -> None:
        self.line += self.text.count("\n", self.at, place)
        self.at = place

    def _shown(self) -> str:
        return f"“{short(self.text[self.at : self.at + 100].partition(chr(10))[0], 40)}”"

    def _error(self, reason: str) -> DeckError:
        """Return an error with the line, and with advice on curly quotes if there are some."""
        return DeckError(f"Line {self.line}: {reason}{self._advice()}.")

    def _advice(self) -> str:
        """Return advice on curly quotes around a text, and on blanks of other kinds."""
        rest = self.text[self.at :]
        line = rest.partition("\n")[0].strip(" \t")
        for sign in line.partition("=")[0]:
            if (sign.isspace() and sign not in " \t") or category(sign) == "Cf":
                return f": U+{ord(sign):04X} is not a TOML space: type an ordinary space"
        line = line.strip()
        ends = line[:1] + line[-1:] + "".join(_SEVERAL_CURLY.findall(rest))
        found = None if line.startswith("\\") else _CURLY.search(ends)
        return f": {found[0]} is a curly quote. TOML needs straight quotes, \" or '" if found else ""


def short(text: str, longest: int = 80) -> str:
    """Return a text, cut off if it is long."""
    return text if len(text) <= longest else f"{text[:longest]}…"
