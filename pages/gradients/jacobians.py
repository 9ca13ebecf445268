"""Jacobians: the factors that an RNN multiplies on the way back, and the exponentials they come to."""

from dataclasses import dataclass
from typing import Any

from core.measures.gradients.jacobians import NAME, Product, Recurrence, Weights, is_same, product
from core.measures.gradients.reach import exponential
from core.programs.vanishing import jacobians_program
from core.sources.rivals import load_rival
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.gradients import questions as expected
from pages.gradients import rounding
from pages.gradients.back import (
    BACK,
    CURVE,
    KEYS,
    VALUE,
    ask_reach,
    ask_scale,
    curves_back,
    how_measured,
    points,
    ticks_back,
    verdict,
)
from pages.gradients.jacobians_said import AVERAGE, MEASURED, WORST, answer, how, told
from pages.gradients.rounding import ROUNDED
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.curves import chart
from viz.units import magnitude

HEIGHT, OF_FACTORS = 370, 300
LARGEST_POWER, MEAN_POWER = f"{WORST} σᵏ", f"{AVERAGE} σᵏ"
"""What the product would be if every factor had its largest singular value alone, or the mean of them."""

WEIGHTS = (3, 2)
"""How wide the factors are beside the formulas."""

PRODUCT = r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{t=n}^{n-k+1} \text{diag}(1 - h_t^2)\, W^\top"
PRODUCT_OF = (
    "Pascanu, Mikolov & Bengio 2013, eq 5, for h = tanh(h W + x U + b); from left to right the factors go "
    "back in time"
)
PREDICTED = (
    r"\Big\| \prod_t J_t \Big\| \;\le\; \prod_t \| J_t \|, \qquad "
    r"\text{mean of } J = \sqrt{\tfrac{1}{d}\textstyle\sum_i \sigma_i^2}"
)
PREDICTED_BY = (
    "J is a factor and ‖J‖ its largest singular value σ: Pascanu et al. 2013, eq 6–7. That the mean predicts "
    "products of random factors: Schoenholz et al. 2017, section 4, for layers, not words"
)


@dataclass(frozen=True)
class Choices:
    """The RNN, and how many words back its Jacobians are followed."""

    weights: Weights
    furthest: int


@dataclass(frozen=True)
class Found:
    """The product of the Jacobians, and what it is with another rounding error in every weight."""

    scene: Scene
    choices: Choices
    product: Product
    otherwise: Product

    @property
    def holds(self) -> bool:
        """Whether rounding errors leave the product as it is."""
        return is_same(self.product, self.otherwise)


def ask(ask: Ask, scene: Scene) -> Choices:
    """The RNN, and how many words back."""
    usual = Weights()
    ask.name("Recurrent weights")
    recurrence: Recurrence = ask.choice("recurrence", default=usual.recurrence, hide_label=True)
    scale = ask_scale(ask, "1")
    seed = usual.seed
    if recurrence != usual.recurrence:
        seed = ask.number("seed", default=usual.seed, width=120)
    return Choices(Weights(recurrence=recurrence, scale=scale, seed=seed), ask_reach(ask))


def find(scene: Scene, choices: Choices) -> Found:
    """The two products."""
    both = _multiplied(scene.words, choices.weights, scene.layer, choices.furthest)
    return Found(scene, choices, *both)


@remembered()
def _multiplied(
    words: tuple[str, ...], weights: Weights, layer: int, furthest: int
) -> tuple[Product, Product]:
    """The product, and what it is with another rounding error in every weight."""
    asked: dict[str, Any] = {"layer": layer, "furthest": furthest}
    rnn = load_rival(NAME)
    return product(rnn, words, weights, **asked), product(rnn, words, weights, **asked, rounding=True)


def sheet(found: Found, look: Look) -> Sheet:
    """The norm of the product against the number of factors, and the singular values of each factor."""
    weights, both = found.choices.weights, (found.product, found.otherwise)
    formulas = (Formula(PRODUCT, PRODUCT_OF), Formula(PREDICTED, PREDICTED_BY))
    return Sheet(
        answer=at_place(found.scene.layer_place, answer(found.product) if found.holds else rounding.ANSWER),
        unknown=tuple(encode(found.scene.plain).unknown),
        parts=(
            _norms(found, look),
            Text(told(found.product, weights) if found.holds else rounding.told(*both)),
            Columns(((_factors(found.product, look.columns(WEIGHTS)[0]),), formulas), WEIGHTS),
            how_measured(how(len(found.scene.words), weights, found.choices.furthest)),
        ),
    )


def _norms(found: Found, look: Look) -> Shown:
    """The product, the same with other rounding errors if it then differs, and the two exponentials."""
    product, theme = found.product, look.theme
    backs = range(len(product.norms))
    rounded = {} if found.holds else {ROUNDED: found.otherwise.norms}
    picture = curves_back(
        {
            MEASURED: product.norms,
            **rounded,
            LARGEST_POWER: [product.worst**k for k in backs],
            MEAN_POWER: [product.average**k for k in backs],
        },
        product.words,
        title="Norm of the product of Jacobians against number of factors",
        theme=theme,
        within=look.width,
        y_title="‖∂hₙ / ∂hₙ₋ₖ‖",
        colours={
            MEASURED: theme.recurrence,
            ROUNDED: theme.value,
            LARGEST_POWER: theme.muted,
            MEAN_POWER: theme.selection,
        },
        dashed=(LARGEST_POWER, MEAN_POWER),
        level=(1.0, "1"),
        height=HEIGHT,
    )
    return Shown("product_chart", picture)


def _factors(found: Product, look: Look) -> Shown:
    """The largest and the mean singular value of every factor, one for each word on the way."""
    shown = points({WORST: found.largest, AVERAGE: found.mean}, x=BACK, first=1, positive=False)
    picture = chart(
        shown,
        title="Singular values of the Jacobian of each step",
        x=BACK,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours={WORST: look.theme.muted, AVERAGE: look.theme.selection},
        dashed=(),
        x_title="words back from the last word",
        y_title="singular values",
        x_ticks=ticks_back(len(found.largest)),
        y_ticks={at: str(at) for at in range(int(shown[VALUE].max()) + 2)},
        level=(1.0, "1"),
        height=OF_FACTORS,
    )
    return Shown("factors_chart", picture)


def questions(found: Found) -> tuple[Question | None, ...]:
    """What becomes of the product, if rounding errors do not decide it and an exponential fits it."""
    product = found.product
    becomes = verdict(product.norms)
    if not found.holds or becomes is None:
        return ()
    ends = float(product.norms[-1])
    fit = exponential(product.norms)
    return (expected.what_becomes(becomes, ends, fit, product.worst, len(product.largest)),)


def program(found: Found) -> Program:
    """The product and its factors."""
    scene, choices = found.scene, found.choices
    return Program(
        lambda: jacobians_program(scene.plain, choices.weights, layer=scene.layer, furthest=choices.furthest),
        "for every k the norm of the product, and of the factor that came last its largest singular value "
        "and the root mean square of all",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="Why do gradients vanish, and when do they explode?",
    sentence=KEYS,
    one_model=False,
    about="layer",
)
