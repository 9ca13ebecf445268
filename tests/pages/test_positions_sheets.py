"""The sentences of the page on positions, at every branch, on made-up numbers."""

from typing import Any

import numpy as np
import pytest

from core.measures.positions import alibi as linear
from core.model.config import ModelConfig
from core.model.positions import InjectionPoint
from pages.positions import alibi, all_schemes, any_scheme, learned, rotary, sinusoidal
from pages.positions import extrapolation_said as extrapolation
from tests.covering import each
from viz.units import per_cent

PAIR = rotary.Pair("bread", "the", query=4, key=0, moved=3)


@each(
    ("distances", "said"),
    [
        ({"none": 1.29, "learned": 1.154, "rotary": 1.2}, "from 1.15 words away under *learned* to 1.29"),
        ({"none": 1, "alibi": 1.1}, "from 1.00 words away under *none* to 1.10 words away under *alibi*."),
        ({"none": 0.001, "alibi": 0.0}, "Under all 2 schemes a word attends 0.00 words away in the mean."),
        ({"none": 0.0, "alibi": 0.0}, "Whatever the scheme, each word attends to itself alone."),
        ({"alibi": 1.5}, "Under *alibi* a word attends 1.50 words away in the mean."),
    ],
)
def test_the_schemes_with_the_nearest_and_the_furthest_attention_are_named(
    distances: dict[Any, float], said: str
) -> None:
    assert said in all_schemes.answer(distances)


@each("mask", ["causal", "bidirectional"])
@each("trained", [True, False])
def test_what_can_be_compared_between_schemes_depends_on_weights_and_mask(mask: str, trained: bool) -> None:
    look = {"trained": trained, "mask": mask, "n_layers": 2}
    mean, head = (all_schemes.told(1, of_head=of_head, **look) for of_head in (False, True))
    once = all_schemes.told(1, of_head=False, **{**look, "n_layers": 1})
    assert ("their own order makes no difference" in once) == (mask == "causal")
    assert "can tell the order" not in once
    assert "*loss*" not in all_schemes.told(1, of_head=False, **look, shows_loss=False)
    for told in (mean, head):
        assert ("can tell the order" in told) == (mask == "causal")
        assert ("same random weights" in told) == (not trained)
        assert ("1 model learned" in told) == trained
    assert ("mean over the heads of its layer" in mean) == trained
    assert "mean over the heads" not in head


def test_a_click_opens_the_view_of_a_scheme_that_has_one() -> None:
    shown = ["none", "alibi"]
    assert all_schemes.open_view(shown, [{"data": 1}]) == {"view": "alibi"}  # type: ignore[arg-type]
    assert all_schemes.open_view(shown, [{"data": 0}]) == {}  # type: ignore[arg-type]


@each(
    ("point", "numbers", "said"),
    [
        ("embed", [-0.5, 0.25], "Bias of a kind adds −0.5 to 0.25 to each number of a word vector in this"),
        (
            "rotate",
            [0, 90],
            "rotates each pair of dimensions of a query or key by 0° to 90° in this sentence.",
        ),
        ("bias", [-2, 1], "Bias of a kind adds −2 to 1 to each score in this sentence."),
        ("bias", [1, 1], "adds 1 to each score"),
    ],
)
def test_how_much_a_scheme_changes_is_told_where_it_enters(
    point: InjectionPoint, numbers: list[float], said: str
) -> None:
    assert said in any_scheme.answer("bias of a kind", point, np.array(numbers, dtype=float))


@each(
    ("n", "trained", "said"),
    [
        (0, True, "It has no learned parameters."),
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


def test_the_rows_that_training_has_changed_are_counted() -> None:
    assert learned.answer(58, 256).endswith(
        "first 58 vectors of 256; those of the other 198 are still random."
    )
    assert learned.answer(1, 2).endswith("first 1 vector of 2; the other one is still random.")
    assert learned.answer(4, 4) == "Training has changed the direction of all 4 vectors."
    assert learned.told(4, 4, rest=0, mask="causal") == "After position 4 there is no vector at all."


@pytest.mark.parametrize(
    ("mask", "why"), [("causal", "predicts a word from them"), ("bidirectional", "is that long")]
)
def test_why_the_rest_of_a_learned_table_has_no_gradient_depends_on_the_mask(mask: str, why: str) -> None:
    told = learned.told(58, 256, rest=0.034, mask=mask)
    assert why in told
    assert "Vectors after position 58 have not turned, but for at most 0.03° of rounding" in told


def test_a_pair_of_sinusoids_repeats_after_its_wavelength() -> None:
    told = sinusoidal.told(48, 0)
    assert "pair 0 repeats after **6.3 words**, the fastest pair after 6.3 words" in told
    assert "largest, 24, at distance 0" in told
    assert "pair 23 repeats after **42.8 k words**" in sinusoidal.told(48, 23)
    assert sinusoidal.answer(16, 2e-14).endswith(
        "over all 16² pairs here, two at the same distance differ by at most 2·10⁻¹⁴."
    )
    assert sinusoidal.open_pair([{"x": 21.0}]) == {"pair": 10}


@pytest.mark.parametrize(
    ("slopes", "said"),
    [
        ([1 / 256], "With 1 head the slope is 1/256, which is not learned."),
        ([1 / 4, 1 / 16], "With 2 heads the slopes are 1/4, 1/16; none of them is learned."),
    ],
)
def test_slopes_are_listed_with_what_they_give_the_last_word(slopes: list[float], said: str) -> None:
    told = alibi.told(32, slopes, len(slopes) - 1)
    note, own = (per_cent(linear.alone(32, slope)[0]) for slope in (1, slopes[-1]))
    assert f"{note} at slope 1 and of {own} in head {len(slopes)}." in told
    assert said in told
    assert "In head 3, a distance of 16 words lowers a score" in alibi.answer(2, 1 / 16)


def test_what_tells_a_mirror_image_apart_depends_on_the_mask() -> None:
    blind = alibi.mirror_image({"trained": 3e-7, "random": 0.0}, "bidirectional")
    assert "3·10⁻⁷ with trained weights and 0 with random weights, which is rounding error" in blind
    assert "cannot tell this sentence" in blind
    causal = alibi.mirror_image({"random": 0.5}, "causal")
    assert "the causal mask alone tells" in causal
    assert "output is 0.50 with random weights. Choose *bidirectional*" in causal


def test_the_score_of_a_query_and_a_key_is_told_before_the_shift_and_after_it() -> None:
    assert rotary.answer(PAIR, -1.5, -1.5000002) == (
        "The score of the query of *bread* and the key of *the* is −1.50 at positions 5 and 1 and −1.50 at "
        "positions 8 and 4: the two scores differ by 2·10⁻⁷."
    )
    still = rotary.Pair("bread", "the", query=4, key=0, moved=0)
    assert rotary.answer(still, 2, 2).endswith("is 2.00 at positions 5 and 1.")
    moved, stays = (rotary.told(pair, 2, is_scaled=pair.moved > 0) for pair in (PAIR, still))
    assert "q·k/√d_head = **2.00**" in moved
    assert "The thin arrows" in moved
    assert "q·k = **2.00**" in stays
    assert "The thin arrows" not in stays


def test_the_best_and_the_worst_scheme_beyond_training_are_named_whichever_way_losses_go() -> None:
    changes = [("none", 2.0, 2.5), ("alibi", 1.5, 1.25), ("rotary", 1.0, 1.25)]
    assert extrapolation.answer_of_losses(changes) == (
        "Beyond the length of training the mean loss in nats per word goes 1.50 → 1.25 with *alibi*, the "
        "best case, and 2.00 → 2.50 with *none*, the worst."
    )
    assert extrapolation.answer_of_losses(changes[:1]).endswith("goes 2.00 → 2.50 with *none*.")


@each(
    ("change", "said"),
    [
        (0.0625, "rises, 2.00 → 2.06."),
        (-0.0625, "falls, 2.00 → 1.94."),
        (0.001, "stays, 2.00 → 2.00."),
    ],
)
def test_a_loss_rises_or_falls_by_the_numbers_that_are_shown(change: float, said: str) -> None:
    assert f"**none** {said}" in extrapolation.growth([("none", 2.0, 2.0 + change)])


@pytest.mark.parametrize(
    ("accuracies", "said"),
    [
        (
            {"none": 0.5, "alibi": 1.0, "rotary": 0.75},
            "right in 100 % with *alibi* and in 50 % with *none*; chance",
        ),
        ({"none": 0.75, "alibi": 0.75}, "right in 75 % with all 2 schemes; chance is 50 %."),
        ({"none": 0.75}, "right in 75 % with *none*; chance is 50 %."),
    ],
)
def test_how_often_a_distant_verb_is_right_is_told_of_the_best_and_the_worst_scheme(
    accuracies: dict[str, float], said: str
) -> None:
    assert f"240 words from its subject a verb is {said}" in extrapolation.answer_of_verbs(accuracies, 240)
    ranked = extrapolation.listed(accuracies, 240)
    assert ranked.startswith(
        "Accuracy 240 words from the subject, on 48 questions (one standard error is at most 7 points): "
        f"**{max(accuracies, key=accuracies.__getitem__)}**"
    )


def test_what_has_an_end_is_named_in_how_losses_were_measured() -> None:
    told = extrapolation.how_losses(ModelConfig(vocab_size=1), 58)
    assert "up to 58 words; these have 240, and *learned* has no vector after position 256." in told
