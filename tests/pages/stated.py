"""Statements of a text that a sheet can confirm: numbers with their precision, and words in quotes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pages.contract.items import Button, Control, ControlNote, InlineLabel
from pages.sheet import SheetResult, lines
from tests.pages.asked import items

WRITTEN = {"four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
"""Numbers in words; smaller ones are more often no counts: "one has to", "the two"."""

NAMES_OF_PLACES = re.compile(
    r"(?:[Ee]quations?|[Ff]igures?|[Ss]ections?|eq|E|C)[ \u00a0]?\d[\d.]*(?:(?:,| to| and|–)\s*\d+)*"
    r"|CS 224N|\((?:19|20)\d\d\)|\bof (?:19|20)\d\d\b|GPT-2|\bT5\b|[A-Za-zα-ω]₀?[₁₂]"
)
"""Numbers that name a place or a thing, and count nothing."""

NUMBER = re.compile(r"(?<![\w.,−-])(\d+(?:,\d{3})*(?:\.\d+)?)(?:\s?(%|nats|bits))?(?!\w)")
QUOTED = re.compile(r"“([^”]+)”|(?<![\w*])\*([^*\n]+)\*(?![\w*])")
FORMULA = re.compile(r"[√σ∂⊙=+·]|−\(|^[a-zA-Zα-ω][₀-₉]?(?:\(.*\))?$")
"""Signs that are not part of a word."""


class Number(NamedTuple):
    """A number, half a unit of its last digit, and its unit, if it is a known one."""

    value: float
    within: float
    unit: str = ""

    def agrees(self, other: "Number") -> bool:
        """Return whether both may be one number, rounded."""
        apart = abs(self.value - other.value)
        is_alike = self.unit == other.unit or (not self.unit and other.unit != "%")
        return is_alike and apart <= max(self.within, other.within) * 1.000001


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers that a text states, without 0 and 1, which match too much, and names of places."""
    for written, unit in NUMBER.findall(NAMES_OF_PLACES.sub(" ", text)):
        digits = len(written.partition(".")[2])
        if unit or written not in ("0", "1"):
            within = 0.5 * 10**-digits if digits or unit == "%" else 0
            yield Number(float(written.replace(",", "")), within, unit)
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in WRITTEN:
            yield Number(WRITTEN[word], 0)


def quoted(text: str) -> Iterator[str]:
    """Words in quotes or in emphasis. A question from the audience is no quotation, nor is a formula."""
    for quote, stressed in QUOTED.findall(text):
        said = quote or stressed
        if not said.endswith("?") and not FORMULA.search(said):
            yield said


def plain(text: str) -> str:
    """Return a text without its marks, in small letters."""
    return re.sub(r"[\u2060*\\_`]", "", text).casefold()


def sheet_of(found: SheetResult) -> str:
    """Return all that a sheet says, with what its controls say and offer."""
    controls = [word for item in items(found.ask) for word in _said_by(item)]
    return "\n".join([*lines(found), *controls])


def _said_by(item: object) -> Iterator[str]:
    match item:
        case Control(control, words=words):
            yield from map(str, (control.label, *control.options, *words))
        case Button(label=label):
            yield label
        case ControlNote(markdown) | InlineLabel(markdown):
            yield markdown


def unsupported(text: str, sheet: str) -> list[str]:
    """Return the statements of a text that a sheet does not confirm."""
    on_sheet, said = [*numbers(sheet)], plain(sheet)
    missing = [
        f"{one.value:g} {one.unit}".strip() for one in numbers(text) if not any(map(one.agrees, on_sheet))
    ]
    return [
        *missing,
        *(one for one in quoted(text) if not re.search(rf"(?<!\w){re.escape(plain(one))}(?!\w)", said)),
    ]
