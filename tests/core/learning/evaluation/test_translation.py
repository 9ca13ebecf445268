"""A translator is scored on test sentences: sentences right from end to end, and its links."""

from itertools import islice

import pytest
import torch

from core.decoding import decode, likeliest, start_translation
from core.learning.evaluation.translation import (
    LENGTHS,
    Share,
    accuracies,
    alignment_error_rates,
    attends,
    best_head,
    correct,
    ends,
    error_rate,
    implied_links,
    near_to_training,
    of_length,
    sentences_for_testing,
    translations,
    weights,
)
from core.learning.tasks.translation import sentences_of_batch
from core.learning.training import Recipe
from core.model.config import PairConfig
from core.model.models import EncoderDecoder
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from core.text import language, translation
from core.text.translation import END, translate
from core.text.translation.forms import content_words
from core.text.translation.splits import split_of
from tests.core.references import config, noisy
from tests.covering import each

SOURCES, TARGETS = len(language.vocabulary()), len(translation.vocabulary())
SOME = tuple(islice(translation.sentences(0, split="test"), 7))


def recurrent(attention: str) -> RecurrentEncoderDecoder:
    made_of = RecurrentPairConfig(
        source_vocab_size=SOURCES, vocab_size=TARGETS, attention=attention, d_model=5
    )
    return noisy(RecurrentEncoderDecoder(made_of), dtype=torch.float32)


def transformer() -> EncoderDecoder:
    pair = PairConfig(
        encoder=config(vocab_size=SOURCES, mask="bidirectional"), decoder=config(vocab_size=TARGETS)
    )
    return noisy(EncoderDecoder(pair.encoder, pair.decoder), dtype=torch.float32)


RATES = ("alignment error rate", "alignment error rate, content words")
MODELS = {"transformer": transformer, "none": lambda: recurrent("none"), "dot": lambda: recurrent("dot")}


@pytest.fixture
def cut_off_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise does not come to an end by itself."""
    monkeypatch.setattr("core.learning.evaluation.translation.LONGEST", 13)


@pytest.mark.usefixtures("cut_off_soon")
@each("name", MODELS)
def test_a_translation_in_a_batch_is_the_greedy_one_alone(name: str) -> None:
    model = MODELS[name]()
    found = translations(model, SOME[:3])
    for sentence, words in zip(SOME[:3], found, strict=True):
        decoding = start_translation(model, language.encode(sentence.words).tokens)
        steps = decode(decoding, likeliest, **ends())
        alone = [translation.vocabulary().words[step.word] for step in steps]
        assert list(words) == [word for word in alone if word != END]


def test_only_a_sentence_with_every_word_right_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [translate(sentence).words for sentence in SOME]
    spoilt = [expected[0], expected[1][:-1], (*expected[2], "."), ("lo", *expected[3][1:]), *expected[4:]]
    monkeypatch.setattr("core.learning.evaluation.translation.translations", lambda *_: spoilt)
    assert correct(recurrent("none"), SOME) == Share(right=4, n=7)
    assert Share(right=30, n=40).error == pytest.approx((0.75 * 0.25 / 40) ** 0.5)


def test_groups_of_lengths_are_test_sentences_of_these_lengths_and_of_one_construction() -> None:
    groups = of_length(0, 2)
    assert tuple(groups) == LENGTHS
    for (first, last), sentences in groups.items():
        assert len(sentences) == 2
        assert all(first <= len(sentence.words) <= last for sentence in sentences)
        assert {(split_of(one), one.construction) for one in sentences} == {("test", "agreement")}


def test_weights_agree_with_the_reference_without_padding_and_end() -> None:
    model = transformer()
    for sentence, found in zip(SOME[:3], weights(model, SOME[:3]), strict=True):
        reference, trace = translate(sentence).words, Trace()
        tokens = translation.vocabulary().encode(("<s>", *reference))
        model((language.encode(sentence.words).tokens, tokens), trace=trace)
        assert found.shape == (2, 3, len(reference), len(sentence.words))
        for layer in range(2):
            pattern = trace[f"decoder.blocks.{layer}.cross_attention.pattern"][0, :, :-1]
            torch.testing.assert_close(found[layer], pattern)


def test_content_words_are_counted_without_articles_pronouns_and_auxiliaries() -> None:
    target = "ha perdit zuko klavo luo do era il tristo ."
    assert [word for word in target.split() if word in content_words()] == [
        "perdit",
        "zuko",
        "klavo",
        "tristo",
    ]
    model, expected = transformer(), [translate(one) for one in SOME]
    rates = alignment_error_rates(model, SOME, content=True)
    pairs = [
        [
            {link for link in links if one.words[link[1]] in content_words()}
            for links in (found, one.alignment)
        ]
        for found, one in zip((implied_links(w[0, 1]) for w in weights(model, SOME)), expected, strict=True)
    ]
    assert rates[0, 1].item() == pytest.approx(error_rate((frozenset(a), frozenset(b)) for a, b in pairs))
    assert rates[0, 1] != alignment_error_rates(model, SOME)[0, 1]


def test_test_sentences_one_word_from_a_training_sentence_are_counted() -> None:
    """They are counted anew, sentence by sentence, for the batches of a short training."""
    recipe = Recipe(steps=17, batch_size=31, seed=5)
    ours = {words for step in range(17) for words in _sources(step, recipe)}
    tested = [one.words for one in islice(translation.sentences(3, split="test"), 20)]
    near = sum(any(_differ_in_one(one, other) for other in ours) for one in tested)
    assert 0 < near < 20
    assert near_to_training(recipe, seed=3, n=20) == Share(near, 20)


def _sources(step: int, recipe: Recipe) -> list[tuple[str, ...]]:
    return [one.words for one in sentences_of_batch(recipe.seed, step, recipe.batch_size)]


def _differ_in_one(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= 1


@pytest.mark.usefixtures("cut_off_soon")
@each("name", ["transformer", "none"])
def test_all_that_is_measured_is_a_share(name: str) -> None:
    model = MODELS[name]()
    found = accuracies(model, n=1)
    expected = {"sentences", *(f"sentences {first}–{last}" for first, last in LENGTHS)}
    assert set(found) == expected | (set(RATES) if attends(model) else set())
    assert all(0 <= share <= 1 for share in found.values())
    assert attends(model) == (name != "none")
    if name == "none":
        with pytest.raises(ValueError, match="attends to nothing"):
            weights(model, SOME)
    chosen, tested = (
        tuple(islice(translation.sentences(0, split="validation"), 1)),
        sentences_for_testing(n=1),
    )
    for what, content in zip(RATES, (False, True), strict=True):  # chosen by the rate that it is judged by
        if attends(model):
            layer, head = best_head(model, content=content, n=1)
            rates = alignment_error_rates(model, chosen, content=content)
            assert rates[layer, head] == rates.min()
            assert found[what] == alignment_error_rates(model, tested, content=content)[layer, head].item()
