"""Hiding: the attention weights of the query that predicts, beside what hiding each word changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.hiding import Hiding, heaviest_and_strongest, hide_each, longest, rank_correlation
from core.measures.long_reading import LongReading
from core.programs.hiding import hiding_program
from core.text.language import MASK
from core.text.limits import too_long
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.program import Program
from pages.contract.question import Question
from pages.contract.sheet import Controls, Notice, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import Typed, literal
from pages.controls.switches import Architecture
from pages.explorer.expected import PLACE, ask_position, reads_on
from pages.explorer.explored import explored
from pages.explorer.prediction import NOTHING_LEARNED, why_not_predicted
from pages.explorer.program import attention
from pages.explorer.questions import Row, does_a_large_weight_matter
from pages.explorer.questions_of_hiding import word_that_matters
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import Scene
from viz.bar_rows import bars
from viz.tables import unique_words
from viz.text import counted
from viz.units import per_cent, two_decimals

QUESTION = "Does hiding a word change the prediction as its attention weight says?"

CLOSE = 0.8
"""Rank correlation from which two orders are called much the same."""

LEAST_RANKED = 6
"""Fewest words whose order is compared: few are soon in the same order by chance."""

HIDES = "Every {unit} is hidden alone by {model} in"
HIDING = "Hiding every word alone …"
MEAN, CHANGE = "mean weight", "change if hidden"

TOLD = (
    "A hidden {unit} is masked as a key in every head of every layer. The bar below its weights is the total "
    "variation between the two predictions: the share of the probability that moves, 0 % if they are equal."
    "{itself}\n\n"
    "A weight says how much of a value one head mixes in. Hiding acts through all heads of all layers. So an "
    "attention weight is not by itself an explanation of the prediction."
)
ITSELF = " *{}* has no such bar, for it always sees itself."
OF_MASKED = " The weights are those of the sentence with the mask token in place of *{}*."


@dataclass(frozen=True)
class Found:
    """The weights and the changes at the position that predicts.

    Without a prediction, `why_not`, there are the weights alone, and of a long text neither.
    """

    scene: Scene
    hiding: Hiding | None
    why_not: str = ""


@dataclass(frozen=True)
class Told:
    """What the answer is made of: words that can be hidden, with their weights and what hiding changes."""

    names: Sequence[Typed]
    weights: np.ndarray
    changes: np.ndarray
    place: str
    what: str
    unit: str = "word"


def ask(ask: Ask, scene: Scene) -> int:
    """Return the position that predicts, or else of a row."""
    return ask_position(ask, scene, predicts=not _why_not(scene))


def find(scene: Scene, at: int) -> Found:
    """Hide each word alone; without a prediction, look up the weights."""
    if why_not := _why_not(scene):
        return Found(scene, _row_alone(scene, at), why_not)
    return Found(scene, _hidden(scene.words, scene.switches, at))


def _row_alone(scene: Scene, at: int) -> Hiding | None:
    """Return the weights of a row without any change; None of a text too long to keep those of all heads."""
    if isinstance(scene.reading, LongReading):
        return None
    keys = np.flatnonzero(scene.reading.allowed()[at])
    weights = scene.reading.patterns()[:, :, at][..., keys]
    return Hiding(at, tuple(keys.tolist()), weights, np.full(len(keys), np.nan))


def _why_not(scene: Scene) -> str:
    """Why no word is hidden here; empty where it is."""
    if why_not := why_not_predicted(scene):
        return why_not
    if not scene.switches.weights.trained:
        return NOTHING_LEARNED
    one, most = scene.switches.weights.pretrained, longest(scene.switches.config)
    if one is None or len(scene.words) <= most:
        return ""
    hides = HIDES.format(unit=scene.unit, model=literal(one.title))
    return too_long(hides, most, len(scene.words), scene.unit)


@remembered(saying=HIDING)
def _hidden(words: tuple[str, ...], switches: Architecture, at: int) -> Hiding:
    return hide_each(loaded(words, switches), position=at, window=switches.window)


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for each weight of the query, for their mean over all heads, and for each change."""
    scene, hiding = found.scene, found.hiding
    if hiding is None:
        return Sheet(parts=(Notice(found.why_not),))
    name = told_apart(scene.names)[hiding.position]
    if found.why_not:
        return Sheet(
            answer=told_largest(name, _row(scene, hiding), scene.place),
            parts=(Controls(PLACE), _bars(scene, hiding, look), Notice(found.why_not)),
        )
    itself = ITSELF.format(name) + ("" if reads_on(scene) else OF_MASKED.format(name))
    return Sheet(
        answer=told_agreement(_told(scene, hiding)),
        parts=(
            Controls(PLACE),
            _bars(scene, hiding, look),
            Text(f"{_of_the_mean(scene, hiding)}{TOLD.format(unit=scene.unit, itself=itself)}"),
        ),
    )


def told_largest(name: Typed, row: Row, place: str) -> str:
    """Say where the largest weight of a row is."""
    most = int(np.argmax(row.weights))
    return f"In {place}, *{name}* attends most to *{row.keys[most]}*, with {per_cent(row.weights[most])}."


def told_agreement(told: Told) -> str:
    """Which word has the largest weight, which one's hiding changes most, and how their ranks agree."""
    names, weights, changes, place = told.names, told.weights, told.changes, told.place
    if not len(names):
        return f"No other {told.unit} may be attended to, so none can be hidden to change {told.what}."
    heaviest, strongest = heaviest_and_strongest(weights, changes)
    of_heaviest, of_strongest = per_cent(changes[heaviest]), per_cent(changes[strongest])
    if len(names) == 1:
        return (
            f"*{names[0]}* is the only other {told.unit}: its weight in {place} is {per_cent(weights[0])}, "
            f"and hiding it changes {told.what} by {of_heaviest}."
        )
    among = f"Of the other {told.unit}s, *{names[heaviest]}* has the largest weight in {place}"
    largest = f"{among}, {per_cent(weights[heaviest])}"
    if not changes[strongest]:
        return f"{largest}, but hiding any of them leaves {told.what} as it is."
    ranks = _ranks(weights, changes, told.unit)
    if heaviest == strongest:
        return f"{largest}, and hiding it also changes {told.what} most, by {of_strongest}{ranks}."
    return (
        f"{largest}, but hiding *{names[strongest]}* changes {told.what} most, by {of_strongest} against "
        f"{of_heaviest}{ranks}."
    )


def _ranks(weights: np.ndarray, changes: np.ndarray, unit: str) -> str:
    """A clause on the rank correlation, where there is one."""
    found = _agreement(weights, changes)
    if found is None:
        return ""
    over = counted(len(weights), unit)
    return f"; over {over}, Spearman's rank correlation of weight and change is {two_decimals(found)}"


def _agreement(weights: np.ndarray, changes: np.ndarray) -> float | None:
    """Return the rank correlation of weights and changes; None if there is none or they are few."""
    return None if len(weights) < LEAST_RANKED else rank_correlation(weights, changes)


def _of_the_mean(scene: Scene, hiding: Hiding) -> str:
    """The rank correlation with the mean weights, where there is one."""
    others = hiding.others
    found = _agreement(hiding.mean_weights[others], hiding.changes[others])
    if found is None:
        return ""
    told = f"With the mean weight over all heads and layers, the rank correlation is {two_decimals(found)}"
    but = ": in this sentence the mean ranks the words much as hiding does, though no head need" * (
        found > CLOSE
    )
    return f"{told}{but}.\n\n"


def _told(scene: Scene, hiding: Hiding) -> Told:
    names, others = told_apart(scene.names), hiding.others
    return Told(
        names=[names[at] for at in np.array(hiding.keys)[others]],
        weights=_weights(scene, hiding)[others],
        changes=hiding.changes[others],
        place=_place(scene),
        what=f"the prediction {'after' if reads_on(scene) else 'of the masked'} *{names[hiding.position]}*",
        unit=scene.unit,
    )


def _place(scene: Scene) -> str:
    return scene.place


def _weights(scene: Scene, hiding: Hiding) -> np.ndarray:
    return np.asarray(hiding.weights[scene.layer, scene.head])


def _bars(scene: Scene, hiding: Hiding, look: Look) -> Shown:
    rows = {_place(scene): look.theme.attention, MEAN: look.theme.muted}
    shares = np.stack([_weights(scene, hiding), hiding.mean_weights])
    title = f"Attention weights of each {scene.unit}"
    if not np.isnan(hiding.changes[hiding.others]).all():
        rows[CHANGE] = look.theme.output
        shares = np.stack([*shares, hiding.changes])
        title = f"Attention weights, and change of the prediction without each {scene.unit}"
    named = unique_words(scene.labels)
    picture = bars(
        shares,
        rows,
        [scene.labels[at] for at in hiding.keys],
        title=title,
        theme=look.theme,
        top=float(np.nanmax(shares)) or 1.0,
        chosen=hiding.keys.index(hiding.position),
        narrow=look.is_narrow,
        table=lambda: pd.DataFrame(
            dict(zip(rows, shares, strict=True)),
            index=pd.Index([named[at] for at in hiding.keys], name=scene.unit),
        ),
    )
    return Shown("hiding", picture)


def questions(found: Found) -> tuple[Question | None, ...]:
    """Which word matters, and whether a large weight tells."""
    scene, hiding = found.scene, found.hiding
    if hiding is None or found.why_not:
        return ()
    told = _told(scene, hiding)
    matters = word_that_matters(
        told.what,
        told.names,
        told.weights.tolist(),
        told.changes.tolist(),
        place=told.place,
        unit=told.unit,
    )
    return matters, does_a_large_weight_matter(_row(scene, hiding))


def _row(scene: Scene, hiding: Hiding) -> Row:
    """The query that predicts and its keys; a masked word is named as one."""
    names = list(told_apart(scene.names))
    if not reads_on(scene) and not np.isnan(hiding.changes[hiding.others]).all():
        names[hiding.position] = Typed(f"{names[hiding.position]!s} (masked)")
    return Row(
        place=_place(scene),
        word=names[hiding.position],
        keys=tuple(names[at] for at in hiding.keys),
        weights=tuple(map(float, _weights(scene, hiding))),
        unit=scene.unit,
    )


def program(found: Found) -> Program:
    """The weights and the changes, of a model of the small language; else the weights of the head."""
    scene, hiding = found.scene, found.hiding
    if hiding is None or found.why_not or scene.pieces is not None:
        return attention(scene)
    masked = None if reads_on(scene) else MASK
    return Program(
        lambda: hiding_program(scene.subject, hiding.position, mask_word=masked),
        prints="the change of the prediction without each word",
    )


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
    question=QUESTION,
)
