"""Grammar rules written as templates, ready for drawing and for reading.

A template is a row of words and of places in braces. A place names a class of the lexicon or another rule,
and after it, each optional and in this order:

    .singular   the form wanted: singular or plural of a noun, also base, past or ing of a verb;
                .measured makes a rule's phrase as long as the distance asked for
    @a          what it depends on: a verb agrees with the noun a, a noun with the verb a, a pronoun stands
                for a, a phrase belongs to a (and calls it x)
    :b          the name it gets; a phrase makes its own x available under that name

`{=a}` says the word a again, and `{warm|hot}` is a class of two words. The names agent, verb, patient and
recipient say who does what to whom.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

from core.text.language.clauses import CLAUSES
from core.text.language.forms import NUMBERS, Form, Number, noun_forms, plain_forms, pronoun_forms, verb_forms
from core.text.language.lexicon import GENDERS, NOUNS, PRONOUNS, VERBS, WORDS
from core.text.language.reviews import REVIEWS
from core.text.language.sentence import Label
from core.text.language.subjects import SUBJECTS

Kind = Literal["literal", "word", "noun", "verb", "pronoun", "repeat"]
Head = tuple[str | None, Number | None]
"""The features that a word may have to agree with: the gender and number of another word."""

_PLACE = re.compile(r"\{(=?)([^{}.@:]+)(?:\.(\w+))?(?:@(\w+))?(?::(\w+))?\}")
_HEADS: tuple[Head, ...] = tuple(
    (gender, number) for gender in (*GENDERS, "neuter", None) for number in NUMBERS
)


@dataclass(frozen=True, eq=False)
class Slot:
    """A place for one word, with its forms by what they have to agree with; None for nothing."""

    kind: Kind
    forms: Mapping[Head | None, tuple[Form, ...]]
    of: str | None = None
    bind: str | None = None

    def options(self, head: Form | None) -> tuple[Form, ...]:
        """Return the forms that can stand here when this word depends on `head`."""
        if head is None:
            return self.forms[None]
        return (head,) if self.kind == "repeat" else self.forms[head.gender, head.number]


@dataclass(frozen=True, eq=False)
class Phrase:
    """A place for a phrase that the rules of `symbol` make."""

    symbol: str
    of: str | None = None
    bind: str | None = None
    measured: bool = False


@dataclass(frozen=True, eq=False)
class Rule:
    """One way to write a phrase, and how often it is drawn among the others."""

    weight: float
    slots: tuple[Slot | Phrase, ...]


@dataclass(frozen=True, eq=False)
class Symbol:
    """All ways to write a phrase."""

    rules: tuple[Rule, ...]

    @cached_property
    def totals(self) -> tuple[float, ...]:
        """Cumulative weights of the rules."""
        return tuple(accumulate(rule.weight for rule in self.rules))


def _slot(item: str) -> Slot | Phrase:
    match = _PLACE.fullmatch(item)
    if match is None:
        assert not set("{}@:") & set(item), f"not a word or a place: {item}"
        return Slot("literal", {None: (Form(item, item),)})
    again, name, form, of, bind = match.groups()
    if again:
        return Slot("repeat", {}, name, bind)
    if name in TEMPLATES:
        return Phrase(name, of, bind, measured=form == "measured")
    return _drawn(name, form, of, bind)


def _drawn(name: str, form: str | None, of: str | None, bind: str | None) -> Slot:
    """Return the slot for a word of the class `name`."""
    if name in PRONOUNS:
        return Slot("pronoun", {head: (each,) for head, each in pronoun_forms(name).items()}, of, bind)
    if name in NOUNS:
        return Slot("noun", _by_number(noun_forms(name, form), of), of, bind)
    if name in VERBS:
        forms = verb_forms(name, *([form] if form else NUMBERS))
        return Slot("verb" if of else "word", _by_number(forms, of), of, bind)
    return Slot("word", {None: plain_forms(name)}, of, bind)


def _by_number(forms: tuple[Form, ...], of: str | None) -> dict[Head | None, tuple[Form, ...]]:
    """Return the forms for every head they may have to agree with in number."""
    if of is None:
        return {None: forms}
    return {head: tuple(form for form in forms if form.number == head[1]) for head in _HEADS}


TEMPLATES = {**SUBJECTS, **CLAUSES, **REVIEWS}
"""Every rule of the language: a symbol, and the templates for it with their weights."""

assert len(TEMPLATES) == len(SUBJECTS) + len(CLAUSES) + len(REVIEWS), "a rule is defined twice"
assert not set(TEMPLATES) & {*NOUNS, *VERBS, *WORDS, *PRONOUNS}, (
    "a rule has the same name as a class of words"
)

GRAMMAR = {
    name: Symbol(
        tuple(Rule(weight, tuple(map(_slot, template.split()))) for template, weight in templates.items())
    )
    for name, templates in TEMPLATES.items()
}


SHARES = {
    "agreement": 20,
    "consequence": 27,
    "review": 12,
    "name": 12,
    "pronoun": 8,
    "ditransitive": 7,
    "question": 5,
    "transitive": 3,
    "locative": 3,
    "infinitive": 3,
}
"""Every construction with its percentage of sentences when all are asked for.

Consequences have the largest share, because models take longest to learn them.
"""

CONSTRUCTIONS = tuple(SHARES)

_REVIEWS: dict[str, Label] = {
    "praise of a film": "positive",
    "blame of a film": "negative",
    "praise of a meal": "positive",
    "blame of a meal": "negative",
}


def starts(construction: str) -> dict[str, Label | None]:
    """Return the rules with which sentences of a construction begin, equally often, and their labels."""
    return {**_REVIEWS} if construction == "review" else {construction: None}
