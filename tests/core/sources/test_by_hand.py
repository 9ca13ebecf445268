"""The heads made by hand: what each word asks for, is found by and passes on can be read."""

import numpy as np
import pytest
import torch

from core.measures.stages.walk import Walk, walk
from core.model.config import ModelConfig
from core.sources import BY_HAND_NAME, UnavailableError, load
from core.sources.by_hand import DIMENSIONS, STRENGTH, by_hand, first_asking, word_vector
from tests.covering import each

CONFIG = by_hand(ModelConfig(vocab_size=1))


def walked(text: str, *, head: int = 0, mask: str = "causal") -> Walk:
    config = by_hand(ModelConfig(vocab_size=1, mask=mask))
    return walk(load(BY_HAND_NAME, config, tuple(text.split()), 0), head=head)


def weights(found: Walk) -> np.ndarray:
    return next(stage for stage in found.stages if stage.name == "softmax").result.matrix


@each(
    ("word", "true"),
    [
        ("Zuko", {"noun, one", "person"}),
        ("keys", {"noun, many", "thing"}),
        ("made", {"verb, one", "verb, many"}),
        ("are", {"verb, many"}),
        ("was", {"verb, one"}),
        ("his", {"determiner"}),
        ("old", {"adjective"}),
        ("of", {"other"}),
        ("zzyzx", {"other"}),
    ],
)
def test_a_word_vector_encodes_its_word(word: str, true: set[str]) -> None:
    assert {name for name, value in zip(DIMENSIONS, word_vector(word), strict=True) if value} == true
    assert set(word_vector(word)) <= {0.0, 1.0}


@each(("verb", "subject"), [("are", 1), ("is", 4)])
def test_a_verb_attends_to_the_noun_of_its_own_number(verb: str, subject: int) -> None:
    found = walked(f"the keys near the lamp {verb}")

    score = STRENGTH / 2**0.5
    assert weights(found)[-1].argmax() == subject
    assert weights(found)[-1, subject] == pytest.approx(np.exp(score) / (np.exp(score) + 5))


def test_the_second_head_gives_a_noun_the_words_that_describe_it() -> None:
    row = weights(walked("Zuko made his old uncle", head=1))[-1]
    assert set(np.argsort(row)[-2:]) == {2, 3}
    assert row[2] == row[3]


def test_the_value_encodes_the_found_word() -> None:
    stages = {stage.name: stage for stage in walked("Zuko made").stages}
    assert stages["weighted sum"].result.columns == ("person", "thing")
    assert stages["weighted sum"].result.matrix[1, 0] > 0.98
    np.testing.assert_allclose(stages["weighted sum"].result.matrix[:, 1], 0)
    output = dict(zip(DIMENSIONS, stages["output"].result.matrix[1], strict=True))
    assert {name for name, value in output.items() if value} == {"person"}


def test_no_other_architecture_is_made_by_hand() -> None:
    assert load(BY_HAND_NAME, CONFIG, ("the", "zzyzx"), 0).unknown == (1,)
    with pytest.raises(UnavailableError, match="one layer of two heads"):
        load(BY_HAND_NAME, ModelConfig(vocab_size=1), ("the",), 0)


def test_all_that_was_not_set_is_0() -> None:
    model = load(BY_HAND_NAME, CONFIG, ("the", "keys"), 0).model
    parts = ("query", "key", "value", "output")
    attention = {"embed.weight", *(f"blocks.0.attention.{one}.weight" for one in parts)}
    set_ = {name for name, parameter in model.named_parameters() if parameter.any()}
    assert set_ == attention
    assert all(torch.equal(parameter, parameter.round()) for parameter in model.parameters())


def test_the_first_asking_word_is_the_first_with_a_query() -> None:
    words = ["Zuko", "made", "his", "uncle", "tea"]
    assert first_asking(words, 0) == words.index("made")
    assert first_asking(words, 1) == words.index("Zuko"), "a noun asks which words describe it"
    assert first_asking(["his", "and"], 0) is None
