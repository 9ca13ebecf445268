"""Heads: every sentence at each of its branches, said of small made-up numbers."""

import numpy as np
import pandas as pd
import pytest

from core.measures.heads.two_things import STEPS, Learned
from core.model.config import ModelConfig
from core.sources import UnavailableError
from pages.contract.answers import LinkAnswers
from pages.contract.ask import ROW
from pages.contract.items import Asked
from pages.contract.look import Look
from pages.contract.question import Estimate
from pages.contract.sheet import Notice, Shown
from pages.controls.switches import Architecture
from pages.heads import one_and_many, rank, reshape, three_kinds, two_things
from pages.shell import Scene
from tests.covering import each
from viz.picture import Picture
from viz.reshape import FORMS, Blocks
from viz.theme import LIGHT


@pytest.mark.parametrize(
    ("percent", "maria", "zuko"), [(0, "100 %", "0 %"), (50, "50 %", "50 %"), (80, "6 %", "94 %")]
)
def test_one_head_loses_half_at_every_balance(percent: int, maria: str, zuko: str) -> None:
    assert two_things._answer(percent) == (
        f"With {percent} % of its attention weight on Maria, one head loses at least {maria} of her content "
        f"and {zuko} of Zuko's: 50 % on average, however the weight is split."
    )


def test_what_both_layers_have_lost_at_the_end_is_told() -> None:
    one, two = (Learned(np.array([1.0, end]), np.ones((n, 3)) / 3) for n, end in ((1, 0.5), (2, 0.25)))
    told = two_things._explanation(one, two)
    assert f"After {STEPS} training steps one head loses **50 %** and two heads lose **25 %**" in told


def records(*counts: int) -> pd.DataFrame:
    rows = [(k, 1.5, 0.5, 0.5 + k / 100, 0.25 + k / 100) for k in counts]
    return pd.DataFrame(rows, columns=["heads", "loss", "task", "agreement", "names"])


def test_the_models_with_the_fewest_and_the_most_heads_are_compared() -> None:
    assert one_and_many._answer(records(1, 2, 8), is_ablated=False) == (
        "Accuracy is 51 % on *agreement* and 26 % on *names* with 1 head, and 58 % on *agreement* and 33 % "
        "on *names* with 8 heads. The baseline has 50 % on *agreement* and 50 % on *names*."
    )
    alone = one_and_many._answer(records(4), is_ablated=True)
    assert alone.startswith("Accuracy with everything in place is 54 % on *agreement* and 29 % on *names*")


def test_the_accuracies_of_all_models_are_told() -> None:
    told = one_and_many._explanation(records(1, 8), "next word")
    assert "Accuracy with 1, 8 heads: next word prediction 50 %, 50 %; *agreement* 51 %, 58 %;" in told
    assert "Accuracy with 1 head: " in one_and_many._explanation(records(1), "next word")
    assert "Accuracy with 2 heads: " in one_and_many._explanation(records(2), "next word")
    assert "no model with 1 head and" in one_and_many._lacking(1)
    assert "no model with 2 heads and" in one_and_many._lacking(2)


def test_what_three_kinds_cost_is_told() -> None:
    costs = pd.Series({"standard": 16384, "narrow": 4864, "wide": 61440})
    assert three_kinds._answer(costs, 4) == (
        "Standard heads have 16,384 parameters at k = 4 as at every other k, narrow heads 4,864 and wide "
        "heads 61,440."
    )
    assert "differ by at most 5·10⁻¹⁶." in three_kinds._explanation(5e-16)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (
            FORMS[0],
            "One product of 5 words with one matrix gives the keys of all heads at once: n × d = 5 × 21.",
        ),
        (FORMS[1], "Every row is cut into 3 pieces of d/k = 7 dimensions: n × k × d/k = 5 × 3 × 7."),
        (
            FORMS[2],
            "Every head sees every word, but only its own 7 dimensions of it: k × n × d/k = 3 × 5 × 7.",
        ),
    ],
)
def test_a_form_is_said_with_its_axes(form: str, said: str) -> None:
    assert reshape._answer(Blocks(n_heads=3, n_words=5, d_head=7), form, "k") == said


def test_one_head_and_one_word_are_counted_as_one() -> None:
    alone = Blocks(n_heads=1, n_words=1, d_head=7)
    assert "One product of 1 word with" in reshape._answer(alone, FORMS[0], "q")
    assert "cut into 1 piece of" in reshape._answer(alone, FORMS[1], "q")
    assert "first 12 of 256 words" in reshape._cut(256)


def test_ranks_are_named_by_their_models_or_heads() -> None:
    across = rank._answer({"1 head": 48, "2 heads": 24}, "QKᵀ", 48, is_across=True)
    assert across == "QKᵀ is 48 × 48, and its rank is 48 with 1 head, 24 with 2 heads."
    alike = {"1 head": 5, "2 heads": 5}
    assert rank._answer(alike, "xQKᵀxᵀ", 5, is_across=True).endswith("its rank is 5 in each model.")
    every = {"head 1": 6, "head 2": 5}
    assert rank._answer(every, "QKᵀ", 48, is_across=False).endswith("rank is 6 in head 1, 5 in head 2.")
    alike = {"head 1": 6, "head 2": 6}
    assert rank._answer(alike, "QKᵀ", 48, is_across=False).endswith("its rank is 6 in each head.")
    assert rank._answer({"4 heads": 12}, "QKᵀ", 48, is_across=True).endswith("rank is 12 with 4 heads.")


def test_the_rank_between_words_is_limited_by_their_number() -> None:
    assert "at most d/k. With" in rank._explanation(rank.OF_WEIGHTS, 5)
    assert "at most d/k, and at most 5, the number of words." in rank._explanation(rank.OF_SENTENCE, 5)


ACROSS, HERE = "1, 2, 4 and 8 heads", "heads of this model"
POWERS = str.maketrans("⁻0¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def falling(n: int, zeros: int = 0) -> np.ndarray:
    """So many singular values, each half as large as the one before, and then some that are zero."""
    return np.array([0.5**at for at in range(n)] + [rank.FLOOR] * zeros)


def ranked(
    values: dict[str, np.ndarray],
    *,
    of: str = rank.OF_WEIGHTS,
    among: str = HERE,
    n_words: int = 5,
    missing: str = "",
) -> rank.Found:
    """What is found in the second layer of a model of 64 dimensions and 8 heads."""
    scene = Scene(("so",) * n_words, None, 1, 0)  # type: ignore[arg-type]  # switches are not asked for here
    config = ModelConfig(vocab_size=1, d_model=64, n_heads=8)
    return rank.Found(scene, rank.Choices(of, among), config, values, missing)


def drawn(found: rank.Found) -> Picture:
    (shown,) = (part for part in rank.sheet(found, Look()).parts if isinstance(part, Shown))
    return shown.picture


def test_singular_values_stand_on_powers_of_ten_down_to_what_counts_as_zero() -> None:
    axis = drawn(ranked({"head 1": falling(3)})).figure.layout.yaxis
    *powers, one = zip(axis.tickvals, axis.ticktext, strict=True)
    assert axis.type == "log"
    assert one == (1, "1")
    for value, text in powers:
        assert value == pytest.approx(10.0 ** int(text.split()[0].removeprefix("10").translate(POWERS)))
    zeros = [value for value, text in powers if "≈ 0" in text]
    assert zeros == [rank.FLOOR] == [axis.tickvals[0]]


@each(
    ("of", "n_words", "ticks"),
    [
        (rank.OF_WEIGHTS, 5, [1, 4, 8, 16, 32, 64]),
        (rank.OF_SENTENCE, 12, [1, 3, 6, 8, 12]),
        (rank.OF_SENTENCE, 5, [1, 2, 5, 8]),
    ],
)
def test_singular_values_are_counted_by_halves_of_the_matrix_and_the_width_of_a_head(
    of: str, n_words: int, ticks: list[int]
) -> None:
    figure = drawn(ranked({"head 1": falling(3)}, of=of, n_words=n_words)).figure
    axis = figure.layout.xaxis
    assert (list(axis.tickvals), list(axis.ticktext)) == (ticks, [*map(str, ticks)])
    (mark,) = (note for note in figure.layout.annotations if note.text.startswith("d/k"))
    assert (mark.text, 10**mark.x) == ("d/k = 8", pytest.approx(8))


def test_the_rank_is_that_of_a_matrix_of_dimensions_or_of_words() -> None:
    values = {"head 1": falling(3, 1)}
    assert rank.sheet(ranked(values), Look()).answer.startswith("Layer 2: QKᵀ is 64 × 64, and its rank is 3 ")
    between = rank.sheet(ranked(values, of=rank.OF_SENTENCE, n_words=4), Look()).answer
    assert between == "Layer 2: xQKᵀxᵀ is 4 × 4, and its rank is 3 in head 1."


@each(
    ("among", "names", "title"),
    [
        (HERE, ("head 1", "head 2"), "Singular values of QKᵀ, every head of layer 2"),
        (ACROSS, ("1 head", "8 heads"), "Singular values of QKᵀ, layer 2, head 1, by number of heads"),
    ],
)
def test_curves_are_told_by_title_and_by_where_they_end(
    among: str, names: tuple[str, str], title: str
) -> None:
    one, other = names
    picture = drawn(ranked({one: falling(2, 3), other: falling(5)}, among=among))
    assert picture.title == title
    assert picture.alt == f"{title}. The curves end at: {one} 0 at number 3; {other} 0.0625 at number 5."
    assert list(picture.figure.data[0].hovertext) == [
        f"{one}: 1 at number 1",
        f"{one}: 0.5 at number 2",
        f"{one}: 0 at number 3",
    ]


def test_five_curves_have_four_colours_in_turn_and_their_names_above_the_axes() -> None:
    names = [f"head {at}" for at in range(1, 6)]
    figure = drawn(ranked({name: falling(3) for name in names})).figure
    cycle = [LIGHT.query, LIGHT.key, LIGHT.value, LIGHT.output, LIGHT.query]
    assert [curve.line.color for curve in figure.data] == cycle
    written = [note for note in figure.layout.annotations if note.text in names]
    assert [(note.xref, note.x, note.yref, note.y) for note in written] == [("paper", 0, "paper", 1)] * 5


def test_models_that_are_missing_are_named_and_nothing_is_where_none_is() -> None:
    values = {"1 head": falling(3)}
    assert rank.sheet(ranked(values, missing="No 8 heads."), Look()).notes == (
        Notice("No 8 heads.", "warning"),
    )
    assert rank.sheet(ranked(values), Look()).notes == ()


def test_heads_are_counted_from_one_and_of_each_model_the_first_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def values(words: rank.Words, switches: Architecture, layer: int, of: str) -> list[np.ndarray]:
        if switches.config.n_heads == 4:
            raise UnavailableError("There is none.")
        return [np.array([switches.config.n_heads, layer, at]) for at in range(switches.config.n_heads)]

    monkeypatch.setattr(rank, "_values", values)
    here = Architecture(ModelConfig(vocab_size=1, n_heads=2), "trained", 0)
    every = rank._every(("so",), here, 1, rank.OF_WEIGHTS)
    assert {name: list(found) for name, found in every.items()} == {"head 1": [2, 1, 0], "head 2": [2, 1, 1]}
    across = rank._across(("so",), here, 1, rank.OF_WEIGHTS)
    assert {name: list(found) for name, found in across.items()} == {
        "1 head": [1, 1, 0],
        "2 heads": [2, 1, 0],
        "8 heads": [8, 1, 0],
    }


@each(
    ("among", "names", "heads"),
    [(HERE, ("head 1", "head 2"), "8 heads. QKᵀ"), (ACROSS, ("1 head", "2 heads"), "2 heads. QKᵀ")],
)
def test_the_rank_of_the_last_curve_is_asked_for(among: str, names: tuple[str, str], heads: str) -> None:
    values = dict(zip(names, (falling(6), falling(4, 2)), strict=True))
    (asked,) = rank.questions(ranked(values, among=among))
    assert isinstance(asked, Estimate)
    assert asked.right == 4
    assert f"A model of 64 dimensions has {heads} of one of them is 64 × 64." in asked.text


def test_the_matrix_and_the_heads_are_chosen_by_what_their_buttons_say() -> None:
    form = Ask(LinkAnswers({}))
    scene = ranked({}).scene
    assert rank.ask(form, scene) == rank.Choices("QKᵀ", ACROSS)
    asked = [item for item in form.items[ROW] if isinstance(item, Asked)]
    assert [(item.control.name, item.hide_label) for item in asked] == [("ranked", True), ("among", True)]
