"""A comparison shows A, B and B − A, and a masked key differs from a key with weight 0."""

import re

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from tests.covering import each
from viz.matrices import Comparison
from viz.room import Room
from viz.theme import LIGHT, Theme

WORDS = ["the", "oven", "cooked", "the", "bread"]
ALL = np.ones((5, 5), dtype=bool)
CAUSAL = np.tril(ALL)
A = np.random.default_rng(3).dirichlet(np.ones(5), size=5)
B = np.random.default_rng(4).dirichlet(np.ones(5), size=5)
B_CAUSAL = np.where(CAUSAL, B, 0) / np.where(CAUSAL, B, 0).sum(axis=1, keepdims=True)

SEEDS = (np.random.default_rng(5), np.random.default_rng(6))

Matrix = NDArray[np.floating]


def drawn(
    a: Matrix = A,
    b: Matrix = B,
    allowed: tuple[object, object] = (ALL, ALL),
    words: list[str] = WORDS,
    theme: Theme = LIGHT,
    **look: object,
) -> go.Figure:
    titles = ("A · Layer 1 · head 1", "B · Layer 1 · head 2")
    picture = Comparison(a=a, b=b, words=words, title="C", titles=titles, allowed=allowed, **look)
    return picture.figure(Room(theme=theme))


def test_a_word_that_may_not_look_counts_as_a_weight_of_0() -> None:
    first, second, change = drawn(A, B_CAUSAL, (ALL, CAUSAL)).data
    assert not np.isnan(first.z).any()
    np.testing.assert_array_equal(np.isnan(second.z), ~CAUSAL)
    np.testing.assert_allclose(change.z[~CAUSAL], -A[~CAUSAL], atol=1e-7)
    swapped = drawn(B_CAUSAL, A, (CAUSAL, ALL)).data[2]
    np.testing.assert_allclose(swapped.z[~CAUSAL], A[~CAUSAL], atol=1e-7)


def test_where_both_are_masked_there_is_a_gap_that_is_no_minus_infinity() -> None:
    change = drawn(B_CAUSAL, B_CAUSAL[::-1, ::-1].T, (CAUSAL, CAUSAL)).data[2]
    np.testing.assert_array_equal(np.isnan(change.z), ~CAUSAL)
    assert "∞" not in str(change.text) + str(change.hovertext)


def test_changes_carry_their_sign() -> None:
    a, b = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.5, 0.5], [0.5, 0.5]])
    both = (np.ones((2, 2)), np.ones((2, 2)))
    change = drawn(a, b, both, ["so", "is"]).data[2]
    assert [[cell.split(">")[1].split("<")[0] for cell in row] for row in change.text] == [
        ["−0.25", "+0.25"],
        ["0.00", "0.00"],
    ]


@each(
    ("room", "zero"),
    [
        (Room(width=787, height=480, medium="print"), ""),
        (Room(width=1043, height=440, fills=True, medium="print"), "0"),
    ],
)
def test_changes_have_digits_where_weights_have_them(room: Room, zero: str) -> None:
    allowed = np.tril(np.ones((9, 9), dtype=bool))
    a, b = (np.where(allowed, seed.dirichlet(np.ones(9), size=9), 0) for seed in SEEDS)
    look = {"words": [f"word {at}" for at in range(9)], "titles": ("A", "B"), "allowed": (allowed, allowed)}
    figure = Comparison(a=a, b=b, title="C", **look).figure(room)
    assert not any(trace.showscale for trace in figure.data)
    assert min(trace.textfont.size for trace in figure.data) >= 60 / 7
    texts = [re.sub("<.*?>", "", text) for text in np.ravel(figure.data[2].text)]
    assert all(re.fullmatch(rf"[+−]?{zero}\.[0-9]{{2}}", text) for text in texts if text)
    assert [text == "" for text in texts] == (~allowed).ravel().tolist()
    hovers = np.ravel(figure.data[2].hovertext)[allowed.ravel()]
    assert all(re.fullmatch(r"[+−]?0\.[0-9]{2}", text) for text in hovers)


def test_rounding_is_not_stretched_into_colours() -> None:
    figure = drawn(A, A + 1e-8)
    assert (figure.data[2].zmin, figure.data[2].zmax) == (-1, 1)
    assert "no cell differs" in [note.text for note in figure.layout.annotations]
    assert "no cell differs" not in [note.text for note in drawn().layout.annotations]


def told(a: Matrix, b: Matrix, words: list[str]) -> str:
    allowed = np.ones_like(a, dtype=bool)
    both = {"titles": ("A", "B"), "allowed": (allowed, allowed)}
    return Comparison(a=a, b=b, words=words, title="C", **both).alt()


def test_a_description_says_when_nothing_changes() -> None:
    assert told(np.eye(1), np.eye(1), ["so"]) == (
        "Attention weights of A and B over 1 word, and their difference. No cell differs."
    )
