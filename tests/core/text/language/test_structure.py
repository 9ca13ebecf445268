"""What a sentence says about itself agrees with the lexicon, read here in another way."""

import re

import pytest

from core.text.language import Sentence, parse
from core.text.language.forms import noun_numbers
from tests.core.text.language.samples import (
    NAMES,
    NUMBER,
    PLURAL_VERBS,
    SINGULAR_VERBS,
    every,
    genders,
    sample,
)

GENDER_OF = {
    **dict.fromkeys(["he", "him", "his"], "masculine"),
    **dict.fromkeys(["she", "her"], "feminine"),
    **dict.fromkeys(["it", "its"], "neuter"),
}
PLURAL_PRONOUNS = {"they", "them", "their"}
NOUNS = {word for word in NUMBER if word not in {"he", "she", "it", "they"}}


def text(sentence: Sentence) -> str:
    return " ".join(sentence.words)


def test_no_noun_form_is_a_verb_form_so_the_number_of_a_noun_is_its_own() -> None:
    assert set() == NOUNS & (SINGULAR_VERBS | PLURAL_VERBS)
    assert set() == SINGULAR_VERBS & PLURAL_VERBS


def test_a_verb_has_the_number_of_its_subject() -> None:
    seen = 0
    for sentence in every():
        for agreement in sentence.agreements:
            verb, subject = sentence.words[agreement.verb], sentence.words[agreement.subject]
            assert NUMBER[subject] == agreement.number, text(sentence)
            assert verb in (SINGULAR_VERBS if agreement.number == "singular" else PLURAL_VERBS), text(
                sentence
            )
            seen += 1
    assert seen > 3000


def test_every_verb_that_shows_a_number_has_its_agreement() -> None:
    for sentence in every():
        row = sentence.words
        found = [
            i for i, word in enumerate(row) if word in SINGULAR_VERBS | PLURAL_VERBS and not bare(row, i)
        ]
        assert [agreement.verb for agreement in sentence.agreements] == found, text(sentence)


def bare(row: tuple[str, ...], place: int) -> bool:
    """Whether a verb shows no number where it stands: to study, let the ones rest, did not like, I want."""
    return row[place - 1] in ("to", "ones", "i", "you", "we") or row[place - 2 : place] == ("did", "not")


def test_the_subject_of_the_main_verb_is_the_first_noun_and_of_a_relative_verb_the_noun_before() -> None:
    for sentence in sample("agreement"):
        words = sentence.words
        start = words.index(",") + 1 if words[0] == "near" else 0
        first = next(place for place in range(start, len(words)) if words[place] in NOUNS)
        main = max(sentence.agreements, key=lambda agreement: agreement.verb)
        assert main.subject == first, text(sentence)
        for agreement in sentence.agreements:
            if words[agreement.verb - 1] in ("who", "that"):
                assert agreement.subject == agreement.verb - 2, text(sentence)


def test_attractors_are_the_nouns_of_the_other_number_in_between() -> None:
    counts = set()
    for sentence in every():
        for agreement in sentence.agreements:
            first, last = sorted((agreement.subject, agreement.verb))
            others = [
                word
                for word in sentence.words[first + 1 : last]
                if NUMBER.get(word, agreement.number) != agreement.number
            ]
            assert agreement.attractors == len(others), text(sentence)
            counts.add(len(others))
    assert counts >= {0, 1, 2, 3, 4, 5}


def test_a_pronoun_has_the_gender_and_number_of_its_antecedent_and_of_nothing_else_before_it() -> None:
    seen = set()
    for sentence in every():
        for reference in sentence.pronouns:
            pronoun = sentence.words[reference.word]
            fitting = [
                place
                for place in range(reference.word)
                if sentence.words[place] in NOUNS and fits(pronoun, sentence.words[place])
            ]
            assert fitting == [reference.antecedent], f"{pronoun} in: {text(sentence)}"
            seen.add(pronoun)
    assert seen == {"he", "him", "his", "she", "her", "it", "its", "they", "them", "their", "our"}


def fits(pronoun: str, noun: str) -> bool:
    if pronoun == "our":
        return noun == "we"
    if pronoun in PLURAL_PRONOUNS:
        return NUMBER[noun] == "plural"
    return NUMBER[noun] == "singular" and GENDER_OF[pronoun] in genders(noun)


def test_every_pronoun_of_the_third_person_has_its_antecedent() -> None:
    for sentence in every():
        found = [
            place
            for place, word in enumerate(sentence.words)
            if word in {*GENDER_OF, *PLURAL_PRONOUNS, "our"}
        ]
        assert [reference.word for reference in sentence.pronouns] == found, text(sentence)


def test_a_repeat_is_the_same_noun_again_and_no_other_noun_comes_twice() -> None:
    for sentence in every():
        for reference in sentence.repeats:
            assert reference.antecedent < reference.word
            assert sentence.words[reference.word] == sentence.words[reference.antecedent], text(sentence)
        said_again = {reference.word for reference in sentence.repeats}
        nouns = [
            word for i, word in enumerate(sentence.words) if word in NOUNS - {"i"} and i not in said_again
        ]
        assert len(set(nouns)) == len(nouns), text(sentence)


def test_a_sentence_with_names_says_both_again() -> None:
    for sentence in sample("name"):
        again = [sentence.words[reference.word] for reference in sentence.repeats]
        assert len(set(again)) == len(again) == 2
        assert {*again} <= NAMES


ROLES_AT = {
    # construction: agent, verb, patient and recipient as a pattern sees them
    "consequence": r"the (?P<agent>\w+) (?P<verb>\w+) the (?P<patient>\w+) (so|because) .*",
    "transitive": r"the (?P<agent>\w+) (\w+ the \w+ )?(?P<verb>\w+) the (?P<patient>\w+) \.",
    "ditransitive": r"(the )?(?P<agent>\w+) (?P<verb>\w+) \w+ (?P<recipient>\w+) (a )?(?P<patient>\w+) \.",
    "name": r".* (,|and) (?P<agent>\w+) (?P<verb>\w+) (a )?(?P<patient>\w+)( to (?P<recipient>\w+))? \.",
    "question": r"((so|and) )?why \w+ (the )?(?P<agent>\w+) (not )?(?P<verb>\w+ing) \w+ (?P<patient>\w+) \?",
}


@pytest.mark.parametrize("construction", ROLES_AT)
def test_roles_are_where_a_pattern_finds_them(construction: str) -> None:
    for sentence in sample(construction):
        match = re.fullmatch(ROLES_AT[construction], text(sentence))
        assert match is not None, text(sentence)
        for role, word in match.groupdict().items():
            place = getattr(sentence.roles, role)
            assert (None if word is None else match.start(role)) == (
                None if place is None else len(" ".join(sentence.words[:place])) + (place > 0)
            ), f"{role} of: {text(sentence)}"


def exchanged(sentence: Sentence, *, also_later: bool) -> list[str]:
    """The words with agent and patient in each other's place, in the first clause or throughout."""
    assert sentence.roles is not None
    agent, patient = (sentence.words[place] for place in (sentence.roles.agent, sentence.roles.patient))
    other = {agent: patient, patient: agent}
    end = len(sentence.words) if also_later else sentence.roles.patient + 1
    return [other.get(word, word) if place < end else word for place, word in enumerate(sentence.words)]


def test_exchanging_agent_and_patient_exchanges_the_roles() -> None:
    seen = 0
    for sentence in sample("consequence"):
        agent, patient = sentence.roles.agent, sentence.roles.patient
        if not sentence.repeats or NUMBER[sentence.words[agent]] != NUMBER[sentence.words[patient]]:
            continue
        swapped = parse(exchanged(sentence, also_later=True))
        assert sentence.roles == swapped.roles
        assert (
            swapped.words[agent] == sentence.words[patient] != swapped.words[patient] == sentence.words[agent]
        )
        assert swapped.repeats == sentence.repeats
        seen += 1
    assert seen > 150


def test_only_the_order_of_the_same_words_decides_which_consequence_follows() -> None:
    for sentence in sample("consequence"):
        row = exchanged(sentence, also_later=False)
        assert sorted(row) == sorted(sentence.words)
        # a cause is in the agent, so already the noun is wrong; an effect may be on either
        (again,) = sentence.repeats + sentence.pronouns
        place = again.word if "because" in row else len(row) - 2
        with pytest.raises(ValueError, match=f"at word {place + 1}, .* got '{row[place]}'"):
            parse(row)


def test_every_noun_tells_its_number() -> None:
    numbers = noun_numbers()
    assert (numbers["oven"], numbers["ovens"], numbers["bread"], numbers["noodles"]) == (
        "singular",
        "plural",
        "singular",
        "plural",
    )
    assert numbers["we"] == "plural"
    assert "sings" not in numbers
