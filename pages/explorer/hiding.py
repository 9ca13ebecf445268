"""Hiding: the attention weights of the predicting query, beside the effect of hiding each word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.hiding import Hiding, heaviest_and_strongest, hide_each, max_tokens, rank_correlation
from core.measures.long_reading import LongReading
from core.text.tokenizer import too_long
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.prose import Typed, literal, set_off
from pages.contract.question import Choose, Option, Question
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Controls, PicturePart, Program, Sheet, Text
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.explorer import over_sentences
from pages.explorer.explored import EXPLORED, weights_program
from pages.explorer.predictions import (
    MOST_PREDICTED,
    NOTHING_LEARNED,
    PLACE,
    ask_position,
    asked_at,
    predicts_next,
    why_not_predicted,
)
from viz.bar_rows import BarRows
from viz.layout.cells import NOISE
from viz.text import quoted, unique_words
from viz.theme import Role
from words import counted, per_cent, two_decimals

FIRST, MOST_LABELS = 0, 5
"""Position at which a sequence classifier predicts, and greatest number of its labels that are named."""


CLEAR = 0.95
"""A weight is called the largest of its row if all others stay below this share of it."""

HIDES = "{units} are hidden one at a time for {model} in"
HIDING = "Hiding every word alone …"
MEAN, CHANGE = "mean weight", "change if hidden"

HOW = (
    "A hidden {unit} is masked as a key in every head of every layer. The mean weight is the mean over all "
    "heads and layers. A change is the total variation between two predictions: the share of the probability "
    "that moves. {name} has no bar for the change, because it always sees itself."
)
OF_MASKED = " The weights are those of the sentence with the mask token in place of {}."
READ = "A weight says how much is read."
SO = (
    "Hiding acts through all heads and layers, and a weight does not say what the rest of the model does "
    "with a value. So an attention weight is not by itself an explanation of the prediction."
)


@dataclass(frozen=True)
class HidingEffects:
    """Words that can be hidden, their mean weights, and the effects of hiding them.

    The weights are those of the word `query`, where the model predicts. `what` names the thing that changes,
    such as *the prediction*.
    """

    names: Sequence[Typed]
    weights: np.ndarray
    changes: np.ndarray
    what: str
    query: Typed
    unit: str = "word"


@view(**EXPLORED, question="What does an attention weight mean?")
def hiding(ask: Ask, scene: Scene) -> Sheet:
    """Show a bar for each weight of the query, for their mean over all heads, and for each change."""
    why_not = _why_not(scene)
    classifies = not why_not and _classifies(scene)
    at = FIRST if classifies else ask_position(ask, scene, predicts=not why_not)
    unknown = tuple(scene.reading.unknown)
    if why_not:
        row = _row_alone(scene, at)
        if row is None:
            return Sheet(parts=(Text(why_not, "info"),), unknown=unknown)
        parts = Controls(PLACE), _bars(scene, row, is_hall=ask.look.fills), Text(why_not, "info")
        return Sheet(
            headline=_told_largest(scene, row),
            parts=parts,
            unknown=unknown,
            program=lambda: weights_program(scene),
        )
    found = _hidden_each(scene.words, scene.switches, at)
    hidden = _hidden(scene, found)
    is_hall = ask.look.fills
    agreement = f"{describe_agreement(hidden)} First bars: {scene.place}."
    return Sheet(
        headline=f"{_told_largest(scene, found)} {describe_strongest(hidden)}" if is_hall else agreement,
        parts=(
            *((Text(describe_labels(found.labels)),) if classifies else (Controls(PLACE),)),
            _bars(scene, found, is_hall=is_hall),
            Text(describe_changes(hidden)),
            *over_sentences.parts(ask, scene, _correlation(hidden)),
            Text(f":small[{_how(scene, found)}]"),
        ),
        unknown=unknown,
        questions=lambda: _questions(scene, found),
        program=lambda: _program(scene, found),
    )


def _why_not(scene: Scene) -> str:
    """Return why no word is hidden here; empty if words are hidden."""
    if not _classifies(scene) and (why_not := why_not_predicted(scene)):
        return why_not
    if not scene.switches.weights.trained:
        return NOTHING_LEARNED
    one = scene.switches.weights.pretrained
    most = min(max_tokens(scene.switches.config), MOST_PREDICTED)
    if one is None or len(scene.words) <= most:
        return ""
    hides = HIDES.format(units=f"{scene.unit.capitalize()}s", model=literal(one.title))
    return too_long(hides, most, len(scene.words), scene.unit)


def _classifies(scene: Scene) -> bool:
    """Return whether the model is a sequence classifier, which predicts a label at its first token."""
    one = scene.switches.weights.pretrained
    return one is not None and bool(one.labels)


def describe_labels(labels: Sequence[tuple[str, float]]) -> str:
    """Return the classifier's likeliest labels of the text, with their probabilities."""
    (best, share), *others = labels
    rest = ", ".join(f"{literal(label)} {per_cent(p)}" for label, p in others[: MOST_LABELS - 1])
    more = f", and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
    return f"The model gives the text the label **{literal(best)}** with {per_cent(share)}; {rest}{more}."


def _row_alone(scene: Scene, at: int) -> Hiding | None:
    """Return the weights of a row without any change; None if the text is too long to keep all weights."""
    if isinstance(scene.reading, LongReading):
        return None
    keys = np.flatnonzero(scene.reading.allowed()[at])
    weights = scene.reading.patterns()[:, :, at][..., keys]
    return Hiding(at, tuple(keys.tolist()), weights, np.full(len(keys), np.nan))


@cached_for_all(saying=HIDING)
def _hidden_each(words: tuple[str, ...], switches: Architecture, at: int) -> Hiding:
    return hide_each(loaded(words, switches), position=at, window=switches.window)


def _weights(scene: Scene, found: Hiding) -> np.ndarray:
    return np.asarray(found.weights[scene.layer, scene.head])


def _hidden(scene: Scene, found: Hiding) -> HidingEffects:
    names, others = scene.unique_names, found.others
    return HidingEffects(
        names=[names[at] for at in np.array(found.keys)[others]],
        weights=found.mean_weights[others],
        changes=found.changes[others],
        what="the probabilities of the labels" if found.labels else "the prediction",
        query=names[found.position],
        unit=scene.unit,
    )


def _told_largest(scene: Scene, found: Hiding) -> str:
    """Return where the largest weight of a row is."""
    names, weights = [set_off(name) for name in scene.unique_names], _weights(scene, found)
    most = int(np.argmax(weights))
    share, key = per_cent(weights[most]), names[found.keys[most]]
    if (np.delete(weights, most) > weights[most] - NOISE).any():
        gives = f"{names[found.position]} gives {key} {share}"
        return f"In {scene.place}, {gives}, and gives no other {scene.unit} more."
    return f"In {scene.place}, {names[found.position]} attends most to {key}, with {share}."


def describe_agreement(hidden: HidingEffects) -> str:
    """Return which word has the largest mean weight, and which one matters most when hidden."""
    names, unit, what = [set_off(name) for name in hidden.names], hidden.unit, hidden.what
    if not names:
        return (
            f"{set_off(hidden.query)} may attend to no other {unit}, so none can be hidden to change {what}."
        )
    if len(names) == 1:
        moved = per_cent(hidden.changes[0])
        only = f"Of the other {unit}s, {set_off(hidden.query)} may attend only to {names[0]}"
        return f"{READ} {only}; hiding it changes {what} by {moved}."
    heaviest, strongest = heaviest_and_strongest(hidden.weights, hidden.changes)
    is_shared = (np.delete(hidden.weights, heaviest) > hidden.weights[heaviest] - NOISE).any()
    its = "a mean weight that no other exceeds" if is_shared else f"the largest mean weight of other {unit}s"
    largest = f"{READ} {set_off(hidden.query)} gives {names[heaviest]} {its}"
    if not hidden.changes[strongest]:
        return f"{largest}, but no hidden {unit} changes {what}."
    if heaviest == strongest:
        return f"{largest}, and hiding it changes {what} most."
    others = np.delete(hidden.changes, strongest)
    most = "at least as much as any other" if others.max() > hidden.changes[strongest] - NOISE else "most"
    return f"{largest}, but hiding {names[strongest]} changes {what} {most}."


def describe_strongest(hidden: HidingEffects) -> str:
    """Return which word changes the prediction most when it is hidden, and by how much; empty if none."""
    if not len(hidden.changes) or not hidden.changes.max() > 0:
        return ""
    strongest = int(np.argmax(hidden.changes))
    moved, name = per_cent(hidden.changes[strongest]), set_off(hidden.names[strongest])
    others = np.delete(hidden.changes, strongest)
    if not len(others) or others.max() > hidden.changes[strongest] - NOISE:
        rest = f", and hiding any other {hidden.unit} changes it no more"
        return f"Hiding {name} changes {hidden.what} by {moved}{rest * bool(len(others))}."
    return f"Hiding {name} changes {hidden.what} most, by {moved}."


def describe_changes(hidden: HidingEffects) -> str:
    """Return the change of the probability, the agreement of the ranks, and the conclusion."""
    names, weights, changes = [set_off(name) for name in hidden.names], hidden.weights, hidden.changes
    told = [SO]
    if len(names) > 1 and changes.max() > 0:
        heaviest, strongest = heaviest_and_strongest(weights, changes)
        moved = f"Without {names[strongest]}, {per_cent(changes[strongest])} of the probability moves"
        rest = "" if heaviest == strongest else f"; without {names[heaviest]}, {per_cent(changes[heaviest])}"
        told.insert(0, f"{moved}{rest}.")
    if (correlation := _correlation(hidden)) is not None:
        told.insert(
            1,
            f"Over the {counted(len(names), hidden.unit)} that can be hidden, the rank correlation of mean "
            f"weight and change is {two_decimals(correlation)}.",
        )
    return " ".join(told)


def _correlation(hidden: HidingEffects) -> float | None:
    """Return the rank correlation of mean weights and changes; None for few words, or if all are equal."""
    if len(hidden.names) < over_sentences.LEAST_RANKED:
        return None
    return rank_correlation(hidden.weights, hidden.changes)


def _how(scene: Scene, found: Hiding) -> str:
    """Return how words are hidden, and which sentence the weights belong to."""
    name = set_off(scene.unique_names[found.position])
    masked = "" if predicts_next(scene) or found.labels else OF_MASKED.format(name)
    return f"{HOW.format(unit=scene.unit, name=name)}{masked}"


def _bars(scene: Scene, found: Hiding, *, is_hall: bool) -> PicturePart:
    """Draw the weights of the head, their mean over all heads, and the changes.

    A hall sees no mean; it sees the largest weight and the largest change marked.
    """
    rows: dict[str, Role] = {"weight in this head" if is_hall else f"weight in {scene.place}": "attention"}
    shares = _weights(scene, found)[None]
    if not is_hall:
        rows[MEAN] = "muted"
        shares = np.stack([*shares, found.mean_weights])
    title = f"Attention weights of each {scene.unit}"
    if not np.isnan(found.changes[found.others]).all():
        rows[CHANGE] = "key"
        shares = np.stack([*shares, found.changes])
        title = f"Attention weights, and change of the prediction without each {scene.unit}"
    named = unique_words(scene.labels)
    picture = BarRows(
        title=title,
        shares=shares,
        rows=rows,
        columns=[scene.labels[at] for at in found.keys],
        top=float(np.nanmax(shares)) or 1.0,
        chosen=None if is_hall else found.keys.index(found.position),
        mark_largest=is_hall,
        make_table=lambda: pd.DataFrame(
            dict(zip(rows, shares, strict=True)),
            index=pd.Index([named[at] for at in found.keys], name=scene.unit),
        ),
    )
    change = f"{CHANGE}: total variation of the prediction" if CHANGE in rows else ""
    of_labels = f"labels from the state of {quoted(str(scene.names[FIRST]))} (1)"
    of_row = f"row of {quoted(str(scene.names[found.position]))} ({found.position + 1})"
    of_word = asked_at(scene, found.position) if CHANGE in rows else of_row
    notes = (of_labels if found.labels else of_word, *filter(None, (change,)))
    return PicturePart("hiding", picture, caption=Caption(notes=notes))


def _questions(scene: Scene, found: Hiding) -> tuple[Question | None, ...]:
    names = list(scene.unique_names)
    if not predicts_next(scene) and not found.labels and not np.isnan(found.changes[found.others]).all():
        names[found.position] = Typed(f"{names[found.position]!s} (masked)")
    keys = [names[at] for at in found.keys]
    row = list(map(float, _weights(scene, found)))
    if found.keys[int(np.argmax(row))] == found.position:
        return ()  # the word itself cannot be hidden
    return (does_a_large_weight_matter(scene.place, names[found.position], keys, row),)


def does_a_large_weight_matter(
    place: str, word: Typed, keys: Sequence[Typed], weights: Sequence[float]
) -> Choose | None:
    """Ask if a large weight makes its word important; None unless one weight is clearly the largest."""
    ranked = sorted(range(len(keys)), key=weights.__getitem__)
    if len(keys) < 2 or weights[ranked[-2]] > CLEAR * weights[ranked[-1]]:
        return None
    said, best = set_off(word), set_off(keys[ranked[-1]])
    return choose(
        f"In {place}, {said} attends most to {best}. Does this mean that {best} matters for what the "
        "model computes in the end?",
        Option("not by itself", True),
        Option(
            "yes",
            False,
            "A weight says how much of a value is read. The value may be small, and the rest of the "
            "model may not use it.",
        ),
        Option(
            "yes, if the weight is above 50 %",
            False,
            "Even a large weight says only how much is read, and not what that does.",
        ),
        because="Only a change tells: hide the word, or knock out the head.",
    )


def _program(scene: Scene, found: Hiding) -> Program:
    """Return the weights and the changes for a model of the small language; else the head's weights."""
    if scene.pieces is not None:
        return weights_program(scene)
    return Program.calling(
        f"How much the prediction at word {found.position + 1} changes if another word is hidden.",
        hide_each,
        scene.subject.call,
        position=found.position,
        window=scene.switches.window,
        shows=(".keys", ".changes"),
        prints="the change of the prediction without each word",
    )
