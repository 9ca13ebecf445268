"""The page on positions: what each view shows is what core computes, by link and by hand."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.positions import extrapolation as beyond
from core.measures.positions import schemes as linear
from core.measures.positions import schemes as sinusoids
from core.measures.positions.schemes import meeting
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import InjectionPoint
from core.sources import load
from core.words import two_decimals
from pages.contract.examples import OVEN
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.positions import alibi, all_schemes, any_scheme, extrapolation, learned, rotary, sinusoidal
from pages.positions.learned import table_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import whole
from tests.pages.session import computed, numbers
from tests.shelf import SpoiltShelf

PAGE = "positions"
TRAINED = ModelConfig(vocab_size=1)
COLUMNS = ["positions", "position", "loss"]
INVENTED = dict.fromkeys(POSITIONS, 2.25) | {
    "none": 2.0, "learned": 3.0, "sinusoidal": 2.5, "alibi": 1.0, "rotary": 1.5
}  # fmt: skip
TEA, HIS = Typed("tea"), Typed("his")


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


def texts(session: Asked, picture: str) -> list[str]:
    """What is written in a figure beside its axes."""
    return [re.sub("<[^>]*>", "", note["text"]) for note in session.figure(picture)["layout"]["annotations"]]


def curve(session: Asked, picture: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    trace = next(one for one in session.figure(picture)["data"] if one["hovertext"][0].startswith(f"{name}:"))
    return numbers(trace["x"]), numbers(trace["y"])


@pytest.mark.parametrize("chosen", [{}, {"model": "random", "seed": 3, "heads": 2, "head": 2}], ids=str)
def test_the_page_opens_with_what_every_scheme_adds_to_a_score(chosen: dict[str, Any]) -> None:
    session = Asked(PAGE, **chosen)
    assert session.pictures == ["schemes"]
    shown, head = session.table("schemes"), chosen.get("head", 1) - 1
    text = " ".join([any_scheme.WORD] * all_schemes.N)
    look = {"source": chosen.get("model", "trained"), "seed": chosen.get("seed", 0)}
    for positions in POSITIONS:
        reading = computed(text, positions=positions, n_heads=chosen.get("heads", 4), **look)
        row = reading.head(0, head).scores[-1]
        assert_allclose(shown[positions], row[::-1] - row[-1], atol=1e-4)
    slope = linear.slopes(chosen.get("heads", 4))[head]
    assert_allclose(shown["alibi"], -slope * np.arange(all_schemes.N), atol=1e-4)
    assert_allclose(shown["none"], 0, atol=1e-5)
    assert f"head {head + 1} of layer 1" in session.sheet.answer.lower()
    assert "not at all under *none*" in session.sheet.answer


FLAT, FALLING = np.zeros(4), -np.arange(4) / 4


@each(
    ("rows", "said"),
    [
        ({"none": FLAT, "alibi": FALLING}, "by up to 0.75 under *alibi*, and not at all under *none*."),
        ({"alibi": FALLING, "rotary": FALLING * 4}, "by up to 3 under *rotary*."),
        ({"none": FLAT}, "changes no score under *none*."),
    ],
)
def test_the_scheme_under_which_distance_matters_most_is_named(rows: Any, said: str) -> None:
    assert all_schemes.headline(1, rows).endswith(said)


def test_courses_asked_about_are_those_drawn() -> None:
    assert solution(whole(all_schemes.course_without_positions(FLAT))) == "not at all"
    assert all_schemes.course_without_positions(FALLING) is None
    assert all_schemes.course_without_positions(None) is None
    asked = whole(all_schemes.course_of_alibi(0, FALLING))
    assert solution(asked) == "straight, downwards"
    assert "takes 1/4 off" in asked.text
    assert all_schemes.course_of_alibi(0, np.array([0, -1, -1.5, -1.75])) is None
    assert all_schemes.course_of_alibi(0, None) is None


def test_a_click_opens_the_view_of_a_scheme_that_has_one() -> None:
    shown = ["none", "alibi"]
    assert all_schemes.open_view(shown, [{"data": 1}]) == {"view": "alibi"}  # type: ignore[arg-type]
    assert all_schemes.open_view(shown, [{"data": 0}]) == {}  # type: ignore[arg-type]


@each(
    ("n_models", "trained", "said"),
    [(6, True, "6 models learned"), (1, True, "The model learned"), (6, False, "same random weights")],
)
def test_what_models_have_in_common_depends_on_the_weights(n_models: int, trained: bool, said: str) -> None:
    assert said in all_schemes.same_weights(n_models, trained=trained)


def test_random_weights_are_the_same_under_all_schemes() -> None:
    models = [
        load("random", ModelConfig(vocab_size=1, positions=one), OVEN.split(), 3).model for one in POSITIONS
    ]
    first, *others = [model.state_dict() for model in models]
    for weights in others:
        assert all(weights[name].equal(first[name]) for name in first)


@each(
    ("point", "numbers", "said"),
    [
        ("embed", [-1, 0.5], "Made-up adds −1 to 0.5 to each number of a word vector."),
        ("rotate", [0, 90], "Made-up rotates each pair of dimensions of a query or key by 0° to 90°."),
        ("bias", [-0.5], "Made-up adds −0.5 to each score."),
    ],
)
def test_how_much_a_scheme_changes_is_told_by_where_it_enters(
    point: InjectionPoint, numbers: list[float], said: str
) -> None:
    assert any_scheme.headline("made-up", point, np.array(numbers)) == said
    where = {"embed": "to the word vectors", "rotate": "to the queries and keys", "bias": "to the scores"}
    assert solution(whole(any_scheme.where_it_enters("made-up", point))) == where[point]


@each(
    ("n", "trained", "said"),
    [
        (0, False, "It has no learned parameters."),
        (1, True, "It has 1 learned parameter."),
        (1, False, "It has 1 learned parameter. It is random here, not trained."),
        (32, False, "It has 32 learned parameters. They are random here, not trained."),
    ],
)
def test_learned_parameters_are_counted_and_said_to_be_random_where_they_are(
    n: int, trained: bool, said: str
) -> None:
    assert any_scheme.costs(n, trained=trained) == said


@pytest.mark.parametrize("n", [64, 32, 256])
def test_sinusoids_are_shown_as_a_matrix_and_by_their_products(n: int) -> None:
    session = Asked(PAGE, view="sinusoidal", positions_shown=n)
    matrix = sinusoids.matrix(n, 48)
    assert_allclose(session.matrix("scheme_added"), matrix.T, atol=1e-6)
    assert_allclose(curve(session, "products_chart", "p · p′")[1], (matrix @ matrix.T)[0])


def test_the_dot_product_of_sinusoids_is_that_of_their_distance() -> None:
    assert "depends only on the distance" in sinusoidal.headline(16, 2e-14)
    assert "differ by up to 0.50" in sinusoidal.headline(16, 0.5)
    assert "after 6.3 words, the slowest after 42.8 k words" in sinusoidal.told(48)
    products = [8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 4.8]
    assert solution(whole(sinusoidal.same_dot_product(products))) == "positions 9 and 12"
    assert sinusoidal.same_dot_product([8.0, 7.5, 6.5, 5.5, 5.5, 4.9, 4.8]) is None
    assert sinusoidal.same_dot_product([8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 5.5]) is None


@each(("mask", "first", "last"), [("causal", -31, 0), ("bidirectional", -16, 15)])
def test_linear_bias_is_shown_by_head_and_by_the_weights_it_gives(mask: str, first: int, last: int) -> None:
    session = Asked(PAGE, view="alibi", mask=mask, heads=8, head=8, positions_shown=32)
    for head, slope in enumerate(linear.slopes(8), start=1):
        offsets, added = curve(session, "scheme_added", f"head {head}")
        assert (offsets[0], offsets[-1]) == (first, last)
        assert_allclose(added, -slope * np.abs(offsets), atol=1e-6)
    back, weights = curve(session, "alone", "head 8")
    assert_allclose(weights, np.exp(-back / 256) / np.exp(-back / 256).sum())
    back, weights = curve(session, "alone", alibi.NOTE)
    assert_allclose(weights, np.exp(-back) / np.exp(-back).sum())
    assert "by 1/256 for each word" in session.sheet.answer


def test_slopes_are_listed_with_what_they_give_the_last_word() -> None:
    assert "With 1 head the slope is 1/256." in alibi.told(32, [1 / 256], 0)
    told = alibi.told(32, [1 / 4, 1 / 16], 1)
    assert "With 2 heads the slopes are 1/4, 1/16." in told
    assert "weight of 7 % in head 2, and of 63 % with slope 1" in told


def test_a_bias_alone_is_drawn_and_the_smallest_slope_looks_furthest() -> None:
    asked = whole(alibi.weights_by_bias_alone(1, 0.25, [0.5, 0.3, 0.2]))
    assert solution(asked) == "2 back 20 %, 1 back 30 %, itself 50 %"
    assert "gets 0.6 of the weight of the next: exp(−1/4)" in asked.because
    assert solution(whole(alibi.head_that_looks_furthest([0.25, 0.0625]))) == "head 2: slope 1/16"
    assert alibi.head_that_looks_furthest([0.25]) is None


@pytest.mark.parametrize(
    ("chosen", "query", "key"),
    [({}, 5, 1), ({"query": 3, "key": 5, "moved": 7, "heads": 8, "layer": 2, "head": 5}, 2, 4)],
    ids=["defaults", "chosen"],
)
def test_rotary_arrows_are_those_of_the_shifted_pair(chosen: dict[str, Any], query: int, key: int) -> None:
    session, moved = Asked(PAGE, view="rotary", **chosen), chosen.get("moved", 3)
    reading = computed(OVEN, source="trained", positions="rotary", n_heads=chosen.get("heads", 4))
    layer, head = chosen.get("layer", 1) - 1, chosen.get("head", 1) - 1
    found = meeting(reading, layer, head, query, key)
    table = session.table("pairs")
    assert_allclose(table["part of the score"], found.parts(query + moved, key + moved), atol=1e-9)
    assert_allclose(table[["k first", "k second"]], found.pairs(query + moved, key + moved)[1], atol=1e-9)
    score = reading.head(layer, head).scores[query, key]
    assert f"is {two_decimals(score)} at positions {query + 1} and {key + 1}, and the same" in session.prose
    assert f"Both move by {moved} positions" in session.questions[0].text


def test_the_score_of_a_query_and_a_key_is_told_before_the_shift_and_after_it() -> None:
    words, at = ("bread", "the"), (4, 0)
    same = rotary.headline(words, at, 3, -1.5, -1.50002)
    assert same.endswith("*the* is −1.50 at positions 5 and 1, and the same at positions 8 and 4.")
    assert rotary.headline(words, at, 3, 2, 2.5).endswith("and 2.50 at positions 8 and 4, 0.50 away.")
    assert rotary.headline(words, at, 0, 2, 2).endswith("is 2.00 at positions 5 and 1.")
    moved, stays = (rotary.told(2, is_scaled=one, is_moved=one) for one in (True, False))
    assert ("q·k/√d_head" in moved, "thin arrows" in moved) == (True, True)
    assert ("q·k/√d_head" in stays, "thin arrows" in stays) == (False, False)


def test_a_shift_of_both_words_leaves_the_score() -> None:
    asked = whole(rotary.score_after_shift((HIS, TEA), (5, 1), 3, 1e-6))
    assert solution(asked) == "the same"
    assert "asks from position 6 and *tea* is at 2. Both move by 3 positions, to 9 and 5." in asked.text
    assert rotary.score_after_shift((HIS, TEA), (5, 1), 3, 0.5) is None
    assert rotary.score_after_shift((TEA, TEA), (1, 1), 3, 0) is None


@pytest.mark.parametrize(
    "chosen", [{}, {"mask": "bidirectional", "heads": 2, "positions_shown": 256}], ids=str
)
def test_the_learned_table_is_that_of_the_trained_model(chosen: dict[str, Any]) -> None:
    session = Asked(PAGE, view="learned", **chosen)
    config = replace(TRAINED, mask=chosen.get("mask", "causal"), n_heads=chosen.get("heads", 4))
    table, n = table_of(config), chosen.get("positions_shown", 128)
    assert_allclose(session.matrix("scheme_added"), table.after[:n].T, rtol=1e-5, atol=1e-6)
    assert_allclose(curve(session, "turned", "angle")[1], table.turned()[:n])
    edges = [session.figure(key)["layout"]["shapes"][0]["x0"] for key in ("scheme_added", "turned")]
    assert edges == [table.reach - 0.5, table.reach]
    assert f"the first {table.reach} vectors of 256" in session.prose
    assert f"In training the first {table.reach} of them got" in session.questions[0].text


def test_the_rows_that_training_has_changed_are_counted() -> None:
    assert learned.headline(58, 256).endswith(
        "first 58 vectors of 256; those of the other 198 are still random."
    )
    assert learned.headline(1, 2).endswith("first 1 vector of 2; the other one is still random.")
    assert learned.headline(4, 4) == "Training has changed the direction of all 4 vectors."
    assert learned.told(4, 4, mask="causal") == "After position 4 there is no vector at all."
    assert "predicts a word from them" in learned.told(58, 256, mask="causal")
    assert "is that long" in learned.told(58, 256, mask="bidirectional")
    assert "at most 0.03°" in learned.unturned(np.array([0.01, 0.034]))


def test_vectors_beyond_training_are_random_and_beyond_the_table_there_are_none() -> None:
    turned = [30.0] * 58 + [0.01] * 198
    asked = whole(learned.vector_beyond_training(58, turned))
    assert solution(asked) == "random: training has not turned it"
    assert "position 157?" in asked.text
    assert learned.vector_beyond_training(58, [30.0] * 256) is None, "all have turned"
    assert learned.vector_beyond_training(256, [30.0] * 256) is None
    assert solution(whole(learned.vector_after_the_table(256))).startswith("no vector")


def test_losses_beyond_training_are_drawn_and_told() -> None:
    session = Asked(PAGE, view="length extrapolation")
    for name, loss in INVENTED.items():
        assert_allclose(curve(session, "extrapolation_loss", name)[1][:2], loss)
    assert "**alibi** rises, 1.00 → 1.09" in session.prose
    reach = table_of(TRAINED).longest_sentence
    assert f"Training sentences had up to {reach} words" in session.prose
    assert f"vectors after position {reach} that no training sentence used" in session.prose
    assert [line["x0"] for line in session.figure("extrapolation_loss")["layout"]["shapes"]] == [reach]
    assert list(session.table("extrapolation_loss").columns) == list(INVENTED)


def test_verbs_beyond_training_are_drawn_and_told() -> None:
    session = Asked(PAGE, view="length extrapolation", measured="verb by distance", heads=8)
    assert_allclose(curve(session, "extrapolation_accuracy", "none")[1], 0.5)
    assert "**alibi** 100 %, **rotary** 67 %" in session.prose
    assert "at most 7 points" in session.prose
    assert "chance 50 %" in texts(session, "extrapolation_accuracy")


def test_the_best_and_the_worst_scheme_beyond_training_are_named_whichever_way_losses_go() -> None:
    changes = [("none", 2.0, 2.5), ("alibi", 1.5, 1.25), ("rotary", 1.0, 1.25)]
    told = extrapolation.headline_of_losses(changes)
    assert told.endswith("1.50 → 1.25 nats with *alibi* (best) and 2.00 → 2.50 with *none* (worst).")
    assert extrapolation.headline_of_losses(changes[:1]).endswith("goes 2.00 → 2.50 nats with *none*.")
    assert extrapolation.why_learned(changes, 59) == ""
    for change, said in ((0.0625, "rises"), (-0.0625, "falls"), (0.001, "stays")):
        assert f"**none** {said}, 2.00 →" in extrapolation.growth([("none", 2.0, 2.0 + change)])


@each(
    ("accuracies", "said"),
    [
        ({"none": 0.5, "alibi": 1.0}, "right in 100 % with *alibi* and in 50 % with *none*; chance"),
        ({"none": 0.75, "alibi": 0.75}, "right in 75 % with all 2 schemes; chance is 50 %."),
        ({"none": 0.75}, "right in 75 % with *none*; chance is 50 %."),
    ],
)
def test_how_often_a_distant_verb_is_right_is_told_of_the_best_and_the_worst_scheme(
    accuracies: dict[str, float], said: str
) -> None:
    assert said in extrapolation.headline_of_verbs(accuracies, 240)


def test_the_worst_beyond_training_is_chosen() -> None:
    losses = {"none": (1.7, 2.0), "alibi": (1.6, 1.5), "rotary": (1.6, 2.4)}
    assert solution(whole(extrapolation.grows_most(losses))) == "rotary"
    assert extrapolation.grows_most({"none": (1.7, 2.0)}) is None
    agrees = extrapolation.agrees_furthest
    assert solution(whole(agrees({"alibi": 0.69, "rotary": 0.92}, 240, 480))) == "alibi"
    assert agrees({"alibi": 0.9, "rotary": 0.9}, 240, 480) is None
    assert agrees({"alibi": 0.79, "rotary": 0.9}, 240, 48) is None, "of 48 questions that is luck"


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
    assert list(session.table("schemes").columns) == ["none", "sinusoidal", "alibi", "relative"]
    session.click("schemes", x=0, y=0, data=2)
    assert session.value("view") == "alibi"
