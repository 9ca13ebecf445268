"""A row for each model: bars leave an even chance to the side of the verdict, dots carry their errors."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.model_rows import EVEN, SIGNS, model_rows
from viz.picture import Picture
from viz.text import em_width
from viz.theme import LIGHT

VERDICTS = {"RNN <b>": 0.125, "LSTM": 0.9375, "Transformer": 0.5}
KINDS = {"seen": LIGHT.muted, "held out": LIGHT.query}
ACCURACIES = pd.DataFrame(
    [
        (model, kind, share, share - 0.0625, min(share + 0.0625, 1))
        for model, shares in zip(VERDICTS, [(1.0, 0.75), (0.875, 0.25), (0.5, 1.0)], strict=True)
        for kind, share in zip(KINDS, shares, strict=True)
    ],
    columns=["model", "kind", "share", "low", "high"],
)


def picture(accuracies: pd.DataFrame = ACCURACIES) -> Picture:
    titles = ("Probability of praise", "a")
    return model_rows(
        VERDICTS,
        accuracies,
        title="Verdicts",
        ends=("blame", "praise"),
        titles=titles,
        colours=KINDS,
        theme=LIGHT,
    )


def drawn(accuracies: pd.DataFrame = ACCURACIES) -> go.Figure:
    return picture(accuracies).figure


def test_bars_go_from_an_even_chance_to_the_probability_and_change_their_colour_with_the_side() -> None:
    bars = drawn().data[0]
    np.testing.assert_allclose(np.array(bars.base, float) + bars.x, list(VERDICTS.values()))
    assert set(bars.base) == {EVEN}
    down, up = LIGHT.diverging[0][1], LIGHT.diverging[-1][1]
    assert list(bars.marker.color) == [down, up, up]


def test_dots_lie_in_the_row_of_their_model_with_a_line_from_low_to_high() -> None:
    for kind, dots in zip(KINDS, drawn().data[1:], strict=True):
        rows = ACCURACIES[ACCURACIES["kind"] == kind]
        assert np.round(dots.y).tolist() == [0, 1, 2]
        np.testing.assert_allclose(dots.x, rows["share"])
        np.testing.assert_allclose(dots.x + dots.error_x.array, rows["high"])
        np.testing.assert_allclose(dots.x - dots.error_x.arrayminus, rows["low"])
        assert dots.xaxis == "x2"
    first, second = (dots.y for dots in drawn().data[1:])
    assert (np.array(first) < np.array(second)).all()


def test_models_are_named_from_the_top_and_have_room_beside_the_bars() -> None:
    layout = drawn().layout
    assert list(layout.yaxis.ticktext) == ["RNN &lt;b&gt;", "LSTM", "Transformer"]
    assert layout.yaxis.range[0] > layout.yaxis.range[1]
    assert layout.margin.l >= em_width("Transformer") * layout.yaxis.tickfont.size


def test_the_axis_of_accuracies_begins_at_guessing_or_below_the_lowest() -> None:
    low = drawn().layout.xaxis2.range[0]
    assert low < ACCURACIES["low"].min() < EVEN
    better = ACCURACIES[ACCURACIES["share"] >= 0.75]
    assert EVEN - 0.05 < drawn(better).layout.xaxis2.range[0] < EVEN


def test_every_kind_is_named_with_its_sign_in_its_colour() -> None:
    texts = " ".join(note.text for note in drawn().layout.annotations)
    for sign, (kind, colour) in zip(SIGNS, KINDS.items(), strict=False):
        assert f'<span style="color:{colour}">{sign}</span> {kind}' in texts


def test_who_cannot_see_it_is_told_every_verdict_and_the_span_of_accuracies() -> None:
    assert picture().alt == (
        "Probability of praise: RNN <b> 0.125, LSTM 0.938, Transformer 0.500. Accuracies: "
        "seen 50 % to 100 %; held out 25 % to 100 %."
    )


def test_a_baseline_has_a_row_of_dots_below_the_others_and_no_bar() -> None:
    extra = pd.DataFrame(
        [("one <i> word", kind, share, share, share) for kind, share in zip(KINDS, (0.5, 0.0), strict=True)],
        columns=ACCURACIES.columns,
    )
    both = pd.concat([ACCURACIES, extra], ignore_index=True)
    bars, *dots = drawn(both).data
    assert list(bars.y) == [0, 1, 2]
    assert [np.round(one.y).tolist() for one in dots] == [[0, 1, 2, 3]] * 2
    assert [one.x[-1] for one in dots] == [0.5, 0.0]
    assert list(drawn(both).layout.yaxis.ticktext)[-1] == "one &lt;i&gt; word"
    assert drawn(both).layout.height > drawn().layout.height
    told = picture(both).alt
    assert told.endswith("seen 50 % to 100 %; held out 25 % to 100 %. one <i> word: seen 50 %; held out 0 %.")
    make = picture(both).table
    assert make is not None
    table = make()
    assert list(table.columns) == ["probability of praise", *KINDS]
    assert list(table.loc["LSTM"]) == [0.9375, 0.875, 0.25]
    assert list(table["held out"]) == [0.75, 0.25, 1.0, 0.0]
    assert np.isnan(table["probability of praise"].iloc[-1])
