"""The page on positions: what each view shows is what core computes, by link and by hand."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from core.measures.distance.attention_distance import mean_attention_distance
from numpy.testing import assert_allclose

from core.measures.heads.rollout import mean_over_heads
from core.measures.order.verdicts import TOLERANCE, compare_mirrored
from core.measures.positions import alibi as linear
from core.measures.positions import extrapolation as beyond
from core.measures.positions import sinusoidal as sinusoids
from core.measures.positions.rotary import meeting
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import SCHEMES
from core.programs.extrapolation import verbs_program
from core.sources import SOURCES, load
from pages.controls.sentence import OVEN
from pages.positions.learned import table_of
from tests.pages.asked import Asked
from tests.pages.session import computed, numbers
from tests.shelf import SpoiltShelf
from viz.units import distance, two_decimals

PAGE = "positions"
TRAINED = ModelConfig(vocab_size=1)
COLUMNS = ["positions", "position", "loss"]
INVENTED = dict.fromkeys(POSITIONS, 2.25) | {
    "none": 2.0, "learned": 3.0, "sinusoidal": 2.5, "alibi": 1.0, "rotary": 1.5
}  # fmt: skip


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measurements that take no time: each scheme has a loss of its own, which ALiBi about keeps."""
    losses = [
        (name, at, loss if at < 58 else loss + {"alibi": 0.09, "rotary": 0.11}.get(name, 1))
        for name, loss in INVENTED.items()
        for at in (8.5, 40.5, 120.5, 232.5)
    ]
    verbs = [(name, at, 1 / loss) for name, loss in INVENTED.items() for at in beyond.DISTANCES]
    tables = {
        "losses": pd.DataFrame(losses, columns=COLUMNS),
        "verbs": pd.DataFrame(verbs, columns=["positions", "distance", "accuracy"]),
    }
    for name, table in tables.items():
        monkeypatch.setattr(beyond, name, lambda config, load, table=table: table)


def masked(matrix: np.ndarray, mask: str) -> np.ndarray:
    return np.where(linear.allowed(mask, len(matrix)), matrix, np.nan)  # type: ignore[arg-type]


def texts(session: Asked, picture: str) -> list[str]:
    """What is written in a figure beside its axes."""
    return [re.sub("<[^>]*>", "", note["text"]) for note in session.figure(picture)["layout"]["annotations"]]


def curve(session: Asked, picture: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    trace = next(one for one in session.figure(picture)["data"] if one["hovertext"][0].startswith(f"{name}:"))
    return numbers(trace["x"]), numbers(trace["y"])


def test_the_page_opens_with_all_schemes_under_one_sentence() -> None:
    session = Asked(PAGE)
    assert session.value("text") == OVEN
    assert session.link == {}
    assert session.pictures == ["schemes"]
    for panel, positions in enumerate(POSITIONS):
        mean = mean_over_heads(computed(OVEN, source="trained", positions=positions).patterns())[0]
        assert_allclose(session.matrix("schemes", panel=panel), masked(mean, "causal"), atol=1e-6)
        assert f"{mean_attention_distance(mean):.2f} words away" in texts(session, "schemes")


def test_the_loss_below_each_matrix_is_that_of_its_model_and_random_weights_have_none() -> None:
    shown = texts(Asked(PAGE), "schemes")
    for positions in POSITIONS:
        record = SOURCES["trained"].record(replace(TRAINED, positions=positions))
        assert record is not None
        assert f"loss {record.loss:.2f} nats" in shown
    assert not any("loss" in text for text in texts(Asked(PAGE, model="random"), "schemes"))


def test_a_model_that_lacks_a_layer_shows_no_loss_which_is_that_of_the_whole_one() -> None:
    session = Asked(PAGE, layers=1)
    assert not any("loss" in text for text in texts(session, "schemes"))
    assert "no second layer" in session.prose


def test_random_weights_are_the_same_under_all_schemes() -> None:
    models = [
        load("random", ModelConfig(vocab_size=1, positions=one), OVEN.split(), 3).model for one in POSITIONS
    ]
    first, *others = [model.state_dict() for model in models]
    for weights in others:
        assert all(weights[name].equal(first[name]) for name in first)


def test_each_scheme_is_lit_where_it_enters() -> None:
    boxes = [box for box in Asked(PAGE).figure("schemes")["layout"]["shapes"] if box.get("xref") == "paper"]
    lit = [box["fillcolor"] != "#FFFFFF" for box in boxes]
    points = [SCHEMES[positions].injection_point() for positions in POSITIONS]
    assert lit == [point == here for point in points for here in ("embed", "rotate", "bias")]


@pytest.mark.parametrize(("n", "d", "pair"), [(64, 48, 4), (16, 128, 63), (256, 16, 0)])
def test_sinusoids_are_shown_as_a_matrix_as_curves_and_by_their_products(n: int, d: int, pair: int) -> None:
    session = Asked(PAGE, view="sinusoidal", positions_shown=n, width=d, pair=pair)
    matrix = sinusoids.matrix(n, d)
    assert_allclose(session.matrix("waves"), matrix, atol=1e-6)
    (frame,) = session.figure("waves")["layout"]["shapes"]
    assert (frame["x0"], frame["x1"]) == (2 * pair - 0.5, 2 * pair + 1.5)
    assert_allclose(curve(session, "pair_chart", f"sine, {2 * pair}")[1], matrix[:, 2 * pair])
    assert_allclose(curve(session, "pair_chart", f"cosine, {2 * pair + 1}")[1], matrix[:, 2 * pair + 1])
    assert_allclose(curve(session, "products_chart", "p · p′")[1], (matrix @ matrix.T)[0])


def test_a_pair_that_narrower_vectors_lack_goes_back_to_the_default() -> None:
    session = Asked(PAGE, view="sinusoidal", pair=20)
    session.set(width=16)
    assert session.value("pair") == 4


def test_linear_bias_is_shown_in_both_forms() -> None:
    session = Asked(PAGE, view="alibi", mask="bidirectional", heads=8, head=8, text="a b c d e")
    slope, distances = 1 / 256, np.abs(np.arange(5)[:, None] - np.arange(5))
    assert_allclose(session.matrix("bias"), -distances)
    assert_allclose(session.table("bias"), -slope * distances, rtol=1e-6)
    assert "head 8: slope 1/256" in texts(session, "bias")
    back, weights = curve(session, "alone", "head 8")
    assert_allclose(weights, np.exp(-slope * back) / np.exp(-slope * back).sum())
    assert len(session.figure("alone")["data"]) == 8 + 1


@pytest.mark.parametrize(
    ("chosen", "query", "key"),
    [({}, 5, 1), ({"query": 3, "key": 5, "moved": 7, "heads": 8, "layer": 2, "head": 5}, 2, 4)],
    ids=["defaults", "chosen"],
)
def test_rotary_arrows_and_the_frame_are_those_of_the_shifted_pair(
    chosen: dict[str, Any], query: int, key: int
) -> None:
    session, moved = Asked(PAGE, view="rotary", **chosen), chosen.get("moved", 3)
    reading = computed(OVEN, source="trained", positions="rotary", n_heads=chosen.get("heads", 4))
    found = meeting(reading, chosen.get("layer", 1) - 1, chosen.get("head", 1) - 1, query, key)
    (frame,) = session.figure("everywhere")["layout"]["shapes"]
    assert (frame["x0"] + frame["x1"]) / 2 == key + moved
    assert (frame["y0"] + frame["y1"]) / 2 == query + moved
    table = session.table("pairs")
    assert_allclose(table["part of the score"], found.parts(query + moved, key + moved), atol=1e-9)
    assert_allclose(table[["k first", "k second"]], found.pairs(query + moved, key + moved)[1], atol=1e-9)
    scores = found.scores(max(query, key) + 13)
    assert f"is {two_decimals(scores[query, key])} at positions {query + 1} and {key + 1}" in session.prose


@pytest.mark.parametrize(
    "chosen", [{}, {"mask": "bidirectional", "heads": 2, "positions_shown": 256}], ids=str
)
def test_the_learned_table_is_that_of_the_trained_model(chosen: dict[str, Any]) -> None:
    session = Asked(PAGE, view="learned", **chosen)
    config = replace(TRAINED, mask=chosen.get("mask", "causal"), n_heads=chosen.get("heads", 4))
    table, n = table_of(config), chosen.get("positions_shown", 128)
    assert_allclose(session.matrix("table"), table.after[:n].T, rtol=1e-5, atol=1e-6)
    assert_allclose(session.matrix("similarities"), table.similarities(n), atol=1e-6)
    assert_allclose(curve(session, "turned", "angle")[1], table.turned()[:n])
    for picture in ("table", "similarities"):
        assert [line["x0"] for line in session.figure(picture)["layout"]["shapes"]] == [table.reach - 0.5]
    assert f"the first {table.reach} vectors of 256" in session.prose
    assert f"at most {table.turned()[table.reach :].max():.2f}° of rounding" in session.prose


def test_losses_beyond_training_are_drawn_and_told() -> None:
    session = Asked(PAGE, view="length extrapolation")
    for name, loss in INVENTED.items():
        assert_allclose(curve(session, "extrapolation_loss", name)[1][:2], loss)
    assert "**alibi** rises, 1.00 → 1.09" in session.prose
    reach = table_of(TRAINED).longest_sentence
    assert f"Training sentences had up to {reach} words" in session.prose
    assert [line["x0"] for line in session.figure("extrapolation_loss")["layout"]["shapes"]] == [reach]
    assert "training ends here" in texts(session, "extrapolation_loss")
    assert list(session.table("extrapolation_loss").columns) == list(INVENTED)


def test_verbs_beyond_training_are_drawn_and_told() -> None:
    session = Asked(PAGE, view="length extrapolation", measured="verb by distance")
    assert_allclose(curve(session, "extrapolation_accuracy", "none")[1], 0.5)
    assert "at most 7 points): **alibi** 100 %, **rotary** 67 %" in session.prose
    assert "chance 50 %" in texts(session, "extrapolation_accuracy")


def test_models_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beyond, "losses", lambda config, load: pd.DataFrame(columns=COLUMNS))
    session = Asked(PAGE, view="length extrapolation")
    assert session.warnings == [
        "None of these models has been trained yet: `python -m core.learning.collection`."
    ]
    assert session.pictures == []


def test_a_scheme_that_has_not_been_trained_is_named_and_the_others_are_shown(
    spoilt_shelf: SpoiltShelf,
) -> None:
    missing = [f"causal-{positions}-4-pre" for positions in ("learned", "rotary")]
    for name in missing:
        spoilt_shelf.lose(f"{name}.safetensors")
    session = Asked(PAGE)
    (warning,) = session.warnings
    assert warning.startswith(f"The models {' and '.join(missing)} have not been trained yet.")
    assert {"none", "sinusoidal", "alibi"} <= set(texts(session, "schemes"))
    session.click("schemes", x=0, y=0, data=2)
    assert session.value("view") == "alibi"


def test_what_is_measured_beyond_training_has_its_program() -> None:
    session = Asked(PAGE, view="length extrapolation", measured="verb by distance", heads=8)
    (program,) = [session.code]
    assert program == verbs_program(ModelConfig(vocab_size=1, n_heads=8)).rstrip()


@pytest.mark.parametrize("mask", ["bidirectional", "causal"])
def test_the_mirror_image_is_told_apart_by_the_mask_alone(mask: str) -> None:
    session = Asked(PAGE, view="alibi", mask=mask)
    told = session.prose.partition("Mirror image.")[2]
    config = replace(TRAINED, positions="alibi", mask=mask)
    for source in ("trained", "random"):
        found = compare_mirrored(
            load(source, config, OVEN.split(), 0), load(source, config, OVEN.split()[::-1], 0)
        ).differences.max()
        assert f"{distance(found)} with {source} weights" in told
        assert (found < TOLERANCE) == (mask == "bidirectional")
    assert ("cannot tell" in told) == (mask == "bidirectional")
    assert "Mirror image" not in Asked(PAGE, view="alibi", mask=mask, text="tea").prose
