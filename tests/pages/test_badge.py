"""The model of a picture in a few words, and the frame of a picture that is covered."""

import re

from pages.contract.badge import badge, frame_of, legend_of_mark
from pages.sheet import build_sheet
from tests.covering import each

TRAINED = "small model, trained · artificial English"
VERANO = "trained · artificial English to Verano, an invented language"


@each(
    ("link", "model"),
    [
        ("/explorer", TRAINED),
        ("/explorer?model=random", "small model, random weights"),
        ("/step-by-step?view=soft+lookup", "made by hand"),
        ("/blocks?view=pre+and+post&shows=warm-up", "small models, some trained, some with random weights"),
        ("/architectures?view=recurrent&network=encoder–decoder", f"small model, {VERANO}"),
        ("/interaction-distance?view=cost", ""),
    ],
)
def test_the_badge_names_the_model_and_its_language(link: str, model: str) -> None:
    found = build_sheet(link)
    assert badge(found.sheet, found.scene, found.ask) == model


def test_a_covered_picture_has_its_sentence_and_its_switches_but_no_result() -> None:
    found = build_sheet("/masking?view=paint&query=2&text=hot tea&model=random&mask=window")
    frame = frame_of(found.sheet, found.scene, found.ask)
    assert frame["sentences"] == ["“hot tea”"]
    assert {"Weights: random", "Query: tea"} <= set(frame["settings"])
    assert frame["model"] == "small model, random weights"
    said = " ".join(map(str, frame.values()))
    assert not re.search(r"\d[.,]\d|%", said)
    assert str(found.sheet.headline) not in said


def test_defaults_are_not_mentioned() -> None:
    found = build_sheet("/explorer")
    assert frame_of(found.sheet, found.scene, found.ask)["settings"] == []


def test_the_word_at_a_step_of_writing_is_not_said_before_it_is_revealed() -> None:
    found = build_sheet("/translation?begins=este+la&step=9")
    assert "grava" in found.sheet.headline
    assert "grava" not in str(frame_of(found.sheet, found.scene, found.ask))


def test_a_chart_under_a_cover_names_its_axes() -> None:
    found = build_sheet("/interaction-distance?view=cost")
    frame = frame_of(found.sheet, found.scene, found.ask)
    assert "operations, by words in the sentence" in frame["axes"]
    assert not frame["titles"]


def test_a_picture_without_axes_is_named_by_its_title_under_a_cover() -> None:
    found = build_sheet("/masking?view=paint")
    frame = frame_of(found.sheet, found.scene, found.ask)
    assert frame["titles"]
    assert not frame["axes"]


def test_the_mark_of_unknown_words_is_explained_where_a_picture_has_it() -> None:
    scene = build_sheet("/explorer").scene
    assert legend_of_mark(scene, [{"text": ["hot", "foxtrot†"]}]).startswith("† not among the words")
    assert legend_of_mark(scene, [{"text": ["hot", "†"]}]) == "", "a word that was typed"
    assert legend_of_mark(scene, [{"text": ["hot"]}]) == ""
