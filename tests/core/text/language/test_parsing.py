"""Every sentence reads back to the structure it was written with, and nothing else is a sentence."""

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from core.text.language import CONSTRUCTIONS, Sentence, parse, sentences
from core.text.language.parsing import readings
from core.text.language.sentence import Agreement, Reference, Roles
from core.text.tokenizer import MAX_WORDS
from tests.core.text.language.samples import next_words, sample, words
from tests.covering import each

KEYS = "near the lake , the keys that the chef who knows the nurses lost are new ."


def says(construction: str, *agreements: Agreement, **fields: Any) -> Sentence:
    """Return a sentence without its words."""
    return Sentence((), construction, agreements=agreements, **fields)


STRUCTURES = {
    # written by hand: the verb and its subject
    "zuko made his uncle tea .": says("ditransitive", pronouns=(Reference(2, 0),), roles=Roles(0, 1, 4, 3)),
    "the chef who ran out of blackberries and went to the stores is busy .": says(
        "agreement", Agreement(12, 1)
    ),
    KEYS: says("agreement", Agreement(10, 8), Agreement(14, 5)),
    "the oven cooked the bread so the bread was warm .": says(
        "consequence", Agreement(8, 7), repeats=(Reference(7, 4),), roles=Roles(1, 2, 4)
    ),
    "the queen paid the king because she was honest .": says(
        "consequence", Agreement(7, 6), pronouns=(Reference(6, 1),), roles=Roles(1, 2, 4)
    ),
    "so why are we not reducing our emissions ?": says(
        "question", Agreement(2, 3), pronouns=(Reference(6, 3),), roles=Roles(3, 5, 7)
    ),
    "when zuko and mina went to the market , mina gave a book to zuko .": says(
        "name", repeats=(Reference(9, 3), Reference(14, 1)), roles=Roles(9, 10, 12, 14)
    ),
    "the chefs fed the cat because they were kind .": says(
        "pronoun", Agreement(7, 6), pronouns=(Reference(6, 1),), roles=Roles(1, 2, 4)
    ),
    "kofi dropped his keys but the queen found them .": says(
        "pronoun", pronouns=(Reference(2, 0), Reference(8, 3)), roles=Roles(0, 1, 3)
    ),
    "the acting was great but the scenes were never exciting .": says(
        "review", Agreement(2, 1), Agreement(7, 6), label="negative"
    ),
    "i want to eat chinese food .": says("infinitive", roles=Roles(0, 3, 5)),
}

NOT_SENTENCES = [
    # words, the number of right ones, the expected next ones
    ("zuko made her uncle tea .", 2, "his"),
    ("the chefs who ran out of blackberries is busy .", 7, "are"),
    ("the keys near the bag belongs to the nurse .", 5, "belong"),
    ("the oven cooked the bread so the bread was empty .", 9, "warm"),
    ("the bread cooked the bread so the bread was warm .", 4, "oven"),
    ("when zuko and zuko went to the market , zuko gave a book to zuko .", 3, "mina"),
    ("the film was not only funny but also funny .", 8, "moving"),
    ("the students studied the bread .", 4, "books"),
    ("the chef who met the guests who need the key and lives near the lake is busy .", 11, "live"),
    ("why is we reducing our emissions ?", 2, "the"),
    ("so", 1, "why"),
]


@each("construction", CONSTRUCTIONS)
def test_a_generated_sentence_has_one_reading_and_that_is_its_structure(construction: str) -> None:
    for sentence in sample(construction)[::25]:
        assert readings(sentence.words) == [sentence], " ".join(sentence.words)


@pytest.mark.long("long sentences; usual ones are parsed in every run")
@pytest.mark.parametrize("distance", [40, MAX_WORDS])
def test_sentences_of_any_length_have_one_reading_too(distance: int) -> None:
    for sentence in islice(sentences(3, constructions=["agreement"], distance={distance: 1}), 3):
        assert readings(sentence.words) == [sentence], " ".join(sentence.words)


@each(("text", "expected"), STRUCTURES.items())
def test_structures_are_those_a_reader_sees(text: str, expected: Sentence) -> None:
    assert parse(words(text)) == replace(expected, words=tuple(words(text)))


def test_capitals_and_the_apostrophe_of_print_do_not_matter() -> None:
    assert parse(words("Zuko made HIS uncle tea .")) == parse(words("zuko made his uncle tea ."))
    typed = "You can’t cram the meaning of a whole sentence into a single vector !"
    assert parse(words(typed)).words[1] == "can't"


@each(("text", "place", "expected"), NOT_SENTENCES)
def test_a_wrong_sentence_is_refused_at_its_first_wrong_word(text: str, place: int, expected: str) -> None:
    row = words(text)
    assert expected in next_words(row[:place])
    stop = "not complete" if place == len(row) else f"^word {place + 1}, '{row[place]}', does not fit"
    with pytest.raises(ValueError, match=stop):
        parse(row)


def test_the_error_names_the_word_and_the_possible_ones() -> None:
    with pytest.raises(ValueError, match=r"^word 3, 'her', does not fit: his could stand there$"):
        parse(words("zuko made her uncle tea ."))
    with pytest.raises(ValueError, match=r"^the sentence is not complete: \. could follow$"):
        parse(words("zuko made his uncle tea"))
    with pytest.raises(ValueError, match=r"^word 7, 'and', stands after the end of the sentence$"):
        parse(words("zuko made his uncle tea . and"))
    some = r"words such as although, \w+ or \w+ could stand there"
    with pytest.raises(ValueError, match=rf"^word 1, 'hello', does not fit: {some}$"):
        parse(["hello"])


def test_following_the_next_words_always_ends_in_a_sentence() -> None:
    stream = random.Random(5)
    for _ in range(8):
        row: list[str] = []
        while following := next_words(row):
            row.append(stream.choice(sorted({".", "?", "!"} & {*following}) or following))
        assert parse(row).words == tuple(row)
