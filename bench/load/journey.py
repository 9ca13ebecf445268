"""The next act of a student, drawn at random: the mix of a class, in one place."""

from dataclasses import dataclass
from random import Random

from bench.load.controls import Control, Value
from bench.load.sentences import LECTURED, own_sentence
from bench.load.tab import Tab

TOGGLES = ("positions", "mask", "norm", "view", "drawn", "preset", "question", "classifier")
HEADS = ("layer", "head")
CLICKS = "clicks"
"""The listener to clicks on pictures; its options are the pictures."""
PICTURES = ("heads_grid", "painted", "matrix")
"""Pictures in which a click or a stroke chooses a head or a cell."""
BOXES = ("text",)

PAGES = {
    "explorer": 12,
    "masking": 3,
    "step-by-step": 2,
    "positions": 2,
    "heads": 2,
    "order-invariance": 2,
    "interaction-distance": 1,
    "blocks": 1,
    "generation": 1,
    "classification": 1,
}
"""Pages of a class with their shares in 27: half on the page of the lecture's link."""

ROOMS = {0: 5, 960: 2, 340: 2, 380: 1}
"""Page widths in pixels in the windows of a class, with their weights.

0 is the app's default width, as in windows of 1400 pixels and more; the second is a laptop, the others are
two telephones.
"""

MIXES = {
    "plain": {"toggle": 50, "head": 25, "sentence": 25},
    "mixed": {"toggle": 46, "head": 23, "sentence": 23, "page": 4, "idle": 2, "leave": 2},
}
"""Acts of each kind in 100.

`plain` is half toggles, a quarter heads, a quarter new sentences; in `mixed` some students follow the menu,
do nothing, or leave and return.
"""

IDLE = 30
"""Seconds for which somebody does nothing."""
PAUSE = (0.4, 1.0)
"""Seconds of a pause between two words: longer than the quarter of a second that the app waits."""


@dataclass(frozen=True)
class Act:
    """An act: its kind, its message, and its control.

    Idling and leaving have no message.
    """

    kind: str
    message: bytes = b""
    what: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The plan of a class; all times are in seconds.

    The links are opened evenly over `opening`; then everybody acts for `acting`, once in `between` on
    average. A sentence is new, or from the lecture if the class `follows` it; it is typed with this many
    `pauses`, and the app answers at each.
    """

    opening: float = 30
    acting: float = 60
    between: float = 10
    mix: str = "mixed"
    follows: bool = False
    pauses: int = 0
    seed: int = 0


class Journey:
    """The acts of one student, drawn from the mix of the plan."""

    def __init__(self, random: Random, plan: Plan) -> None:
        self.random, self._plan, self._mix = random, plan, MIXES[plan.mix]
        self._to_type: list[str] = []
        self._last = ""
        self.room = random.choices(list(ROOMS), weights=list(ROOMS.values()))[0]

    def link(self) -> tuple[str, dict[str, str]]:
        """Return the page and parameters that the student opens: half the time the bare address."""
        path = self.random.choices(list(PAGES), weights=list(PAGES.values()))[0]
        query = {"positions": "alibi"} if path == "explorer" and self.random.random() < 0.5 else {}
        return path, query

    def pause(self) -> float:
        """Return half to one and a half times the planned pause; less between words, more after idling."""
        if self._last == "typing":
            return self.random.uniform(*PAUSE)
        return self._plan.between * self.random.uniform(0.5, 1.5) + (IDLE if self._last == "idle" else 0)

    def next(self, tab: Tab) -> Act:
        """Return the next act; if the page has no control for it, another one."""
        act = self._drawn(tab)
        self._last = act.kind
        return act

    def _drawn(self, tab: Tab) -> Act:
        if self._to_type and tab.named(*BOXES):
            return self._type_on(tab)
        kinds = self.random.choices(list(self._mix), weights=list(self._mix.values()))
        for kind in (*kinds, "toggle", "head", "sentence"):
            act = self.act(kind, tab)
            if act is not None:
                return act
        return Act("page", tab.turn_to(self._other_page(tab)))

    def act(self, kind: str, tab: Tab) -> Act | None:
        """Return an act of that kind; None if the page has no control for it."""
        if kind in ("idle", "leave"):
            return Act(kind)
        if kind == "page":
            return Act(kind, tab.turn_to(self._other_page(tab)))
        return {"toggle": self._toggle, "head": self._head, "sentence": self._type}[kind](tab)

    def _toggle(self, tab: Tab) -> Act | None:
        """Choose in a row of options; a menu of the same name on /positions only selects a program."""
        rows = [one for one in tab.named(*TOGGLES) if one.kind == "button_group"]
        choices = [one for one in rows if _others(one, tab.value(one))]
        return self._choose("toggle", tab, choices)

    def _head(self, tab: Tab) -> Act | None:
        menus = [one for one in tab.named(*HEADS) if _others(one, tab.value(one))]
        pictures = [
            (listener, chart)
            for listener in tab.named(CLICKS)
            for chart in listener.options
            if chart in PICTURES
        ]
        if pictures and (not menus or self.random.random() < 0.5):
            return self._click(tab, *self.random.choice(pictures))
        return self._choose("head", tab, menus)

    def _type(self, tab: Tab) -> Act | None:
        boxes = tab.named(*BOXES)
        if not boxes:
            return None
        shown = tab.value(boxes[0])
        lectured = [text for text in LECTURED if text != shown]
        text = self.random.choice(lectured) if self._plan.follows else own_sentence(self.random)
        self._to_type = _parts(text, self._plan.pauses)
        return self._type_on(tab)

    def _type_on(self, tab: Tab) -> Act:
        """Return the next part of a sentence; the app answers each pause like a whole sentence."""
        (box, *_) = tab.named(*BOXES)
        text = self._to_type.pop(0)
        return Act("typing" if self._to_type else "sentence", tab.choose(box, text), box.name)

    def _choose(self, kind: str, tab: Tab, choices: list[Control]) -> Act | None:
        if not choices:
            return None
        control = self.random.choice(choices)
        option = self.random.choice(_others(control, tab.value(control)))
        value: Value = [option] if control.field == "string_array_value" else option
        return Act(kind, tab.choose(control, value), f"{control.name} = {option}")

    def _click(self, tab: Tab, listener: Control, chart: str) -> Act:
        x, y = self._head_at(tab) if chart.startswith("heads") else self._cell_at(tab)
        number = self.random.randrange(10**12)
        point = {"chart": chart, "x": x, "y": y, "curve": 0, "data": None, "id": number, "stroke": number}
        return Act("head", tab.trigger(listener, "points", [point]), chart)

    def _head_at(self, tab: Tab) -> tuple[int, int]:
        """Return the column and row of a tile: heads and layers counted from 1."""
        counts = {one.name: len(one.options) for one in tab.named(*HEADS)}
        return self.random.randint(1, counts.get("head", 1)), self.random.randint(1, counts.get("layer", 1))

    def _cell_at(self, tab: Tab) -> tuple[int, int]:
        """Return key and query of a cell that no mask hides."""
        n_words = min((len(str(tab.value(box)).split()) for box in tab.named(*BOXES)), default=3)
        query = self.random.randrange(max(n_words, 1))
        return self.random.randint(0, query), query

    def _other_page(self, tab: Tab) -> str:
        others = {path: n for path, n in PAGES.items() if path != tab.path and path in tab.pages}
        return self.random.choices(list(others), weights=list(others.values()))[0]


def _parts(text: str, pauses: int) -> list[str]:
    """Return the text in the box at each pause, and the whole text at the end."""
    words = text.split()
    ends = [len(words) * part // (pauses + 1) for part in range(1, pauses + 1)]
    return [*(" ".join(words[:end]) for end in dict.fromkeys(ends) if end), text]


def _others(control: Control, value: Value) -> list[str]:
    now = value if isinstance(value, list) else [value]
    return [option for option in control.options if option not in now]
