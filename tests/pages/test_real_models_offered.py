"""A real model is offered, loaded, kept from page to page, and missed with one sentence."""

import json
from pathlib import Path

import pytest

from core.pretrained import library
from core.sources.pretrained import is_loaded
from pages.contract.real import KEPT_ELSEWHERE
from pages.shell.items import LARGE
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from tests.pages.test_real_models import TEXT, on_page, opened
from tests.real import NAME
from tests.views import PAGES


def assert_nothing_but_the_weights(session: Asked) -> None:
    """Without the chosen real model nothing of another model is shown, but the way back is."""
    assert session.pictures == []
    assert session.has("model")
    switches = ("positions", "mask", "window", "heads", "layers", "norm", "scale", "residual", "mlp", "seed")
    assert [name for name in (*switches, "layer", "head", "known_words") if session.has(name)] == []
    assert "at most 256" not in session.prose
    assert "Computed on" not in session.prose


@pytest.mark.usefixtures("no_real_model")
@each("address", ["explorer", "order-invariance"])
def test_without_a_model_one_sentence_says_how_to_get_one(address: str) -> None:
    session = Asked(address, model="real", text=TEXT)
    (sentence,) = session.warnings
    said = {"order-invariance": "MiniLM is not there yet: `python -m core.pretrained` fetches it, 83 MB"}
    usual = "SmolLM2 135M is not there yet: `python -m core.pretrained` fetches it, 93 MB"
    assert sentence.startswith(said.get(address, usual))
    assert_nothing_but_the_weights(session)
    session.set(model="random")
    assert session.warnings == []
    assert session.has("scale")


ASKED = f"Read it with {NAME}, which takes any word"


@pytest.mark.usefixtures("noise_shelf", "tiny_model")
def test_a_sentence_of_unknown_words_can_be_read_by_a_real_model() -> None:
    assert ASKED not in [button.label for button in Session(text="the cat walks on the street").app.button]
    assert ASKED in [button.label for button in Session(text="the zyx cat walks on the street").app.button]
    session = Session(text="the zyx cat qwx the cat", view="heads")
    session.press(ASKED)
    assert (session.value("model"), session.value("real")) == ("real", NAME)
    shown = session.figure("matrix")["layout"]["yaxis"]["ticktext"]
    assert list(shown) == ["[CLS]", "the", "zyx†", "cat", "qwx†", "the", "cat", "[SEP]"]
    said = r"**zyx**†, **qwx**†: no token of the vocabulary fits. The model reads \[UNK\] instead"
    assert said in session.prose


@pytest.mark.usefixtures("noise_shelf", "no_real_model")
def test_without_a_real_model_none_is_offered() -> None:
    session = Session(text="the zyx cat qwx the cat")
    assert not any("takes any word" in button.label for button in session.app.button)


def test_the_error_of_a_folder_is_shown_without_markup(tiny_model: Path) -> None:
    hostile = "![x](http://elsewhere.example/x) **y**"
    (tiny_model / "config.json").write_text(json.dumps({"model_type": hostile}), "utf-8")
    session = opened()
    (note,) = session.warnings
    assert note.startswith("tiny cannot be read. Choose other weights, or mend its folder: ")
    assert "![" not in note
    assert "**" not in note
    assert hostile in readable(note)
    assert_nothing_but_the_weights(session)


@pytest.mark.usefixtures("tiny_model")
def test_a_large_model_is_described_and_loaded_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "SHARE", 0.0)
    session = on_page(view="heads")
    assert LARGE in session.prose
    (note,) = session.warnings
    assert note.startswith("tiny is not loaded yet: it needs 0.0 GB of the ")
    assert session.pictures == []
    assert not is_loaded(NAME)
    session.press("Load it")
    assert "matrix" in session.pictures
    assert session.warnings == []
    assert LARGE not in session.prose + on_page().prose, "it is in memory for everybody"


def usual_mask(address: str) -> str:
    """Return the mask with which a page opens."""
    first = next(iter(PAGES[address].views.values()))
    return str(first.defaults.get("mask", "causal"))


@pytest.mark.long("a real model from page to page")
@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_a_real_model_with_its_layer_and_head_comes_along_and_is_kept_where_it_cannot_be_shown() -> None:
    chosen = {"model": "real", "real": NAME, "layer": 2, "head": 2}
    session = Session(text=TEXT, **chosen)
    for address in ("step-by-step", "blocks", "gradients", "explorer"):
        session.go(address)
        assert [note for note in session.warnings if "asks for" in note] == []
        if address in ("blocks", "gradients"):
            assert session.infos == [KEPT_ELSEWHERE.format(NAME)], address
            assert not session.has("mask") or session.value("mask") == usual_mask(address)
        else:
            names = [name for name in chosen if session.has(name)]
            assert {name: session.value(name) for name in names} == {name: chosen[name] for name in names}
            assert session.infos == []
    assert {name: session.value(name) for name in chosen} == chosen


@pytest.mark.usefixtures("tiny_model", "noise_shelf")
def test_a_view_that_cannot_show_a_real_model_gives_it_back_to_one_that_can() -> None:
    session = Session("masking", text=TEXT, model="real", real=NAME, head=3)
    session.set(view="the future")
    assert not session.has("model")
    assert session.infos == [KEPT_ELSEWHERE.format(NAME)]
    assert session.warnings == []
    session.set(view="mask values")
    assert (session.value("model"), session.value("head"), session.infos) == ("real", 3, [])
    session.go("blocks")
    assert session.value("mask") == usual_mask("blocks"), "no switch of it where no weights are chosen"
    session.go("positions")
    session.set(view="rotary")
    assert (session.value("model"), session.infos) == ("trained", [KEPT_ELSEWHERE.format(NAME)])
    session.set(model="random")
    assert session.infos == [], "the visitor has chosen since"
    session.go("masking")
    assert session.value("model") == "random"
