"""The tasks on sentences ask what they say they ask, and nothing that gives the answer away."""

from collections import Counter
from collections.abc import Iterator

import pytest
import torch

from core.learning.tasks import AGREEMENT, IGNORED, MASKED_WORD, NEXT_WORD, REVIEW, Batch, Task
from core.learning.tasks.sentences import WORD_DROPOUT, batch_of_sentences, rows
from core.learning.tasks.words import DECIDED_SHARE, OTHER_SHARE
from core.text.language import MASK, UNKNOWN, vocabulary

SIZE = 7
CONSTRUCTION = {"agreement": ("agreement",), "review": ("review",)}
UNKNOWN_ID, MASK_ID = (vocabulary().encode([word]).item() for word in (UNKNOWN, MASK))


def drawn(task: Task, seed: int, step: int, size: int = SIZE) -> list[list[str]]:
    """Return the words of the sentences behind a batch."""
    constructions = {"constructions": CONSTRUCTION[task.name]} if task.name in CONSTRUCTION else {}
    return [list(s.words) for s in batch_of_sentences(seed, step, size, "train", **constructions)]


def batches(task: Task, n: int, size: int = SIZE) -> Iterator[tuple[Batch, torch.Tensor, torch.Tensor]]:
    """Batches with the tokens as they were before anything was hidden, and the lengths."""
    for step in range(n):
        yield task.batch(3, step, size), *rows(drawn(task, 3, step, size))


def test_now_and_then_a_word_is_unknown_and_no_other_changes() -> None:
    changed, words = 0, 0
    for task in (NEXT_WORD, AGREEMENT, REVIEW):
        for batch, tokens, lengths in batches(task, 7, size=31):
            different = (batch.tokens != tokens) & batch.allowed[:, 0, 0]
            assert (batch.tokens[different] == UNKNOWN_ID).all()
            changed, words = changed + int(different.sum()), words + int(lengths.sum())
    assert changed / words == pytest.approx(WORD_DROPOUT, rel=0.25)


def test_the_next_word_is_the_next_word_even_where_it_is_shown_as_unknown() -> None:
    for batch, tokens, lengths in batches(NEXT_WORD, 5):
        for row, targets, length in zip(tokens, batch.targets, lengths.tolist(), strict=True):
            assert targets[: length - 1].tolist() == row[1:length].tolist()
            assert (targets[length - 1 :] == IGNORED).all()


def test_a_masked_word_is_mostly_hidden_and_asked_for_more_often_where_the_rest_decides_it() -> None:
    shown: Counter[str] = Counter()
    shares: dict[bool, list[bool]] = {True: [], False: []}
    for step, (batch, tokens, _) in enumerate(batches(MASKED_WORD, 20, size=31)):
        asked = batch.targets != IGNORED
        for row, sentence in zip(asked, batch_of_sentences(3, step, 31, "train"), strict=True):
            decided = {agreement.verb for agreement in sentence.agreements} | {len(sentence.words) - 2}
            decided |= {reference.word for reference in (*sentence.pronouns, *sentence.repeats)}
            for place in range(len(sentence.words)):
                shares[place in decided].append(bool(row[place]))
        assert torch.equal(batch.targets[asked], tokens[asked])
        for now, before in zip(batch.tokens[asked].tolist(), tokens[asked].tolist(), strict=True):
            shown["mask" if now == MASK_ID else "itself" if now == before else "another"] += 1
        unasked = batch.tokens[~asked & batch.allowed[:, 0, 0]]
        assert not (unasked == MASK_ID).any()
    total = sum(shown.values())
    assert shown["mask"] / total == pytest.approx(0.8, abs=0.03)
    assert shown["another"] / total == pytest.approx(0.1, abs=0.03)
    assert shown["itself"] / total == pytest.approx(0.1, abs=0.03)
    assert sum(shares[True]) / len(shares[True]) == pytest.approx(DECIDED_SHARE, abs=0.05)
    assert sum(shares[False]) / len(shares[False]) == pytest.approx(OTHER_SHARE, abs=0.02)


def test_agreement_asks_one_word_early_for_each_verb_that_agrees() -> None:
    for step in range(7):
        batch = AGREEMENT.batch(3, step, SIZE)
        drawn = batch_of_sentences(3, step, SIZE, "train", constructions=("agreement",))
        for targets, sentence in zip(batch.targets, drawn, strict=True):
            places = [int(place) for place in (targets != IGNORED).nonzero().flatten()]
            assert places == [agreement.verb - 1 for agreement in sentence.agreements]
            asked = vocabulary().decode(targets[places])
            assert asked == [sentence.words[agreement.verb] for agreement in sentence.agreements]


def test_a_review_is_judged_at_its_full_stop() -> None:
    labels = set()
    for step in range(5):
        batch = REVIEW.batch(3, step, SIZE)
        drawn = batch_of_sentences(3, step, SIZE, "train", constructions=("review",))
        for targets, sentence in zip(batch.targets, drawn, strict=True):
            assert (targets != IGNORED).nonzero().flatten().tolist() == [len(sentence.words) - 1]
            label = REVIEW.vocabulary().words[int(targets[len(sentence.words) - 1])]
            assert label == sentence.label
            labels.add(label)
    assert labels == {"positive", "negative"}
    assert REVIEW.vocabulary().words[: len(vocabulary())] == vocabulary().words
