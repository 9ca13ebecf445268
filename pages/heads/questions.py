"""What one expects of several heads, before the views of heads show it."""

from collections.abc import Mapping, Sequence
from math import isfinite

from pages.contract.predict import arrange, choose
from pages.contract.question import Arrange, Choose, Estimate, Sketch
from viz.text import counted
from viz.units import per_cent

NAMES = ("Maria", "Zuko")
"""The words whose numbers two heads fetch."""

LITTLE, MUCH = 2, 5
"""Per cent by which an accuracy may change at most to hardly do so, and at least to do so clearly."""

KINDS = {
    "standard": "standard: the whole vector to d/k dimensions",
    "narrow": "narrow: a slice of the vector to d/k dimensions",
    "wide": "wide: the whole vector to d dimensions",
}


def lost_by_one_head(lost: float) -> Estimate:
    """What one head loses of two contents on average, however it shares its weight."""
    return Estimate(
        text=(
            "In *Maria met Zuko* one head of *met* fetches a number from *Maria* and another from *Zuko*, to "
            "keep both. What share of them is lost on average, even with the best weights?"
        ),
        right=100 * lost,
        bounds=(0, 100),
        unit="%",
        near=5,
        mistaken=(
            (0, "One head returns one weighted average. From one number nobody gets two back."),
            (100, "It can attend to one of the two alone, and keep that."),
        ),
        because="What it gains of one number by more weight, it loses of the other.",
    )


def what_two_heads_attend_to(patterns: Sequence[Mapping[str, float]]) -> Choose | None:
    """What two heads learn to attend to; None unless it is a name each."""
    first, second = (max(one, key=one.__getitem__) for one in patterns)
    if {first, second} != set(NAMES):
        return None
    shares = [per_cent(one[word]) for one, word in zip(patterns, (first, second), strict=True)]
    return choose(
        "Now two heads learn the same task. What do they attend to?",
        "one name each",
        {
            "both names, with half of the weight on each": (
                "Then both would return one and the same average, and nothing could part it again."
            ),
            "one and the same name": "Then the other number would be lost, as with one head.",
        },
        because=(
            f"One gives *{first}* {shares[0]}, the other *{second}* {shares[1]}: two averages that differ, "
            "which the output matrix can separate."
        ),
    )


def accuracy_on_names(shares: Mapping[int, float], baseline: float) -> Sketch | None:
    """The accuracy of models with more and more heads, to be drawn; None of one model alone."""
    if len(shares) < 2 or not all(map(isfinite, shares.values())):
        return None
    told = ", ".join(f"{per_cent(share)} with {counted(heads, 'head')}" for heads, share in shares.items())
    return Sketch(
        text=(
            "A name that occurred earlier is to be predicted again. Draw the accuracy of the models with "
            f"{', '.join(map(str, shares))} heads."
        ),
        labels=tuple(counted(heads, "head") for heads in shares),
        right=tuple(100 * share for share in shares.values()),
        shares=False,
        largest=100,
        unit="%",
        because=f"It is {told}. One of the two names at random is right in {per_cent(baseline)}.",
    )


def accuracy_on_task(task: str, shares: Mapping[int, float]) -> Choose | None:
    """Whether the model with the most heads is better at its task; None where one could say so or not."""
    if len(shares) < 2 or not all(map(isfinite, shares.values())):
        return None
    fewest, most = min(shares), max(shares)
    change = 100 * (shares[most] - shares[fewest])
    if LITTLE < abs(change) < MUCH:
        return None
    same, better, worse = "about the same", "clearly larger", "clearly smaller"
    right = same if abs(change) <= LITTLE else better if change > 0 else worse
    reasons = {
        same: "",
        better: "More heads are not more weights: all heads together are as wide as one.",
        worse: "Each head is narrower, but all heads together are as wide as one.",
    }
    reasons.pop(right)
    return choose(
        f"What is the accuracy of {task} prediction with {counted(most, 'head')}, against that with "
        f"{counted(fewest, 'head')}?",
        right,
        reasons,
        because=f"It goes from {per_cent(shares[fewest])} to {per_cent(shares[most])}.",
    )


def parameters_of_heads(standard: Mapping[int, int], d: int) -> Choose | None:
    """Whether more heads have more parameters; None where they do not have equally many."""
    most = max(standard)
    if len(set(standard.values())) > 1 or 1 not in standard or most == 1:
        return None
    of_all, of_one, width = f"the layer with {most} heads", "the layer with one head", d // most
    return choose(
        f"Vectors have {d} dimensions. One attention layer has {most} standard heads, another has one. Which "
        "has more parameters?",
        "neither",
        {
            of_all: (
                f"{most} heads are not {most} times the parameters: each has only d/k = {width} dimensions, "
                f"and {most} · {width} = {d}."
            ),
            of_one: f"One head has {d} dimensions, and so have {most} heads of {width} together.",
        },
        because=f"Both have {standard[most]:,}: heads share out the same matrices.",
    )


def kinds_in_order(parameters: Mapping[str, int], n_heads: int) -> Arrange | None:
    """The three kinds by their parameters, the largest first; None of one head, of which all are one."""
    ranked = sorted(parameters, key=lambda kind: -parameters[kind])
    told = ", ".join(f"{parameters[kind]:,} ({kind})" for kind in ranked)
    return arrange(
        f"Put three kinds of k = {n_heads} heads in the order of their parameters, the largest first.",
        {KINDS[kind]: count for kind, count in parameters.items()},
        because=f"{told}.",
    )


def what_a_head_sees(n_words: int, n_heads: int, d_head: int) -> Choose | None:
    """What each head gets of the sentence; None where there is one head, or one word."""
    if n_heads == 1 or n_words == 1:
        return None
    d = n_heads * d_head
    return choose(
        f"{n_words} words of {d} dimensions are shared out among {n_heads} heads. What does each head see?",
        f"every word, in {counted(d_head, 'dimension')}",
        {
            f"a part of the words, in all {d} dimensions": "The vectors are cut, and not the sentence.",
            f"every word, in all {d} dimensions": (
                f"Then {n_heads} heads would have {n_heads} times as many dimensions as the vectors."
            ),
        },
        because=f"Each row is cut into {n_heads} pieces of {d} / {n_heads} = {d_head}.",
    )


def products_for_all_heads(vectors: str, n_heads: int) -> Estimate:
    """How many products of matrices give the vectors of all heads."""
    return Estimate(
        text=(
            f"A layer has {counted(n_heads, 'head')}. How many products of two matrices does it take to get "
            f"the {vectors} of all heads?"
        ),
        right=1,
        bounds=(0, 64),
        mistaken=((n_heads, "The matrices of all heads stand side by side in one."),) if n_heads > 1 else (),
        because="The sentence times one matrix gives all columns at once; heads are cut out of the result.",
    )


def rank_of_scores(of: str, size: int, n_heads: int, d_model: int, rank: int) -> Estimate:
    """The rank of what one of the heads compares with: the matrix `of` weights or of scores."""
    width = d_model // n_heads
    made = f"made of queries and keys of {d_model} / {n_heads} = {counted(width, 'dimension')}"
    return Estimate(
        text=(
            f"A model of {d_model} dimensions has {counted(n_heads, 'head')}. {of} of one of them is "
            f"{size} × {size}. What is its rank?"
        ),
        right=rank,
        bounds=(0, size),
        mistaken=((size, f"It is {size} × {size}, but {made}."),) if rank != size else (),
        because=f"{of} is {made}: its rank is at most {min(width, size)}, and here {rank}.",
    )
