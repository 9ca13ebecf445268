"""Questions in both orders: the same words, another answer, and a score of one half for the order-blind."""

import math
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
import torch

from core.learning.checkpoints import load, save
from core.learning.collection import MEMBERS, path_of, take
from core.learning.tasks import MASKED_WORD, NEXT_WORD
from core.learning.tasks.sentences import batch_of_sentences
from core.measures.order import exchange
from core.measures.order.exchange import (
    GUESSING,
    N_PAIRS,
    QUESTIONS,
    accuracies,
    changed_places,
    exchanged,
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
every_question = pytest.mark.parametrize("question", QUESTIONS)


def model_of(mask: str, positions: Positions, seed: int = 3) -> Transformer:
    config = ModelConfig(
        vocab_size=len(vocabulary()), d_model=16, n_heads=2, norm="post", mask=mask, positions=positions
    )
    model = Transformer(config)
    initialise(model, seed=seed)
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


@every_question
def test_what_no_training_can_have_met_is_counted(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange.n_unseen.cache_clear()
    assert exchange.n_unseen(question) == 2 * N_PAIRS
    exchange.n_unseen.cache_clear()
    splits = iter(["train", "test", "test"] + ["train"] * (2 * N_PAIRS - 3))
    monkeypatch.setattr(exchange, "split_of", lambda sentence: next(splits))
    assert exchange.n_unseen(question) == 2
    exchange.n_unseen.cache_clear()


@pytest.mark.long("it draws half of the sentences of the longest training again")
def test_training_has_met_no_beginning_that_is_asked_about() -> None:
    """In every second batch: who asks about what is learned from meets hundreds of them."""
    beginnings = {
        each.words[: each.place] for question in QUESTIONS for pair in pairs(question) for each in pair
    }
    lengths = {len(beginning) for beginning in beginnings}
    recipe = max((member.recipe for member in MEMBERS.values()), key=lambda recipe: recipe.steps)
    met = {
        sentence.words[:n]
        for step in range(0, recipe.steps, 2)
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train")
        for n in lengths
    }
    assert len(met) > recipe.steps
    assert beginnings.isdisjoint(met)


@pytest.mark.long("all training sentences: a pair of nouns that is held out and met all the same")
@every_question
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
    assert found == exchange.MetTogether(len(met), len(asked))


@every_question
def test_pairs_together_in_training_were_counted_for_the_models_that_are_there(question: str) -> None:
    found = exchange.met_together(question)
    assert found is not None
    assert 0 < found.met < found.n


def test_the_training_that_stands_for_all_has_all_that_the_others_learned_from() -> None:
    recipes = [member.recipe for member in MEMBERS.values() if member.task in (NEXT_WORD, MASKED_WORD)]
    assert len({(recipe.seed, recipe.batch_size) for recipe in recipes}) == 1
    assert MEMBERS[exchange.ONE_OF_ALL].recipe.steps == max(recipe.steps for recipe in recipes)


def test_who_did_it_is_asked_about_the_noun_after_because() -> None:
    sentence = parse(OVEN)
    asked = QUESTIONS["who did it"](sentence)
    assert asked is not None
    assert (
        " ".join(exchanged(sentence, asked).words) == "the bread cooked the oven because the bread was hot ."
    )


@every_question
@pytest.mark.parametrize("seed", [0, 5])
def test_who_sees_a_bag_of_words_is_right_in_exactly_half(question: str, seed: int) -> None:
    found = replies(model_of("bidirectional", "none", seed), question)
    assert found == (N_PAIRS, 0)
    assert (found.accuracy, found.n_both_right) == (GUESSING, 0)


@every_question
def test_answers_differ_where_both_are_right_or_both_wrong(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_about: list[exchange.Question] = []

    def told_apart(model: object, asked: list[exchange.Question]) -> torch.Tensor:
        """Three pairs right in both orders, two wrong in both, the others right in one."""
        asked_about.extend(asked)
        both = torch.tensor([[True, False]]).repeat(N_PAIRS, 1)
        both[:3, 1], both[3:5, 0] = True, False
        return both.flatten()

    monkeypatch.setattr(exchange, "right", told_apart)
    found = replies(model_of("causal", "none"), question)
    assert found == (N_PAIRS + 1, 5)
    assert found.n_both_right == 3
    assert found.accuracy == (N_PAIRS + 1) / (2 * N_PAIRS)
    assert asked_about == [each for pair in pairs(question) for each in pair]


@every_question
def test_answers_are_those_that_the_model_gives_to_each_question_alone(question: str) -> None:
    """The word that it prefers, read from its own logits, in the first pairs."""
    model, some = model_of("causal", "none"), pairs(question)[:8]
    preferred = [[_preferred(model, each) for each in pair] for pair in some]
    n_differing = sum(one != other for one, other in preferred)
    correct = exchange.right(model, [each for pair in some for each in pair]).reshape(-1, 2)
    assert n_differing == int((correct[:, 0] == correct[:, 1]).sum())


def _preferred(model: Transformer, asked: exchange.Question) -> frozenset[str]:
    logits = model(vocabulary().encode(asked.words[: asked.place]))[0, -1]
    sides = (asked.right, asked.wrong)
    return max(sides, key=lambda side: max(logits[vocabulary().encode([word])[0, 0]].item() for word in side))


@pytest.fixture
def shelf_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf with small models at initialisation for some of the settings, and none for the others."""
    for mask, positions in SOME:
        model = model_of(mask, positions)
        save(path_of(f"{mask}-{positions}-2-post", tmp_path), model, record_of(model.config))
    monkeypatch.setattr(exchange, "finding", lambda name, what: None)
    return tmp_path


@every_question
def test_what_was_counted_once_is_not_asked_again(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(name: str) -> Transformer:
        raise AssertionError(f"{name} was asked again")

    known = {exchange.recorded(asked): [130.0 + place, 6.0] for place, asked in enumerate(QUESTIONS)}
    monkeypatch.setattr(exchange, "finding", lambda name, what: known[what])

    found = accuracies(ModelConfig(vocab_size=1), question, measured)

    n_right = 130 + list(QUESTIONS).index(question)
    assert set(found["accuracy"]) == {n_right / (2 * N_PAIRS)}
    assert set(found["n_differing"]) == {6}


def test_every_mask_and_position_scheme_is_asked_and_what_is_missing_has_no_number(shelf_of: Path) -> None:
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


@pytest.mark.parametrize(("mask", "positions"), SOME)
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


def test_of_the_shipped_models_only_some_with_positions_can_tell() -> None:
    table = accuracies(ModelConfig(vocab_size=1), "who did it", take)
    blind = table[table["positions"] == "none"].set_index("mask")["accuracy"]
    assert blind["bidirectional"] == GUESSING
    assert [blind[mask] for mask in ("causal", "prefix")] == pytest.approx([GUESSING] * 2, abs=0.1)
    assert (table.groupby("mask")["accuracy"].max() > 0.9).all()
