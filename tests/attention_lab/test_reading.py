"""`read` takes models of every kind, and the results agree with transformers and with the measures."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import attention_lab as lab
from core.learning.collection import path_of
from core.measures.prediction import predict
from core.pretrained import library
from core.pretrained.objects import read_object
from core.pretrained.tokenizer import PieceTokenizer
from core.sources import LoadedModel
from core.sources.pretrained import with_text
from pages.sheet import build_sheet
from tests.attention_lab.objects import TARGET, TEXT, model, outputs, tokenizer
from tests.covering import each
from tests.real import NAME

SENTENCE = "the chef who ran"


@each("kind", ["gpt2", "bert"])
def test_an_object_of_transformers_has_the_attention_that_it_gives_itself(kind: str) -> None:
    found, pieces = outputs(kind)
    run = lab.read(model(kind), tokenizer())(TEXT)
    own = lab.attention(found, pieces)
    assert run.words == own.words
    np.testing.assert_allclose(run.patterns, own.patterns, atol=2e-6)


@pytest.mark.long("objects of transformers; folders are read in every run")
@each("kind", ["t5", "bart"])
def test_an_encoder_and_a_decoder_have_the_attention_that_they_give_themselves(kind: str) -> None:
    pair = lab.read(model(kind), tokenizer())
    target = tokenizer()(TARGET, return_tensors="pt")["input_ids"]
    fed = torch.cat([torch.tensor([[0]]), target[:, :-1]], dim=1)
    found, pieces = outputs(kind, decoder_input_ids=fed)
    written = tokenizer().convert_ids_to_tokens(target[0])
    own = lab.attention(found, written, pieces)
    crossing = pair(TEXT, TARGET)
    assert (crossing.words, crossing.keys) == (own.words, own.keys)
    np.testing.assert_allclose(crossing.patterns, own.patterns, atol=2e-6)
    encoder, decoder = pair(TEXT, TARGET, part="encoder"), pair(TEXT, TARGET, part="decoder")
    np.testing.assert_allclose(encoder.patterns, lab.attention(found, pieces).patterns, atol=2e-6)
    np.testing.assert_allclose(decoder.patterns, np.concatenate(found.decoder_attentions), atol=2e-6)
    assert "masked" in decoder.heatmap().alt()
    assert len(pair("the chef").words) >= 1, "without a target it writes one"
    with pytest.raises(lab.LabError, match="part must be one of cross, encoder, decoder"):
        pair(TEXT, part="both")  # type: ignore[arg-type]


def test_the_next_words_agree_with_transformers() -> None:
    found, _ = outputs("gpt2")
    best = found.logits[0, -1].softmax(dim=-1).topk(4)
    table = lab.read(model("gpt2"), tokenizer())(TEXT).next_words(4)
    np.testing.assert_allclose(table["probability"], best.values, rtol=1e-4)
    decoded = [tokenizer().decode([number]).strip() for number in best.indices.tolist()]
    assert [word.removeprefix("##") for word in table["word"] if word.isascii()] == [
        one for one, word in zip(decoded, table["word"], strict=True) if word.isascii()
    ]


def test_an_object_of_another_family_is_refused_with_a_remedy() -> None:
    with pytest.raises(lab.LabError, match=r"model_type must be one of .* lab\.attention draws its weights"):
        lab.read(model("neox"), tokenizer())
    with pytest.raises(lab.LabError, match="Pass the tokenizer"):
        lab.read(model("gpt2"))


@pytest.mark.usefixtures("tiny_model")
def test_a_folder_is_read_by_its_name_and_by_its_path_and_its_link_opens_the_same_sentence() -> None:
    folder = library.models()[NAME]
    named, placed = lab.read(NAME)("the cat saw"), lab.read(folder)("the cat saw")
    assert named.words == ("[CLS]", "the", "cat", "saw", "[SEP]")
    np.testing.assert_array_equal(named.patterns, placed.patterns)
    assert NAME in lab.models()
    found = build_sheet(lab.read(NAME)("the cat & <saw>").heatmap(2, 3).provenance_fields["link"])
    assert found.refused == ()
    assert (found.scene.text, found.scene.layer, found.scene.head) == ("the cat & <saw>", 1, 2)


@each(
    "switches",
    [
        {"positions": "rotary", "heads": 8},
        {"mask": "bidirectional", "norm": "post"},
        {"layers": 1, "scale": False, "residual": False, "mlp": False},
    ],
)
def test_the_link_of_a_small_model_shows_the_same_weights(switches: dict[str, Any]) -> None:
    run = lab.read(**switches)(SENTENCE)
    found = build_sheet(run.heatmap(1, 1).provenance_fields["link"])
    assert found.refused == ()
    np.testing.assert_allclose(found.scene.reading.pattern(0, 0), run.patterns[0, 0], atol=1e-6)


def test_a_small_model_remembers_the_hash_of_its_file() -> None:
    own = sha256(path_of("causal-rotary-4-pre").read_bytes()).hexdigest()
    assert lab.read(positions="rotary")(SENTENCE).heads().provenance_fields["checkpoint"] == own
    assert "checkpoint" not in lab.read(layers=1)(SENTENCE).heads().provenance_fields


@each(
    ("given", "switches", "said"),
    [
        ("nothing", {}, "put it into models/"),
        (3, {}, "int cannot be read as a model"),
        ("recall-lstm", {}, "recall-lstm is neither a Transformer"),
        (None, {"positions": "rotray"}, "positions must be one of"),
        (None, {"heads": 3}, "heads must be one of 1, 2, 4, 8, got 3"),
        (None, {"layers": 3}, "Trained models have 2 layers"),
        (None, {"layers": 0}, "layers must be"),
        ("causal-rotary-4-pre", {"heads": 2}, "leave out the model or the switches"),
        (Path(__file__).parent, {}, "the folder has no config.json"),
    ],
)
def test_an_error_says_why_a_model_cannot_be_read(given: Any, switches: dict[str, Any], said: str) -> None:
    with pytest.raises(lab.LabError, match=re.escape(said)):
        lab.read(given, **switches)


@each("sentence", ["  ", None])
def test_a_model_reads_sentences_alone(sentence: Any) -> None:
    with pytest.raises(lab.LabError, match="A model reads a sentence"):
        lab.read()(sentence)
    with pytest.raises(lab.LabError, match="is not an encoder–decoder"):
        lab.read()("hot tea", "other tea")


@each(
    ("call", "said"),
    [
        (lambda: lab.read(model("gpt2"), tokenizer())("the " * 150), "128 tokens"),
        (lambda: lab.read()("the chef the").next_words(1, at="the"), "'the' occurs 2 times"),
    ],
)
def test_a_text_that_is_too_long_and_a_word_that_stands_twice_are_refused(call: Any, said: str) -> None:
    with pytest.raises(lab.LabError, match=said):
        call()


def test_a_model_with_its_tokenizer_for_a_vocabulary_is_refused_with_a_remedy() -> None:
    kept = library.on_device(lab_pretrained())
    encoded = kept.pretrained.tokenizer.encode(TEXT)
    with pytest.raises(TypeError, match=r"got PieceTokenizer: core\.sources\.pretrained\.with_text"):
        LoadedModel(kept.stack, kept.pretrained.tokenizer, ("a",), encoded.tokens)  # type: ignore[arg-type]
    loaded, pieces = with_text(kept, TEXT, "mine")
    assert loaded.tokens.tolist() == encoded.tokens.tolist()
    assert len(pieces.labels) == len(loaded.words)


def lab_pretrained() -> Any:
    found = read_object(model("gpt2"), tokenizer())
    assert isinstance(found.tokenizer, PieceTokenizer)
    return found


def test_ablation_agrees_with_the_measures() -> None:
    run = lab.read()(SENTENCE)
    without = run.ablate((1, 2), (2, 4))
    expected = predict(run.loaded, silenced=[(0, 1), (1, 3)]).probabilities(3)
    table = without.next_words(3)
    np.testing.assert_allclose(table["probability"], np.sort(expected)[::-1][:3], rtol=1e-6)
    whole = run.next_words(600 if len(expected) > 600 else len(expected)).set_index("word")["probability"]
    np.testing.assert_allclose(table["all heads"], whole[table["word"]], rtol=1e-6)
    assert "all heads" not in run.next_words(3)
    np.testing.assert_array_equal(without.patterns[0], run.patterns[0])
    assert not np.allclose(without.patterns[1], run.patterns[1]), "layer 2 reads the output of layer 1"
    effects, before, after = (
        run.effects(at="ran"),
        predict(run.loaded),
        predict(run.loaded, silenced=[(1, 0)]),
    )
    change = before.log_probabilities[3] - after.log_probabilities[3]
    row = effects[(effects["layer"] == 2) & (effects["head"] == 1)]
    assert row["divergence"].item() == pytest.approx(float(before.probabilities(3) @ change), rel=1e-4)
    again = run.ablate((1, 2)).ablate((2, 4))
    np.testing.assert_array_equal(again.patterns, without.patterns)
    np.testing.assert_array_equal(again.next_words(3)["probability"], table["probability"])


def test_a_caption_says_which_words_the_model_does_not_know() -> None:
    unknown, known = lab.read()("the trophy ran"), lab.read()(SENTENCE)
    assert "read as unknown: trophy" in unknown.heads().caption
    assert "read as unknown: trophy" in unknown.ablate((1, 1)).lines().caption
    assert not any("unknown" in item for item in known.heads().caption)
    translator = lab.read("translation-transformer-4-2")
    assert translator("the trophy ran .").lines().caption[-1] == "read as unknown: trophy"
    crossing = translator("the chef ran .")
    assert crossing.lines().caption[-1] == "cross-attention"
    assert crossing.keys == ("the", "chef", "ran", ".")
    np.testing.assert_allclose(crossing.patterns.sum(axis=-1), 1, atol=1e-5)


def test_a_run_names_its_sentence_and_its_ablated_heads() -> None:
    run = lab.read()(SENTENCE)
    assert repr(run) == f"<Run of small causal model: 2 layers × 4 heads, 4 × 4, “{SENTENCE}”>"
    assert "without head 1 of layer 2, “the chef" in repr(run.ablate((2, 1)))
    assert repr(lab.read()("the chef " * 40)).endswith(" …>")


def test_the_prediction_of_each_word_stands_beside_it() -> None:
    run = lab.read()(SENTENCE)
    table, found = run.predict(), predict(run.loaded)
    assert table["word"].tolist() == SENTENCE.split()
    assert table["probability"].isna().tolist() == [True, False, False, False]
    np.testing.assert_allclose(table["bits"][1:], found.losses()[1:] / np.log(2))
    np.testing.assert_allclose(table["probability"][1:], np.exp(-found.losses()[1:]))
    assert table["rank"].tolist()[1:] == [found.rank(at) for at in range(3)]


def test_a_masked_language_model_predicts_a_hidden_word() -> None:
    run = lab.read(mask="bidirectional")(SENTENCE)
    expected = predict(run.loaded).probabilities(1)
    np.testing.assert_allclose(run.next_words(2, at="chef")["probability"], np.sort(expected)[::-1][:2])
    assert run.next_words(2, at=2).equals(run.next_words(2, at="chef"))
    assert run.predict()["probability"].notna().all()


@pytest.mark.usefixtures("tiny_model")
def test_a_model_without_an_output_layer_says_so() -> None:
    run = lab.read(NAME)("the cat")
    for ask in (run.next_words, run.predict, run.effects):
        with pytest.raises(lab.LabError, match="output layer"):
            ask()


@each(
    ("call", "said"),
    [
        (lambda run: run.heatmap(3, 1), "layer must be a whole number from 1 to 2, got 3"),
        (lambda run: run.lines(1, 5), "head must be a whole number from 1 to 4, got 5"),
        (lambda run: run.lines(1, 1.0), "head must be a whole number from 1 to 4, got 1.0"),
        (lambda run: run.ablate(2, 1), "as in ablate((2, 1), (2, 3)); got 2"),
        (lambda run: run.next_words(0), "n must be a whole number from 1 to "),
        (lambda run: run.next_words(5, at="tea"), "'tea' does not occur in the, chef, who, ran"),
        (lambda run: run.next_words(5, at=5), "at must be a whole number from 1 to 4, got 5"),
        (lambda run: run.table("width"), "There is no measure 'width'. There are entropy"),
    ],
)
def test_the_error_of_a_wrong_call_lists_the_valid_values(call: Any, said: str) -> None:
    with pytest.raises(lab.LabError, match=re.escape(said)):
        call(lab.read()(SENTENCE))


def test_pieces_are_merged_into_words() -> None:
    run = lab.read(model("gpt2"), tokenizer())(TEXT)
    merged = run.by_words()
    assert merged.words == tuple(TEXT.split())
    assert len(run.words) > len(merged.words)
    np.testing.assert_allclose(merged.patterns.sum(axis=-1), 1, atol=1e-5)
    small = lab.read()(SENTENCE)
    assert small.by_words() is small


def test_weights_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attention_lab.weights.free_memory", lambda: 1000)
    with pytest.raises(lab.LabError, match="shorten the text"):
        lab.read()(SENTENCE)
