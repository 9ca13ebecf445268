"""What is said of the ways to write a translation."""

from core.measures.translation.writing import Strategy
from pages.translation.translate_said import how

NOT_DIVIDED = "It is not divided by the length, and each further word lowers it: shorter translations are"


def test_a_beam_says_that_its_scores_are_not_divided_by_the_length() -> None:
    for width, kept in ((1, "keeps the one hypothesis"), (3, "keeps the 3 hypotheses")):
        said = how(Strategy(way="beam", width=width))
        assert kept in said
        assert NOT_DIVIDED in said
    assert NOT_DIVIDED not in how(Strategy())
    assert NOT_DIVIDED not in how(Strategy(way="sampled"))


def test_a_greedy_translation_names_the_words_it_begins_with() -> None:
    assert "after the words it begins with" in how(Strategy(prefix=("lo",)))
    assert "begins with" not in how(Strategy())
