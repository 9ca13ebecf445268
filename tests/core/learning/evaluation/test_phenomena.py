"""Questions about the language have the right answer, and are counted right."""

from dataclasses import replace
from itertools import islice

import pytest
import torch
from torch import Tensor, nn

from core.learning.evaluation.phenomena import (
    DISTANCES,
    PHENOMENA,
    QUESTIONS,
    Question,
    accuracies,
    correct,
    evaluation_questions,
    other_number,
    questions,
)
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.text.language import MASK, parse, split_of, vocabulary
from core.text.language.reviews import ADJECTIVES
from tests.covering import each

CONFIG = ModelConfig(vocab_size=len(vocabulary()), d_model=14, n_heads=2)


BLAME = ADJECTIVES[1]


def asked_of(phenomenon: str, text: str) -> Question | None:
    """Return the questions about a phenomenon in a sentence of ours."""
    _, asker = PHENOMENA[phenomenon]
    return asker(parse(text.split()))


class Knowing(nn.Module):
    """Puts the next word of each row first, or last: a model that looks it up."""

    def __init__(self, *, sign: float = 1) -> None:
        super().__init__()
        self.sign = nn.Parameter(torch.tensor(float(sign)))

    def forward(self, tokens: Tensor) -> Tensor:
        following = tokens.roll(-1, dims=1)
        return self.sign * nn.functional.one_hot(following, len(vocabulary())).float()


@each(
    ("phenomenon", "text", "word", "wrong"),
    [
        ("agreement", "the chefs near the store were late .", "were", {"was"}),
        ("agreement", "the key that belongs to the chefs looks new .", "looks", {"look"}),
        (
            "names",
            "when mina and pedro went to the lake , mina gave a ring to pedro .",
            "pedro",
            {*vocabulary().words} - {"pedro"},
        ),
        ("pronouns", "the prince met mina and thanked her .", "her", {"him", "it", "them"}),
        ("pronouns", "pedro lost his keys but mina found them .", "them", {"him", "it", "her"}),
        ("agents", "the oven cooked the bread because the oven was hot .", "oven", {"bread"}),
        ("roles", "the oven cooked the bread so the bread was warm .", "warm", {"cold", "empty"}),
        ("roles", "the oven cooked the bread so the oven was empty .", "empty", {"warm", "ready"}),
        ("negation", "although the plot was good , the acting was not clever .", "clever", BLAME),
    ],
)
def test_a_sentence_becomes_the_question_a_reader_would_ask(
    phenomenon: str, text: str, word: str, wrong: set[str]
) -> None:
    question = asked_of(phenomenon, text)
    assert question is not None
    assert question.words == tuple(text.split())
    assert question.words[question.place] == word
    assert word in question.right
    assert question.wrong == wrong


@each(
    ("phenomenon", "text"),
    [
        ("pronouns", "pedro told mina that she was late ."),
        ("pronouns", "the writers fed the horse because they were helpful ."),
        ("agents", "the oven cooked the bread so the bread was warm ."),
        ("agents", "the ovens cooked the bread because the ovens were hot ."),
        ("roles", "the oven cooked the bread because the oven was hot ."),
        ("negation", "the film was not good ."),
        ("negation", "the plot was good but i did not like the acting ."),
    ],
)
def test_unanswerable_questions_are_not_asked(phenomenon: str, text: str) -> None:
    assert asked_of(phenomenon, text) is None


@each("phenomenon", PHENOMENA)
def test_a_model_that_knows_every_next_word_is_always_right_and_its_opposite_never(phenomenon: str) -> None:
    asked = list(islice(questions(phenomenon, seed=3), 13))
    for question in asked:
        assert split_of(parse(question.words)) == "test"
        assert question.words[question.place] in question.right
        assert question.wrong
        assert not question.right & question.wrong
        assert question.place > 0
    assert correct(Knowing(), asked).all()
    only = [replace(question, right=frozenset({question.words[question.place]})) for question in asked]
    assert not correct(Knowing(sign=-1), only).any()
    assert not correct(Knowing(sign=0), asked).any(), "a tie is not an answer"


@each(("first", "last"), DISTANCES)
def test_agreement_is_tested_at_the_given_distance(first: int, last: int) -> None:
    distances = dict.fromkeys(range(first, last + 1), 1.0)
    found = set()
    for question in islice(questions("agreement", distance=distances), 20):
        agreement = parse(question.words).agreements[-1]
        assert agreement.verb == question.place
        found.add(agreement.verb - agreement.subject)
    assert {first, last} <= found if last < 6 else len(found) > 4
    assert first <= min(found) <= max(found) <= last


def test_each_form_of_a_verb_has_its_counterpart() -> None:
    assert other_number()["was"] == "were"
    assert other_number()["are"] == "is"
    assert other_number()["studies"] == "study"
    assert all(other_number()[other] == one for one, other in other_number().items())


def prefers_right(model: Transformer, question: Question) -> bool:
    """Return whether the best logit is of a right word: after the words before it, or at a mask."""
    shown = [*question.words[: question.place]]
    if model.config.looks_ahead:
        shown = [*shown, MASK, *question.words[question.place + 1 :]]
    known = vocabulary()
    logits = model(known.encode(shown))[0, -1 if not model.config.looks_ahead else question.place]
    right, wrong = (
        logits[known.encode(sorted(words))[0]].max() for words in (question.right, question.wrong)
    )
    return bool(right > wrong)


@each("mask", ["causal", "bidirectional"])
def test_questions_of_any_length_are_answered_together_as_each_is_by_hand(mask: str) -> None:
    model = Transformer(replace(CONFIG, mask=mask))
    initialise(model, seed=1)
    asked = list(islice(questions("agreement"), 9))
    assert len({len(question.words) for question in asked}) > 3
    assert correct(model, asked).tolist() == [prefers_right(model, question) for question in asked]


def test_the_questions_behind_an_accuracy_are_those_it_is_the_share_of() -> None:
    model = Transformer(CONFIG)
    initialise(model, seed=2)
    found = accuracies(model, seed=5, n=13)
    for name in ("pronouns", "agreement 3–5"):
        share = correct(model, evaluation_questions(name, seed=5, n=13)).double().mean().item()
        assert found[name] == pytest.approx(share)
        trained = evaluation_questions(name, n=7, split="train")
        assert {split_of(parse(one.words)) for one in trained} == {"train"}


@each("name", ["names", "agreement 3–5"])
def test_no_question_behind_an_accuracy_is_asked_twice(name: str) -> None:
    asked = evaluation_questions(name)
    assert len({question.words[: question.place] for question in asked}) == len(asked) == QUESTIONS
