"""A combination that nobody has trained yet gets a sentence that says what to do."""

import pytest

from pages.explorer import PAGE as VIEWED
from tests.pages.asked import Asked


@pytest.mark.usefixtures("empty_shelf")
@pytest.mark.parametrize("view", [view for view in VIEWED.views if view != "similarity"])
def test_a_missing_model_gets_a_sentence_that_says_what_to_do(view: str) -> None:
    session = Asked(view=view, positions="alibi", heads=8, norm="post")
    (warning,) = session.warnings
    assert "`python -m core.learning.collection causal-alibi-8-post` trains it" in warning
    assert "random weights" in warning
    assert session.pictures == []
    assert "Not trained yet." in session.prose

    session.set(model="random")
    assert session.warnings == []


@pytest.mark.usefixtures("damaged_shelf")
@pytest.mark.parametrize("heads", [8, 4])
def test_a_damaged_model_gets_a_sentence_too_and_the_rest_goes_on(heads: int) -> None:
    session = Asked(positions="alibi", heads=heads, norm="post")
    (warning,) = session.warnings
    assert "is damaged" in warning
    assert f"`python -m core.learning.collection causal-alibi-{heads}-post` trains it again" in warning
    assert session.pictures == []

    session.set(model="random")
    assert session.warnings == []
    assert session.pictures != []


@pytest.mark.usefixtures("empty_shelf")
def test_a_missing_b_leaves_the_switches_of_b() -> None:
    session = Asked(model="random", view="compare", b_model="trained")
    (warning,) = session.warnings
    assert warning.startswith("B: No model has been trained with these switches yet.")
    assert session.pictures == []

    session.set(b_model="as A")
    assert session.warnings == []
    assert session.pictures == ["comparison"]
