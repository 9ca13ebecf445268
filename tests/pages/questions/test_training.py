"""What the page Training asks before it has trained anything."""

from pages.contract.question import solution
from tests.pages.asked import Asked


def test_attention_has_no_target_of_its_own() -> None:
    (asked,) = Asked("training", mask="causal", layer=2, head=3).questions
    assert solution(asked) == "the words predicted"
