"""Two orders, layer by layer: how much each word's output differs, and how the order enters."""

from dataclasses import dataclass, replace

from core.measures.order.verdicts import OrderComparison, alignment
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import PicturePart, chooses
from pages.order_invariance.compared import as_named
from viz.bar_rows import BarRows
from words import per_cent

MOST_LAYERS = 6
"""Greatest number of layers that are drawn."""


def by_layer(found: OrderComparison, scene: Scene, word: int) -> PicturePart:
    """Draw how much every word's output differs between the orders, a row for each layer."""
    layers, words = layers_drawn(len(found.changes)), scene.marked(found.unknown)
    picture = BarRows(
        shares=found.changes[list(layers)],
        rows={f"after layer {layer + 1}": "attention" for layer in layers},
        columns=words,
        title=f"Change of every {scene.unit}'s output from the first order to the second, by layer",
        top=float(found.changes.max()) or 1.0,
        chosen=word,
    )
    return PicturePart("by_layer", picture, on_click=chooses("word"))


def layers_drawn(n_layers: int) -> tuple[int, ...]:
    """Return the layers that have a row, counted from 0: all, or the first and last of many."""
    ends = MOST_LAYERS // 2
    if n_layers <= MOST_LAYERS:
        return tuple(range(n_layers))
    return (*range(ends), *range(n_layers - ends, n_layers))


@dataclass(frozen=True)
class LayerChanges:
    """Changes of a word's output in each layer, beside another word that it attends to.

    `before` are the words before the other one, in the first order and in the second.
    """

    name: Typed
    changes: tuple[float, ...]
    other: Typed | None = None
    other_changes: tuple[float, ...] = ()
    before: tuple[str, str] = ("", "")


def course_of(found: OrderComparison, scene: Scene, word: int) -> LayerChanges:
    """Return the course of the chosen word beside the earlier word that best shows where it changes.

    That is the first word that layer 1 changes, preferably one in its old position.
    """
    names, (first, second) = scene.unique_names, as_named(scene)
    places = alignment(first, second)
    own = LayerChanges(names[word], tuple(map(float, found.changes[:, word])))
    earlier = [at for at in range(word) if found.changes[0, at] > 0]
    if not earlier:
        return own
    other = min(earlier, key=lambda at: (places[at] != at, at))
    before = tuple(" ".join(order[:end]) for order, end in ((first, other), (second, places[other])))
    return replace(
        own,
        other=names[other],
        other_changes=tuple(map(float, found.changes[:, other])),
        before=(before[0], before[1]),
    )


def followed(course: LayerChanges, config: ModelConfig, unit: str = "word") -> str:
    """Say where the order enters, by the changes of one word through the layers."""
    name, last = f"*{course.name}*", course.changes[-1]
    bars = (
        f"A bar is the change of a {unit}'s output from the first order to the second, in per cent of its "
        "length."
    )
    if config.positions != "none":
        same = f"{name} attends to the same vectors at equal distances in both orders"
        if not any(course.changes):
            return f"{bars} {same}, so no layer changes it."
        if not course.changes[0]:
            return f"{bars} In layer 1 {same}. Later layers read outputs that have changed."
        scheme = SCHEMES[config.positions].about.name
        if config.mask == "causal":
            which = "which words stand before"
        else:
            which = "which words are hidden" if MASKS[config.mask].hides else ""
        mask = f", and the mask tells {which}" if which else ""
        return f"{bars} In layer 1 the {scheme} positions {'can ' * bool(mask)}tell the order{mask}."
    if not MASKS[config.mask].hides:
        return (
            f"{bars} Every word attends to the same words in both orders, and a weighted sum has no order. "
            "So layer 1 changes nothing, and later layers read what it gives."
        )
    if config.mask != "causal":
        return bars
    if not any(course.changes):
        bag = ": one layer sees a bag of words" if len(course.changes) == 1 else ""
        return f"{bars} {name} attends to the same vectors in both orders, so it does not change{bag}."
    if course.changes[0]:
        return (
            f"{bars} Under the causal mask {name} attends to other words in the second order than in the "
            f"first, so layer 1 already changes it by {per_cent(course.changes[0])}."
        )
    if course.other is None or not last:
        return bars
    one, two = (f"*{Typed(words):60}*" if words else "nothing" for words in course.before)
    return (
        f"{bars} **Layer 1:** {name} attends to the same vectors in both orders, so its output is the same. "
        f"But *{course.other}*, for example, has seen {one} in the first order and {two} in the second, so "
        f"its output changes by {per_cent(course.other_changes[0])}. **Layer 2:** {name} attends to outputs "
        f"that have changed, so its own output changes by {per_cent(course.changes[1])}."
    )
