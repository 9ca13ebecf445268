"""Cross-attention of a pretrained encoder–decoder: its translation, its attention, and its sentences."""

import re
from pathlib import Path

import numpy as np
import pytest

from core.measures.translation.attending import PieceTranslation, attending_in_pieces, share_of
from core.pretrained import library
from core.sources.pairs import NONE_THERE, load_pair
from pages.contract.real import KEPT_ELSEWHERE
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.real import bart_folder, one_model
from words import per_cent

TEXT = "the cats saw the cat, don't think?"
DECODER: dict[str, int] = {"n_layers": 3, "n_heads": 7}


@pytest.fixture
def folder(tiny_model: Path) -> Path:
    """The folder of a BART beside a BERT: its encoder has 2 layers of 3 heads, its decoder 3 of 7."""
    place = tiny_model.with_name("pair")
    bart_folder(place, tokenizer_of=tiny_model, **DECODER)
    return place


def opened(**parameters: object) -> Asked:
    return Asked("translation", view="cross-attention", translator="real", **{"text": TEXT, **parameters})


def written(begins: str = "", text: str = TEXT) -> PieceTranslation:
    return attending_in_pieces(load_pair("pair", one_model("real/pair").split(text).texts), begins)


@pytest.mark.long("a real pair on its page")
@pytest.mark.usefixtures("folder")
@each(("kind", "layer", "head"), [("cross", 3, 2), ("decoder", 3, 5), ("encoder", 2, 3)])
def test_the_weights_come_from_the_chosen_head(kind: str, layer: int, head: int) -> None:
    name = "cross-attention" if kind == "cross" else kind
    session = opened(kind=name, layer=layer, head=head, begins="the cat")
    weights = getattr(written("the cat").attending, kind)
    shown = session.figure("alignment")
    np.testing.assert_allclose(numbers(shown["data"][0]["z"]), weights[layer - 1, head - 1], atol=1e-6)
    assert f", layer {layer}, head {head}" in str(shown["layout"])
    assert f"{weights.shape[0]} layers with {weights.shape[1]} heads each" in session.alt("heads_grid")
    session.click("heads_grid", x=2, y=1)
    assert (session.value("layer"), session.value("head")) == (1, 2)
    assert session.warnings == []


@pytest.mark.usefixtures("folder")
def test_rows_are_target_words_and_columns_are_source_words() -> None:
    session, found = opened(begins="the cat"), written("the cat")
    table = session.table("alignment")
    assert len(table.columns) == len(found.source)
    assert [name.split(" ")[0] for name in table.index] == list(found.attending.output)
    assert list(table.columns[:2]) == ["[CLS]", "the (2)"]
    seen = readable(session.prose)
    assert f"The whole text is {found.text}." in seen.replace("*", "")
    assert re.search(r"Given, not chosen: \S+ the cat\.", seen.replace("*", ""))
    share = per_cent(share_of(found.attending.cross[1, 0], {0, len(found.source) - 1}))
    assert f"gives **{share}** of its attention to the special tokens" in session.prose
    assert ("ended by itself" in seen) == found.ended
    session.set(text="the " * 40)
    assert "reads sentences of up to 37 tokens; this one has 42" in session.warnings[0]


def test_a_folder_that_cannot_be_read_is_explained(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"<b>")
    session = opened()
    assert "pair cannot be read" in session.warnings[0]
    assert not session.has("alignment")


@pytest.mark.long("a real pair on its page")
@pytest.mark.usefixtures("noise_shelf")
def test_the_model_is_chosen_beside_the_translators_and_kept_for_views_that_can_show_it(
    folder: Path, tiny_model: Path
) -> None:
    bart_folder(tiny_model.with_name("another"), tokenizer_of=tiny_model)
    session = Session("translation", view="cross-attention", translator="real")
    assert session.element("real").options == ["another", "pair"], "and no BERT"
    session.set(real="pair")
    assert session.has("heads_grid")
    assert not session.has("aligned")
    assert "(at most 37 in pair)" in session.prose
    session.set(view="translate")
    assert session.value("translator") == "Transformer"
    assert KEPT_ELSEWHERE.format("pair") in session.infos
    session.set(view="cross-attention")
    assert (session.value("translator"), session.value("real")) == ("real", "pair")
    session.set(kind="decoder")
    session.set(layer=3, head=2)
    session.set(kind="encoder")
    assert (session.value("layer"), session.value("head")) == (2, 1), "as the view begins"
    assert session.warnings == []
    assert session.element("head").options == ["1", "2", "3"]
    session.set(translator="LSTM")
    assert session.has("alignment")
    assert not session.has("heads_grid")


def test_a_missing_model_or_begin_token_has_a_sentence_on_what_to_do(tiny_model: Path) -> None:
    session = opened()
    assert NONE_THERE.why_not is not None
    assert session.warnings == [NONE_THERE.why_not.text]
    assert not session.has("real")
    place = tiny_model.with_name("pair")
    bart_folder(place, tokenizer_of=tiny_model, decoder_start_token_id=None, pad_token_id=None)
    library.forget_all()
    assert "does not say what a target begins with" in opened().warnings[0]
