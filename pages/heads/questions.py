"""What one expects of several heads, before the views of heads show it."""

from collections.abc import Mapping, Sequence

from pages.contract.predict import arrange, choose, exceeds, is_near, mistakes
from pages.contract.question import Arrange, Choose, Estimate, Option
from viz.text import counted
from viz.units import per_cent

NAMES = ("Maria", "Zuko")
"""The words whose numbers two heads fetch."""

MOST = 0.7
"""Share of the attention of a head that clearly is most of it."""

LITTLE, MUCH = 2, 5
"""Per cent by which an accuracy may change at most to hardly do so, and at least to do so clearly."""

KINDS = {
    "standard": "standard: the whole vector to d/k dimensions",
    "narrow": "narrow: a slice of the vector to d/k dimensions",
    "wide": "wide: the whole vector to d dimensions",
}


def what_two_heads_attend_to(patterns: Sequence[Mapping[str, float]]) -> Choose | None:
    """Ask what two heads learn to attend to; None unless each gives most of its weight to another name."""
    first, second = (max(NAMES, key=one.__getitem__) for one in patterns)
    weights = [one[word] for one, word in zip(patterns, (first, second), strict=True)]
    one_each = first != second and min(weights) > MOST
    return choose(
        "Two heads learn to fetch a number from each of two names. What do they attend to?",
        Option("one name each", one_each or None),
        Option(
            "both names, with half of the weight on each",
            False,
            "Then both would return one and the same average, and nothing could part it again.",
        ),
        Option("one and the same name", False, "Then the other number would be lost, as with one head."),
        because=(
            f"One gives *{first}* {per_cent(weights[0])}, the other *{second}* {per_cent(weights[1])}: two "
            "averages that differ, which the output matrix can separate."
        ),
    )


def accuracy_on_task(task: str, shares: Mapping[int, float]) -> Choose | None:
    """Ask if the model with the most heads is better at its task; None if one could say so or not."""
    if len(shares) < 2:
        return None
    fewest, most = min(shares), max(shares)
    change = 100 * (shares[most] - shares[fewest])
    limit, margin = (MUCH + LITTLE) / 2, (MUCH - LITTLE) / 2
    return choose(
        f"What is the accuracy of {task} prediction with {counted(most, 'head')}, against that with "
        f"{counted(fewest, 'head')}?",
        Option("about the same", is_near(change, 0, within=LITTLE, beyond=MUCH)),
        Option(
            "clearly larger",
            exceeds(change, limit, margin),
            "More heads are not more weights: all heads together are as wide as one.",
        ),
        Option(
            "clearly smaller",
            exceeds(-change, limit, margin),
            "Each head is narrower, but all heads together are as wide as one.",
        ),
        because=f"It goes from {per_cent(shares[fewest])} to {per_cent(shares[most])}.",
    )


def parameters_of_heads(standard: Mapping[int, int], d: int) -> Choose | None:
    """Ask if more heads have more parameters."""
    most = max(standard)
    if 1 not in standard or most == 1:
        return None
    width, more = d // most, standard[most] - standard[1]
    return choose(
        f"Vectors have {d} dimensions. One attention layer has {most} standard heads, another has one. Which "
        "has more parameters?",
        Option("neither", more == 0 or None),
        Option(
            f"the layer with {most} heads",
            more > 0,
            f"{most} heads are not {most} times the parameters: each has only d/k = {width} dimensions, "
            f"and {most} · {width} = {d}.",
        ),
        Option(
            "the layer with one head",
            more < 0,
            f"One head has {d} dimensions, and so have {most} heads of {width} together.",
        ),
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
    """Ask what each head gets of the sentence; None of one head, or of one word."""
    if n_heads == 1 or n_words == 1:
        return None
    d = n_heads * d_head
    return choose(
        f"{n_words} words of {d} dimensions are shared out among {n_heads} heads. What does each head see?",
        Option(f"every word, in {counted(d_head, 'dimension')}", True),
        Option(f"a part of the words, in all {d} dimensions", False, "Vectors are cut, the sentence is not."),
        Option(
            f"every word, in all {d} dimensions",
            False,
            f"Then {n_heads} heads would have {n_heads} times as many dimensions as the vectors.",
        ),
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
        mistaken=mistakes(1, (n_heads, "The matrices of all heads stand side by side in one.")),
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
        mistaken=mistakes(rank, (size, f"It is {size} × {size}, but {made}.")),
        because=f"{of} is {made}: its rank is at most the smaller of {width} and {size}.",
    )
