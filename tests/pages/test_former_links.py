"""The explorer was the first page once: links to it of that time open what they named."""

import pytest

from pages import EXPLORER, HOME
from pages.controls.home_link import OF_HOME
from pages.sheet import answered
from pages.shell.former_links import entry_of_today
from tests.covering import each
from tests.pages.session import Session


@each(
    ("link", "is_home"),
    [
        ({}, True),
        ({name: ["x"] for name in OF_HOME}, True),
        ({"view": ["home"]}, True),
        ({"view": ["matrix"]}, False),
        ({"view": ["home", "matrix"]}, False),
        ({"text": [""]}, False),
        ({"nobody": ["x"]}, False),
        ({"guess": ["Maria"], "layers": ["1"]}, False),
    ],
)
def test_a_link_to_the_first_page_opens_the_explorer_unless_it_can_only_mean_the_home(
    link: dict[str, list[str]], is_home: bool
) -> None:
    assert entry_of_today(HOME, link) == (HOME if is_home else EXPLORER)
    assert entry_of_today(EXPLORER, link) == EXPLORER


def test_a_former_link_keeps_all_its_parameters() -> None:
    asked = {"view": "matrix", "silenced": ["1.1", "1.2"], "query": "3", "text": "one & two = three"}
    session = Session("", **asked)
    assert session.link == asked
    assert session.value("text") == asked["text"]
    assert session.value("silenced") == asked["silenced"]
    assert session.warnings == Session(**asked).warnings


@pytest.mark.parametrize(
    ("asked", "said"), [({"heads": "<b>"}, "asks for heads"), ({"<b>": "1"}, "which no page knows")]
)
def test_what_it_cannot_mean_is_said_as_in_a_link_of_today(asked: dict[str, str], said: str) -> None:
    former, today = Session("", **asked), Session(**asked)
    assert former.warnings == today.warnings
    assert said in former.warnings[0]


def test_a_former_link_is_answered_without_a_page_too() -> None:
    assert (
        answered("/?view=matrix&head=2").sheet.answer == answered("/explorer?view=matrix&head=2").sheet.answer
    )
