"""What the page Training asks before it has trained anything."""

import pytest

from pages.contract.question import Choose, Sketch
from pages.controls.prose import Typed
from pages.training.questions import untrained_row
from tests.pages.asked import Asked

THE, CHEF = Typed("the"), Typed("chef")


def test_a_row_of_random_weights_is_told_beside_equal_ones() -> None:
    asked = untrained_row(CHEF, [THE, CHEF], [0.1, 0.9], head="layer 1, head 2", equal=0.5)
    assert asked is not None
    assert asked.text.endswith("Draw what *chef*, the last word, attends to in layer 1, head 2.")
    assert asked.because.startswith("The weights go from 10 % to 90 %; equal ones would be 50 %.")
    assert untrained_row(CHEF, [CHEF], [1.0], head="layer 1, head 2", equal=1.0) is None
    assert untrained_row(CHEF, [], [], head="layer 1, head 2", equal=1.0) is None


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_row_is_the_last_one_of_the_head_shown(mask: str) -> None:
    page = Asked("training", mask=mask, layer=2, head=3)
    drawn, what = page.questions
    assert isinstance(drawn, Sketch)
    assert drawn.right == pytest.approx(page.matrix("trained_attention")[-1], abs=1e-3)
    assert "in layer 2, head 3" in drawn.text
    assert isinstance(what, Choose)
