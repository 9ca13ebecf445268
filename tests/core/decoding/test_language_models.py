"""A language model continues a text: the cache changes nothing, and forced words are the only ones."""

import torch

from core.decoding import (
    LanguageModel,
    Sampling,
    decode,
    likeliest,
    read_words,
    sampler,
    start_text,
    with_forced_words,
)
from core.model.config import NORMS, POSITIONS
from core.model.models import Transformer
from core.model.recurrent import NETWORKS, RecurrentConfig, RecurrentLanguageModel
from tests.core.decoding.toy import END, START, Toy, logits
from tests.core.references import VOCAB, close, config, noisy, tokens_of
from tests.covering import each

ROWS, WORDS, LAYERS = 3, 5, 2


def model_of(name: str) -> LanguageModel:
    if name in NETWORKS:
        shape = RecurrentConfig(vocab_size=VOCAB, network=name, d_model=5, n_layers=LAYERS)
        return noisy(RecurrentLanguageModel(shape))
    positions, norm, *more = name.split("-")
    options = {"window": 2, "qk_norm": True} if more else {}
    return noisy(Transformer(config(positions=positions, norm=norm, n_layers=LAYERS, **options)))


MODELS = [
    *(f"{positions}-{NORMS[at % 3]}" for at, positions in enumerate(POSITIONS)),
    "rotary-pre-window",
    *NETWORKS,
]
"""Every scheme and every norm; the cache of earlier words is the same for any two of them."""


@each("name", MODELS)
@each("cached", [True, False])
def test_words_read_one_by_one_give_the_logits_of_the_whole_text_in_any_order_of_rows(
    cached: bool, name: str
) -> None:
    model, tokens, chosen = model_of(name), tokens_of(ROWS, WORDS), torch.tensor([2, 0, 2, 1])
    whole = model(tokens)
    decoding = start_text(model, tokens[:, :0], cached=cached)
    for i, words in enumerate(tokens.unbind(dim=1)):
        before = decoding
        expected, decoding = before.step(words)
        close(expected, whole[:, i])
        if i in (0, WORDS - 1):
            close(before.select_rows(chosen).step(words[chosen])[0], expected[chosen])
    at_once, _ = start_text(model, tokens[:, :-1], cached=cached).step(words)
    close(at_once, expected)


@each("network", NETWORKS)
def test_a_recurrent_model_keeps_as_much_after_many_words_as_after_one(network: str) -> None:
    sizes = []
    for n in (1, WORDS):
        memories = read_words(start_text(model_of(network)), [1] * n).memories  # type: ignore[attr-defined]
        sizes.append(sum(state.numel() for memory in memories for state in memory))
    assert sizes[0] == sizes[1] == LAYERS * 5 * {"rnn": 1, "lstm": 2}[network]


def test_a_text_ends_at_any_of_its_ends_but_not_at_the_word_it_starts_with() -> None:
    for seed in range(5):
        steps = decode(Toy(seed), likeliest, start=END, ends=(1, END), longest=6)
        words = [step.word for step in steps]
        assert words
        assert not {1, END} & set(words[:-1])
        assert words[-1] in (1, END) or len(words) == 6
        assert len(decode(Toy(seed), likeliest, start=START, ends=(), longest=9)) == 9


def test_the_text_is_rewritten_after_a_forced_word() -> None:
    steps = decode(Toy(1), with_forced_words(likeliest, {1: 0}), start=START, ends=(), longest=5)
    words = (START,)
    for at, step in enumerate(steps):
        expected = logits(1, words)
        torch.testing.assert_close(step.log_probabilities, expected.log_softmax(dim=0))
        assert step.word == (0 if at == 1 else int(expected.argmax()))
        words = (*words, step.word)
    assert [step.word for step in steps] != [
        step.word for step in decode(Toy(1), likeliest, start=START, ends=(), longest=5)
    ]


def test_chance_has_the_same_numbers_after_a_forced_word() -> None:
    def words(given: dict[int, int]) -> list[int]:
        choose = with_forced_words(sampler(Sampling(temperature=3.0), 7), given)
        return [step.word for step in decode(Toy(1), choose, start=START, ends=(), longest=9)]

    own = words({})
    assert own == [1, 0, 2, 0, 2, 1, 0, 2, 0], "on every machine, next year too"
    assert words({3: own[3]}) == own
    assert words({8: 3})[:8] == own[:8]
    assert words({8: 3})[8] == 3
