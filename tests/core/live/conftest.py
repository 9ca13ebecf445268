"""Fixtures of tests of trainings: no training outlives its test."""

import pytest

from tests.core.live.plans import measured_briefly, slots_closed, turns

__all__ = ["measured_briefly", "slots_closed", "turns"]


@pytest.fixture(autouse=True)
def nothing_left_running(slots_closed: None) -> None:
    """A slot of a test is closed after it."""
