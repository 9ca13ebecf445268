"""Words of a sheet that a student does not know: no ordinary ones, no names, and no entry explains them."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pages.contract.question import Arrange, Choose, Estimate, Question, Sketch
from pages.contract.sheet import Columns, Fold, Part, Sheet, Table, Text
from pages.terms.spelled import every_spelling, term_of

ORDINARY = frozenset(Path(__file__).with_name("ordinary_words.txt").read_text("utf-8").split())
"""Words that need no entry: plain English, school mathematics, and names of people and documents."""

SHOWN_AS_THEY_ARE = re.compile(
    r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>\n]*>|:[a-z_-]+/?[a-z_]*:|:[a-z-]+(?=\[)|\\\W"
    r"|(?<!\*)\*[^*\n]+\*(?!\*)|\*\*\S+?\*\*|\*\*\*[^*]+\*|\b[CE]\d+\b",
    re.DOTALL,
)
"""Code, formulas, addresses, icons, numbers of a list, and words in emphasis: of sentences and of options."""

SYMBOL = re.compile(r"[⁰-₟ᵀᵢⱼ²³¹\u0370-\u03ff]")
"""Symbols that only formulas have: a view explains its symbols itself."""

ENDINGS = (
    ("'s", ""), ("’s", ""), ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"),
    ("ing", ""), ("ing", "e"), ("ly", ""), ("est", ""), ("er", ""), ("er", "e"), ("est", "e"), ("ly", "le"),
)  # fmt: skip


def texts(question: Question) -> tuple[str, ...]:
    """Return all Markdown of a question: its text, its answers, and their explanations."""
    match question:
        case Choose(options=options):
            inside = [said for one in options for said in (one.text, one.why_not) if said]
        case Estimate(mistaken=mistaken) | Sketch(mistaken=mistaken):
            inside = [said for _, said in mistaken]
        case Arrange(items=items):
            inside = list(items)
    return (question.text, *inside, question.because)


def said_in(sheet: Sheet) -> list[str]:
    """Return all sentences of a sheet, without what its pictures and tables of numbers say."""
    below = [part.markdown for part in sheet.below_sentence]
    return [sheet.headline, *below, *_said(sheet.parts)]


def _said(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Text(markdown) | Table(_, str(markdown)):
                yield markdown
            case Columns(columns):
                for column in columns:
                    yield from _said(column)
            case Fold(title, inner):
                yield title
                yield from _said(inner)


def unexplained(texts: Iterable[str]) -> list[str]:
    """Return the words of these texts that are neither ordinary nor terms with an entry."""
    own = SHOWN_AS_THEY_ARE.sub(" ", "\n".join(texts))
    rest = every_spelling().sub(" ", own)
    words = re.findall(r"[^\W\d_][\w’']+", rest)
    return sorted({word for word in words if not (SYMBOL.search(word) or is_ordinary(word) or term_of(word))})


def is_ordinary(word: str) -> bool:
    """Return whether a word, or its base form, is in the list."""
    lower = word[0].lower() + word[1:]
    return not {word, lower}.isdisjoint(ORDINARY) or any(map(is_ordinary, _stems(word)))


def _stems(word: str) -> Iterator[str]:
    """Yield possible base forms of a word: of `planned`, `plann`, `planne` and `plan`."""
    for ending, instead in ENDINGS:
        stem = word.removesuffix(ending) + instead
        if word.endswith(ending) and 2 < len(stem) < len(word):
            yield stem
            if stem[-2] == stem[-1]:
                yield stem[:-1]
