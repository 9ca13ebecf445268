"""Groups of numbers of words in a sentence."""

from tests.covering import each
from viz.groups import where

WORDS = ["1–2", "3–5", "6–10", "11–20", "21–48"]


@each(
    ("groups", "said"),
    [
        ((0, 1, 2, 3, 4), "everywhere"),
        ((4,), "at 21–48 words"),
        ((0,), "at 1–2 words"),
        ((1, 2), "at 3–5 and 6–10 words"),
        ((2, 3, 4), "at 6–10 words and more"),
        ((0, 1), "up to 3–5 words"),
        ((0, 2, 3), "at 1–2, 6–10 and 11–20 words"),
        ((0, 4), "at 1–2 and 21–48 words"),
    ],
)
def test_groups_without_a_gap_up_to_an_end_are_named_together(groups: tuple[int, ...], said: str) -> None:
    assert where(groups, WORDS, all_of_them="everywhere") == said
