"""Which real model is read where a link names none: each view declares it, and no machine changes it."""

from pathlib import Path

import pytest

from core.sources.pretrained import BOTH_WAYS, USUAL, is_real, source_name, title_of
from pages.contract.real import real_button
from pages.sheet import build_sheet
from tests.pages.session import Session
from tests.real import NAME, bert_folder
from tests.views import PAGES

REAL = {
    (address, name): view
    for address, page in PAGES.items()
    for name, view in page.views.items()
    if view.real and address != "translation"  # which has pairs
}

IN_BOTH_DIRECTIONS = {
    ("explorer", "similarity"),
    ("order-invariance", "two orders"),
    ("step-by-step", "why three matrices"),
}


def test_a_view_that_asks_for_a_next_word_reads_smollm2_and_one_of_both_directions_minilm() -> None:
    usual = {place: view.usual_real for place, view in REAL.items()}
    assert usual == {place: BOTH_WAYS if place in IN_BOTH_DIRECTIONS else USUAL for place in REAL}
    assert {title_of(USUAL), title_of(BOTH_WAYS)} == {"SmolLM2 135M", "MiniLM"}
    assert {place for place, view in REAL.items() if view.defaults.get("mask") == "bidirectional"} <= (
        IN_BOTH_DIRECTIONS
    )
    others = [view for page in PAGES.values() for view in page.views.values() if not view.real]
    assert {view.usual_real for view in others} == {""}


def test_a_link_without_a_name_means_the_models_of_its_views_and_a_named_one_goes_along(
    no_real_model: Path,
) -> None:
    bert_folder(no_real_model / BOTH_WAYS, predicts=True)
    session = Session(model="real", view="heads", text="the cat saw the cats")
    assert session.value("real") == next(iter(session.element("real").options)) == "SmolLM2 135M"
    for name in (USUAL, "a"):
        bert_folder(no_real_model / name, predicts=True)
    session.set(view="similarity")
    assert session.value("real") == next(iter(session.element("real").options)) == "MiniLM"
    session.set(view="heads")
    assert session.value("real") == "SmolLM2 135M"
    session.set(real="MiniLM")
    session.set(view="similarity")
    session.set(view="heads")
    assert session.value("real") == "MiniLM"


@pytest.mark.usefixtures("noise_shelf")
def test_an_unknown_word_offers_the_usual_model_of_the_view_first(no_real_model: Path) -> None:
    for name in (BOTH_WAYS, NAME):
        bert_folder(no_real_model / name, predicts=True)
    button = real_button()
    assert button is not None
    assert button.changes == {"model": "real", "real": "MiniLM"}, "the default model is missing"
    bert_folder(no_real_model / USUAL, predicts=True)
    for usual in (USUAL, BOTH_WAYS):
        button = real_button(usual)
        assert button is not None
        assert button.changes == {"model": "real", "real": title_of(usual)}
    session = Session(text="the cat saw a suitcase", view="heads")
    session.press("Read it with SmolLM2 135M, which takes any word")
    assert (session.value("model"), session.value("real")) == ("real", "SmolLM2 135M")


def test_a_file_of_such_a_link_is_of_the_same_model(no_real_model: Path) -> None:
    for name in (BOTH_WAYS, USUAL):
        bert_folder(no_real_model / name, predicts=True)
    source = build_sheet("/explorer?view=heads&model=real&text=the cat").scene.switches.source
    assert is_real(source)
    assert source == source_name(USUAL)
