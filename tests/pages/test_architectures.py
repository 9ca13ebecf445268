"""Architectures: the drawing has what the forward pass has, and what is clicked is what is shown."""

from typing import Any

import numpy as np
import pytest

from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.models import random_pair, seen_pair, seen_stack
from core.measures.architectures.unrolled import pair_config, unrolled_pair
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from pages.architectures import models_said
from pages.architectures.recurrent import surest
from pages.controls.examples import MARIA
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.programs import printed
from viz.theme import LIGHT

PAGE = "architectures"
TEXT = "the driver poured the gardener tea."
BOTH = "encoder–decoder"


def opened(view: str = "encoder", **parameters: Any) -> Asked:
    chosen = {} if view == "encoder" else {"view": view}
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
        ("encoder", "words", "."),
        ("encoder", "embedding", "."),
        ("encoder", "output", "."),
        ("encoder", "self-attention", ", layer 2, head 3."),
        ("encoder", "feed-forward", ", layer 2."),
        (BOTH, "encoder: embedding", "."),
        (BOTH, "decoder: cross-attention", ", layer 2, head 3."),
    ],
)
def test_the_headline_names_a_layer_and_a_head_only_of_a_part_that_has_one(
    view: str, part: str, place: str
) -> None:
    session = opened(view, part=part, layer=2, head=3)
    assert session.warnings == []
    assert readable(str(session.sheet.answer)).endswith(f"Opened is {part}{place}")


def test_the_view_decoder_is_the_encoder_with_the_other_mask() -> None:
    decoder, encoder = opened("decoder"), opened(mask="causal")
    assert decoder.figure("architecture") == encoder.figure("architecture")
    assert decoder.value("mask") == "causal"


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


def on_page(view: str = "encoder", **parameters: Any) -> Session:
    chosen = {} if view == "encoder" else {"view": view}
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
    session = opened("decoder", text=TEXT, head=3, model="random", seed=4)
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
    assert session.infos == [models_said.UNTRAINED]
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
    for view, text in (("decoder", "cat"), (BOTH, "the elephant gave zuko")):
        boxes = " ".join(written(opened(view, text=text), "architecture"))
        assert "Masked" in boxes, view
    assert "Masked" not in " ".join(written(opened("encoder", text="cat"), "architecture"))


def test_a_switch_that_takes_a_part_away_changes_no_width() -> None:
    assert "11 × 48" in " ".join(written(opened(BOTH), "architecture"))
    assert "11 × 48" in " ".join(written(opened(BOTH, residual=False), "architecture"))


def test_random_weights_are_proposed_where_they_can_be_chosen() -> None:
    session = on_page("encoder", text="the snark sleeps")
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
        ("encoder", {"positions": "alibi", "norm": "post", "residual": False}),
        ("decoder", {"model": "random", "seed": 3, "heads": 2}),
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
    assert [int(size) for size in row[1:-1]] == [1, len(table), table.shape[1] - 1]
    assert float(row[-1]) == pytest.approx(table["norm"].mean(), abs=2e-3)


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
    assert surest(found) == found.alignment.max(axis=1).argmax()
    usual = opened("recurrent", network="with attention", text=TEXT).figure("unrolled")
    at = surest(found) + 1
    chosen = opened("recurrent", network="with attention", text=TEXT, decoder_step=at)
    assert usual == chosen.figure("unrolled")


def test_the_fixed_vector_is_the_last_state_of_the_encoder() -> None:
    session = opened("recurrent", network=BOTH, text=TEXT)
    assert "through one vector of 64 numbers" in session.prose
    session.click("unrolled", x=1, y=1, data="encoder.layers.0.vector")
    found = unrolled_pair(take(name_of_pair(pair_config(attends=False))), words_of(TEXT))
    np.testing.assert_allclose(session.matrix("computed")[0], found.rows["encoder.layers.0.hidden"].value[-1])
    assert session.link["part"] == "fixed vector"


def test_parameters_add_up_on_the_page_and_in_its_program() -> None:
    session = opened("parameters", layers=3, positions="learned")
    table = session.tables[0]
    np.testing.assert_array_equal(table.iloc[:-1].sum(), table.iloc[-1])
    lines = printed(session.code, alone=False).splitlines()
    np.testing.assert_array_equal([list(map(int, line.split())) for line in lines], table.T)
    assert f"{table.loc['all', 'encoder']:,} parameters" in " ".join(written(session, "parameters"))
    drawn = session.figure("parameters")["data"]
    assert sum(int(numbers(bar["x"])[0]) for bar in drawn) == table.loc["all"].sum()


def test_long_sentences_are_drawn() -> None:
    text = " ".join(["so"] * 200)
    assert "200 words" in written(opened(text=text), "architecture")
    assert len(opened("recurrent", text=text).figure("unrolled")["data"])


def test_the_sentence_of_every_view_is_the_same() -> None:
    for view in ("encoder", "decoder", BOTH, "recurrent"):
        assert opened(view).value("text") == MARIA
