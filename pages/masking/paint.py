"""Paint: a click on a cell of the mask flips it; beside it stand the weights, or the gradients."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from core.measures.masking.painting import (
    MOST_PAINTED,
    Cell,
    Dependence,
    PaintedMask,
    dependence,
    most_masked,
    share_kept,
)
from core.text.tokenizer import MAX_WORDS, too_long
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.parameters import options_of
from pages.contract.prose import set_off
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Changes,
    Controls,
    Fold,
    Formula,
    LinkValues,
    Part,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
)
from pages.contract.static_questions import static_question
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.masking import gradient
from pages.masking.mask import PAINTED, Painting, ask_mask, flip, flipped_in, painted_over
from viz.masking import MaskedDependence, MaskedWeights
from viz.picture import Picture
from words import counted, enumerated, part_of, per_cent

WEIGHTS, GRADIENT = options_of("beside")

DRAWN = r"""\alpha_i = \mathrm{softmax}(s_i + M_i), \quad M_{ij} = \begin{cases} 0 & %s \\ -\infty &
\text{otherwise} \end{cases}"""
ZERO_AFTER = r"""\alpha_{ij,\text{masked}} = \begin{cases} \alpha_{ij} & %s \\ 0 & \text{otherwise}
\end{cases}"""

EXPONENTIALS = (
    "Before the softmax, the mask adds 0 to the score of an allowed key and −∞ to the score of a masked key. "
    "exp(−∞) = 0, so a masked key gets the weight 0. If a row has an allowed key, its weights still sum to 1."
)

LITERALLY = (
    "Masked weights set to 0 after the softmax leave the other weights as they are. Then these no longer sum "
    "to 1. A mask on the scores, before the softmax, keeps the sum of a row with an allowed key."
)


INVITATION = "Click a cell, or drag over several, to mask or unmask them."
SUMS = "The numbers on the right are the total weight of a row's allowed keys, without {} and with it."
CELL = "cell"
"""Spot of the controls for readers who cannot click."""

NAMED = 5
"""Greatest number of named words that may attend to nothing."""


@view(pieces=MAX_WORDS, **PAINTED)
def paint(ask: Ask, scene: Scene) -> Sheet:
    """Show the mask, and beside it the weights of a head or the gradients of the whole model."""
    n = len(scene.words)
    mask = ask_mask(ask, n, unit=scene.unit, unpaint_at=CELL)
    # A backward pass for each dimension of a pretrained model would take gigabytes.
    has_gradients = scene.switches.weights.pretrained is None
    beside = ask.choice("beside", hide_label=True) if has_gradients else WEIGHTS
    if beside == WEIGHTS:
        scene = _with_head(ask, scene)
    query, key = _ask_cell(ask, scene)
    under = painted_over(scene, mask)
    if beside == WEIGHTS:
        made = _weights(under, query, key)
    elif n > MOST_PAINTED:
        limit = too_long(
            "Gradients, a backward pass for each word, are computed for", MOST_PAINTED, n, "word"
        )
        made = Sheet(parts=(Text(limit, "info"),))
    else:
        made = _gradients(under, _dependence(scene.words, scene.switches, mask), query, key)
    return replace(made, notes=under.notes, caption=under.caption, unknown=tuple(under.reading.unknown))


def _with_head(ask: Ask, scene: Scene) -> Scene:
    """Return the scene with the layer and the head that are asked for, among the available ones."""
    config, layer, head = scene.switches.config, 1, 1
    if config.n_layers > 1:
        layer = ask.menu("layer", options=range(1, config.n_layers + 1), width=115)
    if config.n_heads > 1 or "heads" in PAINTED["switches"]:
        head = ask.menu("head", options=range(1, config.n_heads + 1), width=115)
    return replace(scene, layer=layer - 1, head=head - 1)


def _ask_cell(ask: Ask, scene: Scene) -> tuple[int | None, int | None]:
    """Return the words of a cell, from menus below the picture; none if the words are too many."""
    n = len(scene.words)
    if n > MOST_PAINTED:
        ask.caption(f"{too_long('Cells can be painted in', MOST_PAINTED, n, scene.unit)} Choose a preset.")
        return None, None
    with ask.at(CELL):
        query, key = ask.word("query", scene.names), ask.word("key", scene.names)
        cell = frozenset({(query, key)}) if query is not None and key is not None else frozenset()
        ask.button("Flip this cell", lambda link: flip(cell, link), is_off=not cell)
    return query, key


def _weights(under: Painting, query: int | None, key: int | None) -> Sheet:
    """Return the weights under the mask, and the sum over a row without it."""
    shares = share_kept(under.stages.scores, under.allowed)
    picture = MaskedWeights(
        allowed=under.allowed,
        pattern=under.stages.pattern,
        words=under.labels,
        kept=shares,
        chosen=query,
        title=f"Mask and attention weights, {under.scene.place}",
        beside=f"weights, {under.scene.place}",
        flipped=under.flipped,
        unit=under.scene.unit,
        is_painted=len(under.allowed) <= MOST_PAINTED,
    )
    blind = nothing_to_see(under.scene.unique_names, np.flatnonzero(~under.allowed.any(axis=1)).tolist())
    of_layer = "the mask of this layer" if under.scene.layer else "this mask"
    sums = SUMS.format(of_layer) if picture.is_painted else ""
    return Sheet(
        headline=headline(under, shares, query, key),
        parts=(
            *_to_paint("painted", picture, under, sums),
            Text(EXPONENTIALS),
            *([Text(blind)] if blind else []),
            _formulas(under),
        ),
        questions=lambda: (static_question("zero_score"),),
        program=lambda: Program(
            lambda: under.scene.subject.shown(
                "forward", f"Attention weights of {under.scene.place}, under a painted mask.", under.mask
            )
        ),
    )


def _gradients(under: Painting, found: Dependence, query: int | None, key: int | None) -> Sheet:
    """Return how much every output depends on every input."""
    picture = MaskedDependence(
        allowed=under.allowed,
        shares=found.shares,
        norms=found.norms,
        words=under.labels,
        title=f"Mask and {gradient.TITLE} of every output",
        beside=gradient.TITLE,
        flipped=under.flipped,
        is_painted=len(under.allowed) <= MOST_PAINTED,
    )
    names, n_layers = under.scene.unique_names, under.scene.switches.config.n_layers
    around = gradient.roundabout(found, n_layers)
    return Sheet(
        headline=gradient.headline(found, n_layers, names, query, key),
        parts=(
            *_to_paint("gradient", picture, under),
            *([Text(around)] if around else []),
            gradient.formula(under.allowed),
        ),
        questions=lambda: (gradient.hidden_word_question(gradient.find_hidden_pair(found, n_layers, names)),),
        program=lambda: Program.calling(
            "How much the state of every word after the last layer (rows) depends on every word "
            "vector (columns).",
            dependence,
            under.scene.subject.call,
            under.mask,
            shows=(".norms", ".shares"),
        ),
    )


@cached_for_all(saying="One backward pass for every word …")
def _dependence(words: tuple[str, ...], switches: Architecture, mask: PaintedMask) -> Dependence:
    return dependence(loaded(words, switches), mask)


def _to_paint(key: str, picture: Picture, under: Painting, more: str = "") -> tuple[Part, ...]:
    """Return the picture, and how to paint it unless its words are too many."""
    if len(under.allowed) > MOST_PAINTED:
        return (PicturePart(key, picture), *([Text(more, "remark")] if more else []))
    shown = PicturePart(key, picture, on_click=lambda points, link: brush(under, points, link), drags=True)
    return shown, Text(f"{INVITATION} {more}".strip(), "remark"), Controls(CELL)


def brush(under: Painting, points: Sequence[Point], link: LinkValues) -> Changes:
    """Flip the first cell of a stroke, and set the others to the same state."""
    cells = [(point["y"], point["x"]) for point in points]
    n = len(under.allowed)
    stroke = [cell for cell in cells if all(0 <= at < n for at in cell)]  # the pointer may be on the edge
    if not stroke:
        return {}
    masks = _is_open(under, stroke[0], link)
    return flip(frozenset(cell for cell in stroke if _is_open(under, cell, link) == masks), link)


def _is_open(under: Painting, cell: Cell, link: LinkValues) -> bool:
    """Return whether a cell was open before the stroke: as drawn, unless it has been flipped since."""
    return bool(under.allowed[cell]) != ((cell in flipped_in(link)) != (cell in under.flipped))


def headline(under: Painting, shares: Float[np.ndarray, "query"], query: int | None, key: int | None) -> str:
    """Say how the mask changes the chosen cell or row, or else the row that loses most."""
    scene, allowed = under.scene, under.allowed
    place, unit, n = f"In head {scene.head + 1} of layer {scene.layer + 1}", scene.unit, len(allowed)
    at = most_masked(shares, allowed) if query is None else query
    if key is not None:
        return f"{place}, {_of_cell(under, query, key)}"
    if at is None:
        if allowed.all():
            return f"{place}, nothing is masked: every row is the softmax of all its scores."
        if not allowed.any():
            return f"{place}, no {unit} may attend to any: all weights are 0."
        return f"{place}, every {unit} may attend to all {unit}s or to none."
    names = scene.unique_names
    word, n_seen = set_off(names[at]), int(allowed[at].sum())
    if n_seen in (0, n):
        result = "all weights of its row are 0" if n_seen == 0 else "nothing is masked in its row"
        return f"{place}, {word} may attend to {'no' if n_seen == 0 else 'every'} {unit}: {result}."
    mask = "the mask of this layer" if scene.layer else "the mask"
    share = per_cent(shares[at])
    without = f"all of its attention; without {mask}, {share}."
    if n_seen == 1:
        seen = int(allowed[at].argmax())
        if seen == at:
            return f"{place}, {word} may attend to itself alone. It gives itself {without}"
        other = set_off(names[seen])
        return f"{place}, {word} may attend to {other} alone. It gives that {unit} {without}"
    return f"{place}, {word} may attend to {n_seen} of {counted(n, unit)}. It gives them {without}"


def _of_cell(under: Painting, query: int | None, key: int) -> str:
    """Return a sentence on the weight of the chosen cell, or on who may attend to the chosen key."""
    names = under.scene.unique_names
    other = set_off(names[key])
    if query is None:
        n = int(under.allowed[:, key].sum())
        return f"{part_of(n, len(under.allowed), under.scene.unit)} may attend to {other}."
    one = set_off(names[query])
    if not under.allowed[query, key]:
        return f"{one} may not attend to {other}: that weight is masked, and 0."
    share = per_cent(float(under.stages.pattern[query, key]))
    return f"{one} may attend to {other}, and gives it {share} of its attention."


def nothing_to_see(names: Sequence[str], blind: Sequence[int]) -> str:
    """Name the words that may attend to nothing."""
    found = [set_off(names[at]) for at in blind]
    if not found:
        return ""
    more = [f"{len(found) - NAMED} more"] if len(found) > NAMED else []
    rows = "the row is" if len(found) == 1 else "their rows are"
    return (
        f"{enumerated([*found[:NAMED], *more])} may attend to nothing: {rows} 0 everywhere, and never NaN. "
        "The view **mask values** shows the weights that −∞ alone or a very negative number would give."
    )


def _formulas(under: Painting) -> Fold:
    """Return both ways to mask, for the mask that is painted."""
    is_causal = np.array_equal(under.allowed, np.tri(len(under.allowed), dtype=bool))
    may_attend = r"j \leq i" if is_causal else r"i \text{ may attend to } j"
    drawn = "As drawn: scores of −∞, then the softmax; a row without keys is 0"
    after_softmax = (
        "Not the same: weights set to 0 after the softmax leave a row that sums to less than 1, if any "
        "key is masked"
    )
    return Fold(
        "Formulas",
        (
            Formula(DRAWN % may_attend, drawn),
            Text(LITERALLY),
            Formula(ZERO_AFTER % may_attend, after_softmax),
        ),
    )
