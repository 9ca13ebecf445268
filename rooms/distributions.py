"""What a hall has answered, in numbers: counts, histograms, means, and who was how near to what is right.

All of these are functions of a question and the answers to it, without an order and without anybody's name.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import Any

from rooms.answers import Question

N_BINS = 10
MOST_ORDERS = 5
"""Orders that are shown, the most given first; the right one is always among them."""


def distribution(question: Question, answers: Sequence[Any]) -> dict[str, Any]:
    """What is drawn of the answers to a question, by its kind, and `nearness` where answers can be near."""
    return _BY_KIND[question["kind"]](question, answers)


def option_counts(n_options: int, answers: Sequence[int]) -> list[int]:
    """How often each option was chosen."""
    counted = Counter(answers)
    return [counted[at] for at in range(n_options)]


def histogram(
    values: Sequence[float], smallest: float, largest: float, n_bins: int = N_BINS
) -> dict[str, Any]:
    """How many values lie in each of `n_bins` equal intervals, the last of which has its upper end too.

    `edges` are the n_bins + 1 ends of the intervals, `counts` the numbers of values. Values beyond an end
    count in the interval there.
    """
    width = (largest - smallest) / n_bins or 1.0
    edges = [smallest + at * width for at in range(n_bins + 1)]
    # As the quotient can be rounded up, a value just below an edge is compared with the edge itself.
    bins = Counter(min(max(_bin(value, smallest, width, edges), 0), n_bins - 1) for value in values)
    return {"edges": edges, "counts": [bins[at] for at in range(n_bins)]}


def _bin(value: float, smallest: float, width: float, edges: Sequence[float]) -> int:
    at = int((value - smallest) // width)
    if 0 <= at < len(edges) - 1 and value >= edges[at + 1]:
        return at + 1
    return at


def most_given_orders(answers: Sequence[Sequence[int]], right: Sequence[int]) -> list[dict[str, Any]]:
    """The orders most given, each with its count; the right one is there even where nobody gave it."""
    counted = Counter(map(tuple, answers))
    ranked = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:MOST_ORDERS]
    if tuple(right) not in dict(ranked):
        ranked = [*ranked[: MOST_ORDERS - 1], (tuple(right), counted[tuple(right)])]
    return [{"order": list(order), "count": count} for order, count in ranked]


def mean_and_spread(rows: Sequence[Sequence[float]], n_bars: int) -> dict[str, list[float]]:
    """Mean and standard deviation (of those who answered, divided by their number) of each bar."""
    if not rows:
        return {"mean": [0.0] * n_bars, "spread": [0.0] * n_bars}
    columns = list(zip(*rows, strict=True))
    means = [sum(column) / len(rows) for column in columns]
    squares = [
        sum((value - mean) ** 2 for value in column) / len(rows)
        for column, mean in zip(columns, means, strict=True)
    ]
    return {"mean": means, "spread": [sqrt(square) for square in squares]}


def total_variation(drawn: Sequence[float], right: Sequence[float]) -> float:
    """Half the sum of absolute differences: the part of one distribution that belongs elsewhere, 0 to 1."""
    return sum(abs(one - other) for one, other in zip(drawn, right, strict=True)) / 2


def mean_distance(drawn: Sequence[float], right: Sequence[float]) -> float:
    """How far bars are from what is right, on the average."""
    return sum(abs(one - other) for one, other in zip(drawn, right, strict=True)) / len(right)


def pairs_in_wrong_order(order: Sequence[int], right: Sequence[int]) -> int:
    """Pairs of items of which the one is before the other and should be after it (Kendall's distance)."""
    rank = {item: at for at, item in enumerate(order)}
    return sum(rank[first] > rank[then] for first, then in combinations(right, 2))


def _chosen(question: Question, answers: Sequence[int]) -> dict[str, Any]:
    return {"counts": option_counts(len(question["options"]), answers)}


def _estimated(question: Question, answers: Sequence[float]) -> dict[str, Any]:
    right = float(question["right"])
    smallest, largest = _range_of([*_without_ends(answers), right], question["bounds"])
    distances = [abs(value - right) for value in answers]
    farthest = max(right - smallest, largest - right) or largest - smallest
    return {
        **histogram(answers, smallest, largest),
        "near": sum(distance <= question["near"] for distance in distances),
        "nearness": histogram(distances, 0.0, farthest),
    }


def _without_ends(values: Sequence[float]) -> Sequence[float]:
    """All but the smallest and largest twentieth: a billion among them would leave the others one bin."""
    n_ends = len(values) // 20
    return sorted(values)[n_ends : len(values) - n_ends]


def _range_of(values: Sequence[float], bounds: Sequence[float]) -> tuple[float, float]:
    """From the smallest to the largest value; between the bounds where all are the same.

    A question may be answered with anything up to a billion: its bounds say little of where answers lie.
    """
    smallest, largest = min(values), max(values)
    return (smallest, largest) if smallest < largest else (float(bounds[0]), float(bounds[1]))


def _arranged(question: Question, answers: Sequence[Sequence[int]]) -> dict[str, Any]:
    right = question["right"]
    n_pairs = len(right) * (len(right) - 1) // 2
    wrong = Counter(pairs_in_wrong_order(order, right) for order in answers)
    return {
        "orders": most_given_orders(answers, right),
        "nearness": {"pairs": list(range(n_pairs + 1)), "counts": [wrong[n] for n in range(n_pairs + 1)]},
    }


def _sketched(question: Question, answers: Sequence[Sequence[float]]) -> dict[str, Any]:
    right = question["right"]
    if question["shares"]:
        nearness = histogram([total_variation(drawn, right) for drawn in answers], 0.0, 1.0)
    else:
        distances = [mean_distance(drawn, right) for drawn in answers]
        nearness = histogram(distances, 0.0, max(distances, default=0.0) or float(question["largest"]))
    return {**mean_and_spread(answers, len(right)), "nearness": nearness}


_BY_KIND: Mapping[str, Any] = {
    "choose": _chosen,
    "estimate": _estimated,
    "arrange": _arranged,
    "sketch": _sketched,
}
