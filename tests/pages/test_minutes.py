"""The time of the path: estimated from what its stops ask of a reader, and short enough for an evening."""

from typing import Any

import pytest

from pages.home.landing import PATH
from pages.path import minutes
from pages.path.counting import effort_of, effort_of_exam, words_in
from pages.path.minutes import OF_EXAM, Effort, about_all, about_minutes, efforts
from pages.path.stops import STOPS
from tests.covering import each
from tests.real import needs_smollm2

WITHIN = 0.5
"""Minutes by which the counts of the data may be old."""


def _stop(number: int) -> Any:
    reads_real = any(view.link.parameters.get("model") == "real" for view in STOPS[number - 1].views)
    marks = [needs_smollm2, pytest.mark.long("it reads with a real model")] if reads_real else []
    return pytest.param(number, marks=marks)


@pytest.mark.parametrize("number", [_stop(number) for number in range(1, len(STOPS) + 1)])
def test_the_minutes_of_a_stop_agree_with_its_views(number: int) -> None:
    stop = STOPS[number - 1]
    now = effort_of(stop, number)
    said = efforts().get(stop.title, Effort())
    assert abs(now.minutes - said.minutes) <= WITHIN, "python -m pages.path.counting counts them again"
    assert 1 < now.minutes <= 15, f"{stop.title}: {now}"


def test_the_path_is_done_in_an_evening() -> None:
    *stops, exam = efforts()
    assert stops == [stop.title for stop in STOPS]
    assert sum(efforts()[title].minutes for title in stops) <= 150
    assert exam == OF_EXAM
    assert abs(efforts()[OF_EXAM].minutes - effort_of_exam().minutes) <= WITHIN
    assert effort_of_exam().questions == 14
    assert effort_of_exam().minutes <= 20


def test_an_estimate_adds_reading_looking_answering_and_clicking() -> None:
    assert Effort(words=360).minutes == 2
    assert Effort(pictures=4).minutes == 2
    assert Effort(questions=3).minutes == 2
    assert Effort(clicks=20).minutes == 1
    both = Effort(words=360, pictures=4) + Effort(questions=3, clicks=20)
    assert both == Effort(words=360, pictures=4, questions=3, clicks=20)
    assert both.minutes == 7


@each(
    ("said", "n"),
    [("", 0), ("one *two* three", 3), ("see [a view](/masking?view=paint) − now", 4), ("a = 0.5 · b", 3)],
)
def test_words_are_counted_without_signs_and_addresses(said: str, n: int) -> None:
    assert words_in([said]) == n


def test_the_home_says_the_minutes_of_each_stop_and_of_a_new_stop_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [tile.note for tile in PATH] == [about_minutes(stop.title) for stop in STOPS]
    monkeypatch.setattr(minutes, "efforts", lambda: {"long": Effort(words=1900), "short": Effort(words=10)})
    assert about_all() == "about 10 minutes"
    assert [about_minutes(title) for title in ("long", "short", "new")] == ["about 11 min", "about 1 min", ""]
