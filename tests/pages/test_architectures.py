"""Architectures: the drawing has the parts of the forward pass, and a click shows its part."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.learning.collection import load_listed_member
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.models import random_pair, run_pair, run_stack
from core.measures.architectures.unrolled import cell_step, pair_config, unrolled_pair
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.sources.trained import load_rival
from core.text.tokenizer import words_of
from pages.architectures import encoder_decoder, encoder_or_decoder, recurrent
from pages.architectures.recurrent import ATTENDS, FIXED, LSTM, RNN, peak_step
from pages.contract.arrangement import arranged
from pages.contract.ask import Ask
from pages.contract.common_controls import scene_of
from pages.contract.link_parameters import LinkParameters, parsed
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.sheet import PicturePart, Text, all_parts
from pages.contract.switches import Architecture
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import numbers, readable
from tests.programs import printed
from tests.views import page_in
from viz.matrices import SentencePairMatrix
from viz.theme import LIGHT

PAGE = "architectures"
TEXT = "the driver poured the gardener tea."
BOTH = "encoder–decoder"


ONE = "encoder or decoder"


def opened(view: str = ONE, **parameters: Any) -> Asked:
    chosen = {} if view == ONE else {"view": view}
    return Asked(PAGE, **chosen, **parameters)


def written(session: Asked, picture: str) -> list[str]:
    """Return everything that is written in a drawing, without its markup."""
    notes = session.figure(picture)["layout"]["annotations"]
    return [note["text"].replace("<b>", "").replace("</b>", "").replace("<br>", " ") for note in notes]


def filled(session: Asked) -> int:
    """Return how many pictures of masks there are: their cells have the colour of attention."""
    shapes = session.figure("architecture")["layout"]["shapes"]
    return sum(shape["fillcolor"] == LIGHT.attention for shape in shapes)


def clickable(session: Asked, picture: str) -> list[str]:
    """Return the names that clicks report, from the words upwards."""
    return list(dict.fromkeys(session.figure(picture)["data"][-1]["customdata"]))


@each(
    ("link", "n_masks"),
    [({}, 0), ({"mask": "causal", "text": "cat"}, 1), ({"view": BOTH, "text": "the elephant gave zuko"}, 1)],
)
def test_a_mask_is_drawn_where_it_acts_however_short_the_sentence(link: dict[str, str], n_masks: int) -> None:
    session = Asked(PAGE, **link)
    assert ("Masked" in " ".join(written(session, "architecture"))) == bool(n_masks)
    assert filled(session) == n_masks


def test_a_button_makes_the_encoder_a_decoder_and_back_with_the_same_parameters() -> None:
    asked = opened(text=TEXT, model="random")
    parts, (of_encoder,) = clickable(asked, "architecture"), asked.tables
    asked.press("Make it a decoder")
    assert asked.link["mask"] == "causal"
    (of_decoder,) = asked.tables
    assert clickable(asked, "architecture") == parts
    assert of_encoder["encoder"].tolist() == of_decoder["decoder"].tolist()
    asked.press("Make it an encoder")
    assert "This stack is an encoder" in asked.prose


@each(
    ("switch", "gone"),
    [
        ({"residual": False}, (".sum",)),
        ({"mlp": False}, (".mlp", "out.sum")),
        ({"norm": "none"}, ("norm",)),
        ({"positions": "rotary"}, ("positions",)),
    ],
)
def test_a_switch_takes_boxes_out_of_the_drawing(switch: dict[str, Any], gone: tuple[str, ...]) -> None:
    before = clickable(opened(), "architecture")
    after = clickable(opened(**switch), "architecture")
    assert set(before) > set(after)
    assert all(any(end in name for end in gone) for name in set(before) - set(after))
    assert not any(end in name for name in after for end in gone)


def test_a_clicked_box_shows_its_result() -> None:
    session = opened(text=TEXT, layer=2)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    found = run_stack(load("trained", config, words_of(TEXT), 0)).anatomy

    session.click("architecture", x=1, y=1, data="blocks.1.mid.sum")
    value = found.parts["blocks.1.mid.sum"].value
    norms = np.linalg.norm(value, axis=1)
    np.testing.assert_allclose(session.matrix("computed"), value, rtol=1e-4)
    np.testing.assert_allclose(session.table("computed")["length"], norms, rtol=1e-4)
    np.testing.assert_allclose(numbers(session.figure("computed")["data"][1]["x"]), norms, rtol=1e-4)
    assert session.link["part"] == "sum after self-attention"
    assert "**Sum after self-attention, layer 2:** The residual connection adds" in session.prose


def test_a_clicked_part_of_a_part_shows_its_own_numbers_of_the_chosen_head() -> None:
    session = opened(mask="causal", text=TEXT, head=3, model="random", seed=4)
    found = run_stack(load("random", ModelConfig(vocab_size=1), words_of(TEXT), 4)).anatomy
    inside = {part.name: part.value for part in found.inside["blocks.0.attention"]}

    np.testing.assert_allclose(np.nan_to_num(session.matrix("computed")), inside["pattern"][2], atol=1e-6)
    for name, title in (("k", "keys"), ("z", "weighted sums"), ("scores", "scores")):
        session.click("inside_part", x=1, y=1, data=name)
        assert session.link["inside"] == title
        np.testing.assert_allclose(session.matrix("computed"), inside[name][2], atol=1e-5)
    session.click("inside_part", x=1, y=1, data="out")
    np.testing.assert_allclose(session.matrix("computed"), inside["out"], atol=1e-5)


@each(
    ("inside", "measure"),
    [
        ("scores", "score"),
        ("bias", "added to the score"),
        ("mask", "1 if allowed, 0 if masked"),
        ("weights", "attention weight"),
    ],
)
def test_the_colour_bar_of_a_part_is_labelled_by_its_numbers(inside: str, measure: str) -> None:
    session = opened(mask="causal", positions="alibi", text=TEXT, inside=inside)
    shown = [one for one in all_parts(session.sheet.parts) if isinstance(one, PicturePart)]
    picture = next(one.picture for one in shown if one.key == "computed")
    assert isinstance(picture, SentencePairMatrix)
    assert inside in picture.title
    assert picture.measure == measure


def test_cross_attention_is_target_by_source() -> None:
    session = opened(BOTH, text=TEXT, seed=3, head=2, layer=1, positions="alibi")
    found = run_pair(random_pair(ModelConfig(vocab_size=1, positions="alibi"), 3), words_of(TEXT))
    inside = {part.name: part.value for part in found.anatomy.inside["decoder.blocks.0.cross_attention"]}

    np.testing.assert_allclose(session.matrix("computed"), inside["pattern"][1], atol=1e-6)
    assert session.matrix("computed").shape == (9, 7)
    assert session.questions[1].right == 9 * 7  # type: ignore[union-attr]
    assert session.infos == [encoder_decoder.UNTRAINED]
    assert session.has("seed")
    assert not session.has("mask")

    trained = opened(BOTH, text=TEXT, seed=3)
    assert trained.infos == trained.warnings == []
    assert not trained.has("seed"), "a trained model draws nothing"


def test_a_sentence_without_a_translation_says_so_and_the_decoder_has_its_start_alone() -> None:
    for view, more in ((BOTH, {}), ("recurrent", {"network": "with attention"})):
        session = opened(view, text="the *cat* sleeps", **more)
        (info,) = (one for one in session.infos if "reference translation" in one)
        assert "does not fit" in readable(info)
        assert "'*'" in readable(info)
        assert "*'" not in info.replace("\\*", "")
        assert session.pictures


@each(
    ("view", "asked"),
    [
        (ONE, {"part": "output layer", "positions": "alibi", "norm": "post", "residual": False}),
        (BOTH, {"part": "decoder: output layer", "seed": 2, "layers": 1, "mlp": False}),
        ("recurrent", {"part": "output layer", "network": "LSTM"}),
        ("recurrent", {"part": "decoder: output layer", "network": "with attention"}),
    ],
)
def test_the_program_prints_names_shapes_and_norms(view: str, asked: dict[str, Any]) -> None:
    session = opened(view, text=TEXT, **asked)
    rows = [line.split() for line in printed(session.code, alone=False).splitlines()]
    row = next(row for row in rows if row[0].endswith("logits"))

    table = session.table("computed")
    assert row[1:-2] == f"shape 1 × {len(table)} × {table.shape[1] - 1}".split()
    assert float(row[-1]) == pytest.approx(table["length"].mean(), rel=1e-3)


def test_the_weights_of_the_chosen_step_are_drawn_and_listed() -> None:
    session = opened("recurrent", network="with attention", text=TEXT, decoder_step=3)
    found = unrolled_pair(load_listed_member(name_of_pair(pair_config(attends=True))), words_of(TEXT))
    assert found.alignment is not None
    table = session.table("unrolled")
    np.testing.assert_allclose(table.iloc[:, 2:], found.alignment, atol=1e-6)
    assert list(table["most likely next word"]) == list(found.expected)
    thick = [one["line"]["width"] for one in session.figure("unrolled")["data"] if one["mode"] == "lines"]
    largest = found.alignment[2].max()
    assert max(thick) == pytest.approx(round(12 * largest) / 2)
    assert peak_step(found) == found.alignment.max(axis=1).argmax()
    usual = opened("recurrent", network="with attention", text=TEXT).figure("unrolled")
    at = peak_step(found) + 1
    chosen = opened("recurrent", network="with attention", text=TEXT, decoder_step=at)
    assert usual == chosen.figure("unrolled")


def test_the_fixed_vector_is_the_last_state_of_the_encoder() -> None:
    session = opened("recurrent", network=BOTH, text=TEXT)
    assert "through one vector of 64 numbers" in session.prose
    session.click("unrolled", x=1, y=1, data="encoder.layers.0.vector")
    found = unrolled_pair(load_listed_member(name_of_pair(pair_config(attends=False))), words_of(TEXT))
    np.testing.assert_allclose(session.matrix("computed")[0], found.rows["encoder.layers.0.hidden"].value[-1])
    assert session.link["part"] == "fixed vector"


@each(("view", "more"), [(ONE, {"layers": 3, "model": "random"}), (BOTH, {"layers": 3}), ("recurrent", {})])
def test_the_table_of_parameters_adds_up(view: str, more: dict[str, Any]) -> None:
    (table,) = opened(view, **more).tables
    np.testing.assert_array_equal(table.iloc[:-1].sum(), table.iloc[-1])
    assert (table.iloc[:-1].sum(axis=1) > 0).all(), "a part that is not there has no row"


def test_the_inside_of_an_lstm_follows_the_chosen_layer_and_word() -> None:
    second = {"network": "LSTM", "part": "states, layer 2"}
    asked = Asked(PAGE, view="recurrent", text="the chef is", **second)
    assert "At *chef* in layer 2" in asked.prose
    asked.set(cell_word=3)
    step = cell_step(load_rival("next-word-lstm"), ["the", "chef", "is"], layer=1, position=2)
    assert list(asked.table("lstm_cell")["forget gate f"]) == list(step.forget)
    asked.set(network="RNN")
    assert not asked.has("lstm_cell")


@each(("link", "fills", "first"), [("&cell_word=2", True, "lstm_cell"), ("", True, "unrolled")])
def test_a_large_page_shows_the_inside_of_an_lstm_that_its_link_asks_for(
    link: str, fills: bool, first: str
) -> None:
    ask = Ask(LinkParameters(parsed(f"/architectures?view=recurrent&network=LSTM{link}")[1]))
    ask.look = replace(Look(), fills=fills)
    view, scene = scene_of(ask, page_in(PAGE))
    picture = arranged(view.sheet(ask, scene).parts).picture  # type: ignore[union-attr]
    assert picture is not None
    assert picture.panels[0].drawn.key == first  # type: ignore[union-attr]


# Verdicts and questions


CAUSAL = np.tri(4, dtype=bool)
CUT = "The drawing shows the first 16 words."


def stack(n: int, mask: str) -> str:
    allowed = np.tri(n, dtype=bool) if mask == "causal" else np.ones((n, n), dtype=bool)
    return encoder_or_decoder.headline(allowed, MASKS[mask])


def told_of(mask: Any, source: str) -> str:
    kind = "a decoder" if mask == "bidirectional" else "an encoder"
    return encoder_or_decoder.difference(Architecture(ModelConfig(vocab_size=1, mask=mask), source, 0), kind)


@each("mask", ["bidirectional", "causal"])
def test_only_trained_weights_are_said_to_change_with_the_mask(mask: Any) -> None:
    for source, is_another in (("trained", True), ("random", False)):
        told = told_of(mask, source)
        first, second = (
            load(source, ModelConfig.of_switches(mask=one), words_of(TEXT), 0).model.embed.weight
            for one in ("bidirectional", "causal")
        )
        assert torch.equal(first, second) != is_another
        assert ("shows another model, trained on another task" in told) == is_another
        assert ("keeps all weights" in told) != is_another
        assert ("fill in masked words" in told) == (is_another and mask == "bidirectional")


@each(
    ("told", "said"),
    [
        (stack(1, "bidirectional"), "encoder: no mask hides the future, and its one word attends to itself."),
        (stack(1, "causal"), "a decoder, but its causal mask hides nothing in a text of one word."),
        (encoder_decoder.headline(1, 2), "Each of 2 positions of the decoder attends to the one word of the"),
        (encoder_decoder.headline(3, 1), "The only position of the decoder attends to all 3 words"),
        (recurrent.headline(RNN, 1, 0, 64), ": one word is one step."),
        (recurrent.headline(FIXED, 1, 2, 64), "knows about 1 word passes"),
    ],
)
def test_a_sentence_agrees_with_its_numbers(told: str, said: str) -> None:
    assert said in told


@each(
    ("told", "is_cut"),
    [
        (recurrent.further_remarks(RNN, 16, 0), False),
        (recurrent.further_remarks(RNN, 17, 0), True),
        (recurrent.further_remarks(ATTENDS, 16, 17), True),
        (recurrent.further_remarks(LSTM, 1, 0), False),
    ],
)
def test_words_that_are_not_drawn_are_said_to_be_left_out(told: tuple[Text, ...], is_cut: bool) -> None:
    assert any(CUT in one.markdown for one in told) == is_cut


HOT = Typed("hot")


@each(
    ("asked", "mistakes"),
    [
        (encoder_or_decoder.hidden_weights_question("prefix", CAUSAL | (np.arange(4) < 2)), {6, 10, 8, 0}),
        (encoder_or_decoder.hidden_weights_question("causal", CAUSAL[:1, :1]), None),
        (encoder_or_decoder.first_word_question(HOT, 2, 2), set()),  # of two words 1 may be either mistake
        (encoder_decoder.cross_weights(2, 3), {4, 9}),
        (recurrent.n_steps_question("RNN", 3), {1}),
        (recurrent.n_alignment_weights_question(3, 5), {3, 5}),
    ],
)
def test_a_question_is_asked_only_if_a_mistake_is_not_the_answer(
    asked: Any, mistakes: set[int] | None
) -> None:
    assert (asked and {value for value, _ in asked.mistaken}) == mistakes
