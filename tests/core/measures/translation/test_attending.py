"""Cross-attention in words and in pieces is what the models themselves, and transformers, compute."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from core.learning.collection import load_listed_member
from core.learning.collection.translators import name_of_pair
from core.measures.translation.attending import PieceTranslation, attending, attending_in_pieces, share_of
from core.model.trace import Trace
from core.sources import UnavailableError
from core.sources.pairs import load_pair
from core.text import language, translation
from core.text.translation import END
from tests.core.measures.translation.pairs import RIGHT, TRANSFORMER, WORDS, loaded
from tests.core.pretrained.folders import CASES, VOCAB, saved
from tests.real import NAME, PIECES, one_model, write_tokenizer

MORE = ("dog", "mat", "sat", "on", "under", "ran", "far", "over", "there", "you", "we", "they")
TEXT = "the cats sat on the mat, don't they?"
FIRST = 2
LONGEST = 9
"""Transformers reads all pieces anew for every further one."""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.measures.translation.attending.MOST_WRITTEN", LONGEST)


def pair(folder: Path, case: str, **said: Any) -> nn.Module:
    """Return the model of a case in a folder with a tokenizer, whose configuration says this too."""
    model = saved(CASES[case], folder, change=liven if case == "bart" else None)
    write_tokenizer(folder, (*PIECES, *MORE)[:VOCAB])
    say(folder, **{"decoder_start_token_id": FIRST, **said})
    return model


def liven(model: nn.Module) -> None:
    """Have a BART of noise write something else at every position: at first it repeats one piece for ever."""
    for name, parameter in model.named_parameters():
        if name.endswith(("norm.weight", "bias")):
            parameter.data.fill_(float(name.endswith("weight")))
        elif "positions" in name:
            parameter.data *= 16


def say(folder: Path, **said: Any) -> None:
    (folder / "generation_config.json").unlink(missing_ok=True)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | said), "utf-8")


def writing(begins: str = "", name: str = "pair") -> PieceTranslation:
    return attending_in_pieces(load_pair(name, one_model(f"real/{name}").split(TEXT).texts), begins)


@torch.inference_mode()
def generated(model: nn.Module, source: Tensor, given: list[int], longest: int, end: int | None) -> list[int]:
    """Return the greedy output of transformers after `given`."""
    out = model.generate(
        source,
        decoder_input_ids=torch.tensor([given]),
        max_new_tokens=longest - len(given) + 1,
        do_sample=False,
        use_cache=False,  # transformers' output has one entry for each layer of the encoder
        num_beams=1,
        eos_token_id=end,
        decoder_start_token_id=FIRST,
        forced_eos_token_id=None,
        attention_mask=torch.ones_like(source),
    )
    return [int(token) for token in out[0, 1:]]


@pytest.mark.parametrize(("case", "begins"), [("bart", "the dog ran"), ("t5-gated", "")])
def test_it_writes_and_attends_as_transformers_does(case: str, begins: str, no_real_model: Path) -> None:
    theirs = pair(no_real_model / "pair", case, eos_token_id=None)
    found = writing(begins)
    source = torch.tensor([found.source])
    given = [(*PIECES, *MORE).index(word) for word in begins.split()]
    assert list(found.target) == generated(theirs, source, [FIRST, *given], LONGEST, None)
    assert len(set(found.target)) > 1, "one piece for ever would be no test"
    assert (len(found.target), found.n_given) == (LONGEST, len(given))
    assert not found.ended
    expected = theirs(
        source, decoder_input_ids=torch.tensor([[FIRST, *found.target[:-1]]]), output_attentions=True
    )
    for mine, listed in [
        (found.attending.cross, expected.cross_attentions),
        (found.attending.encoder, expected.encoder_attentions),
        (found.attending.decoder, expected.decoder_attentions),
    ]:
        np.testing.assert_allclose(mine, torch.cat(listed).detach(), atol=1e-5)


def test_a_token_that_the_folder_names_ends_the_target_and_another_begins_it(no_real_model: Path) -> None:
    folder = no_real_model / "pair"
    theirs = pair(folder, "bart", eos_token_id=None)
    free = writing()
    at, end = next((at, token) for at, token in enumerate(free.target) if token != free.target[0])
    other = no_real_model / "other"
    pair(other, "bart", eos_token_id=[30, end])
    found = writing(name="other")
    assert found.target == free.target[: at + 1]
    assert found.ended
    assert found.ends == tuple(sorted((30, end)))
    forced, first = no_real_model / "forced", 17
    pair(forced, "bart", eos_token_id=None, forced_bos_token_id=first)
    found = writing("the", name="forced")
    source = torch.tensor([found.source])
    assert list(found.target) == generated(theirs, source, [FIRST, first, PIECES.index("the")], LONGEST, None)
    assert found.n_given == 2


def test_pieces_without_room_are_counted_and_one_is_left_to_the_model(no_real_model: Path) -> None:
    pair(no_real_model / "pair", "bart", eos_token_id=None)
    found = writing("the " * 41)
    assert (found.n_given, found.n_too_many, len(found.target)) == (LONGEST - 1, 42 - LONGEST, LONGEST)


def test_a_model_that_cannot_write_is_refused_in_a_sentence(tiny_model: Path) -> None:
    folder = tiny_model.with_name("pair")
    pair(folder, "bart", decoder_start_token_id=None, pad_token_id=None)
    with pytest.raises(UnavailableError, match="does not say what a target begins with"):
        attending_in_pieces(load_pair("pair", ["the"]))
    with pytest.raises(UnavailableError, match="no encoder–decoder"):
        attending_in_pieces(load_pair(NAME, ["the"]))
    with pytest.raises(UnavailableError, match="no model called none"):
        attending_in_pieces(load_pair("none", ["the"]))
    mute = tiny_model.with_name("mute")
    saved(CASES["t5"], mute)
    with pytest.raises(UnavailableError, match=r"has no tokenizer\.json"):
        attending_in_pieces(load_pair("mute", ["the"]))


def test_the_share_of_some_keys_is_the_mean_of_their_weights() -> None:
    pattern = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])
    assert share_of(pattern, {0, 2}) == pytest.approx((0.75 + 0.8) / 2)


def test_a_transformer_attends_within_and_between_the_sentences() -> None:
    config, trace = TRANSFORMER, Trace()
    source, fed = language.encode(WORDS).tokens, translation.vocabulary().encode([language.START, *RIGHT])
    with torch.inference_mode():
        load_listed_member(name_of_pair(config))((source, fed), trace=trace)
    found = attending(loaded(config), RIGHT)
    assert found.decoder_input == (language.START, *RIGHT)
    assert found.output == (*RIGHT, END)
    paths = {
        "encoder": "encoder.blocks.0.attention",
        "decoder": "decoder.blocks.0.attention",
        "cross": "decoder.blocks.0.cross_attention",
    }
    for name, path in paths.items():
        np.testing.assert_array_equal(getattr(found, name)[0], trace[f"{path}.pattern"][0].numpy())
