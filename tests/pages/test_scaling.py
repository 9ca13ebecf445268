"""Scaling: what the views show is what core computes, and every verdict and question has both branches."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.measures import scaling
from core.measures.heads.several import configs_by_n_heads
from core.measures.reading import read
from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN
from core.model.config import ModelConfig
from core.sources import load
from pages.contract.examples import TEA
from pages.contract.prose import Typed
from pages.contract.question import Choose, solution
from pages.scaling import heads, long_vectors
from pages.scaling.long_vectors import GRADIENT, SPREAD
from tests.covering import each
from tests.llama import N_LAYERS, llama_folder
from tests.pages.asked import Asked, mistaken
from tests.pages.session import computed
from tests.real import one_model
from words import per_cent

PAGE = "scaling"

TABLE = pd.DataFrame(
    [
        *((1, PLAIN, 8.0), (1, BY_ROOT_D, 1.25), (1, BY_ROOT_D_HEAD, 1.25)),
        *((4, PLAIN, 6.0), (4, BY_ROOT_D, 0.75), (4, BY_ROOT_D_HEAD, 1.5)),
    ],
    columns=["heads", "scores", "spread"],
)


@each(("shown", "column"), [(SPREAD, "spread"), (GRADIENT, "gradient")])
def test_the_curves_agree_with_the_measurement(shown: str, column: str) -> None:
    session = Asked(PAGE, seed=3, curve=shown, d=16)
    table = scaling.growth_table(3).pivot(index="dimensions", columns="scores", values=column)
    for name in (PLAIN, BY_ROOT_D):
        np.testing.assert_allclose(session.curve("growth", name)["y"], table[name])
    if shown == SPREAD:
        np.testing.assert_allclose(session.curve("growth", "√d")["y"], np.sqrt(table.index))
    said, digits = session.prose, 3 if shown == GRADIENT else 2
    assert all(f"{table.loc[16, name]:.{digits}f}" in said for name in (PLAIN, BY_ROOT_D))
    assert list(session.table("growth").index) == list(scaling.WIDTHS)
    assert "d = 16" in str(session.figure("growth")["layout"]["annotations"])
    assert len(session.questions) <= 2


def test_the_third_row_is_the_head_itself_and_the_curves_its_layer() -> None:
    chosen = {"heads": 8, "layer": 2, "head": 7, "word": 3, "mask": "bidirectional"}
    session = Asked(PAGE, view="heads", model="random", **chosen)
    expected = scaling.head_rows(computed(TEA, source="random", n_heads=8, mask="bidirectional"), 1, 6, 2)
    np.testing.assert_allclose(session.table("head_row").T, expected, atol=1e-6)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    table = scaling.heads_table(
        [load("random", one, TEA.split(), 0) for one in configs_by_n_heads(config).values()], layer=1
    )
    for name in scaling.divisors(config):
        expected = table[table["scores"] == name]["spread"]
        np.testing.assert_allclose(session.curve("head_spread", name)["y"], expected, rtol=1e-5)


def test_a_real_model_has_one_number_of_heads_and_its_scores_are_shown_for_every_layer(
    no_real_model: Path,
) -> None:
    text = "the cats saw the other cats"
    llama_folder(no_real_model / "grouped", trained_on=text)
    session = Asked(PAGE, view="heads", model="real", real="grouped", text=text, layer=3, head=5, word=4)
    pieces = one_model("real/grouped").split(text)
    found = read(load("real/grouped", session.scene.switches.config, pieces.texts, 0))
    np.testing.assert_allclose(session.table("head_row").T, scaling.head_rows(found, 2, 4, 3), atol=1e-6)
    np.testing.assert_allclose(session.table("head_row")[BY_ROOT_D_HEAD], found.pattern(2, 4)[3], atol=1e-6)
    for name, by in scaling.divisors(found.config).items():
        spreads = [scaling.spread_within_rows(found, layer) / by for layer in range(N_LAYERS)]
        np.testing.assert_allclose(session.curve("head_spread", name)["y"], spreads, rtol=1e-5)
        if name != PLAIN:
            assert f"{spreads[2]:.2f} for {name}" in session.prose
    assert "√6 = 2.45 times too" in session.prose
    assert "From" not in str(heads.why_of_one(found.config)), "there is no trend"


def test_heads_that_are_wider_than_their_part_are_said_to_be() -> None:
    wide = ModelConfig(vocab_size=1, d_model=48, n_heads=4, head_width=16)
    assert "sums d_head = 16 products; d divided by the heads is another" in heads.why_of_one(wide)
    assert not heads.has_equal_parts(wide)


@each(
    ("told", "said"),
    [
        (
            heads.why(TABLE, 4),
            "From 1 head to 4, the standard deviation goes from 1.25 to 0.75 for q·k / √d. For q·k / √d_head",
        ),
        (
            heads.why(TABLE[TABLE["heads"] == 4], 4),
            "√4 = 2.00 times too large a divisor**. The standard deviation need",
        ),
        (
            heads.headline(ModelConfig(vocab_size=1, d_model=48, n_heads=4), Typed("tea"), layer=1, head=2),
            "In head 2 of layer 1, each score of *tea* adds up 12 products, so the divisor that fits is "
            "√12 = 3.46, and not √48.",
        ),
    ],
)
def test_a_sentence_agrees_with_its_numbers(told: str, said: str) -> None:
    assert said in told


def test_the_headline_compares_the_largest_weight_of_the_row_drawn() -> None:
    """The division lowers the largest weight of every row, and the same word keeps it."""
    for d in (2, 1024):
        session = Asked(PAGE, d=d, word=2)
        plain, divided = (session.table("row")[name] for name in (PLAIN, BY_ROOT_D))
        assert plain.argmax() == divided.argmax()
        key = f"*{session.table('row').index[plain.argmax()]}*"
        said = f"*made* gives {key} {per_cent(plain.max())} of its attention. With scores divided by"
        assert said in session.sheet.headline
        assert f"it gives {key} {per_cent(divided.max())}." in session.sheet.headline
    assert "a standard deviation of" in Asked(PAGE, text="tea").sheet.headline, "one word has one weight"


@each(
    ("asked", "right"),
    [
        (long_vectors.spread_of_dot_products(64, 7.9), "8.00"),
        (long_vectors.equal_scores(16), "6.25 %"),
        (long_vectors.why_divide(64, 7.9, 0.99), "to keep their standard deviation the same at every d"),
        (long_vectors.larger_gradient(8, 0.165, 0.304), "q·k / √d"),
        (long_vectors.larger_gradient(8, 0.4, 0.3), "q·k"),
        (long_vectors.larger_gradient(8, 0.304, 0.3), None),
        (heads.divisor_question(4, 48), "√12 = 3.46"),
        (heads.divisor_question(1, 48), None),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


def test_mistakes_differ_from_the_answer_and_from_each_other() -> None:
    assert mistaken(long_vectors.spread_of_dot_products(64, 7.9)) == [64, 1]
    assert mistaken(long_vectors.spread_of_dot_products(1, 1.1)) == [], "the root of 1 is 1"
    asked = heads.divisor_question(8, 64)
    assert isinstance(asked, Choose)
    assert [one.text[:2] for one in asked.options].count("√8") == 1
