"""Compare: a second configuration beside the first, and where the two differ."""

from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection import name_of
from core.measures.heads.compared import best_matching, pattern_distances
from core.measures.prediction import Head
from core.sources import UnavailableError
from core.sources.trained import TRAINED
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.model_descriptions import WITHOUT
from pages.contract.parameters import OF_B
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, unique_labels
from pages.contract.scene import Scene, reading
from pages.contract.sheet import (
    Caption,
    Column,
    Columns,
    Controls,
    Fold,
    Part,
    PicturePart,
    Sheet,
    Table,
    Text,
)
from pages.contract.switches import AS_IN_A, DIFFERS, Architecture, variant
from pages.contract.view import view
from pages.contract.weights import why_unavailable
from pages.explorer.calculation import calculation
from pages.explorer.explored import EXPLORED, weights_program, with_rows
from pages.explorer.knocked_out import SILENCED, ask_silenced
from pages.explorer.predictions import (
    NOTHING_LEARNED,
    PLACE,
    Runs,
    answer,
    ask_position,
    bars_picture,
    losses,
    nats,
    predicted,
    predicts_next,
    why_not_predicted,
)
from pages.explorer.weights import CELL, Cell, Selection, ask_cell, find_weights, opens, selection
from viz.layout.cells import NOISE
from viz.matrices import Comparison
from viz.named_bars import head_in_prose
from viz.tables import largest_changes
from words import counted, enumerated, magnitude, per_cents, thousandths

CHANGES_LISTED = 6
OTHER_QUESTION = (
    "One model predicts the next word and the other a masked word, so the two losses cannot be compared."
)
UNREACHED = (
    "The output of a head reaches only the weights of later layers. So the heads knocked out of B change no "
    "weight of layer {}."
)
SAME_START = "Before training A and B had the same matrices for queries, keys and values."
FORMATS = {"A": Column("%.3f"), "B": Column("%.3f"), "change": Column("%+.3f")}

OF_B_SILENCED = f"{OF_B}{SILENCED}"
"""Parameter with the heads that are knocked out of B."""

Pattern = Float[np.ndarray, "query key"]
Distances = Float[np.ndarray, "head_of_a head_of_b"]


@view(**EXPLORED)
def compare(ask: Ask, scene: Scene) -> Sheet:
    """Show A, B and B − A of one head, then predictions, the largest changes and a cell's calculations."""
    scene = with_rows(ask, scene)
    unknown = tuple(scene.reading.unknown)
    other = _other(scene, ask)
    is_a = not ask.items[DIFFERS]
    predicts = all(one.switches.weights.trained and not why_not_predicted(one) for one in (scene, other))
    same_question = predicts_next(scene) == predicts_next(other)
    at = ask_position(ask, scene) if predicts and same_question else None
    cell = ask_cell(ask, scene)
    switches = _switches(other, is_a=is_a)
    try:
        reading(other.words, other.switches, other.silenced)
    except UnavailableError as error:
        why_not = Text(f"B: {why_unavailable(error)}", "warning")
        return Sheet(parts=switches, notes=(why_not,), unknown=unknown)
    distances = head_distances(scene, other)
    missing = f"B has no {scene.title.lower()}: the picture shows its {other.title.lower()}."
    return Sheet(
        headline=_headline(scene, other, selection(ask, scene, cell)),
        notes=() if other.title == scene.title else (Text(missing, "info"),),
        caption=Caption(models=lambda: compared_models(scene.switches, other.switches, other.silenced)),
        parts=(
            *switches,
            _picture(scene, other, cell, predicts=at is not None),
            *_out_of_reach(other),
            *([] if distances is None else [Text(matched(distances))]),
            *_predictions(scene, other, at, predicts=predicts),
            *_largest_changes(scene, other),
            Controls(CELL),
            *_calculations(scene, other, cell, ask.look),
        ),
        unknown=unknown,
        questions=lambda: (None if other.silenced else heads_exchanged(other.switches),),
        program=lambda: weights_program(scene),
    )


def _other(scene: Scene, ask: Ask) -> Scene:
    """Return the scene read by B, at the same head or at B's last one if it has fewer."""
    switches = variant(ask, scene.switches)
    layer = min(scene.layer, switches.config.n_layers - 1)
    head = min(scene.head, switches.config.n_heads - 1)
    b = replace(scene, switches=switches, layer=layer, head=head)
    silenced = ask_silenced(
        ask, b, OF_B_SILENCED, DIFFERS if ask.parameters.spelling(OF_B_SILENCED) else AS_IN_A
    )
    return replace(b, silenced=frozenset(silenced.values()))


def named_heads(silenced: frozenset[Head]) -> str:
    """Return heads within a sentence: head 2 of layer 1 and head 1 of layer 2."""
    return enumerated([head_in_prose(layer + 1, head + 1) for layer, head in sorted(silenced)])


def _out_of_reach(b: Scene) -> tuple[Text, ...]:
    """Return why no head that is knocked out of B changes the weights shown, if its layer is not below."""
    first = min((layer for layer, _ in b.silenced), default=-1)
    if b.layer > first:
        return ()
    return (Text(UNREACHED.format(first + 1), "remark"),)


def _patterns(a: Scene, b: Scene) -> tuple[Pattern, Pattern]:
    """Return the weights of the head of A and of the head of B, as they are shown."""
    of_a, of_b = (one.attention.pattern(one.layer, one.head) for one in (a, b))
    return of_a, of_b


def _have_same_heads(a: Scene, b: Scene) -> bool:
    return a.layer == b.layer and a.switches.config.n_heads == b.switches.config.n_heads


def head_distances(a: Scene, b: Scene) -> Distances | None:
    """Return distances between all heads of a layer in two trainings; None unless their heads compare."""
    trained = a.switches.weights is b.switches.weights is TRAINED
    # A model and its ablation are one training.
    are_two = trained and name_of(a.switches.config) != name_of(b.switches.config)
    if not are_two or not _have_same_heads(a, b) or a.switches.config.n_heads < 2:
        return None
    of_a, of_b = (one.reading.of_layer(one.layer) for one in (a, b))
    return pattern_distances(of_a, of_b)


def matched(distances: Distances) -> str:
    """Return which heads of two models belong together by their weights on the sentence, if that is clear."""
    partners = best_matching(distances)
    if partners is None:
        return SAME_START
    told = "Paired by their weights on this sentence, "
    if partners == tuple(range(len(partners))):
        return f"{told}each head of A in this layer has the same number as its partner in B. {SAME_START}"
    moved = [f"A{a + 1} with B{b + 1}" for a, b in enumerate(partners) if a != b]
    return (
        f"{told}some heads of A in this layer have a partner in B with another number: {enumerated(moved)}. "
        f"{SAME_START}"
    )


def compared_models(
    a: Architecture, b: Architecture, silenced: frozenset[Head] = frozenset()
) -> tuple[str, str]:
    """Return A in words, and B without some heads: what differs, or all of it with other weights."""
    out = [f"{named_heads(silenced)} knocked out"] if silenced else []
    of_a, of_b = (f"{one.described()}{f', seed {one.seed}' if one.weights.seeded else ''}" for one in (a, b))
    (kind_a, _, parts_a), (kind_b, _, parts_b) = of_a.partition(": "), of_b.partition(": ")
    if kind_a != kind_b or _has_more(b, a):
        return f"A: {of_a}", f"B: {', '.join([of_b, *out])}"
    other = [part for part in parts_b.split(", ") if part not in parts_a.split(", ")] + out
    return f"A: {of_a}", f"B: as A, but {', '.join(other)}" if other else "B: as A"


def _has_more(b: Architecture, a: Architecture) -> bool:
    """Return whether B has a part that A lacks, or no window where A has one: only A's words name these."""
    has_part = any(getattr(b.config, name) and not getattr(a.config, name) for name in WITHOUT)
    return has_part or (a.window is not None and b.window is None)


def _headline(a: Scene, b: Scene, selected: Selection) -> str:
    """Return a sentence on the largest change in the link's selection, or on a selection without changes."""
    patterns, labels, names = _patterns(a, b), a.attention.labels, unique_labels(a.attention.names)
    place = _place_of_both(a, b)
    shown = np.zeros(patterns[0].shape, dtype=bool)
    rows, columns = (slice(None) if at is None else at for at in (selected.query, selected.key))
    shown[rows, columns] = True
    changes = largest_changes(*patterns, labels, allowed=shown, n_rows=CHANGES_LISTED)
    if len(changes) == 1 or abs(changes["change"].iloc[0]) > NOISE:
        return describe_largest_change(changes, place, of_shown=a.attention.of_shown)
    alike = f"In {place}, A and B attend alike: no weight{a.attention.of_shown}"
    if selected.query is not None:
        return f"{alike} of *{names[selected.query]}* differs."
    if selected.key is not None:
        return f"{alike} given to *{names[selected.key]}* differs."
    return f"{alike} differs{' in this layer' if _layer_is_alike(a, b) else ''}."


def _place_of_both(a: Scene, b: Scene) -> str:
    """Return the head of both models, or in a few words the head of each."""
    if a.place == b.place:
        return a.place
    of_b = f"head {b.head + 1}" if a.layer == b.layer else b.place
    return f"{a.place} of A and {of_b} of B"


def _layer_is_alike(a: Scene, b: Scene) -> bool:
    """Return whether no weight of any head differs in the layer that both show."""
    return _have_same_heads(a, b) and all(
        np.abs(a.attention.pattern(a.layer, head) - b.attention.pattern(b.layer, head)).max() <= NOISE
        for head in range(a.switches.config.n_heads)
    )


def describe_largest_change(changes: pd.DataFrame, place: str, *, of_shown: str = "") -> str:
    """Return a sentence on the first of the `changes` in a head, which is the largest or only one."""
    largest = f": the largest change{of_shown}" * (len(changes) > 1)
    query, key, a, b, change = changes.iloc[0][["query", "key", "A", "B", "change"]]
    at = f"*{Typed(query)}* attends to *{Typed(key)}*"
    if abs(change) <= NOISE:
        return f"In {place}, {at} with the same weight in A and B, {thousandths(a)}."
    of_a, of_b = per_cents([float(a), float(b)])
    if of_a != of_b:
        to = "itself" if query == key else f"*{Typed(key)}*"
        gives = f"*{Typed(query)}* gives {to} {of_a} of its attention in A and {of_b} in B"
        return f"In {place}, {gives}{largest}."
    said = f"{'rises' if change > 0 else 'falls'} by {magnitude(abs(change))} from A to B"
    return f"In {place}, the weight with which {at} {said}{largest}."


def _switches(b: Scene, *, is_a: bool) -> tuple[Part, ...]:
    """Return the switches in which B differs, the others, and the ablated parts of B."""
    said = "**B** is A. Choose in which switch it differs:" if is_a else "**B** is A, except:"
    others = Fold("More switches of B", (Controls(AS_IN_A, "labels above"),), is_open=is_a)
    ablated = (Text(f"**B** {b.switches.ablation}"),) if b.switches.ablations else ()
    silenced = (Text(describe_silenced_heads(b.silenced)),) if b.silenced else ()
    return (Text(said, "remark"), Controls(DIFFERS, "labels above"), others, *ablated, *silenced)


def describe_silenced_heads(silenced: frozenset[Head]) -> str:
    """Return what happens to the heads that are knocked out of B."""
    gives = "give" if len(silenced) > 1 else "gives"
    return f"In **B**, 0 takes the place of all numbers that {named_heads(silenced)} {gives}."


def _picture(a: Scene, b: Scene, cell: Cell | None, *, predicts: bool) -> PicturePart:
    patterns = _patterns(a, b)
    of = a.place if a.place == b.place else f"{a.place} and {b.place}"
    picture = Comparison(
        a=patterns[0],
        b=patterns[1],
        words=a.attention.labels,
        unit=a.attention.unit,
        title=f"Attention weights of A and B and their difference, {of}",
        titles=(f"A, {a.place}", f"B, {b.place}"),
        allowed=(a.attention.allowed, b.attention.allowed),
        selected=cell,
    )
    return PicturePart("comparison", picture, on_click=opens(predicts=predicts))


def _predictions(a: Scene, b: Scene, at: int | None, *, predicts: bool) -> tuple[Part, ...]:
    """Return the predictions of A and B at one position, and their losses on the sentence."""
    if not predicts:
        return (Text(why_not_predicted(a) or why_not_predicted(b) or NOTHING_LEARNED, "remark"),)
    of_a, of_b = (predicted(one.words, one.switches, one.silenced) for one in (a, b))
    runs = Runs(of_a, of_b, second="B", first="A")
    loss = describe_losses(of_a.losses(), of_b.losses(), a.unit)
    if at is None or of_a.vocabulary != of_b.vocabulary:
        return (Text(f"{loss} {OTHER_QUESTION}"),)
    tables = Table("losses", lambda: losses(a, runs), title=f"Loss of each {a.unit}")
    beside = (Text(f"{answer(a, runs, at)} {loss}"), tables)
    return (Columns(((Controls(PLACE), bars_picture(a, runs, at)), beside)),)


def describe_losses(
    of_a: Float[np.ndarray, "position"], of_b: Float[np.ndarray, "position"], unit: str
) -> str:
    """Return the mean losses of A and B over what both score; NaN is not scored."""
    of_both = np.isfinite(of_a) & np.isfinite(of_b)
    if not of_both.any():
        n_a, n_b = (int(np.isfinite(one).sum()) for one in (of_a, of_b))
        return f"A scores {counted(n_a, unit)} and B {n_b}, and none is the same: losses cannot be compared."
    n, is_all = int(of_both.sum()), (np.isfinite(of_a) == np.isfinite(of_b)).all()
    over = "" if is_all else f", over the {counted(n, unit)} that both score"
    a, b = (nats(float(one[of_both].mean()), unit) for one in (of_a, of_b))
    return f"Loss on this sentence{over}: **A {a}**, **B {b}**."


def _largest_changes(a: Scene, b: Scene) -> tuple[Part, ...]:
    """Return the table of the largest changes of the head; nothing if no weight differs."""
    changes = largest_changes(*_patterns(a, b), a.attention.labels, n_rows=CHANGES_LISTED)
    if changes["change"].abs().max() <= NOISE:
        return ()
    title = "Largest changes of attention weights from A to B"
    table = Table("largest_changes", changes, columns=FORMATS, title=title)
    return Text("## Largest changes from A to B"), table


def _calculations(a: Scene, b: Scene, cell: Cell | None, look: Look) -> tuple[Part, ...]:
    if cell is None:
        return ()
    left, right = look.columns((1, 1))
    of_a = (Text("**A**"), *calculation(a, find_weights(a), cell, left))
    of_b = (Text("**B**"), *calculation(b, find_weights(b), cell, right, name="b_calculation"))
    return (Columns((of_a, of_b)),)


def heads_exchanged(b: Architecture) -> Choose | None:
    """Ask if a model depends on the order of its heads; None for one head, or positions that number them."""
    if b.config.n_heads < 2 or b.config.positions in ("alibi", "relative"):
        return None
    return choose(
        "In one layer of B, heads 1 and 2 are exchanged, with all their weights. What does B predict?",
        Option("the same", True),
        Option(
            "something else",
            False,
            "Each head keeps its rows of the output projection, and the layer adds up the outputs of its "
            "heads: a sum has no order.",
        ),
        because=(
            "The layer adds up the outputs of its heads, in any order. So a head of B may do something "
            "else than the head of A with the same number."
        ),
    )
