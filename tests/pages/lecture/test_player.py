"""The data of the two windows of a lecture about its steps."""

import json
import re
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from pages.contract.parameters import PARAMETERS
from pages.lecture import player
from pages.lecture.deck import Deck, LectureStep
from pages.lecture.player import picture_of, played
from tests.covering import each
from tests.views import PAGES

SECRET = "Say: nobody knows."
DECK = Deck(
    "Attention",
    (
        LectureStep("/explorer?view=heads", title="One head", notes=SECRET),
        LectureStep("/masking?view=paint", title="Masks", question="Which cells?", covered=True),
        LectureStep("/gradients", notes="Second."),
    ),
)


def link(one: LectureStep) -> tuple[str, dict[str, list[str]]]:
    parts = urlsplit(played(one))
    assert (parts.scheme, parts.netloc) == ("", "")
    return parts.path, parse_qs(parts.query, keep_blank_values=True)


def test_a_step_is_its_own_link_that_is_large() -> None:
    asked = LectureStep("/masking?view=paint&text=hot+%26+cold&other=")
    assert link(asked) == (
        "/masking",
        {"view": ["paint"], "text": ["hot & cold"], "other": [""], "large": ["1"]},
    )
    assert link(LectureStep("/")) == ("/", {"large": ["1"]})


def test_a_step_with_a_title_is_titled_and_a_covered_step_is_covered() -> None:
    assert link(LectureStep("/masking", title="Masks"))[1]["titled"] == ["1"]
    covered, plain = (link(LectureStep("/masking", covered=one))[1] for one in (True, False))
    assert (covered["titled"], covered["cover"]) == (["1"], ["1"]), "its question is a title"
    assert plain.keys() & {"titled", "cover"} == set()
    assert link(LectureStep("/masking?cover=1"))[1]["cover"] == ["1"]


@each(
    "hostile",
    [
        "https://elsewhere.example/x",
        "//elsewhere.example/x",
        "javascript:alert(1)",
        "\\\\elsewhere.example",
        '/masking?text="><img src=x>',
    ],
)
def test_no_deck_leads_out_of_the_app(hostile: str) -> None:
    shown = played(LectureStep(hostile))
    assert shown.startswith("/")
    assert not shown.startswith(("//", "/\\"))
    assert not set('<>"\\') & set(shown)


def test_a_step_has_the_small_picture_of_its_view() -> None:
    assert picture_of("/masking?view=the+future", "dark").startswith("/gallery/masking-the-future-dark.webp?")
    first = next(iter(PAGES["masking"].views))
    assert picture_of("/masking", "light").startswith(f"/gallery/masking-{first}-light.webp?")
    assert picture_of("/masking?view=nonsense", "light") == ""
    assert picture_of("/nowhere", "light") == ""


def test_a_step_with_a_sentence_or_a_switch_of_its_own_has_no_small_picture_of_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = (
        LectureStep("/masking"),
        LectureStep("/masking?view=paint"),
        LectureStep("/masking?text=hot+tea"),
        LectureStep(kind="end"),
    )
    monkeypatch.setattr(sys.modules[__name__], "DECK", Deck("", steps))
    for asked, name in (({}, "steps"), ({"presenter": "1"}, "notes")):
        told_of = told(monkeypatch, 1, **asked)[name]
        assert isinstance(told_of, list)
        assert [bool(one["picture"]) for one in told_of] == [True, True, False, False]
        assert told_of[2]["source"] == "/masking?text=hot+tea"


def told(monkeypatch: pytest.MonkeyPatch, at: int, **asked: str) -> dict[str, object]:
    """Return the deck as a window gets it."""
    found: dict[str, object] = {}

    def component(kind: str) -> object:
        return lambda **given: found.update(kind=kind, **given["data"])

    monkeypatch.setattr(player, "_component", component)
    monkeypatch.setattr(player.st, "query_params", asked)
    player.play(DECK, "attention", at)
    return found


def test_the_hall_gets_no_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, presenter = told(monkeypatch, 1), told(monkeypatch, 1, presenter="1")
    assert SECRET not in str(hall)
    assert SECRET in str(presenter)
    assert (hall["kind"], presenter["kind"]) == ("player", "presenter")
    assert (hall["name"], hall["title"], hall["at"]) == ("attention", "Attention", 1)


@each(("asked", "shown"), [(0, 1), (1, 1), (3, 3), (4, 3)])
def test_a_missing_step_opens_the_nearest_one_and_is_named(
    monkeypatch: pytest.MonkeyPatch, asked: int, shown: int
) -> None:
    hall = told(monkeypatch, shown, step=str(asked))  # the caller may have chosen the nearest one already
    assert told(monkeypatch, asked)["at"] == hall["at"] == shown
    said = f"This lecture has 3 steps. Showing step {shown}."
    assert hall["note"] == ("" if asked == shown else said)


@each(
    ("one", "right"),
    [
        ({"answer_kind": "choice", "options": ("none", "all"), "right": "all"}, "B. all"),
        ({"answer_kind": "number", "right": "36"}, "36"),
        ({"answer_kind": "order", "options": ("first", "last")}, "first, last"),
        ({}, ""),
    ],
)
def test_the_hall_gets_the_right_answer_of_a_steps_own_question(
    monkeypatch: pytest.MonkeyPatch, one: dict[str, Any], right: str
) -> None:
    deck = Deck("", (LectureStep("/masking", question="How many?", **one),))
    monkeypatch.setattr(sys.modules[__name__], "DECK", deck)
    steps: Any = told(monkeypatch, 1)["steps"]
    assert steps[0]["right"] == right


def test_the_player_looks_at_the_parameters_of_a_picture_that_have_no_label() -> None:
    """The settings, by which the player knows a changed step, have the others."""
    of_the_showing = {
        "answers",
        "asked",
        "cover",
        "deck",
        "done",
        "guess",
        "panel",
        "presenter",
        "stop",
        "titled",
        "unsaid",
    }
    unlabelled = {name for name, one in PARAMETERS.items() if not one.label.replace("{}", "").strip()}
    script = (player.HERE.with_name("frames.js")).read_text("utf-8")
    (listed,) = re.findall(r"const UNLABELLED = (\[.*?\]);", script)
    assert set(json.loads(listed)) == unlabelled - of_the_showing


def test_the_keys_of_its_components_are_no_parameters() -> None:
    """A component keeps its state under its key, as a control does."""

    def script() -> None:
        from pages.lecture import player
        from pages.lecture.deck import Deck, LectureStep

        player.play(Deck("Attention", (LectureStep("/masking"),)), "attention", 1)

    app = AppTest.from_function(script)
    app._bidi_component_manager = BidiComponentManager()  # as in a `Session`
    app.run()
    assert [error.value for error in app.exception] == []
    keys = [node.key for node in app.main if node.type == "bidi_component"]
    assert keys == ["lecture_player"]
