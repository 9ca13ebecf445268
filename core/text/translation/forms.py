"""The words of the second language in every form, by the English word that they translate."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.text.language import PAD, START, UNKNOWN
from core.text.language import forms as english
from core.text.language import lexicon as ours
from core.text.language.forms import Number
from core.text.tokenizer import Vocabulary
from core.text.translation import lexicon

Gender = Literal["masculine", "feminine"]
VerbForm = Literal["singular", "plural", "past", "ing"]

GENDER_OF_ENDING: dict[str, Gender] = {"o": "masculine", "a": "feminine"}
ENDINGS: dict[tuple[Gender, Number], str] = {
    ("masculine", "singular"): "o",
    ("feminine", "singular"): "a",
    ("masculine", "plural"): "os",
    ("feminine", "plural"): "as",
}
"""Endings of adjectives and possessives."""

VERB_ENDINGS: dict[str, str] = {"singular": "e", "plural": "en", "infinitive": "er", "past": "it"}
"""Endings of verbs; the past has the auxiliary before it."""


@dataclass(frozen=True)
class Agreement:
    """Features with which the words around a noun agree."""

    gender: Gender
    number: Number


@dataclass(frozen=True)
class Noun:
    """The translation of one form of a noun, and the features its companions agree with."""

    text: str
    agreement: Agreement


@dataclass(frozen=True)
class Verb:
    """The stem of a verb's translation, and the form of the English word."""

    stem: str
    form: VerbForm


def ended(stem: str, agreement: Agreement) -> str:
    """Return an adjective or a possessive in the gender and number of its noun."""
    return stem + ENDINGS[agreement.gender, agreement.number]


def agreeing(word: str, agreement: Agreement) -> str:
    """Return the article or pronoun that translates `word`, in its gender and number."""
    forms = lexicon.AGREEING[word].split()
    plural = len(forms) == 4 and agreement.number == "plural"
    return forms[2 * plural + (agreement.gender == "feminine")]


@cache
def nouns() -> dict[str, Noun]:
    """Return every noun and name by its English form. A name is the same in both languages."""
    table, found = _table(lexicon.NOUNS), {}
    for name in ours.NOUNS:
        for form in english.noun_forms(name):
            if form.gender != "speaker":
                found[form.text] = _noun(form, table)
    return found


def _noun(form: english.Form, table: dict[str, str]) -> Noun:
    assert form.number is not None, "nouns have a number"
    if form.text in names():
        gender: Gender = "masculine" if form.gender == "masculine" else "feminine"
        return Noun(form.text, Agreement(gender, form.number))
    text = table[form.lemma.strip("/").partition("/")[0]]
    agreement = Agreement(GENDER_OF_ENDING[text[-1]], form.number)
    return Noun(text + ("s" if form.number == "plural" else ""), agreement)


@cache
def names() -> frozenset[str]:
    """Return the names of persons."""
    return frozenset(f"{ours.FEMININE_NAMES} {ours.MASCULINE_NAMES}".split())


@cache
def adjectives() -> dict[str, str]:
    """Return the stem of every adjective by the English word."""
    return _table(lexicon.ADJECTIVES)


@cache
def verbs() -> dict[str, Verb]:
    """Return every form of a verb by the English word. A form that may be a past, such as `beat`, is one."""
    kinds: tuple[VerbForm, ...] = ("singular", "plural", "past", "ing")
    entries = [entry.split("/") for row in ours.VERBS.values() for entry in row.split()]
    whole = {entry[1]: entry for entry in entries if entry[0] not in lexicon.COPULAS}
    found: dict[str, Verb] = {}
    for listed, stem in _table(lexicon.VERBS).items():
        base, _, past = listed.partition("/")
        forms = whole.get(base, [])
        found |= {form: Verb(stem, kind) for form, kind in zip(forms, kinds, strict=False)}
        found.setdefault(base, Verb(stem, "plural"))
        if past:
            found[past] = Verb(stem, "past")
    return found


def _table(text: str) -> dict[str, str]:
    """Return the entries of a table of the lexicon."""
    return dict(entry.split("=") for entry in text.split())


def every_form() -> Iterator[str]:
    """Yield every word that a translation can have, some of them several times."""
    yield from (noun.text for noun in nouns().values())
    for stem in (*adjectives().values(), *lexicon.POSSESSIVES.values()):
        yield from (stem + ending for ending in ENDINGS.values())
    for verb in verbs().values():
        yield from _finite(verb)
    for forms in lexicon.AGREEING.values():
        yield from forms.split()
    for preposition in lexicon.PREPOSITIONS.values():
        yield from (preposition, *(preposition + article for article in lexicon.AGREEING["the"].split()))
    yield from (*lexicon.SMALL_WORDS.values(), *lexicon.COPULAS.values(), *lexicon.CANNOT)
    yield from (lexicon.AUXILIARY, lexicon.AT_HOME)


@cache
def content_words() -> frozenset[str]:
    """Return nouns, names, adjectives and verbs in every form, without the words of the grammar."""
    adjective = (stem + ending for stem in adjectives().values() for ending in ENDINGS.values())
    verb = (form for verb in verbs().values() for form in _finite(verb))
    return frozenset((*(noun.text for noun in nouns().values()), *adjective, *verb))


def _finite(verb: Verb) -> Iterator[str]:
    """Yield the forms that an English form can become; a plural form may also be an infinitive."""
    if verb.form == "plural":
        yield verb.stem + VERB_ENDINGS["infinitive"]
        yield verb.stem + VERB_ENDINGS["past"]  # did not like
    if verb.form == "ing":
        yield from (verb.stem + VERB_ENDINGS[number] for number in ("singular", "plural"))
    else:
        yield verb.stem + VERB_ENDINGS[verb.form]


END = "</s>"
SPECIAL = (PAD, UNKNOWN, START, END)
"""Padding, the unknown word, and the marks of a translation's beginning and end."""


@cache
def vocabulary() -> Vocabulary:
    """Return the special words, then every word that a translation can have, sorted."""
    return Vocabulary((*SPECIAL, *sorted(set(every_form()))))
