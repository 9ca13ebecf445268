"""Search on every page: the views that the server finds, and their links with the sentence one has."""

from typing import Any

import pytest

from pages.browser.search import LONGEST, answer, link_to
from pages.home.gallery import found_for, gallery_items
from tests.covering import each

CHOSEN = {"text": ["hot tea & milk"], "layer": ["2"], "cover": ["1"]}


def names(wanted: str) -> list[str]:
    return [f"{one.entry.title}: {one.name}" for one in found_for(wanted)]


def test_a_view_that_is_called_so_stands_before_others_that_have_the_word_in_them() -> None:
    found = names("mask")
    assert found[:3] == ["Masking: paint", "Masking: mask values", "Masking: the future"]
    assert "Step by step: one head" in found[3:]
    assert names("residual")[0] == "Blocks: residual"
    assert names("") == [f"{one.entry.title}: {one.name}" for one in gallery_items()]
    assert names("xylophone") == []


@each(
    ("typed", "view"),
    [
        ("SmolLM2", "Explorer · heads"),
        ("more heads", "Heads · how many"),
        ("share", "Generation · memory"),
        ("GQA", "Generation · memory"),
        ("KV cache", "Generation · memory"),
        ("Q = K", "Step by step · why three matrices"),
        ("GPT-2's kind of next word", "Explorer · probabilities"),
        ("no positions without a mask", "Order invariance · two orders"),
        ("it = trophy", "Explorer · heads"),
        ("do weights explain", "Explorer · hiding"),
        ("does BERT see the future", "Masking · the future"),
        ("why √d", "Scaling · long vectors"),
        ("RoPE and long context", "Positions · length extrapolation"),
        ("temperature", "Generation · one model"),
        ("no residuals", "Blocks · residual"),
        ("beam", "Generation · one model"),
        ("beam size", "Generation · one model"),
        ("longer sentence", "Interaction distance · long range"),
        ("attention sink", "Explorer · head scores"),
        ("mask values", "Masking · mask values"),
    ],
)
def test_searches_of_lecturers_find_their_view_first(
    monkeypatch: pytest.MonkeyPatch, typed: str, view: str
) -> None:
    monkeypatch.setattr("pages.home.hall_questions.is_absent", lambda link: False)
    assert answer({"number": 1, "text": typed}, CHOSEN)["views"][0][0] == view


def test_a_question_of_a_hall_opens_with_its_switches_and_the_sentence_one_has() -> None:
    same, *_ = answer({"number": 1, "text": "Q = K"}, CHOSEN)["views"]
    assert same[1:] == [
        "What if queries and keys are the same, Q = K?",
        "/step-by-step?view=why+three+matrices&text=hot+tea+%26+milk&matrices=Q+%3D+K",
    ]


@each(("here", "first"), [("explorer", "Generation"), ("", "Generation"), ("translation", "Translation")])
def test_a_beam_is_that_of_the_page_with_its_own_text(here: str, first: str) -> None:
    (called, _, path), *_ = answer({"number": 1, "text": "beam of 5"}, CHOSEN, here)["views"]
    assert called.startswith(first)
    assert "hot+tea" not in path


def test_a_question_about_a_real_model_brings_its_own_sentence_and_is_left_out_without_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for absent in (False, True):
        monkeypatch.setattr("pages.home.hall_questions.is_absent", lambda link, absent=absent: absent)
        found = [path for *_, path in answer({"number": 1, "text": "trophy"}, CHOSEN)["views"]]
        assert any("text=The+trophy" in path for path in found) == (not absent)


@each("asked", [None, "mask", [], {"number": 1}, {"number": "1", "text": "mask"}, {"text": "mask"}])
def test_nothing_is_sent_before_a_box_asks_for_it(asked: Any) -> None:
    assert answer(asked, CHOSEN) == {}


def test_an_answer_has_the_number_of_its_question_and_says_of_each_view_its_name_question_and_link() -> None:
    said = answer({"number": 7, "text": "mask values"}, CHOSEN)
    assert said["number"] == 7
    assert said["views"][0] == [
        "Masking · mask values",
        "Why is a masked score −∞?",
        "/masking?view=mask+values&text=hot+tea+%26+milk",
    ]
    assert answer({"number": 8, "text": "x" * LONGEST * 1000}, CHOSEN) == {"number": 8, "views": []}
    (models,) = [view for view in answer({"number": 9, "text": ""}, {})["views"] if "/models" in view[2]]
    assert models[0] == "Models", "a page with one view of its name has one name"


@each("one", gallery_items())
def test_a_view_takes_the_sentence_along_if_it_reads_one_and_stays_large(one: Any) -> None:
    path = link_to(one, {**CHOSEN, "large": ["true"]})
    assert ("text=hot+tea" in path) == one.reads
    assert "large=true" in path
    assert "layer=" not in path
    assert "cover=" not in path
    assert link_to(one, {}).count("=") == 1
