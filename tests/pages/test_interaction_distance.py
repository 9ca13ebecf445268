"""Interaction distance: the counts of Figures 1 and 2 in the boxes, the path between two words, curves."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.measures.distance import costs
from core.measures.distance.timing import LENGTHS, NETWORKS, Timing
from core.model.masks import MASKS
from pages.controls.examples import CHEF, TEA
from pages.interaction_distance import measured_time
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers

PAGE = "interaction-distance"
BLANK = None


def boxes(session: Asked, picture: str) -> list[list[int | None]]:
    """The count in each box, from the row of word vectors upwards."""
    trace = next(trace for trace in session.figure(picture)["data"] if "customdata" in trace)
    places = numbers(trace["customdata"])
    shown = np.full(places.max(axis=0) + 1, BLANK, dtype=object)
    for place, text in zip(places, trace["text"], strict=True):
        digits = re.sub("<[^>]*>", "", text)
        shown[tuple(place)] = int(digits) if digits else BLANK
    return shown.tolist()


def lit(session: Asked, picture: str) -> list[tuple[int, int]]:
    """The boxes whose count is printed bold: the path."""
    trace = next(trace for trace in session.figure(picture)["data"] if "customdata" in trace)
    return [
        tuple(place.tolist())
        for place, text in zip(numbers(trace["customdata"]), trace["text"], strict=True)
        if text.startswith("<b>")
    ]


def curve(session: Asked, picture: str, name: str) -> dict[int, float]:
    """The points of the curve with this name, which its hovers begin with."""
    curves = session.figure(picture)["data"]
    trace = next(curve for curve in curves if curve["hovertext"][0].startswith(f"{name}:"))
    return dict(zip(numbers(trace["x"]).tolist(), numbers(trace["y"]).tolist(), strict=True))


def test_serial_operations_are_those_of_figure_1() -> None:
    session = Asked(PAGE, count="serial operations")

    assert session.value("text") == TEA
    assert boxes(session, "recurrent") == [[0, 0, 0, 0, 0], [1, 2, 3, 4, 5]]
    assert boxes(session, "attention") == [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]


def test_distances_from_tea_are_those_of_figure_2() -> None:
    session = Asked(PAGE, from_=5, to=1)

    assert boxes(session, "recurrent") == [[BLANK] * 4 + [0], [5, 4, 3, 2, 1]]
    assert boxes(session, "attention") == [[BLANK] * 4 + [0], [1, 1, 1, 1, 1]]
    assert "*Zuko* lie 5 operations in a recurrent network that reads backwards, 1 in" in session.prose


@pytest.mark.parametrize(
    ("mask", "layers"),
    [("causal", 6), ("prefix", 2)],
)
def test_masks_and_depths_have_the_counts_of_the_model_of_costs(mask: str, layers: int) -> None:
    session = Asked(PAGE, mask=mask, layers=layers, from_=2, to=4)
    allowed = MASKS[mask].allowed(5)[0, 0].numpy()
    for picture, count in [
        ("recurrent", costs.recurrent_interaction_distances(5, 1, layers, allowed=allowed)),
        ("attention", costs.attention_interaction_distances(5, 1, layers, allowed=allowed)),
    ]:
        expected = [[BLANK if at == costs.UNREACHED else int(at) for at in row] for row in count]
        assert boxes(session, picture) == expected
    assert lit(session, "recurrent") == [(0, 1), (1, 1), (1, 2), *((row, 3) for row in range(1, layers + 1))]
    assert lit(session, "attention") == [(0, 1), *((row, 3) for row in range(1, layers + 1))]


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_serial_operations_have_no_path_and_count_for_the_last_word(mask: str) -> None:
    session = Asked(PAGE, count="serial operations", from_=4, to=2, mask=mask, layers=2)

    assert lit(session, "recurrent") == lit(session, "attention") == []
    assert not session.has("from")
    assert "A state of layer 2 takes 2 to 6 operations one after the other" in session.alt("recurrent")
    coloured = [text for text in session.figure("recurrent")["layout"]["xaxis"]["ticktext"] if "<b>" in text]
    assert coloured == []


@pytest.mark.parametrize("picture", ["recurrent", "attention"])
def test_clicks_choose_where_the_path_begins_and_where_it_ends(picture: str) -> None:
    session = Asked(PAGE, layers=2)

    session.click(picture, x=3, y=0, data=[0, 3])
    session.click(picture, x=1, y=2, data=[2, 1])

    assert (session.link["from"], session.link["to"]) == ("4", "2")
    assert "Between *uncle* and the state of *made*" in session.prose


def test_operations_grow_with_the_sentence_or_stay_one() -> None:
    session = Asked(PAGE, view="operations")

    assert curve(session, "operations_chart", "recurrent") == {n: n for n in range(1, 257)}
    assert set(curve(session, "operations_chart", "self-attention").values()) == {1}
    assert len(session.table("operations_chart")) == 512


@pytest.mark.parametrize("layers", [1, 3])
def test_the_price_is_a_score_for_every_pair(layers: int) -> None:
    session = Asked(PAGE, view="price", layers=layers, text="one two three")
    scores = curve(session, "computed_chart", "self-attention")

    assert scores[3] == 9 * layers
    assert scores[2048] == 2048**2 * layers
    assert curve(session, "computed_chart", "recurrent")[2048] == 2048 * layers
    assert session.alt("computed_chart").startswith(
        "Scores per head or recurrent steps against sentence length."
    )


def measured(device: Any) -> Iterator[Timing]:
    """Invented measurements: each network takes another power of ten."""
    for words in LENGTHS:
        for power, network in enumerate(NETWORKS, start=-4):
            yield Timing(
                network=network,
                words=words,
                seconds=10.0**power,
                fastest=0.5 * 10.0**power,
                low=0.75 * 10.0**power,
                high=3 * 10.0**power,
                repeats=3,
            )


def test_times_are_measured_when_the_reader_asks_and_kept_for_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measured_time, "forward_times", measured)
    session = Session(PAGE, view="measured time")
    assert "Press the button" in session.prose
    assert session.pictures == []

    press_measure(session)

    for power, network in enumerate(NETWORKS, start=-4):
        assert curve(session, "seconds_chart", network) == pytest.approx(dict.fromkeys(LENGTHS, 10.0**power))
    assert "At 2,048 words: RNN 100 µs, LSTM 1 ms, self-attention 10 ms." in session.prose
    bars = session.figure("seconds_chart")["data"][0]["error_y"]
    np.testing.assert_allclose(numbers(bars["array"]), 2e-4)
    np.testing.assert_allclose(numbers(bars["arrayminus"]), 0.25e-4)
    drawn = session.figure("seconds_chart")
    session.set(text=TEA)
    assert session.figure("seconds_chart")["data"] == drawn["data"]


def press_measure(session: Asked) -> None:
    session.press(
        next(button.label for button in session.app.button if button.label.startswith("Measure on"))
    )


@pytest.mark.parametrize("chart", ["operations", "price", "measured time"])
def test_a_mark_stands_at_the_length_of_the_sentence(chart: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_time, "forward_times", measured)
    session = Session(PAGE, view=chart, text=CHEF)
    if chart == "measured time":
        press_measure(session)
    (picture,) = [key for key in session.pictures if key.endswith("_chart")]
    shapes = session.figure(picture)["layout"]["shapes"]
    (line,) = [shape for shape in shapes if shape["x0"] == shape["x1"]]  # others are samples of dashes

    assert line["x0"] == line["x1"] == 13
