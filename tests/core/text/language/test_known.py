"""The list of known words is complete, each is listed once, and an unknown word gets the nearest one."""

from itertools import chain

from core.text.language import SPECIAL, vocabulary
from core.text.language.known import OTHERS, kinds_expected, nearest, words_by_kind
from tests.covering import each


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
