"""The weights of a real model: its numbers in pieces or in words, its switches, and what it cannot do."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.heads import sinks
from core.measures.heads.compared import rollout
from core.measures.merging import merge
from core.measures.prediction import divergence, predict
from core.measures.reading import Reading, read
from core.measures.similarity import similarities
from core.sources import PretrainedInfo, load
from pages.contract.attention import HIDDEN, HOW_MERGED
from pages.contract.real import ENCODER
from pages.explorer import PAGE
from pages.explorer.heads import UNTRAINED
from pages.explorer.predictions import IN_THE_DECODER
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.real import N_HEADS, N_LAYERS, NAME, SOURCE, bart_folder, bert_folder, one_model
from words import thousandths

TEXT = "I don't think the other cats saw the cat running?"
WORDS = ["[CLS]", *TEXT.removesuffix("?").split(), "?", "[SEP]"]
PIECES_OF_WORDS = {"don't": ("don", "'", "t"), "running": ("run", "##ning"), "I": ("i",)}
PIECES = [piece for word in WORDS for piece in PIECES_OF_WORDS.get(word, (word,))]


def opened(**parameters: Any) -> Asked:
    return Asked(model="real", real=NAME, **({"text": TEXT} | parameters))


def the_model() -> PretrainedInfo:
    return one_model(SOURCE)


def computed(text: str = TEXT, **fields: Any) -> Reading:
    one = the_model()
    return read(load(SOURCE, replace(one.config, **fields), one.split(text).texts, 0))


def names(session: Asked) -> list[str]:
    return list(session.figure("matrix")["layout"]["yaxis"]["ticktext"])


@pytest.mark.usefixtures("tiny_model")
def test_every_view_of_the_explorer_shows_the_pieces_that_the_model_reads() -> None:
    session = opened(view="heads", layer=2, head=3)
    assert_allclose(session.matrix("matrix"), computed().pattern(1, 2), atol=1e-6)
    for view in PAGE.views:
        session.set(view=view)
        assert session.warnings == []
    session.set(view="heads", drawn="lines")
    assert session.drawing("lines")["words"] == PIECES
    assert "tiny has no output layer" in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_pieces_are_merged_into_words_and_special_tokens_hidden() -> None:
    session, groups = opened(view="heads", tokens="words", layer=2, head=3), the_model().split(TEXT).groups
    share = "Show the keys that hold this share of each query's attention"
    for special, kept, words in ((True, groups, WORDS), (False, groups[1:-1], WORDS[1:-1])):
        session.set(special=special, drawn="matrix")
        assert_allclose(session.matrix("matrix"), merge(computed().pattern(1, 2), kept), atol=1e-6)
        assert HOW_MERGED in session.prose
        assert (HIDDEN in session.prose) is not special
        session.set(drawn="lines")
        assert session.drawing("lines")["words"] == words
        assert session.label("mass") == f"{share}{'' if special else ' to the keys shown'} (%)"
    session.set(drawn="matrix", show="rollout")
    rolled = merge(rollout(computed().patterns(), residual=True), groups[1:-1])
    assert_allclose(session.matrix("matrix"), rolled, atol=1e-6)
    session.set(view="compare", b_positions="as A", b_mask="causal", show=None)
    of_b = np.nan_to_num(session.matrix("comparison", panel=1))
    assert_allclose(of_b, merge(computed(mask="causal").pattern(1, 2), groups[1:-1]), atol=1e-6)


@pytest.mark.usefixtures("tiny_model")
@each(
    ("text", "special", "said"),
    [
        ("the [MASK] saw [SEP] the [MASK]", False, r"\[MASK\] and \[SEP\] stay, as part of the sentence."),
        ("the [MASK] saw", True, ""),
        (TEXT, False, ""),
    ],
)
def test_special_tokens_that_are_typed_are_named_and_stay_where_the_others_are_hidden(
    text: str, special: bool, said: str
) -> None:
    session = opened(view="heads", tokens="words", text=text, special=special)
    assert said in session.prose
    assert ("as part of the sentence" in session.prose) == bool(said)
    words = text.replace("?", " ?").split()
    assert names(session) == (["[CLS]", *words, "[SEP]"] if special else words)


def on_page(**parameters: Any) -> Session:
    return Session(model="real", real=NAME, **({"text": TEXT} | parameters))


@pytest.mark.usefixtures("tiny_model")
def test_the_weight_between_two_words_is_followed_to_those_between_their_pieces() -> None:
    session = opened(view="heads", tokens="words", head=1, query=3, key=11)
    weights = computed().pattern(0, 0)[2:5, 12:14]
    terms = " + ".join(f"{one:.3f}" for one in weights.sum(axis=1))
    assert session.latex == [f"\\tfrac{{1}}{{3}}\\,({terms}) = {weights.sum(axis=1).mean():.3f}"]
    assert "mean, over the 3 tokens of the query, of the sum over the 2 tokens of the key" in session.prose
    assert_allclose(session.table("calculation").to_numpy(), weights)
    session.set(query=2)  # one piece, so nothing is averaged
    (first, second) = computed().pattern(0, 0)[1, 12:14]
    assert session.latex == [f"{first:.3f} + {second:.3f} = {first + second:.3f}"]
    assert "This is the sum over the 2 tokens of the key." in session.prose
    session.set(query=2, key=5)  # one piece each: the whole calculation
    assert "exp" in session.latex[0]
    assert "Each position has a vector of parameters" in session.prose
    assert UNTRAINED not in session.prose
    session = on_page(view="heads", tokens="words", head=1, query=3, key=11)
    session.set(tokens="tokens")
    assert session.value("query") is None, "another row has its number now"


@pytest.mark.usefixtures("tiny_model")
def test_the_head_that_stands_out_is_one_click_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sinks, "LEAST", 0.0)  # of noise, which has no such head
    session = opened(tokens="words", layer=2, head=3)
    patterns = merge(computed().patterns(), the_model().split(TEXT).groups)
    largest = patterns[:, :, 1:-1, 1:-1].max(axis=3).mean(axis=2)
    layer, head = np.unravel_index(largest.argmax(), largest.shape)
    assert (layer, head) != (1, 2)
    (label,) = (one for one in session.buttons if "stands out" in one)
    assert label.startswith(f"Layer {layer + 1} · head {head + 1} stands out")
    by_equal = 3 / len(PIECES)  # "don't" has three pieces, seen by every query

    session.press(label)

    assert (session.value("layer"), session.value("head")) == (layer + 1, head + 1)
    assert label not in session.buttons
    named = label.partition(":")[0]
    mean = f"mean of {largest.max():.2f}, and equal weights would give {by_equal:.2f}"
    aside = "special tokens left aside as queries and as keys"
    assert f"{named}: its largest weights, one for each row, have a {mean}, {aside}." in session.prose


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_the_switches_show_the_models_parts_and_a_change_is_an_ablation() -> None:
    session = Session(text=TEXT, view="heads", positions="alibi", heads=8, head=1)
    session.set(model="real")
    session.set(real=NAME)
    shown = [session.value(name) for name in ("positions", "mask", "heads", "layers", "norm")]
    assert shown == ["learned", "bidirectional", N_HEADS, N_LAYERS, "post"]
    assert "ablation" not in session.prose
    assert not session.has("known_words")
    assert session.element("heads").disabled
    assert "tiny was trained with 3 heads" in session.element("heads").help
    session.set(positions="none", norm="none", scale=False)
    expected = computed(positions="none", norm="none", scale=False).pattern(0, 0)
    assert_allclose(session.matrix("matrix"), expected, atol=1e-6)
    session.set(model="trained")
    assert [session.value(name) for name in ("positions", "heads", "norm", "scale")] == [
        *("sinusoidal", 4, "pre", True)
    ]
    assert session.has("known_words")


@pytest.mark.usefixtures("tiny_model")
@each(
    ("page", "link", "said"),
    [
        ("explorer", {"positions": "none", "norm": "none", "scale": False},
         "no positions, no norm, no scaling by √d_head. tiny was trained with learned positions, post-norm, "
         "scaling by √d_head."),
        ("explorer", {"window": 1}, "no attention beyond 1 token. tiny was trained with no window."),
        ("masking", {"positions": "none", "preset": "causal"}, "no positions, the causal mask. tiny was "
         "trained with learned positions, no mask (bidirectional)."),
    ],
)  # fmt: skip
def test_ablations_of_a_real_model_are_one_line(page: str, link: dict[str, Any], said: str) -> None:
    session = Asked(page, model="real", real=NAME, text=TEXT, **link)
    assert [line for line in session.said if "[ablation]" in line] == [f":orange-badge[ablation] {said}"]


@pytest.mark.usefixtures("tiny_model")
@each("link", [{}, {"tokens": "words", "special": False}])
def test_a_special_token_that_gets_most_attention_is_named(
    monkeypatch: pytest.MonkeyPatch, link: dict[str, Any]
) -> None:
    weights = np.full((16, 16), 0.02)
    weights[:, -1] = 0.7
    monkeypatch.setattr(Reading, "pattern", lambda *_: weights)
    prose = readable(opened(view="heads", **link).prose).replace("**", "")
    n_queries = len(WORDS if link else PIECES) - 1
    assert (
        "70 % of this head's attention goes to the special token [SEP]. Equal weights would give it "
        f"{100 / len(PIECES):.0f} % (mean over {n_queries} queries)" in prose
    )


@pytest.mark.usefixtures("tiny_model")
def test_step_by_step_follows_a_real_model_from_its_embeddings_on() -> None:
    session = Asked("step-by-step", size="full", model="real", real=NAME, text=TEXT, layer=1, head=2)
    assert session.value("positions") == "learned", "not the default for other models"
    before = ["embeddings", "segments", "positions", "embedding norm"]
    assert [stage["name"] for stage in session.strip.stages][:5] == [*before, "q"]
    for stage in (*before, "softmax"):
        session.set(stage=stage)
        assert session.warnings == []
    assert "core.pretrained" in session.code
    for view in ("soft lookup", "why three matrices"):
        session.set(view=view)
        assert session.warnings == []
    session = Asked("step-by-step", text=TEXT, model="real", real=NAME)
    assert (session.value("size"), session.value("positions")) == ("full", "learned")
    session.set(size="small")
    assert not session.has("model"), "the visitor's choice"


@pytest.mark.usefixtures("tiny_model")
def test_sentences_are_ranked_by_how_alike_they_are() -> None:
    texts = ("running?", "**the** other cats saw the cat", "i don't think")
    session = opened(view="similarity", against="\n\n  ".join(texts))
    own, *others = (
        load(SOURCE, the_model().config, the_model().split(one).texts, 0) for one in (TEXT, *texts)
    )
    cosines = similarities(own, others)
    order = np.argsort(-cosines)
    assert list(session.tables[0]["sentence"]) == [texts[at] for at in order]
    assert_allclose(session.tables[0]["similarity"], cosines[order])
    assert f"with a cosine of {cosines.max():.2f}." in session.prose
    session.set(against="\n".join(["the cat"] * 13))
    assert "At most 12 sentences are compared" in session.warnings[0]
    session.set(against=" ")
    assert "There is no sentence to compare with" in session.infos[0]


@pytest.mark.usefixtures("tiny_model")
def test_without_its_positions_a_real_encoder_gives_both_orders_the_same() -> None:
    orders = {"text": "the cat saw the other cats", "other": "the other cats saw the cat"}
    session = Asked("order-invariance", model="real", real=NAME, **orders)
    assert "*cats* gets another output" in session.sheet.headline, (
        "not [SEP], which comes after the last word"
    )
    session.set(positions="none")
    assert "*cats* gets the same output in both orders." in session.sheet.headline
    session.set(other="the other cats saw a cat")
    assert "must have the same tokens" in session.warnings[0]


def test_a_real_model_with_an_output_layer_predicts_and_loses_heads(no_real_model: Path) -> None:
    bert_folder(no_real_model / "masked", predicts=True)
    one = one_model("real/masked")
    words = one.split(TEXT)
    loaded = load("real/masked", one.config, words.texts, 0)
    whole, less = predict(loaded), predict(loaded, silenced=[(1, 0), (1, 2)])
    session = Asked(model="real", real="masked", text=TEXT, view="heads")
    assert session.table("losses").index.name == "token"
    easiest = whole.easiest(at for at, one in enumerate(words.texts) if one.isalnum() or "##" in one)
    title = session.figure("prediction_bars")["layout"]["title"]["text"]
    assert f"Masked token in place of “{words.labels[easiest]}” ({easiest + 1})" in title
    told = f"**{whole.loss:.2f} nats per token**, the mean over {whole.n_scored} tokens."
    assert f"Loss on this sentence: {told}" in session.prose
    session.set(silenced=["2.1", "2.3"], place=6)
    every = product(range(N_LAYERS), range(N_HEADS))
    one_by_one = [divergence(whole, predict(loaded, silenced=[head]), 5) for head in every]
    shown = numbers(session.figure("head_effects")["data"][0]["x"])
    assert_allclose(shown, one_by_one, rtol=1e-3, atol=1e-6)
    assert f"= {thousandths(divergence(whole, less, 5))} nats" in session.prose
    session.set(place=1)
    assert "a special token: it is not scored" in session.prose
    session.set(text="the " * 31, place=None)
    assert "in sentences of up to 32 tokens; this one has 33" in session.prose


def test_of_an_encoder_decoder_the_encoder_is_shown_and_said_to_be(tiny_model: Path) -> None:
    bart_folder(tiny_model.with_name("pair"), tokenizer_of=tiny_model)
    session, one = Asked(model="real", real="pair", text=TEXT, view="heads", head=1), one_model("real/pair")
    for said in ("BART family", ENCODER, IN_THE_DECODER.format("pair")):
        assert said in session.prose
    reading = read(load("real/pair", one.config, one.split(TEXT).texts, 0))
    assert_allclose(session.matrix("matrix"), reading.pattern(0, 0), atol=1e-6)
    other = opened(view="heads").prose
    assert ENCODER not in other
    assert IN_THE_DECODER.format(NAME) not in other
