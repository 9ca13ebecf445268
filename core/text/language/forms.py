"""A word as it can be drawn: its text, and the features that other words must agree with."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.text.language.lexicon import GENDERS, NOUNS, PRONOUNS, VERBS, WORDS

Number = Literal["singular", "plural"]
NUMBERS: tuple[Number, ...] = ("singular", "plural")
_VERB_FORMS: dict[str, tuple[int, Number | None]] = {
    "singular": (0, "singular"),
    "plural": (1, "plural"),
    "base": (1, None),
    "past": (2, None),
    "ing": (3, None),
}
"""The index of each form of a verb in the lexicon's list, and the number it shows."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a word; all its forms share `lemma`.

    Only nouns and pronouns have a gender. Nouns, pronouns and verbs of the present have a number, and
    so have was and were.
    """

    text: str
    lemma: str
    number: Number | None = None
    gender: str | None = None


def gender(entry: str) -> str:
    """Return the gender of a noun in the lexicon: masculine, feminine, common, speaker or neuter."""
    for name, entries in GENDERS.items():
        if entry in entries.split():
            return name
    return "neuter"


def noun_forms(name: str, number: str | None = None) -> tuple[Form, ...]:
    """Return every form of the nouns in a class, or those of one number."""
    return tuple(
        Form(text, entry, each, gender(entry))
        for entry in NOUNS[name].split()
        for each, text in zip(NUMBERS, entry.split("/"), strict=False)
        if text and number in (None, each)
    )


@cache
def noun_numbers() -> dict[str, Number | None]:
    """Return the number of every noun, by its form in a sentence."""
    return {form.text: form.number for name in NOUNS for form in noun_forms(name)}


def verb_forms(name: str, *forms: str) -> tuple[Form, ...]:
    """Return some forms of the verbs in a class: singular, plural (of the present), base, past, ing."""
    return tuple(
        Form(entry.split("/")[index], entry, number)
        for entry in VERBS[name].split()
        for index, number in (_VERB_FORMS[form] for form in forms)
    )


def pronoun_forms(case: str) -> dict[tuple[str, Number], Form]:
    """Return the pronouns of a case by the gender and number of the noun they stand for."""
    return {
        (gender, number): Form(text, text, number, gender)
        for gender, entry in PRONOUNS[case].items()
        for number, text in zip(NUMBERS, entry.split("/"), strict=False)
        if text
    }


def plain_forms(name: str) -> tuple[Form, ...]:
    """Return the words of a class that has one form each, or those listed between bars: warm|hot."""
    texts = name.split("|") if "|" in name else WORDS[name].split()
    return tuple(Form(text, text) for text in texts)
