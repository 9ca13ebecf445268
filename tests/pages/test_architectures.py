"""Architectures: the drawing has what the forward pass has, and what is clicked is what is shown."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.models import random_pair, seen_pair, seen_stack
from core.measures.architectures.unrolled import cell_step, pair_config, unrolled_pair
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.sources.rivals import load_rival
from core.text.tokenizer import words_of
from pages.architectures import encoder_decoder, encoder_or_decoder, recurrent
from pages.architectures.drawing import no_translation
from pages.architectures.recurrent import ATTENDS, FIXED, LSTM, RNN, peak_step
from pages.contract.answers import LinkAnswers, parsed
from pages.contract.ask import Ask
from pages.contract.asking import scene_of
from pages.contract.examples import MARIA
from pages.contract.lecture import arranged
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.question import Estimate, solution
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.programs import printed
from tests.views import page_in
from viz.theme import LIGHT

PAGE = "architectures"
TEXT = "the driver poured the gardener tea."
BOTH = "encoder–decoder"


ONE = "encoder or decoder"


def opened(view: str = ONE, **parameters: Any) -> Asked:
    chosen = {} if view == ONE else {"view": view}
    return Asked(PAGE, **chosen, **parameters)


def written(session: Asked, picture: str) -> list[str]:
    """Everything that is written in a drawing, without its markup."""
    notes = session.figure(picture)["layout"]["annotations"]
    return [note["text"].replace("<b>", "").replace("</b>", "").replace("<br>", " ") for note in notes]


def filled(session: Asked) -> int:
    """How many pictures of masks there are: their cells have the colour of attention."""
    shapes = session.figure("architecture")["layout"]["shapes"]
    return sum(shape["fillcolor"] == LIGHT.attention for shape in shapes)


def clickable(session: Asked, picture: str) -> list[str]:
    """The names that clicks report, from the words upwards."""
    return list(dict.fromkeys(session.figure(picture)["data"][-1]["customdata"]))


def test_the_first_screen_says_what_makes_an_encoder_and_names_the_switch() -> None:
    session = opened()
    assert "**This stack is an encoder: no mask hides the future, and every word attends to" in session.prose
    assert "Self-attention" in written(session, "architecture")
    assert session.value("mask") == "bidirectional"
    assert filled(session) == 0

    session.set(mask="causal")
    assert "**This stack is a decoder: its causal mask hides 55 of 121 weights" in session.prose
    assert "Masked self-attention" in written(session, "architecture")
    assert filled(session) == 1


@pytest.mark.parametrize(
    ("view", "part", "place"),
    [
        (ONE, "words", "words."),
        (ONE, "embedding", "embedding."),
        (ONE, "self-attention", "self-attention, layer 2, head 3."),
        (ONE, "feed-forward", "feed-forward, layer 2."),
        (BOTH, "encoder: embedding", "embedding of the encoder."),
        (BOTH, "decoder: cross-attention", "cross-attention of the decoder, layer 2, head 3."),
    ],
)
def test_the_headline_names_a_layer_and_a_head_only_of_a_part_that_has_one(
    view: str, part: str, place: str
) -> None:
    session = opened(view, part=part, layer=2, head=3)
    assert session.warnings == []
    assert readable(str(session.sheet.answer)).endswith(f"Open is {place}")


def test_a_button_makes_the_encoder_a_decoder_and_back_with_the_same_parameters() -> None:
    session = on_page(text=TEXT, model="random")
    encoder = opened(text=TEXT, model="random")
    session.press("Make it a decoder")
    assert session.link["mask"] == "causal"
    decoder = opened(text=TEXT, model="random", mask="causal")
    assert clickable(encoder, "architecture") == clickable(decoder, "architecture")
    (of_encoder,), (of_decoder,) = encoder.tables, decoder.tables
    assert of_encoder["encoder"].tolist() == of_decoder["decoder"].tolist()
    session.press("Make it an encoder")
    assert "This stack is an encoder" in session.prose


GONE: dict[str, tuple[Any, tuple[str, ...]]] = {
    "residual": (False, (".sum",)),
    "mlp": (False, (".mlp", "out.sum")),
    "norm": ("none", ("norm",)),
    "positions": ("rotary", ("positions",)),
}
"""What a switch at this value takes out of the drawing."""


def test_a_switch_takes_boxes_out_of_the_drawing() -> None:
    before = clickable(opened(), "architecture")
    for switch, (value, gone) in GONE.items():
        after = clickable(opened(**{switch: value}), "architecture")
        assert set(before) > set(after), switch
        assert all(any(end in name for end in gone) for name in set(before) - set(after)), switch
        assert not any(end in name for name in after for end in gone), switch


def test_positions_that_act_inside_of_attention_are_named_in_its_box() -> None:
    for positions, title in (("rotary", "rotary positions"), ("alibi", "linear bias (ALiBi)")):
        session = opened(positions=positions)
        assert f"4 heads · {title}" in written(session, "architecture")
        inner = written(session, "inside_part")
        assert ("queries, turned" in inner, "bias" in inner) == (positions == "rotary", positions == "alibi")


def test_shapes_stand_at_the_arrows() -> None:
    texts = written(opened(text=TEXT, heads=2), "architecture")
    assert "7 words" in texts
    assert texts.count("7 × 48") == 12, "ten arrows straight up, and two that go round"
    inner = written(opened(text=TEXT, heads=2), "inside_part")
    assert inner.count("2 × 7 × 24") == 4
    assert inner.count("2 × 7 × 7") == 2


def on_page(view: str = ONE, **parameters: Any) -> Session:
    chosen = {} if view == ONE else {"view": view}
    return Session(PAGE, **chosen, **parameters)


@pytest.mark.parametrize("layer", [1, 2])
def test_a_clicked_box_shows_what_it_computed(layer: int) -> None:
    session = on_page(text=TEXT, layer=layer, computed_table=True)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    found = seen_stack(load("trained", config, words_of(TEXT), 0)).anatomy

    session.click("architecture", x=1, y=1, data=f"blocks.{layer - 1}.mid.sum")
    value = found.parts[f"blocks.{layer - 1}.mid.sum"].value
    np.testing.assert_allclose(session.matrix("computed"), value, rtol=1e-4)
    np.testing.assert_allclose(session.table("computed")["norm"], np.linalg.norm(value, axis=1), rtol=1e-4)
    np.testing.assert_allclose(
        numbers(session.figure("computed")["data"][1]["x"]), np.linalg.norm(value, axis=1), rtol=1e-4
    )
    assert session.link["part"] == "sum after self-attention"
    assert "core/model/blocks.py" in session.prose
    assert any('trace("mid"' in block.value for block in session.app.code)


def test_a_clicked_part_of_a_part_shows_its_own_numbers_of_the_chosen_head() -> None:
    session = opened(mask="causal", text=TEXT, head=3, model="random", seed=4)
    found = seen_stack(load("random", ModelConfig(vocab_size=1), words_of(TEXT), 4)).anatomy
    inside = {part.name: part.value for part in found.inside["blocks.0.attention"]}

    np.testing.assert_allclose(np.nan_to_num(session.matrix("computed")), inside["pattern"][2], atol=1e-6)
    for name, title in (("k", "keys"), ("z", "weighted values"), ("scores", "scores")):
        session.click("inside_part", x=1, y=1, data=name)
        assert session.link["inside"] == title
        np.testing.assert_allclose(session.matrix("computed"), inside[name][2], atol=1e-5)
    session.click("inside_part", x=1, y=1, data="out")
    np.testing.assert_allclose(session.matrix("computed"), inside["out"], atol=1e-5)


def test_cross_attention_is_target_by_source() -> None:
    session = opened(BOTH, text=TEXT, seed=3, head=2, layer=1, positions="alibi")
    found = seen_pair(random_pair(ModelConfig(vocab_size=1, positions="alibi"), 3), words_of(TEXT))
    inside = {part.name: part.value for part in found.anatomy.inside["decoder.blocks.0.cross_attention"]}

    np.testing.assert_allclose(session.matrix("computed"), inside["pattern"][1], atol=1e-6)
    assert session.matrix("computed").shape == (9, 7)
    assert session.infos == [encoder_decoder.UNTRAINED]
    assert session.has("seed")

    trained = opened(BOTH, text=TEXT, seed=3)
    assert trained.infos == trained.warnings == []
    assert not trained.has("seed"), "a trained model draws nothing"
    assert not session.has("mask")
    assert not session.has("model")


def test_a_sentence_without_a_translation_says_so_and_the_decoder_has_its_start_alone() -> None:
    for view, more in ((BOTH, {}), ("recurrent", {"network": "with attention"})):
        session = opened(view, text="the *cat* sleeps", **more)
        (info,) = (one for one in session.infos if "reference translation" in one)
        assert "at word 2, expected" in readable(info)
        assert "'*'" in readable(info)
        assert "*'" not in info.replace("\\*", "")
        assert session.pictures


def test_a_mask_is_drawn_where_it_acts_however_short_the_sentence() -> None:
    for session in (opened(mask="causal", text="cat"), opened(BOTH, text="the elephant gave zuko")):
        assert "Masked" in " ".join(written(session, "architecture"))
    assert "Masked" not in " ".join(written(opened(text="cat"), "architecture"))


def test_a_switch_that_takes_a_part_away_changes_no_width() -> None:
    assert "11 × 48" in " ".join(written(opened(BOTH), "architecture"))
    assert "11 × 48" in " ".join(written(opened(BOTH, residual=False), "architecture"))


def test_random_weights_are_proposed_where_they_can_be_chosen() -> None:
    session = on_page(text="the snark sleeps")
    assert session.has("known_random")
    session.set(view="recurrent")
    assert not session.has("known_random"), "that view has trained weights alone"


def test_a_part_that_the_model_lacks_makes_way_for_another() -> None:
    session = opened(part="feed-forward", mlp=False)
    assert "asks for part = feed-forward, but here it can be" in readable(session.warnings[0])
    assert session.value("part") == "self-attention"


def rows_of(session: Asked) -> list[list[str]]:
    return [line.split() for line in printed(session.code, alone=False).splitlines()]


@pytest.mark.parametrize(
    ("view", "asked"),
    [
        (ONE, {"positions": "alibi", "norm": "post", "residual": False}),
        (ONE, {"mask": "causal", "model": "random", "seed": 3, "heads": 2}),
        pytest.param(BOTH, {"heads": 1}, marks=pytest.mark.long("one head in three programs")),
        (BOTH, {"seed": 2, "layers": 1, "mlp": False}),
        ("recurrent", {"network": "LSTM"}),
        ("recurrent", {"network": "with attention"}),
    ],
    ids=str,
)
def test_the_program_prints_names_shapes_and_norms(view: str, asked: dict[str, Any]) -> None:
    session = opened(view, text=TEXT, part=_last_part(view, asked), **asked)
    row = next(row for row in rows_of(session) if row[0].endswith("logits"))

    table = session.table("computed")
    assert row[1:-2] == f"shape 1 × {len(table)} × {table.shape[1] - 1}".split()
    assert float(row[-1]) == pytest.approx(table["norm"].mean(), rel=1e-3)


def _last_part(view: str, asked: dict[str, Any]) -> str:
    paired = view == BOTH or asked.get("network") == "with attention"
    return "decoder: output" if paired else "output"


def test_the_weights_of_the_chosen_step_are_drawn_and_listed() -> None:
    session = opened("recurrent", network="with attention", text=TEXT, decoder_step=3)
    found = unrolled_pair(take(name_of_pair(pair_config(attends=True))), words_of(TEXT))
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
    found = unrolled_pair(take(name_of_pair(pair_config(attends=False))), words_of(TEXT))
    np.testing.assert_allclose(session.matrix("computed")[0], found.rows["encoder.layers.0.hidden"].value[-1])
    assert session.link["part"] == "fixed vector"


@pytest.mark.parametrize(
    ("view", "more"),
    [
        (ONE, {"layers": 3, "model": "random"}),
        (BOTH, {"layers": 3}),
        ("recurrent", {}),
        ("recurrent", {"network": BOTH}),
    ],
)
def test_the_table_of_parameters_adds_up(view: str, more: dict[str, Any]) -> None:
    (table,) = opened(view, **more).tables
    np.testing.assert_array_equal(table.iloc[:-1].sum(), table.iloc[-1])
    assert (table.iloc[:-1].sum(axis=1) > 0).all(), "a part that is not there has no row"


def test_long_sentences_are_drawn() -> None:
    text = " ".join(["so"] * 200)
    assert "200 words" in written(opened(text=text), "architecture")
    assert len(opened("recurrent", text=text).figure("unrolled")["data"])


def test_the_sentence_of_every_view_is_the_same() -> None:
    for view in (ONE, BOTH, "recurrent"):
        assert opened(view).value("text") == MARIA


@each(
    ("n", "mask", "said"),
    [
        (11, "bidirectional", "is an encoder: no mask hides the future, and every word attends to all 11."),
        (1, "bidirectional", "is an encoder: no mask hides the future, and its one word attends to itself."),
        (11, "causal", "is a decoder: its causal mask hides 55 of 121 weights in every head."),
        (1, "causal", "is a decoder: of one word its causal mask hides nothing."),
    ],
)
def test_the_mask_makes_a_stack_an_encoder_or_a_decoder(n: int, mask: str, said: str) -> None:
    allowed = np.tri(n, dtype=bool) if mask == "causal" else np.ones((n, n), dtype=bool)
    assert encoder_or_decoder.headline(allowed, MASKS[mask]) == f"This stack {said}"


def test_a_later_word_is_said_to_be_hidden_only_if_it_is() -> None:
    decoder = encoder_or_decoder.difference(MASKS["causal"], "an encoder")
    assert decoder.startswith("No word attends to a later one.")
    assert not encoder_or_decoder.difference(MASKS["bidirectional"], "a decoder").startswith("No word")
    shared = ["share one table" in encoder_or_decoder.parameters_told(tied=tied) for tied in (True, False)]
    assert shared == [True, False]


def test_one_word_is_no_plural() -> None:
    assert "reads its one word, and" in encoder_decoder.headline(1, 2)
    assert recurrent.headline(RNN, 1, 0, 64).endswith(": one word is one step.")
    assert "knows of 1 word has" in recurrent.headline(FIXED, 1, 2, 64)


def test_words_that_are_not_drawn_are_said_to_be_left_out() -> None:
    cut = "Drawn are the first 16 words."
    assert recurrent.told(RNN, 16, 0) == ()
    assert [one.markdown for one in recurrent.told(RNN, 17, 0)] == [cut]
    assert [one.markdown.endswith(cut) for one in recurrent.told(ATTENDS, 16, 17)] == [True]
    assert [one.markdown.endswith(cut) for one in recurrent.told(LSTM, 1, 0)] == [False]


def test_why_a_decoder_is_fed_its_start_alone_is_said_as_typed() -> None:
    assert no_translation("") == ()
    (notice,) = no_translation("at word 2, expected *x*")
    assert "\\*x\\*" in notice.markdown


def test_the_inside_of_an_lstm_is_that_of_the_layer_and_the_word_that_are_chosen() -> None:
    second = {"network": "LSTM", "part": "hidden states, layer 2"}
    asked = Asked(PAGE, view="recurrent", text="the chef is", **second)
    assert "At *chef* in layer 2" in asked.prose
    asked.set(cell_word=3)
    step = cell_step(load_rival("next-word-lstm"), ["the", "chef", "is"], layer=1, position=2)
    assert list(asked.table("lstm_cell")["forget gate f"]) == list(step.forget)
    asked.set(network="RNN")
    assert not asked.has("lstm_cell")


@pytest.mark.parametrize(
    ("link", "fills", "first"),
    [("&cell_word=2", True, "lstm_cell"), ("&cell_word=2", False, "unrolled"), ("", True, "unrolled")],
)
def test_a_lecture_shows_the_inside_of_an_lstm_that_its_link_asks_for(
    link: str, fills: bool, first: str
) -> None:
    ask = Ask(LinkAnswers(parsed(f"/architectures?view=recurrent&network=LSTM{link}")[1]))
    ask.look = replace(Look(), fills=fills)
    view, scene = scene_of(ask, page_in(PAGE))
    picture = arranged(view.sheet(ask, scene).parts).picture  # type: ignore[union-attr]
    assert picture is not None
    assert picture.panels[0].drawn.key == first  # type: ignore[union-attr]


def known(asked: Any) -> dict[float, str]:
    """The mistaken answers of a question with their reasons."""
    assert isinstance(asked, Estimate)
    return dict(asked.mistaken)


def test_weights_hidden_by_a_mask_are_less_than_half() -> None:
    causal = np.tri(4, dtype=bool)
    asked = known(encoder_or_decoder.hidden_weights("causal", causal))
    assert set(asked) == {10, 8, 0}
    assert "the diagonal stays" in asked[10]
    prefix = causal | (np.arange(4) < 2)
    assert set(known(encoder_or_decoder.hidden_weights("prefix", prefix))) == {6, 10, 8, 0}
    assert encoder_or_decoder.hidden_weights("causal", causal[:1, :1]) is None
    window = causal & ~np.tri(4, k=-2, dtype=bool)
    assert encoder_or_decoder.hidden_weights("window", window) is None, "it hides earlier words too"


def test_questions_are_asked_only_if_their_mistakes_differ_from_the_answer() -> None:
    hot = Typed("hot")
    assert set(known(encoder_or_decoder.seen_by_first(hot, 3, 3))) == {1, 2}
    assert known(encoder_or_decoder.seen_by_first(hot, 2, 2)) == {}, "of two words 1 may be either mistake"
    assert encoder_or_decoder.seen_by_first(hot, 1, 1) is None
    assert set(known(encoder_decoder.cross_weights(2, 3))) == {4, 9}
    assert encoder_decoder.cross_weights(3, 3) is None
    assert set(known(recurrent.steps_of_recurrence("RNN", 3))) == {1}
    assert known(recurrent.steps_of_recurrence("RNN", 1)) == {}
    assert set(known(recurrent.numbers_handed_over(3, 5, 5))) == {15}
    assert known(recurrent.numbers_handed_over(1, 5, 5)) == {}
    assert set(known(recurrent.weights_of_alignment(3, 5))) == {3, 5}
    assert known(recurrent.weights_of_alignment(1, 1)) == {}


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({}, "every word attends to all 11."),
        ({"mask": "causal"}, "hides 55 of 121 weights"),
        ({"mask": "prefix"}, "hides 45 of 121 weights"),
        ({"view": "recurrent", "network": "LSTM"}, "11 words are 11 steps"),
        ({"view": "recurrent", "network": BOTH}, "through one vector of 64 numbers"),
    ],
)
def test_the_right_answer_is_the_number_of_the_sheet(link: dict[str, Any], said: str) -> None:
    page = Asked(PAGE, **link)
    first = page.questions[0]
    assert isinstance(first, Estimate)
    assert solution(first) in said
    assert said in page.sheet.answer


def test_weights_between_decoder_and_encoder_are_those_drawn() -> None:
    page = Asked(PAGE, view=BOTH, part="decoder: cross-attention")
    asks_for, weights = page.questions
    assert solution(asks_for).startswith("queries of the decoder")
    assert isinstance(weights, Estimate)
    assert weights.right == page.matrix("computed").size
