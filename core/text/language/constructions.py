"""What kinds of sentences there are, how often each is drawn, and the rules each begins with."""

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
"""Every construction, and how many of a hundred sentences are of it when all are asked for.

The most go to who did what to whom, which takes models longest to learn, and not to the longest.
"""

CONSTRUCTIONS = tuple(SHARES)

_REVIEWS: dict[str, Label] = {
    "praise of a film": "positive",
    "blame of a film": "negative",
    "praise of a meal": "positive",
    "blame of a meal": "negative",
}


def starts(construction: str) -> dict[str, Label | None]:
    """The rules that sentences of a construction begin with, equally often, and the label of each."""
    return {**_REVIEWS} if construction == "review" else {construction: None}
