"""Accuracy of a model by phenomenon of the language, and the baselines that it has to beat."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from statistics import fmean
from typing import TypeVar

import torch
from jaxtyping import Bool
from torch import Tensor

from core.device import device_of
from core.learning.tasks.sentences import rows
from core.learning.training import Model, looks_ahead
from core.model.masks import NEXT_WORD
from core.model.masks.combining import padding
from core.text.language import MASK, Sentence, Split, sentences, vocabulary
from core.text.language.clauses import CONSEQUENCES
from core.text.language.forms import noun_numbers
from core.text.language.lexicon import PRONOUNS, VERBS
from core.text.language.reviews import ADJECTIVES

T = TypeVar("T")

DISTANCES = ((1, 2), (3, 5), (6, 10), (11, 20), (21, 48))
"""Groups of distances from subject to verb for which accuracy is given: first and last, in words."""

QUESTIONS = 256
"""Number of distinct questions behind each accuracy."""


@dataclass(frozen=True)
class Question:
    """A word to guess: one of `right` must beat all of `wrong`; `choice` are the plausible words."""

    words: tuple[str, ...]
    place: int
    right: frozenset[str]
    wrong: frozenset[str]
    choice: frozenset[str] = frozenset()


def agreement(sentence: Sentence) -> Question:
    """Return a question for the main verb: in the number of its subject, not the other."""
    verb = sentence.agreements[-1].verb
    return _one_of(sentence, verb, frozenset({other_number()[sentence.words[verb]]}))


def name(sentence: Sentence) -> Question:
    """Return a question for a repeated name: the right one of the two names at the beginning."""
    question = _one_of(sentence, sentence.repeats[-1].word, frozenset(vocabulary().words))
    said = frozenset(sentence.words[repeat.antecedent] for repeat in sentence.repeats)
    return replace(question, choice=said)


def pronoun(sentence: Sentence) -> Question | None:
    """Return a question for a pronoun that fits its antecedent; None after `that` or `because`."""
    position = sentence.pronouns[-1].word
    if sentence.words[position - 1] in ("that", "because"):
        return None
    case = next(case for case in _cases() if sentence.words[position] in case)
    return _one_of(sentence, position, case)


def agent(sentence: Sentence) -> Question | None:
    """Return a question for the agent after `because the`; None if the number of the verb would show it."""
    assert sentence.roles is not None
    if "because" not in sentence.words or not sentence.repeats:
        return None
    agent, patient = (sentence.words[position] for position in (sentence.roles.agent, sentence.roles.patient))
    if noun_numbers()[agent] != noun_numbers()[patient]:
        return None
    return Question(sentence.words, sentence.repeats[0].word, frozenset({agent}), frozenset({patient}))


def roles(sentence: Sentence) -> Question | None:
    """Return a question about roles: the state of the agent or the patient after, say, `so the oven was`."""
    assert sentence.roles is not None
    if "so" not in sentence.words:
        return None
    states = next(states for verbs, states in _states() if sentence.words[sentence.roles.verb] in verbs)
    position = len(sentence.words) - 2
    word = sentence.words[position]
    right, wrong = sorted(states, key=lambda group: word not in group)
    return Question(sentence.words, position, right, wrong)


def negation(sentence: Sentence) -> Question | None:
    """Return a question for the last adjective of a review with `but` or `although`, which decide it."""
    position = len(sentence.words) - 2
    word = sentence.words[position]
    if word not in frozenset().union(*ADJECTIVES) or not {"but", "although"} & set(sentence.words):
        return None
    right, wrong = sorted(ADJECTIVES, key=lambda group: word not in group)
    return Question(sentence.words, position, right, wrong)


def _one_of(sentence: Sentence, position: int, words: frozenset[str]) -> Question:
    right = frozenset({sentence.words[position]})
    return Question(sentence.words, position, right, words - right)


@cache
def other_number() -> dict[str, str]:
    """Return the form of the other number for each verb form that shows a number."""
    pairs = [entry.split("/")[:2] for entries in VERBS.values() for entry in entries.split()]
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


@cache
def _cases() -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(word for entry in genders.values() for word in entry.split("/") if word)
        for genders in PRONOUNS.values()
    )


@cache
def _states() -> tuple[tuple[frozenset[str], tuple[frozenset[str], frozenset[str]]], ...]:
    """Return the states of agent and patient afterwards, by the verbs between them."""
    return tuple(
        (frozenset(verbs.split("|")), (frozenset(agent.split("|")), frozenset(patient.split("|"))))
        for _, verbs, _, agent, patient in CONSEQUENCES
    )


Asker = Callable[[Sentence], Question | None]

PHENOMENA: Mapping[str, tuple[str, Asker]] = {
    "agreement": ("agreement", agreement),
    "names": ("name", name),
    "pronouns": ("pronoun", pronoun),
    "agents": ("consequence", agent),
    "roles": ("consequence", roles),
    "negation": ("review", negation),
}
"""Every phenomenon: its construction, and the function that makes a question of a sentence."""


def questions(
    phenomenon: str, *, seed: int = 0, split: Split = "test", distance: Mapping[int, float] | None = None
) -> Iterator[Question]:
    """Yield questions about a phenomenon without end; `distance` is as in `sentences`, for agreement."""
    construction, asker = PHENOMENA[phenomenon]
    chosen = {} if distance is None else {"distance": distance}
    for sentence in sentences(seed, split=split, constructions=[construction], **chosen):
        question = asker(sentence)
        if question is not None:
            yield question


def distinct(drawn: Iterable[T], *, by: Callable[[T], Hashable]) -> Iterator[T]:
    """Yield the drawn items, and skip each item whose key has come before."""
    met: set[Hashable] = set()
    for each in drawn:
        key = by(each)
        if key not in met:
            met.add(key)
            yield each


ASKED: Mapping[str, tuple[str, range | None]] = {name: (name, None) for name in PHENOMENA} | {
    f"agreement {first}–{last}": ("agreement", range(first, last + 1)) for first, last in DISTANCES
}
"""Names of all accuracies: every phenomenon, and agreement at every distance in words."""


@lru_cache(maxsize=64)
def evaluation_questions(
    name: str, *, seed: int = 0, n: int = QUESTIONS, split: Split = "test"
) -> tuple[Question, ...]:
    """Return the questions behind an accuracy, `names` or `agreement 3–5`; test questions are distinct."""
    phenomenon, distances = ASKED[name]
    weights = None if distances is None else dict.fromkeys(distances, 1.0)
    drawn = questions(phenomenon, seed=seed, split=split, distance=weights)
    if split == "test":
        drawn = distinct(drawn, by=lambda question: question.words[: question.place])
    return tuple(islice(drawn, n))


@torch.inference_mode()
def correct(model: Model, asked: Sequence[Question]) -> Bool[Tensor, "question"]:
    """Return whether the model answers each question correctly, from the words before it or with a mask."""
    logits = _logits_at_places(model, asked).cpu()
    best_right = logits.masked_fill(~_members([question.right for question in asked]), -torch.inf)
    best_wrong = logits.masked_fill(~_members([question.wrong for question in asked]), -torch.inf)
    return best_right.amax(dim=1) > best_wrong.amax(dim=1)


def _logits_at_places(model: Model, asked: Sequence[Question]) -> Tensor:
    device = device_of(model)
    tokens, lengths = rows([question.words for question in asked])
    positions = torch.tensor([question.place for question in asked])
    row = torch.arange(len(asked))
    if not looks_ahead(model):
        return model(tokens.to(device))[row, positions - 1]
    allowed = padding(lengths, tokens.shape[1]).to(device)
    if model.config.objective == NEXT_WORD:
        return model(tokens.to(device), allowed=allowed, given=positions.to(device))[row, positions - 1]
    tokens[row, positions] = vocabulary().encode([MASK]).item()
    return model(tokens.to(device), allowed=allowed)[row, positions]


def _members(groups: Sequence[frozenset[str]]) -> Bool[Tensor, "question vocab"]:
    known = vocabulary()
    members = torch.zeros(len(groups), len(known), dtype=torch.bool)
    for row, words in zip(members, groups, strict=True):
        row[known.encode(sorted(words))[0]] = True
    return members


def accuracies(model: Model, *, seed: int = 0, n: int = QUESTIONS) -> dict[str, float]:
    """Return the share of right answers by the names of `ASKED`."""
    return {
        name: correct(model, evaluation_questions(name, seed=seed, n=n)).float().mean().item()
        for name in ASKED
    }


N_LEARNED = 512
"""Number of training questions from which the constant answer is chosen."""

DOUBT = 2.0
"""Standard errors above its baseline within which an accuracy may still be luck."""


@cache
def baseline(name: str) -> float:
    """Return the best share of right answers without reading: by random scores or a constant answer."""
    questions = evaluation_questions(name)
    learned_from = evaluation_questions(name, n=N_LEARNED, split="train")
    return max(chance_accuracy(questions), constant_answer_accuracy(questions, learned_from=learned_from))


def chance_accuracy(questions: Sequence[Question]) -> float:
    """Return the expected share of right answers of a random choice."""
    return fmean([len(one.right) / len(one.choice or one.right | one.wrong) for one in questions])


def constant_answer_accuracy(questions: Sequence[Question], *, learned_from: Sequence[Question]) -> float:
    """Return the share of right answers if the word most often right always wins; a tie is wrong."""
    often = Counter(word for one in learned_from for word in one.right)

    def best(words: frozenset[str]) -> int:
        return max(often[word] for word in words)

    return fmean([best(one.right) > best(one.wrong) for one in questions])


def is_no_better(accuracy: float, baseline: float, *, n: int = QUESTIONS) -> bool:
    """Return whether an accuracy from `n` questions may come from guessing without reading."""
    return accuracy <= baseline + DOUBT * (baseline * (1 - baseline) / n) ** 0.5
