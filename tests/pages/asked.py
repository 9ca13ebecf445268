"""The sheet of a link, read as a `Session` reads a page, but without running a page.

`contract/test_every_page.py` tests that a page shows the sheet of its link, and that its controls change the
link. A test of sentences or pictures of a view needs no page.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.sources import UnavailableError
from pages import EXPLORER, entry_at
from pages.contract.ask import SIDEBAR, VIEWS, Ask
from pages.contract.common_controls import scene_of
from pages.contract.items import Button, ControlNote, InlineLabel, Item
from pages.contract.items import Control as AskedControl
from pages.contract.link_parameters import LinkParameters
from pages.contract.look import Look
from pages.contract.parameter import in_link
from pages.contract.parameters import in_words
from pages.contract.question import Choose, Estimate, Question
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Changes,
    Code,
    Drawing,
    Fold,
    Formula,
    Part,
    PicturePart,
    Program,
    Sheet,
    Strip,
    Table,
    Text,
    all_parts,
)
from pages.contract.view import Live
from pages.contract.weights import why_unavailable
from pages.contract.words import unknown_named
from tests.pages.session import Figure, assert_tells_its_bars, curve, numbers, plurals_of_one
from tests.pages.words_used import texts
from tests.views import page_in
from viz.picture import Picture
from viz.room import PAGE, Room
from viz.theme import THEMES

NOTICES = ("info", "warning")
"""The kinds of texts that stand in a box."""


class Asked:
    """The sheet of a link. It must be whole: no picture without its text, no plural of one.

    `set` and `click` ask anew with the link that the change makes. All tables and programs are open.

    A view that the page does not have is a mistake of the test.
    """

    scene: Scene
    sheet: Sheet
    program: Program | None

    def __init__(self, address: str = EXPLORER.address, *, theme: str = "light", **parameters: Any) -> None:
        entry = entry_at(address)
        assert entry is not None, f"there is no page {address}"
        self._page, self._look = page_in(entry.folder), Look(theme=THEMES[theme])
        self.whole_link = {name.rstrip("_"): in_link(value) for name, value in parameters.items()}
        view = self.link.get("view", "")
        assert not view or view in self._page.views, f"/{address} has no view {view}"
        self._ask()

    def _ask(self) -> None:
        (view,) = self.whole_link.get("view", [next(iter(self._page.views))])
        assert view in self._page.views, f"this page has no view {view!r}: there are {[*self._page.views]}"
        answers = LinkParameters({name: in_words(name, values) for name, values in self.whole_link.items()})
        self._form, self.sheet, self.program, self._why_not = Ask(answers, self._look), Sheet(), None, []
        self.questions: list[Question] = []
        try:
            self.view, self.scene = scene_of(self._form, self._page)
            sheet = self.view.sheet(self._form, self.scene)
            self.sheet = sheet.sheet(self._form, None) if isinstance(sheet, Live) else sheet
            self.program = self.sheet.program()
            self.questions = [question for question in self.sheet.questions() if question is not None]
        except UnavailableError as error:
            self._why_not = [why_unavailable(error)]
        self.refused = [*map(str, answers.refused)]
        assert_whole(self)

    def set(self, **values: Any) -> None:
        """Ask with other values of controls, named as in the link; None is the default."""
        self.change({name.rstrip("_"): value for name, value in values.items()})

    def click(self, picture: str, *, x: float, y: float, data: Any = None) -> None:
        """Follow a click on a point of a picture."""
        self.stroke(picture, (y, x), data=data)

    def stroke(self, picture: str, *cells: tuple[float, float], data: Any = None) -> None:
        """Follow the pressed pointer over cells, (query, key)."""
        gesture = self._shown[picture].on_click
        assert gesture is not None, f"{picture} does not answer to clicks"
        points = [{"x": x, "y": y, "curve": 0, "data": data} for y, x in cells]
        self.change(gesture(points, self.whole_link))

    def press(self, label: str) -> None:
        """Press the button that says this."""
        buttons = (item for item in items(self._form) if isinstance(item, Button))
        changes = next(button.changes for button in buttons if button.label == label)
        self.change(changes(self.whole_link) if callable(changes) else changes)

    def change(self, changes: Changes) -> None:
        """Ask with the link that these changes make."""
        changed = {name: in_link(value) for name, value in changes.items() if value is not None}
        self.whole_link = {
            name: value for name, value in self.whole_link.items() if name not in changes
        } | changed
        self._ask()

    @property
    def link(self) -> dict[str, Any]:
        """The parameters of the link, with the changes, as a link spells them."""
        return {name: values[0] if len(values) == 1 else values for name, values in self.whole_link.items()}

    @property
    def parts(self) -> Iterator[Part]:
        """All parts of the sheet, those inside of others too."""
        return all_parts(self.sheet.parts)

    @property
    def _shown(self) -> dict[str, PicturePart]:
        return {part.key: part for part in self.parts if isinstance(part, PicturePart)}

    @property
    def controls(self) -> dict[str, AskedControl]:
        """The controls asked for, by the names of their parameters."""
        return {item.parameter.name: item for item in self._form.asked()}

    @property
    def own_controls(self) -> dict[str, AskedControl]:
        """The controls on the sheet, without the sidebar and the row of views."""
        elsewhere = (*self._form.items[SIDEBAR], *self._form.items[VIEWS])
        return {name: item for name, item in self.controls.items() if item not in elsewhere}

    def value(self, name: str) -> Any:
        """Return the value of a control, or the text in the box of a sentence."""
        if name in ("text", "other"):
            usual = {"text": self.view.sentence, "other": " ".join(self.scene.other)}
            return self.link.get(name, usual[name])
        return self.controls[name].value

    def options(self, name: str) -> Sequence[Any]:
        """Return the options of a control."""
        return self.controls[name].parameter.options

    def label(self, name: str) -> str:
        """Return the label of a control."""
        return self.controls[name].parameter.label

    def has(self, key: str) -> bool:
        """Return whether there is a control, or a part of the sheet, with this key."""
        return key in self.controls or any(getattr(part, "key", None) == key for part in self.parts)

    @property
    def notes(self) -> list[Text]:
        """The texts above the page, and its notices."""
        inside = [part for part in self.parts if isinstance(part, Text) and part.kind in NOTICES]
        return [*self._form.notes, *self.sheet.notes, *inside]

    @property
    def warnings(self) -> list[str]:
        """The warnings about the link, about missing things, and about an empty page."""
        said = [one.markdown for one in self.notes if one.kind == "warning"]
        return [*self.refused, *said, *self._why_not]

    @property
    def infos(self) -> list[str]:
        """The notes that warn of nothing."""
        return [one.markdown for one in self.notes if one.kind == "info"]

    @property
    def said(self) -> list[str]:
        """All sentences, with the escapes: those in the sidebar, above the page and on the sheet."""
        captions = [
            item.markdown for item in items(self._form) if isinstance(item, ControlNote | InlineLabel)
        ]
        texts = [one.markdown for one in self.notes if one.kind not in NOTICES]
        below = [one.markdown for one in self.sheet.below_sentence]
        answer = [f"**{self.sheet.headline}**"] if self.sheet.headline else []
        parts = [said for part in self.parts for said in _sentences(part)]
        return [*captions, *self._unknown, *texts, *below, *answer, *parts]

    @property
    def _unknown(self) -> list[str]:
        """The note on words that the model does not know."""
        if self._why_not or self.scene.pieces is not None:
            return []
        at = self.sheet.unknown
        return [unknown_named(self.scene.words, at)] if at else []

    @property
    def prose(self) -> str:
        """The sentences as one text; `readable` gives the text as it is seen."""
        return "\n".join(self.said).replace("\u00a0", " ")

    @property
    def tables(self) -> list[pd.DataFrame]:
        """The tables that are always in sight."""
        return [
            one.data for one in self.parts if isinstance(one, Table) and isinstance(one.data, pd.DataFrame)
        ]

    @property
    def latex(self) -> list[str]:
        """All formulas."""
        return [part.latex for part in self.parts if isinstance(part, Formula)]

    @property
    def code(self) -> str:
        """The program that computes the same again."""
        assert self.program is not None, "this view has no program"
        return self.program.write().rstrip()

    @property
    def pictures(self) -> list[str]:
        """The keys of all figures."""
        return list(self._shown)

    @property
    def buttons(self) -> list[str]:
        """The labels of buttons."""
        return [item.label for item in items(self._form) if isinstance(item, Button)]

    @property
    def questions_said(self) -> list[str]:
        """All that the questions ask and say."""
        return [said for question in self.questions for said in texts(question)]

    @property
    def markdown(self) -> list[str]:
        """All that the browser takes for markdown: sentences, notes, and what controls and buttons say."""
        labels = [text for item in self.controls.values() for text in (item.parameter.label, item.help or "")]
        return [*self.said, *self.warnings, *self.infos, *self.buttons, *labels, *self.questions_said]

    def picture(self, key: str) -> Picture:
        """Return a figure with its text and its table."""
        return self._shown[key].picture

    def drawing(self, key: str) -> Mapping[str, Any]:
        """Return the drawing of a script, as the browser gets it."""
        (data,) = (part.data for part in self.parts if isinstance(part, Drawing) and part.key == key)
        sent: Mapping[str, Any] = json.loads(json.dumps(data))
        return sent

    @property
    def strip(self) -> Strip:
        """The stages of a head."""
        (strip,) = (part for part in self.parts if isinstance(part, Strip))
        return strip

    def alt(self, picture: str) -> str:
        """Return the text that a screen reader reads instead of a picture."""
        return self.picture(picture).alt()

    def figure(self, picture: str, room: Room = PAGE) -> Figure:
        """Return a figure as Plotly gets it."""
        figure: Figure = json.loads(self.picture(picture).figure(room).to_json())
        return figure

    def curve(self, picture: str, name: str) -> Figure:
        """Return a curve of a picture, by the name with which its hovers begin."""
        return curve(self.figure(picture), name)

    def matrix(self, picture: str, *, panel: int = 0) -> np.ndarray:
        """Return the numbers of a matrix; a picture of several has them in panels."""
        return numbers(self.figure(picture)["data"][panel]["z"])

    def table(self, picture: str) -> pd.DataFrame:
        """Return the numbers behind a picture, or a separate table."""
        if picture in self._shown:
            table = self.picture(picture).table
        else:
            listed = (part for part in self.parts if isinstance(part, Table))
            (table,) = (part.data for part in listed if part.key == picture)
            assert not isinstance(table, str)
        assert table is not None, f"the numbers of {picture} are those of another picture"
        return table() if callable(table) else table


def folds(part: Part) -> bool:
    """Return whether a part is behind a title, and the link says whether it is open."""
    match part:
        case Table():
            return callable(part.data)
        case Code():
            return callable(part.text)
        case Fold():
            return bool(part.key)
    return False


def assert_whole(asked: Asked) -> None:
    """No picture without its text, no plural of one, and bars are those that their text tells."""
    assert [key for key in asked.pictures if not asked.alt(key).strip()] == [], "a picture without a text"
    texts = (
        asked.prose,
        *asked.warnings,
        *asked.infos,
        *asked.questions_said,
        *map(asked.alt, asked.pictures),
    )
    assert [said for text in texts for said in plurals_of_one(text)] == []
    for key in asked.pictures:
        if "The largest bars: " in asked.alt(key):
            assert_tells_its_bars(asked.alt(key), asked.figure(key))


def items(ask: Ask) -> list[Item]:
    """Return all controls, buttons and captions that a view has asked for."""
    return [item for spot in ask.items.values() for item in spot]


def whole(question: Question | None) -> Question:
    """Return a question that is asked, which has one answer."""
    assert question is not None
    return question


def reasons(question: Question | None) -> dict[str, str]:
    """Return the explanation of each option of a choice."""
    asked = whole(question)
    assert isinstance(asked, Choose)
    return {one.text: one.why_not for one in asked.options}


def mistaken(question: Question | None) -> list[float]:
    """Return the values of known misconceptions, to one decimal."""
    asked = whole(question)
    assert isinstance(asked, Estimate)
    return [round(value, 1) for value, _ in asked.mistaken]


def _sentences(part: Part) -> Iterator[str]:
    match part:
        case Text() if part.kind in NOTICES:
            return
        case Text(markdown) | Table(_, str(markdown)):
            yield markdown
        case Formula(_, source):
            yield source
