"""The structure of a sentence, from its words and their dependencies."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from core.text.language.forms import Form
from core.text.language.grammar import Kind
from core.text.language.sentence import Agreement, Label, Reference, Roles, Sentence


class Leaf(NamedTuple):
    """A word as drawn or read: its form, its kind and the position of the word it depends on."""

    form: Form
    kind: Kind
    of: int | None


Scope = dict[str, int]
"""The positions of the named words."""

DISTINCT: frozenset[Kind] = frozenset({"noun", "word"})
"""Kinds of words that are not drawn twice, so that a sentence does not repeat a noun."""


def fresh(forms: Sequence[Form], kind: Kind, leaves: Sequence[Leaf]) -> Sequence[Form]:
    """Return the forms of words that the sentence does not have yet, or all forms if it has them all."""
    if len(forms) == 1 or kind not in DISTINCT:
        return forms
    return unused(forms, {leaf.form.lemma for leaf in leaves if leaf.kind in DISTINCT})


def unused(forms: Sequence[Form], used: Collection[str]) -> Sequence[Form]:
    """Return the forms whose lemmas are not used, or all forms if all are used."""
    return [form for form in forms if form.lemma not in used] or forms


def outlined(leaves: Sequence[Leaf], names: Scope, construction: str) -> Sentence:
    """Return the words and roles of these leaves: the part of `structured` that a split needs."""
    return Sentence(tuple(leaf.form.text for leaf in leaves), construction, roles=_roles(names))


def structured(leaves: Sequence[Leaf], names: Scope, construction: str, label: Label | None) -> Sentence:
    """Return the sentence that these leaves make."""
    return Sentence(
        words=tuple(leaf.form.text for leaf in leaves),
        construction=construction,
        agreements=_agreements(leaves),
        pronouns=_references(leaves, "pronoun"),
        repeats=_references(leaves, "repeat"),
        roles=_roles(names),
        label=label,
    )


def _agreements(leaves: Sequence[Leaf]) -> tuple[Agreement, ...]:
    pairs = []
    for position, (_, kind, of) in enumerate(leaves):
        if of is not None and kind in ("verb", "noun"):
            pairs.append((position, of) if kind == "verb" else (of, position))
    return tuple(Agreement(verb, subject) for verb, subject in sorted(pairs))


def _references(leaves: Sequence[Leaf], kind: Kind) -> tuple[Reference, ...]:
    return tuple(
        Reference(position, leaf.of)
        for position, leaf in enumerate(leaves)
        if leaf.kind == kind and leaf.of is not None
    )


def _roles(names: Scope) -> Roles | None:
    if "patient" not in names:
        return None
    return Roles(names["agent"], names["verb"], names["patient"], names.get("recipient"))
