"""A stage's calculation with its numbers, as LaTeX to be pasted: no typed word gets into it."""

import numpy as np
from jaxtyping import Float

from core.measures.stages.stage import Operand, Stage

MOST = 10
"""Rows and columns that a pmatrix of amsmath has room for as it stands."""

SYMBOLS = {
    "x̃": r"\tilde{x}",
    "x̂": r"\hat{x}",
    "x̄": r"\bar{x}",
    "x′": "x'",
    "kᵀ": r"k^\top",
    "Eᵀ": r"E^\top",
    "S scaled": r"S_{\text{scaled}}",
    "S biased": r"S_{\text{biased}}",
    "S masked": r"S_{\text{masked}}",
    "α": r"\alpha",
    "gain": r"\gamma",
    "bias": r"\beta",
}
"""Names that are not letters as they stand."""

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

OUTER = {"rotate": "rotate"}
"""What is done to the operands together, by the rule: positions that rotate."""


def calculation(stage: Stage) -> str:
    """An aligned equation: the stage in symbols, with its numbers, and what comes out."""
    left, result = symbol(stage.symbol), pmatrix(stage.result.matrix)
    if (computed := stage.result.computed) is not None:
        given = pmatrix(np.where(np.isnan(computed), stage.result.matrix, computed))
        result = rf"{given} \text{{; entries set by hand: }} {result}"
    if not stage.operands:
        return _aligned(left, [result])
    symbols = " ".join(_term(one, symbol(one.name)) for one in stage.operands)
    figures = " ".join(_term(one, pmatrix(one.grid.matrix)) for one in stage.operands)
    outer = OUTER.get(stage.rule)
    if outer is not None:
        symbols, figures = (rf"\operatorname{{{outer}}}\left({one}\right)" for one in (symbols, figures))
    return _aligned(left, [symbols, figures, result])


def pmatrix(matrix: Float[np.ndarray, "row column"]) -> str:
    """A matrix with two decimals; what is beyond `MOST` rows or columns is dots."""
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
    """An operand between its signs; what a function is applied to stands in brackets."""
    bracketed = f"({shown})" if operand.before in FUNCTIONS and "pmatrix" not in shown else shown
    return " ".join(part for part in (SIGNS[operand.before], bracketed, _after(operand.after)) if part)


def _after(text: str) -> str:
    """What an operand is divided or multiplied by: `/ √4`, or `· 3.5` where that is no root."""
    sign, _, factor = text.partition(" ")
    root = factor.removeprefix("√")
    return f"{SIGNS[sign]} {factor}".rstrip() if root == factor else rf"{SIGNS[sign]} \sqrt{{{root}}}"


def symbol(name: str) -> str:
    """The name of a matrix as LaTeX."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    letter, digits = name[0], name[1:].translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    return f"{letter}_{{{digits}}}" if digits else letter


def _aligned(left: str, right: list[str]) -> str:
    lines = [f"{left} &= {right[0]}", *(f"&= {one}" for one in right[1:])]
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
