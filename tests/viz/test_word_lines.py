"""Lines of attention: thicker for larger weights, and the fewest that hold a share of them."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.layout.figure import unpacked
from viz.word_lines import MOST_LINES, SMALLEST, WordLines, describe_lines, strongest

WORDS = ["the", "chef", "ran"]
PATTERN = np.array([[1.0, 0, 0], [0.3, 0.7, 0], [0.004, 0.096, 0.9]])


def lines_of(figure: Any) -> list[tuple[float, float, int]]:
    """Return width, strength and number of the lines of each look, in the order in which they are drawn."""
    traces = [trace for trace in figure.to_dict()["data"] if trace["mode"] == "lines"]
    n_lines = (int(np.isfinite(unpacked(trace["x"]).astype(float)).sum()) // 2 for trace in traces)
    return [(one["line"]["width"], one.get("opacity", 1), n) for one, n in zip(traces, n_lines, strict=True)]


def texts(figure: Any) -> list[str]:
    return [note["text"] for note in figure.to_dict()["layout"]["annotations"]]


def test_a_larger_weight_has_a_thicker_and_stronger_line_drawn_later() -> None:
    drawn = lines_of(WordLines(title="A head", pattern=PATTERN, words=WORDS).figure())
    assert [number for *_, number in drawn] == [1] * 5, "0.004 and 0 have no line"
    assert drawn == sorted(drawn)
    assert len({strength for _, strength, _ in drawn}) == 5
    assert drawn[-1][1] == 1


def test_weights_without_a_line_are_in_the_table() -> None:
    picture = WordLines(title="A head", pattern=PATTERN, words=WORDS)
    assert PATTERN[2, 0] < SMALLEST
    assert picture.table().loc["ran", "the"] == 0.004


def test_of_very_many_weights_the_largest_have_a_line() -> None:
    weights = np.full((60, 60), 0.01)
    weights[7] = 0.5
    figure = WordLines(title="A head", pattern=weights, words=[f"w{at}" for at in range(60)]).figure()
    assert sum(number for *_, number in lines_of(figure)) == MOST_LINES
    assert lines_of(figure)[-1][2] == 60
    assert texts(figure)[-1].startswith("The 1,500 largest weights. Thicker")
    fewer = WordLines(title="A head", pattern=weights[:9, :9], words=[f"w{at}" for at in range(9)]).figure()
    assert texts(fewer)[-1].startswith("Thicker")


def test_both_columns_have_their_own_words() -> None:
    picture = WordLines(title="Across", pattern=PATTERN[:2], words=["lo", "kefo"], keys=WORDS)
    figure = picture.figure()
    assert texts(figure)[:3] == ["query: attends", "lo", "kefo"]
    assert texts(figure)[3:7] == ["key: attended to", *WORDS]
    assert picture.alt() == (
        "Across: lines of attention, 2 query words by 3 key words. The thickest runs from lo to the, "
        "weight 1.00."
    )


def test_masked_keys_have_no_line() -> None:
    picture = WordLines(title="A head", pattern=np.ones((3, 3)), words=WORDS, allowed=np.tri(3, dtype=bool))
    assert sum(number for *_, number in lines_of(picture.figure())) == 6
    nothing = WordLines(title="A head", pattern=np.full((1, 1), np.nan), words=["tea"])
    assert nothing.alt().endswith("All of it is masked.")
    assert lines_of(nothing.figure()) == []


def test_typed_markup_is_text() -> None:
    words = ["<b>", "the", "the"]
    figure = WordLines(title="A head", pattern=PATTERN, words=words).figure()
    assert "&lt;b&gt;" in texts(figure)
    assert "<b>" not in texts(figure)


def test_a_pattern_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="words"):
        WordLines(title="A head", pattern=PATTERN, words=["tea"]).figure()


MASSES = [0.01, 0.5, 0.9, 1.0]


def fewest(weights: NDArray[np.floating], mass: float) -> int:
    """Return how many keys hold the mass, tried out over every set of keys."""
    exact = weights.astype(np.float64)
    return next(
        n
        for n in range(len(exact) + 1)
        if max((sum(exact[list(keys)]) for keys in combinations(range(len(exact)), n)), default=0)
        >= (mass - 1e-6) * exact.sum()
    )


def kept(lines: pd.DataFrame, query: int) -> pd.DataFrame:
    return lines[lines["query"] == query]


@each("mass", MASSES)
def test_each_query_keeps_the_fewest_keys_that_hold_the_mass(mass: float) -> None:
    pattern = np.random.default_rng(5).dirichlet(np.full(7, 0.5), size=11).astype(np.float32)
    lines = strongest(pattern, mass=mass)
    for query, weights in enumerate(pattern):
        mine = kept(lines, query)
        n = fewest(weights, mass) if mass < 1 else np.count_nonzero(weights)
        assert len(mine) == n
        np.testing.assert_array_equal(mine["weight"], np.sort(weights)[::-1][:n])
        np.testing.assert_array_equal(weights[mine["key"]], mine["weight"])


def test_of_equal_keys_the_earlier_ones_are_kept() -> None:
    lines = strongest(np.tile([[1.0, 3.0, 2.0]], 100) / 600, mass=1)
    assert list(lines["key"]) == [*range(1, 300, 3), *range(2, 300, 3), *range(0, 300, 3)]


def test_a_mass_that_some_keys_hold_exactly_needs_no_more_of_them() -> None:
    pattern = np.array([[0.1, 0.4, 0.5], [0.7, 0.2, 0.1]], dtype=np.float32)
    assert [len(kept(strongest(pattern, mass=0.9), query)) for query in (0, 1)] == [2, 2]
    assert [len(kept(strongest(pattern, mass=0.91), query)) for query in (0, 1)] == [3, 3]


def test_a_query_that_sees_nothing_has_no_line() -> None:
    pattern = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for mass in MASSES:
        lines = strongest(pattern, mass=mass)
        assert lines.to_numpy().tolist() == [[1, 1, 1]]


def test_the_mass_is_a_share_of_a_querys_weights() -> None:
    assert list(strongest(np.array([[0.05, 0.03, 0.02]]), mass=0.5)["key"]) == [0]


@each("mass", [0, -0.1, 1.01, float("nan")])
def test_a_mass_that_is_no_share_is_an_error_that_names_it(mass: float) -> None:
    with pytest.raises(ValueError, match=f"mass must be above 0 and at most 1, got {mass}"):
        strongest(np.eye(2), mass=mass)


def test_a_description_can_count_to_one_and_to_none() -> None:
    assert describe_lines(strongest(np.eye(1), mass=1), ["so"], title="A").startswith(
        "A: 1 line between 1 word. The thickest runs from query so to key so, weight 1.00."
    )
    nothing = strongest(np.zeros((2, 2)), mass=1)
    assert describe_lines(nothing, ["so", "is"], title="A") == "A: 0 lines between 2 words."
