"""The figure of a softmax: every word with its logit and its probability, the state above them."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from tests.covering import each
from viz.logits import logit_bars
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


def test_in_grey_the_heading_says_which_numbers_of_the_state_are_dark() -> None:
    for theme, said in ((LIGHT, "1.00"), (GREY, "1.00, light to dark")):
        notes = logit_bars(table(3.0), STATE, theme=theme, size=700, logit="logit").layout.annotations
        assert f"last state h: 3 numbers, from −2.00 to {said}" in [note.text for note in notes]
