"""Results of a session are drawn for requests with its token, and for no others."""

from functools import partial
from importlib import import_module
from urllib.parse import urlencode

import pytest

from core.measures.generation.costs import word_times
from figures.export_pictures import ExportPicture, export_pictures
from figures.preset import SLIDE
from pages.contract.session_results import SESSION_RESULTS, SessionResults, SessionResultsStore
from pages.shell.draw import RESULTS
from tests.pages.session import Session
from tests.pages.test_training import PAGE as TRAINING
from tests.pages.test_training import TINY, trained
from viz.theme import LIGHT


def saved(address: str, seen: SessionResults, **parameters: object) -> dict[str, ExportPicture]:
    link = f"/{address}?{urlencode(parameters)}"
    found = export_pictures(link, SLIDE, LIGHT, measure=seen.measure, live=seen.live)
    return {one.key: one for one in found}


def of(session: Session) -> SessionResults:
    """Return the results of a session, as its page gets them."""
    token = session.app.session_state[RESULTS]
    told = [node.proto.body for node in session.app.main if node.type == "html"]
    assert f'<i hidden data-seen="{token}"></i>' in told
    seen = SESSION_RESULTS.find(token)
    assert seen is not None
    return seen


def test_a_measurement_is_in_the_file_as_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    view = import_module("pages.generation.costs")
    monkeypatch.setattr(view, "word_times", partial(word_times, most_seconds=0))
    of_text = {"text": "the chef who ran", "most": 4, "stops": "false"}
    asked = {"view": "memory", "cost": "time per word", **of_text}
    session = Session("generation", **asked)
    assert RESULTS not in session.app.session_state, "a session without measurements is not kept"
    session.element("measure_word_times").click()
    session.run()
    assert saved("generation", of(session), **asked)["word_seconds"].alt == session.alt("word_seconds")
    assert "word_seconds" not in saved("generation", SessionResults(), **asked)


@pytest.mark.usefixtures("measured_briefly")
def test_a_training_is_in_the_file_as_on_the_page() -> None:
    session = Session(TRAINING, **TINY)
    trained(session)
    file = saved(TRAINING, of(session), **TINY)["curves"]
    assert file.alt == session.alt("curves")
    assert "after 3 of 3 steps" in file.alt
    assert file.caption.endswith(" · taken after step 3 of 3")
    assert "3 steps planned, batches of 4 · learning rate 0.005" in file.caption
    assert file.provenance["moment"] == "taken after step 3 of 3"
    assert not file.nothing
    other = Session(TRAINING, **TINY)
    assert other.app.session_state[RESULTS] != session.app.session_state[RESULTS]
    untouched = saved(TRAINING, of(other), **TINY)["curves"]
    assert "after 3 of 3 steps" not in untouched.alt
    assert "taken" not in untouched.caption
    assert "moment" not in untouched.provenance
    assert untouched.nothing == "Nothing has been trained yet: press Start first."


def test_few_are_kept_the_latest_ones_and_a_token_is_no_key_to_guess() -> None:
    store = SessionResultsStore(most=2)
    for token in ("first", "second"):
        store.keep(token, SessionResults(live=token))
    store.keep("first", SessionResults(live="first again"))
    store.keep("third", SessionResults(live="third"))
    found = [store.find(token) for token in ("first", "second", "third", "")]
    assert [one and one.live for one in found] == ["first again", None, "third", None]


def test_results_of_a_panel_stay_the_same_for_all_of_its_files() -> None:
    store = SessionResultsStore(most=2)
    store.keep("mine", SessionResults(live="step 1"))
    assert store.find("mine.a") == SessionResults(live="step 1")
    store.keep("mine", SessionResults(live="step 2"))
    assert store.find("mine.a") == SessionResults(live="step 1")
    assert store.find("mine.b") == store.find("mine") == SessionResults(live="step 2")
    assert store.find("yours.a") is None
    for name in "cd":
        store.find(f"mine.{name}")
    assert store.find("mine.a") == SessionResults(live="step 2"), (
        "few are held, and sessions are not pushed out"
    )
