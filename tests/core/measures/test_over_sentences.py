"""Mean weight and effect over a hundred sentences: by hand, in batches, and of the real model again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.learning.collection import FOLDER, MEMBERS
from core.learning.collection.checkpoint_store import SUMS
from core.measures.findings.over_sentences import BEGINNINGS, FILE, compare_real, kept
from core.measures.hiding import Hiding
from core.measures.over_sentences import (
    N,
    WeightEffectComparison,
    beginnings,
    compare,
    compare_at_last,
    examples,
    over_beginnings,
    spread,
    without_first,
)
from core.sources import UnavailableError, find, load
from core.sources.pretrained import USUAL, source_name
from tests.covering import each
from tests.real import needs_smollm2

MEMBER = "causal-sinusoidal-4-pre"
REAL = source_name(USUAL)


def test_a_hundred_beginnings_are_there_for_both_languages() -> None:
    assert len(set(beginnings())) == len(set(BEGINNINGS)) == N == 100
    assert min(len(text.split()) for text in (*beginnings(), *BEGINNINGS)) >= 7


def test_each_word_but_the_last_has_a_mean_weight_and_a_change() -> None:
    weights = np.array([[[0.1, 0.4, 0.2, 0.3]], [[0.1, 0.2, 0.4, 0.3]]])
    found = Hiding(3, (0, 1, 2, 3), weights, np.array([0.6, 0.5, 0.2, np.nan]))
    one = compare("a b c d", found)
    assert (one.heaviest, one.strongest) == (1, 0)
    assert (one.of_heaviest, one.of_strongest) == (0.5, 0.6)
    assert one.correlation == pytest.approx(np.corrcoef([1, 2.5, 2.5], [3, 2, 1])[0, 1], abs=1e-5)
    assert not one.agrees
    alone = Hiding(0, (0,), np.ones((1, 1, 1)), np.array([np.nan]))
    assert compare("a", alone).correlation is None


def test_the_first_word_is_left_out_of_the_later_ones() -> None:
    weights = np.array([[[0.6, 0.08, 0.15, 0.12, 0.05]]])
    changes = np.array([0.1, 0.6, 0.2, 0.3, np.nan])
    one = compare("a b c d e", Hiding(4, (0, 1, 2, 3, 4), weights, changes))
    assert (one.heaviest, one.strongest, one.later is None) == (0, 1, False)
    (later,) = without_first([one])
    assert (later.text, later.heaviest, later.strongest) == ("a b c d e", 2, 1)
    assert (later.of_heaviest, later.of_strongest, later.correlation) == (0.2, 0.6, -1)
    assert (later.later, later.agrees) == (None, False)
    two = compare("a b", Hiding(1, (0, 1), np.array([[[0.7, 0.3]]]), np.array([0.1, np.nan])))
    assert (two.heaviest, two.later, without_first([two])) == (0, None, ()), "no other word"
    narrow = Hiding(3, (1, 2, 3), np.array([[[0.3, 0.5, 0.2]]]), np.array([0.2, 0.4, np.nan]))
    one = compare("a b c d", narrow)
    assert one.later == replace(one, later=None), "a window hides the first word"


@each("member", [MEMBER, "bidirectional-rotary-8-post"])
def test_batched_sentences_give_the_same_as_each_alone(member: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config, some = MEMBERS[member].config, beginnings()[:12]
    monkeypatch.setattr("core.measures.over_sentences.beginnings", lambda: some)
    together = over_beginnings(lambda words: load("trained", config, words, 0), window=3)
    assert [one.text for one in together] == list(some)
    for one in together[::4]:
        alone = compare_at_last(one.text, load("trained", config, tuple(one.text.split()), 0), window=3)
        assert alone.correlation == pytest.approx(one.correlation, abs=1e-4)
        assert replace(alone, correlation=None) == replace(one, correlation=None)


def compared(
    correlation: float | None, heaviest: float, strongest: float, at: int = 1
) -> WeightEffectComparison:
    return WeightEffectComparison(
        f"{correlation} {heaviest} {strongest}", correlation, 0, at, heaviest, strongest
    )


def test_a_spread_has_median_and_quartiles_of_the_sentences_that_have_a_rank() -> None:
    found = spread(
        [*(compared(one, 0.1, 0.1, at=0) for one in (0.0, 0.2, 0.6, 0.7, 0.9)), compared(None, 0, 0)]
    )
    assert found is not None
    assert found.quartiles == pytest.approx((0.2, 0.6, 0.7))
    assert (found.n_agreeing, found.n_first, found.n) == (5, 6, 6)
    assert spread([compared(None, 0, 0)]) is None


def test_examples_show_a_clear_change_and_both_verdicts() -> None:
    faint, best, good = (
        compared(1.0, 0.1, 0.1, at=0),
        compared(0.9, 0.5, 0.5, at=0),
        compared(0.8, 0.9, 0.9, at=0),
    )
    far, ranked, near = compared(0.3, 0.2, 0.8), compared(0.95, 0.0, 1.0), compared(0.1, 0.4, 0.5)
    assert examples([faint, good, best, near, far, ranked]) == (best, far)
    assert examples([faint, near]) == (None, None)
    assert examples([far]) == (None, far)
    assert examples([]) == (None, None)


def test_nothing_is_kept_of_a_model_of_the_small_language() -> None:
    assert kept("trained", MEMBERS[MEMBER].config) is None


@pytest.mark.long("every beginning of many sentences")
@needs_smollm2
def test_the_results_that_are_kept_are_of_every_beginning_in_its_order(tmp_path: Path) -> None:
    config = find(REAL).pretrained.config  # type: ignore[union-attr]
    found = kept(REAL, config)
    assert found is not None
    assert [one.text for one in found] == list(BEGINNINGS)
    later = without_first(found)
    assert [one.text for one in later] == list(BEGINNINGS)
    assert min(min(one.heaviest, one.strongest) for one in later) > 0
    assert kept(REAL, replace(config, residual=False)) is None
    assert kept(REAL, config, tmp_path) is None
    altered = tmp_path / "altered"
    altered.mkdir()
    (altered / FILE).write_bytes((FOLDER / FILE).read_bytes() + b" ")
    (altered / SUMS).write_bytes((FOLDER / SUMS).read_bytes())
    with pytest.raises(UnavailableError, match="has been altered"):
        kept(REAL, config, altered)


@needs_smollm2
@pytest.mark.long("a model of 135 million parameters reads thirty sentences")
def test_the_real_model_gives_the_results_that_are_kept() -> None:
    found = kept(REAL, find(REAL).pretrained.config)  # type: ignore[union-attr]
    assert found is not None
    for one in found[::33]:
        again = compare_real(REAL, one.text)
        for measured, stored in ((again, one), (again.later, one.later)):
            assert measured is not None
            assert stored is not None
            assert (measured.heaviest, measured.strongest) == (stored.heaviest, stored.strongest)
            assert measured.correlation == pytest.approx(stored.correlation, abs=0.02)
            assert measured.of_strongest == pytest.approx(stored.of_strongest, abs=1e-3)
