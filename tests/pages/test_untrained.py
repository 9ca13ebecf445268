"""A combination that nobody has trained yet gets a sentence that says what to do."""

import pytest

from tests.pages.asked import Asked


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
