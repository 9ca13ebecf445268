"""A real model as a source: its switches show its properties, and every error is a sentence."""

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.measures import long_reading
from core.measures import reading as readings
from core.measures.long_reading import read_text
from core.measures.merging import merge
from core.measures.prediction import predict
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.trace import Trace
from core.pretrained import library, with_configs
from core.pretrained import read as read_folder
from core.sources import LoadedModel, UnavailableError, find, load, pretrained
from core.sources.pretrained import SWITCHED, known_models
from core.sources.source import MOST_PIECES
from tests.covering import each
from tests.real import (
    MAX_LEN,
    N_HEADS,
    N_LAYERS,
    NAME,
    PIECES,
    SOURCE,
    bert_folder,
    one_model,
    with_hole,
    write_tokenizer,
)

TEXT = "I don't think, the 東 cats running?"


def test_a_reading_has_the_numbers_of_the_model_in_the_folder(tiny_model: Path) -> None:
    one = one_model(SOURCE)
    pieces = one.split(TEXT)
    assert pieces.texts == (
        *("[CLS]", "i", "don", "'", "t", "think", "[UNK]", "the", "[UNK]", "cats", "run", "##ning", "?"),
        "[SEP]",
    )
    reading = read(load(SOURCE, one.config, pieces.texts, 0))
    trace, found = Trace(), read_folder(tiny_model)
    assert found.tokenizer is not None
    found.model(found.tokenizer.encode(TEXT).tokens, trace=trace)
    for layer in range(N_LAYERS):
        expected = trace[f"blocks.{layer}.attention.pattern"][0].numpy()
        np.testing.assert_allclose(reading.patterns()[layer], expected, atol=1e-6)
    assert reading.patterns().shape == (N_LAYERS, N_HEADS, 14, 14)
    assert reading.unknown == pieces.unknown == (6, 8)
    assert merge(reading.patterns(), pieces.groups).shape[-1] == len(pieces.names) == 11


def test_switches_offer_only_options_with_existing_weights(tiny_model: Path) -> None:
    one = one_model(SOURCE)
    # Relative positions have a table of their own, and rotary ones turn pairs: its heads are 7 wide.
    assert one.options["positions"] == ("none", "learned", "sinusoidal", "alibi")
    assert one.options["norm"] == ("post", "none")
    assert one.options["n_heads"] == (N_HEADS,)
    assert one.options["n_layers"] == (1, 2)
    assert not one.predicts
    for field, values in one.options.items():
        for value in values:
            config = replace(one.config, **{field: value})
            assert load(SOURCE, config, PIECES[5:8], 0).model.config == config
    for field, value in {"positions": "relative", "n_heads": 1, "n_layers": 3, "norm": "pre"}.items():
        with pytest.raises(UnavailableError, match=f"tiny has {field} = .*, and no weights for {value}"):
            load(SOURCE, replace(one.config, **{field: value}), PIECES[5:8], 0)  # type: ignore[arg-type]


@pytest.mark.usefixtures("tiny_model")
@each("field", SWITCHED)
def test_a_changed_switch_is_an_ablation_and_the_trained_value_restores_the_model(field: str) -> None:
    source = find(SOURCE)
    assert source.pretrained is not None
    own = source.pretrained.config
    other = replace(
        own, **{field: next(v for v in source.pretrained.options[field] if v != getattr(own, field))}
    )
    assert source.ablated(own) == ()
    assert source.ablated(other) == (field,)
    changed, again = (load(SOURCE, config, PIECES[2:9], 0) for config in (other, own))
    before = load(SOURCE, own, PIECES[2:9], 0)
    assert not torch.allclose(changed.model(changed.tokens), before.model(before.tokens))
    assert torch.equal(again.model(again.tokens), before.model(before.tokens))


def test_an_encoder_fills_in_each_piece_whatever_its_mask_is_now(no_real_model: Path) -> None:
    bert_folder(no_real_model / "masked", predicts=True)
    one, found = one_model("real/masked"), read_folder(no_real_model / "masked")
    words, config = one.split("the 東 cats run").texts, replace(one.config, mask="causal")
    expected = predict(load("real/masked", config, words, 0))
    model = with_configs(found.model, config)  # type: ignore[arg-type]
    for place in range(len(words)):
        tokens = torch.tensor([[PIECES.index(word) for word in words]])
        tokens[0, place] = PIECES.index("[MASK]")
        rows = model(tokens)[0, place].log_softmax(-1).detach()
        np.testing.assert_allclose(expected.log_probabilities[place], rows, atol=1e-5)
    assert one.predicts
    assert expected.ahead == 0
    assert [expected.target(place) for place in range(len(words))] == [
        None,
        PIECES.index("the"),
        None,
        PIECES.index("cats"),
        PIECES.index("run"),
        None,
    ], "neither special nor unknown tokens"


def test_a_row_of_the_table_without_a_piece_is_called_by_its_number(no_real_model: Path) -> None:
    bert_folder(no_real_model / "holes", predicts=True)
    with_hole(no_real_model / "holes", "saw", "think")
    one = one_model("real/holes")
    loaded = load("real/holes", one.config, one.split("the other cat").texts, 0)
    n = len(PIECES)
    at = {piece: PIECES.index(piece) for piece in ("saw", "think", "?", "other")}
    assert loaded.vocabulary.words[at["saw"]] == f"<row {at['saw']} of {n}>"
    assert loaded.vocabulary.words[at["think"]] == f"<row {at['think']} of {n}>"
    assert loaded.vocabulary.words[at["?"]] == "?", "rows behind a hole keep their pieces"
    assert loaded.tokens[0, 2] == at["other"]
    assert predict(loaded).vocabulary == loaded.vocabulary.words


def test_a_piece_without_a_row_is_named_and_every_other_text_is_read(no_real_model: Path) -> None:
    bert_folder(no_real_model / "long", predicts=True)
    write_tokenizer(no_real_model / "long", (*PIECES, "<pad>", "more"))
    one = one_model("real/long")
    with pytest.raises(
        UnavailableError, match=r"The tokenizer has the token more with the number 20, .* has 19 rows"
    ):
        one.split("the more cats")
    assert one.count("the more cats") == 5
    pieces = one.split("the cats")
    assert pieces.texts == ("[CLS]", "the", "cats", "[SEP]")
    assert len(load("real/long", one.config, pieces.texts, 0).vocabulary) == len(PIECES)


def test_a_tokenizer_of_another_model_is_said_to_be_one(no_real_model: Path) -> None:
    bert_folder(no_real_model / "other", pieces=PIECES[:-2])
    write_tokenizer(no_real_model / "other", (*PIECES[:2], *PIECES[4:], *PIECES[2:4]))
    said = "has the tokenizer of another model: it puts tokens around every sentence"
    with pytest.raises(UnavailableError, match=said):
        one_model("real/other").split("the cats")
    known = pretrained.about("other")
    assert known is not None
    assert known.lacks.startswith(said)


def test_a_mask_token_without_a_row_does_not_count(no_real_model: Path) -> None:
    rows = (*PIECES[:4], *PIECES[5:])
    bert_folder(no_real_model / "long", predicts=True, pieces=rows)
    write_tokenizer(no_real_model / "long", (*rows, "[MASK]"))
    one = one_model("real/long")
    assert not one.has_mask
    with pytest.raises(UnavailableError, match="has no mask token"):
        predict(load("real/long", one.config, one.split("the cats").texts, 0))


def test_a_text_that_the_vocabulary_has_no_piece_for_is_refused(no_real_model: Path) -> None:
    rows = tuple(piece for piece in PIECES if piece != "[UNK]")
    bert_folder(no_real_model / "known", pieces=rows)
    write_tokenizer(no_real_model / "known", rows)
    one = one_model("real/known")
    assert one.split("the cat").names == ("[CLS]", "the", "cat", "[SEP]")
    with pytest.raises(UnavailableError, match="The tokenizer of known cannot read this sentence"):
        one.split("the 東")
    assert one.count("the 東") == 0


@pytest.mark.parametrize("is_long", [False, True])
def test_a_model_that_made_room_is_freed_though_its_readings_are_kept_and_is_read_again(
    is_long: bool, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "LARGEST_WHOLE", 0)
    monkeypatch.setattr(long_reading, "LONG", 0 if is_long else 256)
    one = one_model(SOURCE)

    def loaded() -> LoadedModel:
        return load(SOURCE, one.config, one.split(TEXT).texts, 0)

    found = read_text(loaded(), again=lambda: loaded().model)
    before, model = found.head(1, 2).scores, weakref.ref(library.load_cached(tiny_model).stack)
    found.head(0, 0)
    library.forget_all()
    gc.collect()
    assert model() is None
    np.testing.assert_array_equal(found.head(1, 2).scores, before)


def _cut(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-40])


def _without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_cut, r"tiny cannot be read\. .* mend its folder: model\.safetensors is damaged"),
        (_without_tokenizer, r"The folder of tiny has no tokenizer\.json"),
    ],
)
def test_the_error_of_a_folder_is_a_sentence(
    damage: Callable[[Path], None], sentence: str, tiny_model: Path
) -> None:
    damage(tiny_model)
    source = find(SOURCE)
    ask = source.record if source.pretrained is None else source.pretrained.split
    with pytest.raises(UnavailableError, match=sentence):
        ask(TEXT)  # type: ignore[arg-type]


def test_short_memory_is_a_sentence(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "free_memory", lambda: 1)
    source = find(SOURCE)
    assert source.pretrained is None
    with pytest.raises(UnavailableError, match=r"tiny is too large for now: it needs 0\.0 GB of memory"):
        source.load(None, ["the"], 0)  # type: ignore[arg-type]


def test_a_missing_default_model_is_named_with_the_command_that_fetches_it(no_real_model: Path) -> None:
    assert known_models() == (pretrained.USUAL, pretrained.BOTH_WAYS)
    source = find(pretrained.source_name(pretrained.USUAL))
    assert source.pretrained is None
    with pytest.raises(UnavailableError, match=r"is not there yet: `python -m core\.pretrained` fetches it"):
        source.record(None)  # type: ignore[arg-type]
    with pytest.raises(UnavailableError, match="There is no model called gone on this server"):
        find("real/gone").record(None)  # type: ignore[arg-type]
    bert_folder(no_real_model / NAME)
    assert known_models() == (pretrained.USUAL, pretrained.BOTH_WAYS, NAME)


def test_a_sentence_of_more_pieces_than_can_be_shown_is_refused(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = one_model(SOURCE)
    too_long, refused = one.split("the " * 36).texts, f"up to {MAX_LEN} tokens; this one has {MAX_LEN + 1}"
    with pytest.raises(UnavailableError, match=f"tiny reads sentences of {refused}"):
        one.check_length(MAX_LEN + 1, one.config)
    with pytest.raises(UnavailableError, match=f"tiny reads sentences of {refused}"):
        find(SOURCE).load(one.config, too_long, 0)
    one.check_length(MAX_LEN, one.config)
    assert one.most_pieces(one.config) == MAX_LEN


@pytest.mark.usefixtures("tiny_model")
def test_positions_without_a_table_are_limited_by_the_display() -> None:
    one = one_model(SOURCE)
    without = [positions for positions in one.options["positions"] if positions != "learned"]
    assert {"none", "alibi"} <= set(without)
    words = one.split("the " * 2 * MAX_LEN).texts
    for positions in without:
        config = replace(one.config, positions=str(positions))
        assert one.most_pieces(config) == MOST_PIECES
        assert find(SOURCE).load(config, words, 0).tokens.shape == (1, 2 * MAX_LEN + 2)
    assert one.most_pieces(ModelConfig(vocab_size=1, positions="rotary", max_len=7)) == MOST_PIECES
    with pytest.raises(UnavailableError, match="This app shows sentences of up to 1,024 tokens"):
        one.check_length(MOST_PIECES + 1, config)
