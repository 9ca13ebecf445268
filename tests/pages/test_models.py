"""Models: a row for each real model with what it needs, and how others get there."""

import json
from pathlib import Path

import pytest

from core.pretrained import library
from core.pretrained.hub import ALLOWED
from core.sources import pretrained
from pages.contract.real import real_button
from pages.models.listing import HUB_IS_OFF, LARGE_ONE, LOADED, NOT_THERE, READY, UNREADABLE, headline
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from tests.real import NAME, bert_folder

PAGE = "models"


def row(session: Asked, title: str) -> str:
    lines = readable(session.prose).splitlines()
    return next(line for line in lines if line.startswith(f"| **{title}** |"))


def test_a_model_is_described_before_it_is_loaded_and_said_to_be_in_memory_after(tiny_model: Path) -> None:
    library.forget_all()
    session = Asked(PAGE)
    known = pretrained.about(NAME)
    assert known is not None
    shown = row(session, NAME)
    assert f"| BERT | {known.n_parameters:,} | {known.on_disk / 1e3:.3g} kB |" in shown
    assert READY in shown
    assert f"](/explorer?model=real&real={NAME})" in session.prose
    assert session.sheet.headline == "1 real model is available, 0 in memory."
    Asked(model="real", real=NAME, text="the cat")
    session = Asked(PAGE)
    assert LOADED in row(session, NAME)
    assert session.sheet.headline == "1 real model is available, 1 in memory."
    assert f"Each process of the server keeps {library.most_kept()} models in memory at most" in session.prose


@each(
    ("n_there", "n_refused", "said"),
    [
        (3, 0, "3 real models are available, 1 in memory."),
        (0, 2, "No real model is available yet. 2 folders cannot be used."),
        (1, 1, "1 real model is available, 1 in memory. 1 folder cannot be used."),
    ],
)
def test_existing_models_are_counted(n_there: int, n_refused: int, said: str) -> None:
    assert headline(n_there, n_refused, n_loaded=1) == said


def test_missing_damaged_and_large_models_have_a_note(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = tiny_model.with_name("![x](y) | **z**")
    hostile.mkdir()
    (hostile / "config.json").write_text(json.dumps({"model_type": "<b>"}), "utf-8")
    bert_folder(tiny_model.with_name("huge"))
    library.forget_all()
    monkeypatch.setattr(library, "is_large", lambda folder: folder.name == "huge")
    session = Asked(PAGE)
    assert NOT_THERE.format(83) in row(session, "MiniLM")
    assert NOT_THERE.format(93) in row(session, "SmolLM2 135M")
    assert LARGE_ONE in row(session, "huge")
    assert "![" not in session.prose
    assert "<b>" not in session.prose, "the reason quotes the file"
    assert session.prose.count(UNREADABLE) == 1
    assert "config.json: model_type must be one of gpt2" in row(session, hostile.name)
    assert "Read a sentence" not in row(session, hostile.name)


FOLDERS = {
    "org/name": "models--org--name/snapshots/0123456789abcdef",
    f"elsewhere/{NAME}": f"elsewhere/{NAME}",
    "safe⟨202E⟩gpj": "safe\u202egpj",
}
"""Folders below `models` by the names that the page gives them."""


@pytest.mark.long("many folders at once")
def test_each_folder_has_the_result_of_reading_and_its_link_opens_it(tiny_model: Path) -> None:
    place = tiny_model.parent
    for folder in ("pointer", "silent", *FOLDERS.values()):
        bert_folder(place / folder)
    (place / "pointer" / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    (place / "silent" / "tokenizer.json").unlink()
    (place / "deep").mkdir()
    (place / "deep" / "config.json").write_text("[" * 100_000)
    session = Asked(PAGE)
    assert "git lfs pull" in row(session, "pointer")
    assert "has no tokenizer.json" in row(session, "silent")
    assert "AutoTokenizer" in row(session, "silent")
    assert "?model=real&real=org%2Fname)" in row(session, "org/name")
    assert UNREADABLE in row(session, "deep")
    assert "\u202e" not in session.prose
    assert session.sheet.headline == "4 real models are available, 0 in memory. 3 folders cannot be used."
    for name, folder in FOLDERS.items():
        assert READY in row(session, name)
        opened = Asked(model="real", real=name, text="the cat")
        assert opened.warnings == []
        assert opened.pictures
        assert repr(f"models/{folder}") in opened.code


def test_a_model_is_proposed_only_if_it_can_read_a_sentence(tiny_model: Path) -> None:
    damaged, silent = tiny_model.with_name("a"), tiny_model.with_name("b")
    bert_folder(damaged)
    (damaged / "model.safetensors").write_text("no tensors")
    bert_folder(silent)
    (silent / "tokenizer.json").unlink()
    button = real_button()
    assert button is not None
    assert button.changes == {"model": "real", "real": NAME}
    (tiny_model / "model.safetensors").unlink()
    assert real_button() is None


def test_a_folder_with_the_name_of_another_model_has_a_unique_title(usual_model: Path) -> None:
    bert_folder(usual_model.with_name("MiniLM"))
    session = Asked(PAGE)
    assert "real=MiniLM)" in row(session, "MiniLM")
    assert "real=MiniLM+%28folder%29)" in row(session, "MiniLM (folder)")
    assert Asked(model="real", real="MiniLM (folder)", text="the cat").warnings == []


@pytest.mark.usefixtures("tiny_model")
def test_the_box_for_the_hub_is_shown_only_if_the_operator_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOWED, raising=False)
    assert HUB_IS_OFF in Asked(PAGE).prose
    assert not Session(PAGE).has("hub_name")
    monkeypatch.setenv(ALLOWED, "people/*")
    assert HUB_IS_OFF not in Asked(PAGE).prose
    assert Session(PAGE).has("hub_name")
