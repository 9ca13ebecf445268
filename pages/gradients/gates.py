"""Gates: what an LSTM's gates do at every word, and what they leave of its cell on the way back."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.gradients import gates as of_lstm
from core.measures.gradients.gates import Gates
from core.programs.vanishing import gates_program
from core.sources.rivals import load_rival
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Part, Sheet, Shown, Text
from pages.contract.words import marked
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.gradients import questions as expected
from pages.gradients.back import KEYS, curves_back, how_measured
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.number_map import colour_map
from viz.text import counted
from viz.units import magnitude, per_cent

WHOLE, BEST, MEAN = "all paths", "best unit", "mean over units"
"""The curves: everything that is left of the cell, and along the cell alone in one unit and in the mean."""

TRAINED, RANDOM = options_of("lstm")

OPEN = 0.9
"""A unit whose forget gate is above this on average counts as one that keeps its cell."""

LOWEST, AROUND, ROW = 300, 76, 19
"""Heights in pixels: of the pictures at least, around the rows of the matrix, and of a row."""

CELL = (
    r"f_t = \sigma(h_{t-1} W_f + x_t U_f + b_f), \qquad "
    r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t"
)
CELL_BY = "Seq2seq slides, LSTMs; the forget gate is that of Gers et al. 2000"
WAYS = r"\frac{\partial c_n}{\partial c_{n-k}} = \prod_t \text{diag}(f_t) + \text{paths through } h"
WAYS_BY = "Hochreiter & Schmidhuber 1997, section 3.2, where the factor is 1: the constant error carrousel"


@dataclass(frozen=True)
class Choices:
    """The gate shown, and the seed of the LSTM's weights: None where they are trained."""

    gate: of_lstm.Gate
    seed: int | None


@dataclass(frozen=True)
class Found:
    """The gates of a layer, and the words that the LSTM does not know."""

    scene: Scene
    choices: Choices
    gates: Gates
    unknown: tuple[int, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them."""
        return marked(self.scene.plain, self.unknown)

    @property
    def height(self) -> int:
        """Pixels of height of both pictures."""
        return max(LOWEST, AROUND + ROW * len(self.scene.words))


def ask(ask: Ask, scene: Scene) -> Choices:
    """The gate, and the weights of the LSTM."""
    ask.name("Gate")
    gate = ask.choice("gate", hide_label=True)
    ask.name("LSTM")
    if ask.choice("lstm", hide_label=True) == TRAINED:
        return Choices(gate, None)
    return Choices(gate, ask.number("seed", width=120))


def find(scene: Scene, choices: Choices) -> Found:
    """What the gates do over the sentence."""
    unknown = tuple(encode(scene.plain).unknown)
    return Found(scene, choices, _gates(scene.words, scene.layer, choices.seed), unknown)


@remembered()
def _gates(words: tuple[str, ...], layer: int, seed: int | None) -> Gates:
    return of_lstm.gates(load_rival(of_lstm.NAME), words, layer=layer, seed=seed)


def sheet(found: Found, look: Look) -> Sheet:
    """The gates as a matrix, and beside it how much of the cell of every word is left in the last one."""
    gates, gate = found.gates, found.choices.gate
    title = f"**The {gate} gate, a column for each of {counted(len(gates.order), 'unit')}**"
    left, right = look.columns((1, 1))
    still: tuple[Part, ...] = ()
    if len(found.scene.words) > 1:
        still = (Text("**What is left of the cell *k* words back**"), _left(found, right))
    return Sheet(
        answer=at_place(found.scene.layer_place, answer(gates, gate)),
        unknown=found.unknown,
        parts=(
            Columns(((Text(title), _map(found, left)), still)),
            Columns(((Formula(CELL, CELL_BY),), (Formula(WAYS, WAYS_BY),))),
            Text(told(gates)),
            how_measured(how(found.choices.seed)),
        ),
    )


def _map(found: Found, look: Look) -> Shown:
    gate, order, labels = found.choices.gate, found.gates.order, found.labels
    values = found.gates.gates[gate][:, order]
    picture = colour_map(
        values,
        title=f"{gate.capitalize()} gate of every LSTM unit at every word, {_layer(found)}",
        x_title="units by mean forget gate",
        y_title="word read",
        theme=look.theme,
        height=found.height,
        rows=labels,
        of_shares=True,
        table=lambda: _matrix(values, order, labels),
    )
    return Shown("gates_map", picture)


def _layer(found: Found) -> str:
    return f"layer {found.scene.layer + 1}"


def _matrix(values: np.ndarray, order: list[int], labels: tuple[str, ...]) -> pd.DataFrame:
    """A row for each word, and a column for each unit by its number, in the order of the picture."""
    table = pd.DataFrame(values, columns=[f"unit {unit + 1}" for unit in order])
    table.insert(0, "word", labels)
    return table


def _left(found: Found, look: Look) -> Shown:
    gates, theme = found.gates, look.theme
    picture = curves_back(
        {WHOLE: gates.whole, BEST: gates.direct.max(axis=1), MEAN: gates.direct.mean(axis=1)},
        found.labels,
        title=f"Gradient of the last LSTM cell with respect to an earlier one, {_layer(found)}",
        theme=theme,
        within=look.width,
        y_title="∂ last cell / ∂ cell k back",
        colours={WHOLE: theme.ink, BEST: theme.value, MEAN: theme.value},
        dashed=(MEAN,),
        height=found.height,
    )
    return Shown("left_chart", picture)


def answer(found: Gates, gate: of_lstm.Gate = "forget") -> str:
    """Return how far the shown gate is open, or of the forget gate what is left along the cell alone."""
    n = len(found.whole) - 1
    if gate != "forget":
        share = per_cent(float(found.gates[gate].mean()))
        return f"The {gate} gates are open to {share} in the mean over words and units."
    if not n:
        return "With one word there is nothing to be kept."
    left = found.direct[-1]
    return (
        f"Over {counted(n, 'word')} the forget gates leave {per_cent(float(left.mean()))} of the cell in the "
        f"mean over units, and {per_cent(float(left.max()))} in unit {int(left.argmax()) + 1}, the best one."
    )


def told(found: Gates) -> str:
    """How open the forget gates are, and what all paths together leave of the first word's cell."""
    forget = found.gates["forget"]
    means = forget.mean(axis=0)
    n_open = int((means > OPEN).sum())
    opened = (
        f"The forget gate is {forget.mean():.2f} on average, and in {n_open} of {len(means)} units its mean "
        f"is above {OPEN}."
    )
    if len(found.whole) == 1:
        return opened
    return (
        f"{opened} Along the cell alone the gradient is the product of the forget gates. By all paths, those "
        f"through hidden states too, the largest singular value is {magnitude(float(found.whole[-1]))}."
    )


def how(seed: int | None) -> str:
    """A sentence that names the network."""
    origin = "trained on the next word" if seed is None else f"at initialisation, seed {seed}"
    return (
        f"The LSTM is that of *distance*, {origin}, in double precision. Units are in the order of their "
        "mean forget gate over this sentence, whichever gate is shown. Each layer is followed alone, given "
        "what it reads. A forget gate of 0 cuts the way along the cell."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a gate leaves over as many words."""
    return (expected.gates_in_a_row(len(found.gates.whole) - 1),)


def program(found: Found) -> Program:
    """The gates, and what they leave."""
    scene, choices = found.scene, found.choices
    return Program(
        lambda: gates_program(scene.plain, layer=scene.layer, gate=choices.gate, seed=choices.seed),
        "the gate's matrix, and below it for every k what is left by all paths, in the best unit and "
        "in the mean over units",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="What does an LSTM keep from word to word?",
    sentence=KEYS,
    one_model=False,
    about="layer",
    defaults={"layer": 2},
)
