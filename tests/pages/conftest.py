"""What makes a simulated session start in a few milliseconds."""

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session would search all installed packages for components; ours are in the pages themselves."""
    monkeypatch.setattr(BidiComponentManager, "discover_and_register_components", lambda *_, **__: None)
