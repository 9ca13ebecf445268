"""Jacobians: the factors of an RNN on the way back, and the exponentials they amount to."""

from math import isfinite
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from core.measures.gradients.distance import fit_exponential
from core.measures.gradients.jacobians import NAME, JacobianProduct, RecurrentWeights, is_same, product
from core.programs import Call
from core.sources.trained import load_rival
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import member
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.gradients.back import (
    BACK,
    CURVE,
    STEADY,
    VALUE,
    ask_scale,
    curves_back,
    describe_factor,
    how_measured,
    points,
    what_is_read,
)
from viz.curves import Curves
from words import counted, magnitude

MEASURED, WORST, AVERAGE = "product", "largest", "mean"
"""The curves: the product, the largest singular values, and the mean ones."""

LARGEST_POWER, MEAN_POWER = f"{WORST} σᵏ", f"{AVERAGE} σᵏ"
"""The product if every factor had its largest singular value alone, or the mean of them."""

KEPT = 10.0
"""Largest factor between the first and the last norm of a product that keeps its size."""

PRODUCT = r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{t=n}^{n-k+1} \text{diag}(1 - h_t^2)\, W^\top"
PRODUCT_OF = (
    "Pascanu, Mikolov & Bengio 2013, for h = tanh(h W + x U + b); from left to right the factors go back in "
    "time"
)
PREDICTED = (
    r"\Big\| \prod_t J_t \Big\| \;\le\; \prod_t \| J_t \|, \qquad "
    r"\text{mean of } J = \sqrt{\tfrac{1}{d}\textstyle\sum_i \sigma_i^2}"
)
PREDICTED_BY = (
    "J is a factor and ‖J‖ its largest singular value σ: Pascanu et al. 2013. That the mean predicts "
    "products of random factors: Schoenholz et al. 2017, for layers, not words"
)

UNSTABLE = (
    "The product is not drawn: if every weight changes by 1 part in 2⁵² at most, as rounding does, its norm "
    "changes too. Choose fewer words or a smaller scale."
)

UNTRAINED = "RNN with random weights: 2 layers"

Verdict = Literal["vanishes", "explodes"]


def _network(weights: RecurrentWeights) -> str:
    """Return the network with its recurrent weights in words."""
    network = member(NAME) if weights.recurrence == "trained" else UNTRAINED
    orthogonal = "orthogonal " * (weights.recurrence == "orthogonal")
    scaled = f" × {weights.scale:g}" * (weights.scale != 1)
    return f"{network}, {orthogonal}recurrent weights{scaled}" if orthogonal or scaled else network


def jacobians(ask: Ask, scene: Scene) -> Sheet:
    """Show the product beside its factors, each factor by its singular values."""
    usual = RecurrentWeights()
    ask.name("Recurrent weights")
    recurrence = ask.choice("recurrence", default=usual.recurrence, hide_label=True)
    scale = ask_scale(ask, "1")
    seed = usual.seed
    if recurrence != usual.recurrence:
        seed = ask.number("seed", default=usual.seed, width=120)
    ask.name("Up to")
    furthest = ask.choice("reach", hide_label=True)
    layer = ask.menu("layer", options=(1, 2), default=1) - 1
    weights = RecurrentWeights(recurrence=recurrence, scale=scale, seed=seed)
    found, rounded = _multiplied(scene.words, weights, layer, furthest)
    holds = is_same(found, rounded)
    pictures: tuple[Part, ...] = (Text(UNSTABLE), _factors(found))
    if holds:
        pictures = (Columns(((_norms(found),), (_factors(found),)), (3, 2)),)
    told = product_outcome(found) if holds else "rounding errors decide the norm of the product."
    return Sheet(
        headline=f"In layer {layer + 1} {told}",
        caption=Caption(models=lambda: (_network(weights),), notes=(f"layer {layer + 1}",)),
        unknown=tuple(encode(scene.plain).unknown),
        parts=(
            *pictures,
            Text(describe_factors(found, holds=holds)),
            Fold("The formulas", (Formula(PRODUCT, PRODUCT_OF), Formula(PREDICTED, PREDICTED_BY))),
            how_measured(how(len(scene.words), weights, furthest)),
        ),
        questions=lambda: (what_becomes(found) if holds else None,),
        program=lambda: Program.calling(
            "The way back through an RNN: a factor for every word, and the norm of their product.",
            product,
            Call(load_rival, NAME),
            scene.plain,
            weights,
            layer=layer,
            furthest=furthest,
            shows=(".norms", ".largest", ".mean"),
            prints=(
                "for every k the norm of the product, and of the factor that came last its largest singular "
                "value and the root mean square of all"
            ),
        ),
    )


@cached_for_all()
def _multiplied(
    words: tuple[str, ...], weights: RecurrentWeights, layer: int, furthest: int
) -> tuple[JacobianProduct, JacobianProduct]:
    """Return the product, and the product with another rounding error in every weight."""
    asked: dict[str, Any] = {"layer": layer, "furthest": furthest}
    rnn = load_rival(NAME)
    return product(rnn, words, weights, **asked), product(rnn, words, weights, **asked, rounding=True)


def _norms(found: JacobianProduct) -> PicturePart:
    """Draw the norm of the product, and the two exponentials."""
    backs = range(len(found.norms))
    picture = curves_back(
        {
            MEASURED: found.norms,
            LARGEST_POWER: [found.worst**k for k in backs],
            MEAN_POWER: [found.average**k for k in backs],
        },
        found.words,
        title="Norm of the product of Jacobians against number of factors",
        y_title="‖∂hₙ / ∂hₙ₋ₖ‖",
        colours={
            MEASURED: "recurrence",
            LARGEST_POWER: "muted",
            MEAN_POWER: "output",
        },
        dashed=(LARGEST_POWER, MEAN_POWER),
        level=(1.0, "1"),
    )
    return PicturePart("product_chart", picture)


def _factors(found: JacobianProduct) -> PicturePart:
    """Draw the largest and the mean singular value of every factor, one for each word on the way."""
    shown = points({WORST: found.largest, AVERAGE: found.mean}, x=BACK, first=1, positive=False)
    picture = Curves(
        rows=shown,
        title="Singular values of the Jacobian of each step",
        x=BACK,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        colours={WORST: "muted", AVERAGE: "output"},
        dashed=(),
        x_title="words back from the last word",
        y_title="singular values",
        level=(1.0, "1"),
    )
    return PicturePart("factors_chart", picture)


def verdict(norms: Float[np.ndarray, "distance"]) -> Verdict | None:
    """Return the verdict on a product whose norms, from 1 on, are exponential.

    None if no exponential fits, if its factor is about 1, or if the last norm is on the other side of 1.
    """
    fit, last = fit_exponential(norms), float(norms[-1])
    if not fit.fits or abs(fit.factor - 1) < STEADY or (last > 1) != (fit.factor > 1):
        return None
    return "explodes" if last > 1 else "vanishes"


def product_outcome(found: JacobianProduct) -> str:
    """Return how the norm of the product develops, as the end of a sentence."""
    left, n = magnitude(float(found.norms[-1])), counted(len(found.largest), "word")
    becomes = verdict(found.norms)
    if becomes is not None:
        return f"the gradient {becomes}: after {n} the norm of the product is {left}."
    low, high = (magnitude(float(norm)) for norm in (found.norms.min(), found.norms.max()))
    follows = "" if fit_exponential(found.norms).fits else " follows no exponential: it"
    return (
        f"the norm of the product{follows} begins at 1, stays between {low} and {high}, and after {n} it is "
        f"{left}."
    )


def describe_factors(found: JacobianProduct, *, holds: bool) -> str:
    """Return the factor per word if the product holds, and what the singular values imply."""
    becomes, n = verdict(found.norms) if holds else None, len(found.largest)
    fitted = ""
    if becomes is not None:
        fitted = f"Each further word multiplies the norm by {describe_factor(fit_exponential(found.norms))}. "
    if found.worst < 1 - STEADY:
        bound = ": it has to vanish"
    elif becomes == "vanishes" and found.worst > 1 + STEADY:
        bound = ". That allows an explosion, but the product vanishes"
    else:
        bound = ""
    return (
        f"{fitted}On average over all directions, a factor stretches by {found.average:.3f} (**{AVERAGE}**: "
        f"root mean square of its singular values). In its most stretched direction it stretches by "
        f"{found.worst:.2f} (**{WORST}**). The norm of the product is at most the product of the largest, "
        f"about ${found.worst:.2f}^{{{n}}}${bound}."
    )


def how(n_typed: int, weights: RecurrentWeights, furthest: int) -> str:
    """Return a sentence that names the network."""
    origin = {
        "trained": "This is the RNN of *long text*, trained on the next word",
        "random": f"This is the RNN of *long text* at initialisation, seed {weights.seed}",
        "orthogonal": f"This is an RNN at initialisation, seed {weights.seed}. Its recurrent weights are "
        "orthogonal: before they are scaled they turn vectors and stretch none",
    }[weights.recurrence]
    return (
        f"{origin}. Scaling multiplies the recurrent weights of both layers by {weights.scale:g} and changes "
        f"nothing else. The RNN then reads the text again. {what_is_read(n_typed, furthest)} Norms are "
        "largest singular values, in double precision. [Blocks](/blocks) shows gradients on their way down "
        "through layers."
    )


def what_becomes(found: JacobianProduct) -> Choose | None:
    """Ask how a product develops whose mean singular values decide it.

    None if no exponential fits, if the last norm is within a factor of `KEPT` of the first, which is 1, or if
    the mean singular value is on the other side of 1.
    """
    becomes, ends, n = verdict(found.norms), float(found.norms[-1]), len(found.largest)
    if becomes is None or not isfinite(ends) or not isfinite(found.worst) or n < 2 or 1 / KEPT < ends < KEPT:
        return None
    if (found.average > 1) != (becomes == "explodes"):
        return None
    shrinks = (
        "A largest singular value above 1 only allows an explosion: the next factor turns the most "
        "stretched direction elsewhere."
        if found.worst > 1
        else "The product cannot exceed the product of the largest singular values."
    )
    grows = "On average each factor stretches: directions that shrink do not make up for it."
    keeps = "A factor only a little off 1 leaves very little or very much in the end."
    return choose(
        f"On its way back a gradient is multiplied by {n} factors. On average over all directions each "
        f"stretches by {found.average:.2f}, and in its most stretched direction by {found.worst:.2f}. What "
        "becomes of the gradient?",
        Option("it vanishes", becomes == "vanishes", grows),
        Option("it explodes", becomes == "explodes", shrinks),
        Option("it keeps its size", False, keeps),
        because=f"Each further factor multiplies its norm by {fit_exponential(found.norms).factor:.3f}, "
        f"and in the end it is {magnitude(ends)}.",
    )
