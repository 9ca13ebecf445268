"""Too frequent requests of one name wait, and do not affect others."""

import pytest

from access import buckets
from access.buckets import Buckets
from tests.rooms.clock import Clock


def test_a_bucket_allows_a_burst_and_then_a_rate() -> None:
    clock = Clock()
    asked = Buckets(3, 0.5, clock)
    assert [asked.take("one") for _ in range(4)] == [True, True, True, False]
    clock.now += 1.9
    assert not asked.take("one")
    clock.now += 0.2
    assert asked.has("one")
    assert asked.take("one")
    assert not asked.has("one")
    assert asked.take("another")
    clock.now += 1000
    assert [asked.take("one") for _ in range(4)] == [True, True, True, False], "no more than at once"


def test_the_least_recently_used_names_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buckets, "MOST_NAMES", 2)
    asked = Buckets(1, 0, Clock())
    taken = [asked.take(name) for name in ("a", "b", "a", "c", "a", "b")]
    assert taken == [True, True, False, True, False, True], "b is forgotten, a is not"
