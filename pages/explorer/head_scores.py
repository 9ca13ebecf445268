"""Head scores: what every head does, measured on a sample of the language, and a sentence that shows it."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from core.measures.heads.head_scores import (
    ENTROPY,
    INDUCTION,
    LOOKED_AT,
    MEANINGS,
    SAMPLE,
    SAMPLE_IN_PIECES,
    above_chance,
    measure_heads,
    shown_texts,
)
from core.measures.heads.induction import ROWS
from core.measures.heads.standing_out import clearly_above
from core.text.language import vocabulary
from pages.contract.look import Look
from pages.contract.program import Program
from pages.contract.question import Question
from pages.contract.sheet import Changes, Column, Link, Listed, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.explorer.expected import reads_on
from pages.explorer.explored import explored
from pages.explorer.opened import opened_row, opened_tile
from pages.explorer.program import attention
from pages.explorer.questions_of_models import what_heads_attend_to
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import Scene
from viz.head_scores import by_head, scored
from viz.units import two_decimals

NARROW, WIDE = 52, 108
"""Pixels of a column with a whole number and of one with a bar."""

CLEAR = 2
"""A share of attention so many times that of equal weights says something, however small it is."""

SAMPLED = f"Scores are means over {SAMPLE} sentences that no model was trained on."
SAMPLED_IN_PIECES = (
    f"Scores are means over {SAMPLE_IN_PIECES} sentences of a small artificial English, read in pieces that "
    "are merged into words."
)
ON_RANDOM_TOKENS = (
    f"*{INDUCTION.capitalize()}* is measured on {ROWS} rows of random tokens, each repeated once: there only "
    "the earlier mention tells what comes next (Olsson et al. 2022, section 4)."
)
SOUGHT = "*Subject*, *antecedent* and *earlier mention* are measured at"
SOUGHT_BEFORE = f"{SOUGHT} the word before the verb, the pronoun or the mention."
SOUGHT_THERE = f"{SOUGHT} the verb, the pronoun or the mention itself."
MEASURING = "Measuring every head …"
HOW_TO_READ = (
    "Point at a tile to see what it measures. Click it, or select a row of the table, to open that head on "
    "the sentence that shows it best."
)
UNTRAINED = (
    "Random weights attend to nothing in particular: what differs from equal weights differs by chance."
)
ADVICE = "Choose trained weights to see heads that specialise. "


@dataclass(frozen=True)
class Found:
    """The scores of every head of the model."""

    scene: Scene
    table: pd.DataFrame


def find(scene: Scene, choices: None) -> Found:
    """The scores; those of a real model take seconds."""
    return Found(scene, measured(scene.switches))


@remembered(saying=MEASURING)
def measured(switches: Architecture) -> pd.DataFrame:
    """The scores of every head of the model that the switches describe, computed once for all visitors."""
    words = () if switches.weights.pretrained is not None else vocabulary().words
    return measure_heads(loaded(words, switches), width=switches.window)


def sheet(found: Found, look: Look) -> Sheet:
    """The figure of all scores, and the table of them to be sorted."""
    scene, table = found.scene, found.table
    is_trained = scene.switches.weights.trained
    return Sheet(
        answer=told_head(table, scene.layer, scene.head),
        parts=(
            _picture(found, look),
            Text(specialist(table) if is_trained else UNTRAINED),
            Text(f"{ADVICE * (not is_trained)}{_sampled(scene, table)} {HOW_TO_READ}"),
            _sortable(scene, table),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    scene, table = found.scene, found.table
    shares = table[table["score"] != ENTROPY]
    picture = scored(
        shares,
        MEANINGS,
        behind=lambda: _in_full(table),
        theme=look.theme,
        selected=(scene.layer, scene.head),
        size=look.room(),
    )
    return Shown("head_scores", picture, on_click=partial(opened_tile, scene, table))


def _sampled(scene: Scene, table: pd.DataFrame) -> str:
    """Return what the scores are means over, and at which words they are measured."""
    sample = SAMPLED if scene.pieces is None else SAMPLED_IN_PIECES
    sought = SOUGHT_BEFORE if reads_on(scene) else SOUGHT_THERE
    return " ".join([sample, sought, *([ON_RANDOM_TOKENS] if INDUCTION in set(table["score"]) else [])])


def told_head(table: pd.DataFrame, layer: int, head: int) -> str:
    """Return a sentence on the share of a head, counted from 0, that is furthest above equal weights."""
    shares = above_chance(table).query("layer == @layer + 1 and head == @head + 1").dropna(subset=["value"])
    top = shares.loc[shares["above"].idxmax()]
    named = f"layer {layer + 1}, head {head + 1}".capitalize()
    if top["above"] <= 0:
        return f"{named} puts no more attention on anything measured here than equal weights would."
    return f"{named} {_told_share(top)}."


def specialist(table: pd.DataFrame) -> str:
    """Return a sentence on the largest share of the table above equal weights, and on its head."""
    top = _furthest_above(table)
    named = f"layer {top['layer']}, head {top['head']}"
    if top["above"] <= 0:
        return "No head puts more attention on anything measured here than equal weights would."
    if _stands_out(top["value"], top["baseline"]):
        return f"Of all heads, {named} is furthest above equal weights: it {_told_share(top)}."
    return f"No head clearly stands out. Furthest above equal weights is {named}: it {_told_share(top)}."


def _furthest_above(table: pd.DataFrame) -> pd.Series:
    """Return the row of the table whose share is furthest above equal weights."""
    shares = above_chance(table).dropna(subset=["value"])
    found: pd.Series = shares.loc[shares["above"].idxmax()]
    return found


def _told_share(row: pd.Series) -> str:
    """Return the verb of a sentence on a share, with the numbers of the table."""
    value, equal = two_decimals(row["value"]), two_decimals(row["baseline"])
    return (
        f"puts {value} of its attention on {LOOKED_AT[row['score']]}; equal weights would put {equal} there"
    )


def _stands_out(share: float, equal: float) -> bool:
    """Return whether a share of the attention is clearly more than that of equal weights."""
    return bool(share >= CLEAR * equal or clearly_above(share, equal))


def _in_full(table: pd.DataFrame) -> pd.DataFrame:
    columns = {
        "measures": table["score"].map(MEANINGS),
        "best shown by": table["sentence"].map(shown_texts().__getitem__),
    }
    return table.drop(columns=["sentence", "query", "key"]).assign(**columns)


def _sortable(scene: Scene, table: pd.DataFrame) -> Listed:
    """A row for each head; selecting one opens the head on what it does most above chance."""
    wide = by_head(table)

    def open_row(row: int, link: Link) -> Changes:
        layer, head = wide.loc[row, ["layer", "head"]].astype(int)
        shares = above_chance(table).query("layer == @layer and head == @head")
        return opened_row(scene, table, layer, head, shares.loc[shares["above"].idxmax(), "score"])

    return Listed("heads_table", wide, _columns(table), on_select=open_row, title="Scores of every head")


def _columns(table: pd.DataFrame) -> dict[str, Column]:
    """A bar from 0 to 1 for every share; the entropy is a number."""
    columns = {name: Column(width=NARROW, is_pinned=True) for name in ("layer", "head")}
    for row in table.drop_duplicates("score").itertuples():
        told = f"{MEANINGS[row.score]}. Equal weights: {row.baseline:.2f}, over {row.places} words."
        if row.score == ENTROPY:
            columns[row.score] = Column("%.2f", "entropy (bits)", help=told)
        else:
            columns[row.score] = Column("%.2f", is_bar=True, width=WIDE, help=told)
    return columns


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a head of the model attends to; nothing of random weights, or if no head stands out."""
    top = _furthest_above(found.table)
    if not found.scene.switches.weights.trained or not _stands_out(top["value"], top["baseline"]):
        return ()
    shares = above_chance(found.table).dropna(subset=["value"])
    above = shares.groupby("score", sort=False)["above"].max()
    named = {LOOKED_AT[str(score)]: float(value) for score, value in above.items()}
    return (what_heads_attend_to(named, specialist(found.table)),)


def program(found: Found) -> Program:
    """The weights of the chosen head."""
    return attention(found.scene)


VIEW = explored(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program, reads=True),
)
