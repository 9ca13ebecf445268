"""What is said of alignments that nobody taught."""

import pytest

from pages.translation.alignment_said import claim, in_this_sentence, unlike_others

BASELINES = {"by_place": 0.26, "at_random": 0.09}


def test_shares_stand_beside_both_baselines() -> None:
    said = claim({"dot": 0.92, "linear": 0.3}, **BASELINES)
    assert "**dot** 92 %, **linear** 30 %. Baselines that read nothing" in said
    assert said.endswith("the source word at the same relative place 26 %, one drawn at random 9 %.")
    assert "Baselines" not in claim({}, **BASELINES)


@pytest.mark.parametrize(
    ("shares", "named"),
    [
        ({"dot": 0.92, "linear": 0.65, "additive": 0.5}, "with the score functions dot and linear."),
        ({"dot": 0.92}, "with the score function dot."),
        ({"dot": 0.7, "a": 0.8, "b": 0.9}, "with the score functions dot, a and b."),
        ({"dot": 0.5}, None),
    ],
)
def test_only_those_that_align_more_than_half_are_claimed(
    shares: dict[str, float], named: str | None
) -> None:
    said = claim(shares, **BASELINES)
    assert ("align by themselves" in said) == (named is not None)
    assert (named or "") in said


def test_what_a_baseline_does_as_well_is_not_claimed() -> None:
    assert "align by themselves" not in claim({"dot": 0.7}, by_place=0.75, at_random=0.1)
    assert "align by themselves" not in claim({"dot": 0.7}, by_place=0.1, at_random=0.75)


def test_counts_of_the_sentence_are_listed_where_it_has_content_words() -> None:
    assert in_this_sentence({"dot": 4, "same relative place": 1}, 5) == (
        "In this sentence, of 5 content words: dot 4, same relative place 1."
    )
    assert in_this_sentence({"dot": 0}, 0) == ""


def test_the_reading_without_a_softmax_is_said_to_be_ours() -> None:
    said = unlike_others()
    assert said.startswith("*Linear*: This reading of linear attention is ours.")
    assert "a softmax always follows there; here none does" in said
