"""A head that finds the earlier mention of the word that comes next is told by its weights."""

import numpy as np

from core.measures.equal_weights import equal_weights
from core.measures.heads.effects import Again, mentioned_again
from core.measures.heads.scores import measure_heads
from core.measures.prediction import Prediction
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from core.text.language import vocabulary
from core.text.tokenizer import words_of
from pages.contract.examples import PRAISED
from pages.explorer import OPENING_HEAD
from tests.covering import each

WORDS = ("ben", "met", "Ana", "and", "ana", "slept")
EQUAL = np.tril(np.ones((6, 6))) / np.arange(1, 7)[:, None]


def test_the_weight_is_that_of_the_word_before_the_second_mention_on_the_first() -> None:
    pattern = EQUAL.copy()
    assert mentioned_again(pattern, EQUAL, WORDS) is None, "no more than equal weights"
    pattern[3, 2] = 0.75
    assert mentioned_again(pattern, EQUAL, WORDS) == Again(3, 2, 0.75, 0.25)
    pattern[3, 2], pattern[4, 2] = 0.25, 0.9
    assert mentioned_again(pattern, EQUAL, WORDS) is None, "at the second mention it is told already"
    assert mentioned_again(np.ones((6, 6)), EQUAL, ("a", "b", "c", "d", "e", "f")) is None
    assert mentioned_again(np.ones((2, 2)), EQUAL[:2, :2], ("a", "a")) is None, "the same place"


def test_the_explorer_opens_on_the_head_that_finds_the_name_of_its_sentence_best() -> None:
    config, words = ModelConfig(vocab_size=1), words_of(PRAISED)
    reading = read(load("trained", config, words, 0))
    patterns, equal = reading.patterns(), equal_weights(reading.allowed())
    found = {
        (layer, head): mentioned_again(patterns[layer, head], equal, words)
        for layer, head in np.ndindex(patterns.shape[:2])
    }
    weights = {at: one.weight for at, one in found.items() if one is not None}
    opening = found[0, OPENING_HEAD - 1]
    assert max(weights, key=lambda at: weights[at]) == (0, OPENING_HEAD - 1)
    assert opening is not None
    assert (words[opening.query], words[opening.key]) == ("and", "Zuko")
    assert found[0, 0] is None, "the head that used to open shows none"

    scores = measure_heads(load("trained", config, vocabulary().words, 0))
    mentions = scores[scores["score"] == "earlier mention"].set_index(["layer", "head"])["value"]
    assert mentions.idxmax() == (1, OPENING_HEAD), "what it does here it does in the mean over the sample"


@each(("place", "easiest"), [((0, 1, 2), 1), ((0, 2), 2), ((), None), ((3,), None)])
def test_the_easiest_place_is_that_of_the_most_probable_answer(
    place: tuple[int, ...], easiest: int | None
) -> None:
    log_probabilities = np.log(np.array([[0.1, 0.9], [0.3, 0.7], [0.8, 0.2], [0.5, 0.5]]))
    prediction = Prediction(
        vocabulary=("a", "b"),
        log_probabilities=log_probabilities,
        tokens=np.array([0, 1, 1, 0]),
        unknown=(3,),
        ahead=0,
    )
    assert prediction.easiest(place) == easiest
