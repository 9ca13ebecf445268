"""The covered parts of a link: the picture, the headline, and all that would reveal them."""

from pages.contract.link_parameters import LinkParameters
from pages.contract.parameters import in_view
from pages.generation.texts import so_far
from tests.covering import each
from tests.pages.session import Session


@each(("text", "is_covered"), [("1", True), ("true", True), ("True", True), ("0", False), ("false", False)])
def test_a_link_says_whether_it_covers(text: str, is_covered: bool) -> None:
    answers = LinkParameters({"cover": [text]})
    assert answers.value(in_view("cover")) is is_covered
    assert answers.has_flag("cover") is is_covered
    assert answers.refused == []


def test_an_unreadable_flag_sets_nothing_and_is_named() -> None:
    answers = LinkParameters({"cover": ["yes"]})
    assert answers.value(in_view("cover")) is False
    assert not answers.has_flag("cover")
    (said,) = answers.refused
    assert "it can be 1 or absent" in said.reason


def covered_keys(session: Session) -> set[str]:
    """Return the ends of the keys of all hidden containers on the page."""

    def inside(block: object) -> list[str]:
        proto = getattr(block, "proto", None)
        children = getattr(block, "children", {}).values()
        return [str(getattr(proto, "id", "")), *(key for child in children for key in inside(child))]

    found = [key for part in (session.app.main, session.app.sidebar) for key in inside(part)]
    return {key.rpartition("__")[2] for key in found if "covered_until_revealed_" in key}


def test_the_sheet_the_row_and_the_notes_below_the_sentence_are_covered() -> None:
    assert covered_keys(Session("masking")) == set()
    assert {"row", "sheet"} <= covered_keys(Session("masking", cover=1))


def test_on_a_large_page_the_controls_that_are_folded_away_are_covered_too() -> None:
    session = Session("translation", view="translate", large="true", cover=1)
    assert {"controls", "sheet"} <= covered_keys(session)


def test_words_ahead_are_grey_or_absent() -> None:
    class Written:
        words, n_given, written = ("the", "chef", "ran", "out"), 2, ("ran", "out")

    assert so_far(Written, 0) == "the chef **\u2060ran\u2060** :gray[out]"  # type: ignore[arg-type]
    assert so_far(Written, 0, ahead=False) == "the chef **\u2060ran\u2060**"  # type: ignore[arg-type]
    assert so_far(Written, 1, ahead=False) == "the chef ran **\u2060out\u2060**"  # type: ignore[arg-type]
