"""Mask values: numbers that stand for "may not attend" in the scores, and their weights after softmax."""

import numpy as np
import pandas as pd
from jaxtyping import Bool

from core.measures.masking.mask_values import (
    ALL_MASKED,
    AS_THEY_ARE,
    CONSTANTS,
    FORMATS,
    LOWERED,
    LOWERED_BY,
    METHODS,
    REPLACED,
    ROWS,
    MaskValues,
    mask_values,
)
from core.measures.masking.painting import PaintedMask
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Fold, Formula, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.masking.mask import PAINTED, ask_mask, painted_over
from viz.outcomes import Outcomes
from viz.text import quoted
from words import counted, enumerated, per_cent

ADDED = r"\alpha_i = \mathrm{softmax}(s_i + M_i), \quad M_{ij} \in \{0, c\}"
ADDED_IS = "A very negative number c is added to masked scores"
REPLACING = (
    "The GPT-2 of Hugging Face's library once replaced masked scores by −10⁴, and the first minGPT by −10¹⁰. "
    "Float16 ends at 65504, so −10⁵ becomes −∞ there. This app masks with −∞, and sets a row "
    "without keys to 0."
)
BELOW = "below"
"""Spot of the button that clears cells painted elsewhere."""

FURTHER = "further"
"""Spot of the choice of a further change to the row, in the fold."""

FORMAT = next(iter(FORMATS))
"""Number format in which the model computes."""

LEAST_LEAK = 0.005
"""Smallest share that is not 0 in whole per cent."""

BY_CONSTANTS = tuple(f"{name} added" for name in CONSTANTS)
FAILS = {"NaN": "It is NaN", "leaks": "Masked keys get weight"}
"""Failures of a row without keys, by its verdict."""

CHANGED = {ALL_MASKED: "every key masked", LOWERED: "all scores − 20 000"}
"""Short names of the rows that are not as the model computes them."""


@view(question="Why is a masked score −∞?", about="head", pieces=MAX_WORDS, **PAINTED)
def values(ask: Ask, scene: Scene) -> Sheet:
    """Show every way to mask one row, as it is and with every key masked or all its scores lowered."""
    mask = ask_mask(ask, len(scene.words), unit=scene.unit, unpaint_at=BELOW)
    query = _ask_row(ask, scene, mask)
    with ask.at(FURTHER):
        case = ask.menu("case", width=255)
    under = painted_over(scene, mask)
    seen, word = under.allowed[query], scene.unique_names[query]
    found = _mask_values(under.stages.scores[query].tobytes(), seen.tobytes())
    table = found.table()
    verdicts = table.set_index(["row", "method", "format"])["verdict"]
    some = bool(seen.any() and not seen.all())
    told = with_every_key_masked(verdicts) if case == ALL_MASKED else with_scores_lowered(verdicts, seen)
    of = quoted(str(word))
    open_keys = f"{int(seen.sum())} of {counted(len(seen), 'key')} allowed"
    return Sheet(
        headline=headline(f"head {scene.head + 1} of layer {scene.layer + 1}", word, seen, table),
        notes=under.notes,
        caption=under.caption,
        unknown=tuple(under.reading.unknown),
        parts=(
            _strips(found, table, AS_THEY_ARE, f"{of}, {open_keys}", under.labels, formats=(FORMAT,)),
            *([Text(in_this_row(verdicts))] if some else []),
            Controls(BELOW),
            Fold(
                "16-bit numbers, and rows without keys",
                (
                    Controls(FURTHER),
                    _strips(
                        found, table, case, of if case == ALL_MASKED else f"{of}, {open_keys}", under.labels
                    ),
                    Text(told),
                ),
                key="further",
            ),
            Fold("Formula, and what libraries do", (Formula(ADDED, ADDED_IS), Text(REPLACING))),
        ),
        questions=lambda: (row_replaced(found),),
        program=lambda: Program(
            lambda: scene.subject.shown(
                "mask_values",
                "The numbers for 'may not attend' in a row of scores, and their weights after the softmax.",
                mask,
                query=query,
            )
        ),
    )


def _ask_row(ask: Ask, scene: Scene, mask: PaintedMask) -> int:
    """Return the word whose row is masked, by default the middle one of those with some keys allowed."""
    allowed = mask.allowed(len(scene.words)).numpy()
    some = np.flatnonzero(allowed.any(axis=1) & ~allowed.all(axis=1))
    query = ask.word(
        "query", scene.names, label="Row of", usual=int(some[len(some) // 2]) if len(some) else 0
    )
    assert query is not None, "one is usual"
    return query


@cached_for_all()
def _mask_values(scores: bytes, allowed: bytes) -> MaskValues:
    return mask_values(np.frombuffer(scores, np.float32), np.frombuffer(allowed, bool))


def _strips(
    found: MaskValues,
    table: pd.DataFrame,
    row: str,
    of: str,
    labels: tuple[str, ...],
    *,
    formats: tuple[str, ...] = tuple(FORMATS),
) -> PicturePart:
    """Return the weights of one of the rows, for every way to mask it, in these formats."""
    at, columns = ROWS.index(row), [list(FORMATS).index(one) for one in formats]
    weights = found.weights[at][:, columns]
    first, *_, ours = weights
    same = np.array_equal(first, ours, equal_nan=True)  # this app adds −∞, except for rows without keys
    shown = list(METHODS)[: -1 if same else None]
    picture = Outcomes(
        weights=weights[: len(shown)],
        allowed=found.allowed[at],
        outcomes=table[(table["row"] == row) & table["format"].isin(formats) & table["method"].isin(shown)],
        words=labels,
        title=", ".join(["Ways to mask", f"row of {of}", *([CHANGED[row]] if at else [])]),
        short=CHANGED[row] if at else "Ways to mask this row",
    )
    return PicturePart("values_beside" if at else "values", picture)


def headline(place: str, word: str, seen: Bool[np.ndarray, "key"], table: pd.DataFrame) -> str:
    """Say which weight masked keys get with a score of 0, and with −∞, as measured on this machine."""
    if seen.all():
        return f"In {place}, nothing is masked for *{word}*: it may attend to every key."
    if not seen.any():
        return f"In {place}, *{word}* may attend to nothing. {_without_keys(table)}"
    row = table[(table["row"] == AS_THEY_ARE) & (table["format"] == FORMAT)].set_index("method")
    leaked = row["on masked keys"]
    reason = ", because exp(0) = 1" if leaked["score = 0"] >= LEAST_LEAK else ""
    return (
        f"exp(−∞) = 0: in {place}, *{word}* gives masked keys {per_cent(leaked['−∞ added'])} of its "
        f"attention. With scores of 0 they get {per_cent(leaked['score = 0'])}{reason}."
    )


def _without_keys(table: pd.DataFrame) -> str:
    """Say what each way to mask gives a row in which every key is masked."""
    row = table[(table["row"] == AS_THEY_ARE) & (table["format"] == FORMAT)].set_index("method")
    sums = row["on masked keys"]
    ways = {"are 0 with": sums == 0, "go to masked keys with": sums > 0, "are NaN with": sums.isna()}
    told = [
        f"{what} {enumerated([f'*{way}*' for way in sums.index[some]])}"
        for what, some in ways.items()
        if some.any()
    ]
    return f"Its weights {enumerated(told)}."


def in_this_row(verdicts: pd.Series) -> str:
    """Say which very negative numbers mask the row."""
    works = {way: (verdicts[AS_THEY_ARE][way] == "exact").all() for way in (*BY_CONSTANTS, "score = −10⁴")}
    if all(works.values()):
        late = " Weights set to 0 after the softmax leave a row that sums to less than 1."
        is_short = bool((verdicts[AS_THEY_ARE]["weight = 0"] == "short").all())
        return (
            "Each of −∞, −10⁵ and −10⁴ masks this row: for a computer, exp of so low a score is 0."
            f"{late * is_short}"
        )
    failing = enumerated([f"*{way}*" for way, exact in works.items() if not exact])
    return f"Masked keys of this row do not all get a weight of exactly 0: not with {failing}."


def with_every_key_masked(verdicts: pd.Series) -> str:
    """Say how rows without keys fail, and in which formats."""
    told = []
    for what, said in FAILS.items():
        by_formats: dict[tuple[str, ...], list[str]] = {}
        for way in METHODS:
            found = tuple(form for form in FORMATS if verdicts[ALL_MASKED, way, form] == what)
            by_formats.setdefault(found, []).append(f"*{way}*")
        by_formats.pop((), None)
        everywhere = by_formats.pop(tuple(FORMATS), [])
        also = " also" if everywhere else ""
        parts = [f"with {enumerated(everywhere)}"] if everywhere else []
        parts += [
            f"in {enumerated(found)}{also} with {enumerated(ways)}" for found, ways in by_formats.items()
        ]
        told += [f"{said} {', and '.join(parts)}."] if parts else []
    return f"**Every key masked.** A row without keys should be all 0. {' '.join(told)}"


def with_scores_lowered(verdicts: pd.Series, seen: Bool[np.ndarray, "key"]) -> str:
    """Say which numbers mask the row as it is, but not with all its scores lowered."""
    works = {
        way: [(verdicts[row][way] == "exact").all() for row in (AS_THEY_ARE, LOWERED)]
        for way in (*BY_CONSTANTS, *(f"score = {name}" for name in REPLACED))
    }
    lost = [way for way, (before, after) in works.items() if before and not after]
    lowered = f"{LOWERED_BY:,.0f}".replace(",", " ")
    said = f"**All scores lowered by {lowered}.** In exact arithmetic this changes no weight of a softmax."
    if not 0 < seen.sum() < len(seen):
        return said
    if not lost:
        return f"{said} Every number that masked the original scores still masks the row."
    added = (
        " A masked score with a number *added* stays lower."
        if all(works[way][1] for way in BY_CONSTANTS)
        else ""
    )
    return (
        f"{said} But {enumerated([f'*{way}*' for way in lost])} no longer "
        f"{'masks' if len(lost) == 1 else 'mask'} the row: allowed keys now have lower scores than the "
        f"number that replaces masked scores.{added}"
    )


def row_replaced(found: MaskValues) -> Choose | None:
    """Ask what becomes of a row without keys whose scores are all replaced; None for a row of one key."""
    name = f"score = {next(iter(REPLACED))}"
    weights = found.weights[ROWS.index(ALL_MASKED), list(METHODS).index(name)]
    n = weights.shape[-1]
    are_equal = bool(np.allclose(weights, 1 / n, atol=1e-3)) if n > 1 else None
    return choose(
        "A row may attend to no key, and all its scores are replaced by −10⁴. What weights does the softmax "
        "give?",
        Option("all keys the same weight", are_equal),
        Option("all keys 0", False, "A softmax divides by its sum: its weights sum to 1."),
        Option("the same weights as without a mask", False, "The scores are gone: all are −10⁴ now."),
        because="Equal scores get equal weights, however low they are: a softmax compares scores.",
    )
