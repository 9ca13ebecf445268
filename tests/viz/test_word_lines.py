"""Lines between two columns of words say the weights of a head by their width and strength."""

from typing import Any

import numpy as np
import pytest

from viz.layout.figure import unpacked
from viz.word_lines import MOST_LINES, SMALLEST, WordLines

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
