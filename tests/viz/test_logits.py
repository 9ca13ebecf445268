"""The figure of a softmax: every word with its logit and its probability, the state above them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.covering import each
from viz.logits import describe_logits, logit_bars
from viz.text import em_width
from viz.theme import GREY, LIGHT

STATE = np.array([0.5, -2.0, 1.0])


def table(*logits: float) -> pd.DataFrame:
    shares = np.exp(logits) / np.exp(logits).sum()
    words = ["hot", "<b>cold", "so"][: len(logits)]
    answers = [at == 1 for at in range(len(logits))]
    return pd.DataFrame({"word": words, "logit": logits, "probability": shares, "answer": answers})


@each(
    ("logits", "span"),
    [((3.0, 1.0, 2.0), (0, 3)), ((1.0, -2.0), (-2, 1)), ((-1.0, -4.0), (-4, 0)), ((0.0,), (0, 1))],
)
def test_logits_begin_at_0_and_probabilities_end_at_1(
    logits: tuple[float, ...], span: tuple[int, int]
) -> None:
    shown = table(*logits)
    figure = logit_bars(shown, STATE, theme=LIGHT, size=700, logit="logit")
    one, other, state = figure.data
    assert_allclose(one.x, logits)
    assert_allclose(other.x, shown["probability"])
    assert_allclose(state.z, STATE[None])
    assert tuple(figure.layout.xaxis.range) == span
    assert tuple(figure.layout.xaxis2.range) == (0, 1)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first is on top"


def test_bars_state_and_words_have_room_of_their_own() -> None:
    layout = logit_bars(table(3.0, 1.0), STATE, theme=LIGHT, size=400, logit="logit").layout
    assert 0 < layout.xaxis.domain[0] < layout.xaxis.domain[1] < layout.xaxis2.domain[0]
    assert layout.xaxis2.domain[1] <= 1
    assert layout.yaxis.domain[1] < layout.yaxis3.domain[0]


@pytest.mark.parametrize(
    ("size", "said"), [(700, "→ softmax → probability"), (340, "→ softmax → p")], ids=["wide", "narrow"]
)
def test_the_heading_of_the_probabilities_ends_within_the_figure(size: int, said: str) -> None:
    layout = logit_bars(table(3.0, 1.0), STATE, theme=LIGHT, size=size, logit="logit").layout
    note = layout.annotations[-1]
    assert note.text == said
    assert layout.width * note.x + em_width(said) * note.font.size <= layout.width


def test_a_word_is_written_as_typed_and_the_answer_in_the_colour_of_what_is_chosen() -> None:
    notes = logit_bars(table(3.0, 1.0), STATE, theme=LIGHT, size=700, logit="logit").layout.annotations
    colours = {note.text: note.font.color for note in notes}
    assert colours["<b>&lt;b&gt;cold</b>"] == LIGHT.selection
    assert colours["hot"] == LIGHT.ink
    assert {"3.00", "0.881", "1.00", "0.119"} <= colours.keys()


def test_in_grey_the_heading_says_which_numbers_of_the_state_are_dark() -> None:
    for theme, said in ((LIGHT, "1.00"), (GREY, "1.00, light to dark")):
        notes = logit_bars(table(3.0), STATE, theme=theme, size=700, logit="logit").layout.annotations
        assert f"last state h: 3 numbers, from −2.00 to {said}" in [note.text for note in notes]


def test_the_alternative_text_has_the_state_and_every_word() -> None:
    assert describe_logits(table(3.0, 1.0), STATE) == (
        "last state h: 3 numbers, from −2.00 to 1.00. Logits to probabilities by the softmax: hot 3.00 to "
        "0.881, <b>cold 1.00 to 0.119."
    )
