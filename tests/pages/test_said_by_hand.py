"""What step by step says of a head made by hand, which opens the page."""

import pytest

from tests.covering import each
from tests.pages.asked import Asked

PAGE = "step-by-step"


def test_the_page_opens_on_a_head_whose_query_is_a_question() -> None:
    session = Asked(PAGE)
    assert session.value("size") == "by hand"
    assert not session.has("positions")
    assert (
        "Which noun is my subject?* *made* asks for a singular noun or a plural noun and gives *Zuko* a "
        "weight of 0.99." in session.prose
    )
    assert "Why three matrices?" in session.prose


@each(
    ("text", "head", "said"),
    [
        ("the keys near the lamp are", 1, "*are* asks for a plural noun and gives *keys* a weight of 0.93."),
        ("the keys near the lamp is", 1, "*is* asks for a singular noun and gives *lamp* a weight of 0.93."),
        ("keys and maps are", 1, "gives *keys* and *maps* a weight of 0.49 each."),
        ("the lamp are", 1, "*are* asks for a plural noun, which no word that it may attend to is"),
        ("near the", 1, "No word of this sentence asks: every query is 0."),
        ("the old lamp", 2, "*lamp* asks for an article or an adjective and gives *the* and *old*"),
    ],
)
def test_who_asks_for_what_and_finds_whom_is_said(text: str, head: int, said: str) -> None:
    assert said in Asked(PAGE, text=text, head=head).prose


def test_one_word_alone_asks_in_vain() -> None:
    assert "all its weights are equal" in Asked(PAGE, text="are").prose


@pytest.mark.parametrize("asked", [{"positions": "alibi"}, {"seed": 3}, {"positions": "none", "stage": "q"}])
def test_a_link_with_positions_or_a_seed_still_opens_the_small_model(asked: dict[str, object]) -> None:
    assert Asked(PAGE, **asked).value("size") == "small"


def test_other_models_have_no_question_of_a_head() -> None:
    prose = Asked(PAGE, size="small").prose
    assert "asks:" not in prose
    assert "Why three matrices?" in prose
