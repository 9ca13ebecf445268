"""The unrolled text: inputs and outputs as far as the step, and an arrow for each word that goes back."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from tests.covering import each
from viz.room import Room
from viz.theme import LIGHT
from viz.unrolled_text import WIDEST, UnrolledText

WORDS = ("the", "chef", "who", "ran", "out", "of", "flour", ".")
GIVEN = 3


def drawn(step: int, *, attends: bool = False, words: tuple[str, ...] = WORDS, **room: Any) -> go.Figure:
    known = {"words": words, "n_given": GIVEN, "name": "LSTM", "step": step, "n_layers": 2}
    picture = UnrolledText(title="U", attends=attends, make_table=pd.DataFrame, **known)
    return picture.figure(Room(**room))


def words_at(figure: go.Figure, row: str) -> list[str]:
    """Return the words of a row from left to right; the lowest row is the inputs."""
    notes = [note for note in figure.layout.annotations if note.text not in NAMES]
    edge = max(note.y for note in notes) if row == "input" else min(note.y for note in notes)
    found = sorted((note.x, note.text) for note in notes if note.y == edge)
    return [text.replace("<b>", "").replace("</b>", "") for _, text in found]


NAMES = ("input", "layer 1", "layer 2", "output", "…")


@each("attends", [False, True])
@each("step", [0, 3])
def test_words_are_drawn_as_far_as_the_step(step: int, attends: bool) -> None:
    figure = drawn(step, attends=attends)
    assert words_at(figure, "input") == list(WORDS[: GIVEN + step])
    assert words_at(figure, "output") == list(WORDS[GIVEN : GIVEN + step + 1])
    assert sorted(set(figure.data[-1].customdata)) == [str(at + 1) for at in range(step + 1)]


@each("step", [0, 3])
def test_an_arrow_goes_back_from_each_word_that_has_been_read_again(step: int) -> None:
    figure = drawn(step)
    back = [trace for trace in figure.data if "lines" in trace.mode and trace.line.color == LIGHT.selection]
    n_lines = sum(int(np.isnan(trace.x).sum()) for trace in back)
    assert n_lines == step


def test_long_words_can_be_read_and_are_cut_where_an_arrow_needs_their_room() -> None:
    words = ("the", "blackcurrants", "near", "blackcurrants", "the", "jar", ".")
    figure = drawn(3, words=words, width=WIDEST * 6 + 86)
    assert words_at(figure, "input") == ["the", "blackcurrants", "near", "blackcurra…", "the", "jar"]
    assert min(note.font.size for note in figure.layout.annotations) == 12


def test_of_a_text_too_long_the_words_up_to_the_step_are_drawn() -> None:
    words = tuple(f"blackberry{at}" for at in range(40))
    for step in (0, 1, 20, 36):
        figure = drawn(step, words=words, width=WIDEST * 6 + 86)
        inputs = words_at(figure, "input")
        assert inputs[-1].startswith("black")
        assert len(inputs) <= 6
        assert max(map(int, figure.data[-1].customdata)) == step + 1
