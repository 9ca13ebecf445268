"""The explorer opens on something to see: a head that does what is said of it, a word that is filled in."""

import pytest

from pages.explorer import OPENING_HEAD
from pages.explorer.similarity import OTHERS, SENTENCE, UNRELATED, usual
from tests.pages.asked import Asked


def test_the_explorer_opens_on_a_head_and_says_what_it_does() -> None:
    session = Asked()
    assert (session.value("layer"), session.value("head")) == (1, OPENING_HEAD)
    weight = session.matrix("matrix")[6, 2]
    assert f"At **and**, before **Zuko** comes again, this head gives **{weight:.0%}".replace("%", " %") in (
        session.prose
    )
    assert "head" not in session.link
    session.set(head=1)
    assert "comes again, this head" not in session.prose


@pytest.mark.parametrize(
    ("switches", "head"),
    [({"head": 1}, 1), ({"heads": 2}, 2), ({"heads": 1}, None), ({"layers": 1}, 3), ({"heads": 8}, 3)],
)
def test_links_that_name_a_head_show_it_and_others_the_opening_one_if_there_are_as_many(
    switches: dict[str, int], head: int | None
) -> None:
    session = Asked(view="heads", **switches)
    assert session.warnings == []
    assert session.value("head") == (1 if head is None else head)


def test_with_the_mask_off_the_word_that_is_filled_in_best_is_masked_at_first() -> None:
    session = Asked(view="heads", mask="bidirectional")
    assert "in place of “the” (5)" in str(session.figure("prediction_bars"))
    assert "Until another is chosen, it is the word that is predicted best" in session.prose
    session = Asked(view="heads", mask="bidirectional", place=9)
    assert "in place of “praised” (9)" in str(session.figure("prediction_bars"))


def test_ones_own_sentence_is_not_compared_with_those_about_the_cat() -> None:
    assert usual(SENTENCE) == OTHERS
    own = usual("Bread is baked in the oven.")
    assert own == ("oven. the in baked is Bread", "Bread is baked", *UNRELATED)
    assert not any("cat" in one for one in own)
    assert usual("Bread") == UNRELATED
    assert usual("no no") == ("no", *UNRELATED)
