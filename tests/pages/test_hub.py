"""A model of the hub: offered where the operator allows it, described first, shown once it is there."""

from pathlib import Path

import pytest

from core.pretrained import hub
from core.pretrained.hub import ALLOWED, Found, HubError, Progress
from core.pretrained.library import About
from pages.contract.prose import literal
from pages.controls import hub as page
from tests.pages.session import Session, readable
from tests.real import NAME, bert_folder

WANTED = "people/tiny-two"
SIZE = 2_500_000_000


def found(name: str) -> Found:
    if name != WANTED:
        raise HubError(f"The hub has no model called {name}.")
    return Found(name, "c0ffee", {"model.safetensors": SIZE}, About("BERT", 625_000_000, SIZE))


@pytest.fixture
def allowed(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server that may fetch from a hub with one model; the folder of its models."""
    monkeypatch.setenv(ALLOWED, "people/*")
    monkeypatch.setattr(hub, "find", found)
    return tiny_model.parent


@pytest.mark.usefixtures("tiny_model")
def test_nothing_is_offered_where_nothing_may_be_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOWED, raising=False)
    assert "hub_name" not in Session(model="real", real=NAME).app.session_state


def test_a_model_is_described_fetched_with_its_progress_and_shown(
    allowed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def fetched(one: Found, progress: Progress) -> Path:
        progress(SIZE // 2, SIZE)
        told.append(one.name)
        bert_folder(allowed / "people--tiny-two")
        return allowed / "people--tiny-two"

    monkeypatch.setattr(hub, "fetch", fetched)
    session = Session(model="real", real=NAME)
    session.set(hub_name=WANTED)
    assert f"**{literal(WANTED)}**: BERT family" in session.prose
    assert "BERT family, 625.0 million parameters: 2.5 GB on disk, 2.5 GB in memory." in session.prose
    assert told == []
    session.press("Fetch it")
    assert told == [WANTED]
    assert session.value("real") == "people--tiny-two"
    assert session.warnings == []


@pytest.mark.usefixtures("allowed")
def test_what_cannot_be_had_is_said_in_a_sentence_of_mere_characters() -> None:
    session = Session(model="real", real=NAME)
    session.set(hub_name="people/**none**")
    (warning,) = session.warnings
    assert "**" not in warning
    assert readable(warning) == "The hub has no model called people/**none**."


@pytest.mark.usefixtures("allowed")
def test_a_name_copied_from_a_sentence_is_the_name() -> None:
    session = Session(model="real", real=NAME)
    session.set(hub_name=f" {literal(WANTED)} ".replace("\\", ""))
    assert f"**{literal(WANTED)}**: BERT family" in session.prose
    assert session.warnings == []


@pytest.mark.usefixtures("allowed")
def test_a_long_refusal_is_said_to_its_end() -> None:
    session = Session(model="real", real=NAME)
    name = "people/" + "n" * 80
    session.set(hub_name=name)
    assert readable(session.warnings[0]) == f"The hub has no model called {name}."


@pytest.mark.usefixtures("allowed")
def test_two_models_are_not_fetched_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "fetch", lambda *_: pytest.fail("another visitor fetches"))
    session = Session(model="real", real=NAME)
    session.set(hub_name=WANTED)
    with page._fetching:
        session.press("Fetch it")
    assert "Another visitor is fetching a model" in session.app.info[0].value
