from typing import Any

from viz.parts.thinned import thinned, thinned_bars


def axis(words: list[str], **look: Any) -> dict[str, Any]:
    ticks = {"tickvals": list(range(len(words))), "ticktext": words, "tickfont": {"size": 10}}
    return {"range": (-0.5, len(words) - 0.5), **ticks, **look}


WORDS = ["the", "oven", "cooked", "bread", "so", "well"]


def test_words_that_have_room_stay() -> None:
    given = axis(WORDS, tickangle=-60)
    assert thinned(given, "x", 6 * 12) == given


def test_slanted_words_that_would_touch_are_thinned_evenly() -> None:
    assert thinned(axis(WORDS, tickangle=-60), "x", 6 * 8)["ticktext"] == ["oven", "bread", "well"]
    assert thinned(axis(WORDS), "y", 6 * 4)["tickvals"] == [2, 5], "the last word stays"


def test_a_chosen_word_stays_and_its_neighbours_go() -> None:
    words = [f"<b>{word}</b>" if word == "bread" else word for word in WORDS]
    assert thinned(axis(words), "y", 6 * 6)["ticktext"] == ["oven", "<b>bread</b>", "well"]


def test_a_hover_still_names_words_left_out() -> None:
    found = thinned(axis(WORDS, labelalias={}), "y", 6 * 6)
    assert found["labelalias"] == {"0": "the", "2": "cooked", "4": "so"}


def test_words_that_were_left_out_come_back_where_there_is_room() -> None:
    narrow = thinned(axis(WORDS, labelalias={}), "y", 6 * 6)
    found = thinned(narrow, "y", 6 * 12)
    assert (found["ticktext"], found["tickvals"], found["labelalias"]) == (WORDS, list(range(6)), {})


def test_names_side_by_side_stay_and_numbers_are_thinned() -> None:
    assert thinned(axis(WORDS), "x", 60)["ticktext"] == WORDS
    assert thinned(axis(["1–2", "10–13", "25–33"]), "x", 60)["ticktext"] == ["1–2", "25–33"]


def test_numbers_above_bars_that_would_touch_are_thinned() -> None:
    bars = {"type": "bar", "text": [">99.9"] * 6, "textfont": {"size": 10}}
    layout = {"xaxis": axis(WORDS)}
    assert thinned_bars(bars, layout, 6 * 40) == bars
    assert thinned_bars(bars, layout, 6 * 20)["text"] == [">99.9", ""] * 3
    beside = {**bars, "text": ["1 %", ">99.9"] * 3}
    assert thinned_bars(beside, layout, 6 * 25) == beside, "a narrow one leaves its neighbour room"
    alone = {**bars, "text": ["", ">99.9", *[""] * 4]}
    assert thinned_bars(alone, layout, 6 * 20) == alone
    lying = {**bars, "orientation": "h"}
    assert thinned_bars(lying, layout, 6 * 20) == lying
