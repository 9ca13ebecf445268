"""What is kept for all visitors: computed once for equal values, from mere characters."""

from pages.controls.memory import remembered
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
