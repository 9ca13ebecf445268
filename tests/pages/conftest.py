"""Fixtures for simulated sessions: a quick start, Plotly's validation of figures, and an end of trainings."""

import pytest
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner, require_widgets_deltas

from tests.core.live.plans import measured_briefly, queues_closed, turns
from tests.opened import open_every_figure

__all__ = ["measured_briefly", "open_every_figure", "queues_closed", "turns"]

COMPILED = ScriptCache()
"""The app's scripts, compiled once for all sessions, as a server has them."""


class NoServer:
    """A stand-in for the server of a run: no browser is connected, so there are no cookies.

    Streamlit's simulation has a mock there, which makes another mock for every attribute.
    """

    def __init__(self, *, spec: type) -> None:
        self.spec = spec

    def get_client(self, session_id: str) -> None:
        """The connection of a session."""


@pytest.fixture(autouse=True)
def no_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session waits for its run asleep, and does not compile the pages again for it.

    Streamlit's simulation would ask a thousand times a second whether the run has ended, each time through
    all that has happened in it, while the run waits for the interpreter.
    """
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", _wait)
    monkeypatch.setattr(app_test, "ScriptCache", lambda: COMPILED)
    monkeypatch.setattr(app_test, "MagicMock", NoServer)


def _wait(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait for the end of the run; after too long, Streamlit stops it and reports an error as usual."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        require_widgets_deltas(runner, timeout=0)


@pytest.fixture(autouse=True)
def nothing_left_running(queues_closed: None) -> None:
    """A training that a session has begun ends with the test."""
