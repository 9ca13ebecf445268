"""The last stop on a machine without its real model: what to do is said, and a small model is shown."""

from pathlib import Path

from pages.path.stops import FETCH, STOPS
from tests.pages.session import Session
from tests.real import needs_smollm2

LAST = len(STOPS)
HEADS, HIDING = STOPS[-1].views


def test_the_last_stop_shows_a_small_model_and_a_remedy(no_real_model: Path) -> None:
    assert (HEADS.shown_text, HEADS.asked) == (HIDING.shown_text, HIDING.asked) == (FETCH, ())
    assert "`python -m core.pretrained` fetches it" in FETCH
    session = Session("explorer", stop=LAST, **HEADS.link.parameters)
    assert not session.warnings
    assert "model" not in session.link
    assert session.link["text"] == HEADS.link.parameters["text"]


@needs_smollm2
def test_with_its_model_the_last_stop_asks_about_it() -> None:
    assert (HEADS.shown_text, HEADS.asked) == (HEADS.says, HEADS.asks)
    assert HIDING.asked == HIDING.asks
