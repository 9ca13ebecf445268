"""What one expects of classifiers, before the views of classification show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.learning.evaluation.classification import QUESTIONS
from core.measures.classification.forgetting import REVIEWS
from pages.contract.predict import choose, choose_largest
from pages.contract.question import Choose, Option
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent, signed

ALL = per_cent(1)

MOST_QUOTED = 160
"""Characters of a review that are quoted."""


def quoted(words: Sequence[str]) -> str:
    """A review in a question."""
    return f"*“{Typed(' '.join(words)):{MOST_QUOTED}}”*"


def one_word_is_not_enough(right: Mapping[str, float]) -> Choose | None:
    """On which kind of review who reads the last opinion alone is right the least."""
    enough = f"The last opinion is enough there: {ALL} of the answers are right."
    return choose_largest(
        "A baseline reads the last word of opinion, such as *boring*, and nothing else. On which kind of "
        "review is it right least often?",
        {f"*{kind}*": share for kind, share in right.items()},
        because=(
            f"It is right in {per_cent(min(right.values(), default=0.0))} there. A negation turns an opinion "
            "round: *not boring* is praise."
        ),
        why_not={f"*{kind}*": enough for kind, share in right.items() if per_cent(share) == ALL},
        smallest=True,
        of_questions=QUESTIONS,
    )


@dataclass(frozen=True)
class Judged:
    """A review as a classifier judges it: its words, told apart, and what hiding each does to the log-odds.

    Only a model that `attends` has weights of words.
    """

    title: str
    review: tuple[str, ...]
    names: tuple[Typed, ...]
    ablation: tuple[float, ...]
    attends: bool = False


def hidden_word(judged: Judged) -> Choose | None:
    """The word that changes the verdict most when it is hidden."""
    sizes = {f"*{name}*": abs(value) for name, value in zip(judged.names, judged.ablation, strict=True)}
    largest = max(judged.ablation, key=abs, default=0.0)
    return choose_largest(
        f"{judged.title} reads {quoted(judged.review)}. Which word, hidden alone, changes the log-odds of "
        "praise most?",
        sizes,
        because=f"Its contribution to the log-odds of praise is {signed(largest)}.",
    )


def does_a_large_weight_matter(judged: Judged) -> Choose | None:
    """Ask if the word that gets the largest weight is the one that matters; None without weights."""
    if not judged.attends:
        return None
    return choose(
        "A word gets the largest attention weight. Does this mean that it matters most for the verdict?",
        Option("not by itself", True),
        Option(
            "yes",
            False,
            "A weight says how much of a word is read. What that does to the verdict depends on the "
            "value of the word and on all that comes after.",
        ),
        Option(
            "yes, if the weight is above 50 %",
            False,
            "However large it is, a weight says what is read and not what it does.",
        ),
        because="Hide a word to measure what it does.",
    )


def turning_change(
    review: Sequence[str], turned: Mapping[str, int], n_models: int, idle: Sequence[str]
) -> Choose | None:
    """The small change that turns most verdicts; the `idle` ones do not turn the label by the rules."""
    why_not = dict.fromkeys(idle, "By the rules this change leaves the label as it is.")
    return choose_largest(
        f"One small change is made in {quoted(review)}: + puts something in, − takes something out. Which "
        f"change turns the most verdicts of {counted(n_models, 'classifier')} round?",
        turned,
        because=f"It turns {max(turned.values(), default=0)} of {counted(n_models, 'verdict')} round.",
        why_not=why_not,
    )


@dataclass(frozen=True)
class Kept:
    """A classifier's accuracy where nothing follows the word that decides, and after the longest text."""

    first: float
    last: float
    is_lost: bool


def who_forgets(n_words: float, kept: Mapping[str, Kept]) -> Choose | None:
    """Ask which classifier is right least often after so many words; None if none clearly forgets."""
    name, worst = min(kept.items(), key=lambda one: one[1].last)
    if not worst.is_lost:
        return None
    return choose_largest(
        f"One sentence decides, and {n_words:.0f} more words follow. Which classifier is right least often?",
        {name: one.last for name, one in kept.items()},
        because=(
            f"{name} is right in {per_cent(worst.last)}. If the deciding word comes last, it is right in "
            f"{per_cent(worst.first)}."
        ),
        why_not={name: said for name, one in kept.items() if not one.is_lost and (said := _why_kept(name))},
        smallest=True,
        of_questions=REVIEWS,
    )


def _why_kept(name: str) -> str:
    """What keeps a verdict over many words, by the title of a classifier; empty where that is no surprise."""
    if name == "Transformer":
        return "It attends to every word directly, however many follow."
    if name.endswith(" last state"):
        return ""
    return "A mean or a maximum over all states still has the state at the word that decides."
