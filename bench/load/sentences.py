"""Sentences that students type, in words that the models know."""

from random import Random

LECTURED = (
    "The chef who ran out of blackberries and went to the stores is",
    "Maria met Zuko near the stores and Zuko praised",
    "the oven cooked the bread so",
    "the cat walks on the street",
    "Zuko made his uncle tea",
    "The students studied the",
)
"""Sentences on the lecturer's slides, and examples above the box."""

_WHO = ("chef", "king", "boy", "queen", "girl", "cat", "uncle")
_VERBS = ("praised", "met", "studied")
_WHERE = ("stores", "street", "oven", "bread", "tea")


def own_sentence(random: Random) -> str:
    """Return a sentence that is likely new, with five to thirteen known words."""
    who, whom, third = (random.choice(_WHO) for _ in range(3))
    verb, other, where, what = random.choice(_VERBS), random.choice(_VERBS), *random.choices(_WHERE, k=2)
    return random.choice(
        (
            f"The {who} {verb} the {whom} near the {where}",
            f"The {who} who {verb} the {whom} near the {where} is",
            f"the {who} who {verb} the {whom} and the {third} {other} the {what} near the {where}",
            f"The {who} near the {where} and the {whom} {verb} the {third} so",
        )
    )
