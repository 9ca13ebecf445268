"""The inside of an LSTM: every part is written once, with the numbers of the step, at any width."""

import numpy as np

from viz.architectures.lstm_cell import TITLES, LSTMCell
from viz.room import Room
from viz.theme import LIGHT

STEP = {
    "before": np.array([3.0, 4.0]),
    "forget": np.array([0.1, 0.3]),
    "write": np.array([0.4, 0.6]),
    "candidate": np.array([-0.5, -0.1]),
    "output": np.array([0.9, 0.7]),
    "cell": np.array([0.0, 2.0]),
    "hidden": np.array([0.6, 0.8]),
}


PICTURE = LSTMCell(title="L", step=STEP, word="stores", layer=1)


def test_the_boxes_have_their_functions_and_the_means_of_their_units() -> None:
    texts = [note.text for note in PICTURE.figure(Room()).layout.annotations]
    for said in (*TITLES.values(), "σ 0.20", "σ 0.50", "tanh −0.30", "σ 0.80"):
        assert texts.count(said) == 1, said
    assert sorted(text for text in texts if text in ("⊙", "+", "tanh")) == ["+", "tanh", "⊙", "⊙", "⊙"]


def test_the_text_and_the_table_have_the_numbers_of_the_step() -> None:
    picture = PICTURE
    assert "An LSTM reads stores in layer 2." in picture.alt()
    assert "forget gate f 0.20, input gate i 0.50, output gate o 0.80" in picture.alt()
    assert (
        "The length of the cell vector goes from 5.00 to 2.00, and the length of the state is 1.00."
        in picture.alt()
    )
    assert picture.has_table
    table = picture.table()
    assert list(table["input gate i"]) == [0.4, 0.6]
    assert list(table["before"]) == [3.0, 4.0]
    assert list(table.index) == [1, 2]


def test_a_wall_has_no_lengths() -> None:
    def lengths(room: Room) -> int:
        return sum("length" in note.text for note in PICTURE.figure(room).layout.annotations)

    assert lengths(Room()) == 3
    assert lengths(Room(fills=True)) == 0


def test_one_gate_can_be_framed() -> None:
    framed = LSTMCell(title="L", step=STEP, word="stores", layer=1, framed="forget")

    def in_colour(picture: LSTMCell) -> int:
        shapes = picture.figure(Room()).layout.shapes
        return sum(shape.line.color == LIGHT.selection for shape in shapes)

    assert in_colour(PICTURE) == 0
    assert in_colour(framed) == 1
