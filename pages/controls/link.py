"""Controls drawn at once where the page is being drawn, each bound to its parameter in the address bar.

A parameter at its default is absent from the link. A value the control cannot take is ignored with a
sentence above the page. A view that is data asks through a form instead.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from streamlit.delta_generator import DeltaGenerator

from pages.contract.form import ROW, Form
from pages.controls.page_answers import PageAnswers
from pages.controls.widgets import draw

T = TypeVar("T")


def choice(
    name: str,
    *,
    notes: DeltaGenerator,
    on_change: Callable[[], None] | None = None,
    fixed: str | None = None,
    **look: Any,
) -> Any:
    """One of a few options, all in sight; `fixed` is the reason why it cannot be changed."""
    return drawn(
        notes,
        lambda form: form.choice(name, help=fixed, is_fixed=fixed is not None, **look),
        on_change,
    )


def menu(name: str, *, notes: DeltaGenerator, **look: Any) -> Any:
    """One of several options, in a menu."""
    return drawn(notes, lambda form: form.menu(name, **look))


def slide(name: str, *, notes: DeltaGenerator, **look: Any) -> Any:
    """One of many stops in a row, on a slider."""
    return drawn(notes, lambda form: form.slide(name, **look))


def several(name: str, options: Sequence[str], *, notes: DeltaGenerator, many: bool = False) -> list[str]:
    """Any number of options, none at first."""
    found: list[str] = drawn(notes, lambda form: form.several(name, options, many=many))
    return found


def switch(
    name: str, *, notes: DeltaGenerator, on_change: Callable[[], None] | None = None, **look: Any
) -> bool:
    """On or off."""
    return bool(drawn(notes, lambda form: form.switch(name, **look), on_change))


def number(name: str, *, notes: DeltaGenerator, **look: Any) -> Any:
    """A whole number between two bounds; without a default none is chosen at first."""
    return drawn(notes, lambda form: form.number(name, **look))


def word_menu(name: str, words: Sequence[str], *, notes: DeltaGenerator, **look: Any) -> int | None:
    """The position of a word, counted from 0; None while none is chosen."""
    found: int | None = drawn(notes, lambda form: form.word(name, words, **look))
    return found


def word_row(name: str, words: Sequence[str], *, label: str, notes: DeltaGenerator) -> int:
    """The position of a word of those all in sight, counted from 0."""
    return int(drawn(notes, lambda form: form.word_row(name, words, label=label)))


def drawn(notes: DeltaGenerator, ask: Callable[[Form], T], on_change: Callable[[], None] | None = None) -> T:
    """What is answered to some questions, whose controls are drawn here and now."""
    answers = PageAnswers(notes)
    form = Form(answers)
    value = ask(form)
    for item in form.items[ROW]:
        draw(item, answers, on_change)
    return value
