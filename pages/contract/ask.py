"""What a view asks: each question is answered at once, and kept as data for who draws its control."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from core.text.tokenizer import readable
from pages.contract.answers import Answers
from pages.contract.control import Control, control
from pages.contract.items import Asked, Button, Caption, Item, Name, Slider, Walk, Widget, Width
from pages.contract.look import Look
from pages.contract.measurement import NOTHING, Measure, Measured, Measurement
from pages.contract.parameters.declared import COMPUTED, POSITION
from pages.contract.sheet import Changes, Link, Text
from pages.contract.trainee import Trainee
from pages.terms.explained import explained
from viz.text import shortened

ROW, SIDEBAR, VIEWS = "row", "sidebar", "views"
"""The spots that every page has: above the picture, in the sidebar, and beside the row of views."""


LONGEST_WORD = 20
"""Em of a word that stand in a menu; the box shows what it has room for."""


@dataclass
class Ask:
    """What a view may ask: its controls, which look it is drawn for, what was measured.

    The controls are kept in the order asked, by the spot of the sheet at which they stand. `measured` is what
    this session alone has measured. The `trainee` is the visitor of a page; a link alone has none.
    """

    answers: Answers
    look: Look = field(default_factory=Look)
    measured_by: Measure = Measurement.shared
    trainee: Trainee | None = None
    measured: Measured = NOTHING
    items: dict[str, list[Item]] = field(default_factory=lambda: defaultdict(list))
    notes: list[Text] = field(default_factory=list)
    _spot: str = ROW

    @contextmanager
    def at(self, spot: str) -> Iterator[None]:
        """What is asked inside stands where the sheet has `Controls(spot)`."""
        before, self._spot = self._spot, spot
        yield
        self._spot = before

    def choice(
        self,
        name: str,
        *,
        options: Sequence[Any] | None = None,
        default: Any = COMPUTED,
        label: str | None = None,
        hide_label: bool = False,
        help: str | None = None,
        is_fixed: bool = False,
        clears: tuple[str, ...] = (),
    ) -> Any:
        """One of a few options, all in sight."""
        asked = control(name, "one of", options=options, default=default, label=label)
        look: dict[str, Any] = {"hide_label": hide_label, "help": help, "is_fixed": is_fixed}
        return self._ask(asked, "choice", clears=clears, **look)

    def menu(
        self,
        name: str,
        *,
        options: Sequence[Any] | None = None,
        default: Any = COMPUTED,
        label: str | None = None,
        width: Width = 150,
    ) -> Any:
        """One of several options, in a menu: for what is chosen less often or from more."""
        asked = control(name, "one of", options=options, default=default, label=label)
        return self._ask(asked, "menu", width=width)

    def slide(
        self,
        name: str,
        *,
        options: Sequence[Any] | None = None,
        default: Any = COMPUTED,
        ends: tuple[str, str] | None = None,
    ) -> Any:
        """One of many stops in a row, such as numbers, on a slider, between what it says at both `ends`."""
        value = self._ask(control(name, "one of", options=options, default=default), "slide")
        asked = self.items[self._spot][-1]
        if ends is not None and isinstance(asked, Asked):
            self.items[self._spot][-1] = Slider(asked, *ends)
        return value

    def several(self, name: str, options: Sequence[str], *, many: bool = False) -> list[str]:
        """Any number of options, none at first; all are in sight, unless they are too `many` for that."""
        asked = control(name, "several", options=options)
        return list(self._ask(asked, "multiselect" if many else "pills"))

    def switch(
        self, name: str, *, default: Any = COMPUTED, help: str | None = None, clears: tuple[str, ...] = ()
    ) -> bool:
        """On or off."""
        return bool(self._ask(control(name, "switch", default=default), "switch", help=help, clears=clears))

    def number(
        self,
        name: str,
        *,
        largest: int | None = None,
        default: Any = COMPUTED,
        label: str | None = None,
        unchosen: str = "none",
        clamps: bool = False,
        width: Width = "stretch",
    ) -> Any:
        """A whole number between two bounds; None while none is chosen, which is shown as `unchosen`.

        One that `clamps` becomes the largest there is, where that has fallen below it.
        """
        asked = control(name, "number", label=label, default=default, largest=largest, unchosen=unchosen)
        return self._ask(replace(asked, clamps=clamps), "number", width=width)

    def word(
        self,
        name: str,
        words: Sequence[str],
        *,
        label: str | None = None,
        usual: int | None = None,
        unchosen: str = "none",
        width: int = 190,
    ) -> int | None:
        """The position of a word, chosen in a menu: counted from 1 there and in the link, returned from 0.

        While no word is chosen it is the `usual` one, which the menu then shows; without one None, for which
        the menu shows `unchosen`.
        """
        at_first = unchosen if usual is None else numbered(words, usual)
        asked = self._of_words(name, words, label, unchosen=at_first)
        at = self._ask(asked, "word", words=tuple(words), width=width)
        return usual if at is None else int(at) - 1

    def word_row(self, name: str, words: Sequence[str], *, label: str) -> int:
        """The position, from 0, of a word chosen among all, each in sight; the first is chosen at first."""
        asked = self._of_words(name, words, label, clamps=True)
        return int(self._ask(asked, "word row", words=tuple(words))) - 1

    def walk(self, name: str, n: int) -> None:
        """Back, next and play through the `n` values of a number that was asked for."""
        self.add(Walk(name, n))

    def lines(self, name: str, *, default: Sequence[str], label: str | None = None) -> str:
        """Several sentences in one box, a line each."""
        return str(self._ask(control(name, "text", label=label, default="\n".join(default)), "lines"))

    def entry(self, name: str, *, placeholder: str, width: Width = 260) -> str:
        """A line that is typed, answered while one types; `placeholder` stands in it while it is empty."""
        typed = self._ask(control(name, "text"), "entry", placeholder=placeholder, width=width)
        return readable(str(typed or ""))

    def spelt(
        self, name: str, unspell: Callable[[str], Any], *, default: Any, instead: str, about: object = None
    ) -> Any:
        """A parameter without a control, which the view spells itself; the default where it is absent.

        `unspell` raises ValueError with the reason where it cannot read one; a note then says what is shown
        `instead`. What was chosen `about` something else than this is forgotten.
        """
        self.answers.is_about(name, about)
        asked = replace(control(name, "spelt"), unspell=unspell, default=default, unchosen=instead)
        return self.answers.value(asked)

    def button(self, label: str, changes: Changes | Callable[[Link], Changes], **look: Any) -> None:
        """A button that changes the link; `look` is as `Button` has it."""
        self.add(Button(label, changes, **look))

    def name(self, markdown: str) -> None:
        """What the next control is called, beside it."""
        self.add(Name(markdown))

    def caption(self, markdown: str) -> None:
        """A small line among the controls."""
        self.add(Caption(markdown))

    def add(self, item: Item) -> None:
        """An item that asks for nothing."""
        self.items[self._spot].append(item)

    def measure(self, what: Measurement) -> Measured:
        """Return what was measured when a button was pressed, NOTHING until then.

        On a page the button stands in the row of controls, after those asked for so far.
        """
        found = self.measured_by(what)
        if not what.is_shared:
            self.measured = found
        return found

    def note(self, note: Text) -> None:
        """Something to be said above the page."""
        self.notes.append(note)

    def _of_words(self, name: str, words: Sequence[str], label: str | None, **more: Any) -> Control:
        called = control(name, "number", label=label, largest=len(words)).label
        asked = control(name, "number", label=f"{called}{POSITION}", largest=len(words))
        return replace(asked, **more)

    def _ask(self, asked: Control, widget: Widget, **look: Any) -> Any:
        value = self.answers.value(asked)
        if self._spot == SIDEBAR:
            look["help"] = look.get("help") or explained(asked.name, asked.options)
        self.items[self._spot].append(Asked(asked, widget, value, **look))
        return value


def numbered(words: Sequence[str], at: int) -> str:
    """A word with its position before it: equal words stay apart. It is text for a menu, not for Markdown."""
    return f"{at + 1} {shortened(str(words[at]), longest=LONGEST_WORD)}"
