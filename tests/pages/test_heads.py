"""Heads: what one loses, what three kinds cost, which rank they have, and what each attends to."""

import numpy as np
import pytest

from core.measures.distance import costs
from core.measures.heads import ranks, two_things
from core.measures.heads.head_counts import records_table, with_each
from core.model.config import ModelConfig
from core.sources import SOURCES, load
from core.text.tokenizer import words_of
from pages.contract.sheet import Shown
from pages.controls.examples import MARIA
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import computed, numbers
from viz.bar_rows import FULL
from viz.reshape import Blocks, cell_colours
from viz.theme import LIGHT
from viz.units import per_cent

PAGE = "heads"
HEADS = (1, 2, 4, 8)


def curve(session: Asked, picture: str, name: str) -> list[float]:
    data = session.figure(picture)["data"]
    return numbers(next(one for one in data if one["hovertext"][0].startswith(f"{name}:"))["y"]).tolist()


def test_a_click_on_a_tile_opens_its_head_and_one_beside_them_nothing() -> None:
    session = Asked(PAGE, view="one and many")
    session.click("counts", x=5, y=4)
    assert (session.value("heads"), session.value("head")) == (8, 5)
    session.click("counts", x=3, y=2)
    assert (session.value("heads"), session.value("head")) == (8, 5)
    session.click("counts", x=1, y=1)
    assert (session.value("heads"), session.value("head")) == (1, 1)
    assert "layer 1, head 1 of 1: " in session.alt("counts_head")


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_bars_say_what_the_records_say(mask: str) -> None:
    session = Asked(PAGE, view="one and many", mask=mask)
    configs = with_each(ModelConfig(vocab_size=1, mask=mask))
    table = records_table({n_heads: SOURCES["trained"].record(one) for n_heads, one in configs.items()})
    shown = np.array([numbers(row["y"]) for row in session.figure("abilities")["data"]]) / FULL
    np.testing.assert_allclose(shown, table[["task", "agreement", "names"]].to_numpy().T, atol=1e-6)
    np.testing.assert_allclose(session.table("abilities")["names"], table["names"])
    word = "next word" if mask == "causal" else "masked word"
    shares = ", ".join(map(per_cent, table["agreement"]))
    assert f"Accuracy with 1, 2, 4, 8 heads: {word} prediction" in session.prose
    assert f"*agreement* {shares};" in session.prose


def test_the_balance_that_is_chosen_is_said_and_marked() -> None:
    session = Asked(PAGE, view="two things")
    session.set(maria=80)
    assert "With 80 % of its attention weight on Maria, one head loses at least 6 % of her" in session.prose
    assert "80 %" in str(session.figure("balance")["layout"]["annotations"])
    np.testing.assert_allclose(curve(session, "balance", "both, mean"), 0.5)


def test_learning_ends_where_the_formula_says() -> None:
    session = Asked(PAGE, view="two things")
    table = session.table("two_things_learned")
    np.testing.assert_allclose(table[1:], two_things.learn(2).pattern, atol=1e-6)
    for name, n_heads in (("one head", 1), ("two heads", 2)):
        np.testing.assert_allclose(
            curve(session, "two_things_learning", name), two_things.learn(n_heads).lost, atol=1e-3
        )
    assert list(table.columns) == ["Maria", "met", "Zuko"]


def test_a_number_of_words_with_a_comma_is_whole_in_a_title() -> None:
    page = Asked(PAGE, view="three kinds", n=2048)
    titles = [part.picture.title for part in page.parts if isinstance(part, Shown)]
    assert [title for title in titles if "2,048 words against number of heads" in title]


@pytest.mark.parametrize("heads", [1, 8])
def test_the_three_kinds_cost_what_costs_counts(heads: int) -> None:
    session = Asked(PAGE, view="three kinds", heads=heads, d_model=512, n=128)
    for kind in costs.HEAD_KINDS:
        expected = [costs.head_parameters(kind, d_model=512, n_heads=k) for k in HEADS]
        assert curve(session, "parameters", kind) == expected
        expected = [costs.head_operations(kind, 128, d_model=512, n_heads=k) for k in HEADS]
        assert curve(session, "operations", kind) == expected
    assert session.table("blocks").loc["narrow", "matrix"] == f"{512 // heads} × {512 // heads}"


@pytest.mark.parametrize("model", ["trained", "random"])
def test_more_heads_have_less_rank_each(model: str) -> None:
    session = Asked(PAGE, view="rank", model=model)
    d = 48 if model == "trained" else 64
    found = [f"{d // k} with {k} head{'s' * (k > 1)}" for k in HEADS]
    assert f"QKᵀ is {d} × {d}, and its rank is {', '.join(found)}." in session.prose
    expected = ranks.weight_values(load(model, ModelConfig(vocab_size=1), MARIA.split(), 0), layer=0)[0]
    np.testing.assert_allclose(
        curve(session, "singular_values", "4 heads"), expected[: d // 4 + 1], rtol=1e-5
    )


@each(("form", "shape"), [("n × d", "11 × 48"), ("n × k × d/k", "11 × 8 × 6"), ("k × n × d/k", "8 × 11 × 6")])
@each("part", ["q", "v"])
def test_a_reshape_moves_blocks_and_changes_no_number(form: str, shape: str, part: str) -> None:
    session = Asked(PAGE, view="reshape", heads=8, shape=form, vectors=part, layer=2)
    vectors = computed(MARIA, source="trained", n_heads=8).vectors(1, part)
    flat = np.concatenate(list(vectors), axis=1)
    np.testing.assert_allclose(session.table("reshape"), flat, atol=1e-6)
    assert f"{form} = {shape}.**" in session.prose
    data = session.drawing("reshape")
    assert data["places"] == [list(place) for place in Blocks(n_heads=8, n_words=11, d_head=6).places(form)]
    assert data["colours"] == cell_colours(vectors, LIGHT)
    assert data["labels"] == list(words_of(MARIA))


def test_of_a_long_sentence_the_first_words_are_drawn() -> None:
    session = Asked(PAGE, view="reshape", text="w " * 256)
    assert "The first 12 of 256 words are drawn" in session.prose
    assert "n × d = 256 × 48" in session.prose
