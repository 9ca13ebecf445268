"""The decks that are shipped: every link opens without a note and with a picture, every concept is taught."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from pathlib import Path

import numpy as np
import pytest

from pages.contract.arrangement import Visual, arranged
from pages.contract.link_parameters import parsed
from pages.contract.look import Look
from pages.contract.real import is_absent
from pages.contract.sheet import Columns, Drawing, Fold, Part, PicturePart, Strip
from pages.data.links import Link
from pages.lecture.deck import MOST_STEPS, LectureStep, deck_named, read_deck, shipped
from pages.lecture.deck_file import MOST_BYTES
from pages.lecture.listing import LONG_LINK
from pages.sheet import SheetResult, build_sheet
from pages.syllabus import CONCEPTS
from tests.covering import each
from tests.pages.stated import NUMBER, sheet_of, unsupported
from tests.real import needs_smollm2
from tests.views import PAGES

GUIDE = Path(__file__).parents[3] / "docs" / "lecturing.md"

STEPS = [
    (name, number)
    for name, deck in shipped().items()
    for number, step in enumerate(deck.steps, 1)
    if step.link
]
"""Every step of every deck that shows a view, by its name and number."""

OF_THE_LINK_ITSELF = {"view", "text"}
"""Parameters in which a step may differ from the link of a concept: the view is compared in its own way."""


def step_at(name: str, number: int) -> LectureStep:
    return shipped()[name].steps[number - 1]


def is_real(step: LectureStep) -> bool:
    return parsed(step.link)[1].get("model") == ["real"]


def pictures(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Yield the pictures of a sheet, without folded ones."""
    for part in parts:
        match part:
            case PicturePart() | Drawing() | Strip():
                yield part
            case Columns(columns):
                for column in columns:
                    yield from pictures(column)
            case Fold(is_open=True, parts=inside):
                yield from pictures(inside)


def seen_in(found: SheetResult) -> str:
    """Return the words and numbers in the pictures that fill the window first, as a hall reads them."""
    picture = arranged(found.sheet.parts, found.ask.look.panel).picture
    assert picture is not None
    return "\n".join(line for panel in picture.panels for line in [panel.heading, *_written_in(panel.drawn)])


def _written_in(drawn: Visual) -> Iterator[str]:
    match drawn:
        case PicturePart(picture=picture):
            table = picture.table()
            yield picture.alt()
            yield from () if table is None else _leaves(table.reset_index().to_dict("list"))
        case Strip(stages, opened):
            (stage,) = (one for one in stages if one["name"] == opened)
            shown = [*stage["operands"], stage["result"]]
            yield from _leaves([(one["values"], one["rows"], one["columns"]) for one in shown])
        case Drawing(data=data):
            yield from _leaves(data)


def _leaves(data: object) -> Iterator[str]:
    """Yield the texts and numbers of nested data, numbers with the digits that a picture may have of them."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _leaves([key, value])
    elif isinstance(data, list | tuple | np.ndarray):
        for one in data:
            yield from _leaves(one)
    elif isinstance(data, float | np.floating):
        if isfinite(data):
            yield from (f"{data:.6f}", f"{data:.6g}", f"{data:.2f}", f"{data:.1f}", f"{100 * data:.1f} %")
    else:
        yield str(data)


ASKED = {"the film was good ."}
"""Sentences that a lecturer has to type: the view does not show them at first."""

STAGE = Look(width=1140, height=600, fills=True)
"""The look of a view in a hall."""


def missing(text: str, sheet: str) -> set[str]:
    """Return what a text states and a sheet does not say, also word by word."""
    words = {word for quote in unsupported(text, sheet) for word in quote.split() if quote not in ASKED}
    return set(unsupported(" ".join(f"“{word}”" for word in sorted(words)), sheet)) | {
        one for one in unsupported(text, sheet) if NUMBER.match(one)
    }


@cache
def opened(link: str) -> SheetResult:
    return build_sheet(link, STAGE)


OF_SIZE = r"\b(?:4 of 36|All 4|11 words|d = 64|6 blocks|4 words are 4 steps|4 of 5|100 words back|3 best)\b"
"""Counts and settings that a hall sees as such: boxes, rows and ticks, and no numbers in a table."""


def check(step: LectureStep) -> None:
    found = opened(step.link)
    assert found.refused == ()
    assert found.sheet.notes == ()
    assert found.sheet.headline
    assert list(pictures(found.sheet.parts))
    in_picture = seen_in(found)
    assert not missing(re.sub(OF_SIZE, "", step.sentence), in_picture), "a hall sees the sentence beside it"
    sheet = f"{sheet_of(found)}\n{in_picture}"
    stated = "\n".join((step.title, step.question, step.notes, step.right, step.sentence))
    assert not missing(stated, sheet), "numbers and quoted words come from the view"
    for word in re.findall(r"likeliest next word is “(.+?)”", step.notes):
        assert f"likeliest next word is **{word}**" in sheet


@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize(("name", "number"), [one for one in STEPS if not is_real(step_at(*one))])
def test_every_link_opens_with_its_picture_and_says_what_the_step_states(name: str, number: int) -> None:
    check(step_at(name, number))


@needs_smollm2
@pytest.mark.long("a real model")
@each(("name", "number"), [one for one in STEPS if is_real(step_at(*one))])
def test_a_link_to_a_real_model_opens_so_too(name: str, number: int) -> None:
    check(step_at(name, number))


@each(
    ("name", "number"), [(name, n) for name, deck in shipped().items() for n in range(1, len(deck.steps) + 1)]
)
def test_every_step_has_what_its_lecturer_needs(name: str, number: int) -> None:
    step = step_at(name, number)
    assert 0 < len(step.title) <= LONGEST_TITLE
    assert not step.title.endswith(".")
    assert "*" not in step.title + step.question, "both are shown as they are written"
    assert step.notes.count(".") + step.notes.count("?") + step.notes.count(":") >= 2
    assert not re.search(r"\b(?:[Ee]quations?|[Ff]igures?) \d", step.notes), "the document is not at hand"
    assert step.covered == bool(step.question), "a guess needs a question, and no visible answer before"
    assert not step.question or step.answer_kind in ("choice", "number", "order")
    assert not step.question or step.right or step.answer_kind == "order"
    assert not is_real(step) or "leaves this step out" in step.notes


LONGEST_TITLE = 58
"""Letters of a title that stand on one line, large, at 1280 pixels."""


@pytest.mark.usefixtures("without_real_models")
@each(
    "link", ["/step-by-step?view=soft+lookup", "/gradients?view=gates", "/order-invariance?view=two+orders"]
)
def test_a_view_with_one_point_for_a_hall_shows_one_picture(link: str) -> None:
    picture = arranged(opened(link).sheet.parts).picture
    assert picture is not None
    assert len(picture.panels) == 1


@pytest.mark.usefixtures("without_real_models")
@each(
    ("link", "seen", "unseen"),
    [
        ("/blocks?view=feed-forward&shows=two+layers+without+it", "one layer instead of two", "A₂A₁"),
        ("/classification?view=one+review", "last state", "Transformer"),
        ("/generation?view=surprisal", "Transformer: seem", "RNN:"),
        ("/step-by-step?view=soft+lookup", "output", "best value"),
        ("/heads?view=how+many", "Accuracy on names", "What they can do"),
        ("/translation?view=cross-attention&text=the+dogs+sleep+.", "kanos", "</s>"),
        ("/translation?view=knock+out&hidden=2&text=the+dog+sleeps+.", "kano", "</s>"),
    ],
)
def test_a_hall_sees_the_point_of_a_step_without_the_rest(link: str, seen: str, unseen: str) -> None:
    in_picture = seen_in(opened(link))
    assert seen in in_picture
    assert unseen not in in_picture


@pytest.mark.usefixtures("without_real_models")
def test_a_hall_sees_the_weights_of_a_word_in_both_orders_and_a_reader_first_where_they_enter() -> None:
    def first(look: Look) -> str:
        shown = next(pictures(build_sheet("/order-invariance?view=two+orders", look).sheet.parts))
        assert isinstance(shown, PicturePart)
        return shown.key

    assert first(STAGE) == "orders"
    assert first(Look(width=980)) != "orders"


@pytest.mark.usefixtures("tiny_model")
def test_a_step_of_another_real_model_is_absent_and_a_step_of_any_is_not() -> None:
    assert is_absent("/explorer?model=real&real=SmolLM2+135M")
    assert not is_absent("/explorer?model=real")
    assert not is_absent("/explorer?model=trained&real=SmolLM2+135M")


@pytest.mark.usefixtures("no_real_model")
@each("name", shipped())
def test_a_deck_leaves_out_the_steps_whose_real_model_is_not_there(name: str) -> None:
    left = deck_named(name).steps
    assert left == tuple(step for step in shipped()[name].steps if not is_real(step))
    assert len(left) >= len(shipped()[name].steps) - 2


@needs_smollm2
@each("name", shipped())
def test_a_deck_is_whole_if_its_real_model_is_there(name: str) -> None:
    assert deck_named(name) == shipped()[name]


def view_and_others(address: str, parameters: Mapping[str, list[str]]) -> tuple[str, str, dict[str, str]]:
    """Return the address, the view that a link opens there, and its other parameters."""
    view = parameters.get("view", [next(iter(PAGES[address].views))])[0]
    others = {name: values[0] for name, values in parameters.items() if name not in OF_THE_LINK_ITSELF}
    return address, view, others


def teaches(step: LectureStep, link: Link) -> bool:
    """Return whether a step opens the view of a link with all that it sets there."""
    address, view, others = view_and_others(*parsed(step.link))
    wanted_at, wanted, set_there = view_and_others(*parsed(link.path))
    return (address, view) == (wanted_at, wanted) and set_there.items() <= others.items()


@each("concept", CONCEPTS)
def test_every_concept_is_taught_in_one_of_the_decks(concept: str) -> None:
    steps = [step for deck in shipped().values() for step in deck.steps if step.link]
    assert any(teaches(step, link) for step in steps for link in CONCEPTS[concept].links)


def test_three_lectures_of_different_steps_are_shipped() -> None:
    assert {name: len(deck.steps) for name, deck in shipped().items()} == {
        "cs224n": 27,
        "in_45_minutes": 16,
        "seq2seq": 22,
    }
    for deck in shipped().values():
        links = [step.link for step in deck.steps if step.link]
        assert len(set(links)) == len(links)
        assert len({step.title for step in deck.steps}) == len(deck.steps)
        assert (deck.steps[0].kind, deck.steps[-1].kind) == ("title", "end")


def test_the_guide_shows_a_deck_that_is_one_and_says_the_bounds_there_are() -> None:
    guide = GUIDE.read_text("utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    (step,) = read_deck(shown).steps
    check(step)
    prose = " ".join(guide.split())
    assert f"at most {MOST_STEPS} steps and {MOST_BYTES // 2**20} MB" in prose
    assert f"more than {LONG_LINK:,} characters" in prose
