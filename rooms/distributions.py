"""Summaries of the answers of a hall: counts, histograms, means, and distances from the right answer.

They depend on a question and its answers only, not on their order or on who gave them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil
from statistics import median, quantiles
from typing import Any

import numpy as np

from rooms.replies import Question

N_BINS = 10
EQUAL = 1e-9
"""Share of an interval by which rounding may pass its end."""

MOST_ORDERS = 5
"""Orders that are shown, the most given first; the right one is always among them."""


def distribution(question: Question, answers: Sequence[Any]) -> dict[str, Any]:
    """Return the data of a question's chart, by its kind, and `nearness` if answers can be near."""
    return _BY_KIND[question["kind"]](question, answers)


def option_counts(n_options: int, answers: Sequence[int]) -> list[int]:
    """Count how often each option was chosen."""
    counted = Counter(answers)
    return [counted[at] for at in range(n_options)]


def histogram(
    values: Sequence[float], smallest: float, largest: float, n_bins: int = N_BINS
) -> dict[str, Any]:
    """Count the values in each of `n_bins` equal intervals; only the last contains its upper end.

    `edges` are the n_bins + 1 ends of the intervals, `counts` the numbers of values. Values beyond an end
    count in the interval there.
    """
    width = (largest - smallest) / n_bins or 1.0
    edges = [smallest + at * width for at in range(n_bins + 1)]
    return {"edges": edges, "counts": _counts(np.clip(values, edges[0], edges[-1]), edges)}


def _counts(values: Any, edges: Sequence[float]) -> list[int]:
    counts: list[int] = np.histogram(values, edges)[0].tolist()
    return counts


def most_given_orders(answers: Sequence[Sequence[int]], right: Sequence[int] | None) -> list[dict[str, Any]]:
    """Return the most frequent orders, each with its count; the right one, if any, is always included."""
    counted = Counter(map(tuple, answers))
    ranked = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:MOST_ORDERS]
    if right is not None and tuple(right) not in dict(ranked):
        ranked = [*ranked[: MOST_ORDERS - 1], (tuple(right), counted[tuple(right)])]
    return [{"order": list(order), "count": count} for order, count in ranked]


def mean_and_spread(rows: Sequence[Sequence[float]], n_bars: int) -> dict[str, list[float]]:
    """Return the mean and the population standard deviation of each bar."""
    bars = np.array(rows or [[0.0] * n_bars])
    return {"mean": bars.mean(axis=0).tolist(), "spread": bars.std(axis=0).tolist()}


def total_variation(drawn: Sequence[float], right: Sequence[float]) -> float:
    """Return half the sum of absolute differences of two distributions, from 0 to 1."""
    return sum(abs(one - other) for one, other in zip(drawn, right, strict=True)) / 2


def mean_distance(drawn: Sequence[float], right: Sequence[float]) -> float:
    """Return the mean distance of the bars from the right ones."""
    return sum(abs(one - other) for one, other in zip(drawn, right, strict=True)) / len(right)


def pairs_in_wrong_order(order: Sequence[int], right: Sequence[int]) -> int:
    """Return the number of pairs of items in the wrong order (Kendall tau distance)."""
    rank = {item: at for at, item in enumerate(order)}
    return sum(rank[first] > rank[then] for first, then in combinations(right, 2))


def _chosen(question: Question, answers: Sequence[int]) -> dict[str, Any]:
    return {"counts": option_counts(len(question["options"]), answers)}


def _estimated(question: Question, answers: Sequence[float]) -> dict[str, Any]:
    """Count each number if few differ; else bin them, and count outliers separately."""
    right = question["right"]
    near = tolerance(question)
    different = sorted({*answers, *([] if right is None else [float(right)])})
    if len(different) <= N_BINS:
        return _each_number(different, answers, right=right, near=near)
    usual = _without_outliers(answers)
    if right is None:
        smallest, largest = _range_of(usual, question["bounds"])
        inside = [value for value in answers if smallest <= value <= largest]
        shown = histogram(inside, smallest, largest)
    else:
        shown = around(
            answers, *_range_of([*usual, float(right)], question["bounds"]), right=right, near=near
        )
    edges = shown["edges"]
    n_below = sum(value < edges[0] for value in answers)
    n_above = len(answers) - n_below - sum(shown["counts"])
    # No answer lies beyond the bounds of a question, so no bar extends beyond them.
    smallest, largest = question["bounds"]
    edges[0], edges[-1] = min(max(edges[0], smallest), edges[1]), max(min(edges[-1], largest), edges[-2])
    return {**shown, "below": n_below, "above": n_above}


def _each_number(
    different: Sequence[float], answers: Sequence[float], *, right: float | None, near: float
) -> dict[str, Any]:
    """Return each number with its count, and mark the numbers near the right one."""
    counted = Counter(answers)
    is_near = [right is not None and is_close(value, right, near) for value in different]
    counts = [counted[value] for value in different]
    return {"values": list(different), "counts": counts, "right": is_near}


def tolerance(question: Question) -> float:
    """Return the farthest that an answer may be from the right number, as in fields.js on a phone.

    It is half of the last digit, or `near`, which is at most half of the right number. So twice the right
    number is never close.
    """
    right, near = question["right"], question["near"]
    most = min(near, abs(right) / 2) if right else near
    return float(f"{max(most, 0.5 * 10.0 ** -question['decimals']):.3g}")


def is_close(value: float, right: float, near: float) -> bool:
    """Return whether a value is within `near` of the right one, with a tolerance for rounding."""
    return abs(value - right) <= near * (1 + EQUAL)


def around(
    values: Sequence[float], smallest: float, largest: float, *, right: float, near: float
) -> dict[str, Any]:
    """Count values in intervals; one interval holds exactly the values `near` the right one.

    So the `marked` bar and a sentence on near answers have the same count. The width of the other intervals
    is a multiple of its width; there are about N_BINS. Values beyond the ends are not counted.
    """
    low, high = right - near, right + near
    n_widths = max((max(low - smallest, 0) + max(largest - high, 0)) / (2 * near), 0)
    step = 2 * near * max(1, ceil(n_widths / (N_BINS - 2)))
    n_below, n_above = (ceil(max(length, 0) / step - EQUAL) for length in (low - smallest, largest - high))
    edges = [low - step * at for at in range(n_below, -1, -1)] + [
        high + step * at for at in range(n_above + 1)
    ]
    # Nearness is decided by the distance, because edges are rounded.
    is_near = [is_close(value, right, near) for value in values]
    others = [value for value, near in zip(values, is_near, strict=True) if not near]
    counts = _counts(others, edges)
    counts[n_below] = sum(is_near)
    return {"edges": edges, "counts": counts, "marked": n_below}


def _without_outliers(values: Sequence[float]) -> Sequence[float]:
    """Leave out values farther from the interquartile range than three times its width.

    Otherwise one answer of a billion would put all others into one bin.
    """
    if len(values) < 4:
        return values
    first, _, third = quantiles(values, n=4, method="inclusive")
    spread = third - first or 2 * median(abs(value - median(values)) for value in values)
    spread = spread or abs(first) / 2 or 1.0
    return [value for value in values if first - 3 * spread <= value <= third + 3 * spread]


def _range_of(values: Sequence[float], bounds: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest value; the bounds if there are no values.

    Bounds can be as large as a billion, and say little about the answers.
    """
    if not values:
        return float(bounds[0]), float(bounds[1])
    smallest, largest = min(values), max(values)
    if smallest < largest:
        return smallest, largest
    return smallest - 0.5, largest + 0.5


def _arranged(question: Question, answers: Sequence[Sequence[int]]) -> dict[str, Any]:
    right = question["right"]
    if right is None:
        return {"orders": most_given_orders(answers, None)}
    n_pairs = len(right) * (len(right) - 1) // 2
    wrong = Counter(pairs_in_wrong_order(order, right) for order in answers)
    return {
        "orders": most_given_orders(answers, right),
        "nearness": {"pairs": list(range(n_pairs + 1)), "counts": [wrong[n] for n in range(n_pairs + 1)]},
    }


def _sketched(question: Question, answers: Sequence[Sequence[float]]) -> dict[str, Any]:
    right = question["right"]
    if right is None:
        return mean_and_spread(answers, len(question["labels"]))
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
    "words": lambda _, answers: {"words": [], "hidden": len(answers)},
}
