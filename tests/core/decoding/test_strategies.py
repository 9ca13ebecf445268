"""Greedy takes the likeliest word, chance what its bounds leave, and a beam what its width allows."""

import pytest
import torch

from core.decoding import (
    Sampling,
    all_greedy,
    beams,
    decode,
    likeliest,
    next_word_distribution,
    sample_by_inverse_cdf,
    sampler,
)
from core.decoding.sampling import candidate_words
from tests.core.decoding.toy import END, START, VOCAB, Toy, every_sentence, logits, total
from tests.covering import each

LONGEST = 4
ENDS = {"start": START, "ends": (END,), "longest": LONGEST}
SEEDS = range(6)


def test_greedy_takes_the_likeliest_word_until_the_end_or_the_longest() -> None:
    lengths = set()
    for seed in SEEDS:
        words = (START,)
        for step in decode(Toy(seed), likeliest, **ENDS):
            expected = logits(seed, words)
            assert words[-1] != END
            assert step.word == int(expected.argmax())
            torch.testing.assert_close(step.log_probabilities, expected.log_softmax(dim=0))
            words = (*words, step.word)
        assert words[-1] == END or len(words) == LONGEST + 1
        lengths.add(len(words))
    assert len(lengths) > 2


def test_chance_gives_the_same_for_the_same_seed_and_follows_the_temperature() -> None:
    def written(seed: int, **options: float) -> list[int]:
        steps = decode(Toy(1), sampler(Sampling(**options), seed), **ENDS)  # type: ignore[arg-type]
        return [step.word for step in steps]

    assert len({tuple(written(seed)) for seed in range(20)}) > 5
    assert written(3) == written(3)
    greedy = [step.word for step in decode(Toy(1), likeliest, **ENDS)]
    assert {tuple(written(seed, temperature=1e-4)) for seed in range(20)} == {tuple(greedy)}
    assert {tuple(written(seed, top_k=1)) for seed in range(20)} == {tuple(greedy)}


@each("seed", SEEDS)
def test_a_beam_of_width_one_is_greedy(seed: int) -> None:
    *_, beam = beams(Toy(seed), width=1, **ENDS)
    assert list(beam.words(beam.best)) == [step.word for step in decode(Toy(seed), likeliest, **ENDS)]


@each("seed", range(2))
def test_a_beam_as_wide_as_all_sentences_finds_the_likeliest_of_all(seed: int) -> None:
    best = max(every_sentence(LONGEST), key=lambda sentence: total(seed, sentence))
    *_, beam = beams(Toy(seed), width=VOCAB**LONGEST, **ENDS)
    assert beam.words(beam.best) == best
    assert beam.tree[beam.best].total == pytest.approx(total(seed, best))


@each("width", [1, 3])
def test_the_tree_has_every_hypothesis_with_its_probabilities(width: int) -> None:
    for seed in SEEDS:
        *_, beam = beams(Toy(seed), width=width, **ENDS)
        start, *others = beam.tree
        assert (start.word, start.parent, start.total, start.depth) == (START, None, 0.0, 0)
        for number, one in enumerate(others, start=1):
            parent = beam.tree[one.parent or 0]
            assert one.total == pytest.approx(total(seed, beam.words(number)))
            assert one.total == pytest.approx(parent.total + one.log_probability)
            assert (one.depth, one.ended) == (parent.depth + 1, one.word == END)
            assert parent.kept
            assert not parent.ended
        for depth in range(1, LONGEST + 1):
            level = [one for one in others if one.depth == depth]
            assert sum(one.kept for one in level) <= width
            worst = min((one.total for one in level if one.kept), default=None)
            if worst is not None:
                assert all(one.total <= worst for one in level if not one.kept)


def test_many_rows_at_once_are_each_cut_at_their_own_end() -> None:
    beginnings = tuple((word,) for word in range(5, 17))
    together = all_greedy(Toy(2, beginnings), len(beginnings), **ENDS)
    for row, beginning in zip(together, beginnings, strict=True):
        alone = [step.word for step in decode(Toy(2, (beginning,)), likeliest, **ENDS)]
        assert list(row) == [word for word in alone if word != END]
    assert len({len(row) for row in together}) > 2


SEVEN_LOGITS = torch.tensor([0.3, -1.2, 2.1, 0.9, 0.9, -3.0, 1.7])


def test_logits_are_divided_by_the_temperature() -> None:
    expected = (SEVEN_LOGITS.double() / 0.3).exp() / (SEVEN_LOGITS.double() / 0.3).exp().sum()
    torch.testing.assert_close(next_word_distribution(SEVEN_LOGITS, Sampling(temperature=0.3)), expected)
    assert next_word_distribution(SEVEN_LOGITS, Sampling(temperature=1e-3)).argmax() == 2
    assert next_word_distribution(SEVEN_LOGITS, Sampling(temperature=1e-3)).max() > 0.999
    assert next_word_distribution(SEVEN_LOGITS, Sampling(temperature=1e4)).max() < 1 / 7 + 1e-3


@each(("top_k", "left"), [(1, {2}), (3, {2, 3, 6}), (99, set(range(7)))])
def test_top_k_leaves_the_likeliest_words_and_of_equals_the_first(top_k: int, left: set[int]) -> None:
    probabilities = next_word_distribution(SEVEN_LOGITS, Sampling(top_k=top_k))
    assert set(probabilities.nonzero().flatten().tolist()) == left
    assert probabilities.sum().item() == pytest.approx(1)


@each(
    ("top_p", "left"),
    [(0.01, {2}), (0.5, {2}), (0.51, {1, 2}), (0.8, {1, 2}), (0.81, {0, 1, 2}), (1.0, {0, 1, 2, 3})],
)
def test_top_p_leaves_the_fewest_words_whose_probability_reaches_it(top_p: float, left: set[int]) -> None:
    probabilities = torch.tensor([0.15, 0.3, 0.5, 0.05], dtype=torch.float64)
    found = candidate_words(probabilities, Sampling(top_p=top_p))
    assert set(found.nonzero().flatten().tolist()) == left


def test_of_many_equal_words_the_first_in_the_vocabulary_are_left() -> None:
    equal = torch.full((997,), 1 / 997, dtype=torch.float64)
    for sampling in (Sampling(top_k=5), Sampling(top_p=4.5 / 997)):
        assert candidate_words(equal, sampling).nonzero().flatten().tolist() == [0, 1, 2, 3, 4]


def test_top_p_applies_to_probabilities_after_the_temperature() -> None:
    logits = torch.tensor([0.5, 0.3, 0.2]).log()  # 66 % of the first at 0.5, and 42 % at 2
    cold, warm = (next_word_distribution(logits, Sampling(temperature=at, top_p=0.6)) for at in (0.5, 2.0))
    assert [len(one.nonzero()) for one in (cold, warm)] == [1, 2]


def test_a_draw_is_the_word_where_the_total_exceeds_the_chance() -> None:
    probabilities = torch.tensor([0.0, 0.25, 0.0, 0.75, 0.0], dtype=torch.float64)
    chances = {0.0: 1, 0.2499: 1, 0.25: 3, 0.9999999: 3, 1.0: 3}
    assert {chance: sample_by_inverse_cdf(probabilities, chance) for chance in chances} == chances


@each(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature must be above 0 and finite, got 0.0"),
        ({"temperature": float("inf")}, "temperature must be above 0 and finite, got inf"),
        ({"temperature": float("nan")}, "temperature must be above 0 and finite, got nan"),
        ({"top_k": 0}, "top_k must be at least 1, got 0"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1, got 0.0"),
        ({"top_p": 1.5}, "top_p must be above 0 and at most 1, got 1.5"),
    ],
)
def test_bounds_that_leave_nothing_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sampling(**options)  # type: ignore[arg-type]
