"""A sentence that names a sign, such as a bracket, quotes it: it is not seen in italics or in bold."""

import re

import pytest

from core.sources import UnavailableError
from pages.contract.prose import JOINER, Typed, bold, literal, signs_quoted
from pages.contract.question import as_data
from pages.contract.sheet import Sheet, Text
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.views import PAGES

SIGNS = "( made . his — uncle ) tea"
"""A sentence with signs where views name words: the first, the last but one, and those between."""

IN_ITALICS = re.compile(rf"(?<![*\\\w])(\*{{1,2}})(?:\\[^\w\s]|[^\w\s*\\]|{JOINER})+(?<!{JOINER})\1(?![*\w])")
"""A sign that is set off; a written text has its newest word in bold by `bold`, a sign too."""

READING = [
    f"/{address}?view={name}&text={text}".replace(" ", "+")
    for address, page in PAGES.items()
    for name, view in page.views.items()
    if view.sentence
    for text in (SIGNS, "tea .")
]


@each("sign", ["(", ".", "—", "[", "*", "?!"])
@each("style", ["*", "**"])
def test_a_sign_is_quoted_in_every_text_of_a_sheet(sign: str, style: str) -> None:
    markdown, said = f"{style}{Typed(sign)}{style} attends to *tea*.", f"“{literal(sign)}” attends to *tea*."
    assert signs_quoted(markdown) == said
    assert Text(markdown).markdown == said
    assert Sheet(headline=markdown).headline == said


def test_the_newest_word_of_a_text_is_bold_even_if_it_is_a_sign() -> None:
    assert signs_quoted(f"tea {bold(literal('.'))}") == f"tea {bold(literal('.'))}"


@each("markdown", ["*tea*", "**tea)**", "*e^x*", "2 * 3 * 4", r"\*.\*", "**–1**", "*茶*", "***"])
def test_a_word_keeps_its_emphasis(markdown: str) -> None:
    assert signs_quoted(markdown) == markdown


@pytest.mark.long("the signs of all views")
@pytest.mark.parametrize("address", sorted({link.split("?")[0] for link in READING}))
def test_no_view_sets_a_sign_in_italics(address: str) -> None:
    n_read = 0
    for link in (link for link in READING if link.split("?")[0] == address):
        try:
            found = build_sheet(link)
        except UnavailableError:
            continue
        n_read += 1
        said = [*lines(found), *(str(as_data(one)) for one in found.questions)]
        assert [line for line in said if IN_ITALICS.search(line)] == [], link
    assert n_read
