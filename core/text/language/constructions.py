"""The constructions of the language, how often each is drawn, and the rules each begins with."""

from core.text.language.sentence import Label

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
