"""Questions in both orders: the same words, another answer, and a score of one half for the order-blind."""

import math
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
import torch

from core.learning.checkpoints import load, save
from core.learning.collection import MEMBERS, path_of
from core.learning.evaluation.phenomena import Question
from core.learning.tasks import MASKED_WORD, NEXT_WORD
from core.learning.tasks.sentences import batch_of_sentences
from core.measures.order import exchange
from core.measures.order.exchange import (
    GUESSING,
    N_PAIRS,
    QUESTIONS,
    accuracies,
    changed_places,
    expected,
    pairs,
    replies,
)
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.text.language import parse, split_of, vocabulary
from core.text.language.held_out import nouns_in, pair_of
from tests.covering import each
from tests.records import record_of

OVEN = ["the", "oven", "cooked", "the", "bread", "because", "the", "oven", "was", "hot", "."]
SOME: list[tuple[str, Positions]] = [
    ("bidirectional", "none"),
    ("bidirectional", "learned"),
    ("causal", "none"),
]
every_question = each("question", QUESTIONS)


def model_of(mask: str, positions: Positions) -> Transformer:
    config = ModelConfig(
        vocab_size=len(vocabulary()), d_model=16, n_heads=2, norm="post", mask=mask, positions=positions
    )
    model = Transformer(config)
    initialise(model, seed=3)
    return model.requires_grad_(False)


@every_question
def test_a_pair_has_the_same_words_and_the_opposite_answer(question: str) -> None:
    found = pairs(question)
    assert len(found) == N_PAIRS
    assert len({each.words for pair in found for each in pair}) == 2 * N_PAIRS
    for one, other in found:
        assert (one.right, one.wrong, one.place) == (other.wrong, other.right, other.place)
        asked = one.place
        assert sorted([*one.words[:asked], *one.words[asked + 1 :]]) == sorted(
            [*other.words[:asked], *other.words[asked + 1 :]]
        )
        assert one.words[:asked] != other.words[:asked]
        for some in (one, other):
            sentence = parse(some.words)
            assert sentence.roles is not None
            assert some.words[asked] in some.right
            assert split_of(sentence) == "test"


@pytest.mark.long("all training sentences: a pair of nouns that is held out and met all the same")
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_sentence_of_this_kind_about_these_nouns_was_trained_on_but_others_have_both(
    question: str,
) -> None:
    """In a fiftieth of the longest training, whose other sentences have some of the pairs together."""
    asked = {pair_of(parse(each.words)) for pair in pairs(question) for each in pair}
    recipe = MEMBERS[exchange.ONE_OF_ALL].recipe
    drawn = [
        sentence
        for step in range(recipe.steps // 50)
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train")
    ]
    alike = [each for each in drawn if {("because", "the"), ("so", "the")} & set(pairwise(each.words))]
    assert alike
    assert {each.construction for each in alike} == {"consequence"}
    assert asked.isdisjoint(pair_of(each) for each in drawn if each.construction == "consequence")
    met = {pair for pair in asked if any(pair <= nouns_in(each) for each in drawn)}
    assert 0 < len(met) < len(asked)
    found = exchange.count_together(question, replace(recipe, steps=recipe.steps // 50))
    assert found == exchange.SeenNounPairs(len(met), len(asked))


def test_the_representative_training_contains_the_data_of_all_others() -> None:
    recipes = [member.recipe for member in MEMBERS.values() if member.task in (NEXT_WORD, MASKED_WORD)]
    assert len({(recipe.seed, recipe.batch_size) for recipe in recipes}) == 1
    assert MEMBERS[exchange.ONE_OF_ALL].recipe.steps == max(recipe.steps for recipe in recipes)


@every_question
def test_a_model_of_a_bag_of_words_is_right_in_exactly_half(question: str) -> None:
    found = replies(model_of("bidirectional", "none"), question)
    assert found == (N_PAIRS, 0)
    assert (found.accuracy, found.n_both_right) == (GUESSING, 0)


def test_answers_differ_where_both_are_right_or_both_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    question = "who did it"
    asked_about: list[Question] = []

    def told_apart(model: object, asked: list[Question]) -> torch.Tensor:
        """Three pairs right in both orders, two wrong in both, the others right in one."""
        asked_about.extend(asked)
        both = torch.tensor([[True, False]]).repeat(N_PAIRS, 1)
        both[:3, 1], both[3:5, 0] = True, False
        return both.flatten()

    monkeypatch.setattr(exchange, "correct", told_apart)
    found = replies(model_of("causal", "none"), question)
    assert found == (N_PAIRS + 1, 5)
    assert found.n_both_right == 3
    assert found.accuracy == (N_PAIRS + 1) / (2 * N_PAIRS)
    assert asked_about == [each for pair in pairs(question) for each in pair]


@every_question
def test_answers_are_those_that_the_model_gives_to_each_question_alone(question: str) -> None:
    """The word that it prefers, read from its own logits, in the first pairs."""
    model, some = model_of("causal", "none"), pairs(question)[:5]
    preferred = [[_preferred(model, each) for each in pair] for pair in some]
    n_differing = sum(one != other for one, other in preferred)
    correct = exchange.correct(model, [each for pair in some for each in pair]).reshape(-1, 2)
    assert n_differing == int((correct[:, 0] == correct[:, 1]).sum())


def _preferred(model: Transformer, asked: Question) -> frozenset[str]:
    logits = model(vocabulary().encode(asked.words[: asked.place]))[0, -1]
    sides = (asked.right, asked.wrong)
    return max(sides, key=lambda side: max(logits[vocabulary().encode([word])[0, 0]].item() for word in side))


@pytest.fixture
def shelf_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf with small models at initialisation for some of the settings, and none for the others."""
    for mask, positions in SOME:
        model = model_of(mask, positions)
        save(path_of(f"{mask}-{positions}-2-post", tmp_path), model, record_of(model.config))
    monkeypatch.setattr(exchange, "stored_measurement", lambda name, what: None)
    return tmp_path


def test_every_mask_and_position_scheme_is_measured_and_a_missing_one_has_no_number(shelf_of: Path) -> None:
    config = ModelConfig(vocab_size=1, n_heads=2, norm="post", positions="rotary", mask="causal")
    table = accuracies(config, "who did it", lambda name: load(path_of(name, shelf_of)))
    assert list(zip(table["mask"], table["positions"], strict=True)) == [
        *product(("bidirectional", "prefix", "causal"), POSITIONS)
    ]
    for mask, positions, found, *counts in table.itertuples(index=False):
        if (mask, positions) in SOME:
            wanted = replies(load(path_of(f"{mask}-{positions}-2-post", shelf_of)), "who did it")
            assert (found, *counts) == (wanted.accuracy, *wanted)
        else:
            assert math.isnan(found)


@each(("mask", "positions"), SOME)
def test_expectations_are_probabilities_of_the_word_that_comes_next(
    mask: str, positions: Positions, shelf_of: Path
) -> None:
    told = OVEN[:7]
    model = load(path_of(f"{mask}-{positions}-2-post", shelf_of))
    shown = told if mask == "causal" else [*told, "<mask>"]
    logits = model(vocabulary().encode(shown))[0, len(shown) - 1]
    exponentials = logits.exp() / logits.exp().sum()
    found = expected(model, told, ["oven", "bread", "xyzzy"])
    wanted = [exponentials[vocabulary().encode([word]).item()].item() for word in ("oven", "bread", "<unk>")]
    assert found == pytest.approx(wanted, rel=1e-4)


@each(
    ("first", "second", "places"),
    [
        ("the oven cooked the bread so", "the bread cooked the oven so", (1, 4)),
        ("a b", "b a", (0, 1)),
        ("a b c", "a b c", None),
        ("a b c", "b c a", None),
        ("a b c d", "b a d c", None),
        ("a b c", "a d e", None),
    ],
)
def test_two_words_have_changed_places_or_not(
    first: str, second: str, places: tuple[int, int] | None
) -> None:
    assert changed_places(first.split(), second.split()) == places
