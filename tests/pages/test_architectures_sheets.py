"""What the views of Architectures say, at every branch, on numbers made up."""

from dataclasses import replace

import pytest

from core.measures.architectures.inside_lstm import cell_step
from core.measures.architectures.parameters import ARCHITECTURES, PARTS
from core.model.masks import MASKS
from core.sources.rivals import load_rival
from pages.architectures import models_said, parameters, recurrent_said
from pages.architectures.complaint import no_translation
from pages.architectures.recurrent_said import ATTENDS, FIXED, LSTM, RNN
from pages.contract.answers import LinkAnswers, parsed
from pages.contract.ask import Ask
from pages.contract.lecture import arranged
from pages.contract.look import Look
from pages.contract.sheet import Sheet, Shown
from pages.controls.prose import Typed
from pages.shell.asking import scene_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.views import page_in
from viz.theme import THEMES


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
    hidden = n * (n - 1) // 2 if mask == "causal" else 0
    assert models_said.stack_answer(n, MASKS[mask], hidden) == f"This stack {said}"


def test_the_other_mask_is_named() -> None:
    decoder, encoder = (models_said.one_class(MASKS[mask]) for mask in ("causal", "bidirectional"))
    assert decoder.startswith("No word attends to a later one. Encoder and decoder are one class")
    assert "press *bidirectional*" in decoder
    assert encoder.startswith("Encoder and decoder are one class: press *causal*")


def test_cross_attention_is_target_by_source() -> None:
    told = models_said.pair_answer(7, 9)
    assert "reads all 7 words at once" in told
    assert told.endswith("with weights 9 × 7, target × source.")
    assert "reads its one word, and" in models_said.pair_answer(1, 2)


def test_a_recurrent_network_takes_a_step_for_each_word() -> None:
    answers = {name: recurrent_said.answer(name, 7, 9, 64) for name in (RNN, LSTM, FIXED, ATTENDS)}
    assert answers[RNN].endswith("before it and one word: 7 words are 7 steps, one after the other.")
    assert "the state and the cell before it and one word: 7 words" in answers[LSTM]
    assert "knows of 7 words has to pass through one vector of 64 numbers" in answers[FIXED]
    assert "of the decoder, 9 here" in answers[ATTENDS]
    assert "state of the encoder, 7 here" in answers[ATTENDS]
    assert recurrent_said.answer(RNN, 1, 0, 64).endswith(": one word is one step.")
    assert "knows of 1 word has" in recurrent_said.answer(FIXED, 1, 2, 64)


def test_words_that_are_not_drawn_are_said_to_be_left_out() -> None:
    cut = "Drawn are the first 16 words."
    assert recurrent_said.told(RNN, 16, 0) == ""
    assert recurrent_said.told(RNN, 17, 0) == cut
    assert recurrent_said.told(ATTENDS, 16, 17) == f"{recurrent_said.SUM_IS_CROSS_ATTENTION} {cut}"
    assert recurrent_said.told(LSTM, 1, 0) == recurrent_said.CELL


def test_what_a_recurrent_network_was_trained_for_is_said() -> None:
    assert recurrent_said.weights(RNN, 1).endswith("next-word-rnn of the collection, 1 layer.")
    assert recurrent_said.weights(LSTM, 2).endswith("next-word-lstm of the collection, 2 layers.")
    assert "translator=RNN&attention=none" in recurrent_said.weights(FIXED, 1)
    assert "translator=RNN)" in recurrent_said.weights(ATTENDS, 1)


def counts(of_decoder: int = 10) -> dict[str, dict[str, int]]:
    each = (10, of_decoder, 30)
    named = {name: dict.fromkeys(PARTS, n) for name, n in zip(ARCHITECTURES, each, strict=True)}
    named[ARCHITECTURES[2]]["feed-forward"] = 0
    return named


def test_parameters_are_counted_whichever_way_they_go() -> None:
    n = 10 * len(PARTS)
    assert parameters.answer(counts()) == (
        "Feed-forward layers have 0 % of the parameters of the two together; encoder and decoder have the "
        f"same number, {n:,}: a mask is no parameter."
    )
    other = parameters.answer(counts(of_decoder=1000))
    assert other.endswith(f"encoder and decoder have {n:,} and {1000 * len(PARTS):,}.")


def test_the_two_together_have_more_attention_than_one() -> None:
    assert parameters.told(counts(), 1).startswith("With 1 layer on each side the two together have 3 times")
    assert "With 2 layers on each side" in parameters.told(counts(), 2)


def test_why_a_decoder_is_fed_its_start_alone_is_said_as_typed() -> None:
    assert no_translation("") == ()
    (notice,) = no_translation("at word 2, expected *x*")
    assert "\\*x\\*" in notice.markdown
    assert notice.kind == "info"


def test_the_gates_of_an_lstm_are_said_by_their_means() -> None:
    said = recurrent_said.cell(Typed("tea"), 1, forget=0.69, write=0.54, output=0.731)
    assert said == (
        "At *tea* in layer 2, on average over the units, the cell keeps 69 % of what it was, 54 % of the "
        "candidate is added, and 73 % of tanh of the cell becomes the state."
    )


def test_the_inside_of_an_lstm_is_that_of_the_layer_and_the_word_that_are_chosen() -> None:
    second = {"network": "LSTM", "part": "hidden states, layer 2"}
    asked = Asked("architectures", view="recurrent", text="the chef is", **second)
    assert "At *chef* in layer 2" in asked.prose
    assert asked.picture("computed").title == "LSTM, hidden states, layer 2"
    asked.set(cell_word=3)
    assert "reads is in layer 2" in asked.alt("lstm_cell")
    step = cell_step(load_rival("next-word-lstm"), ["the", "chef", "is"], layer=1, position=2)
    assert list(asked.table("lstm_cell")["forget gate f"]) == list(step.forget)
    asked.set(network="RNN")
    assert not asked.has("lstm_cell")


@pytest.mark.parametrize(
    ("link", "fills", "first"),
    [
        ("&cell_word=2", True, "lstm_cell"),
        ("&cell_word=2", False, "unrolled"),
        ("", True, "unrolled"),
    ],
)
def test_a_lecture_shows_the_inside_of_an_lstm_that_its_link_asks_for(
    link: str, fills: bool, first: str
) -> None:
    ask = Ask(LinkAnswers(parsed(f"/architectures?view=recurrent&network=LSTM{link}")[1]))
    ask.look = replace(Look(theme=THEMES["light"]), fills=fills)
    view, scene = scene_of(ask, page_in("architectures"))
    sheet = view.sheet(ask, scene)
    assert isinstance(sheet, Sheet)
    picture = arranged(sheet.parts).picture
    assert picture is not None
    shown = picture.panels[0].drawn
    assert isinstance(shown, Shown)
    assert shown.key == first
