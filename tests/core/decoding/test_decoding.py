"""Decoding with a cache gives the same as computing everything anew, for every model."""

from collections.abc import Callable

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
from tests.covering import each

ROWS, SOURCE, WORDS = 3, 7, 3
NETWORKS_BY_TURNS = tuple(NETWORKS)
Build = Callable[..., EncoderDecoder | RecurrentEncoderDecoder]
PADDED = padding(torch.tensor([SOURCE, 2, 5]), SOURCE)


def transformer(positions: Positions = "rotary", norm: Norm = "pre", **fields: object) -> EncoderDecoder:
    first = config(positions=positions, norm=norm, mask="bidirectional", n_layers=1, **fields)
    return noisy(EncoderDecoder(first, config(positions=positions, norm=norm, n_layers=2, **fields)))


def recurrent(network: Network = "lstm", attention: str = "dot") -> RecurrentEncoderDecoder:
    made_of = RecurrentPairConfig(
        source_vocab_size=VOCAB, vocab_size=VOCAB, network=network, attention=attention, d_model=5, n_layers=2
    )
    return noisy(RecurrentEncoderDecoder(made_of))


MODELS = [
    *((transformer, (positions, NORMS[at % 3])) for at, positions in enumerate(POSITIONS)),
    *((recurrent, (NETWORKS_BY_TURNS[at % 2], attention)) for at, attention in enumerate(ATTENTIONS)),
    (recurrent, ("lstm", "none")),
]


def sources() -> Tensor:
    return tokens_of(ROWS, SOURCE, seed=3)


@each(("build", "arguments"), MODELS)
@each("cached", [True, False])
def test_words_read_one_by_one_give_the_logits_of_the_whole_sentence_in_any_order_of_rows(
    cached: bool, build: Build, arguments: tuple[str, str]
) -> None:
    model, target, chosen = build(*arguments), tokens_of(ROWS, WORDS), torch.tensor([2, 0, 2, 1])
    whole = model((sources(), target), source_allowed=PADDED)
    decoding = start_translation(model, sources(), source_allowed=PADDED, cached=cached)
    for i, words in enumerate(target.unbind(dim=1)):
        before = decoding
        logits, decoding = before.step(words)
        close(logits, whole[:, i])
        if i in (0, WORDS - 1):
            close(before.select_rows(chosen).step(words[chosen])[0], logits[chosen])
    assert torch.equal(before.step(words)[0], logits), "reading changes no cache"


@each("fields", [{"n_kv_heads": 1}, {"embed_norm": True}, {"tied": True}])
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
