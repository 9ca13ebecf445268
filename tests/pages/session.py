"""One visitor's session without a browser: pages opened as from a link, their pictures read as numbers."""

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.Markdown_pb2 import Markdown
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree
from streamlit.util import calc_hash

from core.measures.reading import Reading, read
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.tokenizer import words_of
from pages import EXPLORER
from pages.contract.parameters import declared
from pages.contract.prose import JOINER
from pages.state.link import REPLACES
from tests.covering import covering
from viz.layout.bars import MOST_TOLD

APP = Path(__file__).parents[2] / "app.py"

Figure = dict[str, Any]

OF_ONE = re.compile(
    r"(?<![\w.,:·×/^–−-])(?<![×/·^−]\s)(?<!(?:tep|yer|ead|ock|eed|ion)\s)1[*_]{0,3}\s[*_]{0,3}((?:[a-z-]+ )?("
    "words|tokens|pieces|positions|places|heads|layers|blocks|models|rows|columns|numbers|steps|sentences|"
    "states|weights|scores|dimensions|units|keys|queries|cells|operations|matrices|parameters|gradients|"
    "reviews|shares|probes|stages|slopes|factors|bars|curves|links|steps|questions|answers|pairs|times"
    r"))\b"
)
"""A plural of one, and not the number of a layer, a head, a step, a block, a seed or a position."""

ISOLATES = str.maketrans("", "", "\u2068\u2069")
"""Signs that a figure puts around right-to-left words, and a text does not."""


SWITCHES: dict[str, Sequence[Any]] = {
    "positions": POSITIONS,
    "mask": tuple(MASKS),
    "window": ("off", 1, 2, 4, 8),
    "heads": (1, 2, 4, 8),
    "layers": (1, 2, 3, 4, 5, 6),
    "norm": NORMS,
    "scale": (True, False),
    "residual": (True, False),
    "mlp": (True, False),
    "seed": (0, 1, 7, 9999),
}
"""All values of every switch, of the seed a few."""


class Session:
    """A page opened by a link. After every run it must be whole: no error, no picture without its text.

    Bars and their text, which views compute separately, name the same numbers of the same words.

    The address bar of a visitor's browser is not simulated: `link` has the parameters of the link and of the
    server, not choices by hand.
    """

    def __init__(self, address: str = EXPLORER.address, *, theme: str = "light", **parameters: Any) -> None:
        self._clicks = 0
        self._seen: ElementTree | None = None
        self._keyed: list[dict[str, Any]] = []
        self.app = linked(address, parameters)
        self.app.context = {"theme": theme, "url": "http://localhost:8501"}
        self.run()

    def run(self, widgets: WidgetStates | None = None) -> None:
        """Run the page, and look whether it is whole."""
        self.app._run(widgets) if widgets is not None else self.app.run()
        assert [error.value for error in self.app.exception] == []
        assert [key for key in self.pictures if not self.alt(key).strip()] == [], "a picture without a text"
        parts = (self.app.main, self.app.sidebar)
        components = [node.key for part in parts for node in part if node.type == "bidi_component"]
        assert not any(map(declared, components)), "they would find another page's values"
        texts = (self.prose, *self.warnings, *self.infos, *map(self.alt, self.pictures))
        wrong = [said for text in texts for said in plurals_of_one(text)]
        assert wrong == [], wrong
        for key in self.pictures:
            if "The largest bars: " in self.alt(key):
                assert_tells_its_bars(self.alt(key), self.figure(key))

    def go(self, address: str) -> None:
        """Follow the navigation to the page at this address."""
        self.app._page_hash = calc_hash(address)
        # A browser leaves everything of the page before behind: its parameters and the state of its controls.
        self.app.query_params = {}
        self.run(WidgetStates())

    def set(self, **values: Any) -> None:
        """Change controls by hand, named as in the link; a name Python keeps for itself ends in `_`."""
        for name, value in values.items():
            self.element(name.rstrip("_")).set_value(value)
        self.run()

    def press(self, label: str) -> None:
        """Press the button that says this."""
        next(button for button in self.app.button if button.label == label).click()
        self.run()

    def click(self, picture: str, *, x: float, y: float, data: Any = None) -> None:
        """Click a point of a picture, as its JavaScript reports it."""
        self._report(picture, [{"x": x, "y": y, "data": data}], stroke=self._clicks + 1)

    def stroke(self, picture: str, *cells: tuple[int, int]) -> None:
        """Draw the pressed pointer over cells, (query, key), which the page hears of together."""
        self._report(picture, [{"x": x, "y": y, "data": None} for y, x in cells], stroke=self._clicks + 1)

    def _report(self, picture: str, points: list[dict[str, Any]], *, stroke: int) -> None:
        ids = range(self._clicks + 1, self._clicks + 1 + len(points))
        self._clicks += len(points)
        shared = {"chart": picture, "curve": 0, "stroke": stroke}
        said = [{**shared, **one, "id": at} for at, one in zip(ids, points, strict=True)]
        self.report("clicks", "points", said)

    def report(self, component: str, event: str, value: Any) -> None:
        """Report something to the page as the script of one of our components does."""
        listener = self.element(component).proto.id
        widgets = self.app._tree.get_widget_states()
        name = f"$$STREAMLIT_INTERNAL_KEY_{listener}__events"
        said = json.dumps([{"event": event, "value": value}])
        widgets.widgets.append(WidgetState(id=name, json_trigger_value=said))
        self.run(widgets)

    def element(self, key: str) -> Any:
        """Return the control, picture or container with this key; KeyError where there is none."""
        return next((part for part in self._parts() if key in part), {})[key]

    def has(self, key: str) -> bool:
        """Return whether there is a control, a picture or a container with this key."""
        return any(key in part for part in self._parts())

    def _parts(self) -> list[dict[str, Any]]:
        """The elements with a key on the page and in the sidebar, searched once after every run."""
        if self._seen is not self.app._tree:
            self._seen, parts = self.app._tree, (self.app.main, self.app.sidebar)
            self._keyed = [by_key(part) for part in parts]
        return self._keyed

    def value(self, name: str) -> Any:
        """Return the value of a control."""
        return self.element(name).value

    @property
    def link(self) -> dict[str, Any]:
        return {name: said for name, said in self.app.query_params.items() if name != REPLACES}

    @property
    def warnings(self) -> list[str]:
        """The warnings about invalid values of the link or an input, as the browser gets them."""
        return [warning.value for warning in self.app.warning]

    @property
    def infos(self) -> list[str]:
        """The notes, as the browser gets them."""
        return [info.value for info in self.app.info]

    @property
    def prose(self) -> str:
        """All sentences of the page as the browser gets them; `readable` gives them as they are seen.

        Non-breaking spaces become spaces, and no term is underlined.
        """
        texts = (text.value for text in (*self.app.markdown, *self.app.caption))
        return not_underlined("\n".join(texts)).replace("\u00a0", " ")

    @property
    def markdown(self) -> list[str]:
        """All that the browser takes for markdown: sentences, notes, labels, what explains them, choices.

        No term is underlined. Tiles and the path are HTML, which `escape` writes.
        """
        nodes = [node for part in (self.app.main, self.app.sidebar) for node in part if node.type != "html"]
        protos = [getattr(node, "proto", None) for node in nodes]
        prose = [one for one in protos if getattr(one, "element_type", None) != Markdown.Type.LATEX]
        texts = [getattr(one, name, "") for one in prose for name in ("body", "label", "help")]
        texts += [getattr(choice, "content", "") for one in prose for choice in getattr(one, "options", ())]
        return [not_underlined(text) for text in texts if text]

    @property
    def pictures(self) -> list[str]:
        """The keys of all figures on the page."""
        return [chart.key for chart in self.app.get("plotly_chart")]

    def alt(self, picture: str) -> str:
        """Return the text that a screen reader reads instead of a picture."""
        return str(self.element(picture).proto.alt)

    def figure(self, picture: str) -> Figure:
        """Return a figure as Plotly gets it."""
        figure: Figure = json.loads(self.element(picture).proto.spec)
        return figure

    def curve(self, picture: str, name: str) -> Figure:
        """Return a curve of a picture, by the name with which its hovers begin."""
        return curve(self.figure(picture), name)

    def matrix(self, picture: str, *, panel: int = 0) -> np.ndarray:
        """Return the numbers of a matrix; a picture of several has them in panels."""
        return numbers(self.figure(picture)["data"][panel]["z"])

    def table(self, picture: str) -> pd.DataFrame:
        """Return the numbers behind a picture, which must have been opened."""
        frame: pd.DataFrame = self.element(f"{picture}_table").dataframe[0].value
        return frame


def linked(address: str, parameters: Mapping[str, Any], *, script: Path = APP) -> AppTest:
    """Return the parameters with which a link opens a page, before its first run."""
    app = AppTest.from_file(script, default_timeout=60)
    # Without one AppTest looks through every installed package for components: two thirds of a session.
    app._bidi_component_manager = BidiComponentManager()
    # Before its first run AppTest knows a page by the name of its file; a link knows it by its address.
    app._page_hash = calc_hash(address)
    app.query_params = {name.rstrip("_"): _spelt(value) for name, value in parameters.items()}
    return app


def by_key(part: Iterable[Any]) -> dict[str, Any]:
    """Return the nodes of a part of a page by their keys, which are unique."""
    keyed = [node for node in part if getattr(node, "key", None)]
    assert len({node.key for node in keyed}) == len(keyed), "two have a key in common"
    return {node.key: node for node in keyed}


def numbers(encoded: Any) -> np.ndarray:
    """Return an array as Plotly writes it into a figure's JSON."""
    if not isinstance(encoded, dict):
        return np.array([np.nan if number is None else number for number in encoded])
    shape = [int(length) for length in str(encoded.get("shape", -1)).split(",")]
    return np.frombuffer(base64.b64decode(encoded["bdata"]), encoded["dtype"]).reshape(shape)


def curve(figure: Figure, name: str) -> Figure:
    """Return the curve whose hovers begin with a name, its numbers read."""
    found = next(one for one in figure["data"] if one["hovertext"][0].startswith(f"{name}:"))
    return {**found, "x": numbers(found["x"]), "y": numbers(found["y"])}


def assert_tells_its_bars(text: str, figure: Figure) -> None:
    """Check that the text has the largest bars of every row, the first row first, as hovers have them."""
    rest = text
    rows = figure["data"]
    notes = [note["text"].replace("<br>", " ") for note in figure["layout"]["annotations"]]
    names = [name for name in notes if any(row["hovertext"][0].startswith(f"{name}, ") for row in rows)]
    for name, row in zip(names, rows, strict=True):
        order = np.argsort(-numbers(row["y"]), kind="stable")
        said = [row["hovertext"][at].removeprefix(f"{name}, ").rpartition(": ") for at in order]
        largest = [unescape(f"{word}{':' * (', ' in word)} {number}") for word, _, number in said if number][
            :MOST_TOLD
        ]
        told = ", ".join(largest).translate(ISOLATES) or "no bars"
        assert told in rest, f"{name} has other bars than {text!r} names"
        rest = rest.partition(told)[2]


def computed(
    text: str, *, source: str = "random", seed: int = 0, window: Any = "off", **fields: Any
) -> Reading:
    """Return the results of `core` for a sentence; `fields` are fields of ModelConfig."""
    width = None if window == "off" else int(window)
    return read(load(source, ModelConfig(vocab_size=1, **fields), words_of(text), seed), window=width)


def settings(*left_out: str, **instead: Sequence[Any]) -> list[dict[str, Any]]:
    """Return settings with every value of every switch; some are left out or have other values."""
    return covering({name: these for name, these in (SWITCHES | instead).items() if name not in left_out})


def fields_of(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a setting sets; a window is none of a model."""
    return {{"heads": "n_heads", "layers": "n_layers"}.get(name, name): setting[name] for name in setting}


def gaps(reading: Reading, layer: int, head: int) -> np.ndarray:
    """Return the weights of one head as a picture shows them; NaN for masked keys."""
    return np.where(reading.allowed(), reading.patterns()[layer, head], np.nan)


def not_underlined(markdown: str) -> str:
    """Return a text without the links of its terms to their entries."""
    return re.sub(r'\[([^\[\]]*)\]\(/glossary\?term=[^ ]* "[^"]*"\)', r"\1", markdown)


def readable(markdown: str) -> str:
    """Return a sentence as it is seen, without escapes of typed signs."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace(JOINER, "")


def plurals_of_one(text: str) -> list[str]:
    """Return phrases about one thing as if it were several: `for each of 1 positions`."""
    return [text[max(0, found.start() - 20) : found.end()] for found in OF_ONE.finditer(text)]


def _spelt(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, list) else str(value)
