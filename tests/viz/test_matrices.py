"""A matrix figure shows the numbers it was given, in their places, and says which place is whose."""

import re
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from viz.alignment import alignment
from viz.matrices import SIZE, alone, describe_heatmap, heatmap
from viz.parts.kinds import real_numbers
from viz.theme import DARK, LIGHT, Theme

ORDER = ["the", "oven", "cooked", "the", "bread", "so"]
CAUSAL = np.tril(np.ones((6, 6), dtype=bool))
BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def weights(n_queries: int, n_keys: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).dirichlet(np.ones(n_keys), size=n_queries).astype(np.float32)


def shown(pattern: NDArray[np.floating], words: list[str] = ORDER, **look: Any) -> go.Figure:
    return heatmap(pattern, words, **{"title": "a head", "theme": LIGHT, **look})


def characters(markup: str) -> str:
    """What a reader sees of a label."""
    return unescape(re.sub("<[^<>]*>", "", markup))


def notes(figure: go.Figure) -> list[str]:
    return [characters(note.text) for note in figure.layout.annotations]


def test_weights_with_digits_have_fixed_limits_whatever_the_weights() -> None:
    figure = shown(weights(6, 6) / 100)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert not any("colours" in note for note in notes(figure))


@pytest.mark.parametrize(
    ("largest", "end"),
    [(1, 1), (0.51, 1), (0.5, 0.5), (0.21, 0.5), (0.2, 0.2), (0.02, 0.02), (0.0011, 0.002), (0, 1)],
)
def test_colours_without_digits_end_soon_after_the_largest_weight_and_the_legend_says_where(
    largest: float, end: float
) -> None:
    pattern = np.full((40, 40), largest / 3)
    pattern[3, 4], pattern[7, 9] = largest, np.nan
    figure = shown(pattern, [f"w{at}" for at in range(40)])
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (0, end)
    assert trace.hovertext[3][4] == f"{largest:.{4 if end == 0.002 else 3 if end == 0.02 else 2}f}"
    said = [note for note in notes(figure) if "colours" in note]
    assert said == ([] if end == 1 else [f"colours end at {end}"])


def test_the_first_query_is_the_first_row_of_numbers_and_stands_on_top() -> None:
    pattern = weights(5, 5)
    figure = shown(pattern, list("abcde"))
    np.testing.assert_array_equal(figure.data[0].z, pattern)
    bottom, top = figure.layout.yaxis.range
    assert bottom > 4 > 0 > top
    left, right = figure.layout.xaxis.range
    assert left < 0 < 4 < right


def test_numbers_go_to_the_browser_as_float32_in_one_trace() -> None:
    figure = shown(weights(6, 6).astype(np.float64))
    assert len(figure.data) == 1
    assert figure.data[0].z.dtype == np.float32
    assert '"dtype":"f4"' in figure.to_json()


def test_words_stand_at_their_positions_so_repeated_ones_stay_apart() -> None:
    figure = shown(weights(6, 6))
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert list(axis.tickvals) == [0, 1, 2, 3, 4, 5]
        assert list(axis.ticktext) == ORDER


def test_queries_stand_beside_and_keys_above_at_sixty_degrees() -> None:
    figure = shown(weights(5, 5), list("abcde"))
    assert list(figure.layout.yaxis.ticktext) == list("abcde")
    assert list(figure.layout.xaxis.ticktext) == list("abcde")
    assert (figure.layout.xaxis.side, figure.layout.xaxis.tickangle) == ("top", -60)


@BOTH
def test_axes_say_in_words_and_in_their_colours_which_is_looking(theme: Theme) -> None:
    figure = shown(weights(6, 6), theme=theme)
    colours = {note.text: note.font.color for note in figure.layout.annotations}
    assert colours["query: attends ↓"] == theme.query
    assert colours["key: attended to →"] == theme.key


def test_typed_markup_is_shown_as_typed_in_labels_title_and_names() -> None:
    typed = "<b>x</b>"
    figure = shown(weights(2, 2), [typed, "y"], title=typed)
    assert figure.layout.xaxis.ticktext[0] == figure.layout.yaxis.ticktext[0] == "&lt;b&gt;x&lt;/b&gt;"
    assert characters(figure.layout.title.text) == typed
    assert "<b>x" not in figure.to_json()


def test_masked_cells_are_gaps_and_zeros_are_not() -> None:
    pattern = np.where(CAUSAL, weights(6, 6), 0).astype(np.float32)
    pattern[5, 2] = 0
    figure = shown(pattern, allowed=CAUSAL)
    np.testing.assert_array_equal(np.isnan(figure.data[0].z), ~CAUSAL)
    assert figure.data[0].z[5, 2] == 0


def test_the_callers_array_is_left_as_it_was() -> None:
    pattern = weights(6, 6)
    before = pattern.copy()
    shown(pattern, allowed=CAUSAL)
    np.testing.assert_array_equal(pattern, before)


def test_a_masked_cell_holds_no_digits_and_its_hover_says_why() -> None:
    (trace,) = shown(weights(6, 6), allowed=CAUSAL).data
    assert trace.text[0][1] == ""
    assert trace.hovertext[0][1] == "masked, not allowed"
    assert characters(trace.text[1][0]) == trace.hovertext[1][0] == f"{weights(6, 6)[1, 0]:.2f}"


def test_masked_cells_are_dotted_below_the_cells_and_a_line_says_so() -> None:
    masked, open_to_all = shown(weights(6, 6), allowed=CAUSAL), shown(weights(6, 6))
    (dots,) = masked.layout.images
    assert (dots.layer, dots.x, dots.y, dots.sizex, dots.sizey) == ("below", -0.5, -0.5, 6, 6)
    assert dots.source.startswith("data:image/svg+xml,")
    assert "· masked: not allowed" in notes(masked)
    assert not open_to_all.layout.images
    assert not any("masked" in note for note in notes(open_to_all))


def test_a_hover_names_query_and_key_in_this_order() -> None:
    (trace,) = shown(weights(6, 6)).data
    assert characters(trace.hovertemplate) == "query %{y} → key %{x}: %{hovertext}"


def test_a_selected_cell_is_framed_and_its_words_wear_their_colours() -> None:
    figure = shown(weights(6, 6), selected=(4, 1))
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (0.5, 1.5, 3.5, 4.5)
    assert (frame.line.color, frame.xref, frame.yref) == (LIGHT.selection, "x", "y")
    assert [at for at, word in enumerate(figure.layout.xaxis.ticktext) if LIGHT.key in word] == [1]
    assert [at for at, word in enumerate(figure.layout.yaxis.ticktext) if LIGHT.query in word] == [4]
    assert [characters(word) for word in figure.layout.yaxis.ticktext] == ORDER


@pytest.mark.parametrize("selected", [(6, 0), (0, 6), (-1, 2)])
def test_a_selection_outside_the_matrix_is_an_error(selected: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=re.escape("below (6, 6)")):
        shown(weights(6, 6), selected=selected)


def test_words_that_do_not_match_the_matrix_are_an_error_that_gives_both_numbers() -> None:
    with pytest.raises(ValueError, match=re.escape("(6, 6) of its words, got (5, 7)")):
        shown(weights(5, 7))


def test_a_matrix_without_words_is_an_error() -> None:
    with pytest.raises(ValueError, match="a query and a key at least"):
        shown(np.zeros((0, 0)), [])


def test_masked_scores_are_minus_infinity_and_do_not_move_the_limits() -> None:
    matrix = np.array([[1.5, -np.inf], [-3.25, 1e9]])
    allowed = np.array([[True, True], [True, False]])
    figure = alone(real_numbers(matrix, ["x", "y"], None, allowed, LIGHT), "scores", LIGHT, None, SIZE)
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (-3.25, 3.25)
    assert [[characters(cell) for cell in row] for row in trace.text] == [["1.5", "−∞"], ["−3.2", "−∞"]]
    assert "−∞ masked: not allowed" in notes(figure)
    assert not figure.layout.images


@BOTH
def test_cells_without_room_for_digits_get_a_colour_bar_with_named_ends(theme: Theme) -> None:
    words = [f"w{at}" for at in range(40)]
    weight = shown(weights(40, 40), words, theme=theme).data[0]
    numbers = real_numbers(weights(40, 40) - 0.5, words, None, None, theme)
    score = alone(numbers, "", theme, None, SIZE).data[0]
    assert weight.text is None
    assert weight.showscale
    assert not shown(weights(6, 6)).data[0].showscale
    assert list(weight.colorbar.tickvals) == [0, weight.zmax]
    assert list(weight.colorbar.ticktext) == ["0", f"{weight.zmax:g}"]
    assert list(score.colorbar.tickvals) == [score.zmin, 0, score.zmax]
    assert list(score.colorbar.ticktext) == [f"−{score.zmax:.2f}", "0", f"{score.zmax:.2f}"]


def test_more_cells_than_one_can_read_have_no_digits_however_large_they_are() -> None:
    read, many = (shown(weights(n, n), [f"w{at}" for at in range(n)], size=900).data[0] for n in (13, 14))
    assert read.texttemplate is not None
    assert not read.showscale
    assert many.texttemplate is None
    assert many.showscale


def test_very_many_cells_bring_no_text_each() -> None:
    pattern, words = np.where(np.tril(np.ones((131, 131))), weights(131, 131), np.nan), ["w"] * 131
    (trace,) = alignment(pattern, words, words, title="", theme=LIGHT).figure.data
    assert trace.hovertext is None
    assert trace.hoverongaps is False
    assert "%{z:.2f}" in trace.hovertemplate


def test_a_heatmap_is_described_by_its_largest_weight_where_there_is_a_choice() -> None:
    pattern = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.1, 0.82, 0.08]])
    text = describe_heatmap(pattern, ["The", "chef", "is"], title="Layer 1", allowed=np.tril(np.ones((3, 3))))
    largest = "Largest weight where there is a choice: is → chef 0.82."
    assert text == f"Layer 1: attention over 3 words. {largest} 3 of 9 cells masked."


def test_where_words_are_left_out_the_last_stays() -> None:
    words = [f"w{at}" for at in range(40)]
    layout = shown(np.eye(40), words, size=420).layout
    for axis in (layout.xaxis, layout.yaxis):
        assert 10 < len(axis.tickvals) < 40
        assert axis.ticktext[-1] == "w39"
