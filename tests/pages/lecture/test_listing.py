"""The page of lectures: shipped lectures, answers to the browser, and links to a lecture."""

import json
import re
from base64 import b64encode
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages import GROUPS, LECTURE
from pages.browser.keys import KEYS
from pages.contract.sheet import Tiles
from pages.home.landing import DOORS
from pages.lecture import player
from pages.lecture.deck import Deck, LectureStep, deck_named, packed, shipped, write_deck
from pages.lecture.listing import FIRST_MINUTES, answer, as_data
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session
from tests.views import PAGES

DECK = Deck(
    "Of masks",
    (LectureStep("/masking?view=paint", "Masks", "Say.\nThis.", "Which?", covered=True), LectureStep("/")),
)


def sent(content: bytes) -> str:
    """Return the bytes of a file as the browser sends them."""
    return b64encode(content).decode()


def test_the_browser_knows_the_small_picture_of_every_view() -> None:
    drawn = Asked("lecture", theme="dark").drawing("my_lecture")
    known = drawn["pictures"]
    assert {address: [view for view, _ in views] for address, views in known.items()} == {
        address: list(page.views) for address, page in PAGES.items() if address != "lecture"
    }
    assert "masking-paint-dark.webp" in dict(known["masking"])["paint"]
    assert drawn["katex"].startswith("/static/js/katex.")
    assert "masking-paint-light.webp" in dict(drawn["printed"]["masking"])["paint"], "paper is white"


def test_a_shipped_lecture_has_its_audience_its_length_and_its_slides() -> None:
    tiles = next(part for part in build_sheet("/lecture").sheet.parts if isinstance(part, Tiles)).tiles

    for tile, name in zip(tiles, shipped(), strict=True):
        orders = {kind: dict(parse_qsl(urlsplit(address).query)) for kind, address in tile.slides.items()}
        link = f"/lecture?deck={name}"
        assert orders == {kind: {"link": link, "format": kind} for kind in ("pptx", "pdf", "html")}
        assert re.match(r"For [^.]*\. Planned for [1-9][0-9] minutes\.$", tile.text)
        assert tile.note == f"{len(deck_named(name).steps)} steps"
        assert tile.act == "Give"


def test_the_page_is_named_by_its_word_and_is_one_click_away() -> None:
    assert LECTURE in GROUPS[""], "in the bar, and in no menu"
    assert LECTURE.title.lower() in PAGES[LECTURE.address].question
    assert any(door.path == f"/{LECTURE.address}" for door in DOORS)


def test_its_advice_names_keys_that_there_are_and_no_term_of_another_sense() -> None:
    keys = {key for keys in KEYS for key in keys.split()}
    assert set(re.findall(r"`([^`]+)`", FIRST_MINUTES)) <= keys
    assert "/glossary" not in Session("lecture").prose


def test_a_lecture_is_written_and_packed_for_the_browser() -> None:
    said = answer({"number": 3, "write": as_data(DECK)})
    assert said == {"number": 3, "toml": write_deck(DECK), "packed": packed(DECK)}


def test_a_file_is_read_for_the_browser_and_so_is_a_lecture_that_is_ready() -> None:
    assert answer({"number": 4, "file": sent(write_deck(DECK).encode())}) == {
        "number": 4,
        "deck": as_data(DECK),
    }
    assert answer({"number": 5, "take": "seq2seq"}) == {"number": 5, "deck": as_data(shipped()["seq2seq"])}
    json.dumps(as_data(DECK))


@each(
    ("asked", "refused"),
    [
        ({"file": sent(b"[[step]]\nlink = 1")}, "Line 2: link has to be a text in quotes, got “1”."),
        ({"file": sent("title = 'Für'".encode("cp1252"))}, "Line 1: this file is not UTF-8"),
        ({"file": "äöü"}, "The file did not arrive completely: upload it again."),
        ({"file": "A" * 4_300_000}, "This deck is too large: a file has at most 2 MB."),
        (
            {"write": {"step": [{"link": "/masking?view=gone"}]}},
            "Step 1: the page Masking has no view “gone”",
        ),
        ({"write": {"step": [{"link": "//elsewhere.org"}]}}, "Step 1: link has to be a path of this app"),
        ({"take": "nothing"}, "There is no lecture “nothing”: there are cs224n, in_45_minutes and seq2seq."),
    ],
)
def test_a_refusal_has_its_reason(asked: dict[str, Any], refused: str) -> None:
    said = answer({"number": 1, **asked})
    assert said.keys() == {"number", "refused"}
    assert str(said["refused"]).startswith(refused)


@each(
    "asked", [None, 3, "read", [], {}, {"number": 1}, {"number": "1", "file": ""}, {"number": 1, "file": 2}]
)
def test_invalid_messages_of_a_browser_get_no_answer(asked: Any) -> None:
    assert answer(asked) == {}


@each("sent", [{"step": {"link": "/"}}, {"step": [["link", "/"]]}, {"step": None}, {"a": 1}])
def test_a_file_that_is_not_a_deck_is_refused(sent: dict[str, Any]) -> None:
    assert "refused" in answer({"number": 1, "write": sent})


def test_the_page_answers_each_request_of_its_script_once() -> None:
    session = Session("lecture")
    assert "answer" not in drawn_in(session)
    ask(session, {"number": 7, "take": "cs224n"})
    assert drawn_in(session)["answer"]["number"] == 7
    assert len(drawn_in(session)["answer"]["deck"]["step"]) == len(deck_named("cs224n").steps)
    session.run()
    assert "answer" not in drawn_in(session)
    ask(session, "nothing that is asked")
    assert drawn_in(session)["answer"] == {}


def drawn_in(session: Session) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(session.element("my_lecture").proto.json)
    return data


def ask(session: Session, asked: Any) -> None:
    session.report("my_lecture", "ask", asked)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Deck, str, int]]:
    """Record the lecture to play, in place of the player."""
    seen: list[tuple[Deck, str, int]] = []
    monkeypatch.setattr(player, "play", lambda *asked: seen.append(asked))
    return seen


@each(
    ("name", "deck", "spelt", "step"),
    [
        ("cs224n", deck_named("cs224n"), "99", len(deck_named("cs224n").steps)),
        ("cs224n", deck_named("cs224n"), "٣", 1),
        (packed(DECK), DECK, "2", 2),
    ],
)
def test_a_link_to_a_lecture_or_with_a_lecture_gives_its_step(
    played: list[tuple[Deck, str, int]], name: str, deck: Deck, spelt: str, step: int
) -> None:
    played.clear()
    session = Session("lecture", deck=name, step=spelt)
    assert played == [(deck, name, step)]
    assert not session.has("my_lecture")


@each(
    ("named", "said"),
    [
        ("~AAAA", "The lecture that this link holds is damaged"),
        ("", ""),
        ("<b>*x*</b>", "There is no lecture “"),
    ],
)
def test_a_wrong_lecture_is_said_above_the_list(
    played: list[tuple[Deck, str, int]], named: str, said: str
) -> None:
    session = Session("lecture", deck=named, step=3)
    assert played == []
    assert session.has("my_lecture")
    assert all(said in warning for warning in session.warnings)
    assert len(session.warnings) == bool(said) or not named
    assert not any("<b>" in warning.replace("\\<b", "") for warning in session.warnings)
