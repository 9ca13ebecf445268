"""What training has met is what stands in its batches, whatever the language is."""

import pytest

from core.analysis.order.exchange import QUESTIONS, met_pairs, pairs
from core.learning.evaluation.met import met, met_beginnings, stream
from core.learning.evaluation.phenomena import Question
from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe
from core.text.language import UNKNOWN, vocabulary

RECIPE = Recipe(steps=3, batch_size=7, seed=5)
OTHER = Recipe(steps=3, batch_size=7, seed=6)


def after(words: tuple[str, ...], place: int) -> Question:
    """A question for what comes at a place, whatever it is: all that counts is what comes before."""
    return Question((*words[:place], "?", "?"), place, frozenset({"?"}), frozenset({"!"}))


def test_a_beginning_is_met_where_a_sentence_begins_with_just_these_words() -> None:
    sentences = [("a", "b", "c"), ("b", "c", "a", "d")]
    sought = [("a", "b"), ("a", "c"), ("b", "c", "a"), ("c",), ("a", "b", "c"), ("a", "b", "c", "d")]
    found = met_beginnings(sought, iter(sentences))
    assert found == {("a", "b"), ("b", "c", "a"), ("a", "b", "c")}
    assert met_beginnings([], iter(sentences)) == frozenset()


def test_the_stream_has_the_sentences_of_every_batch_in_their_order() -> None:
    sentences = list(stream(RECIPE))
    assert len(sentences) == 3 * 7
    for step in range(3):
        batch = NEXT_WORD.batch(RECIPE.seed, step, RECIPE.batch_size)
        for tokens, words in zip(batch.tokens, sentences[7 * step :], strict=False):
            shown = vocabulary().decode(tokens)[: len(words)]
            assert all(one in (word, UNKNOWN) for one, word in zip(shown, words, strict=True))


def test_questions_that_begin_as_training_sentences_do_are_met_and_no_others() -> None:
    sentences = list(stream(RECIPE))
    unseen = next(words for words in stream(OTHER) if words[:4] not in {one[:4] for one in sentences})
    asked = [after(sentences[0], 3), after(unseen, 4), after(sentences[-1], 2), after(unseen[::-1], 3)]
    assert met(asked, RECIPE).tolist() == [True, False, True, False]
    late = next(words for words in sentences[-7:] if not met_beginnings([words], iter(sentences[:-7])))
    for steps, expected in ((3, True), (2, False)):
        recipe = Recipe(steps=steps, batch_size=7, seed=5)
        assert met([after(late, len(late))], recipe).tolist() == [expected]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_pair_is_met_by_each_of_its_two_beginnings(question: str) -> None:
    recipe = Recipe(steps=20)
    begun = list(stream(recipe))
    found = met_pairs(question, recipe)
    assert found.shape == (len(pairs(question)), 2)
    for row, both in list(zip(found, pairs(question), strict=True))[:16]:
        expected = [any(words[: one.place] == one.words[: one.place] for words in begun) for one in both]
        assert row.tolist() == expected
