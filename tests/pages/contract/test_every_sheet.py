"""Every view answers a link without a page, in words and pictures; `test_grey.py` draws all in grey."""

import json
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import quote

import pytest

from pages.contract.look import Look
from pages.contract.sheet import Part, PicturePart, Sheet, all_parts
from pages.sheet import SheetResult, build_sheet, lines, main
from tests.covering import each, first_of_each
from tests.pages.session import OF_ONE
from tests.pages.words_used import said_in, texts, unexplained
from tests.real import needs_smollm2
from tests.views import PAGES
from viz.picture import Picture
from viz.room import Room
from viz.text import literal, plain
from viz.theme import DARK, LIGHT, THEMES

VIEWS = [(address, name) for address, page in PAGES.items() for name in page.views]
ODD = "<b> [x](http://x) $y$ :tada: **z**"


def link(address: str, view: str, text: str = "") -> str:
    return f"/{address}?view={quote(view)}" + (f"&text={quote(text)}" if text else "")


@cache
def opened(address: str, view: str, theme: str = "light") -> SheetResult:
    """Return the sheet of a view as it opens, drawn once for all contracts of a process."""
    return build_sheet(link(address, view), Look(theme=THEMES[theme]))


def parts(sheet: Sheet) -> Iterator[Part]:
    """Return all parts of a sheet, those inside of others too."""
    return all_parts(sheet.parts)


def pictures(found: SheetResult) -> dict[str, PicturePart]:
    shown = [part for part in parts(found.sheet) if isinstance(part, PicturePart)]
    assert len({part.key for part in shown}) == len(shown)
    return {part.key: part for part in shown}


@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_a_view_answers_a_link_with_sentences_and_pictures(address: str, view: str) -> None:
    found = opened(address, view)

    assert found.refused == ()
    assert found.sheet.headline.endswith((".", ".*", "%")), "an answer is a sentence"
    assert not [said for said in lines(found) if OF_ONE.search(said)]
    asked = [said for question in found.questions for said in texts(question)]
    said = [*said_in(found.sheet), *asked]
    assert unexplained(said) == [], (
        "explain it in pages/data/terms.toml, or list it in tests/pages/ordinary_words.txt"
    )
    for key, shown in pictures(found).items():
        figure = shown.picture.figure(found.ask.look.for_picture).to_dict()
        json.dumps(figure)  # the drawing can be sent
        assert figure["layout"]["paper_bgcolor"] == LIGHT.paper
        assert (shown.picture.data or shown.picture.table) is not None, f"{key} has numbers for a file"
        if shown.picture.has_table:
            assert shown.picture.table().size > 1, f"{key} has numbers behind it"
    titles = {key: shown.picture.title for key, shown in pictures(found).items()}
    assert len(set(titles.values())) == len(titles), "each picture has a unique title"
    for key, title in titles.items():
        assert_titles(title)
        assert drawn_title(pictures(found)[key].picture) in (None, literal(title))
    alts = {shown.picture.alt() for shown in pictures(found).values()}
    assert len(alts) == len(pictures(found)), "each picture has a unique text"
    assert all(len(text.split()) > 4 for text in alts)


@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize(
    ("address", "view"),
    first_of_each(lambda address, _: address, VIEWS, long="one view of each page is dark in every run"),
)
def test_a_view_says_the_same_in_the_dark_and_has_its_colours(address: str, view: str) -> None:
    found, dark = opened(address, view), opened(address, view, "dark")
    assert list(lines(found)) == list(lines(dark))
    for key, shown in pictures(found).items():
        other = pictures(dark)[key].picture
        room = dark.ask.look.for_picture
        assert other.figure(room).to_dict()["layout"]["paper_bgcolor"] == DARK.paper
        assert (other.alt(), other.title) == (shown.picture.alt(), shown.picture.title)


@each(
    ("text", "is_wrong"),
    [
        ("64 numbers for each of 1 positions.", True),
        ("for the **1** words so far", True),
        ("of layer 1 states", False),
        ("in 2.1 words, 11 words, 4 × 1 rows", False),
    ],
)
def test_a_plural_of_one_is_found(text: str, is_wrong: bool) -> None:
    assert bool(OF_ONE.search(text)) == is_wrong


LONGEST_TITLE = 90
SENTENCE_OR_MARKUP = re.compile(r"[.?!:·*$<>&_]|  |^[a-z]|^$")


def assert_titles(title: str) -> None:
    """A noun phrase in plain characters, short enough for a slide."""
    assert not SENTENCE_OR_MARKUP.search(title), title
    assert title == plain(title)
    assert len(title) <= LONGEST_TITLE, title


def drawn_title(picture: Picture) -> str | None:
    """Return the title in the figure, if it has room there; None if there is none."""
    drawn = picture.figure(Room(width=2000)).to_dict()["layout"].get("title", {}).get("text")
    return drawn and str(drawn[len("<b>") : -len("</b>")])


@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize(
    "asked",
    [
        "/step-by-step?view=soft lookup",
        "/order-invariance?view=two orders&word=3&other=$ < %26",
        "/explorer?view=heads&place=3",
    ],
)
def test_typed_signs_are_in_a_title_as_they_were_typed(asked: str) -> None:
    titles = [shown.picture.title for shown in pictures(build_sheet(f"{asked}&text=< $ %26")).values()]
    assert any("“&”" in title or "“$ &”" in title for title in titles), titles


def test_a_link_is_answered_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["/masking?view=paint&text=hot tea"])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "# What may a word attend to, and what does a mask change?"
    assert said[1].startswith(
        "**In head 1 of layer 1, *hot* may attend to itself alone. It gives itself all of its attention;"
    )
    assert said[2].startswith("[painted] Mask and attention weights, layer 1, head 1: Mask over 2 words.")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("/nowhere", "There is no page /nowhere."),
        ("/masking?text=", "The sentence is empty: type at least one word."),
        ("/masking?text=" + "tea " * 257, "sentences of up to 256 words; this one has 257"),
    ],
)
def test_a_link_that_leads_nowhere_ends_with_a_sentence(asked: str, said: str) -> None:
    with pytest.raises(SystemExit, match=re.escape(said)):
        main([asked])


@pytest.mark.long("a real model on several views")
@needs_smollm2
def test_a_real_model_answers_in_its_pieces() -> None:
    found = build_sheet("/masking?model=real&text=Hedwig sleeps&query=3&residual=false&real=none")
    assert "SmolLM2 135M was trained with" in found.sheet.notes[0].markdown
    assert "tokens" in found.sheet.headline
    (refused,) = found.refused
    assert refused.instead == "Showing SmolLM2 135M."
