"""The decks that are shipped: every link opens without a note and with a picture, every concept is taught."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pages.contract.answers import parsed
from pages.contract.sheet import Columns, Drawing, Fold, Part, Shown, Strip
from pages.data.links import Link
from pages.lecture.deck import MOST_STEPS, Step, read_deck, shipped
from pages.lecture.deck_file import MOST_BYTES
from pages.lecture.listing import LONG_LINK
from pages.sheet import answered
from pages.syllabus.concepts import CONCEPTS
from tests.covering import each
from tests.pages.stated import sheet_of, unsupported
from tests.real import needs_minilm
from tests.views import PAGES

GUIDE = Path(__file__).parents[3] / "docs" / "lecturing.md"

STEPS = [(name, number) for name, deck in shipped().items() for number in range(1, len(deck.steps) + 1)]
"""Every step of every deck, by its name and number."""

OF_THE_LINK_ITSELF = {"view", "text"}
"""Parameters in which a step may differ from the link of a concept: the view is compared in its own way."""


def step_at(name: str, number: int) -> Step:
    return shipped()[name].steps[number - 1]


def is_real(step: Step) -> bool:
    return parsed(step.link)[1].get("model") == ["real"]


def pictures(parts: tuple[Part, ...]) -> Iterator[Part]:
    """What is drawn on a sheet, but for what is folded away."""
    for part in parts:
        match part:
            case Shown() | Drawing() | Strip():
                yield part
            case Columns(columns):
                for column in columns:
                    yield from pictures(column)
            case Fold(is_open=True, parts=inside):
                yield from pictures(inside)


TYPED = {"the film was good ."}
"""Sentences that a lecturer is told to type: the view does not have them yet."""


def check(step: Step) -> None:
    found = answered(step.link)
    assert found.refused == ()
    assert found.sheet.notes == ()
    assert found.sheet.answer
    assert list(pictures(found.sheet.parts))
    sheet = sheet_of(found)
    stated = "\n".join((step.title, step.question, step.notes))
    assert set(unsupported(stated, sheet)) <= TYPED, "numbers and words in quotes are those of the view"
    for word in re.findall(r"likeliest next word is “(.+?)”", step.notes):
        assert f"likeliest next word is **{word}**" in sheet


def marks(step: tuple[str, int]) -> tuple[pytest.MarkDecorator, ...]:
    return (needs_minilm,) if is_real(step_at(*step)) else ()


@pytest.mark.parametrize(("name", "number"), [pytest.param(*step, marks=marks(step)) for step in STEPS])
def test_every_link_opens_with_its_picture_and_says_what_the_step_states(name: str, number: int) -> None:
    check(step_at(name, number))


@each(("name", "number"), STEPS)
def test_every_step_has_what_its_lecturer_needs(name: str, number: int) -> None:
    step = step_at(name, number)
    assert step.title
    assert not step.title.endswith(".")
    assert "*" not in step.title + step.question, "both are shown as they are written"
    assert step.notes.count(".") + step.notes.count("?") + step.notes.count(":") >= 2
    assert not step.covered or step.question, "who is to guess has to be asked"
    assert "real" not in step.link or "no model is there" in step.notes


def view_and_others(address: str, parameters: Mapping[str, list[str]]) -> tuple[str, str, dict[str, str]]:
    """The address, the view that a link opens there, and its other parameters."""
    view = parameters.get("view", [next(iter(PAGES[address].views))])[0]
    others = {name: values[0] for name, values in parameters.items() if name not in OF_THE_LINK_ITSELF}
    return address, view, others


def teaches(step: Step, link: Link) -> bool:
    """Whether a step opens the view of a link with all that it sets there."""
    address, view, others = view_and_others(*parsed(step.link))
    wanted_at, wanted, set_there = view_and_others(*parsed(link.path))
    return (address, view) == (wanted_at, wanted) and set_there.items() <= others.items()


@each("concept", CONCEPTS)
def test_every_concept_is_taught_in_one_of_the_decks(concept: str) -> None:
    steps = [step for deck in shipped().values() for step in deck.steps]
    assert any(teaches(step, link) for step in steps for link in CONCEPTS[concept].links)


def test_two_lectures_of_20_to_30_different_steps_are_shipped() -> None:
    assert list(shipped()) == ["cs224n", "seq2seq"]
    links = [step.link for deck in shipped().values() for step in deck.steps]
    assert len(set(links)) == len(links)
    for deck in shipped().values():
        assert 20 <= len(deck.steps) <= 30
        assert len({step.title for step in deck.steps}) == len(deck.steps)


def test_the_guide_shows_a_deck_that_is_one_and_says_the_bounds_there_are() -> None:
    guide = GUIDE.read_text("utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    (step,) = read_deck(shown).steps
    check(step)
    assert f"at most {MOST_STEPS} steps\nand {MOST_BYTES // 1024} KB" in guide
    assert f"more than {LONG_LINK:,} characters" in guide
