"""A test runs all its cases, and names the case that fails."""

import pytest

from tests.covering import each


def test_every_case_runs_with_the_other_arguments() -> None:
    met = []

    @each("a", [1, 2])
    @each("b, c", [(3, 4), (5, 6)])
    def one(a: int, b: int, c: int, given: str) -> None:
        met.append((a, b, c, given))

    one(given="x")
    assert met == [(1, 3, 4, "x"), (1, 5, 6, "x"), (2, 3, 4, "x"), (2, 5, 6, "x")]


def test_the_case_that_fails_is_named() -> None:
    @each("n", [1, 2, 3])
    def one(n: int) -> None:
        assert n != 2

    with pytest.raises(AssertionError) as failed:
        one()
    assert failed.value.__notes__ == ["where {'n': 2}"]
