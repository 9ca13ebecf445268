"""Bars beside their names: probabilities of words, effects of heads, and logits."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.testing import assert_allclose

from tests.covering import each
from viz.layout.canvas import MARKUP
from viz.logits import Logits
from viz.named_bars import (
    LARGEST_HEADS,
    SHOWN,
    STATES,
    HeadEffects,
    HeadWeights,
    LikelyWords,
    likeliest,
    shows_all,
)
from viz.room import Room
from viz.text import em_width
from viz.theme import LIGHT, THEMES, Theme

ROOMS = [
    Room(width=860, height=390),
    Room(width=350, height=410),
    Room(width=731, height=358, fills=True, smallest_type=10.5),
    Room(width=352, height=358, fills=True, smallest_type=10.5),
    Room(width=509, medium="print"),
]


def words_of(answer: int | None = 2, n: int = 11) -> pd.DataFrame:
    before = np.linspace(0.3, 0.0001, n)
    return likeliest(
        pd.DataFrame(
            {
                "word": [f"word{at}" for at in range(n)],
                "before": before,
                "after": before[::-1] / 2,
                "answer": [at == answer for at in range(n)],
            }
        )
    )


def heads_of(n_layers: int = 2, n_heads: int = 3, *, scale: float = 1.0) -> pd.DataFrame:
    heads = [(layer + 1, head + 1) for layer in range(n_layers) for head in range(n_heads)]
    values = scale * np.linspace(0.1, 0.7, len(heads))
    return pd.DataFrame(heads, columns=["layer", "head"]).assign(divergence=values, change=values)


def logits_of(*logits: float) -> pd.DataFrame:
    shares = np.exp(logits) / np.exp(logits).sum()
    words = ["hot", "<b>cold", "so"][: len(logits)]
    answers = [at == 1 for at in range(len(logits))]
    return pd.DataFrame({"word": words, "logit": logits, "probability": shares, "answer": answers})


def names_on(figure: go.Figure) -> list[str]:
    """Return the names beside the bars, without markup."""
    return [
        text.split(">")[-3].split("<")[0] if "<b>" in text else text for text in figure.layout.yaxis.ticktext
    ]


def test_the_likeliest_words_have_bars_of_their_probabilities() -> None:
    words = words_of()
    figure = LikelyWords(title="next", words=words).figure()
    (bars,) = figure.data
    assert names_on(figure) == list(words["word"])
    assert_allclose(bars.x, words["before"])
    assert_allclose(bars.y, range(SHOWN))
    assert list(figure.layout.yaxis.tickvals) == list(range(SHOWN))
    assert [figure.layout.xaxis.tickvals[at] for at in (0, -1)] == [0, 1]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the likeliest is on top"


def test_an_answer_that_is_less_likely_gets_a_row_of_its_own_below() -> None:
    words = words_of(answer=10)
    figure = LikelyWords(title="next", words=words).figure()
    (bars,) = figure.data
    assert names_on(figure)[-1] == "word10"
    assert len(bars.x) == SHOWN + 1
    assert bars.x[-1] == words["before"].iloc[-1]
    assert bars.y[-1] - bars.y[-2] > 1, "apart from the likeliest"
    assert MARKUP.sub("", bars.text[-1]).startswith("<0.001")
    assert LIGHT.selection in bars.text[-1], "like its name"


@each("theme", THEMES.values())
def test_a_run_without_heads_has_bars_of_another_look_below_the_first(theme: Theme) -> None:
    words = words_of()
    figure = LikelyWords(title="next", words=words, after="without 1.3").figure(Room(theme=theme))
    intact, knocked_out = figure.data
    assert_allclose(intact.x, words["before"])
    assert_allclose(knocked_out.x, words["after"])
    assert (np.subtract(knocked_out.y, intact.y) >= knocked_out.width).all(), "they do not overlap"
    assert intact.marker.color == theme.attention
    assert knocked_out.marker.pattern.shape == "/"
    notes = " ".join(note.text for note in figure.layout.annotations)
    assert "all heads" in notes
    assert "without 1.3" in notes


@each("room", ROOMS)
@each("after", ["", "without 1.3"])
def test_labels_at_the_end_of_bars_fit_and_names_are_whole(room: Room, after: str) -> None:
    words = words_of(answer=0).assign(before=[0.999, *[0.0001] * (SHOWN - 1)])
    figure = LikelyWords(title="next", words=words, after=after).figure(room)
    axis = figure.layout.xaxis
    left, right = (float(np.interp(end, axis.range, axis.domain)) * figure.layout.width for end in (0, 1))
    for bars in figure.data:
        for share, text in zip(bars.x, bars.text or [], strict=False):
            end = left + share * (right - left) + em_width(MARKUP.sub("", text)) * bars.textfont.size
            assert end <= figure.layout.width
    assert right - left > 0.3 * figure.layout.width
    said = [*figure.data[0].text, *(note.text for note in figure.layout.annotations or ())]
    assert any("← in the sentence" in text for text in said)
    if after:
        numbers = figure.data[0]
        row = np.ptp(figure.layout.yaxis.domain) * figure.layout.height / np.ptp(figure.layout.yaxis.range)
        assert (figure.data[1].y[0] - numbers.y[0]) * row >= 0.9 * numbers.textfont.size


def test_a_click_anywhere_in_a_row_reports_its_word() -> None:
    words = words_of(answer=10)
    figure = LikelyWords(title="next", words=words, is_clickable=True, colour="value").figure()
    bars, answering = figure.data
    assert bars.marker.color == LIGHT.value
    assert list(answering.customdata) == list(words["word"])
    assert_allclose(answering.x, 1)
    assert_allclose(answering.y, bars.y)
    assert answering.marker.opacity == 0
    assert "word0: 0.300" in answering.hovertext[0]
    hostile = LikelyWords(title="x", words=words.assign(word=["<b>"] * len(words)), is_clickable=True)
    assert "<b>" not in hostile.figure().data[1].hovertext[0]


def test_every_head_of_a_few_has_a_bar_with_its_name_beside_an_axis_with_a_unit() -> None:
    heads = heads_of()
    figure = HeadEffects(title="E", heads=heads).figure()
    bars, targets = figure.data
    assert_allclose(bars.x, heads["divergence"])
    assert names_on(figure) == [f"layer {layer}, head {head}" for layer in (1, 2) for head in (1, 2, 3)]
    assert bars.y[3] - bars.y[2] > bars.y[2] - bars.y[1], "layers stand apart"
    assert [tuple(head) for head in targets.customdata] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert_allclose(targets.y, bars.y)
    assert "layer 2, head 1: 0.460 nats" in targets.hovertext[3]
    ticks = figure.layout.xaxis.tickvals
    assert ticks[0] == 0
    assert figure.layout.xaxis.range[0] < 0
    assert figure.layout.xaxis.range[1] > ticks[-1]
    assert ticks[-1] >= bars.x.max()
    assert not figure.layout.xaxis.showgrid, "no line runs through a number"
    assert "KL divergence D(before ‖ after), nats" in [note.text for note in figure.layout.annotations]


@each(("n_layers", "n_heads", "shown"), [(2, 8, 16), (6, 12, LARGEST_HEADS), (30, 9, LARGEST_HEADS)])
def test_of_many_heads_those_that_do_most_have_bars_and_the_silenced(
    n_layers: int, n_heads: int, shown: int
) -> None:
    heads = heads_of(n_layers, n_heads)
    assert shows_all(heads) == (shown == len(heads))
    figure = HeadEffects(title="E", heads=heads, effect=STATES, silenced={(1, 1)}).figure()
    bars, targets = figure.data
    if shown == len(heads):
        assert_allclose(bars.x, heads["change"])
    else:
        assert_allclose(bars.x[:-1], sorted(heads["change"])[: -shown - 1 : -1])
        assert len(targets.customdata) == shown + 1
        assert tuple(targets.customdata[-1]) == (1, 1)
        assert list(bars.marker.pattern.shape) == [""] * shown + ["/"]


WEIGHED = {(2, 1): "induction", (30, 9): "first-token sink"}


@each(("n_layers", "n_heads"), [(2, 4), (6, 12), (30, 9)])
def test_heads_are_sorted_by_the_weight_of_a_cell_and_those_with_a_name_carry_it(
    n_layers: int, n_heads: int
) -> None:
    heads = heads_of(n_layers, n_heads)
    heads = heads.assign(weight=np.random.default_rng(5).permutation(np.linspace(0, 0.9, len(heads))))
    picture = HeadWeights(title="Weight of a cell", heads=heads, shown=(1, 2), kinds=WEIGHED)
    bars, targets = picture.figure().data
    assert (np.diff(bars.x) <= 0).all()
    assert len(bars.x) <= LARGEST_HEADS + 1
    assert bars.x[0] == heads["weight"].max()
    places = [tuple(head) for head in targets.customdata]
    assert (1, 2) in places, "the head that is shown"
    assert [colour == LIGHT.selection for colour in bars.marker.color] == [at == (1, 2) for at in places]
    assert np.allclose(np.diff(bars.y), 1), "no gap between layers: the order is another"
    for head, text in zip(places, bars.text, strict=True):
        assert text.endswith(f" · {WEIGHED[head]}") if head in WEIGHED else "·" not in text
    assert "Click: open this head." in targets.hovertext[0]
    table = picture.table()
    assert len(table) == n_layers * n_heads
    assert list(table["weight"]) == sorted(heads["weight"], reverse=True)
    assert dict(zip(zip(table["layer"], table["head"], strict=True), table["kind"], strict=True))[2, 1] == (
        "induction"
    )
    assert picture.alt().startswith(f"Weight of a cell. The largest of {len(heads)} heads: layer ")
    printed = picture.figure(Room(width=509, medium="print")).data[0]
    assert set(printed.marker.color) == {LIGHT.attention}, "a reader of a paper has selected nothing"


@each(
    ("largest", "ticks"),
    [
        (0.7, ["0", "0.2", "0.4", "0.6", "0.8"]),
        (0.004, ["0", "0.01", "0.02", "0.03", "0.04", "0.05"]),
        (3.2, list("01234")),
    ],
)
def test_ticks_are_round_and_reach_the_largest_effect(largest: float, ticks: list[str]) -> None:
    """If no head matters, no bar looks large."""
    heads = heads_of(2, 2).assign(divergence=[largest, largest / 10, 0, 0])
    axis = HeadEffects(title="E", heads=heads).figure().layout.xaxis
    assert list(axis.ticktext) == ticks


@each("theme", THEMES.values())
def test_heads_that_are_knocked_out_are_hatched_and_named_in_the_colour_of_a_choice(theme: Theme) -> None:
    figure = HeadEffects(title="E", heads=heads_of(), silenced={(1, 3), (2, 1)}).figure(Room(theme=theme))
    look = figure.data[0].marker
    assert list(look.pattern.shape) == ["", "", "/", "/", "", ""]
    assert list(look.color) == [theme.attention] * 2 + [theme.selection] * 2 + [theme.attention] * 2
    assert [theme.selection in name for name in figure.layout.yaxis.ticktext] == [
        False, False, True, True, False, False
    ]  # fmt: skip


def test_small_effects_have_enough_digits_to_differ() -> None:
    heads = heads_of(2, 2).assign(divergence=[0.0041, 0.0013, 0.00004, 0])
    picture = HeadEffects(title="Effects", heads=heads)
    assert list(picture.figure().data[0].text)[:3] == ["0.0041", "0.0013", "4·10⁻⁵"]
    assert (
        "4 heads: layer 1, head 1: 0.0041; layer 1, head 2: 0.0013; layer 2, head 1: 4·10⁻⁵." in picture.alt()
    )


@each(
    ("logits", "span"),
    [((3.0, 1.0, 2.0), (0, 3)), ((1.0, -2.0), (-2, 1)), ((-1.0, -4.0), (-4, 0)), ((0.0,), (0, 1))],
)
def test_logits_begin_at_0_and_probabilities_end_at_1(
    logits: tuple[float, ...], span: tuple[int, int]
) -> None:
    words = logits_of(*logits)
    figure = Logits(title="L", words=words, state=[0.5, -2.0, 1.0], logit="logit").figure()
    one, other, _ = figure.data
    assert_allclose(one.x, logits)
    assert_allclose(other.x, words["probability"])
    for axis, (low, high) in ((figure.layout.xaxis, span), (figure.layout.xaxis2, (0, 1))):
        assert axis.range[0] < low < high < axis.range[1]
        assert axis.range[1] - high < 0.2 * (high - low)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first is on top"


@each("theme", THEMES.values())
def test_the_sign_of_a_number_of_the_state_is_its_direction(theme: Theme) -> None:
    figure = Logits(title="L", words=logits_of(3.0), state=[0.5, -2.0, 1.0], logit="logit").figure(
        Room(theme=theme)
    )
    state = figure.data[2]
    assert list(state.y) == [0.5, -2.0, 1.0]
    assert figure.layout.yaxis3.range[1] == -figure.layout.yaxis3.range[0] > 2
    assert "vector h that the output layer reads: 3 numbers, from −2.00 to 1.00" in [
        note.text for note in figure.layout.annotations
    ]
