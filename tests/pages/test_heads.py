"""Heads: what one loses, what several can do and cost, and how they share one matrix."""

import numpy as np
import pandas as pd

from core.text.tokenizer import words_of
from pages.contract.examples import MARIA
from pages.contract.look import Look
from pages.contract.question import solution
from pages.heads import how_many, reshape, two_things
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked, mistaken, reasons, whole
from tests.pages.session import computed
from viz.reshape import Blocks, Reshape
from viz.room import Room

PAGE = "heads"
HOW_MANY = {"view": "how many"}


@each(("percent", "maria", "zuko"), [(0, 1, 0), (50, 0.5, 0.5), (80, 1 / 17, 16 / 17), (100, 0, 1)])
def test_the_bars_are_the_losses_of_one_head_at_the_weight_of_the_slider(
    percent: int, maria: float, zuko: float
) -> None:
    table = Asked(PAGE, maria=percent).table("balance")
    np.testing.assert_allclose(table["one head"], [maria, zuko])
    np.testing.assert_allclose(table["two heads"], 0)


@each(
    ("first", "second", "is_asked"),
    [
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.75}, True),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.1, "Zuko": 0.65}, False),
        ({"Maria": 0.8, "Zuko": 0.1}, {"Maria": 0.9, "Zuko": 0.1}, False),
    ],
)
def test_two_heads_are_asked_about_if_each_clearly_takes_another_name(
    first: dict[str, float], second: dict[str, float], is_asked: bool
) -> None:
    asked = two_things.two_heads_question([first, second])
    assert (asked is not None) == is_asked
    assert asked is None or "One gives *Maria* 80 %, the other *Zuko* 75 %" in asked.because


def test_a_click_on_a_tile_opens_its_head_and_one_beside_them_nothing() -> None:
    session = Asked(PAGE, **HOW_MANY)
    for x, y, opened in ((5, 4, (8, 5)), (3, 2, (8, 5))):
        session.click("counts", x=x, y=y)
        assert (session.value("heads"), session.value("head")) == opened
    assert "layer 1, head 5 of 8: " in session.alt("counts_head")


def test_the_sentence_names_the_head_of_the_matrix_only_on_a_page_that_has_it_in_sight() -> None:
    page = Asked(PAGE, **HOW_MANY, heads=2, head=2, layer=2)
    assert page.sheet.headline.endswith("The matrix of weights shows head 2 of layer 2.")
    assert "layer 2, head 2 of 2: " in page.alt("counts_head")
    assert "matrix" not in build_sheet(f"/{PAGE}?view=how+many", Look(fills=True)).sheet.headline


def records(*counts: int) -> pd.DataFrame:
    rows = [(k, 1.5, 0.5, 0.5 + k / 100, 0.25 + k / 100) for k in counts]
    return pd.DataFrame(rows, columns=["heads", "loss", "task", "agreement", "names"])


def test_a_model_that_is_no_better_than_without_reading_is_named() -> None:
    table = records(1, 8).assign(names=[0.47, 1.0])
    assert how_many.near_chance(table) == "; at *names*, the model with 1 head is not clearly better"
    assert not how_many.near_chance(table.assign(names=1.0))


FOUR = "4 heads 29 % of *names* and 54 % of *agreement*"


@each(
    ("counts", "n_heads", "told"),
    [
        (
            (1, 2, 8),
            2,
            "2 heads 27 % of *names* and 52 % of *agreement* are right. With 1 head it is 26 % and 51 %",
        ),
        ((4,), 8, f"{FOUR} are right"),
    ],
)
def test_the_model_of_the_switches_is_compared_with_another(
    counts: tuple[int, ...], n_heads: int, told: str
) -> None:
    assert how_many.headline(records(*counts), n_heads, is_ablated=False) == f"With {told}."
    in_hall = how_many.headline(records(*counts), n_heads, is_ablated=False, is_hall=True)
    n_scored = in_hall.count("*") // 2
    assert n_scored == (1 if len(counts) > 1 else 2), "the picture has the bars of one question"
    assert how_many.headline(records(), n_heads, is_ablated=False) == how_many.UNTRAINED
    told = how_many.headline(records(1, 4), 4, is_ablated=True)
    assert told == f"Before the ablation, with {FOUR} are right."


def test_eight_heads_have_as_many_parameters_as_one() -> None:
    asked = whole(how_many.parameters_of_heads({1: 16_384, 2: 16_384, 8: 16_384}, 64))
    assert solution(asked) == "neither"
    assert "d/k = 8 dimensions, and 8 · 8 = 64" in reasons(asked)["the layer with 8 heads"]
    for parameters in ({1: 16_384, 8: 20_000}, {2: 5, 8: 5}, {1: 5}):
        assert how_many.parameters_of_heads(parameters, 64) is None


@each(
    ("form", "shape", "part"),
    [("n × d", "11 × 48", "q"), ("n × k × d/k", "11 × 8 × 6", "v"), ("k × n × d/k", "8 × 11 × 6", "k")],
)
def test_a_reshape_moves_blocks_and_changes_no_number(form: str, shape: str, part: str) -> None:
    session = Asked(PAGE, view="reshape", heads=8, shape=form, vectors=part, layer=2)
    vectors = computed(MARIA, source="trained", n_heads=8).vectors(1, part)
    np.testing.assert_allclose(session.table("reshape"), np.concatenate(list(vectors), axis=1), atol=1e-6)
    assert session.sheet.headline.endswith(f"{form} = {shape}.")
    data = session.drawing("reshape")
    assert data["places"] == [list(place) for place in Blocks(n_heads=8, n_words=11, d_head=6).places(form)]
    words = words_of(MARIA)
    drawn = Reshape(vectors=vectors, words=words, form=form, name=part, role="query").drawing(Room())
    assert data["colours"] == drawn["colours"]
    assert data["labels"] == list(words)


def test_a_head_sees_every_word() -> None:
    asked = whole(reshape.what_a_head_sees(11, 4, 12))
    assert solution(asked) == "12 numbers of every word's query"
    assert reshape.what_a_head_sees(11, 1, 48) is None
    assert reshape.what_a_head_sees(1, 4, 12) is None
    assert mistaken(reshape.products_for_all_heads("queries", 4)) == [4]
    assert reshape.products_for_all_heads("keys", 1) is None
