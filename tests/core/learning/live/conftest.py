"""What every test of trainings needs: that none goes on after it."""

import pytest

from tests.core.learning.live.plans import slots_closed, tested_briefly, turns

__all__ = ["slots_closed", "tested_briefly", "turns"]


@pytest.fixture(autouse=True)
def nothing_left_running(slots_closed: None) -> None:
    """A slot of a test is closed after it."""
