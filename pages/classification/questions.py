"""What one expects of classifiers, before the views of classification show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.contract.predict import choose, choose_largest
from pages.contract.question import Choose, Estimate
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent, signed

NEAR = 7
"""Points of per cent by which an estimate may miss an accuracy."""

ALL = per_cent(1)

MOST_QUOTED = 160
"""Characters of a review that are quoted."""


def quoted(words: Sequence[str]) -> str:
    """A review in a question."""
    return f"*“{Typed(' '.join(words)):{MOST_QUOTED}}”*"


def how_many_praise(words: Sequence[str], n_praise: int, n: int, by_the_rules: str | None) -> Estimate | None:
    """How many classifiers call a review praise; `by_the_rules` is what it is, None where that is unknown."""
    if n < 2:
        return None
    as_it_is = {"praise": n, "blame": 0}.get(by_the_rules or "", n_praise)
    said = f"The rules of the language say {by_the_rules}, but classifiers learn them from examples."
    return Estimate(
        text=f"How many of {counted(n, 'classifier')} call this review praise: {quoted(words)}?",
        right=n_praise,
        bounds=(0, n),
        mistaken=((as_it_is, said),) if as_it_is != n_praise else (),
        because=f"{n_praise} of {n} call it praise, {n - n_praise} blame.",
    )


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
    )


@dataclass(frozen=True)
class Judged:
    """A review as a classifier judges it: its words, told apart, and what hiding each does to the log-odds.

    `attention` are the weights of the words, empty of a model that has none.
    """

    title: str
    review: tuple[str, ...]
    names: tuple[Typed, ...]
    ablation: tuple[float, ...]
    attention: tuple[float, ...] = ()


def hidden_word(judged: Judged) -> Choose | None:
    """The word that changes the verdict most when it is hidden."""
    sizes = {f"*{name}*": abs(value) for name, value in zip(judged.names, judged.ablation, strict=True)}
    largest = max(judged.ablation, key=abs, default=0.0)
    return choose_largest(
        f"{judged.title} reads {quoted(judged.review)}. Which word, hidden alone, changes the verdict most?",
        sizes,
        because=f"Its contribution to the log-odds of praise is {signed(largest)}.",
    )


def does_a_large_weight_matter(judged: Judged) -> Choose | None:
    """Whether the word that gets the largest weight is the one that matters; None without weights."""
    if not judged.attention or not any(judged.ablation):
        return None
    read = max(zip(judged.attention, judged.names, strict=True))[1]
    counts = max(zip(map(abs, judged.ablation), judged.names, strict=True))[1]
    here = (
        f"Here *{read}* gets the largest weight, and *{counts}* changes the verdict most."
        if read != counts
        else f"Here both are *{read}*, which need not be so."
    )
    return choose(
        "A word gets the largest attention weight. Does this mean that it matters most for the verdict?",
        "not by itself",
        {
            "yes": (
                "A weight says how much of a word is read. What that does to the verdict depends on the "
                "value of the word and on all that comes after."
            ),
            "yes, if the weight is above 50 %": (
                "However large it is, a weight says what is read and not what it does."
            ),
        },
        because=f"{here} Hide a word to measure what it does.",
    )


def turning_change(
    review: Sequence[str], turned: Mapping[str, int], n_models: int, idle: Sequence[str]
) -> Choose | None:
    """The small change that turns most verdicts; the `idle` ones do not turn the label by the rules."""
    why_not = dict.fromkeys(idle, "By the rules this change leaves the label as it is.")
    return choose_largest(
        f"In {quoted(review)} a word or a clause is put in (+) or taken out (−), or clauses are exchanged. "
        f"Which change turns the most verdicts of {counted(n_models, 'classifier')} round?",
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
    """The classifier whose accuracy falls most with the words that follow; None where none clearly falls."""
    falls = {name: one.first - one.last for name, one in kept.items()}
    if not any(one.is_lost for one in kept.values()):
        return None
    why_not = {name: said for name, one in kept.items() if not one.is_lost and (said := _why_kept(name))}
    return choose_largest(
        f"One sentence decides, and {n_words:.0f} more words follow. Which classifier loses most accuracy?",
        falls,
        because=f"It loses {100 * max(falls.values()):.0f} percentage points.",
        why_not=why_not,
    )


def accuracy_of_the_forgetful(n_words: float, kept: Mapping[str, Kept], baseline: float) -> Estimate | None:
    """What is left of the accuracy that falls most; `baseline` is that of who does not read."""
    lost = {name: one for name, one in kept.items() if one.is_lost}
    if not lost:
        return None
    name, one = max(lost.items(), key=lambda item: item[1].first - item[1].last)
    right = 100 * one.last
    nothing = (
        0.0,
        "To be always wrong takes as much knowledge as to be always right. The more frequent label alone is "
        f"right in {per_cent(baseline)}.",
    )
    return Estimate(
        text=(
            f"{name} is right in {per_cent(one.first)} where the deciding word comes last. How often is it "
            f"right with {n_words:.0f} words after it?"
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=(nothing,) if right > NEAR else (),
        because=f"The majority-class baseline is right in {per_cent(baseline)}.",
    )


def _why_kept(name: str) -> str:
    """What keeps a verdict over many words, by the title of a classifier; empty where that is no surprise."""
    if name == "Transformer":
        return "It attends to every word directly, however many follow."
    if name == "LSTM last state":
        return "Its gates let it keep a state over many words."
    if name.endswith(" last state"):
        return ""
    return "A mean or a maximum over all states still has the state at the word that decides."
