"""How one model goes on with a text: as computing everything anew does it, up to a bound or an end."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.decoding import Sampling, beams, decode, likeliest, sampler, start_text
from core.learning.collection import MEMBERS
from core.measures.generation.continuation import (
    LISTED,
    Continuation,
    GenerationConfig,
    generate,
    generate_all,
    max_new_tokens,
)
from core.measures.generation.writing import ENDS
from core.model.models import Transformer
from core.sources import LoadedModel, UnavailableError, load
from core.text.language import vocabulary
from core.text.tokenizer import MAX_WORDS
from tests.covering import each
from tests.real import NAME, SOURCE, bert_folder, gpt2_folder, one_model

TEXT = "I don't think the other cats saw the cat."
NOWHERE = 10**6

STORES = "the chef who ran out of blackberries and went to the stores"


@pytest.fixture
def gpt2(no_real_model: Path) -> LoadedModel:
    """A tiny real model that goes on with a text."""
    gpt2_folder(no_real_model / NAME, trained_on=TEXT)
    one = one_model(SOURCE)
    return load(SOURCE, one.config, one.split(TEXT).texts, 0)


def anew(loaded: LoadedModel) -> dict[str, object]:
    """Return the arguments of a reference that computes all of a text anew for every token."""
    assert isinstance(loaded.model, Transformer)
    tokens = loaded.tokens
    return {
        "decoding": start_text(loaded.model, tokens[:, :-1], cached=False),
        "start": int(tokens[0, -1]),
        "ends": (NOWHERE,),
        "longest": 6,
    }


FREELY = GenerationConfig(max_new_tokens=6, stop_at_sentence_end=False)


def test_the_likeliest_token_is_taken_each_time(gpt2: LoadedModel) -> None:
    steps = list(generate(gpt2, FREELY))
    expected = decode(choose=likeliest, **anew(gpt2))  # type: ignore[arg-type]
    assert steps[-1].tokens == tuple(step.word for step in expected)
    assert [len(step.chosen) for step in steps] == [1, 2, 3, 4, 5, 6]
    assert [step.is_whole for step in steps] == [False] * 5 + [True]
    for one, step in zip(steps[-1].chosen, expected, strict=True):
        assert one.probability == pytest.approx(float(step.log_probabilities.exp()[step.word]), rel=1e-4)
        assert one.tokens == tuple(step.log_probabilities.argsort(descending=True)[:LISTED].tolist())
        assert one.after is None
    n = gpt2.tokens.shape[1]
    ended = replace(gpt2, tokens=torch.cat([gpt2.tokens, gpt2.tokens[:, :1]], dim=1), special=(n,))
    assert generate_all(ended, FREELY).tokens == steps[-1].tokens, "special tokens behind are left out"


def test_a_token_is_drawn_by_chance_as_the_reference_draws_it(gpt2: LoadedModel) -> None:
    sampling = Sampling(temperature=1.5, top_k=20)
    generation = GenerationConfig(
        strategy="sampled", sampling=sampling, seed=5, max_new_tokens=6, stop_at_sentence_end=False
    )
    expected = decode(choose=sampler(sampling, 5), **anew(gpt2))  # type: ignore[arg-type]
    found = generate_all(gpt2, generation)
    assert found.tokens == tuple(step.word for step in expected)
    assert found.tokens != generate_all(gpt2, FREELY).tokens
    for one in found.chosen:
        assert one.token in one.tokens
        assert one.after is not None
        assert sum(one.after) <= 1 + 1e-9
        ratios = [share / one.after[0] for share in one.after]
        assert ratios == pytest.approx(
            [(share / one.before[0]) ** (1 / 1.5) for share in one.before], rel=1e-4
        )


def test_a_beam_agrees_with_the_reference_and_its_prefixes_come_in_order(gpt2: LoadedModel) -> None:
    generation = GenerationConfig(strategy="beam", width=3, max_new_tokens=6, stop_at_sentence_end=False)
    steps = list(generate(gpt2, generation))
    *_, expected = beams(width=3, **anew(gpt2))  # type: ignore[arg-type]
    assert steps[-1].tokens == expected.words(expected.best)
    assert [step.n_tokens for step in steps] == [1, 2, 3, 4, 5, 6]
    sums = [one.log_probability for one in steps[-1].beginnings]
    assert len(sums) == 3
    assert sums == sorted(sums, reverse=True)
    assert steps[-1].probabilities[0] == pytest.approx(
        float(torch.tensor(expected.tree[expected.best].total).exp())
    )


def small(words: str, **generation: object) -> Continuation:
    """Return the continuation by the shipped model with these switches."""
    config = MEMBERS["causal-sinusoidal-4-pre"].config
    loaded = load("trained", config, tuple(words.split()), 0)  # type: ignore[arg-type]
    return generate_all(loaded, GenerationConfig(**generation))  # type: ignore[arg-type]


@each("way", ["greedy", "beam"])
def test_a_text_ends_at_a_mark_if_it_is_to_stop_there(way: str) -> None:
    short, long = (
        small(STORES, strategy=way, stop_at_sentence_end=stops, max_new_tokens=20) for stops in (True, False)
    )
    words = vocabulary().words
    assert words[short.tokens[-1]] in ENDS
    assert not {words[token] for token in short.tokens[:-1]} & set(ENDS)
    assert len(short.tokens) < 20 == len(long.tokens)
    assert short.is_whole
    assert long.is_whole


def test_a_token_that_ends_all_texts_ends_this_one(gpt2: LoadedModel) -> None:
    assert gpt2.ends, "the folder names one"
    second = generate_all(gpt2, FREELY).tokens[1]
    found = generate_all(replace(gpt2, ends=frozenset({second})), FREELY)
    assert found.tokens[-1] == second
    assert len(found.tokens) <= 2
    assert found.is_whole


def test_a_text_without_room_for_a_token_is_refused(gpt2: LoadedModel) -> None:
    most = gpt2.model.config.max_len
    words = gpt2.words * 4
    tokens = gpt2.tokens.repeat(1, 4)
    longest = replace(gpt2, words=words[: most - 2], tokens=tokens[:, : most - 2])
    assert max_new_tokens(longest, GenerationConfig(max_new_tokens=12)) == 2
    assert (
        generate_all(longest, GenerationConfig(max_new_tokens=12, stop_at_sentence_end=False)).n_tokens == 2
    )
    full = replace(gpt2, words=words[:most], tokens=tokens[:, :most])
    with pytest.raises(UnavailableError, match=f"at most {most} tokens, generated ones included"):
        generate_all(full, FREELY)
    with pytest.raises(UnavailableError, match=f"at most {MAX_WORDS} words, generated ones included"):
        small("the " * MAX_WORDS)


def test_a_masked_language_model_does_not_continue_a_text(no_real_model: Path) -> None:
    bert_folder(no_real_model / NAME, predicts=True)
    one = one_model(SOURCE)
    loaded = load(SOURCE, one.config, one.split("the cat").texts, 0)
    with pytest.raises(UnavailableError, match="does not predict the next word"):
        generate_all(loaded, FREELY)
