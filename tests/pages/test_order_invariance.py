"""Order invariance: two orders of the same words, the chosen word in both, and every setting's verdict."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.order.verdicts import DEPTHS, OrderComparison, compare_orders
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import MASKS, freest_first
from core.sources import LoadedModel, UntrainedError, load
from core.text.tokenizer import words_of
from pages.controls.examples import BREAD, EXAMPLES, OVEN
from pages.controls.orders import another_order
from pages.order_invariance import every_setting
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from viz.units import distance

PAGE = "order-invariance"
SO = 5
VERDICTS = {"view": "every setting"}

SWITCHES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "positions": ("positions", POSITIONS),
    "mask": ("mask", tuple(MASKS)),
    "heads": ("n_heads", (1, 2, 8)),
    "layers": ("n_layers", (1, 6)),
    "norm": ("norm", ("post", "none")),
    "scale": ("scale", (False, True)),
    "residual": ("residual", (True, False)),
    "mlp": ("mlp", (False, True)),
}
"""Every switch but the seed with the field it sets, and its values."""

SETTINGS = covering({name: values for name, (_, values) in SWITCHES.items()})


def fields(setting: dict[str, Any]) -> dict[str, Any]:
    """What the switches are called in ModelConfig."""
    return {SWITCHES[name][0]: value for name, value in setting.items()}


def opened(**parameters: Any) -> Asked:
    """The page with weights at initialisation."""
    return Asked(PAGE, model="random", **parameters)


def compared(
    first: str = OVEN, second: str = BREAD, *, source: str = "random", seed: int = 0, **fields: Any
) -> OrderComparison:
    start = {"vocab_size": 1, "positions": "none", "mask": "bidirectional"}
    config = ModelConfig(**{**start, **fields})
    return compare_orders(
        load(source, config, first.split(), seed), load(source, config, second.split(), seed)
    )


def assert_shown(session: Asked, comparison: OrderComparison, word: int, head: int = 0) -> None:
    weights = [comparison.first_weights[head, word], comparison.second_weights[head, word]]
    output = [comparison.first_output[word], comparison.second_output[word]]
    assert_allclose(session.matrix("orders", panel=0), weights, atol=1e-6)
    assert_allclose(session.matrix("orders", panel=1), output, atol=1e-5)
    verdict = "the same output in both orders, up to rounding" if comparison.same[word] else "another output"
    assert f"***{comparison.words[word]}* gets {verdict}" in session.prose
    assert ("Every other word gets the same" in session.prose) == comparison.same.all()
    assert f"at most {distance(comparison.weight_differences[word])} in any head" in session.prose
    assert f"at most {distance(comparison.output_differences[word])} in any dimension" in session.prose


def agreeing(mask: str, positions: str, layers: int) -> set[int]:
    """Places of the words of the oven that come out the same in both orders: the theory (C9)."""
    if mask == "bidirectional":
        return set(range(6)) if positions == "none" else set()
    if mask == "prefix":  # the orders differ among the words given; one layer deep the last has seen all
        return {SO} if positions == "none" and layers == 1 else set()
    return {0, SO} if positions == "none" and layers == 1 else {0}


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_switches_reach_both_orders(setting: dict[str, Any]) -> None:
    assert_shown(opened(word=2, **setting), compared(**fields(setting)), 1)


@pytest.mark.usefixtures("noise_shelf")
def test_it_opens_with_a_trained_model_and_the_last_word_which_cannot_tell() -> None:
    session = Asked(PAGE)

    assert (session.value("text"), session.value("other")) == (OVEN, BREAD)
    assert (session.value("model"), session.value("layers")) == ("trained", 2)
    assert_shown(session, compared(source="trained"), SO)
    assert session.pictures == ["orders"]


@pytest.mark.usefixtures("noise_shelf")
def test_a_word_that_the_model_does_not_know_is_marked_unless_weights_are_random() -> None:
    orders = {"text": "the xyzzy cooked", "other": "cooked xyzzy the"}
    assert "**xyzzy**†: not among the words" in Asked(PAGE, **orders).prose
    assert "not among the words" not in opened(**orders).prose


def assert_told(table: pd.DataFrame) -> None:
    """The table has the verdict of the theory on every word of the oven, in every setting."""
    for mask, positions, layers in product(MASKS, POSITIONS, DEPTHS):
        rows = table[
            (table["mask"] == mask) & (table["positions"] == positions) & (table["layers"] == layers)
        ]
        assert set(rows["place"][rows["same"]]) == agreeing(mask, positions, layers)
        assert list(rows["word"]) == OVEN.split()
        assert (rows["difference"] > 1e-4).sum() == 6 - len(agreeing(mask, positions, layers))


def test_every_setting_gets_the_verdict_of_the_theory_and_the_picture_is_that_of_the_table() -> None:
    session = opened(**VERDICTS)
    assert_told(session.table("verdicts"))
    assert "ablation" not in session.prose
    assert "who did what" not in session.prose, "nobody has trained random weights to tell it"

    tiles = session.figure("verdicts")["data"][0]
    rows, columns = (
        np.rint((edges[1:] + edges[:-1]) / 2) for edges in map(numbers, (tiles["y"], tiles["x"]))
    )
    settings = list(product(freest_first(), DEPTHS))

    found: dict[tuple[int, int], set[int]] = {}
    for (row, column), place in np.ndenumerate(numbers(tiles["customdata"])):
        if numbers(tiles["z"])[row, column] == 1:
            found.setdefault((int(rows[row]), int(columns[column])), set()).add(int(place))

    for (row, (mask, layers)), (column, positions) in product(enumerate(settings), enumerate(POSITIONS)):
        assert found.get((row, column), set()) == agreeing(mask, positions, layers)
    assert f"in 4 of {6 * len(POSITIONS)} settings" in session.alt("verdicts")


@pytest.mark.parametrize("switch", [{"heads": 1}, {"norm": "post"}], ids=["heads", "norm"])
def test_a_mask_whose_models_do_not_come_with_these_switches_is_left_out_and_named(
    switch: dict[str, object],
) -> None:
    session = Asked(PAGE, **VERDICTS, model="trained", **switch)
    table = session.table("verdicts")
    assert list(dict.fromkeys(table["mask"])) == ["bidirectional", "causal"]
    assert "The prefix mask is not among the settings" in session.prose
    assert f"of {len(DEPTHS) * 2 * len(POSITIONS)} settings" in session.prose
    assert not session.warnings
    assert "not among the settings" not in Asked(PAGE, **VERDICTS, model="trained").prose


def test_a_mask_whose_models_come_with_the_app_is_missed_when_they_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(source: str, config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
        if config.mask == "bidirectional":
            raise UntrainedError("it is gone")
        return load(source, config, words, seed)

    monkeypatch.setattr(every_setting, "load", gone)
    orders = {"text": "the cat saw the dog", "other": "the dog saw the cat"}
    session = Asked(PAGE, **VERDICTS, model="trained", **orders)
    assert [warning for warning in session.warnings if "it is gone" in warning]


def test_a_clicked_tile_chooses_its_word_and_the_seed_reaches_the_verdicts() -> None:
    place = 3
    session = opened(**VERDICTS)
    differences = session.table("verdicts")["difference"]

    session.click("verdicts", x=0.1, y=1.2, data=place)
    assert session.link["word"] == str(place + 1)
    session.set(seed=1)
    assert list(session.table("verdicts")["difference"]) != list(differences)

    session.set(view="one word")
    assert_shown(session, compared(seed=1), place)


@pytest.mark.parametrize("text", ["a b c d e f g h", "two two three", "<b> is **bold**"])
def test_a_shuffle_gives_the_same_words_in_another_order(text: str) -> None:
    session = opened(text=text, other="something else")
    assert session.pictures == []

    session.press("Shuffle the words")

    assert session.warnings == []
    shuffled = session.value("other").split()
    assert sorted("".join(shuffled)) == sorted(text.replace(" ", ""))
    assert session.value("other").replace(" ", "") != text.replace(" ", "")
    at_first = another_order(text, BREAD)
    assert session.link.get("other", at_first) == session.value("other")
    assert session.pictures == ["orders"]


def on_page(**parameters: Any) -> Session:
    """The page with weights at initialisation."""
    return Session(PAGE, model="random", **parameters)


@pytest.mark.parametrize("at", [0, 6, 7])
def test_an_example_comes_into_both_boxes_in_two_orders(at: int) -> None:
    session = on_page(text="the king sings", other="sings the king")
    session.element(f"example_{at}").click()
    session.run()
    assert session.value("text") == EXAMPLES[at]
    assert words_of(session.value("other")) != words_of(EXAMPLES[at])
    assert sorted(words_of(session.value("other"))) == sorted(words_of(EXAMPLES[at]))
    assert session.has("orders")
    assert session.warnings == []

    session.element("way_back").click()
    session.run()
    assert session.value("text") == "the king sings"
    assert session.value("other") == "king the sings"


def test_a_sentence_from_another_page_is_compared_with_another_order_of_its_words() -> None:
    session = Session(model="random", text="the king sings a song")
    session.go("order-invariance")
    assert session.value("text") == "the king sings a song"
    assert session.value("other") == "the a sings king song"
    assert session.warnings == []
    assert session.pictures == ["orders"]
    assert "other" not in session.link, "it follows from the text"


def test_the_second_box_follows_the_first_until_one_types_there() -> None:
    session = on_page()
    session.set(text="a b c d")
    assert session.value("other") == "a c b d"
    session.set(text="")
    assert session.value("other") == BREAD
    session.set(text=BREAD)
    assert session.value("other") == OVEN
    session.set(other="so the oven the bread cooked")
    session.set(text="a b c d")
    assert session.value("other") == "so the oven the bread cooked", "the visitor's own"
    assert "press Shuffle" in session.warnings[0]


def test_the_two_orders_of_the_note_are_those_of_each_other() -> None:
    session = on_page(other="so bread the cooked oven the")
    session.press("the bread …")
    assert (session.value("text"), session.value("other")) == (BREAD, OVEN)
    session.press("the oven …")
    assert (session.value("text"), session.value("other")) == (OVEN, BREAD)


@each(
    ("text", "wanted", "expected"),
    [
        ("a b, c don't d?", (), "a don't c b, d?"),
        ("a b c", (), "b a c"),
        ("a b c d", ("b a d", "d c b a"), "d c b a"),
        ("a b", ("a b",), "b a"),
        ("a a b", (), "b a a"),
        ("a a", (), "a a"),
        ("a", ("b",), "a"),
    ],
)
def test_another_order_keeps_the_first_word_and_the_last_where_it_can(
    text: str, wanted: tuple[str, ...], expected: str
) -> None:
    assert another_order(text, *wanted) == expected


def test_a_word_alone_has_no_other_order() -> None:
    session = opened(text="tea tea")

    session.press("Shuffle the words")

    assert session.value("other") == "tea tea"
    assert session.pictures == ["orders"]
    assert session.infos == ["What is typed has only one order, so nothing differs. Type other words too."]


@pytest.mark.parametrize(
    ("text", "view"),
    [("tea", "one word"), ("the cat sat", "one word"), ("the cat sat", "every setting")],
)
def test_one_order_says_nothing_of_a_model(text: str, view: str) -> None:
    session = Asked(PAGE, text=text, other=text, view=view, positions="rotary", model="trained")
    assert session.infos[0].endswith("Change the order in one of them.") == (text != "tea")
    assert f"Both orders are the same, so *{text.split()[-1]}* gets the same output." in session.prose
    assert "the model sees a bag" not in session.prose


def test_it_names_the_layer_whose_weights_it_compares() -> None:
    assert "The attention weights of *so* in layer 3 differ" in opened(layers=3).prose


def test_a_word_that_does_not_stay_in_its_place_differs_behind_a_mask() -> None:
    assert "*c* gets another output" in opened(text="a b c", other="c a b", mask="causal").prose


@pytest.mark.parametrize(
    ("text", "other", "named"),
    [
        ("the cat", "the dog", ["only the first has cat", "only the second has dog"]),
        ("the the cat", "the cat", ["the first has more of the"]),
        ("a b", "a b ![](http://evil)", ["only the second has !, [, ]"]),
    ],
)
def test_two_orders_of_other_words_get_a_sentence_that_names_them(
    text: str, other: str, named: list[str]
) -> None:
    session = opened()
    session.set(text=text, other=other)

    (warning,) = session.warnings
    assert all(words in readable(warning) for words in named)
    assert warning.startswith("The two orders must have the same words")
    assert "press Shuffle" in warning
    assert session.pictures == []
    assert (session.value("text"), session.value("other")) == (text, other)


def test_a_word_that_the_sentence_has_lost_makes_way_for_the_last() -> None:
    session = opened(word=6)
    session.set(text="the bread", other="bread the")

    assert "***bread* gets " in session.prose
    assert "word = 6, but here it can be 1 to 2" in session.warnings[0]


def test_the_slip_of_the_note_about_this_sentence_is_told() -> None:
    prose = Asked(PAGE).prose
    assert f"its example, *{OVEN}*, has five words" in prose
    assert "its example" not in Asked(PAGE, text="the cat sleeps", other="sleeps the cat").prose
