"""Gates: an LSTM's gates at every word, and the part of its cell that they keep on the way back."""

import numpy as np
import pandas as pd

from core.measures.gradients import gates as of_lstm
from core.measures.gradients.gates import Gate, Gates
from core.programs import Call
from core.sources.trained import load_rival
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import member
from pages.contract.parameters import options_of
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.contract.words import marked
from pages.gradients.back import curves_back, how_measured
from viz.number_map import NumberMap
from words import counted, magnitude, per_cent, two_decimals

KEYS = "the keys that the gardeners near the river sold to the chef are heavy ."

WHOLE, BEST, MEAN = "all paths", "cell, best unit", "cell, mean"
"""The curves: a bound for all paths, and along the cell alone in the best unit and in the mean."""

TRAINED, RANDOM = options_of("lstm")

UNTRAINED = "LSTM with random weights: 2 layers"

SMALL = 0.01
"""A share below this is written as the number that the curves show."""

SUPPOSED, NEAR = 0.9, 7
"""The forget gate of the question, and points by which an estimate may be off."""

FAR = 20
"""Words over which the gates of the example multiply a gradient."""

WHY = (
    "On its way back along the cell, a gradient is multiplied by the forget gate of each word. "
    f"With gates of 1 it comes back unchanged. With gates of {SUPPOSED} over {FAR} words, "
    f"{two_decimals(SUPPOSED**FAR)} of it is left. In an RNN each step multiplies it by the recurrent "
    "weights and by the slope of tanh, which is 1 at most."
)
"""Explanation of the path of a gradient along the cell, and in an RNN."""

ABOVE_ONE = " All paths add up, so this curve can rise above 1, as it does here."
"""Explanation why all paths together can pass on more of a gradient than the forget gates."""

UNEQUAL = (
    " Units differ, so gates are multiplied in each unit first. The mean of these products is {left}. The "
    "mean gate, multiplied {n} times, would be {product}."
)
"""Explanation why the mean of the remaining shares is not a product of mean gates."""

CELL = (
    r"f_t = \sigma(h_{t-1} W_f + x_t U_f + b_f), \qquad "
    r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t"
)
CELL_BY = "⊙ multiplies number by number. The forget gate: Gers et al. 2000"
WAYS = r"\frac{\partial c_n}{\partial c_{n-k}} = \prod_t \text{diag}(f_t) + \text{paths through } h"
WAYS_BY = "Hochreiter & Schmidhuber 1997, where the factor is 1: the constant error carrousel"


@view(
    question="What does an LSTM keep from word to word?",
    sentence=KEYS,
    one_model=False,
    about="layer",
    defaults={"layer": 2},
)
def gates(ask: Ask, scene: Scene) -> Sheet:
    """Show the gates as a matrix, and beside it the share of every word's cell that the last one keeps."""
    ask.name("Gate")
    gate: Gate = ask.choice("gate", hide_label=True)
    ask.name("LSTM")
    is_trained = ask.choice("lstm", hide_label=True) == TRAINED
    seed = None if is_trained else ask.number("seed", width=120)
    unknown = tuple(encode(scene.plain).unknown)
    labels, layer = marked(scene.plain, unknown), scene.layer
    found = _gates(scene.words, layer, seed)
    title = f"**The {gate} gate, a column for each of {counted(len(found.order), 'unit')}**"
    still: tuple[Part, ...] = ()
    if len(labels) > 1:
        still = (
            Text("**How much of a gradient comes back over *k* words**"),
            _left(found, labels, layer),
        )
    return Sheet(
        headline=describe_gate(found, gate, layer) if gate != "forget" else describe_kept_cell(found, layer),
        unknown=unknown,
        caption=Caption(models=lambda: (member(of_lstm.NAME) if is_trained else UNTRAINED,)),
        parts=(
            Columns(((Text(title), _map(found, gate, labels, layer)), still), alone=True),
            Text(WHY),
            Text(describe_paths(found)),
            Fold("The formulas", (Formula(CELL, CELL_BY), Formula(WAYS, WAYS_BY))),
            how_measured(method_note(seed)),
        ),
        questions=lambda: (gates_in_a_row(len(labels) - 1),),
        program=lambda: Program.calling(
            "The gates of an LSTM over a sentence, and what they leave of the cell k words back.",
            of_lstm.gates,
            Call(load_rival, of_lstm.NAME),
            scene.plain,
            layer=layer,
            seed=seed,
            shows=(
                f".gates[{gate!r}][:, found.order]",
                ".whole",
                ".direct.max(axis=1)",
                ".direct.mean(axis=1)",
            ),
            prints=(
                "the gate's matrix, and below it for every k the share left by all paths, in the best unit "
                "and in the mean over units"
            ),
        ),
    )


@cached_for_all()
def _gates(words: tuple[str, ...], layer: int, seed: int | None) -> Gates:
    return of_lstm.gates(load_rival(of_lstm.NAME), words, layer=layer, seed=seed)


def _map(found: Gates, gate: Gate, labels: tuple[str, ...], layer: int) -> PicturePart:
    values = found.gates[gate][:, found.order]
    picture = NumberMap(
        values=values,
        title=f"{gate.capitalize()} gate of every LSTM unit at every word, layer {layer + 1}",
        of=f"{gate} gate",
        x_title="by mean forget gate",
        y_title="word read",
        rows=labels,
        of_shares=True,
        make_table=lambda: _matrix(values, found.order, labels),
    )
    return PicturePart("gates_map", picture)


def _matrix(values: np.ndarray, order: list[int], labels: tuple[str, ...]) -> pd.DataFrame:
    """Return a row for each word, and a column for each unit by its number, in the order of the picture."""
    table = pd.DataFrame(values, columns=[f"unit {unit + 1}" for unit in order])
    table.insert(0, "word", labels)
    return table


def _left(found: Gates, labels: tuple[str, ...], layer: int) -> PicturePart:
    picture = curves_back(
        {WHOLE: found.whole, BEST: found.direct.max(axis=1), MEAN: found.direct.mean(axis=1)},
        labels,
        title=f"Gradient of the last LSTM cell with respect to an earlier one, layer {layer + 1}",
        y_title="∂ last cell / ∂ cell k back",
        colours={WHOLE: "ink", BEST: "value", MEAN: "value"},
        dashed=(MEAN,),
    )
    return PicturePart("left_chart", picture)


def describe_kept_cell(found: Gates, layer: int) -> str:
    """Return how much of the cell the forget gates keep from the first word to the last."""
    n, left = len(found.whole) - 1, found.direct[-1]
    if not n:
        return f"With one word the cell of layer {layer + 1} has nothing to keep."
    return (
        f"Over {counted(n, 'word')} the forget gates of layer {layer + 1} leave, on average, "
        f"{_share(float(left.mean()))} of a unit's cell. The unit that keeps most keeps "
        f"{_share(float(left.max()))}."
    )


def _share(left: float) -> str:
    """Return a share in per cent, and a small one as the curves show it."""
    return per_cent(left) if left >= SMALL else magnitude(left)


def describe_gate(found: Gates, gate: Gate, layer: int) -> str:
    """Return how open the input or output gates are."""
    share = per_cent(float(found.gates[gate].mean()))
    return f"On average over words and units, the {gate} gates of layer {layer + 1} are {share} open."


def describe_paths(found: Gates) -> str:
    """Return the forget gates' means and products, and the bound of all paths together."""
    n = len(found.whole) - 1
    if not n:
        return f"The forget gate is {found.gates['forget'].mean():.2f} on average."
    mean = float(found.gates["forget"][1:].mean())
    products = UNEQUAL.format(left=magnitude(float(found.direct[-1].mean())), n=n, product=magnitude(mean**n))
    return (
        f"After the first word, the forget gate is {mean:.2f} on average.{products * (n > 1)} Other paths "
        "lead through the states. With them, a gradient is multiplied by at most "
        f"{magnitude(float(found.whole[-1]))} over {counted(n, 'word')}: this is the curve "
        f"*{WHOLE}*.{ABOVE_ONE * bool((found.whole > 1).any())}"
    )


def method_note(seed: int | None) -> str:
    """Return a sentence that names the network."""
    origin = "trained on the next word" if seed is None else f"at initialisation, seed {seed}"
    return (
        f"This is the LSTM of the view *distance*, {origin}, in double precision. Units are in the order of "
        "their mean forget gate over this sentence, also for the other gates. Each layer is followed alone, "
        "given what it reads. A forget gate of 0 cuts the path along the cell."
    )


def gates_in_a_row(n: int) -> Estimate | None:
    """Ask how much of a cell an open gate keeps over several words; None over fewer than two."""
    if n < 2:
        return None
    right, once = 100 * SUPPOSED**n, f"It is multiplied by {SUPPOSED} at every word, not once."
    return Estimate(
        text=f"Suppose a forget gate is {SUPPOSED} at every word. How much of a cell is left after {n} "
        "words?",
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(right, (100 * SUPPOSED, once), near=NEAR),
        because=f"Each word multiplies the cell by {SUPPOSED}.",
    )
