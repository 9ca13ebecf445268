"""What the view of probabilities says and calculates, with the model's numbers."""

from collections.abc import Sequence
from math import exp, log

import pandas as pd

from core.measures.output_layer import WordLogits
from viz.latex import decimal
from viz.units import magnitude, p_equals, thousandths, two_decimals

EQUAL = 5e-4
"""A difference of logits that makes no difference in three digits."""

READABLE = (0.01, 10_000)
"""Sizes that are written without a power of ten."""

LARGEST_POWER = 700
"""Powers of e up to this are numbers of the machine."""

PRODUCTS_SHOWN = 2

NEXT = (
    "This model predicts the next {unit}: h is the last state of a {unit}, which must not attend to the "
    "{unit} that it predicts, as under the causal mask. To predict a masked {unit}, a model reads h at the "
    "mask token, whose state may attend to both sides (bidirectional mask). Output layer and softmax are the "
    "same."
)
MASKED = (
    "This model predicts a masked {unit}: the mask token stands in place of it, and h is the last state of "
    "the mask token, which may attend to both sides (bidirectional mask). To predict the next {unit}, a "
    "model reads h at the {unit} before it (causal mask). Output layer and softmax are the same."
)


def told_best(place: str, names: Sequence[str], seen: WordLogits) -> str:
    """The largest logit at a `place`, its probability, and how many times that of the second it is."""
    first, second = (float(seen.logits[number]) for number in seen.best)
    share = p_equals(float(seen.probabilities[seen.best[0]]))
    begun = (
        f"{place[0].upper()}{place[1:]}, *{names[0]}* has the largest of {len(seen.logits):,} logits, "
        f"{two_decimals(first)}, and {share}:"
    )
    if first - second < EQUAL:
        return f"{begun} as likely as *{names[1]}*, whose logit is the same."
    apart, power = thousandths(first - second), _power(first - second)
    return f"{begun} exp({apart}){power} times as likely as *{names[1]}*, whose logit is {apart} lower."


def _power(apart: float) -> str:
    """Return what a difference of logits makes of a probability; nothing of a number too large to write."""
    if apart > LARGEST_POWER:
        return ""
    written = magnitude(exp(apart))
    return f" = {thousandths(exp(apart)) if written == '1' else written}"


def told_position(*, reads_on: bool, unit: str) -> str:
    """At which position the state is read, for the next word and for a masked one."""
    return (NEXT if reads_on else MASKED).format(unit=unit)


def calculated(seen: WordLogits, names: Sequence[str]) -> str:
    """The calculation of the best word's probability in LaTeX: dot product, exp, sum and share."""
    logit, name = float(seen.logits[seen.best[0]]), names[0]
    bias = float(seen.biases[0])
    added = "" if bias == 0 else (" + " if bias > 0 else " - ") + decimal(abs(bias))
    plus = "" if bias == 0 else rf" + b_{{{name}}}"
    pairs = zip(seen.best_rows[0][:PRODUCTS_SHOWN], seen.state[:PRODUCTS_SHOWN], strict=True)
    shown = " + ".join(rf"{_factor(w)} \cdot {_factor(h)}" for w, h in pairs)
    share = float(seen.probabilities[seen.best[0]])
    steps = [
        (rf"w_{{{name}}} \cdot h{plus}", rf"{shown} + \cdots{added}"),
        ("", rf"{decimal(logit)} \ \text{{({len(seen.state)} products)}}"),
        (rf"\exp(\text{{logit}}_{{{name}}})", rf"e^{{{decimal(logit)}}} = {_exp(logit)}"),
        (
            rf"\textstyle\sum\exp\text{{ of {len(seen.logits):,} logits}}".replace(",", "{,}"),
            _exp(seen.log_sum),
        ),
        (rf"p_{{{name}}}", rf"{_exp(logit)}\,/\,{_exp(seen.log_sum)} = {decimal(share)}"),
    ]
    rows = r" \\[7pt] ".join(rf"{left} &= {right}" for left, right in steps)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


def products(seen: WordLogits) -> pd.DataFrame:
    """Every product of the dot product of the best word's row with the state."""
    row = seen.best_rows[0]
    index = pd.RangeIndex(1, len(seen.state) + 1, name="dimension")
    return pd.DataFrame({"w": row, "h": seen.state, "w · h": row * seen.state}, index=index)


def _exp(logit: float) -> str:
    """e to the power of a logit, which may be too large or small for a number of the machine."""
    smallest, largest = map(log, READABLE)
    if smallest <= logit < largest:
        return decimal(exp(logit))
    exponent = int(logit // log(10))
    mantissa = exp(logit - exponent * log(10))
    return rf"{mantissa:.2f} \cdot 10^{{{exponent}}}"


def _factor(number: float) -> str:
    shown = decimal(number, places=2)
    return f"({shown})" if shown.startswith("-") or "10^" in shown else shown
