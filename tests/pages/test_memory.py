"""What is kept for all visitors: computed once for equal values, from mere characters."""

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import numpy as np
import pytest
import torch

from core.arrays import bytes_held
from core.measures.reading import Reading, read
from core.model.config import ModelConfig
from core.sources import load
from pages.controls import memory
from pages.controls.memory import remembered, remembered_within
from pages.controls.prose import Typed


def test_typed_text_reaches_what_is_remembered_as_mere_characters() -> None:
    met = []

    @remembered()
    def kinds(words: tuple[str, ...], word: str, *, other: str) -> int:
        met.append([type(one) for one in (*words, word, other)])
        return len(met)

    kinds((Typed("the"), Typed("cat")), Typed("the"), other=Typed("cat"))

    assert met == [[str, str, str, str]]


def test_equal_words_are_computed_once_typed_or_not() -> None:
    calls = []

    @remembered()
    def count(words: tuple[str, ...]) -> int:
        calls.append(words)
        return len(words)

    assert count((Typed("the"), Typed("cat"))) == count(("the", "cat")) == 2
    assert len(calls) == 1
    assert count(("the", "dog")) == 2
    assert len(calls) == 2


def test_what_was_computed_with_another_keyword_is_computed_anew() -> None:
    @remembered()
    def repeat(word: str, *, times: int) -> str:
        return word * times

    assert [repeat("tea", times=times) for times in (1, 2, 1)] == ["tea", "teatea", "tea"]


def test_what_is_kept_within_a_room_never_holds_more_bytes_than_that() -> None:
    made = []

    @remembered_within(100, lambda array: array.nbytes)
    def zeros(n: int) -> np.ndarray:
        made.append(n)
        return np.zeros(n, dtype=np.uint8)

    for n in (30, 40, 30, 50, 40, 30, 101, 30):
        assert zeros(n).nbytes == n
        assert zeros.results.currsize <= 100  # type: ignore[attr-defined]
    # 50 drives out 40, which was used before 30; 40 then 30 and 30 then 50; what is too large is not kept.
    assert made == [30, 40, 50, 40, 30, 101]


def test_functions_of_equal_arguments_keep_their_own() -> None:
    @remembered_within(100, len)
    def one(word: str) -> str:
        return word

    @remembered_within(100, len)
    def other(word: str) -> str:
        return word * 2

    assert (one("tea"), other("tea")) == ("tea", "teatea")


def test_typed_text_reaches_what_is_kept_within_a_room_as_mere_characters() -> None:
    met = []

    @remembered_within(100, len)
    def kinds(words: tuple[str, ...], *, other: str) -> str:
        met.append([type(one) for one in (*words, other)])
        return "kept"

    assert kinds((Typed("the"),), other=Typed("cat")) == kinds(("the",), other="cat") == "kept"
    assert met == [[str, str]]


def test_whoever_asks_for_what_is_being_computed_waits_for_it() -> None:
    has_begun, may_end = Event(), Event()
    made = []

    @remembered()
    def make() -> str:
        made.append("one")
        has_begun.set()
        may_end.wait(10)
        return "one"

    with ThreadPoolExecutor() as visitors:
        first = visitors.submit(make)
        assert has_begun.wait(10)
        second = visitors.submit(make)
        wait([second], timeout=0.05)  # it has asked by now, or asks later: either way nothing is made again
        may_end.set()
    assert [first.result(), second.result()] == ["one", "one"]
    assert made == ["one"]


def test_what_failed_is_computed_again() -> None:
    tried = []

    @remembered()
    def make() -> str:
        tried.append(len(tried))
        if len(tried) == 1:
            raise ValueError("no such model")
        return "made"

    with pytest.raises(ValueError, match="no such model"):
        make()
    assert make() == make() == "made"
    assert tried == [0, 1]


def test_however_many_sentences_are_read_no_more_is_held_than_there_is_room_for() -> None:
    room = 2**20

    @remembered_within(room)
    def reading(n: int) -> Reading:
        return read(load("random", ModelConfig(vocab_size=1), ["cat"] * n, 0))

    held = []
    for n in range(2, 40):
        reading(n)
        results = list(reading.results.values())  # type: ignore[attr-defined]
        held.append(sum(map(bytes_held, results)))
        assert held[-1] == reading.results.currsize  # type: ignore[attr-defined]
    assert room / 2 < max(held) <= room
    assert 1 < len(results) < 38


def test_what_was_computed_on_one_device_is_computed_again_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    devices, made = ["cuda", "cuda", "cpu", "cpu"], []
    monkeypatch.setattr(memory, "choose_device", lambda: torch.device(devices[0]))

    @remembered()
    def count(word: str) -> int:
        made.append(devices[0])
        return len(word)

    while devices:
        assert count("tea") == 3
        devices.pop(0)
    assert made == ["cuda", "cpu"]
