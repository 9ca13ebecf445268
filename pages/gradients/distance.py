"""Distance: how strongly a word long ago still affects the state of the last one, in three networks."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.learning.collection import load_listed_member
from core.measures.distance.long_range import N_LAYERS, TRANSFORMER, rivals
from core.measures.gradients.distance import (
    INITIAL,
    STAGES,
    TRAINED,
    fit_exponential,
    gradient_norms_by_network,
    mean_length,
    norms_of,
)
from core.model.config import ModelConfig
from core.programs import Call
from core.sources.trained import load_member, records_of_members
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import CHEF
from pages.contract.model_descriptions import members
from pages.contract.parameters import options_of
from pages.contract.question import Arrange
from pages.contract.question_builders import arrange
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, Formula, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.gradients.back import curves_back, describe_factor, how_measured, what_is_read
from pages.gradients.jacobians import jacobians
from pages.gradients.own_sentence import own_sentence
from pages.interaction_distance.long_range import ROLES
from words import enumerated, magnitude

FOLLOW = "follow"
"""Parameter of the quantity through which gradients are followed."""

LONG_TEXT, OWN_SENTENCE, JACOBIANS = options_of(FOLLOW)

OF_TRANSFORMER = frozenset({"positions", "heads", "norm"})
"""Switches of the measured Transformer; it is causal, as the others are."""

SWITCHES = {
    LONG_TEXT: OF_TRANSFORMER | {"seed"},
    OWN_SENTENCE: OF_TRANSFORMER,
    JACOBIANS: frozenset[str](),
}
"""The switches that have an effect, by the followed quantity."""

NEARLY_NOTHING = 1e-6
"""A factor of a change below which its digits say no more than *almost 0*."""

FACTORS = (
    r"\Big\| \frac{\partial h_n}{\partial x_{n-k}} \Big\|, \qquad "
    r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{i=0}^{k-1} \frac{\partial h_{n-i}}{\partial h_{n-i-1}}"
)
FACTORS_OF = (
    "The curves show the norm. The product: Pascanu, Mikolov & Bengio 2013. A recurrent network has a "
    "factor for every word on the way; attention reaches every word in one step"
)

Norms = Mapping[tuple[str, str], np.ndarray]
"""Largest factors of a small change of the word k back, for every k, by network and stage."""


@view(sentence=CHEF, one_model=False, switches=SWITCHES[LONG_TEXT])
def distance(ask: Ask, scene: Scene) -> Sheet:
    """Show gradients through a long text, into the words of the sentence, or through each step of an RNN."""
    follow = ask.choice(FOLLOW, hide_label=True)
    if follow == OWN_SENTENCE:
        return own_sentence(ask, scene)
    if follow == JACOBIANS:
        return jacobians(ask, scene)
    ask.name("Up to")
    return long_text(scene, ask.choice("reach", hide_label=True))


def long_text(scene: Scene, furthest: int) -> Sheet:
    """Show three networks, each before and after training. Raises UnavailableError if one is missing."""
    config, seed = scene.switches.config, scene.switches.seed
    networks = rivals("agreement", config)
    records_of_members(networks)  # raises UnavailableError if one is missing
    found = gradient_norms_by_network(scene.plain, networks, seed=seed, furthest=furthest, measure=_norms)
    n = len(scene.words)
    return Sheet(
        headline=describe_last_norms(found.norms),
        caption=Caption(
            models=lambda: members(networks.values()),
            notes=(
                "initial: the same networks before training"
                if seed == 0
                else f"initial: the same networks with random weights, seed {seed}",
            ),
        ),
        unknown=tuple(encode(scene.plain).unknown),
        parts=(
            _picture(found.norms, found.words, min(n, furthest + 1)),
            Text(f"{describe_factors(found.norms)} {what_is_read(n, furthest)}"),
            Fold("The formula", (Formula(FACTORS, FACTORS_OF),)),
            how_measured(how(found.norms, seed, config)),
        ),
        questions=lambda: (furthest_reach(found.norms),),
        program=lambda: Program.calling(
            "How far the word k back can move the last state, for k = 0, 1, 2, …: by network and stage.",
            gradient_norms_by_network,
            scene.plain,
            {network: Call(load_member, name) for network, name in rivals("agreement", config).items()},
            seed=seed,
            furthest=furthest,
            measure=norms_of,
            shows=(".norms",),
            prints="the norms of every curve, from the last word back",
        ),
    )


@cached_for_all(saying="Going back through the text …")
def _norms(member: str, text: tuple[str, ...], seed: int | None) -> np.ndarray:
    return norms_of(load_listed_member(member), text, seed)


def _picture(norms: Norms, words: tuple[str, ...], n_typed: int) -> PicturePart:
    """Draw the trained networks first, so that their names are in front."""
    names = [(network, stage) for stage in reversed(STAGES) for network in ROLES]
    picture = curves_back(
        {_name(*name): norms[name] for name in names},
        words,
        title="Gradient norm of the last state with respect to an earlier word",
        y_title="‖∂ last state / ∂ word k back‖",
        colours={_name(network, stage): ROLES[network] for network, stage in names},
        dashed=[_name(network, INITIAL) for network in ROLES],
        mark=n_typed - 0.5,
        mark_name="← words typed",
    )
    return PicturePart("reach_chart", picture)


def _name(network: str, stage: str) -> str:
    """Return the name of a curve: `RNN`, and before training `RNN, initial`."""
    return network if stage == TRAINED else f"{network}, {stage}"


def _ends(norms: Norms) -> dict[str, float]:
    """Return the factor of the furthest word in each trained network."""
    return {network: float(values[-1]) for (network, stage), values in norms.items() if stage == TRAINED}


def _left(end: float) -> str:
    """Return the largest factor of a change, without the digits of a number that is nearly 0."""
    return "almost 0" if 0 < end < NEARLY_NOTHING else magnitude(end)


def _furthest(norms: Norms) -> int:
    return len(next(iter(norms.values()))) - 1


def describe_last_norms(norms: Norms) -> str:
    """Return how strongly the furthest word still affects the last state, in every trained network."""
    left = enumerated([f"{_left(end)} in the {network}" for network, end in _ends(norms).items()])
    return (
        f"A small change {_furthest(norms)} words back reaches the last state multiplied by at most {left}."
    )


def describe_factors(norms: Norms, stage: str = TRAINED) -> str:
    """Return the factor per word of each network whose norms are exponential, and name the others."""
    fits = {network: fit_exponential(values) for (network, at), values in norms.items() if at == stage}
    told = [
        f"In the {network} each further word multiplies the gradient by {describe_factor(fit)}."
        for network, fit in fits.items()
        if fit.fits
    ]
    others = [f"the {network}" for network, fit in fits.items() if not fit.fits]
    return " ".join([*told, *[_bent(others)] * bool(others)])


def _bent(networks: Sequence[str]) -> str:
    curves = "curve" if len(networks) == 1 else "curves"
    return f"The {curves} of {enumerated(networks)} follow{'s' * (len(networks) == 1)} no exponential."


def how(norms: Norms, seed: int, config: ModelConfig) -> str:
    """Return the meaning of the curves, their values before training, and the models that read the text."""
    limit = (
        f"With learned positions the {TRANSFORMER} reads no text longer than {config.max_len} words: it has "
        "no vector for later positions. "
    ) * (config.positions == "learned")
    start = ", from which the training began" if seed == 0 else ""
    return (
        f"Solid: trained. Dashed: at initialisation, seed {seed}{start}. A straight line is an exponential. "
        f"Before training the curves follow these factors. {describe_factors(norms, INITIAL)} "
        "The norm is the largest singular value of the Jacobian, in double precision. "
        f"All three networks are causal, have {N_LAYERS} layers and have learned from single sentences of "
        f"{mean_length():.0f} words on average. "
        f"{limit}"
    ).rstrip()


def furthest_reach(norms: Norms) -> Arrange | None:
    """Ask for the order of the networks by how strongly a word long ago still affects the last state.

    None if two are of about one order of magnitude, or if nothing is left in one.
    """
    ends = _ends(norms)
    if not all(0 < end < np.inf for end in ends.values()):
        return None
    told = ", ".join(f"{_left(end)} in the {network}" for network, end in ends.items())
    return arrange(
        f"The vector of the word {_furthest(norms)} words back is changed a little. In which network does "
        "the last state change most? Begin with that network.",
        {f"the {network}": float(np.log10(end)) for network, end in ends.items()},
        because=f"The change is multiplied by at most {told}.",
    )
