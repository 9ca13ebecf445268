"""Choices as links spell them: painted cells, words chosen by hand, and changed entries."""

import pytest

from core.measures.masking.painting import MOST_PAINTED
from core.measures.stages.stage import Change
from pages.generation.by_hand import MOST, ByHand, parse_choices, spell, standing, with_choice
from pages.masking.mask import MOST_DIGITS
from pages.masking.mask import parse_cells as cells_of
from pages.masking.mask import spell as spell_cells
from pages.step_by_step.walking import LARGEST_VALUE, parse, spelt
from tests.covering import each

EVERYTHING = [(query, key) for query in range(MOST_PAINTED) for key in range(MOST_PAINTED)]


def test_every_cell_has_a_spelling_of_its_own_and_is_found_again() -> None:
    spelt = [spell_cells([cell]) for cell in EVERYTHING]
    assert len(set(spelt)) == MOST_PAINTED**2
    assert [cells_of(text) for text in spelt] == [frozenset({cell}) for cell in EVERYTHING]
    assert cells_of(spell_cells(EVERYTHING)) == frozenset(EVERYTHING)
    assert len(spell_cells(EVERYTHING)) == MOST_DIGITS


def test_a_short_sentence_has_a_short_spelling() -> None:
    assert spell_cells([]) == ""
    assert [spell_cells([cell]) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))] == ["1", "2", "4", "8"]
    assert len(spell_cells([(query, key) for query in range(5) for key in range(5)])) == 7


@each("text", ["", "0", "01", "1F", "-1", "1_0", "١", "1" * 145])
def test_an_invalid_spelling_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"up to {MOST_DIGITS} digits"):
        cells_of(text)


@each("text", ["q.2.1.-0.5", "scores.12.3.4", "k.1.1.0", "v.256.64.1000", "q.1.10.-1000"])
def test_a_change_is_spelt_as_it_was_written(text: str) -> None:
    assert spelt(parse(text)) == text


def test_a_change_counts_from_one_in_the_link_and_from_zero_here() -> None:
    assert parse("k.2.3.-0.25") == Change("k", 1, 2, -0.25)
    assert spelt(Change("v", 0, 3, -1e-9)) == "v.1.4.0"


@each(
    ("text", "said"),
    [
        ("q.1.1", "a change is written like"),
        ("pattern.1.1.1", "one of q, k, v, scores"),
        ("q.0.1.1", "counted from 1"),
        ("q.1.00.1", "counted from 1"),
        ("q.1.1.nan", "a change is written like"),
        ("q.1.1.1001", f"between -{LARGEST_VALUE} and {LARGEST_VALUE}, got 1001"),
        ("q.١.1.1", "a change is written like"),
        ("q.1.1.1\n", "a change is written like"),
    ],
)
def test_a_change_without_effect_gets_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(text)


CHOICES = (
    ByHand("RNN", 4, "key"),
    ByHand("Transformer", 0, ","),
    ByHand("RNN", 2, "<unk>"),
    ByHand("LSTM", 255, "."),
    ByHand("RNN", 3, "the"),
)


def test_choices_are_read_as_they_were_spelt() -> None:
    assert parse_choices(spell(CHOICES)) == CHOICES
    assert spell(CHOICES) == "R5=key;T1=,;R3=<unk>;L256=.;R4=the"


def test_a_choice_takes_back_those_that_were_made_of_later_steps() -> None:
    assert standing(CHOICES, "RNN") == ((2, "<unk>"), (3, "the"))
    assert standing(CHOICES[:1], "RNN") == ((4, "key"),)
    assert standing((*CHOICES, ByHand("RNN", 2, "a")), "RNN") == ((2, "a"),)
    assert standing(CHOICES, "Transformer") == ((0, ","),)
    many = with_choice([CHOICES[0]] * MOST, CHOICES[1])
    assert len(many) == MOST
    assert many[-1] == CHOICES[1]


@each(
    "text",
    [
        *("", "R1", "R1=", "R0=the", "R01=the", "R257=the", "R1000=the", "X1=the", "R1=snark", "R1=the;"),
        *("R1= the", "R1=the\n", "R１=the", "R1=the=", "R1=" + "a" * 9999, ";".join(["R1=the"] * (MOST + 1))),
    ],
)
def test_an_unknown_choice_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"at most|each choice is|steps are between|words chosen"):
        parse_choices(text)
