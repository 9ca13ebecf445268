"""The words of the sentences: each known, numbered and of one kind; an unknown one gets the nearest."""

from hashlib import blake2b
from itertools import chain

import torch

from core.text.language import MASK, PAD, START, UNKNOWN, encode, parse, vocabulary
from core.text.language.known import OTHERS, kinds_expected, nearest, words_by_kind
from core.text.language.vocabulary import SPECIAL
from core.text.tokenizer import words_of
from pages.contract.examples import EXAMPLES
from tests.core.text.language.samples import next_words
from tests.covering import each

WHOLE = [
    # the sources' sentences that say all they have to, and how they end here
    ("Zuko made his uncle tea", "."),
    ("the cat walks on the street", "."),
    ("So why are we not reducing our emissions?", ""),
    ("I want to eat Chinese food", "."),
    ("You can't cram the meaning of a whole sentence into a single vector!", ""),
    # and one of our own
    ("Maria met Zuko near the stores and Zuko praised Maria.", ""),
]
BEGUN = [
    "Maria met Zuko near the stores and Zuko praised",
    # and the unfinished ones
    "The chef who ran out of blackberries and went to the stores is",
    "the oven cooked the bread so",
    "the bread cooked the oven so",
    "the bread cooked the oven",
    "The students studied the",
    "Let the good ones",
    "I want to eat Chinese",
]
SWEDISH = "Så varför minskar inte vi våra utsläpp?"
"""The one example of the app that is not English."""


def test_the_special_words_come_first_and_the_rest_is_sorted_and_in_small_letters() -> None:
    known = vocabulary().words
    assert known[:4] == (PAD, UNKNOWN, MASK, START) == ("<pad>", "<unk>", "<mask>", "<s>")
    assert vocabulary() is vocabulary()


def test_no_word_ever_changes_its_number() -> None:
    known = " ".join(vocabulary().words)
    assert len(known.split()) == len(vocabulary()) == 531
    assert blake2b(known.encode(), digest_size=8).hexdigest() == "343403d258f69884"


@each(("text", "end"), WHOLE)
def test_the_sentences_of_the_sources_are_in_the_language(text: str, end: str) -> None:
    words = words_of(text + end)
    assert encode(words).unknown == ()
    assert parse(words).words == tuple(word.lower() for word in words)
    assert next_words(words_of(text)) in (tuple(end), ("!", "."))


@each("text", BEGUN)
def test_the_beginnings_of_the_sources_are_beginnings_in_the_language(text: str) -> None:
    words = [*words_of(text)]
    assert encode(words).unknown == ()
    while following := next_words(words):
        words.append(following[0])
    assert parse(words).words[: len(words_of(text))] == tuple(word.lower() for word in words_of(text))


def test_every_example_of_the_app_is_or_begins_a_sentence_but_for_the_translation() -> None:
    in_the_language = {text + end for text, end in WHOLE} | {text for text, _ in WHOLE} | {*BEGUN}
    assert {*EXAMPLES} - in_the_language == {SWEDISH}
    assert encode(words_of(SWEDISH)).unknown == (0, 1, 2, 3, 4, 5, 6)


def test_words_become_a_batch_of_one_and_special_ones_cannot_be_typed() -> None:
    encoding = encode(words_of("Zuko made HIS uncle tea."))
    assert (encoding.tokens.dtype, encoding.unknown) == (torch.long, ())
    assert vocabulary().decode(encoding.tokens[0]) == ["zuko", "made", "his", "uncle", "tea", "."]
    assert (tuple(encode([]).tokens.shape), encode([]).unknown) == ((1, 0), ())
    assert encode([START, "the", MASK, PAD]).tokens[0, [0, 2, 3]].tolist() == [3, 2, 0]
    assert MASK not in words_of("the <mask> is")
    encoding = encode(words_of("Så varför the chef?"))
    assert encoding.unknown == (0, 1)
    assert vocabulary().decode(encoding.tokens[0]) == [UNKNOWN] * 2 + ["the", "chef", "?"]


def test_every_word_is_of_one_kind() -> None:
    listed = list(chain.from_iterable(words_by_kind().values()))

    assert sorted([*SPECIAL, *listed]) == sorted(vocabulary().words)


@each(
    ("kind", "word"),
    [
        ("names", "zuko"),
        ("nouns", "uncle"),
        ("pronouns", "his"),
        ("verbs", "studied"),
        ("adjectives", "chinese"),
        (OTHERS, "near"),
        (OTHERS, "."),
    ],
)
def test_a_word_is_listed_under_its_kind(kind: str, word: str) -> None:
    assert word in words_by_kind()[kind]


@each(
    ("word", "expected"),
    [("storess", ("stores",)), ("Stores’", ("Stores",)), ("qqqq", ()), ("<unk>", ()), ("", ())],
)
def test_the_nearest_known_word_comes_first(word: str, expected: tuple[str, ...]) -> None:
    assert nearest(word)[:1] == expected


def test_the_beginning_of_a_word_is_completed_by_the_shortest_first() -> None:
    found = nearest("chi", 3)
    assert [nearest("chi", n) for n in (1, 2)] == [found[:1], found[:2]]
    assert all(word.startswith("chi") for word in found)
    assert list(map(len, found)) == sorted(map(len, found))
    assert nearest("Chi")[0] == found[0].capitalize()


@each(
    ("text", "kinds", "proposed"),
    [
        ("I had", ("verbs",), ()),
        ("the oven cokked", ("verbs",), ("cooked",)),
        ("the bok", ("nouns", "adjectives"), ("book",)),
        ("near storess", ("nouns", "names"), ("stores",)),
        ("the old uncl", ("nouns",), ("uncle",)),
        ("we met Zukko", ("names", "nouns", "adjectives"), ("Zuko",)),
        ("qqq bok", (), ()),
    ],
)
def test_only_words_of_a_kind_that_can_follow_are_proposed(
    text: str, kinds: tuple[str, ...], proposed: tuple[str, ...]
) -> None:
    words = text.split()
    at = len(words) - 1
    assert kinds_expected(words, at) == kinds
    assert nearest(words[-1], 1, kinds) == proposed
    assert set(kinds_expected(("Teh", "cat"), 0)) == {"names", "pronouns", "nouns", OTHERS}
