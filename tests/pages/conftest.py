"""What makes a simulated session quick to start, has Plotly check what it draws, and ends what it began."""

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager

from tests.core.learning.live.plans import measured_briefly, slots_closed, turns
from tests.opened import open_every_figure

__all__ = ["measured_briefly", "open_every_figure", "slots_closed", "turns"]


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session would search all installed packages for components; ours are in the pages themselves."""
    monkeypatch.setattr(BidiComponentManager, "discover_and_register_components", lambda *_, **__: None)


@pytest.fixture(autouse=True)
def nothing_left_running(slots_closed: None) -> None:
    """A training that a session has begun ends with the test."""
