"""Fixtures of tests of trainings: no training outlives its test."""

import pytest

from tests.core.live.plans import measured_briefly, queues_closed, turns

__all__ = ["measured_briefly", "queues_closed", "turns"]


@pytest.fixture(autouse=True)
def nothing_left_running(queues_closed: None) -> None:
    """A queue of a test is closed after it."""
