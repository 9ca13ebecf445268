"""Probabilities: from a last state to a logit for every word, and by the softmax to probabilities."""

from collections.abc import Sequence
from math import exp, log

import pandas as pd

from core.measures.prediction import WordLogits, top_indices, word_logits
from pages.contract.ask import Ask
from pages.contract.examples import PRAISED
from pages.contract.loading import loaded, measured
from pages.contract.parameters import SWITCHES
from pages.contract.prose import set_off
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Fold, Formula, PicturePart, Program, Sheet, Table, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.explorer.calculation import PRODUCTS_SHOWN, factor, ladder
from pages.explorer.explored import LONG
from pages.explorer.predictions import (
    NOTHING_LEARNED,
    PLACE,
    Runs,
    answer,
    ask_position,
    predicted,
    predicts_next,
    spelt,
    why_not_predicted,
)
from viz.latex import decimal
from viz.logits import Logits
from viz.text import quoted
from words import magnitude, p_equals, thousandths, three_decimals, two_decimals

SHOWN = 7
"""Number of words with bars, besides the word in the sentence."""

EQUAL = 5e-4
"""Largest difference of logits that three decimals do not show."""

READABLE = (0.01, 10_000)
"""Sizes that are written without a power of ten."""

LARGEST_POWER = 700
"""Largest power of e that the machine's numbers can represent."""

LEAST_RATIO, MOST_RATIO = 1.5, 1000
"""Ratios of two probabilities that a reader can estimate, and that are worth the question."""

SOFTMAX = (
    r"p = \text{softmax}(h\,W_\text{out}), \qquad p_w = \frac{e^{\,w \cdot h}}{\sum_{w'} e^{\,w' \cdot h}}"
)
WITH_BIAS = (
    r"p = \text{softmax}(h\,W_\text{out} + b), \qquad "
    r"p_w = \frac{e^{\,w \cdot h + b_w}}{\sum_{w'} e^{\,w' \cdot h + b_{w'}}}"
)
SIGNS = "W has a column w for each {unit}"
NEXT = (
    "This model predicts the next {unit}: h is the vector that the output layer reads at a {unit}. It must "
    "not depend on the {unit} to be predicted, and the causal mask sees to that.{here} To predict a masked "
    "{unit}, a model reads h at the mask token, which may attend to both sides (bidirectional). The output "
    "layer and the softmax are the same in both cases."
)
SEEN = " Here the {unit} may attend to the next one, so nothing is predicted."
MASKED = (
    "This model predicts a masked {unit}: the mask token stands in its place. Here h is the vector "
    "that the output layer reads at the mask token, which may attend to both sides (bidirectional). "
    "To predict the next {unit}, a model reads h at the {unit} before it (causal mask). "
    "The output layer and the softmax are the same in both cases."
)


@view(
    question="How does a state become a probability for every word?",
    sentence=PRAISED,
    switches=SWITCHES,
    own=True,
    pieces=LONG,
)
def probabilities(ask: Ask, scene: Scene) -> Sheet:
    """Show the state, the logits and their probabilities, then the calculation of the largest one."""
    unknown = tuple(scene.reading.unknown)
    no_learning = "" if scene.switches.weights.trained else NOTHING_LEARNED
    if why_not := why_not_predicted(scene) or no_learning:
        return Sheet(notes=(Text(why_not, "info"),), unknown=unknown)
    at = ask_position(ask, scene)
    seen = measured(word_logits, loaded, scene.words, scene.switches, at, window=scene.switches.window)
    prediction = predicted(scene.words, scene.switches)
    names = [spelt(scene, seen.vocabulary[number]) for number in seen.best]
    in_latex = [_in_latex(scene, seen, number) for number in seen.best]
    title = f"The {len(seen.state)} products of the first logit"
    first, second = (float(seen.logits[number]) for number in seen.best)
    of_sentence = answer(scene, Runs(prediction, prediction), at)
    here = SEEN.format(unit=scene.unit) * (at in prediction.in_sight)
    which_state = (NEXT if predicts_next(scene) else MASKED).format(unit=scene.unit, here=here)
    place = _spot(scene, f"{set_off(scene.names[at])} ({at + 1})")
    return Sheet(
        headline=describe_likeliest(place, names, seen, unit=scene.unit),
        parts=(
            Controls(PLACE),
            _bars(scene, seen, at, prediction.target(at)),
            Formula(calculated(seen, in_latex), key="softmax_steps"),
            Text(" ".join(filter(None, [describe_ratio(names, seen), of_sentence]))),
            Formula(WITH_BIAS if seen.biases.any() else SOFTMAX, SIGNS.format(unit=scene.unit)),
            Fold("Which state h is", (Text(which_state),)),
            Table("products", lambda: products(seen), title=title),
        ),
        unknown=unknown,
        questions=lambda: (
            ratio_of_probabilities(first, second, unit=scene.unit),
            static_question("same_added_to_all"),
        ),
        program=lambda: _program(scene, at),
    )


def _spot(scene: Scene, word: str) -> str:
    """Return the position of the prediction within a sentence or a title."""
    return f"after {word}" if predicts_next(scene) else f"in place of {word}"


def _in_latex(scene: Scene, seen: WordLogits, number: int) -> str:
    """Return a word as a formula can name it: by its rank if it is more than plain letters."""
    word = spelt(scene, seen.vocabulary[number]).strip()
    rank = "1" if number == seen.best[0] else "2"
    return rf"\text{{{word}}}" if word.isascii() and word.isalpha() else rank


def _bars(scene: Scene, seen: WordLogits, at: int, right: int | None) -> PicturePart:
    """Return the words with the largest logits, and the word in the sentence."""
    numbers = top_indices(seen.logits, SHOWN)
    if right is not None and right not in numbers:
        numbers.append(right)
    spot = _spot(scene, f"{quoted(str(scene.names[at]))} ({at + 1})")
    picture = Logits(
        words=_table(scene, seen, numbers, right),
        state=seen.state,
        title=f"Logits and probabilities {spot}",
        logit="logit w · h + b" if seen.biases.any() else "logit w · h",
        make_table=lambda: _table(scene, seen, top_indices(seen.logits, len(seen.logits)), right),
    )
    return PicturePart("logits", picture)


def _table(scene: Scene, seen: WordLogits, numbers: list[int], right: int | None) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "word": [spelt(scene, seen.vocabulary[number]) for number in numbers],
            "logit": seen.logits[numbers],
            "probability": seen.probabilities[numbers],
            "answer": [number == right for number in numbers],
        }
    )


def describe_likeliest(place: str, names: Sequence[str], seen: WordLogits, *, unit: str) -> str:
    """Name the word with the largest logit at a `place` and its probability, or two words that share both."""
    first, second = (float(seen.logits[number]) for number in seen.best)
    where = f"{place[0].upper()}{place[1:]}"
    share, logit, n = p_equals(float(seen.probabilities[seen.best[0]])), two_decimals(first), len(seen.logits)
    if first - second < EQUAL:
        both = f"{set_off(names[0])} and {set_off(names[1])}"
        return (
            f"{where}, {both} are the likeliest {unit}s, with {share} each: their logit, {logit}, is the "
            "same."
        )
    return (
        f"{where}, {set_off(names[0])} is the likeliest {unit}, with {share}: its logit, {logit}, is the "
        f"largest of {n:,}."
    )


def describe_ratio(names: Sequence[str], seen: WordLogits) -> str:
    """Return the ratio of the two largest probabilities in words; nothing if they are equal."""
    first, second = (float(seen.logits[number]) for number in seen.best)
    if first - second < EQUAL:
        return ""
    apart, power = thousandths(first - second), _power(first - second)
    return (
        f"The logit of {set_off(names[1])} is {apart} lower, so {set_off(names[0])} is exp({apart}){power} "
        "times as likely."
    )


def _power(apart: float) -> str:
    """Return the ratio of probabilities for a difference of logits; nothing if it is too large."""
    if apart > LARGEST_POWER:
        return ""
    written = magnitude(exp(apart))
    return f" = {thousandths(exp(apart)) if written == '1' else written}"


def calculated(seen: WordLogits, names: Sequence[str]) -> str:
    """Return the calculation of the best word's probability in LaTeX: dot product, exp, sum and share."""
    logit, name = float(seen.logits[seen.best[0]]), names[0]
    bias = float(seen.biases[0])
    added = "" if bias == 0 else (" + " if bias > 0 else " - ") + decimal(abs(bias))
    plus = "" if bias == 0 else rf" + b_{{{name}}}"
    pairs = zip(seen.best_rows[0][:PRODUCTS_SHOWN], seen.state[:PRODUCTS_SHOWN], strict=True)
    shown = " + ".join(rf"{factor(w)} \cdot {factor(h)}" for w, h in pairs)
    share = float(seen.probabilities[seen.best[0]])
    steps = [
        (rf"w_{{{name}}} \cdot h{plus}", rf"{shown} \\ &\quad + \cdots{added}"),
        ("", rf"{decimal(logit)} \ \text{{({len(seen.state)} products)}}"),
        (rf"\exp(\text{{logit}}_{{{name}}})", rf"e^{{{decimal(logit)}}} = {_exp(logit)}"),
        (
            rf"\textstyle\sum\exp\text{{ of {len(seen.logits):,} logits}}".replace(",", "{,}"),
            _exp(seen.log_sum),
        ),
        (rf"p_{{{name}}}", rf"{_exp(logit)}\,/\,{_exp(seen.log_sum)} = {decimal(share)}"),
    ]
    return ladder(steps)


def products(seen: WordLogits) -> pd.DataFrame:
    """Return every product of the dot product of the best word's row with the state."""
    row = seen.best_rows[0]
    index = pd.RangeIndex(1, len(seen.state) + 1, name="dimension")
    return pd.DataFrame({"w": row, "h": seen.state, "w · h": row * seen.state}, index=index)


def _exp(logit: float) -> str:
    """Return e to the power of a logit, which may be too large or small for the machine's numbers."""
    smallest, largest_shown = map(log, READABLE)
    if smallest <= logit < largest_shown:
        return decimal(exp(logit))
    exponent = int(logit // log(10))
    mantissa = exp(logit - exponent * log(10))
    return rf"{mantissa:.2f} \cdot 10^{{{exponent}}}"


def ratio_of_probabilities(first: float, second: float, *, unit: str = "word") -> Estimate | None:
    """Ask what the softmax makes of two logits; None if the probabilities are too near, or too far apart."""
    higher, lower = round(first, 3), round(second, 3)
    if not log(LEAST_RATIO) < higher - lower < log(MOST_RATIO):
        return None
    ratio = exp(higher - lower)
    near = ratio / 4
    known = []
    if lower > 0 and higher / lower > 1:
        known.append((higher / lower, "The softmax takes exp of each logit: a difference becomes a ratio."))
    if higher - lower > 1:
        known.append((higher - lower, "That is the difference of the logits: the ratio is exp of it."))
    return Estimate(
        text=(
            f"The two largest logits are {three_decimals(higher)} and {three_decimals(lower)}. How many "
            f"times as likely as the second {unit} is the first?"
        ),
        right=ratio,
        bounds=(1, MOST_RATIO),
        unit="times",
        decimals=1,
        near=near,
        mistaken=mistakes(ratio, *known, near=near),
        because=f"It is exp({three_decimals(higher - lower)}): the softmax makes ratios of differences.",
    )


def _program(scene: Scene, at: int) -> Program | None:
    """Return the logits and probabilities; None for a real model, as output layers differ."""
    if scene.switches.weights.pretrained is not None:
        return None
    return Program.calling(
        f"The likeliest words {'after' if predicts_next(scene) else 'in place of'} word {at + 1}.",
        word_logits,
        scene.subject.call,
        at,
        window=scene.switches.window,
        shows=(".likeliest(8)",),
        prints="the likeliest words with their logits and probabilities",
    )
