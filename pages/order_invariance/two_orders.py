"""Two orders: where the order enters, layer by layer, and a verdict for each mask, depth and scheme."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.measures.order.verdicts import DEPTHS, TOLERANCE, OrderComparison, alignment
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import INJECTION_POINTS, SCHEMES
from core.sources import UnavailableError
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.model_descriptions import mask_in_words
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, PicturePart, Program, Sheet, Text
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from pages.contract.weights import why_unavailable
from pages.order_invariance.by_layer import by_layer, course_of, followed
from pages.order_invariance.compared import (
    IN_TWO_ORDERS,
    as_named,
    ask_shuffle,
    compare_typed_orders,
    one_order,
    other_words,
)
from pages.order_invariance.every_setting import (
    MOST_NAMED,
    about_settings,
    alike,
    are_told_apart,
    describe_omitted_mask,
    every_setting,
    grid_of,
    in_settings,
)
from viz.orders import Orders
from viz.tables import word_label
from words import counted, distance

NO_CHANGE = "All bars are 0 %: no word changes. "
"""Note above bars that would otherwise seem to be missing; a hall has them further below."""

EVERY_SETTING = "Every mask, depth and position scheme"


@view(switches=WITHOUT_WINDOW, pieces=MAX_WORDS, **IN_TWO_ORDERS)
def two_orders(ask: Ask, scene: Scene) -> Sheet:
    """Draw how much each layer's outputs differ between the orders, and the chosen word in both."""
    chosen = ask.word("word", scene.names, label=scene.unit.capitalize(), unchosen="last")
    word = scene.last if chosen is None else chosen
    name = scene.unique_names[word]
    ask_shuffle(ask, scene)
    config = scene.switches.config
    head = ask.menu("head", options=range(1, config.n_heads + 1)) - 1
    if problem := other_words(scene):
        return Sheet(notes=(Text(problem, "warning"),))
    if notice := one_order(scene):
        said = f"Both orders are the same, so *{name}* gets the same output, in head {head + 1} too."
        return Sheet(headline=said, notes=(notice,))
    switches, table = scene.switches, None
    left_out: tuple[ModelConfig, ...] = ()
    if scene.pieces is None:
        # The table has all masks, positions and depths, so that these switches need no new computation.
        others = replace(config, mask="causal", positions="none", n_layers=1)
        table, left_out = every_setting(scene.words, scene.other, switches.source, others, switches.seed)
    grid = () if table is None else (grid_of(table, word, switches),)
    try:
        found = compare_typed_orders(scene.words, scene.other, switches)
    except UnavailableError as error:
        if table is None:
            raise
        missing = Text(why_unavailable(error), "warning")
        return Sheet(headline=in_settings(table, name, word), parts=(*grid, missing))
    settings = () if table is None else (*grid, Text(about_settings(table, found, scene, word)))
    every = (*settings, *map(describe_omitted_mask, left_out))
    exact = Text(describe_differences(found, scene, word))
    entering = Text(followed(course_of(found, scene, word), config, scene.unit))
    layers, in_both = (by_layer(found, scene, word), entering), _in_both(found, scene, word, head)
    return Sheet(
        headline=f"{headline(_place(scene), name, found.same[word])} "
        f"{NO_CHANGE * (not found.changes.any() and not ask.look.fills)}Head {head + 1} is drawn.",
        parts=(
            # A lecture hall sees why the output is or is not the same: the weights of the word in both
            # orders.
            *((in_both, *layers) if ask.look.fills else (*layers, in_both)),
            *((Fold(EVERY_SETTING, every),) if every else ()),
            Fold("Exact differences and position schemes", (exact, Text(schemes_in_brief(), "remark"))),
        ),
        unknown=found.unknown,
        questions=lambda: _questions(table, found, scene),
        program=lambda: _program(scene, word, head),
    )


def _in_both(found: OrderComparison, scene: Scene, word: int, head: int) -> PicturePart:
    words = tuple(map(str, scene.names))
    picture = Orders(
        title=f"Attention weights and output of {word_label(words, word)} in both word orders",
        weights=(found.first_weights[head, word], found.second_weights[head, word]),
        output=(found.first_output[word], found.second_output[word]),
        words=words,
        chosen=word,
    )
    place = f"layer {scene.switches.config.n_layers}, head {head + 1}"
    return PicturePart("orders", picture, caption=Caption(notes=(place,)))


def _place(scene: Scene) -> str:
    """Return the beginning of a sentence about the chosen model."""
    pretrained, config = scene.switches.weights.pretrained, scene.switches.config
    if pretrained is not None:
        return f"In {Typed(pretrained.title)}"
    return f"With {counted(config.n_layers, 'layer')}, {_positions(config)} and {mask_in_words(config.mask)}"


def _positions(config: ModelConfig) -> str:
    return (
        "no positions" if config.positions == "none" else f"{SCHEMES[config.positions].about.name} positions"
    )


def headline(place: str, name: str, is_same: bool) -> str:
    """Return whether the output of a word is the same in both orders."""
    gets = "the same output in both orders" if is_same else "another output in the second order"
    return f"{place}, *{name}* gets {gets}."


def describe_differences(found: OrderComparison, scene: Scene, word: int) -> str:
    """Return how much the outputs and the weights of a word differ, and whether all words agree."""
    config, name, unit = scene.switches.config, scene.unique_names[word], scene.unit
    difference, weights = (float(one[word]) for one in (found.output_differences, found.weight_differences))
    outputs = _apart(difference, "in any dimension")
    told = (
        f"The two outputs of *{name}* {outputs}. Its attention weights in layer {config.n_layers} "
        f"{_apart(weights, 'in any head')}."
    )
    if not found.same.all():
        return told
    is_bag = config.positions == "none" and not MASKS[config.mask].hides
    bag = f": the model sees a bag of {unit}s, without their order" * is_bag
    moves = f" The outputs move with their {unit}s: the model is equivariant." * is_bag
    return f"{told} Every other {unit} gets the same output too{bag}.{moves}"


def _apart(difference: float, where: str) -> str:
    """Return whether numbers are equal, or by how much they differ."""
    if difference >= TOLERANCE:
        return f"differ by at most {distance(difference)} {where}"
    return "are equal up to rounding" if difference else "are equal"


def schemes_in_brief() -> str:
    """Return the effect of each position scheme, and the link to its view."""
    by_point = {
        what: [f"*{scheme.about.name}*" for scheme in SCHEMES.values() if scheme.injection_point() == point]
        for point, what in INJECTION_POINTS.items()
    }
    told = "; ".join(f"the {what}: {', '.join(names)}" for what, names in by_point.items() if names)
    return f"What position schemes change: {told}. [Positions](/positions) shows how."


@dataclass(frozen=True)
class Reordered:
    """Two orders of the same words, whose names differ, and the positions in the first of those that move."""

    first: Typed
    second: Typed
    names: tuple[Typed, ...]
    moved: frozenset[int]
    unit: str = "word"

    @property
    def becomes(self) -> str:
        """Return the two orders at the beginning of a question."""
        return f"*{self.first:80}* becomes *{self.second:80}*."

    def option(self, words: Collection[int], right: Collection[int], why_not: str = "") -> Option:
        """Return these words as an option of a question about the words that are `right`."""
        listed = [f"*{self.names[at]}*" for at in sorted(words)[:MOST_NAMED]]
        more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
        text = (
            f"all {len(words)}" if len(words) == len(self.names) else f"{', '.join(listed)}{more}" or "none"
        )
        return Option(text, frozenset(words) == frozenset(right), why_not)


def _questions(table: pd.DataFrame | None, found: OrderComparison, scene: Scene) -> tuple[Choose | None, ...]:
    if not are_told_apart(found):
        return ()
    first, second = as_named(scene)
    moved = frozenset(at for at, now in enumerate(alignment(first, second)) if at != now)
    both = Reordered(Typed(" ".join(first)), Typed(" ".join(second)), scene.unique_names, moved, scene.unit)
    changed = frozenset(map(int, np.flatnonzero(~found.same)))
    asked = changed_words_question(
        both, scene.switches.config, changed, float(found.output_differences.max())
    )
    config = scene.switches.config
    is_asked = (config.mask, config.positions) == ("causal", "none") and config.n_layers > 1
    if table is None or is_asked:
        return (asked,)
    return asked, two_layers_question(both, *(frozenset(alike(table, layers)) for layers in DEPTHS))


def changed_words_question(
    orders: Reordered, config: ModelConfig, changed: frozenset[int], difference: float
) -> Choose | None:
    """Ask which words get another output in the second order; the outputs differ by up to `difference`."""
    n, moved, sees_all = len(orders.names), orders.moved, not MASKS[config.mask].hides
    bag = f": attention is a weighted sum over a bag of {orders.unit}s, without their order"
    setting = (
        f"A model of {counted(config.n_layers, 'layer')} has {_positions(config)} and "
        f"{mask_in_words(config.mask)}."
    )
    some = (
        "Even without positions a mask tells the order: it decides which words a word may attend to."
        if config.positions == "none" or config.mask == "causal"
        else f"The {SCHEMES[config.positions].about.name} positions tell the order of the words."
    )
    after = "Without a mask nothing is before or after: all words attend to all."
    everything = (
        "This model cannot tell the two orders apart."
        if not changed
        else "A word cannot tell the orders apart if the mask shows it the same beginning."
    )
    still = "Each output is compared with the output of the same word: nothing tells the model its position."
    others = f"Other {orders.unit}s attend to those that have moved."
    measured = f"The outputs differ by at most {distance(difference)} in any dimension"
    return choose(
        f"{orders.becomes} {setting} Which {orders.unit}s get another output than in the first order?",
        orders.option((), changed, some),
        orders.option(moved, changed, others if changed - moved else "" if changed else still),
        orders.option(range(min(moved, default=0), n), changed, after if sees_all and not changed else ""),
        orders.option(range(n), changed, everything if not (changed and sees_all) else ""),
        orders.option(changed, changed),
        because=(
            f"{measured}: {len(changed)} of {counted(n, 'output')} "
            f"{'differs' if len(changed) == 1 else 'differ'} by more than rounding."
            if changed
            else f"No output differs by more than rounding{bag * (sees_all and config.positions == 'none')}."
        ),
    )


def two_layers_question(
    orders: Reordered, after_one: frozenset[int], after_two: frozenset[int]
) -> Choose | None:
    """Ask which words agree in both orders after two causal layers without positions."""
    return choose(
        f"{orders.becomes} After two causal layers without positions, which words have the same output in "
        "both orders?",
        orders.option((), after_two, "Up to the first word that differs, both orders are the same text."),
        orders.option(
            after_one,
            after_two,
            "This is right after one layer, which sees a bag of words. The second layer attends to words "
            "whose outputs differ.",
        ),
        orders.option(
            range(len(orders.names)),
            after_two,
            "Without positions the causal mask still tells the order: a word attends only to itself and "
            "earlier words.",
        ),
        orders.option(after_two, after_two),
        because=(
            "The outputs of layer 1 differ at each word that has other words before it. Layer 2 attends to "
            "these outputs, so it sees the order too."
        ),
    )


def _program(scene: Scene, word: int, head: int) -> Program:
    subject = replace(scene, layer=scene.switches.config.n_layers - 1, head=head).subject
    return Program(
        lambda: subject.shown(
            "orders",
            f"What one word attends to in two orders, in head {head + 1} of layer {subject.layer + 1}.",
            order=alignment(subject.words, tuple(map(str, scene.other))),
            chosen=word,
        ),
        prints="the weights of the chosen word in both orders",
    )
