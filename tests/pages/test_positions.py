"""The page on positions: what each view shows is what core computes, by link and by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.positions import extrapolation as beyond
from core.measures.positions import schemes
from core.measures.positions.schemes import unrotated_pair
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import SCHEMES
from core.model.positions.relative import relative_buckets
from core.sources import load
from pages.contract.examples import OVEN
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.positions import alibi, all_schemes, any_scheme, extrapolation, learned, rotary, sinusoidal
from pages.positions.learned import table_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import computed

PAGE = "positions"
TRAINED = ModelConfig(vocab_size=1)
COLUMNS = ["positions", "position", "loss"]
INVENTED = dict.fromkeys(POSITIONS, 2.25) | {
    "none": 2.0, "learned": 3.0, "sinusoidal": 2.5, "alibi": 1.0, "rotary": 1.5
}  # fmt: skip
TEA, HIS = Typed("tea"), Typed("his")


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measurements without time: each scheme has another loss, which ALiBi about keeps."""
    losses = [
        (name, at, loss if at < 58 else loss + {"alibi": 0.09, "rotary": 0.11}.get(name, 1))
        for name, loss in INVENTED.items()
        for at in (8.5, 40.5, 120.5, 232.5)
    ]
    verbs = [(name, at, *3 * (1 / loss,)) for name, loss in INVENTED.items() for at in beyond.DISTANCES]
    tables = {
        "losses": pd.DataFrame(losses, columns=COLUMNS),
        "verbs": pd.DataFrame(verbs, columns=["positions", "distance", "accuracy", "low", "high"]),
    }
    for name, table in tables.items():
        monkeypatch.setattr(beyond, name, lambda config, load, table=table: table)


def points(session: Asked, picture: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    found = session.curve(picture, name)
    return found["x"], found["y"]


@each("chosen", [{}, {"model": "random", "seed": 3, "heads": 2, "head": 2}])
def test_the_page_opens_with_the_biases_of_every_scheme(chosen: dict[str, Any]) -> None:
    session = Asked(PAGE, **chosen)
    shown, head = session.table("schemes"), chosen.get("head", 1) - 1
    text = " ".join([any_scheme.WORD] * all_schemes.N)
    look = {"source": chosen.get("model", "trained"), "seed": chosen.get("seed", 0)}
    for positions in POSITIONS:
        reading = computed(text, positions=positions, n_heads=chosen.get("heads", 4), **look)
        row = reading.head(0, head).scores[-1]
        assert_allclose(shown[SCHEMES[positions].about.name], row[::-1] - row[-1], atol=1e-4)
    slope = schemes.slopes(chosen.get("heads", 4))[head]
    assert_allclose(shown["ALiBi"], -slope * np.arange(all_schemes.N), atol=1e-4)
    assert_allclose(shown["none"], 0, atol=1e-5)


def test_random_weights_are_the_same_under_all_schemes() -> None:
    models = [
        load("random", ModelConfig(vocab_size=1, positions=one), OVEN.split(), 3).model for one in POSITIONS
    ]
    first, *others = [model.state_dict() for model in models]
    for weights in others:
        assert all(weights[name].equal(first[name]) for name in first)


def test_sinusoids_are_shown_as_a_matrix_and_by_their_products() -> None:
    session = Asked(PAGE, view="sinusoidal", positions_shown=32)
    matrix = schemes.matrix(32, 48)
    assert_allclose(session.matrix("scheme_added"), matrix.T, atol=1e-6)
    assert_allclose(session.curve("products_chart", "Pᵢ · Pⱼ")["y"], (matrix @ matrix.T)[0])


@each(("mask", "first", "last"), [("causal", -31, 0), ("bidirectional", -16, 15)])
def test_linear_bias_is_shown_by_head_and_by_the_weights_it_gives(mask: str, first: int, last: int) -> None:
    session = Asked(PAGE, view="alibi", mask=mask, heads=8, head=8, positions_shown=32)
    for head, slope in enumerate(schemes.slopes(8), start=1):
        offsets, added = points(session, "scheme_added", f"head {head}")
        assert (offsets[0], offsets[-1]) == (first, last)
        assert_allclose(added, -slope * np.abs(offsets), atol=1e-6)
    offsets, weights = points(session, "alone", "head 8")
    assert (offsets[0], offsets[-1]) == (-31, 0), "the axis runs as that beside it"
    assert_allclose(weights, np.exp(offsets / 256) / np.exp(offsets / 256).sum())
    offsets, weights = points(session, "alone", alibi.NOTE)
    assert_allclose(weights, np.exp(offsets) / np.exp(offsets).sum())
    assert "by 1/256 for each word" in session.sheet.headline
    dashes = [
        {row["hovertext"][0].split(":")[0]: row["line"]["dash"] for row in session.figure(key)["data"]}
        for key in ("scheme_added", "alone")
    ]
    assert dashes[0].items() <= dashes[1].items(), "a head looks the same in both pictures"


def test_rotary_arrows_follow_the_shifted_pair() -> None:
    chosen = {"query": 3, "key": 5, "moved": 7, "heads": 8, "layer": 2, "head": 5}
    table = Asked(PAGE, view="rotary", **chosen).table("pairs")
    reading = computed(OVEN, source="trained", positions="rotary", n_heads=8)
    found = unrotated_pair(reading, 1, 4, 2, 4)
    assert_allclose(table["part of the score"], found.parts(9, 11), atol=1e-9)
    assert_allclose(table[["k first", "k second"]], found.pairs(9, 11)[1], atol=1e-9)


def test_the_learned_table_comes_from_the_trained_model() -> None:
    session = Asked(PAGE, view="learned", mask="bidirectional", heads=2, positions_shown=256)
    table = table_of(replace(TRAINED, mask="bidirectional", n_heads=2))
    assert_allclose(session.matrix("scheme_added"), table.after.T, rtol=1e-5, atol=1e-6)
    assert_allclose(session.curve("turned", "angle")["y"], table.turned())
    edges = [session.figure(key)["layout"]["shapes"][0]["x0"] for key in ("scheme_added", "turned")]
    assert edges == [table.reach - 0.5, table.reach + 0.5]


def test_losses_and_verbs_beyond_training_are_drawn_and_told() -> None:
    session = Asked(PAGE, view="length extrapolation")
    for name, loss in INVENTED.items():
        assert_allclose(session.curve("extrapolation_loss", SCHEMES[name].about.name)["y"][:2], loss)
    assert "**ALiBi** rises, 1.00 → 1.09" in session.prose
    reach = table_of(TRAINED).longest_sentence
    assert f"Beyond position {reach}: *learned* adds vectors" in session.prose
    assert [line["x0"] for line in session.figure("extrapolation_loss")["layout"]["shapes"]] == [reach]
    assert list(session.table("extrapolation_loss").columns) == [
        SCHEMES[name].about.name for name in INVENTED
    ]

    session.set(measured="verb by distance", heads=8)
    assert_allclose(session.curve("extrapolation_accuracy", "none")["y"], 0.5)
    assert "**ALiBi** 100 %, **rotary** 67 %" in session.prose
    assert "at most 7 points" in session.prose


LOSSES = [("none", 2.0, 2.5), ("alibi", 1.5, 1.25), ("rotary", 1.0, 1.25)]
FLAT, FALLING = np.zeros(4), -np.arange(4) / 4


@each(
    ("told", "said"),
    [
        (all_schemes.headline(1, {"none": FLAT}), "changes no score under *none*."),
        (all_schemes.headline(1, {"alibi": FALLING, "rotary": FALLING * 4}), "up to 3 under *rotary*."),
        (all_schemes.same_weights(1, trained=True), "The model learned with this scheme."),
        (sinusoidal.headline(16, 0.5), "differ by up to 0.50."),
        (sinusoidal.headline(16, 2e-14), "16 positions has its own vector, and the dot product"),
        (rotary.headline(("bread", "the"), (4, 0), 3, 2, 2.5), "2.50 at positions 8 and 4, 0.50 away."),
        (
            rotary.headline(("bread", "the"), (4, 0), 3, -1.5, -1.50002),
            "keep their score of −1.50 if both move by 3",
        ),
        (learned.headline(4, 4), "All 4 position vectors were learned."),
        (learned.headline(1, 2), "The first position vector was learned. The last vector is still random."),
        (learned.headline(2, 4), "The first 2 of 4 position vectors were learned. The other 2 are still"),
        (learned.explanation(4, 4, mask="causal"), "After position 4 there is no vector at all."),
        (
            extrapolation.headline_of_losses(LOSSES),
            "*alibi* falls most, from 1.50 to 1.25 nats. That of *none* rises most, from",
        ),
        (extrapolation.headline_of_losses(LOSSES[:1]), "loss of *none* rises from 2.00 to 2.50 nats."),
        (extrapolation.headline_of_losses([("none", 2.0, 2.001)]), "loss of *none* stays at 2.00 nats."),
        (extrapolation.reasons(["none", "ALiBi"], 59), "Beyond position 59: *ALiBi* needs only the distance"),
        (extrapolation.growth([("none", 2.0, 1.9375)]), "**none** falls, 2.00 →"),
        (extrapolation.growth([("none", 2.0, 2.001)]), "**none** stays, 2.00 →"),
        (extrapolation.headline_of_verbs({"none": 0.75, "alibi": 0.75}, 240), "with all 2 schemes; chance"),
        (
            extrapolation.headline_of_verbs({"none": 0.75}, 240),
            "right in 75 % of cases with *none*; chance is 50 %.",
        ),
    ],
)
def test_a_sentence_agrees_with_its_numbers(told: str, said: str) -> None:
    assert said in told


@each(
    ("asked", "right"),
    [
        (all_schemes.course_without_positions(FLAT), "not at all"),
        (all_schemes.course_without_positions(FALLING), None),
        (all_schemes.course_without_positions(None), None),
        (all_schemes.course_of_alibi(0, FALLING), "straight, downwards"),
        (all_schemes.course_of_alibi(0, np.array([0, -1, -1.5, -1.75])), None),
        (all_schemes.course_of_alibi(0, None), None),
        (sinusoidal.same_dot_product([8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 4.8]), "positions 9 and 12"),
        (sinusoidal.same_dot_product([8.0, 7.5, 6.5, 5.5, 5.5, 4.9, 4.8]), None),
        (sinusoidal.same_dot_product([8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 5.5]), None),
        (alibi.weights_by_bias_alone(1, 0.25, [0.5, 0.3, 0.2]), "2 back 20 %, 1 back 30 %, itself 50 %"),
        (alibi.head_that_looks_furthest([0.25, 0.0625]), "head 2: slope 1/16"),
        (alibi.head_that_looks_furthest([0.25]), None),
        (rotary.score_after_shift((HIS, TEA), (5, 1), 3, 1e-6), "the same"),
        (rotary.score_after_shift((HIS, TEA), (5, 1), 3, 0.5), None),
        (rotary.score_after_shift((TEA, TEA), (1, 1), 3, 0), None),
        (
            learned.untrained_row_question(58, [30.0] * 58 + [0.01] * 198),
            "a random direction: training has not turned it",
        ),
        (learned.untrained_row_question(58, [30.0] * 256), None),
        (learned.untrained_row_question(256, [30.0] * 256), None),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


def test_no_training_sentence_used_the_long_distances_of_relative_schemes() -> None:
    reach = table_of(TRAINED).longest_sentence
    buckets = relative_buckets(beyond.LENGTH, beyond.LENGTH, both_sides=False)[-1]
    assert not set(buckets[: beyond.LENGTH - 128].tolist()) & set(buckets[-reach:].tolist())
    assert extrapolation.reasons(["none"], reach) == ""
