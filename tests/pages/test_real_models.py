"""The weights of a real model: its numbers in pieces or in words, its switches, and what it cannot do."""

import json
import re
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.heads import effects as each_head
from core.measures.heads import sinks as standing_out
from core.measures.heads.compared import rollout
from core.measures.merging import merge
from core.measures.prediction import divergence, predict
from core.measures.reading import Reading, WholeReading, read
from core.measures.similarity import similarities
from core.pretrained import library
from core.sources import PretrainedInfo, load
from core.sources.pretrained import TITLES, USUAL, is_loaded
from core.words import thousandths
from pages import GROUPS
from pages.contract.attention import HIDDEN, HOW_MERGED
from pages.contract.examples import EXAMPLES
from pages.contract.real import ENCODER, KEPT_ELSEWHERE
from pages.contract.words import UNKNOWN_MARK
from pages.controls.buttons import LARGE
from pages.explorer import PAGE
from pages.explorer.expected import IN_THE_DECODER
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.real import N_HEADS, N_LAYERS, NAME, SOURCE, bart_folder, bert_folder, one_model
from tests.views import PAGES

TEXT = "I don't think the other cats saw the cat running?"
PIECES = [
    *(
        "[CLS]",
        "i",
        "don",
        "'",
        "t",
        "think",
        "the",
        "other",
        "cats",
        "saw",
        "the",
        "cat",
        "run",
        "##ning",
        "?",
    ),
    "[SEP]",
]
WORDS = ["[CLS]", "I", "don't", "think", "the", "other", "cats", "saw", "the", "cat", "running", "?", "[SEP]"]


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
    assert "BERT family" in session.prose
    for view in PAGE.views:
        session.set(view=view)
        assert session.warnings == []
    session.set(view="heads", drawn="lines")
    assert session.drawing("lines")["words"] == PIECES
    assert "tiny has no output layer" in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_pieces_are_merged_into_words_and_special_tokens_hidden() -> None:
    session = opened(view="heads", tokens="words", layer=2, head=3)
    pattern, groups = computed().pattern(1, 2), the_model().split(TEXT).groups
    assert_allclose(session.matrix("matrix"), merge(pattern, groups), atol=1e-6)
    assert HOW_MERGED in session.prose
    assert HIDDEN not in session.prose
    session.set(special=False)
    assert_allclose(session.matrix("matrix"), merge(pattern, groups[1:-1]), atol=1e-6)
    assert HIDDEN in session.prose
    session.set(view="heads", drawn="lines")
    assert session.drawing("lines")["words"] == WORDS[1:-1]
    share = "Show the keys that hold this share of each query's attention"
    assert session.label("mass") == f"{share} to the keys shown (%)"
    session.set(special=True)
    assert session.label("mass") == f"{share} (%)"
    session.set(special=False)
    session.set(view="compare")
    session.set(b_positions="as A", b_mask="causal")
    of_b = computed(mask="causal").pattern(1, 2)
    shown = np.nan_to_num(session.matrix("comparison", panel=1), nan=0)
    assert_allclose(shown, merge(of_b, groups[1:-1]), atol=1e-6)


@pytest.mark.usefixtures("tiny_model")
def test_special_tokens_that_are_typed_are_named_and_stay_where_the_others_are_hidden() -> None:
    text = "the [MASK] saw [SEP] the [MASK]"
    session = opened(view="heads", tokens="words", text=text)
    assert names(session) == ["[CLS]", *text.split(), "[SEP]"]
    assert "as part of the sentence" not in session.prose
    session.set(special=False)
    assert names(session) == text.split()
    assert rf"{HIDDEN} \[MASK\] and \[SEP\] stay, as part of the sentence." in session.prose
    session.set(text="the [MASK] saw")
    assert r"\[MASK\] stays, as part of the sentence." in session.prose
    session.set(text=TEXT)
    assert "as part of the sentence" not in session.prose


def on_page(**parameters: Any) -> Session:
    return Session(model="real", real=NAME, **({"text": TEXT} | parameters))


@pytest.mark.usefixtures("tiny_model")
def test_the_weight_between_two_words_is_followed_to_those_between_their_pieces() -> None:
    session = on_page(view="heads", tokens="words", head=1, query=3, key=11, calculation_table=True)
    weights = computed().pattern(0, 0)[2:5, 12:14]
    (formula,) = [latex.value for latex in session.app.latex]
    terms = " + ".join(f"{one:.3f}" for one in weights.sum(axis=1))
    assert formula == f"$$\n\\tfrac{{1}}{{3}}\\,({terms}) = {weights.sum(axis=1).mean():.3f}\n$$"
    assert "mean, over the 3 pieces of the query, of the sum over the 2 pieces of the key" in session.prose
    assert_allclose(session.table("calculation").to_numpy(), weights)
    session.set(query=2)  # one piece, so nothing is averaged
    (first, second) = computed().pattern(0, 0)[1, 12:14]
    (formula,) = [latex.value for latex in session.app.latex]
    assert formula.strip("$\n") == f"{first:.3f} + {second:.3f} = {first + second:.3f}"
    assert "This is the sum over the 2 pieces of the key." in session.prose
    session.set(query=2, key=5)  # one piece each: the whole calculation
    assert "products" in session.app.latex[0].value
    session.set(tokens="pieces")
    assert session.value("query") is None, "another row has its number now"


@pytest.mark.usefixtures("tiny_model")
def test_small_weights_between_pieces_are_not_written_as_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    n = len(PIECES)
    monkeypatch.setattr(Reading, "pattern", lambda *_: np.full((n, n), 2e-5))
    session = opened(view="heads", tokens="words", query=3, key=11)
    (formula,) = session.latex
    assert "0.000" not in formula
    assert formula.count(r"4.00 \cdot 10^{-5}") == 4, "three sums of two pieces, and their mean"


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_beside_a_real_model_no_list_of_known_words_is_offered() -> None:
    session = on_page(view="heads")
    assert not session.has("known_words")
    assert f"{len(PIECES)} of" in session.prose
    assert "of 256 words" not in session.prose
    session.set(model="trained")
    assert session.has("known_words")
    assert "of 256 words" in session.prose


@pytest.mark.usefixtures("tiny_model")
@pytest.mark.parametrize("tokens", ["pieces", "words"])
def test_the_head_that_stands_out_is_one_click_away(monkeypatch: pytest.MonkeyPatch, tokens: str) -> None:
    monkeypatch.setattr(standing_out, "LEAST", 0.0)  # of noise, which has no such head
    session = on_page(tokens=tokens, layer=2, head=3)
    patterns = computed().patterns()
    if tokens == "words":
        patterns = merge(patterns, the_model().split(TEXT).groups)
    largest = patterns[:, :, 1:-1, 1:-1].max(axis=3).mean(axis=2)
    layer, head = np.unravel_index(largest.argmax(), largest.shape)
    assert (layer, head) != (1, 2)
    button = session.element("stands_out")
    assert button.label.startswith(f"Layer {layer + 1} · head {head + 1} stands out")
    by_equal = 1 / len(PIECES)
    if tokens == "words":  # "don't" has three pieces, and every query sees it
        by_equal = 3 / len(PIECES)
    aside = ", special tokens left aside as queries and as keys"
    told = f"mean of {largest.max():.2f}, and equal weights would give {by_equal:.2f}{aside}"

    session.press(button.label)

    assert (session.value("layer"), session.value("head")) == (layer + 1, head + 1)
    assert not session.has("stands_out")
    assert f"{button.label}: its largest weights, one for each row, have a {told}." in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_where_every_head_is_nearly_as_equal_weights_none_is_said_to_stand_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under the causal mask these are large: the first row after [CLS], which is left aside, has a half."""
    n = len(PIECES)
    equal = np.tri(n, dtype=np.float32) / np.arange(1, n + 1)[:, None]
    monkeypatch.setattr(WholeReading, "patterns", lambda _: np.tile(equal, (N_LAYERS, N_HEADS, 1, 1)))
    session = opened(mask="causal")
    assert not session.has("stands_out")
    assert "stands out" not in session.prose


@pytest.mark.usefixtures("tiny_model")
def test_a_learned_position_of_a_real_model_is_not_said_to_be_random() -> None:
    prose = opened(view="heads", query=3, key=2).prose
    assert "Each position has a vector that is learned" in prose
    assert "random" not in prose


@pytest.mark.usefixtures("tiny_model")
def test_rollout_is_merged_after_it_is_rolled_out() -> None:
    session = opened(view="heads", tokens="words", layer=2, show="rollout")
    groups = the_model().split(TEXT).groups
    rolled = rollout(computed().patterns(), residual=True)
    assert_allclose(session.matrix("matrix"), merge(rolled, groups), atol=1e-6)


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_the_switches_show_what_the_model_has_and_what_is_changed_is_an_ablation() -> None:
    session = Session(text=TEXT, view="heads", positions="alibi", heads=8, head=1)
    session.set(model="real")
    session.set(real=NAME)
    shown = [session.value(name) for name in ("positions", "mask", "heads", "layers", "norm")]
    assert shown == ["learned", "bidirectional", N_HEADS, N_LAYERS, "post"]
    assert "ablation" not in session.prose
    assert session.element("heads").disabled
    assert "tiny was trained with 3 heads" in session.element("heads").help
    session.set(positions="none", norm="none", scale=False)
    assert (
        ":orange-badge[ablation] no positions, no norm, no scaling by √d_head. tiny was trained with learned "
        "positions, post-norm, scaling by √d_head."
    ) in session.prose
    expected = computed(positions="none", norm="none", scale=False).pattern(0, 0)
    assert_allclose(session.matrix("matrix"), expected, atol=1e-6)
    session.set(window=2)
    assert "no attention beyond 2 pieces. tiny was trained with learned positions" in session.prose
    assert session.element("window").label == "Window ± pieces"
    session.set(positions="learned", norm="post", scale=True, window=1)
    assert (
        ":orange-badge[ablation] no attention beyond 1 piece. tiny was trained with no window."
    ) in session.prose
    session.set(model="trained", window="off")
    assert [session.value(name) for name in ("positions", "heads", "norm", "scale")] == [
        *("sinusoidal", 4, "pre", True)
    ]


def assert_nothing_but_the_weights(session: Asked) -> None:
    """Where the real model chosen cannot be had, nothing of another one is shown, and the way back is."""
    assert session.pictures == []
    assert session.has("model")
    switches = ("positions", "mask", "window", "heads", "layers", "norm", "scale", "residual", "mlp", "seed")
    assert [name for name in (*switches, "layer", "head", "known_words") if session.has(name)] == []
    assert "of 256 words" not in session.prose
    assert "Computed on" not in session.prose


@pytest.mark.usefixtures("no_real_model")
@pytest.mark.parametrize("address", ["masking", "order-invariance", "step-by-step"])
def test_on_no_page_is_anything_shown_of_another_model(address: str) -> None:
    session = Asked(address, model="real", text=TEXT)
    assert len(session.warnings) == 1
    assert_nothing_but_the_weights(session)
    session.set(model="random")
    assert session.warnings == []
    assert session.has("scale")


@pytest.mark.usefixtures("no_real_model")
def test_without_a_model_one_sentence_says_how_to_get_one() -> None:
    session = Asked(model="real", text=TEXT)
    (sentence,) = session.warnings
    assert sentence.startswith("MiniLM is not there yet: `make pretrained` fetches it, 83 MB")
    assert_nothing_but_the_weights(session)
    session.set(model="random")
    assert session.warnings == []
    assert "matrix" in session.pictures


@pytest.mark.usefixtures("noise_shelf")
def test_a_sentence_of_unknown_words_can_be_read_by_a_real_model(tiny_model: Path) -> None:
    asked = f"Read it with {NAME}, which takes any word"
    session = Session(text="the zyx cat walks on the street")
    assert asked not in [button.label for button in session.app.button], "one of seven is not many"
    session = Session(text="the zyx cat qwx the cat", view="heads")
    session.press(asked)
    assert (session.value("model"), session.value("real")) == ("real", NAME)
    assert names(session) == ["[CLS]", "the", "zyx†", "cat", "qwx†", "the", "cat", "[SEP]"]
    assert r"**zyx**†, **qwx**†: no piece of the vocabulary fits. The model reads \[UNK\] instead" in (
        session.prose
    )


@pytest.mark.usefixtures("noise_shelf", "no_real_model")
def test_where_no_real_model_is_there_none_is_proposed() -> None:
    session = Session(text="the zyx cat qwx the cat")
    assert not any("takes any word" in button.label for button in session.app.button)


@pytest.mark.usefixtures("tiny_model")
def test_a_special_token_that_gets_most_attention_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.full((16, 16), 0.02)
    weights[:, -1] = 0.7
    monkeypatch.setattr(Reading, "pattern", lambda *_: weights)
    prose = readable(opened(view="heads").prose).replace("**", "")
    assert (
        "70 % of this head's attention goes to the special token [SEP]. Equal weights would give it 6 %"
        in prose
    )
    assert "Clark et al. 2019" in prose


@pytest.mark.usefixtures("tiny_model")
@pytest.mark.parametrize("special", [True, False])
def test_beside_a_matrix_of_words_the_note_on_a_sink_counts_words(
    monkeypatch: pytest.MonkeyPatch, special: bool
) -> None:
    weights = np.full((16, 16), 0.02)
    weights[:, -1] = 0.7
    monkeypatch.setattr(Reading, "pattern", lambda *_: weights)
    n, n_pieces = len(WORDS), len(PIECES)
    prose = readable(opened(view="heads", tokens="words", special=special).prose).replace("**", "")
    assert (
        f"70 % of this head's attention goes to the special token [SEP]. Equal weights would give it "
        f"{100 / n_pieces:.0f} % (mean over {n - 1} queries)" in prose
    )


SHOWN = [
    *(("explorer", view) for view in ("heads", "compare")),
    ("masking", "paint"),
    *(("step-by-step", view) for view in ("soft lookup", "why three matrices")),
]


@pytest.mark.usefixtures("tiny_model")
@pytest.mark.parametrize(("page", "view"), SHOWN)
def test_alternative_texts_call_pieces_pieces(page: str, view: str) -> None:
    session = Asked(page, model="real", real=NAME, text=TEXT, view=view, size="full")
    alts = [session.alt(picture) for picture in session.pictures]
    assert alts
    assert not [alt for alt in alts if re.search(r"\bwords?\b", alt)]
    if view == "heads":
        session.set(tokens="words")
        assert f"over {len(WORDS)} words" in session.alt("matrix")


@pytest.mark.usefixtures("tiny_model")
def test_what_two_controls_ablate_is_one_line() -> None:
    session = Session("masking", model="real", real=NAME, text=TEXT, positions="none", preset="causal")
    (line,) = [text.value for text in session.app.markdown if "[ablation]" in text.value]
    assert line == (
        f":orange-badge[ablation] no positions, the causal mask. {NAME} was trained with learned positions, "
        "the bidirectional mask."
    )


@pytest.mark.usefixtures("tiny_model")
def test_a_tile_of_head_scores_opens_its_head_on_words() -> None:
    session = opened(view="head scores")
    assert "Scores are means over 32 sentences" in session.prose
    session.click("head_scores", x=1, y=1)
    assert (session.value("view"), session.value("tokens")) == ("heads", "words")
    assert session.value("special") is False
    assert len(names(session)) == len(session.value("text").split())


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_examples_are_marked_only_for_models_that_know_words() -> None:
    for session in (on_page(), Session("masking", model="real", real=NAME, text="the cat")):
        labels = [session.element(f"example_{at}").label for at in range(len(EXAMPLES))]
        assert not any(UNKNOWN_MARK in label for label in labels)
        assert not any("do not know" in session.element(f"example_{at}").help for at in range(len(EXAMPLES)))
    # No real model is on this page, whatever the link says.
    session = Session("heads", view="how many", model="real", text="the cat")
    assert any(UNKNOWN_MARK in session.element(f"example_{at}").label for at in range(len(EXAMPLES)))


@pytest.mark.usefixtures("usual_model")
def test_the_usual_model_is_called_by_its_short_name() -> None:
    session = Session(model="real", text="the cat", view="heads")
    assert f"{TITLES[USUAL]} has no output layer" in session.prose
    assert session.element("real").options == [TITLES[USUAL]]
    assert session.value("real") == TITLES[USUAL]


@pytest.mark.usefixtures("tiny_model")
def test_typed_markup_stays_text_in_pieces_and_in_words() -> None:
    hostile = "**the** [cat](http://x) <b>saw</b> don't"
    for tokens in ("pieces", "words"):
        session = opened(view="heads", text=hostile, tokens=tokens, query=5, key=6)
        texts = [text for text in session.said if "attends to" in text]
        assert len(texts) == 1
        assert "[cat]" not in session.prose.replace(r"\[cat\]", "")


@pytest.mark.usefixtures("tiny_model")
def test_step_by_step_follows_a_real_model_from_its_embeddings_on() -> None:
    asked = {"size": "full", "model": "real", "real": NAME, "text": TEXT, "layer": 1, "head": 2}
    session = Session("step-by-step", code=True, **asked)
    assert session.value("positions") == "learned", "not what the page begins with for other models"
    sent = json.loads(session.element("strip").proto.json)
    before = ["embeddings", "segments", "positions", "embedding norm"]
    assert [stage["name"] for stage in sent["stages"]][:5] == [*before, "q"]
    for stage in (*before, "softmax"):
        session.set(stage=stage)
    assert "core.pretrained" in session.app.code[0].value
    for view in ("soft lookup", "why three matrices"):
        session.set(view=view)
        assert session.warnings == []


@pytest.mark.usefixtures("tiny_model")
def test_sentences_are_ranked_by_how_alike_they_are() -> None:
    session = opened(view="similarity", against="running?\n\n**the** other cats saw the cat\n  i don't think")
    texts = ("running?", "**the** other cats saw the cat", "i don't think")
    words = [the_model().split(text).texts for text in (TEXT, *texts)]
    cosines = similarities(
        load(SOURCE, the_model().config, words[0], 0),
        [load(SOURCE, the_model().config, other, 0) for other in words[1:]],
    )
    order = np.argsort(-cosines)
    table = session.tables[0]
    assert list(table["sentence"]) == [texts[at] for at in order]
    assert_allclose(table["similarity"], cosines[order])
    assert f"with a cosine of {cosines.max():.2f}." in session.prose
    session.set(against="\n".join(["the cat"] * 13))
    assert "At most 12 sentences are compared" in session.warnings[0]
    session.set(against=" ")
    assert "The list of sentences is empty" in session.infos[0]


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_similarity_asks_for_a_real_model_and_leads_to_one() -> None:
    session = Session(view="similarity")
    assert "choose *real* weights" in session.prose
    session.press(f"Read it with {NAME}, which takes any word")
    assert len(session.app.dataframe) == 1


@pytest.mark.usefixtures("tiny_model")
def test_without_its_positions_a_real_encoder_gives_both_orders_the_same() -> None:
    orders = {"text": "the cat saw the other cats", "other": "the other cats saw the cat"}
    session = Asked("order-invariance", model="real", real=NAME, **orders)
    assert session.value("positions") == "learned"
    assert "*cats* gets another output" in session.sheet.answer, "not [SEP], which comes after the last word"
    session.set(positions="none")
    assert "*cats* gets the same output in both orders." in session.sheet.answer
    assert session.pictures == ["orders"], "there are no other settings of it"
    session.set(other="the other cats saw a cat")
    assert "must have the same pieces" in session.warnings[0]


@pytest.mark.usefixtures("tiny_model")
def test_the_mask_of_a_real_model_is_painted() -> None:
    session = Asked("masking", model="real", real=NAME, text="the cats run", layer=2, head=3)
    shown = np.nan_to_num(session.matrix("painted"), nan=0)
    assert shown.shape[-2:] == (5, 5)
    had = "tiny was trained with the bidirectional mask."
    assert f":orange-badge[ablation] the causal mask. {had}" in session.prose
    assert "may attend to 1 of 5 pieces" in session.prose
    session.set(preset="window")
    assert f":orange-badge[ablation] another mask. {had}" in session.prose
    assert session.label("radius") == "± pieces"
    session.set(view="mask values")
    assert had in session.prose
    assert session.warnings == []
    session.set(preset="none")
    assert "ablation" not in session.prose


def test_a_real_model_with_an_output_layer_predicts_and_loses_heads(
    no_real_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bert_folder(no_real_model / "masked", predicts=True)
    session = Session(model="real", real="masked", text=TEXT, view="heads", losses_table=True)
    assert session.table("losses").index.name == "piece"
    one = one_model("real/masked")
    words = one.split(TEXT).texts
    whole = predict(load("real/masked", one.config, words, 0))
    assert session.value("place_word") is None
    easiest = whole.easiest(at for at, piece in enumerate(words) if piece.isalnum() or "##" in piece)
    assert f"Masked piece in place of “{one.split(TEXT).labels[easiest]}” ({easiest + 1})" in str(
        session.figure("prediction_bars")
    )
    assert (
        f"Loss on this sentence: **{whole.loss:.2f} nats per piece**, the mean over {whole.n_scored} pieces."
        in session.prose
    )
    assert session.element("place_word").label == "Masked piece"
    assert "The model predicts the piece from a sentence in which that piece is masked." in session.prose
    session.set(silenced=["2.1", "2.3"], place=6)
    one_by_one = [
        divergence(whole, predict(load("real/masked", one.config, words, 0), silenced=[head]), 5)
        for head in product(range(N_LAYERS), range(N_HEADS))
    ]
    shown = numbers(session.figure("head_effects")["data"][0]["y"])
    assert_allclose(shown, one_by_one, rtol=1e-3, atol=1e-6)
    less = predict(load("real/masked", one.config, words, 0), silenced=[(1, 0), (1, 2)])
    assert f"= {thousandths(divergence(whole, less, 5))} nats" in session.prose
    session.set(place=1)
    assert "a special token: it is not scored" in session.prose
    session.set(view="compare")
    assert "Loss of each piece" in [one.label for one in session.app.expander]
    session.set(text="the " * 31, view="heads")
    assert "in sentences of up to 32 pieces; this one has 33" in session.prose
    monkeypatch.setattr(each_head, "MOST_WORK", each_head.MOST_WORK * 7 / each_head.longest(one.config))
    session.set(text=TEXT)
    assert not session.has("head_effects")
    assert "is knocked out alone in sentences of up to 7 pieces; this one has 16." in session.prose


def test_what_is_wrong_with_a_folder_is_told_as_mere_characters(tiny_model: Path) -> None:
    hostile = "![x](http://elsewhere.example/x) **y**"
    (tiny_model / "config.json").write_text(json.dumps({"model_type": hostile}), "utf-8")
    session = on_page()
    (note,) = session.warnings
    assert note.startswith("tiny cannot be read. Choose other weights, or mend its folder: ")
    assert "![" not in note
    assert "**" not in note
    assert hostile in readable(note)
    assert_nothing_but_the_weights(session)


@pytest.mark.usefixtures("tiny_model")
def test_a_large_model_is_described_and_loaded_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "SHARE", 0.0)
    session = on_page(view="heads")
    assert "BERT family" in session.prose
    assert LARGE in session.prose
    (note,) = session.warnings
    assert note.startswith("tiny is not loaded yet: it needs 0.0 GB of the ")
    assert session.pictures == []
    assert not is_loaded(NAME)
    session.press("Load it")
    assert "matrix" in session.pictures
    assert session.warnings == []
    assert LARGE not in session.prose
    assert LARGE not in on_page().prose, "it is in memory for everybody"


def test_of_an_encoder_decoder_the_encoder_is_shown_and_said_to_be(tiny_model: Path) -> None:
    folder = tiny_model.with_name("pair")
    bart_folder(folder, tokenizer_of=tiny_model)
    session = Asked(model="real", real="pair", text=TEXT, view="heads", head=1)
    assert "BART family" in session.prose
    assert ENCODER in session.prose
    assert IN_THE_DECODER.format("pair") in session.prose
    one = one_model("real/pair")
    reading = read(load("real/pair", one.config, one.split(TEXT).texts, 0))
    assert_allclose(session.matrix("matrix"), reading.pattern(0, 0), atol=1e-6)
    for view in PAGE.views:
        session.set(view=view)
        assert session.warnings == []
    other = opened(view="heads").prose
    assert ENCODER not in other
    assert IN_THE_DECODER.format(NAME) not in other


def usual_mask(address: str) -> str:
    """The mask with which a page opens."""
    first = next(iter(PAGES[address].views.values()))
    return str(first.defaults.get("mask", "causal"))


@pytest.mark.long(
    "a page of its own that loses the real model: every run visits three, and the masking views"
)
@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_a_real_model_with_its_layer_and_head_comes_along_and_is_kept_where_it_cannot_be_shown() -> None:
    chosen = {"model": "real", "real": NAME, "layer": 2, "head": 2}
    session = Session(text=TEXT, **chosen)
    kept = KEPT_ELSEWHERE.format(NAME)
    for entry in chain.from_iterable(GROUPS.values()):
        session.go(entry.address)
        assert [note for note in session.warnings if "asks for" in note] == [], entry.title
        if session.has("model") and session.value("model") == "real":
            names = [name for name in chosen if session.has(name)]
            assert {name: session.value(name) for name in names} == {name: chosen[name] for name in names}
            assert session.infos == []
        else:
            assert session.infos == [kept] * (session.has("text") or session.has("model")), entry.title
            assert not session.has("mask") or session.value("mask") == usual_mask(entry.address), entry.title
    session.go("explorer")
    assert {name: session.value(name) for name in chosen} == chosen
    assert session.infos == []


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_switches_of_a_real_model_do_not_stay_where_no_weights_are_chosen() -> None:
    session = Session(text=TEXT, model="real", real=NAME)
    session.go("step-by-step")
    session.go("blocks")
    session.set(view="pre and post")
    assert not session.has("model")
    assert session.value("mask") == usual_mask("blocks")
    session.go("explorer")
    assert (session.value("model"), session.value("mask")) == ("real", "bidirectional")


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_a_view_that_cannot_show_a_real_model_gives_it_back_to_one_that_can() -> None:
    session = Session("masking", text=TEXT, model="real", real=NAME, head=3)
    session.set(view="the future")
    assert not session.has("model")
    assert session.infos == [KEPT_ELSEWHERE.format(NAME)]
    assert session.warnings == []
    session.set(view="mask values")
    assert (session.value("model"), session.value("head"), session.infos) == ("real", 3, [])
    session.go("positions")
    session.set(view="rotary")
    assert (session.value("model"), session.infos) == ("trained", [KEPT_ELSEWHERE.format(NAME)])
    session.set(model="random")
    assert session.infos == [], "the visitor has chosen since"
    session.go("masking")
    assert session.value("model") == "random"


@pytest.mark.usefixtures("tiny_model")
def test_who_comes_to_step_by_step_with_a_real_model_sees_that_one() -> None:
    session = Asked("step-by-step", text=TEXT, model="real", real=NAME)
    assert (session.value("size"), session.value("positions")) == ("full", "learned")
    session.set(size="small")
    assert not session.has("model"), "the visitor's choice"
    session = Asked("step-by-step", text=TEXT, model="real", real=NAME, size="small")
    assert session.value("size") == "small"
