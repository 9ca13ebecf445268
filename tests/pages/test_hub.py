"""A model of the hub: offered where the operator allows it, described first, shown once it is there."""

from pathlib import Path

import pytest

from core.pretrained import hub
from core.pretrained.hub import ALLOWED, HubError, HubModel, Progress
from core.pretrained.library import FolderSummary
from pages.contract.prose import literal
from pages.shell import hub as page
from tests.pages.session import Session, readable
from tests.real import NAME, bert_folder

WANTED = "people/tiny-two"
SIZE = 2_500_000_000


def found(name: str) -> HubModel:
    if name != WANTED:
        raise HubError(f"The hub has no model called {name}.")
    return HubModel(name, "c0ffee", {"model.safetensors": SIZE}, FolderSummary("BERT", 625_000_000, SIZE))


@pytest.fixture
def allowed(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server that may fetch from a hub with one model; the folder of its models."""
    monkeypatch.setenv(ALLOWED, "people/*")
    monkeypatch.setattr(hub, "find", found)
    return tiny_model.parent


def test_a_model_is_described_fetched_with_its_progress_and_shown(
    allowed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def fetched(one: HubModel, progress: Progress) -> Path:
        progress(SIZE // 2, SIZE)
        told.append(one.name)
        bert_folder(allowed / "people--tiny-two")
        return allowed / "people--tiny-two"

    monkeypatch.setattr(hub, "fetch", fetched)
    session = Session(model="real", real=NAME)
    session.set(hub_name=f" {literal(WANTED)} ".replace("\\", ""))
    said = "BERT family, 625.0 million parameters: 2.5 GB on disk, 2.5 GB in memory."
    assert f"**{literal(WANTED)}**: {said}" in session.prose
    with page._fetching:
        session.press("Fetch it")
    assert "Another visitor is fetching a model" in session.app.info[0].value
    assert told == []
    session.press("Fetch it")
    assert told == [WANTED]
    assert session.value("real") == "people--tiny-two"
    assert session.warnings == []


@pytest.mark.usefixtures("allowed")
def test_an_unavailable_model_has_a_sentence_without_markup() -> None:
    session, name = Session(model="real", real=NAME), f"people/**none**{'n' * 80}"
    session.set(hub_name=name)
    (warning,) = session.warnings
    assert "**" not in warning
    assert readable(warning) == f"The hub has no model called {name}."
