"""A comparison shows A, B and B − A, and tells a word that may not look from one that does not."""

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from viz.comparison import compared, comparison
from viz.theme import DARK, LIGHT, Theme

WORDS = ["the", "oven", "cooked", "the", "bread"]
ALL = np.ones((5, 5), dtype=bool)
CAUSAL = np.tril(ALL)
A = np.random.default_rng(3).dirichlet(np.ones(5), size=5)
B = np.random.default_rng(4).dirichlet(np.ones(5), size=5)
B_CAUSAL = np.where(CAUSAL, B, 0) / np.where(CAUSAL, B, 0).sum(axis=1, keepdims=True)

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
    return comparison(a, b, words, titles=titles, theme=theme, allowed=allowed, **look)  # type: ignore[arg-type]


def test_the_third_panel_is_b_minus_a() -> None:
    first, second, change = drawn().data
    np.testing.assert_allclose(first.z, A, rtol=1e-6)
    np.testing.assert_allclose(second.z, B, rtol=1e-6)
    np.testing.assert_allclose(change.z, B - A, atol=1e-7)


def test_weights_run_from_0_to_1_and_the_change_as_far_as_it_goes_on_both_sides() -> None:
    first, second, change = drawn().data
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax) == (0, 1)
    largest = np.abs(B - A).max()
    assert (change.zmin, change.zmax) == pytest.approx((-largest, largest))


def test_without_digits_both_sets_of_weights_share_the_end_that_the_larger_needs() -> None:
    a, b = np.full((30, 30), 1 / 30), np.full((30, 30), 1 / 30)
    b[2, 3] = 0.19
    everywhere = np.ones((30, 30), bool)
    figure = drawn(a, b, (everywhere, everywhere), [f"w{at}" for at in range(30)])
    first, second, change = figure.data
    assert (first.zmax, second.zmax) == (0.2, 0.2)
    assert change.zmax == pytest.approx(0.19 - 1 / 30)
    said = [note for note in figure.layout.annotations if note.text == "colours end at 0.2"]
    assert len(said) == 2


def test_from_afar_the_labels_name_the_cell_that_is_selected_and_not_the_first_of_its_block() -> None:
    n, query, key = 131, 127, 2
    alike, everywhere = np.full((n, n), 1 / n), np.ones((n, n), bool)
    words = [f"w{at}" for at in range(n)]
    layout = drawn(alike, alike, (everywhere, everywhere), words, selected=(query, key)).layout
    assert any(f">{query + 1} w{query}<" in name for name in layout.yaxis.ticktext)
    assert any(f">{key + 1} w{key}<" in name for name in layout.xaxis.ticktext)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_change_has_its_own_colours(theme: Theme) -> None:
    first, second, change = drawn(theme=theme).data
    assert first.colorscale == second.colorscale == theme.sequential
    assert change.colorscale == theme.diverging


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


def test_a_masked_panel_says_so_and_an_unmasked_one_does_not() -> None:
    notes = [note.text for note in drawn(A, B_CAUSAL, (ALL, CAUSAL)).layout.annotations]
    assert sum("masked" in note for note in notes) == 1


def test_changes_carry_their_sign() -> None:
    a, b = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.5, 0.5], [0.5, 0.5]])
    both = (np.ones((2, 2)), np.ones((2, 2)))
    change = drawn(a, b, both, ["so", "is"]).data[2]
    assert [[cell.split(">")[1].split("<")[0] for cell in row] for row in change.text] == [
        ["−0.25", "+0.25"],
        ["0.00", "0.00"],
    ]


def test_rounding_is_not_stretched_into_colours() -> None:
    figure = drawn(A, A + 1e-8)
    assert (figure.data[2].zmin, figure.data[2].zmax) == (-1, 1)
    assert "no cell differs" in [note.text for note in figure.layout.annotations]
    assert "no cell differs" not in [note.text for note in drawn().layout.annotations]


def test_titles_are_literal_and_stand_over_their_panels() -> None:
    figure = comparison(A, B, WORDS, titles=("<i>A</i>", "B"), theme=LIGHT, allowed=(ALL, ALL))
    captions = ["<b>&lt;i&gt;A&lt;/i&gt;</b>", "<b>B</b>", "<b>B − A</b>"]
    notes = {note.text: note for note in figure.layout.annotations}
    for caption, axis in zip(captions, figure.select_xaxes(), strict=True):
        assert notes[caption].x == pytest.approx(axis.domain[0], abs=0.01)
        assert notes[caption].xanchor == "left"


def test_no_sign_stands_between_the_panels() -> None:
    assert not any("␣" in note.text for note in drawn().layout.annotations)


def test_a_click_tells_which_panel_it_hit() -> None:
    for at, trace in enumerate(drawn().data):
        np.testing.assert_array_equal(trace.customdata, np.full((5, 5), at))


def test_the_chosen_cell_is_framed_in_every_panel() -> None:
    frames = drawn(selected=(3, 1)).layout.shapes
    assert [(frame.xref, frame.x0, frame.x1, frame.y0, frame.y1) for frame in frames] == [
        (xref, 0.5, 1.5, 2.5, 3.5) for xref in ("x", "x2", "x3")
    ]


@pytest.mark.parametrize("n", [1, 2, 13, 64])
@pytest.mark.parametrize("size", [560, 1080])
def test_a_comparison_is_never_wider_than_the_page_gives_it(n: int, size: int) -> None:
    weights = np.full((n, n), 1 / n)
    figure = drawn(weights, weights, (weights, weights), (WORDS * n)[:n], size=size)
    assert figure.layout.width <= size


def told(a: Matrix, b: Matrix, words: list[str]) -> str:
    allowed = np.ones_like(a, dtype=bool)
    return compared(
        a, b, words, of="layer 1, head 2", titles=("A", "B"), theme=LIGHT, allowed=(allowed, allowed)
    ).alt


def test_a_description_names_the_largest_change_and_tells_repeated_words_apart() -> None:
    a = np.full((5, 5), 0.2)
    b = a.copy()
    b[4, 3], b[4, 0] = 0.05, 0.3
    assert told(a, b, WORDS) == (
        "Attention weights of A and B over 5 words, and their difference. "
        "Largest change: bread to the (4), from 0.20 to 0.05."
    )


def test_a_description_says_when_nothing_changes() -> None:
    assert told(np.eye(1), np.eye(1), ["so"]) == (
        "Attention weights of A and B over 1 word, and their difference. No cell differs."
    )
