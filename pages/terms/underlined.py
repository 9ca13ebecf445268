"""The texts of a sheet with each term linked to its entry at its first use."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from pages.contract.sheet import Columns, Fold, Part, Sheet, Text, all_parts
from pages.terms.spelled import every_spelling, term_of

MOST_IN_ONE, MOST_IN_HEADLINE = 4, 2
"""Greatest number of underlined terms in a text, and in the headline: more would be too dense."""

KEPT = re.compile(
    r"""
    (?<!\w)(?:\w*+\\.)++\w*                         # escaped signs, and the typed text they are of
    | ```.*?``` | `[^`]*`                           # code
    | \$\$.*?\$\$ | \$[^$\n]*\$                     # formulas
    | !?\[[^\[\]]*\]\([^)]*\)                       # links and pictures
    | :[a-z-]+(?=\[) | :[a-z_]+/?[a-z_]*:           # colours and icons
    | <[^>\n]*>                                     # tags
    | ^\#+\ .*$ | ^\|.*$                            # headings and tables
    | \*\*(?:[^*\n]|\*[^*\n]+\*)+\*\* | \*[^*\n]+\* # emphasis, which also stands around typed words
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)

UNDERLINED = ("text", "remark")
P = TypeVar("P", bound=Part)


class TermLinker:
    """Underlines every term once, text by text, except in typed words and in other senses."""

    def __init__(self, said: str, typed: Collection[str] = ()) -> None:
        """Take all texts of the sheet as `said`, and the visitor's words as `typed`."""
        self._said = said
        self._typed = {word.casefold() for word in typed}
        self._done: set[str] = set()

    def read(self, said: str) -> None:
        """Add texts of a part of the sheet."""
        self._said = f"{self._said}\n{said}"

    def underlined(self, markdown: str, *, most: int = MOST_IN_ONE) -> str:
        """Return a text with at most `most` terms linked, each at its first use on the sheet."""
        pieces, at, end = [], 0, len(self._done) + most
        for kept in KEPT.finditer(markdown):
            pieces += [self._linked(markdown[at : kept.start()], end), kept[0]]
            at = kept.end()
        return "".join([*pieces, self._linked(markdown[at:], end)])

    def _linked(self, plain: str, end: int) -> str:
        return every_spelling().sub(lambda found: self._link(found[0], end), plain)

    def _link(self, text: str, end: int) -> str:
        term = term_of(text)
        assert term is not None, f"{text} was found as the spelling of a term"
        is_typed = set(text.casefold().split()) <= self._typed
        is_elsewhere = term.name in self._done or len(self._done) >= end
        if is_elsewhere or is_typed or term.beside not in self._said:
            return text
        self._done.add(term.name)
        return f'[{text}]({term.entry} "{term.sentence}")'


def underlined(sheet: Sheet, typed: Collection[str] = ()) -> Sheet:
    """Return the sheet with its terms underlined; folded texts come after all texts in sight."""
    pen = TermLinker("\n".join([sheet.headline, *_texts(sheet.parts)]), typed)
    headline = pen.underlined(sheet.headline, most=MOST_IN_HEADLINE)
    below = tuple(_marked(part, pen, in_folds=False) for part in sheet.below_sentence)
    in_sight = tuple(_marked(part, pen, in_folds=False) for part in sheet.parts)
    parts = tuple(_marked(part, pen, in_folds=True) for part in in_sight)
    return replace(sheet, headline=headline, below_sentence=below, parts=parts)


def _marked(part: P, pen: TermLinker, *, in_folds: bool) -> P:
    match part:
        case Text(markdown, kind) if not in_folds and kind in UNDERLINED:
            return replace(part, markdown=pen.underlined(markdown))
        case Columns(columns):
            marked = (tuple(_marked(one, pen, in_folds=in_folds) for one in column) for column in columns)
            return replace(part, columns=tuple(marked))
        case Fold(contents=contents) if in_folds:
            if callable(contents):
                return replace(part, contents=partial(_made, contents, pen))
            return replace(part, contents=_all_marked(contents, pen))
        case _:
            return part


def _made(make: Callable[[], tuple[Part, ...]], pen: TermLinker) -> tuple[Part, ...]:
    """Return the parts that a fold makes when it is opened, with their terms underlined."""
    parts = make()
    pen.read("\n".join(_texts(parts)))
    return _all_marked(parts, pen)


def _all_marked(parts: Sequence[Part], pen: TermLinker) -> tuple[Part, ...]:
    return tuple(_marked(one, pen, in_folds=False) for one in parts)


def _texts(parts: Sequence[Part]) -> list[str]:
    """Return the texts of parts and of their contents, without those that an opened fold makes."""
    inside = all_parts(parts, makes=False)
    return [one.markdown for one in inside if isinstance(one, Text) and one.kind in UNDERLINED]
