"""The mechanism pages show, describe and print one thing: the layer, head, query and key that were chosen.

All of these differ from each other, and from the first, so that none can stand for another.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.model.config import POSITIONS
from tests.pages.asked import Asked
from tests.pages.session import numbers
from tests.programs import printed
from viz.bar_rows import FULL

WORDS = ("Zuko", "made", "his", "uncle", "tea", "so")
LAYER, HEAD, QUERY, KEY = 2, 3, 5, 4
"""As a visitor counts them."""

CHOSEN = {"layer": LAYER, "head": HEAD}
Numbers = np.ndarray


def panel(picture: str, at: int = 0) -> Callable[[Asked], Numbers]:
    """A matrix of a picture, with 0 where it has gaps."""
    return lambda session: np.nan_to_num(session.matrix(picture, panel=at))


def bars(picture: str) -> Callable[[Asked], Numbers]:
    """Rows of bars, as columns, each as tall as its share of the tallest."""

    def shown(session: Asked) -> Numbers:
        return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]]).T / FULL

    return shown


def columns(picture: str) -> Callable[[Asked], Numbers]:
    """A matrix that stands on its side."""
    return lambda session: panel(picture)(session).T


def table(session: Asked) -> Numbers:
    """The vectors of all heads, which are drawn as colours alone."""
    return np.asarray(session.table("reshape").to_numpy(), dtype=float)


def verdicts(session: Asked) -> Numbers:
    """What every way to mask gives masked keys, and the sum of its row; first as it is, then all masked."""
    halves = [session.table(picture) for picture in ("values", "values_masked")]
    return np.concatenate([half[["on masked keys", "row sum"]].to_numpy(dtype=float) for half in halves])


@dataclass(frozen=True)
class Case:
    """A view, what it was asked for, how to read its numbers, and which picture tells them.

    Its program prints them in the last `n_columns` of its lines, after `before` other lines and before
    `after` more. `at` counts the matrices that the picture has before this one.
    """

    page: str
    view: str
    asked: dict[str, Any]
    shown: Callable[[Asked], Numbers]
    told_by: str = ""
    n_columns: int = len(WORDS)
    before: int = 0
    after: int = 0
    at: int = 0


ONE_HEAD = {"layer": LAYER, "head": 4, "of": "one head", "positions": "alibi", "mask": "bidirectional"}
BY_MEAN = {"layer": LAYER, "positions": "rotary", "mask": "bidirectional"}
ALIBI, ROTARY = POSITIONS.index("alibi"), POSITIONS.index("rotary")
A_PAIR = {**CHOSEN, "query": QUERY, "key": KEY}
A_WINDOW = {**CHOSEN, "preset": "window"}
A_ROW = {**A_WINDOW, "query": QUERY, "values_table": True, "values_masked_table": True}

CASES = [
    Case("positions", "all schemes", ONE_HEAD, panel("schemes", ALIBI), "schemes", at=ALIBI),
    Case("positions", "all schemes", BY_MEAN, panel("schemes", ROTARY), "schemes", at=ROTARY),
    Case("positions", "alibi", {"head": HEAD}, panel("bias", 1), "bias", before=len(WORDS), at=1),
    Case("positions", "rotary", A_PAIR, panel("everywhere"), n_columns=QUERY + 12),
    Case("positions", "sinusoidal", {"positions_shown": 16, "width": 32}, panel("waves"), n_columns=32),
    Case("positions", "learned", {"positions_shown": 32}, columns("table"), n_columns=48),
    Case("masking", "paint", {**A_WINDOW, "head": 2}, panel("painted", 1), "painted", after=1),
    Case("masking", "mask values", A_ROW, verdicts, n_columns=2, before=1),
    Case(
        "masking",
        "gradient",
        {"preset": "padding", "residual": False, "positions": "rotary"},
        panel("gradient", 1),
        "gradient",
        before=1,
    ),
    Case(
        "heads", "one and many", {"layer": LAYER, "head": 6, "heads": 8}, panel("counts_head"), "counts_head"
    ),
    Case("heads", "reshape", {"layer": LAYER, "vectors": "k", "reshape_table": True}, table, n_columns=48),
    Case("scaling", "heads", {**CHOSEN, "word": QUERY}, bars("head_row"), n_columns=3),
    Case("scaling", "random vectors", {"word": QUERY, "d": 16}, bars("row"), n_columns=2),
]


def named(case: Case) -> str:
    return " ".join([case.page, case.view, str(case.asked.get("of", ""))]).strip()


def opened(case: Case) -> Asked:
    return Asked(case.page, view=case.view, text=" ".join(WORDS), **case.asked)


def rows(case: Case, program: str) -> Numbers:
    """The numbers that a program prints for the picture; what is masked is 0, as in `panel`."""
    lines = printed(program, alone=False).replace("|", "").splitlines()
    kept = lines[case.before : len(lines) - case.after]
    found = np.array([line.split()[-case.n_columns :] for line in kept], dtype=float)
    return np.where(np.isneginf(found), 0, found)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_program_prints_what_the_picture_shows(case: Case) -> None:
    session = opened(case)
    shown, found = case.shown(session), rows(case, session.code)
    if case.view == "heads":  # these bars are as tall as their share of the tallest
        shown = shown * np.nanmax(found)
    assert_allclose(shown, found, atol=2e-3)
    assert np.nanmax(found) - np.nanmin(found) > 0.01, "numbers that are all alike compare nothing"


@pytest.mark.parametrize("case", [case for case in CASES if case.told_by], ids=named)
def test_the_alternative_text_names_the_extreme_cell_of_the_picture(case: Case) -> None:
    session = opened(case)
    shown = case.shown(session)
    told = re.findall(r"(\w+) → (\w+) (−?\d+\.?\d*)", session.alt(case.told_by))
    query, key, value = told[case.at]
    cell = WORDS.index(query), WORDS.index(key)
    assert shown[cell] == pytest.approx(float(value.replace("−", "-")), abs=0.006)
    choices = shown[(shown != 0).sum(axis=1) > 1]
    assert abs(shown[cell]) == pytest.approx(abs(choices).max())
    assert cell[0] != cell[1], "a cell that is its own mirror image"
