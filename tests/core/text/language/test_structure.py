"""The annotations of a sentence agree with the lexicon, read here in another way."""

import re

from core.text.language import Sentence
from tests.core.text.language.samples import NUMBER, PLURAL_VERBS, SINGULAR_VERBS, every, genders, sample
from tests.covering import each

GENDER_OF = {
    **dict.fromkeys(["he", "him", "his"], "masculine"),
    **dict.fromkeys(["she", "her"], "feminine"),
    **dict.fromkeys(["it", "its"], "neuter"),
}
PLURAL_PRONOUNS = {"they", "them", "their"}
NOUNS = {word for word in NUMBER if word not in {"he", "she", "it", "they"}}


def text(sentence: Sentence) -> str:
    return " ".join(sentence.words)


def test_a_verb_has_the_number_of_its_subject() -> None:
    seen = 0
    for sentence in every():
        for agreement in sentence.agreements:
            verb, subject = sentence.words[agreement.verb], sentence.words[agreement.subject]
            assert verb in (SINGULAR_VERBS if NUMBER[subject] == "singular" else PLURAL_VERBS), text(sentence)
            seen += 1
    assert seen > 1200


def test_nouns_of_the_other_number_come_between_a_verb_and_its_subject() -> None:
    counts = set()
    for sentence in every():
        for agreement in sentence.agreements:
            number = NUMBER[sentence.words[agreement.subject]]
            first, last = sorted((agreement.subject, agreement.verb))
            counts.add(sum(NUMBER.get(word, number) != number for word in sentence.words[first + 1 : last]))
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


ROLES_AT = {
    # construction: agent, verb, patient and recipient as a pattern sees them
    "consequence": r"the (?P<agent>\w+) (?P<verb>\w+) the (?P<patient>\w+) (so|because) .*",
    "transitive": r"the (?P<agent>\w+) (\w+ the \w+ )?(?P<verb>\w+) the (?P<patient>\w+) \.",
    "ditransitive": r"(the )?(?P<agent>\w+) (?P<verb>\w+) \w+ (?P<recipient>\w+) (a )?(?P<patient>\w+) \.",
    "name": r".* (,|and) (?P<agent>\w+) (?P<verb>\w+) (a )?(?P<patient>\w+)( to (?P<recipient>\w+))? \.",
    "question": r"((so|and) )?why \w+ (the )?(?P<agent>\w+) (not )?(?P<verb>\w+ing) \w+ (?P<patient>\w+) \?",
}


@each("construction", ROLES_AT)
def test_roles_are_where_a_pattern_finds_them(construction: str) -> None:
    for sentence in sample(construction):
        match = re.fullmatch(ROLES_AT[construction], text(sentence))
        assert match is not None, text(sentence)
        for role, word in match.groupdict().items():
            place = getattr(sentence.roles, role)
            assert (None if word is None else match.start(role)) == (
                None if place is None else len(" ".join(sentence.words[:place])) + (place > 0)
            ), f"{role} of: {text(sentence)}"
