r"""Formulas of the app, evaluated: LaTeX about rows is computed with the numbers of a model.

`value(r"x\,W + b", {"x": …, "W": …, "b": …})` understands the formulas of the app: products and sums,
fractions and roots, transposed matrices, rows side by side, and functions that the caller names.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import torch
from torch import Tensor

FUNCTIONS: dict[str, Any] = {
    r"\text{softmax}": lambda x: x.softmax(-1),
    r"\operatorname{softmax}": lambda x: x.softmax(-1),
    r"\sigma": torch.sigmoid,
    r"\tanh": torch.tanh,
    r"\text{ReLU}": torch.relu,
    r"\text{GELU}": torch.nn.functional.gelu,
    r"\text{SiLU}": torch.nn.functional.silu,
}
SPACES = re.compile(r"\\[!,;:]|\\(?:quad|qquad|bigl|bigr|left|right)(?![a-z])|\s+")
"""Commands that change only the look."""


def equations(latex: str) -> dict[str, str]:
    """Return both sides of every equation of a formula, in their order."""
    plain = re.sub(r"\\(?:begin|end)\{[a-z]+\}|&", " ", latex)
    parts = re.split(r",\s*\\q?quad|\\\\|,\s*\\;", plain)
    sides = (re.split(r"(?<!\\neq) = ", part, maxsplit=1) for part in parts if " = " in part)
    return {left.strip(): right.strip() for left, right in sides}


def value(latex: str, names: Mapping[str, Any]) -> Tensor:
    """Return the value of the right side of an equation. Raises ValueError if it does not understand it."""
    reader = _Reader(SPACES.sub(" ", latex), {**FUNCTIONS, **names})
    found = reader.sum()
    if reader.rest:
        raise ValueError(f"cannot read {reader.rest!r} of {latex!r}")
    return found


Model = TypeVar("Model", bound=torch.nn.Module)


def drawn(model: Model) -> Model:
    """Return the model with random parameters: none is 0 or 1, so that each of them has an effect."""
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return model.double()


class _Reader:
    """A parser of a formula from left to right; `rest` is the unread part."""

    def __init__(self, latex: str, names: Mapping[str, Any]) -> None:
        self.names = {SPACES.sub(" ", name): one for name, one in names.items()}
        self._order = sorted(self.names, key=len, reverse=True)
        self.rest = latex.strip()

    def takes(self, *signs: str) -> str:
        """Read and return the first of these signs that comes next; return an empty text if none does."""
        for sign in signs:
            if self.rest.startswith(sign):
                self.rest = self.rest[len(sign) :].lstrip()
                return sign
        return ""

    def sum(self) -> Any:
        found = self.product()
        while sign := self.takes("+", "-"):
            other = self.product()
            found = found + other if sign == "+" else found - other
        return found

    def product(self) -> Any:
        found = self.power()
        while self.rest and not re.match(r"[-+)\]};,]", self.rest):
            sign = self.takes(r"\cdot", r"\odot", "/")
            other = self.power()
            if sign == "/":
                found = found / other
            elif sign == r"\odot" or not (_is_matrix(found) and _is_matrix(other)):
                found = found * other
            else:
                found = found @ other
        return found

    def power(self) -> Any:
        found = self.factor()
        return found.mT if self.takes(r"^\top") else found

    def factor(self) -> Any:
        if name := self.takes(*self._order):
            one = self.names[name]
            return one(self.factor()) if callable(one) and not isinstance(one, Tensor) else one
        if self.takes(r"\frac"):
            above = self.factor()
            return above / self.factor()
        if self.takes(r"\sqrt"):
            return torch.as_tensor(self.factor()).sqrt()
        if self.takes("["):
            parts = [self.sum()]
            while self.takes(";"):
                parts.append(self.sum())
            self.closes("]")
            return torch.cat(parts, -1)
        if opening := self.takes("(", "{"):
            found = self.sum()
            self.closes({"(": ")", "{": "}"}[opening])
            return found
        if number := re.match(r"\d+(?:\.\d+)?", self.rest):
            self.takes(number[0])
            return torch.tensor(float(number[0]), dtype=torch.float64)
        raise ValueError(f"cannot read {self.rest!r}")

    def closes(self, sign: str) -> None:
        if not self.takes(sign):
            raise ValueError(f"{sign} is missing before {self.rest!r}")


def _is_matrix(one: Any) -> bool:
    return isinstance(one, Tensor) and one.ndim >= 2
