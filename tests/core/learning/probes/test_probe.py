"""A probe reads what an encoder hands over, learns from it alone, and is judged by counts."""

from itertools import islice

import pytest
import torch
from torch import Tensor

from core.learning.evaluation.translation import Share
from core.learning.probes.probe import (
    FOLLOWED_BY,
    ProbeRecipe,
    WordProbe,
    content_words,
    count_words,
    fitted,
    fixed_vectors,
    measure_probe,
    train_probe,
)
from core.model.recurrent import Network
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from core.text import language, translation
from tests.core.references import noise, noisy

KNOWN = language.vocabulary()
N_WORDS, D = len(KNOWN), 5
SOME = [each.words for each in islice(translation.sentences(3, split="test"), 7)]


def pair(network: Network = "lstm") -> RecurrentEncoderDecoder:
    made_of = RecurrentPairConfig(
        source_vocab_size=N_WORDS, vocab_size=len(translation.vocabulary()), network=network, d_model=D
    )
    return noisy(RecurrentEncoderDecoder(made_of), dtype=torch.float32).eval()


@pytest.mark.parametrize(("network", "d_vector"), [("lstm", 2 * D), ("rnn", D)])
def test_the_vector_is_the_last_state_of_each_sentence_alone(network: Network, d_vector: int) -> None:
    model = pair(network)
    found = fixed_vectors(model, SOME)
    assert found.shape == (7, d_vector)
    for words, vector in zip(SOME, found, strict=True):
        trace = Trace()
        model.encode(KNOWN.encode(words), trace=trace)
        ends = [trace["encoder.layers.0.hidden"][0, -1]]
        ends += [trace["encoder.layers.0.cell"][0, -1]] if network == "lstm" else []
        torch.testing.assert_close(vector, torch.cat(ends))


def told_by_hand() -> tuple[Tensor, Tensor]:
    """Vectors far from 0, and words that can be told from them: word w where number w is above 3."""
    vectors = 3 + 2 * noise(400, 3, dtype=torch.float32)
    present = torch.zeros(400, N_WORDS)
    present[:, :3] = (vectors > 3).float()
    return vectors, present


RECIPE = ProbeRecipe(n_sentences=400, passes=20, batch_size=50, learning_rate=0.04)


def test_linear_properties_of_the_vector_are_learned_and_no_others() -> None:
    vectors, present = told_by_hand()
    others = 3 + 2 * noise(200, 3, seed=1, dtype=torch.float32)
    says = fitted(vectors, present, RECIPE)(others).sigmoid() > 0.5
    assert (says[:, :3] == (others > 3)).float().mean() > 0.95
    assert not says[:, 3:].any()


def test_a_probe_that_has_learned_nothing_yet_knows_how_frequent_words_are() -> None:
    vectors, present = told_by_hand()
    recipe = ProbeRecipe(n_sentences=400, passes=1, batch_size=400, learning_rate=1e-9)
    chances = fitted(vectors, present, recipe)(vectors[:1]).sigmoid()[0]
    torch.testing.assert_close(chances, (present.sum(dim=0) + 0.5) / 401)


def test_a_translator_is_left_alone_and_its_probe_is_the_same_each_time() -> None:
    model, recipe = pair(), ProbeRecipe(n_sentences=60, passes=2, batch_size=20, seed=4)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    first, again = train_probe(model, recipe), train_probe(model, recipe)
    torch.testing.assert_close(model.state_dict(), before, rtol=0, atol=0)
    torch.testing.assert_close(first.state_dict(), again.state_dict(), rtol=0, atol=0)
    assert not any(parameter.requires_grad for parameter in first.parameters())


def test_content_words_exclude_function_words() -> None:
    assert {"key", "gardeners", "maria", "sold", "heavy"} <= content_words()
    assert not content_words() & {"is", "are", "was", "were", "the", "who", "not", "he", "near", ".", "<unk>"}


def test_recovered_words_are_counted_by_the_number_of_later_words() -> None:
    # key 8 and 3 words before the end, and counted where it stands last; heavy 1; sold 4.
    sentences = [
        ("the", "key", "that", "we", "know", "sold", "key", "is", "heavy", "."),
        ("the", "chef", "."),
    ]
    says = torch.zeros(2, N_WORDS, dtype=torch.bool)
    for row, word in ((0, "key"), (0, "heavy"), (0, "the"), (0, "river"), (1, "key"), (1, "the")):
        says[row, KNOWN.words.index(word)] = True
    found = count_words(says, sentences)
    expected = {span: Share(0, 0) for span in FOLLOWED_BY}
    expected |= {(1, 1): Share(1, 2), (2, 3): Share(1, 1), (4, 6): Share(0, 2)}
    assert found.by_distance == expected
    assert found.false_alarms == Share(2, 2 * len(content_words()) - 5)
    assert (found.recall, found.precision) == (Share(2, 5), Share(2, 4))
    assert found.base_rate == 5 / (2 * len(content_words()))


def test_a_probe_is_judged_on_test_sentences_of_every_length() -> None:
    model = pair()
    probe = noisy(WordProbe(2 * D), dtype=torch.float32)
    told = measure_probe(probe, model, n=3)
    assert tuple(told.by_distance) == FOLLOWED_BY
    assert told.recall.n + told.false_alarms.n == 3 * 6 * len(content_words())
    assert 0 < told.recall.right < told.recall.n
