"""The feed-forward layer: it works on each word alone, and keeps attention layers from collapsing."""

from collections.abc import Mapping

import numpy as np

from core.measures.blocks.parts import (
    SAME,
    OutputChanges,
    TwoLayers,
    elsewhere,
    largest_difference,
    output_changes,
    two_layers,
)
from core.model.config import ModelConfig
from pages.architectures.descriptions import about
from pages.contract.ask import Ask
from pages.contract.examples import MARIA
from pages.contract.loading import loaded, measured
from pages.contract.prose import Typed
from pages.contract.question import Choose, Estimate, Option
from pages.contract.question_builders import choose, mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Formula, PicturePart, Program, Sheet, Text, chooses
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from viz.bar_rows import BarRows
from viz.matrices import StagePanel, Stages
from viz.tables import word_label
from viz.text import unique_words
from words import counted, distance, enumerated, per_cent

ONE_POSITION, TWO_LAYERS = SHOWN = ("one position", "two layers without it")

TOO_FEW = "This view merges two layers into one: choose a model with two layers."

CHANGED = "## Change of every output, in % of its length"
"""Heading of the bars."""

OUTPUTS = "Largest difference from the output of two layers"

COLLAPSE = Formula(
    r"o = A_2\,(A_1 X V_1)\,V_2 = (A_2 A_1)\,X\,(V_1 V_2)",
    "V includes the head's part of the output projection",
)

AT_ONCE = "one layer with the weights A₂A₁ and the values V₁V₂"
RELU = "ReLU between the two layers"
FACTORISED = "one layer with the weights A₁ alone and V₁V₂"

COLUMNS, NARROW_PANEL = (3.6, 1.0), 120
"""The matrices in one row, narrower than usual, with the comparison beside them."""


@view(
    question="What does a feed-forward layer do that attention does not?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"mlp"},
)
def feed_forward(ask: Ask, scene: Scene) -> Sheet:
    """Show which words each part reaches, or two layers of attention with nothing nonlinear between."""
    if ask.choice("shows", options=SHOWN, hide_label=True) == ONE_POSITION:
        return _one_position(ask, scene)
    return _two_layers(ask, scene)


def _one_position(ask: Ask, scene: Scene) -> Sheet:
    """Show how much each output changes if one word's vector is set to zero."""
    layer = int(ask.menu("layer", options=range(1, scene.switches.config.n_layers + 1))) - 1
    word = ask.word("word", scene.words, unchosen="first") or 0
    changes = measured(output_changes, loaded, scene.words, scene.switches, layer=layer, position=word)
    name = Typed(unique_words(scene.plain)[word])
    told = about("feed-forward", scene.switches.config)
    return Sheet(
        headline=reach(name, changes, word, layer),
        unknown=changes.unknown,
        parts=(
            Text(CHANGED),
            _bars(scene, changes, word, layer),
            Text(
                f"The vector of **{name}** is set to zero where it enters each part. A bar is the change of "
                "an output, in per cent of its length (norm). Above 100 % the change is longer than the "
                "output. Only attention carries information between words. The feed-forward layer computes "
                "something new from the vector of each word on its own."
            ),
            Formula(told.formula, told.source),
        ),
        questions=lambda: (reached_words_question(name, word, changes),),
        program=lambda: Program.calling(
            f"The vector of word {word + 1} set to zero in layer {layer + 1}: which outputs change?",
            output_changes,
            scene.subject.call,
            layer=layer,
            position=word,
            shows=(".feed_forward", ".attention"),
        ),
    )


def _bars(scene: Scene, changes: OutputChanges, word: int, layer: int) -> PicturePart:
    shares = np.stack([changes.feed_forward, changes.attention])
    picture = BarRows(
        shares=shares,
        rows={"feed-forward": "value", "attention": "attention"},
        columns=scene.marked(changes.unknown),
        title=f"Change of every output without the vector of {word_label(scene.plain, word)}, "
        f"layer {layer + 1}",
        top=float(shares.max()) or 1.0,
        chosen=word,
    )
    return PicturePart("changes", picture, on_click=chooses("word"))


def reach(name: str, changes: OutputChanges, word: int, layer: int) -> str:
    """Return at how many other words each part's output changes without the vector of a word."""
    place = f"in layer {layer + 1}"
    if len(changes.attention) == 1:
        return f"{place[0].upper()}{place[1:]}, *{name}* has no other word to reach: type a second one."
    feed_forward, attention = (
        _reached(*elsewhere(one, word)) for one in (changes.feed_forward, changes.attention)
    )
    if not elsewhere(changes.feed_forward, word)[0]:
        return (
            f"The feed-forward layer works on each word alone. Without *{name}* {place}, the attention "
            f"output changes at {attention}."
        )
    return (
        f"Without *{name}* {place}, the feed-forward output changes at {feed_forward}, and the attention "
        f"output at {attention}."
    )


def _reached(n: int, largest: float) -> str:
    return f"{counted(n, 'other word')} by up to {per_cent(largest)}" if n else "no other word"


def reached_words_question(name: Typed, word: int, changes: OutputChanges) -> Estimate | None:
    """Ask at how many other words the feed-forward output changes; None if attention reaches none."""
    (right, _), (n_attention, _) = (elsewhere(one, word) for one in (changes.feed_forward, changes.attention))
    if not n_attention:
        return None
    return Estimate(
        text=(
            f"The vector of *{name}* is set to 0 after attention, where it enters the feed-forward layer. At "
            "how many *other* words does the output of this layer change?"
        ),
        right=right,
        bounds=(0, max(10, 2 * n_attention)),
        unit="words" if right != 1 else "word",
        because="A feed-forward layer works on each word alone: only attention passes something on.",
        mistaken=mistakes(right, (n_attention, "Attention reaches this many.")),
    )


def _nonlinear(config: ModelConfig, n_words: int) -> str:
    """Return the nonlinear parts of the model's blocks; the weights of a single word are always 1."""
    norm = [] if config.norm == "none" else ["layer norm"]
    softmax = ["the softmax of A₂, which depends on layer 1"] if n_words > 1 else []
    return enumerated([*softmax, "the feed-forward layer between the two", *norm])


def _two_layers(ask: Ask, scene: Scene) -> Sheet:
    """Show the weights of two layers and their product, and compare four ways to compute the output."""
    head = int(ask.menu("head", options=range(1, scene.switches.config.n_heads + 1))) - 1
    if scene.switches.config.n_layers < 2:
        return Sheet(notes=(Text(TOO_FEW, "info"),))
    both = measured(two_layers, loaded, scene.words, scene.switches, head=head)
    found, nonlinear = differences(both), _nonlinear(scene.switches.config, len(scene.words))
    return Sheet(
        headline=collapse(found, head),
        parts=(
            *((Text(f"## {OUTPUTS}"), _outputs(both, scene.plain)) if ask.look.fills else ()),
            Columns(((_weights(both, scene.plain),), (Text(compared(found)),)), COLUMNS),
            COLLAPSE,
            Text(
                f"The largest output is {distance(both.largest)}. A₁ and A₂ are the attention weights that "
                "the whole model computes for this sentence. They are fixed here. In the model, nonlinear "
                f"parts make a stack more than one layer: {nonlinear}."
            ),
        ),
        questions=lambda: (two_layers_question(is_same=found[AT_ONCE] < SAME),),
        program=lambda: Program.calling(
            f"Two layers of attention, head {head + 1} of each, one after the other and as one.",
            two_layers,
            scene.subject.call,
            head=head,
            shows=(".weights", ".in_turn()", ".at_once()", ".with_relu()"),
        ),
    )


def _weights(both: TwoLayers, words: tuple[str, ...]) -> PicturePart:
    panels = [
        StagePanel("A₂: layer 2", both.a2, "weights"),
        StagePanel("A₁: layer 1", both.a1, "weights", sign="·"),
        StagePanel("A₂A₁: one layer", both.weights, "weights", sign="="),
    ]
    title = "Attention weights of two layers and their product"
    picture = Stages(stages=panels, words=words, title=title, smallest=NARROW_PANEL)
    return PicturePart("two_layers", picture)


def _outputs(both: TwoLayers, words: tuple[str, ...]) -> PicturePart:
    """Draw how far one layer, and two with ReLU between them, are from two layers, at each word."""
    others = {"one layer instead of two": both.at_once(), "two layers, ReLU between": both.with_relu()}
    shares = np.stack([np.abs(output - both.in_turn()).max(axis=-1) for output in others.values()])
    picture = BarRows(
        shares=shares,
        rows=dict.fromkeys(others, "value"),
        columns=words,
        title=OUTPUTS,
        top=float(shares.max()) or 1.0,
        chosen=int(shares.max(axis=0).argmax()),
        say=lambda row: [f"{one:.2f}" for one in row],
    )
    return PicturePart("outputs", picture)


def differences(both: TwoLayers) -> dict[str, float]:
    """Return each computation's largest difference from two successive layers."""
    ways = {AT_ONCE: both.at_once(), RELU: both.with_relu(), FACTORISED: both.factorised()}
    in_turn = both.in_turn()
    return {name: largest_difference(in_turn, other) for name, other in ways.items()}


def collapse(found: Mapping[str, float], head: int) -> str:
    """Return whether two layers of a head collapse into one, and whether ReLU between them prevents it."""
    of_head = f"(head {head + 1}, fixed weights)"
    if found[AT_ONCE] >= SAME:
        return (
            f"Two layers of attention {of_head} are not the one layer A₂A₁: they differ by up to "
            f"{distance(found[AT_ONCE])}."
        )
    with_relu = "still the same" if found[RELU] < SAME else "not the same"
    return (
        f"Two layers of attention {of_head} are one layer, A₂A₁. With ReLU between the two they are "
        f"{with_relu}."
    )


def compared(found: Mapping[str, float]) -> str:
    """Return a list of the computations, each with its difference."""
    rows = [
        f"- {name}: {'**0** up to rounding' if one < SAME else f'**{distance(one)}**, not the same'}"
        for name, one in found.items()
    ]
    return "\n".join(["**Largest difference from one layer after the other**\n", *rows])


def two_layers_question(is_same: bool) -> Choose | None:
    """Ask what two layers of attention amount to, with fixed weights and nothing between them."""
    return choose(
        "Two layers of attention with fixed weights, and nothing nonlinear between them. What are they "
        "together?",
        Option("one layer", is_same or None),
        Option(
            "more than one layer can compute",
            False,
            "A product of two matrices is one matrix: the second adds nothing new.",
        ),
        Option(
            "one layer only if A₁ = A₂", False, "The weights of the one layer are A₂A₁ for any two layers."
        ),
        because="The weights A₂A₁ and the values V₁V₂ give the same output.",
    )
