"""Distance: how far the word k back can still move the state of the last word, in three networks."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.learning.collection import take
from core.measures.distance import long_range
from core.measures.gradients.networks import INITIAL, STAGES, TRAINED, mean_length
from core.measures.gradients.reach import FITS, Reach, exponential, norms_of, reach
from core.model.config import ModelConfig
from core.programs.vanishing import reach_program
from core.sources.trained import records_of_members
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Formula, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.gradients import questions as expected
from pages.gradients.back import KEYS, ask_reach, curves_back, how_measured, said, what_is_read
from pages.interaction_distance.trained import colours
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.units import magnitude

ATTENTION = "attention"
"""What the curve of the Transformer is called, as in the lecture."""

HEIGHT = 370

FACTORS = (
    r"\Big\| \frac{\partial h_n}{\partial x_{n-k}} \Big\|, \qquad "
    r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{i=0}^{k-1} \frac{\partial h_{n-i}}{\partial h_{n-i-1}}"
)
FACTORS_OF = (
    "The norm is what is drawn. The product: Seq2seq slides, vanishing gradient; Pascanu, Mikolov & Bengio "
    "2013, eq 5. A recurrent network has a factor for every word on the way; attention reaches every word in "
    "one step"
)

Norms = Mapping[tuple[str, str], np.ndarray]
"""By network and stage: how far a step in the word k back moves the last state, for every k."""


@dataclass(frozen=True)
class Found:
    """The norms of every network before training and after it, up to `furthest` words back."""

    scene: Scene
    furthest: int
    reach: Reach


def ask(ask: Ask, scene: Scene) -> int:
    """How many words back."""
    return ask_reach(ask)


def find(scene: Scene, furthest: int) -> Found:
    """The way back through every network."""
    config, seed = scene.switches.config, scene.switches.seed
    networks = long_range.rivals("agreement", config)
    records_of_members(networks)  # raises where one is not there
    found = reach(scene.plain, networks, seed=seed, furthest=furthest, measure=_norms)
    return Found(scene, furthest, found)


@remembered(saying="Going back through the text …")
def _norms(member: str, text: tuple[str, ...], seed: int | None) -> np.ndarray:
    return norms_of(take(member), text, seed)


def sheet(found: Found, look: Look) -> Sheet:
    """Six curves: three networks, each before training and after it."""
    scene, norms = found.scene, found.reach.norms
    config, seed = scene.switches.config, scene.switches.seed
    return Sheet(
        answer=answer(norms),
        unknown=tuple(encode(scene.plain).unknown),
        parts=(
            _picture(found, look),
            Formula(FACTORS, FACTORS_OF),
            Text(told(norms)),
            how_measured(how(len(scene.words), found.furthest, seed, config)),
        ),
    )


def name_of(network: str, stage: str = TRAINED) -> str:
    """What a curve is called: `RNN`, and before it has learned anything `RNN, initial`."""
    name = ATTENTION if network == long_range.TRANSFORMER else network
    return name if stage == TRAINED else f"{name}, {stage}"


def _picture(found: Found, look: Look) -> Shown:
    """The trained networks first, so that their names are in front."""
    of_network, n_typed = colours(look.theme), min(len(found.scene.words), found.furthest + 1)
    names = [(network, stage) for stage in reversed(STAGES) for network in of_network]
    picture = curves_back(
        {name_of(*name): found.reach.norms[name] for name in names},
        found.reach.words,
        title="Gradient norm of the last state with respect to an earlier word",
        theme=look.theme,
        y_title="‖∂ last state / ∂ word k back‖",
        colours={name_of(network, stage): of_network[network] for network, stage in names},
        dashed=[name_of(network, INITIAL) for network in of_network],
        mark=n_typed - 0.5,
        mark_name="← words typed",
        height=HEIGHT,
        within=look.width,
    )
    return Shown("reach_chart", picture)


def answer(norms: Norms) -> str:
    """How far the furthest word can still move the last state, in every trained network."""
    furthest = _furthest(norms)
    left = [
        f"{magnitude(float(norms[network, TRAINED][-1]))} in {_the(network)}" for network in _networks(norms)
    ]
    *first, last = left
    listed = f"{', '.join(first)} and {last}" if first else last
    return (
        f"After training, a step of length 1 in the word {furthest} back moves the last state by at most "
        f"{listed}."
    )


def _the(network: str) -> str:
    return ATTENTION if network == long_range.TRANSFORMER else f"the {network}"


def _networks(norms: Norms) -> list[str]:
    return list(dict.fromkeys(network for network, _ in norms))


def _furthest(norms: Norms) -> int:
    return len(next(iter(norms.values()))) - 1


def told(norms: Norms) -> str:
    """What the curves say: each network's exponential, where one fits, and what is left at the end."""
    listed = []
    for network in _networks(norms):
        before, after = (_fitted(norms[network, stage]) for stage in (INITIAL, TRAINED))
        left = magnitude(float(norms[network, TRAINED][-1]))
        listed.append(
            f"- **{name_of(network)}** {after}; {left} at {_furthest(norms)} words. Before training {before}."
        )
    return (
        "A curve shows how far the state of the last word moves, at most, for a step of length 1 in the "
        "vector of the word *k* back; a straight line downwards is an exponential. Where one fits (R² of "
        f"{FITS} or more), by this factor every further word multiplies it there:\n\n" + "\n".join(listed)
    )


def _fitted(norms: np.ndarray) -> str:
    """The factor per word, where there is one."""
    found = exponential(norms)
    return said(found) if found.fits else "no exponential fits"


def how(n_typed: int, furthest: int, seed: int, config: ModelConfig) -> str:
    """What is read, and by which models."""
    limit = (
        f"With learned positions attention reads no text longer than {config.max_len} words: it has a vector "
        "for each position up to there and for none beyond. "
    ) * (config.positions == "learned")
    start = ", from which the training began" if seed == 0 else ""
    return (
        f"Solid: trained. Dashed: at initialisation, seed {seed}{start}. {what_is_read(n_typed, furthest)} "
        "The norm is the largest singular value of the Jacobian, in double precision. All three networks are "
        f"causal, have {long_range.N_LAYERS} layers and have learned from single sentences, which have "
        f"{mean_length():.0f} words in the mean. {limit}Which words of one sentence matter: "
        "[Interaction distance](/interaction-distance?view=influence)."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What is left of the furthest word in each network."""
    norms = found.reach.norms
    left = {_the(network): float(norms[network, TRAINED][-1]) for network in _networks(norms)}
    return (expected.furthest_reach(left, _furthest(norms)),)


def program(found: Found) -> Program:
    """The norms."""
    scene = found.scene
    config, seed = scene.switches.config, scene.switches.seed
    return Program(
        lambda: reach_program(scene.plain, config, seed=seed, furthest=found.furthest),
        "the norms of every curve, from the last word back",
    )


# Switches of the Transformer that is measured; it is causal, for so are the others.
VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=KEYS,
    one_model=False,
    switches=frozenset({"positions", "heads", "norm", "seed"}),
)
