"""Bars of probabilities: the likeliest words, the word of the sentence, and the run without some heads."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from viz.predictions import SHOWN, SIZE, likeliest, prediction_bars
from viz.theme import LIGHT, THEMES, Theme


def table_of(answer: int | None = 2, n: int = 11) -> pd.DataFrame:
    before = np.linspace(0.3, 0.0001, n)
    return pd.DataFrame(
        {
            "word": [f"word{at}" for at in range(n)],
            "before": before,
            "after": before[::-1] / 2,
            "answer": [at == answer for at in range(n)],
        }
    )


def words_on(figure: dict) -> list[str]:
    return [text.split(">")[-3].split("<")[0] if "<b>" in text else text for text in figure["ticktext"]]


def test_the_likeliest_words_have_bars_of_their_probabilities() -> None:
    table = table_of()
    figure = prediction_bars(table, title="next", theme=LIGHT)
    (bars,) = figure.data
    assert words_on(figure.layout.yaxis) == list(table["word"][:SHOWN])
    assert_allclose(bars.x, table["before"][:SHOWN])
    assert_allclose(bars.y, range(SHOWN))
    assert list(figure.layout.yaxis.tickvals) == list(range(SHOWN))
    assert figure.layout.xaxis.range == (0, 1)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the likeliest is on top"
    assert figure.layout.width == SIZE


def test_an_answer_that_is_less_likely_gets_a_row_of_its_own_below() -> None:
    table = table_of(answer=10)
    figure = prediction_bars(table, title="next", theme=LIGHT)
    (bars,) = figure.data
    assert words_on(figure.layout.yaxis)[-1] == "word10"
    assert len(bars.x) == SHOWN + 1
    assert bars.x[-1] == table["before"][10]
    assert bars.y[-1] - bars.y[-2] > 1, "apart from the likeliest"
    assert bars.text[-1].startswith("<0.001")


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_run_without_heads_has_bars_of_another_look_below_the_first(theme: Theme) -> None:
    table = table_of()
    figure = prediction_bars(table, title="next", theme=theme, after="without 1.3")
    intact, knocked_out = figure.data
    assert_allclose(intact.x, table["before"][:SHOWN])
    assert_allclose(knocked_out.x, table["after"][:SHOWN])
    assert (np.subtract(knocked_out.y, intact.y) > 0).all()
    assert (np.subtract(knocked_out.y, intact.y) >= knocked_out.width).all(), "they do not overlap"
    assert intact.marker.color == theme.attention
    assert knocked_out.marker.pattern.shape == "/"
    (key,) = (note.text for note in figure.layout.annotations)
    assert "all heads" in key
    assert "without 1.3" in key


def test_a_click_anywhere_in_a_row_reports_its_word() -> None:
    table = table_of(answer=10)
    figure = prediction_bars(table, title="next", theme=LIGHT, answers=True, colour=LIGHT.value)
    bars, answering = figure.data
    assert bars.marker.color == LIGHT.value
    assert list(answering.customdata) == list(likeliest(table)["word"])
    assert_allclose(answering.x, 1)
    assert_allclose(answering.y, bars.y)
    assert answering.marker.opacity == 0
    assert "word0: 0.300" in answering.hovertext[0]
    hostile = table.assign(word=["<b>"] * len(table))
    assert "<b>" not in prediction_bars(hostile, title="x", theme=LIGHT, answers=True).data[1].hovertext[0]
