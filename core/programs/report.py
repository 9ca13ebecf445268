"""Printing of a measure's result: the last line of a program that calls one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch


def report(found: Any, words: Sequence[str] = (), name: str = "") -> None:
    """Print numbers under their names; an array with a row for each of `words` has them at its left."""
    if isinstance(found, pd.DataFrame):
        print(found.to_string(index=False, float_format=_number))
    elif is_dataclass(found) or isinstance(found, Mapping):
        parts = found if isinstance(found, Mapping) else _fields(found)
        if all(map(_is_plain, parts.values())):
            print(name, *(f"{one} {_shown(value)}" for one, value in parts.items()))
        else:
            for one, value in parts.items():
                report(value, words, f"{name} {one}".strip())
    elif isinstance(found, torch.Tensor | np.ndarray):
        _report_array(found if isinstance(found, np.ndarray) else found.detach().cpu().numpy(), words, name)
    elif _is_plain(found):
        print(name, _shown(found))
    elif isinstance(found, tuple | list | frozenset) and all(map(_is_plain, found)):
        print(name, *map(_shown, found))
    elif isinstance(found, Iterable):
        for at, one in enumerate(found, start=1):
            report(one, words, f"{name} {at}".strip())
    else:
        print(name, found)


def _report_array(found: np.ndarray, words: Sequence[str], name: str) -> None:
    """Print an array row by row; one with more dimensions than two part by part."""
    if found.ndim > 2:
        for at, part in enumerate(found, start=1):
            _report_array(part, words, f"{name} {at}".strip())
        return
    if name:
        print(name)
    rows = found if found.ndim == 2 else found[:, None] if len(found) == len(words) else found[None]
    labels = words if len(words) == len(rows) else range(1, len(rows) + 1)
    for label, row in zip(labels, rows.tolist(), strict=True):
        print(f"{label:>12}", *(f"{_shown(value):>10}" for value in row))


def _fields(found: Any) -> dict[str, Any]:
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _shown(value: object) -> str:
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    return f"{value:.5g}"
