"""Compare: a second configuration beside the first, and where the two differ."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection import name_of
from core.measures.heads.matching import best_matching, pattern_distances
from core.sources import UnavailableError
from core.sources.trained import TRAINED
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.program import Program
from pages.contract.question import Question
from pages.contract.sheet import (
    Column,
    Columns,
    Controls,
    Fold,
    Listed,
    Notice,
    Numbers,
    Part,
    Remark,
    Sheet,
    Shown,
    Text,
)
from pages.controls.prose import Typed
from pages.controls.switches import AS_IN_A, DIFFERS, Architecture, differences, variant
from pages.controls.weights import why_unavailable
from pages.explorer.calculation import calculation
from pages.explorer.cell import CELL, Cell, Selection, ask_cell, opens, selection
from pages.explorer.expected import (
    PLACE,
    Runs,
    answer,
    ask_position,
    bars_picture,
    losses,
    nats,
    predicted,
    reads_on,
)
from pages.explorer.explored import explored
from pages.explorer.prediction import NOTHING_LEARNED, why_not_predicted
from pages.explorer.program import attention
from pages.explorer.questions_of_models import head_most_like, row_that_changes
from pages.shell.five import five
from pages.shell.scene import Scene, reading
from viz.comparison import compared
from viz.parts.kinds import NOISE
from viz.tables import largest_changes
from viz.text import enumerated
from viz.units import magnitude, thousandths

CHANGES_LISTED = 6
OTHER_QUESTION = (
    "One of them predicts the next word and the other a masked one, so the two losses cannot be compared."
)
SAME_START = "Both trainings began with the same queries, keys and values."
FORMATS = {"A": Column("%.3f"), "B": Column("%.3f"), "change": Column("%+.3f")}

Pattern = Float[np.ndarray, "query key"]


@dataclass(frozen=True)
class Choices:
    """What B reads, whether nothing was chosen in which it differs, a cell, and where both predict.

    `position` is None where nothing is predicted.
    """

    other: Scene
    is_a: bool
    cell: Cell | None
    position: int | None
    selected: Selection


@dataclass(frozen=True)
class Found:
    """A sentence read by A and B, and the predictions of both; `why_not` says why there is no B."""

    scene: Scene
    choices: Choices
    runs: Runs | None = None
    why_not: str = ""

    @property
    def patterns(self) -> tuple[Pattern, Pattern]:
        """The weights of the head of A and of that of B, as they are shown."""
        of_a, of_b = (one.attention.pattern(one.layer, one.head) for one in (self.scene, self.choices.other))
        return of_a, of_b

    @property
    def layer_is_alike(self) -> bool:
        """Whether no weight of any head differs in the layer that both show."""
        a, b = self.scene, self.choices.other
        n_heads = a.switches.config.n_heads
        if a.layer != b.layer or n_heads != b.switches.config.n_heads:
            return False
        return all(
            np.abs(a.attention.pattern(a.layer, head) - b.attention.pattern(b.layer, head)).max() <= NOISE
            for head in range(n_heads)
        )

    @cached_property
    def head_distances(self) -> Float[np.ndarray, "head_of_a head_of_b"] | None:
        """Distances between all heads of the layer in two trainings; None unless both have the same heads."""
        a, b = self.scene, self.choices.other
        n_heads = a.switches.config.n_heads
        if a.layer != b.layer or n_heads < 2 or n_heads != b.switches.config.n_heads:
            return None
        if not are_two_trainings(a.switches, b.switches):
            return None
        of_a, of_b = (one.reading.of_layer(one.layer) for one in (a, b))
        return pattern_distances(of_a, of_b)


def are_two_trainings(a: Architecture, b: Architecture) -> bool:
    """Whether two members of the collection stand behind the switches, and not one and its ablation."""
    return a.weights is b.weights is TRAINED and name_of(a.config) != name_of(b.config)


def ask(ask: Ask, scene: Scene) -> Choices:
    """The switches of B, a cell, and a position."""
    other = _other(scene, ask)
    is_a = not ask.items[DIFFERS]
    position = ask_position(ask, scene) if _asks_position(scene, other) else None
    cell = ask_cell(ask, scene)
    return Choices(other, is_a, cell, position, selection(ask, scene, cell))


def _other(scene: Scene, ask: Ask) -> Scene:
    """The scene read by B, at the same head or at B's last one if it has fewer."""
    switches = variant(ask, scene.switches)
    layer = min(scene.layer, switches.config.n_layers - 1)
    head = min(scene.head, switches.config.n_heads - 1)
    return replace(scene, switches=switches, layer=layer, head=head)


def _predict(scene: Scene, other: Scene) -> bool:
    """Whether both predict: nothing of random weights means anything."""
    both = (scene, other)
    return all(one.switches.weights.trained and not why_not_predicted(one) for one in both)


def _asks_position(scene: Scene, other: Scene) -> bool:
    return _predict(scene, other) and reads_on(scene) == reads_on(other)


def find(scene: Scene, choices: Choices) -> Found:
    """What B reads, and what both predict."""
    other = choices.other
    try:
        reading(other.words, other.switches)
    except UnavailableError as error:
        return Found(scene, choices, why_not=f"B: {why_unavailable(error)}")
    if not _predict(scene, other):
        return Found(scene, choices)
    of_a, of_b = (predicted(one.words, one.switches) for one in (scene, other))
    return Found(scene, choices, Runs(of_a, of_b, second="B", first="A"))


def sheet(found: Found, look: Look) -> Sheet:
    """A, B and B − A for the same head, then predictions, the largest changes and a cell's calculations."""
    switches = _switches(found)
    if found.why_not:
        return Sheet(parts=switches, notes=(Notice(found.why_not, "warning"),))
    scene, other = found.scene, found.choices.other
    missing = f"B has no {scene.title.lower()}: shown is its {other.title.lower()}."
    return Sheet(
        answer=_answer(found),
        notes=() if other.title == scene.title else (Notice(missing),),
        captions=(told_apart_from(scene.switches, other.switches),),
        parts=(
            *switches,
            _picture(found, look),
            *(() if found.head_distances is None else (Text(matched(found.head_distances)),)),
            *_predictions(found, look),
            *_largest_changes(found),
            Controls(CELL),
            *_calculations(found, look),
        ),
    )


def _largest_changes(found: Found) -> tuple[Part, ...]:
    """Return the table of the largest changes of the head; nothing if no weight differs."""
    changes = largest_changes(*found.patterns, found.scene.attention.labels, n_rows=CHANGES_LISTED)
    if changes["change"].abs().max() <= NOISE:
        return ()
    title = "Largest changes of attention weights from A to B"
    table = Listed("largest_changes", changes, FORMATS, title=title)
    return Text("## Largest changes from A to B"), table


def told_apart_from(a: Architecture, b: Architecture) -> str:
    """What B is in one line: A, except for some switches, its weights or their seed."""
    changed = [f"{label} {of_b}" for label, _, of_b in differences(a, b)]
    if a.source != b.source:
        changed.insert(0, f"{b.source} weights")
    if b.weights.seeded and a.seed != b.seed:
        changed.append(f"seed {b.seed}")
    return f"B is A, except: {', '.join(changed)}" if changed else "B is A"


def _selected_changes(found: Found) -> pd.DataFrame:
    """Return the largest changes of the selected weights; without a selection those of all."""
    selected, labels = found.choices.selected, found.scene.attention.labels
    shown = np.zeros((len(labels), len(labels)), dtype=bool)
    shown[
        slice(None) if selected.query is None else selected.query,
        slice(None) if selected.key is None else selected.key,
    ] = True
    return largest_changes(*found.patterns, labels, allowed=shown, n_rows=CHANGES_LISTED)


def _answer(found: Found) -> str:
    """Return a sentence on the largest change of what the link selects, or on what has none."""
    changes, place = _selected_changes(found), _places(found.scene, found.choices.other)
    selected, names = found.choices.selected, told_apart(found.scene.attention.names)
    if len(changes) == 1 or abs(changes["change"].iloc[0]) > NOISE:
        return told_change(changes, place)
    alike = f"In {place}, A and B attend alike: no weight"
    if selected.query is not None:
        return f"{alike} of *{names[selected.query]}* differs."
    if selected.key is not None:
        return f"{alike} given to *{names[selected.key]}* differs."
    return f"{alike} differs{' in this layer' if found.layer_is_alike else ''}."


def _places(scene: Scene, other: Scene) -> str:
    return scene.place if scene.place == other.place else f"{scene.place} of A and {other.place} of B"


def told_change(changes: pd.DataFrame, place: str) -> str:
    """Return a sentence on the first of the `changes` in a head, which is the largest or only one."""
    query, key, a, b, change = changes.iloc[0][["query", "key", "A", "B", "change"]]
    at = f"*{Typed(query)}* attends to *{Typed(key)}*"
    if abs(change) <= NOISE:
        return f"In {place}, A and B have the same weight with which {at}: {thousandths(a)}."
    before, after = thousandths(a), thousandths(b)
    said = f"goes from {before} to {after}"
    if before == after:
        said = f"{'rises' if change > 0 else 'falls'} by {magnitude(abs(change))}"
    if len(changes) == 1:
        change = f"is {before} in A and {after} in B" if before != after else f"{said} from A to B"
        return f"In {place}, the weight with which {at} {change}."
    return f"In {place}, the weight with which {at} changes most from A to B: it {said}."


def _switches(found: Found) -> tuple[Part, ...]:
    """The switches in which B differs, the others, and what is ablated of it."""
    is_a, b = found.choices.is_a, found.choices.other.switches
    said = "**B** is A. Choose in which switch it differs:" if is_a else "**B** is A, except:"
    others = Fold("More switches of B", (Controls(AS_IN_A, "labels above"),), is_open=is_a)
    ablated = (Text(f"**B** {b.ablation}"),) if b.ablations else ()
    return (Remark(said), Controls(DIFFERS, "labels above"), others, *ablated)


def _picture(found: Found, look: Look) -> Shown:
    scene, other = found.scene, found.choices.other
    picture = compared(
        *found.patterns,
        scene.attention.labels,
        unit=scene.attention.unit,
        of=scene.place if scene.place == other.place else f"{scene.place} and {other.place}",
        titles=(f"A, {scene.place}", f"B, {other.place}"),
        theme=look.theme,
        allowed=(scene.attention.allowed, other.attention.allowed),
        selected=found.choices.cell,
        size=look.room(),
    )
    return Shown("comparison", picture, on_click=opens(predicts=found.choices.position is not None))


def _predictions(found: Found, look: Look) -> tuple[Part, ...]:
    """What A and B predict at one position, and their losses on the sentence."""
    runs, scene, other = found.runs, found.scene, found.choices.other
    if runs is None:
        return (Remark(why_not_predicted(scene) or why_not_predicted(other) or NOTHING_LEARNED),)
    a, b = nats(runs.before.loss, scene.unit), nats(runs.after.loss, other.unit)
    loss = f"Loss on this sentence: **A {a}**, **B {b}**."
    at = found.choices.position
    if at is None or runs.before.vocabulary != runs.after.vocabulary:
        return (Text(f"{loss} {OTHER_QUESTION}"),)
    left, _ = look.columns((1, 1))
    tables = Numbers("losses", lambda: losses(scene, runs), title=f"Loss of each {scene.unit}")
    beside = (Text(f"{answer(scene, runs, at)} {loss}"), tables)
    return (Columns(((Controls(PLACE), bars_picture(scene, runs, at, left)), beside)),)


def _calculations(found: Found, look: Look) -> tuple[Part, ...]:
    cell = found.choices.cell
    if cell is None:
        return ()
    left, right = look.columns((1, 1))
    of_a = (Text("**A**"), *calculation(found.scene, cell, left))
    of_b = (Text("**B**"), *calculation(found.choices.other, cell, right, name="b_calculation"))
    return (Columns((of_a, of_b)),)


def questions(found: Found) -> tuple[Question | None, ...]:
    """The word whose row differs most, and the head of B that attends most like the head of A."""
    if found.why_not:
        return ()
    scene, other = found.scene, found.choices.other
    one, another = found.patterns
    moved = np.abs(another - one).sum(axis=1) / 2
    rows = {f"*{name}*": float(by) for name, by in zip(told_apart(scene.attention.names), moved, strict=True)}
    distances = found.head_distances
    return (
        row_that_changes(
            scene.place, differences(scene.switches, other.switches), rows, scene.attention.unit
        ),
        None if distances is None else head_most_like(scene.head, list(distances[scene.head])),
    )


def matched(distances: Float[np.ndarray, "head_of_a head_of_b"]) -> str:
    """Say which heads of two models belong together by their weights on the sentence, if that is clear."""
    partners = best_matching(distances)
    if partners is None:
        return SAME_START
    told = f"Matched by their weights on this sentence, the {len(partners)} heads of A and B in this layer "
    if partners == tuple(range(len(partners))):
        return f"{told}keep their numbers. {SAME_START}"
    moved = [f"A{a + 1} with B{b + 1}" for a, b in enumerate(partners) if a != b]
    return f"{told}do not all keep their numbers: {enumerated(moved)}. {SAME_START}"


def program(found: Found) -> Program:
    """The weights of A."""
    return attention(found.scene)


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True), merges=True
)
