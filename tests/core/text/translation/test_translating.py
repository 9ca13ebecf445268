"""Every sentence has one translation by the rules; no pair of nouns is both in training and in test."""

import re
from functools import cache
from itertools import islice

from core.text import language
from core.text.language import Sentence, parse
from core.text.translation import NAME, RULES, Split, sentences, translate, vocabulary, with_a_neighbour
from core.text.translation.forms import adjectives
from core.text.translation.rules import Rule
from core.text.translation.splits import SPLITS, kept_for, pairs, split_of
from tests.core.text.language.samples import every
from tests.covering import each

BY_HAND = {
    "the key that the gardeners sold is heavy .": "este lo klavo ke las jardinoras ha vendit gravo .",
    "the chef who likes the teacher who lost the key is tired .": (
        "este lo kefo ki la maestra plase ki lo klavo ha perdit laso ."
    ),
    "zuko lost his key so he was sad .": "ha perdit zuko klavo luo do era il tristo .",
    "mina lost her lamp but zuko found it .": "ha perdit mina lampa sua ma ha trovit zuko ita .",
    "the cat sleeps in the garden .": "dorme lo gato enlo jardino .",
    "the chef gave the student a key .": "ha donit lo kefo allo studento un klavo .",
    "mina gave her aunts a ring .": "ha donit mina al tias suas un anelo .",
    "although i did not like the film , the music was not only good but also funny .": (
        "era la musika ne soli bona ma anki komika , banke mi lo filmo ne ha plasit ."
    ),
    "so why are the chefs not eating their rice ?": "do porke los kefos riso loro ne manjen ?",
    "i want to eat italian soup .": "volen mi supa italika manjer .",
    "let the good ones go !": "lasen los bonos vader !",
    "we can't put the meaning of a whole life into a single word .": (
        "ne pote noi lo senso de una vita tuta inte una vorta sola poner ."
    ),
    "the baker who ran out of flour and met the chef near the road waits for the nurse .": (
        "atende lo panero ki farina ha eksaustit e lo kefo apela ruta ha enkontrit porla infirma ."
    ),
    "when anna and omar went to the store , anna gave a key to omar .": (
        "ha donit anna un klavo al omar , kando anna e omar alla butika ha vadit ."
    ),
}
"""Sentences and what the rules make of them, worked out without the program."""


def read(text: str) -> Sentence:
    return parse(text.split())


@each(("text", "expected"), BY_HAND.items())
def test_a_translation_is_the_one_worked_out_by_hand(text: str, expected: str) -> None:
    assert " ".join(translate(read(text)).words) == expected


ALIGNED = {
    # verb first and in two, its subject next, `to the` as one and the recipient's mark from nothing but `the`
    "the chef gave the student a key .": "2-0 2-1 0-2 1-3 3-4 4-5 5-6 6-7 7-8",
    # `is` to the front over the whole subject, the clause about the key with its verb last
    "the key that the gardeners sold is heavy .": "6-0 0-1 1-2 2-3 3-4 4-5 5-6 5-7 7-8 8-9",
    # negation before the verb, `is eating` one word at the end
    "why is the chef not eating the soup ?": "0-0 2-1 3-2 6-3 7-4 4-5 1-6 5-6 8-7",
    # a verb of three words that becomes two
    "the chef who ran out of flour is tired .": "7-0 0-1 1-2 2-3 6-4 3-5 4-5 5-5 3-6 4-6 5-6 8-7 9-8",
    "let the good ones go !": "0-0 1-1 2-2 3-2 4-3 5-4",
    "zuko gave his uncle a key .": "1-0 1-1 0-2 3-3 3-4 2-5 4-6 5-7 6-8",
}


@each(("text", "links"), ALIGNED.items())
def test_an_alignment_is_the_one_drawn_by_hand(text: str, links: str) -> None:
    expected = {tuple(map(int, link.split("-"))) for link in links.split()}
    assert translate(read(text)).alignment == expected


def test_every_sentence_is_translated_with_all_its_words_linked_and_no_two_alike() -> None:
    known, seen = vocabulary(), dict[tuple[str, ...], tuple[str, ...]]()
    for sentence in every():
        found = translate(sentence)
        sources, targets = (set(side) for side in zip(*found.alignment, strict=True))
        assert sources == set(range(len(sentence.words))), sentence.words
        assert targets == set(range(len(found.words))), sentence.words
        assert all(word in known for word in found.words), found.words
        assert seen.setdefault(found.words, sentence.words) == sentence.words
    assert len(seen) > 1600


def test_a_predicate_ends_as_its_subject_asks_and_a_pronoun_as_its_antecedent() -> None:
    told = "mina lost her lamp but zuko found it .", "zuko lost his ring but mina found it ."
    assert [translate(read(text)).words[-2] for text in told] == ["ita", "ito"]
    for text, ending in [
        ("the lamps near the ring are new .", "as"),
        ("the lamp near the rings is new .", "a"),
        ("the ring near the lamps is new .", "o"),
        ("the nurses fed the cat because they were kind .", "as"),
        ("the nurses fed the cat because it was old .", "o"),
    ]:
        adjective = [i for i, word in enumerate(read(text).words) if word in adjectives()][-1]
        translation = translate(read(text))
        (place,) = (target for source, target in translation.alignment if source == adjective)
        assert re.fullmatch(rf"(nov|jentil|antik){ending}", translation.words[place])


@each("rule", RULES)
def test_a_rule_has_an_example_sentence_with_its_words(rule: Rule) -> None:
    sentence = read(rule.example)
    assert set(rule.shown) <= set(sentence.words)
    places = [i for i, word in enumerate(sentence.words) if word in rule.shown]
    links = {link for link in translate(sentence).alignment if link[0] in places}
    # An example never shows a word that stays alone in its place.
    assert any(target != source for source, target in links) or len(links) != len(places)
    assert NAME not in rule.says


@cache
def sample(split: Split) -> tuple[Sentence, ...]:
    return tuple(islice(sentences(0, split=split), 300))


@each("split", SPLITS)
def test_sentences_of_a_split_are_of_it_and_the_same_each_time(split: Split) -> None:
    assert {split_of(sentence) for sentence in sample(split)} == {split}
    assert tuple(islice(sentences(0, split=split), 20)) == sample(split)[:20]
    assert tuple(islice(sentences(1, split=split), 20)) != sample(split)[:20]


def test_no_pair_of_nouns_that_is_tested_or_validated_with_is_ever_learned_from() -> None:
    met = {split: {pair for each in sample(split) for pair in pairs(each)} for split in SPLITS}
    for_validation = {pair for pair in met["validation"] if kept_for(pair) == "validation"}
    for_test = {pair for pair in met["test"] if kept_for(pair) == "test"}
    assert min(len(for_validation), len(for_test)) > 25
    assert not met["train"] & (for_validation | for_test)
    assert not met["validation"] & for_test


def test_held_out_sentences_of_the_language_are_held_out_here() -> None:
    tested = [sentence for sentence in every() if language.split_of(sentence) == "test"]
    drawn = islice(language.sentences(3, split="test"), 50)
    assert {split_of(sentence) for sentence in (*tested, *drawn)} == {"test"}


def test_pairs_are_of_lemmas_mentioned_one_after_the_other_in_either_order() -> None:
    sentence = read("the oven cooked the eggs so the oven was cold .")
    assert pairs(sentence) == (("egg/eggs", "oven/ovens"),) * 2
    assert pairs(read("i did not hate the film .")) == ()
    assert pairs(read("omar met anna near the store and omar thanked anna .")) == (
        ("anna", "omar"),
        ("anna", "store/stores"),
        ("omar", "store/stores"),
        ("anna", "omar"),
    )


def test_a_neighbour_has_one_other_word_in_the_same_place_or_none() -> None:
    learned = [read("the chef cooked the soup ."), read("the cat sleeps in the garden .")]
    tested = [
        "the baker cooked the soup .",
        "the chef cooked the rice .",
        "the chef cooked the soup .",
        "the baker cooked the rice .",
        "the cat sleeps .",
        "the cats sleep in the garden .",
    ]
    expected = [True, True, True, False, False, False]
    assert with_a_neighbour([read(text) for text in tested], learned) == expected
    assert with_a_neighbour([], learned) == []
    assert with_a_neighbour([learned[0]], []) == [False]
    shifted = (Sentence(words=words, construction="none") for words in (("a", "b"), ("b", "c")))
    assert with_a_neighbour([next(shifted)], shifted) == [False]
