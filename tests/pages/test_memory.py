"""Results that all visitors share: computed once for equal values, from plain characters."""

import pytest

from core.measures.reading import Reading, read
from core.model.config import ModelConfig
from core.sources import random_weights
from core.store import ProcessMemory, ResultCache
from pages.contract.caching import cached_for_all
from pages.contract.prose import Typed


def test_typed_text_reaches_caches_as_plain_characters() -> None:
    met = []

    @cached_for_all()
    def kinds(words: tuple[str, ...], word: str, *, other: str) -> int:
        met.append([type(one) for one in (*words, word, other)])
        return len(met)

    kinds((Typed("the"), Typed("cat")), Typed("the"), other=Typed("cat"))

    assert met == [[str, str, str, str]]


def test_equal_words_are_computed_once_typed_or_not() -> None:
    calls = []

    @cached_for_all()
    def count(words: tuple[str, ...]) -> int:
        calls.append(words)
        return len(words)

    assert count((Typed("the"), Typed("cat"))) == count(("the", "cat")) == 2
    assert len(calls) == 1
    assert count(("the", "dog")) == 2
    assert len(calls) == 2


def test_memory_stays_bounded_for_any_number_of_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    room = 2**20
    store = ResultCache(ProcessMemory(lambda: None))
    monkeypatch.setattr(store.process, "room", lambda held: room)
    monkeypatch.setattr("core.store.STORE", store)

    @cached_for_all()
    def reading(n: int) -> Reading:
        return read(random_weights.fresh(ModelConfig(vocab_size=1), ["cat"] * n, 0))

    held = []
    for n in range(2, 40):
        reading(n)
        held.append(store.held)
    assert room / 2 < max(held) <= room
    assert 1 < len(store._results) < 38


def test_results_count_for_the_module_of_the_function_that_computes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = ResultCache(ProcessMemory(lambda: None))
    monkeypatch.setattr("core.store.STORE", store)

    @cached_for_all()
    def count(words: tuple[str, ...]) -> int:
        return len(words)

    count(("the", "cat"))
    assert list(store.sizes()) == [__name__]
