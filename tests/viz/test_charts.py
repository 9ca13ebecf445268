"""Promises of every chart: its words, its colours, its masks, its panels, its table, its room.

Each chart is drawn from made-up data by its public function. Its layout is not tested here.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import combinations
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.architectures import Architecture, Box
from viz.architectures.inside import Inside
from viz.architectures.lstm_cell import LSTMCell
from viz.architectures.unrolled import UnrolledNetwork
from viz.architectures.values import Vectors
from viz.arcs import Arcs
from viz.bar_rows import BarRows
from viz.beam import BeamTree
from viz.curves import Curves
from viz.dots import Dots
from viz.head_blocks import HeadBlocks, Kind
from viz.head_scores import HeadScores
from viz.heads import Heads, HeadsByCount
from viz.layout.figure import Figure
from viz.layout.grid import DIGITS_ON_PAGE
from viz.logits import Logits
from viz.lookup import SoftLookup
from viz.masking import MaskedDependence, MaskedWeights
from viz.matrices import Alignment, CloseUp, Comparison, HeadMatrix, SentencePairMatrix, StagePanel, Stages
from viz.named_bars import HeadEffects, LikelyWords
from viz.networks import AttentionNetwork, RecurrentNetwork
from viz.number_map import NumberMap
from viz.orders import Orders
from viz.outcomes import Outcomes
from viz.picture import Picture
from viz.probability_grids import FlipGrid
from viz.room import Room
from viz.rotary_pairs import RotaryPairs
from viz.schemes import SchemeCurve, Schemes
from viz.spreads import Spreads, Statistics, VectorBars, WordBars
from viz.theme import DARK, LIGHT, THEMES
from viz.training import PANELS, TrainingCurves
from viz.unrolled_text import UnrolledText
from viz.verdicts import Verdicts

WORDS = ("Zuko", "<i>met</i>", "$x$", "Zuko", "\u202eevil")
SHOWN = ("Zuko", "<i>met</i>", "$x$", "\ufffdevil")
"""The words as a reader sees them."""

CAUSAL = np.tri(5, dtype=bool)
RNG = np.random.default_rng(3)
SIGNED = RNG.normal(size=(5, 5))
SHARES = RNG.dirichlet(np.ones(5), size=5)
PATTERN = np.where(CAUSAL, SHARES, 0) / np.where(CAUSAL, SHARES, 0).sum(axis=1, keepdims=True)
GAPS = np.where(CAUSAL, PATTERN, np.nan)
HEADS = np.broadcast_to(PATTERN, (2, 3, 5, 5))
ROW = PATTERN[4]

SCORES = pd.DataFrame(
    [(layer, head, "<i>met</i>", 0.1 * head, 0.25, 4) for layer in (1, 2) for head in (1, 2, 3)],
    columns=["layer", "head", "score", "value", "baseline", "places"],
)
NEXT = pd.DataFrame({"word": WORDS, "before": ROW, "after": ROW[::-1], "answer": [False] * 4 + [True]})
LOGITS = pd.DataFrame(
    {"word": WORDS[1:4], "logit": [3.0, 1.0, -2.0], "probability": [0.876, 0.118, 0.006], "answer": False}
)
BEAM = pd.DataFrame(
    [(WORDS[1], 1, 0, 0, -0.5, -0.5, True), (WORDS[2], 2, 0, 0, -0.25, -0.75, True)],
    columns=["word", "step", "rank", "parent", "log_probability", "total", "best"],
)
CURVES = pd.DataFrame(
    {"net": ["<i>met</i>"] * 3 + ["$x$"] * 3, "n": [1, 2, 3] * 2, "y": [5.0, 3, 1, 2, 4, 6]}
)
STEPS = pd.DataFrame({"step": [1, 2], **{panel.column: [0.5, 0.25] for panel in PANELS}})
OUTCOMES = pd.DataFrame(
    {"method": ["fill", "fill"], "format": ["float32", "float16"], "on masked keys": [0.0, 0.25]}
).assign(**{"row sum": [1.0, 0.75], "verdict": ["exact", "leaks"]})
VERDICTS = pd.DataFrame(
    [
        (mask, scheme, 1, at, WORDS[at], at == 2, float(at))
        for mask in ("causal", "none")
        for scheme in ("learned", "ALiBi")
        for at in range(5)
    ],
    columns=["mask", "positions", "layers", "place", "word", "same", "difference"],
)
UNITS = ("before", "forget", "write", "candidate", "output", "cell", "hidden")
LSTM = {name: np.array([0.2, 0.4]) for name in UNITS}
BOXES = (
    Box("words", "words", "<i>met</i>", "2 words", ()),
    Box("embed", "embedding", "$x$", "2 × 8", ("words",)),
    Box("out", "output", "Output", "2 × 9", ("embed",)),
)
ENCODER = (
    Box("embed", "words", "$x$", "2 × 7", (), stack="encoder"),
    Box("hidden", "state", "hidden states", "2 × 7", (), stack="encoder"),
)
COUNTS = np.array([[0] * 5, [1, 2, 3, 4, 5]])


DATA = (
    PATTERN,
    SIGNED,
    SHARES,
    CAUSAL,
    COUNTS,
    SCORES,
    NEXT,
    LOGITS,
    BEAM,
    CURVES,
    STEPS,
    OUTCOMES,
    VERDICTS,
)


@dataclass(frozen=True)
class Chart:
    """A chart drawn in a theme, the labels that it must show, and the numbers that its table must hold."""

    picture: Picture
    labels: tuple[str, ...] = SHOWN
    numbers: Any = None
    masks: int = 0
    """Number of cells that are drawn as masked, each with a dot or a −∞."""


MATRICES = {
    "one head": Chart(
        HeadMatrix(pattern=PATTERN, words=WORDS, title="H", allowed=CAUSAL), numbers=GAPS, masks=10
    ),
    "close up": Chart(
        CloseUp(pattern=PATTERN, words=WORDS, around=(4, 1), title="H", allowed=CAUSAL), masks=10
    ),
    "heads": Chart(
        Heads(patterns=HEADS, title="H", words=WORDS, allowed=CAUSAL, selected=(1, 2)),
        labels=("head 1", "layer 1", "layer 2"),
        masks=60,
    ),
    "alignment": Chart(
        Alignment(values=SIGNED, queries=WORDS, keys=WORDS, title="A", signed=True, gold=[(0, 1)]),
        numbers=SIGNED,
    ),
    "between": Chart(SentencePairMatrix(values=SHARES, queries=WORDS, keys=WORDS, title="A"), numbers=SHARES),
    "comparison": Chart(
        Comparison(
            a=PATTERN,
            b=SHARES,
            words=WORDS,
            title="C",
            titles=("<i>met</i>", "B"),
            allowed=(CAUSAL, np.ones((5, 5), bool)),
        ),
        masks=10,
    ),
    "stages": Chart(
        Stages(
            stages=[
                StagePanel("scores", SIGNED, "scores"),
                StagePanel("mask", CAUSAL, "mask", sign="then"),
                StagePanel("softmax", PATTERN, "weights", sign="="),
            ],
            words=WORDS,
            title="S",
        ),
        labels=(*SHOWN, "scores", "mask", "softmax", "then"),
        numbers=PATTERN,
        masks=20,
    ),
    "painted": Chart(
        MaskedWeights(
            allowed=CAUSAL, pattern=PATTERN, words=WORDS, kept=ROW, title="P", beside="p", flipped=[(2, 0)]
        ),
        numbers=GAPS,
        masks=20,
    ),
    "reached": Chart(
        MaskedDependence(allowed=CAUSAL, shares=PATTERN, norms=PATTERN, words=WORDS, title="G", beside="g"),
        numbers=PATTERN,
    ),
    "flips": Chart(
        FlipGrid(values=SHARES, texts=WORDS, models=("a", "b", "c", "d", "e"), title="F", wrong=[(0, 1)]),
        numbers=SHARES,
    ),
}
"""Charts whose cells are square, for every width."""

SIZED = MATRICES | {
    "head counts": Chart(
        HeadsByCount(patterns=HEADS, title="M", counts=(2, 3), words=WORDS, allowed=CAUSAL, selected=(0, 1)),
        labels=("2 heads", "3 heads"),
    ),
    "head effects": Chart(
        HeadEffects(title="E", heads=SCORES.assign(divergence=SCORES["value"])),
        labels=("layer 1, head 1", "layer 2, head 3", "KL divergence", "nats"),
        numbers=SCORES["value"],
    ),
    "head scores": Chart(
        HeadScores(title="S", scores=SCORES, meanings={"<i>met</i>": "share"}),
        labels=("<i>met</i>",),
        numbers=SCORES["value"],
    ),
    "head blocks": Chart(
        HeadBlocks(
            kinds=[Kind(name="narrow", shape=(4, 4), n_heads=2)],
            d_model=8,
            title="Q",
            make_table=lambda: SCORES,
        ),
        labels=("narrow", "2 × (4 × 4)"),
    ),
    "beam": Chart(
        BeamTree(title="B", hypotheses=BEAM),
        labels=("<i>met</i>", "$x$"),
        numbers=BEAM["total"],
    ),
    "next words": Chart(
        LikelyWords(title="N", words=NEXT, after="without"),
        numbers=NEXT["before"],
    ),
    "logits": Chart(
        Logits(title="L", words=LOGITS, state=ROW, logit="logit"),
        labels=("<i>met</i>", "$x$", "Zuko"),
        numbers=LOGITS["logit"],
    ),
    "rotary pairs": Chart(
        RotaryPairs(
            q=SIGNED[:, :2],
            k=SIGNED[:, 1:3],
            before=(SIGNED[:, :2], SIGNED[:, :2]),
            parts=ROW,
            title="R",
            titles=WORDS,
            names=("query", "key"),
        ),
        labels=(*SHOWN, "query", "key"),
        numbers=ROW,
    ),
    "schemes": Chart(
        Schemes(
            panels=[
                SchemeCurve(title="<i>met</i>", brief="falls", values=-SHARES),
                SchemeCurve(title="$x$", brief="adds nothing", values=0 * SHARES),
            ],
            chosen=0,
            title="C",
            x_title="words back",
        ),
        labels=("<i>met</i>", "$x$", "falls", "adds nothing", "words back"),
        numbers=-SHARES[0],
    ),
    "arcs": Chart(Arcs(title="A", weights=ROW, words=WORDS, query=4), numbers=ROW),
    "architecture": Chart(
        Architecture(title="M", boxes=BOXES, make_table=pd.DataFrame),
        labels=("<i>met</i>", "$x$", "Output", "2 × 8"),
    ),
    "inside": Chart(
        Inside(title="Inside of M", boxes=BOXES[1:], entering="x", make_table=pd.DataFrame),
        labels=("$x$", "Output", "2 × 8"),
    ),
    "unrolled": Chart(
        UnrolledNetwork(
            title="N",
            name="N",
            rows=ENCODER,
            words={"encoder": WORDS[1:3]},
            arrows=[(("embed", 0), ("hidden", 0))],
            make_table=pd.DataFrame,
        ),
        labels=("<i>met</i>", "$x$", "hidden states", "2 × 7"),
    ),
    "LSTM": Chart(
        LSTMCell(title="L", step=LSTM, word=WORDS[1], layer=0),
        labels=("σ 0.30",),
        numbers=np.tile([0.2, 0.4], 7),
    ),
    "fed back": Chart(
        UnrolledText(
            title="U",
            words=WORDS,
            n_given=3,
            name="RNN",
            step=1,
            n_layers=2,
            attends=True,
            make_table=pd.DataFrame,
        ),
        labels=(*SHOWN, "layer 2"),
    ),
}

CHARTS = SIZED | {
    "dots": Chart(
        Dots(
            title="D",
            numbers=ROW,
            names=WORDS,
            quantity="rank correlation",
            unit="<i>met</i>",
            marked=0.5,
            mark="this sentence",
        ),
        labels=("<i>met</i>", "rank correlation", "this sentence"),
        numbers=ROW,
    ),
    "curves": Chart(
        Curves(
            rows=CURVES,
            title="C",
            x="n",
            y="y",
            by="net",
            colours={"<i>met</i>": "attention", "$x$": "recurrence"},
            x_title="words",
            y_title="nats",
            mark=2,
        ),
        labels=("<i>met</i>", "$x$", "words", "nats", "this sentence"),
        numbers=CURVES["y"],
    ),
    "bars": Chart(
        BarRows(
            title="B",
            shares=SHARES[:2],
            rows={"<i>met</i>": "attention", "$x$": "recurrence"},
            columns=WORDS,
            level=(0.5, "guessing"),
        ),
        labels=(*SHOWN, "guessing"),
        numbers=SHARES[:2],
    ),
    "recurrent network": Chart(
        RecurrentNetwork(title="R", words=WORDS, counts=COUNTS, ends=(0, 4), path=[(0, 0), (1, 0)]),
        numbers=COUNTS,
    ),
    "attention network": Chart(
        AttentionNetwork(title="A", words=WORDS, counts=COUNTS, ends=(0, 4), path=[(0, 0), (1, 4)]),
        numbers=COUNTS,
    ),
    "lookup": Chart(
        SoftLookup(
            title="S",
            weights=ROW,
            values=SIGNED,
            words=WORDS,
            results={"$x$": ROW @ SIGNED},
            temperature="1",
        ),
        numbers=SIGNED,
    ),
    "colour map": Chart(
        NumberMap(values=SIGNED, title="M", of="state", x_title="unit", y_title="word", rows=WORDS),
        labels=(*SHOWN, "unit", "state"),
        numbers=SIGNED,
    ),
    "vectors": Chart(Vectors(title="V", values=SIGNED, words=WORDS), numbers=SIGNED),
    "orders": Chart(
        Orders(title="O", weights=(ROW, SHARES[0]), output=(SIGNED[0], SIGNED[1]), words=WORDS, chosen=1),
        labels=(*SHOWN, "first order", "second order"),
        numbers=(ROW, SHARES[0], SHARES[0] - ROW),
    ),
    "outcomes": Chart(
        Outcomes(
            title="O",
            weights=SHARES[None, :2],
            allowed=CAUSAL[2],
            outcomes=OUTCOMES,
            words=WORDS,
            short="<i>met</i>",
        ),
        labels=("fill", "float32", "float16", "masked keys get 0.25"),
        numbers=OUTCOMES["row sum"],
    ),
    "verdicts": Chart(
        Verdicts(title="V", verdicts=VERDICTS, chosen=1),
        labels=("learned", "ALiBi", "<i>met</i>"),
        numbers=VERDICTS["difference"],
    ),
    "spreads": Chart(
        Spreads(stages={"$x$": Statistics(ROW, ROW + 1)}, colours={"$x$": "value"}, words=WORDS, title="S"),
        numbers=(ROW, ROW + 1),
    ),
    "vector": Chart(
        VectorBars(stages={"$x$": ROW}, colours={"$x$": "value"}, title="V"),
        labels=("$x$", "dimension"),
        numbers=ROW,
    ),
    "word bars": Chart(WordBars(measures={"$x$": SIGNED[0]}, words=WORDS, title="W"), numbers=SIGNED[0]),
    "training": Chart(
        TrainingCurves(steps=STEPS, total=9, references={"loss": {"<i>met</i>": 0.4}}, schedule=[0.5]),
        labels=("<i>met</i>", *(panel.title for panel in PANELS)),
        numbers=STEPS["loss"],
    ),
}

EACH = pytest.mark.parametrize("name", CHARTS)
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b")


def in_room(name: str, theme: str = "light", **size: int) -> Figure:
    """Return the figure of a chart on a page, at most `size` pixels wide."""
    room = Room(theme=THEMES[theme], **({"width": size["size"]} if size else {}))
    return CHARTS[name].picture.figure(room)


@cache
def drawn(name: str, theme: str = "light", **size: int) -> dict[str, Any]:
    """Return the figure of a chart as the browser gets it."""
    figure = in_room(name, theme, **size)
    assert isinstance(figure, Figure)
    return json.loads(json.dumps(figure.to_dict()))  # type: ignore[no-any-return]


def heatmaps(figure: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (trace for trace in figure["data"] if trace["type"] == "heatmap")


def array(packed: Any) -> NDArray[np.floating]:
    """Numbers that Plotly takes as bytes, or as a list."""
    if not isinstance(packed, dict):
        return np.array(packed, dtype=float)
    return np.frombuffer(b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)


def strings(part: Any) -> Iterator[str]:
    """Yield every string that a figure shows; what a click reports is not shown."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, one in part.items():
            yield from strings(one) if key not in ("customdata", "bdata") else ()
    elif isinstance(part, list):
        for one in part:
            yield from strings(one)


def assert_shows_all_labels(figure: dict[str, Any], name: str) -> None:
    """Fail if a reader of the figure does not see one of the labels of its chart."""
    seen = {unescape(re.sub("<[^<>]*>", "", markup)) for markup in strings(figure)}
    for label in CHARTS[name].labels:
        assert any(label in text for text in seen), label


def domain(figure: dict[str, Any], ref: str) -> tuple[float, float]:
    """From where to where an axis runs, as shares of the paper."""
    ends: tuple[float, float] = figure["layout"].get(f"{ref[0]}axis{ref[1:]}", {}).get("domain", (0, 1))
    return ends


@EACH
def test_every_label_is_written_and_typed_markup_is_text(name: str) -> None:
    figure = drawn(name)
    assert_shows_all_labels(figure, name)
    for text in strings(figure):
        assert "<i>met" not in text
        assert "$" not in text
        assert "\u202e" not in text


@EACH
def test_themes_differ_in_their_colours_alone_and_grey_has_no_hue(name: str) -> None:
    light, dark = drawn(name), drawn(name, "dark")
    assert dark["layout"]["paper_bgcolor"] == DARK.paper
    assert COLOUR.sub("#", unquote(json.dumps(light))) == COLOUR.sub("#", unquote(json.dumps(dark)))
    grey = set(COLOUR.findall(unquote(json.dumps(drawn(name, "grey")))))
    assert [one for one in grey if not one[1:3] == one[3:5] == one[5:]] == []


@EACH
def test_it_has_a_text_and_a_table_of_its_numbers(name: str) -> None:
    picture = CHARTS[name].picture
    assert picture.alt()
    assert picture.title
    if CHARTS[name].numbers is not None:
        assert picture.has_table
        held = picture.table().select_dtypes("number").to_numpy(dtype=float).ravel()
        for number in np.ravel(np.asarray(CHARTS[name].numbers, dtype=float)):
            assert np.isclose(held, number, equal_nan=True).any(), number


@EACH
def test_plotly_knows_all_attributes_and_drawing_again_gives_the_same(name: str) -> None:
    assert go.Figure(deepcopy(drawn(name))).layout.paper_bgcolor == LIGHT.paper
    before = deepcopy(DATA)
    assert json.loads(json.dumps(in_room(name).to_dict())) == drawn(name)
    for one, other in zip(DATA, before, strict=True):
        np.testing.assert_array_equal(one, other)


@EACH
def test_its_panels_lie_apart_in_the_figure_and_zero_is_paper_between_like_limits(name: str) -> None:
    figure = drawn(name)
    pairs = {(trace.get("xaxis", "x"), trace.get("yaxis", "y")) for trace in figure["data"]}
    panels = [(*domain(figure, x), *domain(figure, y)) for x, y in pairs]
    for left, right, low, high in panels:
        assert -1e-9 <= left < right <= 1 + 1e-9
        assert -1e-9 <= low < high <= 1 + 1e-9
    for one, other in combinations(panels, 2):
        beside = one[1] <= other[0] + 1e-9 or other[1] <= one[0] + 1e-9
        assert beside or one[3] <= other[2] + 1e-9 or other[3] <= one[2] + 1e-9
    for trace in heatmaps(figure) if name != "verdicts" else ():
        low, high = trace["zmin"], trace["zmax"]
        assert low in (0, -high)
        if low:
            assert dict(trace["colorscale"])[0.5] == LIGHT.paper


@each("size", [340, 980])
@pytest.mark.parametrize("name", SIZED)
def test_it_keeps_to_the_width_it_is_given_and_cells_of_matrices_are_square(name: str, size: int) -> None:
    figure = drawn(name, size=size)
    layout = figure["layout"]
    assert layout["width"] <= size + 1
    for trace in heatmaps(figure) if name in MATRICES else ():
        cell = {}
        for axis, pixels in (("x", layout["width"]), ("y", layout["height"])):
            ref = trace.get(f"{axis}axis", axis)
            first, last = layout[f"{axis}axis{ref[1:]}"]["range"]
            cell[axis] = pixels * np.ptp(domain(figure, ref)) / abs(last - first) * trace.get(f"d{axis}", 1)
        assert cell["x"] == pytest.approx(cell["y"], rel=0.02)


@each("theme", THEMES)
@pytest.mark.parametrize("name", [name for name, one in MATRICES.items() if one.masks])
def test_every_masked_cell_is_a_gap_with_its_mark_and_a_line_says_so(name: str, theme: str) -> None:
    figure = drawn(name, theme)
    if name != "heads":  # whose cells are codes in one trace, 0 where masked
        assert sum(np.isnan(array(one["z"])).sum() for one in heatmaps(figure)) == CHARTS[name].masks
    assert figure["layout"].get("images") or "−∞" in list(strings(figure))
    assert any("masked" in note["text"] for note in figure["layout"]["annotations"])


def type_sizes(part: Any) -> Iterator[float]:
    """Yield the size of every font of a figure, without the font that sets the common family."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key.endswith("font") and "family" not in value and "size" in value:
                yield from np.ravel(value["size"])
            yield from type_sizes(value)
    elif isinstance(part, list):
        for one in part:
            yield from type_sizes(one)


STACKED, STACKED_HEIGHT = ("comparison", "stages", "painted", "reached"), 1.5
"""Matrices that stand below each other in a column, and how much higher than others that may make them."""

FRAMES = {
    "large": Room(width=731, height=358, fills=True, smallest_type=10.5),
    "half a large page": Room(width=352, height=358, fills=True, smallest_type=10.5),
    "slide": Room(width=912, height=420, fills=True, medium="print"),
    "column": Room(width=364, medium="print"),
    "telephone": Room(width=350, height=410),
}
"""Rooms of a picture; a large page and files are magnified afterwards."""


@each("room", FRAMES)
@EACH
def test_it_keeps_to_its_room_and_shows_all_of_its_labels_in_legible_type(name: str, room: str) -> None:
    frame = FRAMES[room]
    found = json.loads(json.dumps(CHARTS[name].picture.figure(frame).to_dict()))
    layout = found["layout"]
    assert layout["width"] <= frame.width + 1
    if frame.is_printed or room == "large":
        is_stacked = room == "column" and name in STACKED
        assert layout["height"] <= frame.tallest * (STACKED_HEIGHT if is_stacked else 1) + 1
    if frame.is_printed:
        assert "title" not in layout, "it stands above the picture"
    digits = [one["textfont"].pop("size") for one in heatmaps(found) if "textfont" in one]
    assert min(digits, default=99) >= frame.smallest_label * (
        1 if frame.is_printed or frame.fills else DIGITS_ON_PAGE
    )
    assert min(type_sizes(found)) >= frame.smallest_label - 1e-6
    assert_shows_all_labels(found, name)
