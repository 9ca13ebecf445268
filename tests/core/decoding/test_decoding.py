"""Decoding with a cache gives the same as computing everything anew, for every model."""

from itertools import product

import pytest
import torch
from torch import Tensor

from core.decoding import start_translation
from core.model.config import NORMS, POSITIONS, Norm, Positions
from core.model.masks.combining import padding
from core.model.models import EncoderDecoder
from core.model.recurrent import NETWORKS, Network
from core.model.recurrent_pair import ATTENTIONS, RecurrentEncoderDecoder, RecurrentPairConfig
from tests.core.references import VOCAB, close, config, noisy, tokens_of

ROWS, SOURCE, WORDS = 3, 7, 5
PADDED = padding(torch.tensor([SOURCE, 2, 5]), SOURCE)


def transformer(positions: Positions = "rotary", norm: Norm = "pre", **fields: object) -> EncoderDecoder:
    first = config(positions=positions, norm=norm, mask="bidirectional", n_layers=1, **fields)
    return noisy(EncoderDecoder(first, config(positions=positions, norm=norm, n_layers=2, **fields)))


def recurrent(network: Network = "lstm", attention: str = "dot") -> RecurrentEncoderDecoder:
    made_of = RecurrentPairConfig(
        source_vocab_size=VOCAB, vocab_size=VOCAB, network=network, attention=attention, d_model=5, n_layers=2
    )
    return noisy(RecurrentEncoderDecoder(made_of))


MODELS = {
    **{f"{p}-{NORMS[at % 3]}": (transformer, (p, NORMS[at % 3])) for at, p in enumerate(POSITIONS)},
    **{f"{n}-{a}": (recurrent, (n, a)) for n, a in product(NETWORKS, ATTENTIONS)},
}
every_model = pytest.mark.parametrize("name", MODELS)


def model_of(name: str) -> EncoderDecoder | RecurrentEncoderDecoder:
    build, arguments = MODELS[name]
    return build(*arguments)


def sources() -> Tensor:
    return tokens_of(ROWS, SOURCE, seed=3)


@every_model
def test_words_read_one_by_one_give_the_logits_of_the_whole_sentence(name: str) -> None:
    model, target = model_of(name), tokens_of(ROWS, WORDS)
    whole = model((sources(), target), source_allowed=PADDED)
    for cached in (True, False):
        decoding = start_translation(model, sources(), source_allowed=PADDED, cached=cached)
        for i, words in enumerate(target.unbind(dim=1)):
            logits, decoding = decoding.step(words)
            close(logits, whole[:, i])


@every_model
def test_rows_can_be_chosen_repeated_and_put_in_another_order(name: str) -> None:
    model, target, chosen = model_of(name), tokens_of(ROWS, 2), torch.tensor([2, 0, 2, 1])
    for cached in (True, False):
        decoding = start_translation(model, sources(), source_allowed=PADDED, cached=cached)
        _, decoding = decoding.step(target[:, 0])
        logits, _ = decoding.step(target[:, 1])
        again, _ = decoding.select_rows(chosen).step(target[chosen, 1])
        close(again, logits[chosen])


@every_model
def test_reading_does_not_change_the_cache(name: str) -> None:
    decoding = start_translation(model_of(name), sources(), source_allowed=PADDED)
    word = torch.full((ROWS,), 3)
    first, _ = decoding.step(word)
    decoding.step(word + 1)
    assert torch.equal(decoding.step(word)[0], first)


@pytest.mark.parametrize("fields", [{"n_kv_heads": 1}, {"embed_norm": True}, {"tied": True}, {"mlp": False}])
def test_details_of_a_decoder_change_nothing_about_it(fields: dict[str, object]) -> None:
    model, target = transformer("rotary", **fields), tokens_of(ROWS, WORDS)
    whole, decoding = model((sources(), target)), start_translation(model, sources())
    for i, words in enumerate(target.unbind(dim=1)):
        logits, decoding = decoding.step(words)
        close(logits, whole[:, i])


def test_one_more_word_costs_a_pass_over_one_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every matrix product that the decoder makes is of one word, and none is made of the source again."""
    model, lengths = transformer(), list[int]()
    decoding = start_translation(model, sources(), source_allowed=PADDED)
    for part in model.modules():
        if isinstance(part, torch.nn.Linear):
            part.register_forward_hook(lambda _, given, __: lengths.append(given[0].shape[1]))
    for words in tokens_of(ROWS, WORDS).unbind(dim=1):
        _, decoding = decoding.step(words)
    assert lengths
    assert set(lengths) == {1}
