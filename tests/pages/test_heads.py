"""Heads: what one loses, what several can do and cost, and how they share one matrix."""

import numpy as np
import pandas as pd
import pytest

from core.measures.heads import several as measured
from core.measures.heads.several import records_table, with_each
from core.model.config import ModelConfig
from core.sources import SOURCES
from core.text.tokenizer import words_of
from pages.contract.examples import MARIA
from pages.contract.question import solution
from pages.heads import how_many, reshape, two_things
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import reasons, whole
from tests.pages.session import computed, numbers
from viz.bar_rows import FULL, NAMED, ROW
from viz.reshape import Blocks, cell_colours
from viz.theme import LIGHT

PAGE = "heads"
HOW_MANY = {"view": "how many"}
HEADS = (1, 2, 4, 8)


def curve(session: Asked, picture: str, name: str) -> list[float]:
    data = session.figure(picture)["data"]
    return numbers(next(one for one in data if one["hovertext"][0].startswith(f"{name}:"))["y"]).tolist()


@each(("percent", "maria", "zuko"), [(0, 1, 0), (50, 0.5, 0.5), (80, 1 / 17, 16 / 17), (100, 0, 1)])
def test_the_bars_are_what_one_head_loses_at_the_weight_of_the_slider(
    percent: int, maria: float, zuko: float
) -> None:
    session = Asked(PAGE, maria=percent)
    np.testing.assert_allclose(session.table("balance").loc["one head"], [maria, zuko])
    np.testing.assert_allclose(session.table("balance").loc["two heads"], 0)
    assert f"With {percent} % of its attention weight on Maria" in session.sheet.answer
    assert "50 % on average" in session.sheet.answer


def test_learning_ends_where_the_formula_says() -> None:
    session = Asked(PAGE)
    table = session.table("two_things_learned")
    np.testing.assert_allclose(table[1:], measured.learn(2).pattern, atol=1e-6)
    for name, n_heads in (("one head", 1), ("two heads", 2)):
        found = curve(session, "two_things_learning", name)
        np.testing.assert_allclose(found, measured.learn(n_heads).lost, atol=1e-3)
    assert list(table.columns) == ["Maria", "met", "Zuko"]


@each(
    ("first", "second", "is_asked"),
    [
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.75}, True),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.65}, False),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.9, "Zuko": 0.1}, False),
        ({"Maria": 0.5, "Zuko": 0.5}, {"Maria": 0.5, "Zuko": 0.5}, False),
    ],
)
def test_two_heads_are_asked_about_if_each_clearly_takes_another_name(
    first: dict[str, float], second: dict[str, float], is_asked: bool
) -> None:
    asked = two_things.what_two_heads_attend_to([first, second])
    assert (asked is not None) == is_asked
    assert asked is None or "One gives *Maria* 80 %, the other *Zuko* 75 %" in asked.because


def test_a_head_that_turns_to_one_word_loses_as_much() -> None:
    assert solution(whole(two_things.whole_weight_on_one())) == "50 %, as before"


def test_a_click_on_a_tile_opens_its_head_and_one_beside_them_nothing() -> None:
    session = Asked(PAGE, **HOW_MANY)
    session.click("counts", x=5, y=4)
    assert (session.value("heads"), session.value("head")) == (8, 5)
    session.click("counts", x=3, y=2)
    assert (session.value("heads"), session.value("head")) == (8, 5)
    session.click("counts", x=1, y=1)
    assert (session.value("heads"), session.value("head")) == (1, 1)
    assert "layer 1, head 1 of 1: " in session.alt("counts_head")


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_bars_say_what_the_records_say(mask: str) -> None:
    session = Asked(PAGE, **HOW_MANY, mask=mask)
    configs = with_each(ModelConfig(vocab_size=1, mask=mask))
    table = records_table({n_heads: SOURCES["trained"].record(one) for n_heads, one in configs.items()})
    shown = np.array([numbers(row["y"]) for row in session.figure("abilities")["data"]])
    shown /= FULL * ROW / NAMED  # the bars of a narrow column, with names above them
    np.testing.assert_allclose(shown, table[["task", "agreement", "names"]].to_numpy().T, atol=1e-6)
    np.testing.assert_allclose(session.table("abilities")["names"], table["names"])


def records(*counts: int) -> pd.DataFrame:
    rows = [(k, 1.5, 0.5, 0.5 + k / 100, 0.25 + k / 100) for k in counts]
    return pd.DataFrame(rows, columns=["heads", "loss", "task", "agreement", "names"])


@each(
    ("counts", "n_heads", "told"),
    [
        ((1, 2, 8), 2, ("2 heads, 27 % of *names* and 52 % of *agreement*", "1 head, 26 % and 51 %")),
        ((1, 8), 1, ("1 head, 26 % of *names* and 51 % of *agreement*", "8 heads, 33 % and 58 %")),
        ((4,), 4, ("4 heads, 29 % of *names* and 54 % of *agreement*", "")),
        ((4,), 8, ("4 heads, 29 % of *names* and 54 % of *agreement*", "")),
    ],
)
def test_the_model_of_the_switches_is_compared_with_another(
    counts: tuple[int, ...], n_heads: int, told: tuple[str, str]
) -> None:
    own, other = told
    compared = f"; with {other}" if other else ""
    headline = how_many.headline(records(*counts), n_heads, is_ablated=False)
    assert headline == f"With {own} are right{compared}."
    assert how_many.headline(records(), n_heads, is_ablated=False) == how_many.UNTRAINED


def test_accuracies_are_those_of_the_intact_models() -> None:
    told = how_many.headline(records(4), 4, is_ablated=True)
    assert told == "With 4 heads, 29 % of *names* and 54 % of *agreement* are right with everything in place."
    assert "Accuracy on unseen sentences with everything" in Asked(PAGE, **HOW_MANY, layers=1).alt(
        "abilities"
    )


def test_a_model_that_is_missing_leaves_the_others_in_sight() -> None:
    session = Asked(PAGE, **HOW_MANY, mask="prefix", heads=8)
    assert session.pictures == ["abilities", "query_matrices", "counts"]
    assert "no model with 8 heads and these switches" in session.prose
    assert len(session.warnings) == 1


@pytest.mark.parametrize("heads", [1, 8])
def test_the_three_kinds_cost_what_costs_counts(heads: int) -> None:
    session = Asked(PAGE, **HOW_MANY, heads=heads, d_model=512, n=128, model="random")
    assert "abilities" not in session.pictures
    table = session.table("query_matrices").set_index(["kind", "heads"])
    for kind in measured.HEAD_KINDS:
        for k in HEADS:
            assert table.loc[(kind, k), "parameters"] == measured.head_parameters(
                kind, d_model=512, n_heads=k
            )
            expected = measured.head_operations(kind, 128, d_model=512, n_heads=k)
            assert table.loc[(kind, k), "operations"] == expected
    assert table.loc[("narrow", heads), "matrix"] == f"{512 // heads} × {512 // heads}"
    assert "standard: " in session.alt("query_matrices")
    assert f"{table.loc[('standard', heads), 'parameters']:,} parameters" in session.alt("query_matrices")


@pytest.mark.parametrize(("heads", "n_asked"), [(1, 1), (4, 2)])
def test_parameters_asked_for_are_those_drawn(heads: int, n_asked: int) -> None:
    asked = Asked(PAGE, **HOW_MANY, heads=heads, model="random")
    assert len(asked.questions) == n_asked
    assert solution(asked.questions[0]) == "neither"
    assert "16,384 parameters" in asked.alt("query_matrices")
    assert "16,384" in asked.questions[0].because


def test_eight_heads_have_as_many_parameters_as_one() -> None:
    asked = whole(how_many.parameters_of_heads({1: 16_384, 2: 16_384, 8: 16_384}, 64))
    assert solution(asked) == "neither"
    assert "d/k = 8 dimensions, and 8 · 8 = 64" in reasons(asked)["the layer with 8 heads"]
    assert how_many.parameters_of_heads({1: 16_384, 8: 20_000}, 64) is None
    assert how_many.parameters_of_heads({2: 5, 8: 5}, 64) is None
    assert how_many.parameters_of_heads({1: 5}, 64) is None


def test_kinds_are_put_in_order_unless_they_are_one() -> None:
    asked = whole(how_many.kinds_in_order({"standard": 16, "narrow": 7, "wide": 65}, 4))
    assert [item.split(":")[0] for item in solution(asked).split(", ")] == ["wide", "standard", "narrow"]
    assert how_many.kinds_in_order({"standard": 16, "narrow": 16, "wide": 16}, 1) is None


@each(("form", "shape"), [("n × d", "11 × 48"), ("n × k × d/k", "11 × 8 × 6"), ("k × n × d/k", "8 × 11 × 6")])
@each("part", ["q", "v"])
def test_a_reshape_moves_blocks_and_changes_no_number(form: str, shape: str, part: str) -> None:
    session = Asked(PAGE, view="reshape", heads=8, shape=form, vectors=part, layer=2)
    vectors = computed(MARIA, source="trained", n_heads=8).vectors(1, part)
    flat = np.concatenate(list(vectors), axis=1)
    np.testing.assert_allclose(session.table("reshape"), flat, atol=1e-6)
    assert session.sheet.answer.endswith(f"{form} = {shape}.")
    data = session.drawing("reshape")
    assert data["places"] == [list(place) for place in Blocks(n_heads=8, n_words=11, d_head=6).places(form)]
    assert data["colours"] == cell_colours(vectors, LIGHT)
    assert data["labels"] == list(words_of(MARIA))


def test_of_a_long_sentence_the_first_words_are_drawn() -> None:
    session = Asked(PAGE, view="reshape", text="w " * 256)
    assert "The first 12 of 256 words are drawn" in session.prose
    assert "n × d = 256 × 48" in session.prose


def test_a_head_sees_every_word() -> None:
    asked = whole(reshape.what_a_head_sees(11, 4, 12))
    assert solution(asked) == "every word, in 12 dimensions"
    assert reshape.what_a_head_sees(11, 1, 48) is None
    assert reshape.what_a_head_sees(1, 4, 12) is None
    assert reshape.products_for_all_heads("queries", 4).mistaken[0][0] == 4
    assert reshape.products_for_all_heads("keys", 1).mistaken == ()
