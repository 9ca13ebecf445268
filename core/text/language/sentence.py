"""A sentence of the language and its structure. Positions count words from 0."""

from dataclasses import dataclass
from typing import Literal

Label = Literal["positive", "negative"]


@dataclass(frozen=True)
class Agreement:
    """A verb that agrees with a subject; in a question the verb comes first."""

    verb: int
    subject: int


@dataclass(frozen=True)
class Reference:
    """A word that refers to an earlier word."""

    word: int
    antecedent: int


@dataclass(frozen=True)
class Roles:
    """Agent, verb, patient and recipient of the main clause, as positions."""

    agent: int
    verb: int
    patient: int
    recipient: int | None = None


@dataclass(frozen=True)
class Sentence:
    """Words with their structure.

    `agreements` has every verb whose form depends on the number of its subject, relative clauses
    included, in the order of the verbs: not "I want", and nothing in the past but was and were.
    `pronouns` are in the third person, or "our"; `repeats` are repeated nouns and names. `roles` are set if
    the main clause is transitive, at the mentions in that clause. Only reviews have a `label`.
    """

    words: tuple[str, ...]
    construction: str
    agreements: tuple[Agreement, ...] = ()
    pronouns: tuple[Reference, ...] = ()
    repeats: tuple[Reference, ...] = ()
    roles: Roles | None = None
    label: Label | None = None
