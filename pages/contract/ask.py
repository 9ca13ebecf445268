"""Controls that a view asks for: it gets the value at once, and the control is kept as data to be drawn."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypedDict, Unpack

from core.live import TrainingQueue
from core.text.tokenizer import readable
from pages.contract.items import WIDGETS, Button, Control, ControlNote, InlineLabel, Item, StepButtons, Width
from pages.contract.link_parameters import LinkParameters
from pages.contract.look import Look
from pages.contract.measurement import NOTHING, Measure, Measurement, MeasurementResult
from pages.contract.parameters import in_view
from pages.contract.sheet import Changes, LinkValues, Text
from pages.terms import explained
from viz.text import shortened

ROW, SIDEBAR, VIEWS = "row", "sidebar", "views"
"""The spots that every page has: above the picture, in the sidebar, and beside the row of views."""


LONGEST_WORD = 20
"""Longest word in a menu, in em; a longer one is cut to the width of the box."""


LOOKS = frozenset(one.name for one in fields(Control))
"""Arguments for the look of a control, not for its parameter."""


class ControlOptions(TypedDict, total=False):
    """Arguments of a view that replace fields of a `Parameter`, or set the look of its `Control`."""

    label: str
    options: Sequence[Any]
    default: Any
    largest: int
    unchosen: str
    clamps: bool
    hide_label: bool
    width: Width
    help: str | None
    is_fixed: bool
    clears: tuple[str, ...]
    placeholder: str
    ends: tuple[str, str]


class Trainee(Protocol):
    """A visitor who can train a model, with a secret key that no link carries, so that nobody else has it."""

    @property
    def queue(self) -> TrainingQueue:
        """Return the queue in which this process trains."""

    @property
    def key(self) -> str:
        """Return the visitor's key."""

    def keep(self, *, is_there: bool) -> None:
        """Have the browser keep the key, and whether a training runs here."""

    def is_training_lost(self) -> bool:
        """Return whether the browser had a training when it connected that is not known here."""

    def refuse(self, reason: str) -> None:
        """Keep the reason of a refusal until it is shown."""

    def take_refusal(self) -> str:
        """Return the reason once; empty if there is none."""


@dataclass
class Ask:
    """Interface through which a view asks for its controls, its look, and its measurements.

    The controls are kept in the order asked, by their spot on the sheet. `measured` is what this session
    alone has measured. The `trainee` is the visitor of a page; a link alone has none. `pinned` are parameters
    that depend on what the view found, such as a chosen word. A link needs them to ask the same questions of
    another model.
    """

    parameters: LinkParameters
    look: Look = field(default_factory=Look)
    measured_by: Measure = Measurement.shared
    trainee: Trainee | None = None
    measured: MeasurementResult = NOTHING
    items: dict[str, list[Item]] = field(default_factory=lambda: defaultdict(list))
    notes: list[Text] = field(default_factory=list)
    pinned: dict[str, str] = field(default_factory=dict)
    _spot: str = ROW

    @contextmanager
    def at(self, spot: str) -> Iterator[None]:
        """Place the controls asked for inside at `Controls(spot)` of the sheet."""
        before, self._spot = self._spot, spot
        yield
        self._spot = before

    def choice(self, name: str, **given: Unpack[ControlOptions]) -> Any:
        """Return one of a few options, all in sight."""
        return self._ask("choice", name, **given)

    def menu(self, name: str, **given: Unpack[ControlOptions]) -> Any:
        """Return one of several options of a menu, for choices made less often or with more options."""
        return self._ask("menu", name, **given)

    def slide(self, name: str, **given: Unpack[ControlOptions]) -> Any:
        """Return one of many stops on a slider, such as numbers; `ends` are the labels at both ends."""
        return self._ask("slide", name, **given)

    def several(self, name: str, options: Sequence[str], *, many: bool = False) -> list[str]:
        """Return any number of options, none at first; all are in sight unless there are too `many`."""
        return list(self._ask("multiselect" if many else "pills", name, options=options))

    def switch(self, name: str, **given: Unpack[ControlOptions]) -> bool:
        """Return whether a switch is on."""
        return bool(self._ask("switch", name, **given))

    def number(self, name: str, **given: Unpack[ControlOptions]) -> Any:
        """Return a whole number between two bounds; None until one is chosen, shown as `unchosen`."""
        return self._ask("number", name, **given)

    def word(
        self, name: str, words: Sequence[str], *, usual: int | None = None, **given: Unpack[ControlOptions]
    ) -> int | None:
        """Return the position of a word chosen in a menu: counted from 1 there and in the link, from 0 here.

        Until a word is chosen, it is the `usual` one, which the menu shows. Without a usual one it is None,
        and the menu shows `unchosen`.
        """
        if usual is not None:
            given["unchosen"] = numbered(words, usual)
        at = self._ask("word", name, words=tuple(words), largest=len(words), **given)
        if at is None and usual is not None:
            self.pinned[name] = str(usual + 1)
        return usual if at is None else int(at) - 1

    def word_row(self, name: str, words: Sequence[str], **given: Unpack[ControlOptions]) -> int:
        """Return the position, from 0, of a word chosen in a row of all words; at first the first one."""
        return (
            int(self._ask("word row", name, words=tuple(words), largest=len(words), clamps=True, **given)) - 1
        )

    def lines(self, name: str, **given: Unpack[ControlOptions]) -> str:
        """Return the sentences of one box, a line each."""
        return str(self._ask("lines", name, **given))

    def entry(self, name: str, **given: Unpack[ControlOptions]) -> str:
        """Return a typed line, which is read while it is typed; an empty box shows the `placeholder`."""
        return readable(str(self._ask("entry", name, **given)))

    def parsed(
        self, name: str, parse: Callable[[str], Any], *, default: Any, instead: str, about: object = None
    ) -> Any:
        """Return a parameter without a control, in a spelling of the view; the default if it is absent.

        `parse` parses a spelling and raises ValueError with the reason if it cannot; a note then says what
        is shown `instead`. A value chosen `about` another subject is forgotten.
        """
        self.parameters.reset_if_changed(name, about, [name])
        return self.parameters.value(in_view(name, parse=parse, default=default, unchosen=instead))

    def walk(self, name: str, n: int) -> None:
        """Add back, next and play for the `n` values of a number that was asked for."""
        self.add(StepButtons(name, n))

    def button(self, label: str, changes: Changes | Callable[[LinkValues], Changes], **look: Any) -> None:
        """Add a button that changes the link; `look` has the other fields of `Button`."""
        self.add(Button(label, changes, **look))

    def name(self, markdown: str) -> None:
        """Put a label beside the next control."""
        self.add(InlineLabel(markdown))

    def caption(self, markdown: str) -> None:
        """Add a small line among the controls."""
        self.add(ControlNote(markdown))

    def add(self, item: Item) -> None:
        """Add an item without a value."""
        self.items[self._spot].append(item)

    def measure(self, what: Measurement) -> MeasurementResult:
        """Return what was measured when a button after the controls was pressed; NOTHING until then."""
        found = self.measured_by(what)
        if not what.is_shared:
            self.measured = found
        return found

    def note(self, note: Text) -> None:
        """Add a note above the page."""
        self.notes.append(note)

    def asked(self, spots: Iterable[str] | None = None) -> list[Control]:
        """Return the controls at these spots, by default at all spots."""
        found = (item for spot in (self.items if spots is None else spots) for item in self.items[spot])
        return [item for item in found if isinstance(item, Control)]

    def _ask(self, widget: str, name: str, **given: Any) -> Any:
        """Return the value of a parameter and keep its control; `given` is `ControlOptions`."""
        look = {name: given.pop(name) for name in LOOKS & given.keys()}
        one = in_view(name, **given)
        kind = WIDGETS[widget]
        assert one.kind == kind, f"{name} is declared as {one.kind}, not as {kind}: {one.meaning}"
        if self._spot == SIDEBAR:
            look["help"] = look.get("help") or explained(one)
        asked = Control(one, widget, self.parameters.value(one), **look)
        self.add(asked)
        return asked.value


def numbered(words: Sequence[str], at: int) -> str:
    """Return a word with its position before it, because words repeat: text for a menu, not Markdown."""
    return f"{at + 1} {shortened(str(words[at]), longest=LONGEST_WORD)}"
