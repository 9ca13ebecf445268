"""An untrained combination gets a sentence that says what to do."""

import pytest

from core.model.config import ModelConfig
from pages.contract.switches import Architecture, to_shipped
from tests.pages.asked import Asked
from tests.pages.session import Session


@pytest.mark.usefixtures("empty_shelf")
def test_a_missing_b_leaves_the_switches_of_b() -> None:
    session = Asked(model="random", view="compare", b_model="trained")
    (warning,) = session.warnings
    assert warning.startswith("B: No model has been trained with these switches yet.")
    assert session.pictures == []

    session.set(b_model="as A")
    assert session.warnings == []
    assert session.pictures == ["comparison"]


def test_a_model_that_is_not_handed_out_is_said_so_and_one_that_is_stands_one_click_away() -> None:
    session = Session(mask="prefix", heads=2, norm="post")
    (warning,) = session.warnings
    assert warning.startswith(
        "The model prefix-sinusoidal-2-post does not come with the app: with the prefix mask, only models "
        "with 4 "
        "heads and pre-norm do. `python -m core.learning.collection prefix-sinusoidal-2-post` trains it"
    )
    session.press("Show 4 heads in pre-norm")
    assert session.warnings == []
    assert session.pictures != []
    assert [session.value(name) for name in ("mask", "heads", "norm")] == ["prefix", 4, "pre"]


def test_only_where_a_model_is_missing_and_all_its_switches_can_be_changed_another_is_offered() -> None:
    def offered(
        source: str = "trained", shown: tuple[str, ...] = ("heads", "norm"), **fields: object
    ) -> bool:
        config = ModelConfig(vocab_size=1, **fields)  # type: ignore[arg-type]
        return to_shipped(Architecture(config, source, 0), shown) is not None

    assert offered(mask="prefix", n_heads=2)
    assert offered(mask="prefix", norm="none", shown=("norm",))
    assert not offered(mask="prefix", n_heads=2, norm="none", shown=("norm",))
    assert not offered(mask="prefix", n_heads=2, source="random")
    assert not offered(mask="prefix")
    assert not offered(n_heads=2)
