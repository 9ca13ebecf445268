"""A stage as LaTeX, in symbols and with its numbers; no typed word enters it.

The vector of a word is a row here, as in the pictures and in the code: a matrix stands on its right.
"""

import re

import numpy as np
from jaxtyping import Float

from core.measures.stages.stage import Operand, Stage

MOST = 10
"""Greatest number of rows and columns of amsmath's pmatrix."""

SYMBOLS = {
    "x̃": r"\tilde{x}",
    "q̃": r"\tilde{q}",
    "k̃": r"\tilde{k}",
    "x̂": r"\hat{x}",
    "x̄": r"\bar{x}",
    "x′": "x'",
    "kᵀ": r"k^\top",
    "S scaled": r"S_{\text{scaled}}",
    "S biased": r"S_{\text{biased}}",
    "S masked": r"S_{\text{masked}}",
    "α": r"\alpha",
    "gain": r"\gamma",
    "bias": r"\beta",
}
"""Names that are not plain letters, in LaTeX."""

SIGNS = {
    "": "",
    "·": r"\cdot",
    "+": "+",
    "⊙": r"\odot",
    "/": "/",
    ";": r"\;;\;",
    "softmax": r"\operatorname{softmax}",
    "LN": r"\operatorname{LN}",
    "RMS": r"\operatorname{RMSNorm}",
}
FUNCTIONS = {"softmax", "LN", "RMS"}

BETWEEN_WORDS = {"scores", "scale", "bias", "mask", "softmax"}
"""Stages that have a number for every query and key."""

BELOW = r"h^{{(\text{{layer below}})}}{}"
"""Input of every layer but the first; the index of a word follows."""

NORMALISED = {
    "LN": r"\frac{x - \hat{\mu}_i}{\hat{\sigma}_i}",
    "RMS": r"\frac{x}{\sqrt{\frac{1}{d} x x^\top}}",
}
"""Both kinds of normalisation, of a row x."""

MOST_JOINED = 3
"""Greatest number of heads that are all named."""

OUTER = {"rotate": "rotate"}
"""Function around all operands, by the rule: positions that rotate."""


def calculation(stage: Stage) -> str:
    """Return an aligned equation: the stage in symbols, with its numbers, and the result."""
    left, result = symbol(stage.symbol), pmatrix(stage.result.matrix)
    if (computed := stage.result.computed) is not None:
        given = pmatrix(np.where(np.isnan(computed), stage.result.matrix, computed))
        result = rf"{given} \text{{; entries set by hand: }} {result}"
    if not stage.operands:
        return _aligned(left, [result])
    figures = " ".join(_term(one, pmatrix(one.grid.matrix)) for one in stage.operands)
    outer = OUTER.get(stage.rule)
    if outer is not None:
        figures = rf"\operatorname{{{outer}}}\left({figures}\right)"
    return _aligned(left, [in_symbols(stage), figures, result])


def of_all_words(stage: Stage) -> str:
    """Return the stage in symbols, for all words at once."""
    of_mask = r", \quad M_{ij} \in \{0, -\infty\}" if stage.name == "mask" else ""
    return f"{symbol(stage.symbol)} = {in_symbols(stage)}{of_mask}"


def in_symbols(stage: Stage) -> str:
    """Return the formula of a stage in symbols."""
    if not stage.operands:
        return BELOW.format("")
    if stage.rule == "join":
        return joined(len(stage.operands))
    symbols = " ".join(_term(one, symbol(one.name)) for one in stage.operands)
    outer = OUTER.get(stage.rule)
    return symbols if outer is None else rf"\operatorname{{{outer}}}\left({symbols}\right)"


def of_one_word(stage: Stage) -> str:
    """Return the stage in symbols, for the word i alone: its row, or its entry of every key j."""
    is_square = stage.name in BETWEEN_WORDS
    left = _entry(stage.symbol) if is_square else _row(stage.symbol)
    return f"{left} = {_of_one_word(stage)}"


def _of_one_word(stage: Stage) -> str:
    if not stage.operands:
        return BELOW.format("_i")
    first, *others = stage.operands
    match stage.name:
        case "scores":
            return r"q_i\, k_j^\top"
        case "mask":
            cases = r"\begin{cases} 0 & \text{allowed} \\ -\infty & \text{masked} \end{cases}"
            return f"{_entry(first.name)} + {cases}"
        case "softmax":
            exponential = rf"\exp({_entry(first.name)})"
            below = exponential.replace("_{ij}", "_{ij'}")
            return rf"\frac{{{exponential}}}{{\sum_{{j'=1}}^{{n}} {below}}}"
        case "weighted sum":
            return rf"\sum_{{j=1}}^{{n}} {_entry(first.name)}\, v_j"
        case "scale" | "bias":
            return " ".join(_term(one, _entry(one.name)) for one in stage.operands)
    if stage.rule == "join":
        return joined(len(stage.operands), "_i")
    if stage.rule == "normalise":
        return " ".join([NORMALISED[first.before].replace("x", _row(first.name)), *map(_whole, others)])
    terms = (_whole(one) if one.lights == "column" else _term(one, _row(one.name)) for one in stage.operands)
    found = " ".join(terms)
    return rf"\left({found}\right) R_i" if stage.rule == "rotate" else found


def joined(n_heads: int, index: str = "") -> str:
    """Return the outputs of all heads side by side, the middle ones as dots; `index` is the word's."""
    heads = [rf"z^{{({at})}}{index}" for at in range(1, n_heads + 1)]
    if len(heads) > MOST_JOINED:
        heads = [heads[0], r"\ldots", heads[-1]]
    return r"\left[ {} \right]".format(r";\, ".join(heads))


def _whole(operand: Operand) -> str:
    """Return a term that is the same for every word."""
    return _term(operand, symbol(operand.name))


def _row(name: str) -> str:
    """Return the row of the word i."""
    return f"{symbol(name)}_i"


def _entry(name: str) -> str:
    """Return the entry of the query i and the key j; scores are written small."""
    kind = re.fullmatch(r"S(?: (\w+))?", name)
    if kind is None:
        return f"{symbol(name)}_{{ij}}"
    return rf"s^{{\text{{{kind[1]}}}}}_{{ij}}" if kind[1] else "s_{ij}"


def pmatrix(matrix: Float[np.ndarray, "row column"]) -> str:
    """Return a matrix with two decimals; dots stand for rows or columns beyond `MOST`."""
    shown = matrix if len(matrix) <= MOST else matrix[: MOST - 1]
    rows = [_clipped([_number(entry) for entry in row], r"\cdots") for row in shown.tolist()]
    if len(shown) < len(matrix):
        rows.append(_clipped([r"\vdots"] * matrix.shape[1], r"\ddots"))
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def _clipped(entries: list[str], dots: str) -> list[str]:
    return entries if len(entries) <= MOST else [*entries[: MOST - 1], dots]


def _number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:z.2f}" if np.isfinite(value) else r"-\infty"


def _term(operand: Operand, shown: str) -> str:
    """Return an operand between its signs; the argument of a function stands in brackets."""
    bracketed = f"({shown})" if operand.before in FUNCTIONS and "pmatrix" not in shown else shown
    return " ".join(part for part in (SIGNS[operand.before], bracketed, _after(operand.after)) if part)


def _after(text: str) -> str:
    """Return the divisor or factor of an operand: `/ √4`, or `· 3.5` if it is no root."""
    sign, _, factor = text.partition(" ")
    root = factor.removeprefix("√")
    return f"{SIGNS[sign]} {factor}".rstrip() if root == factor else rf"{SIGNS[sign]} \sqrt{{{root}}}"


def symbol(name: str) -> str:
    """Return the name of a matrix as LaTeX."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    letter, digits = name[0], name[1:].translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    return f"{letter}_{{{digits}}}" if digits else letter


def _aligned(left: str, right: list[str]) -> str:
    lines = [f"{left} &= {right[0]}", *(f"&= {one}" for one in right[1:])]
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
