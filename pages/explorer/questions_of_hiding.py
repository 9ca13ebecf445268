"""What one expects of words that are hidden, before the view shows what that changes."""

from collections.abc import Sequence

from pages.contract.predict import MOST_OPTIONS, choose_largest
from pages.contract.question import Choose
from pages.controls.prose import Typed
from viz.units import per_cent


def word_that_matters(
    what: str,
    words: Sequence[Typed],
    weights: Sequence[float],
    changes: Sequence[float],
    *,
    place: str,
    unit: str = "word",
) -> Choose | None:
    """The word without which the prediction changes most; that with the largest weight is always offered."""
    if len(words) < 2 or max(weights) <= 0:
        return None
    ranked = sorted(range(len(words)), key=lambda at: -changes[at])
    heaviest = max(range(len(words)), key=weights.__getitem__)
    rivals = (
        ranked[:MOST_OPTIONS]
        if heaviest in ranked[:MOST_OPTIONS]
        else [*ranked[: MOST_OPTIONS - 1], heaviest]
    )
    offered = sorted(rivals)
    best, largest = words[ranked[0]], words[heaviest]
    why_not = {}
    if heaviest != ranked[0]:
        why_not[f"*{largest}*"] = (
            f"*{largest}* has the largest weight in {place}, but the prediction depends on every head of "
            "every layer."
        )
    return choose_largest(
        f"Each {unit} is hidden alone: no other {unit} may attend to it, in any layer. Which one, hidden, "
        f"changes {what} most?",
        {f"*{words[at]}*": float(changes[at]) for at in offered},
        because=(
            f"Without *{best}* {per_cent(changes[ranked[0]])} of the probability moves to other predictions. "
            f"Its weight in {place} is {per_cent(weights[ranked[0]])}."
        ),
        why_not=why_not,
    )
