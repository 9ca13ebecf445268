"""Hiding: the attention weights of the query that predicts, beside what hiding each word changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.hiding import Hiding, heaviest_and_strongest, hide_each, longest, rank_correlation
from core.measures.long_reading import LongReading
from core.programs import calling
from core.text.limits import too_long
from pages.contract.ask import Ask
from pages.contract.caption import Caption
from pages.contract.loading import loaded
from pages.contract.memory import remembered
from pages.contract.predict import MOST_OPTIONS, choose, choose_largest, told_apart
from pages.contract.program import Program
from pages.contract.prose import Typed, literal
from pages.contract.question import Choose, Option, Question
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Sheet, Shown, Text
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.explorer.expected import (
    NOTHING_LEARNED,
    PLACE,
    ask_position,
    asked_at,
    reads_on,
    why_not_predicted,
)
from pages.explorer.explored import EXPLORED, weights_program
from viz.bar_rows import BarRows
from viz.tables import unique_words
from viz.theme import Role
from words import counted, per_cent, two_decimals

CLOSE = 0.8
"""Rank correlation from which two orders are called much the same."""

LEAST_RANKED = 6
"""Fewest words whose order is compared: few are soon in the same order by chance."""

CLEAR = 0.95
"""Share of the largest weight of a row that no other one reaches, if that weight is called the largest."""

HIDES = "Every {unit} is hidden alone by {model} in"
HIDING = "Hiding every word alone …"
MEAN, CHANGE = "mean weight", "change if hidden"

HOW = (
    "A hidden {unit} is masked as a key in every head of every layer. The bar below its weights is the total "
    "variation between the two predictions: the share of the probability that moves, 0 % if they are equal."
    " *{name}* has no such bar, because it always sees itself."
)
OF_MASKED = " The weights are those of the sentence with the mask token in place of *{}*."
SO = (
    "A weight says how much of a value one head mixes in. Hiding acts through all heads of all layers. So an "
    "attention weight is not by itself an explanation of the prediction."
)


@dataclass(frozen=True)
class Hidden:
    """Words that can be hidden, their weights in the head at `place`, and what hiding changes of `what`."""

    names: Sequence[Typed]
    weights: np.ndarray
    changes: np.ndarray
    place: str
    what: str
    unit: str = "word"


@view(**EXPLORED, question="Does hiding a word change the prediction as its attention weight says?")
def hiding(ask: Ask, scene: Scene) -> Sheet:
    """Show a bar for each weight of the query, for their mean over all heads, and for each change."""
    why_not = _why_not(scene)
    at = ask_position(ask, scene, predicts=not why_not)
    unknown = tuple(scene.reading.unknown)
    if why_not:
        row = _row_alone(scene, at)
        if row is None:
            return Sheet(parts=(Text(why_not, "info"),), unknown=unknown)
        parts = Controls(PLACE), _bars(scene, row), Text(why_not, "info")
        return Sheet(
            answer=_told_largest(scene, row),
            parts=parts,
            unknown=unknown,
            program=lambda: weights_program(scene),
        )
    found = _hidden_each(scene.words, scene.switches, at)
    hidden = _hidden(scene, found)
    return Sheet(
        answer=told_agreement(hidden),
        parts=(Controls(PLACE), _bars(scene, found), Text(_told(scene, found))),
        unknown=unknown,
        questions=lambda: _questions(scene, found, hidden),
        program=lambda: _program(scene, found),
    )


def _why_not(scene: Scene) -> str:
    """Return why no word is hidden here; empty if words are hidden."""
    if why_not := why_not_predicted(scene):
        return why_not
    if not scene.switches.weights.trained:
        return NOTHING_LEARNED
    one, most = scene.switches.weights.pretrained, longest(scene.switches.config)
    if one is None or len(scene.words) <= most:
        return ""
    hides = HIDES.format(unit=scene.unit, model=literal(one.title))
    return too_long(hides, most, len(scene.words), scene.unit)


def _row_alone(scene: Scene, at: int) -> Hiding | None:
    """Return the weights of a row without any change; None of a text too long to keep those of all heads."""
    if isinstance(scene.reading, LongReading):
        return None
    keys = np.flatnonzero(scene.reading.allowed()[at])
    weights = scene.reading.patterns()[:, :, at][..., keys]
    return Hiding(at, tuple(keys.tolist()), weights, np.full(len(keys), np.nan))


@remembered(saying=HIDING)
def _hidden_each(words: tuple[str, ...], switches: Architecture, at: int) -> Hiding:
    return hide_each(loaded(words, switches), position=at, window=switches.window)


def _weights(scene: Scene, found: Hiding) -> np.ndarray:
    return np.asarray(found.weights[scene.layer, scene.head])


def _hidden(scene: Scene, found: Hiding) -> Hidden:
    names, others = told_apart(scene.names), found.others
    return Hidden(
        names=[names[at] for at in np.array(found.keys)[others]],
        weights=_weights(scene, found)[others],
        changes=found.changes[others],
        place=scene.place,
        what=f"the prediction {'after' if reads_on(scene) else 'of the masked'} *{names[found.position]}*",
        unit=scene.unit,
    )


def _told_largest(scene: Scene, found: Hiding) -> str:
    """Return where the largest weight of a row is."""
    names, weights = told_apart(scene.names), _weights(scene, found)
    most = int(np.argmax(weights))
    return (
        f"In {scene.place}, *{names[found.position]}* attends most to *{names[found.keys[most]]}*, with "
        f"{per_cent(weights[most])}."
    )


def told_agreement(hidden: Hidden) -> str:
    """Return which word has the largest weight, which one's hiding changes most, and how well ranks agree."""
    names, weights, changes, place = hidden.names, hidden.weights, hidden.changes, hidden.place
    if not len(names):
        return f"No other {hidden.unit} may be attended to, so none can be hidden to change {hidden.what}."
    heaviest, strongest = heaviest_and_strongest(weights, changes)
    of_heaviest, of_strongest = per_cent(changes[heaviest]), per_cent(changes[strongest])
    if len(names) == 1:
        return (
            f"*{names[0]}* is the only other {hidden.unit}: its weight in {place} is "
            f"{per_cent(weights[0])}, and hiding it changes {hidden.what} by {of_heaviest}."
        )
    largest = (
        f"Of the other {hidden.unit}s, *{names[heaviest]}* has the largest weight in {place}, "
        f"{per_cent(weights[heaviest])}"
    )
    if not changes[strongest]:
        return f"{largest}, but hiding any of them leaves {hidden.what} as it is."
    if heaviest == strongest:
        return f"{largest}, and hiding it also changes {hidden.what} most, by {of_strongest}."
    return (
        f"{largest}, but hiding *{names[strongest]}* changes {hidden.what} most, by {of_strongest} against "
        f"{of_heaviest}."
    )


def _told(scene: Scene, found: Hiding) -> str:
    """Return how the ranks of weights and changes agree, how words are hidden, and what follows."""
    name = told_apart(scene.names)[found.position]
    masked = "" if reads_on(scene) else OF_MASKED.format(name)
    how = HOW.format(unit=scene.unit, name=name)
    others = found.others
    ranks = told_ranks(
        _weights(scene, found)[others],
        found.mean_weights[others],
        found.changes[others],
        place=scene.place,
        unit=scene.unit,
    )
    return "\n\n".join(filter(None, (ranks, SO, f":small[{how}{masked}]")))


def told_ranks(
    weights: np.ndarray, mean_weights: np.ndarray, changes: np.ndarray, *, place: str, unit: str
) -> str:
    """Return the rank correlation of weights and changes, for a head and for the mean; empty without any."""
    if len(weights) < LEAST_RANKED:
        return ""
    of_head, of_mean = (rank_correlation(one, changes) for one in (weights, mean_weights))
    told = []
    if of_head is not None:
        told.append(
            f"Over {counted(len(weights), unit)}, Spearman's rank correlation of weight in {place} and "
            f"change is {two_decimals(of_head)}."
        )
    if of_mean is not None:
        close = ": in this sentence the mean ranks the words much as hiding does" * (of_mean > CLOSE)
        said = "With the mean weight over all heads and layers"
        named = "it" if told else "Spearman's rank correlation of weight and change"
        told.append(f"{said} {named} is {two_decimals(of_mean)}{close}.")
    return " ".join(told)


def _bars(scene: Scene, found: Hiding) -> Shown:
    rows: dict[str, Role] = {scene.place: "attention", MEAN: "muted"}
    shares = np.stack([_weights(scene, found), found.mean_weights])
    title = f"Attention weights of each {scene.unit}"
    if not np.isnan(found.changes[found.others]).all():
        rows[CHANGE] = "output"
        shares = np.stack([*shares, found.changes])
        title = f"Attention weights, and change of the prediction without each {scene.unit}"
    named = unique_words(scene.labels)
    picture = BarRows(
        title=title,
        shares=shares,
        rows=rows,
        columns=[scene.labels[at] for at in found.keys],
        top=float(np.nanmax(shares)) or 1.0,
        chosen=found.keys.index(found.position),
        behind=lambda: pd.DataFrame(
            dict(zip(rows, shares, strict=True)),
            index=pd.Index([named[at] for at in found.keys], name=scene.unit),
        ),
    )
    change = f"{CHANGE}: total variation of the prediction" if CHANGE in rows else ""
    notes = (asked_at(scene, found.position), *filter(None, (change,)))
    return Shown("hiding", picture, caption=Caption(notes=notes))


def _questions(scene: Scene, found: Hiding, hidden: Hidden) -> tuple[Question | None, ...]:
    names = list(told_apart(scene.names))
    if not reads_on(scene) and not np.isnan(found.changes[found.others]).all():
        names[found.position] = Typed(f"{names[found.position]!s} (masked)")
    keys = [names[at] for at in found.keys]
    row = list(map(float, _weights(scene, found)))
    matter = does_a_large_weight_matter(scene.place, names[found.position], keys, row)
    return word_that_matters(hidden), matter


def word_that_matters(hidden: Hidden) -> Choose | None:
    """Ask for the word without which the prediction changes most; that with the largest weight is offered."""
    words, weights, changes = hidden.names, hidden.weights, hidden.changes
    if len(words) < 2 or max(weights) <= 0:
        return None
    ranked = sorted(range(len(words)), key=lambda at: -changes[at])
    heaviest = max(range(len(words)), key=weights.__getitem__)
    rivals = ranked[:MOST_OPTIONS]
    if heaviest not in rivals:
        rivals = [*rivals[:-1], heaviest]
    best, largest = words[ranked[0]], words[heaviest]
    why_not = (
        f"*{largest}* has the largest weight in {hidden.place}, but the prediction depends on every head of "
        "every layer."
    )
    return choose_largest(
        f"Each {hidden.unit} is hidden alone: no other {hidden.unit} may attend to it, in any layer. Which "
        f"one, hidden, changes {hidden.what} most?",
        {f"*{words[at]}*": float(changes[at]) for at in sorted(rivals)},
        because=(
            f"Without *{best}* {per_cent(changes[ranked[0]])} of the probability moves to other predictions. "
            f"Its weight in {hidden.place} is {per_cent(weights[ranked[0]])}."
        ),
        why_not={} if heaviest == ranked[0] else {f"*{largest}*": why_not},
    )


def does_a_large_weight_matter(
    place: str, word: Typed, keys: Sequence[Typed], weights: Sequence[float]
) -> Choose | None:
    """Ask if a large weight makes its word important; None without one weight that is clearly the largest."""
    ranked = sorted(range(len(keys)), key=weights.__getitem__)
    if len(keys) < 2 or weights[ranked[-2]] > CLEAR * weights[ranked[-1]]:
        return None
    best = keys[ranked[-1]]
    return choose(
        f"In {place}, *{word}* attends most to *{best}*. Does this mean that *{best}* matters for what the "
        "model computes in the end?",
        Option("not by itself", True),
        Option(
            "yes",
            False,
            "A weight says how much of a value is read. The value may be small, and later layers may not "
            "use it.",
        ),
        Option(
            "yes, if the weight is above 50 %",
            False,
            "However large a weight is, it says what is read, and not what that does.",
        ),
        because="Only a change tells: hide the word, or knock out the head.",
    )


def _program(scene: Scene, found: Hiding) -> Program:
    """Return the weights and the changes, of a model of the small language; else the weights of the head."""
    if scene.pieces is not None:
        return weights_program(scene)
    return Program(
        lambda: calling(
            f"How much the prediction at word {found.position + 1} changes if another word is hidden.",
            hide_each,
            scene.subject.call,
            position=found.position,
            window=scene.switches.window,
            shows=(".keys", ".changes"),
        ),
        prints="the change of the prediction without each word",
    )
