"""Reviews to be classified stand among sentences without opinion, and none is of a kind held out."""

from itertools import islice

from core.learning.tasks.classification import AROUND, label_batch, surrounded_reviews
from core.learning.tasks.words import LABELS
from core.text.language import PAD, parse, vocabulary
from core.text.language.review_parts import INTENSIFIERS, NEGATIONS, OPINIONS

SIZE = 13


def test_every_review_stands_among_as_many_neutral_sentences_at_every_place() -> None:
    telling, places = {*OPINIONS, *NEGATIONS, *INTENSIFIERS, "but", "although"}, []
    for at, text in enumerate(islice(surrounded_reviews(3), 300)):
        review = text.review.words
        assert text.words[text.start : text.start + len(review)] == review
        before, after = text.words[: text.start], text.words[text.start + len(review) :]
        assert before.count(".") + after.count(".") == AROUND
        assert telling.isdisjoint([*before, *after])
        assert at > 10 or parse(review) == text.review
        assert text.words[text.deciding] in OPINIONS
        places.append(before.count("."))
    assert min(places.count(place) for place in range(AROUND + 1)) > 12


def test_a_batch_has_a_label_for_each_row() -> None:
    texts = list(islice(surrounded_reviews(3), SIZE))
    batch = label_batch(texts)
    for text, row, real, label in zip(
        texts, batch.tokens, batch.allowed[:, 0, 0], batch.targets, strict=True
    ):
        words = vocabulary().decode(row)
        assert tuple(words[: int(real.sum())]) == text.words
        assert set(words[int(real.sum()) :]) <= {PAD}
        assert LABELS[int(label)] == text.review.label
