"""Soft lookup: one query asks the store of keys and values, from hard lookup to uniform average."""

from collections.abc import Sequence
from dataclasses import astuple
from math import isinf, log2

import numpy as np
import pandas as pd

from core.measures.stages.lookup import HARD, UNIFORM, Lookup, look_up
from pages.contract.ask import Ask
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Formula, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.step_by_step.walking import OF_HEAD, HeadWalk, about_head, ask_changes, ask_word, caption, walked
from viz.curves import Curves
from viz.lookup import MOST_KEYS, SoftLookup
from viz.picture import Picture
from viz.tables import word_label
from words import enumerated, three_decimals

BETWEEN = ("0.1", "0.2", "0.5", "1", "2", "5", "10")
STOPS = {"0": HARD, **{name: float(name) for name in BETWEEN}, "∞": UNIFORM}
"""Temperatures by their names on the slider and in the link."""

IN_A_TRANSFORMER = "1"
"""The usual temperature, which a headline does not name."""

FROM_BEST, FROM_MEAN = "best value", "mean"
RESULTS = ("output", FROM_BEST, FROM_MEAN)
MOST, ALONE = 0.95, 0.99
"""Weights from which the best keys have nearly all of it, and from which the lookup is a dictionary."""

EXACT = 1e-6
"""Largest part of a weight that is rounding."""

NEARLY_EQUAL = 1.1
"""Largest ratio of the largest weight to the smallest of weights that are nearly equal."""

NAMED_KEYS = 3
ENDS = ("Temperature: low", "high")
WEIGHTS = (5.0, 4.0)
SAME_VALUE = 5e-4
"""Largest difference of two results that three decimals write as 0."""

FORMULA = (
    r"z_i = \sum_{j} \alpha_{ij} v_j, \qquad \alpha_{ij} = "
    r"\frac{\exp(s_{ij} / T)}{\sum_{j'} \exp(s_{ij'} / T)}"
)
SUMS = "Sums run over the allowed keys. Attention in a Transformer has the temperature T = 1"


@view(question="In what sense is attention a lookup?", **OF_HEAD)
def soft_lookup(ask: Ask, scene: Scene) -> Sheet:
    """Show the store at one temperature, and the output's distances from both ends at all of them."""
    changes = ask_changes(ask, scene)
    word = ask_word(ask, scene)
    temperature = ask.slide("sharpness", options=list(STOPS), ends=ENDS)
    seen = walked(scene, changes)
    walk = seen.walk
    at = {
        name: look_up(walk.scores[word], walk.v, walk.allowed[word], temperature=stop)
        for name, stop in STOPS.items()
    }
    found = at[temperature]
    n_results = 1 if ask.look.fills else len(RESULTS)  # a lecture hall sees the output alone
    return Sheet(
        headline=headline(
            found, seen.labels, word, temperature, place=f"head {scene.head + 1} of layer {scene.layer + 1}"
        ),
        unknown=tuple(walk.unknown),
        caption=caption(seen),
        parts=(
            Columns(
                (
                    (
                        PicturePart("store", _store(seen, found, word, temperature, n_results)),
                        *_left_out(found),
                    ),
                    (PicturePart("distances", _distances(at, temperature)),),
                ),
                WEIGHTS,
                alone=True,  # a lecture hall sees the store: the distances of the output are a second point
            ),
            Text(f"{_distance(found)} {kind_of(found)}"),
            *([Text(about_head(seen))] if changes else []),
            Formula(FORMULA, SUMS),
            Fold("Entropy of the weights", (Text(_entropy(found)),)),
        ),
        questions=lambda: (zero_temperature_question(found),),
        program=lambda: Program(
            lambda: scene.subject.shown(
                "stages",
                f"Attention as a lookup by word {word + 1}, at a temperature of {STOPS[temperature]:g}.",
                stage="lookup",
                word=word,
                temperature=min(STOPS[temperature], 1e9),
                is_uniform=isinf(STOPS[temperature]),
                changes=[astuple(one) for one in seen.changes],
            )
        ),
    )


def headline(found: Lookup, labels: Sequence[str], word: int, temperature: str, *, place: str) -> str:
    """Name the keys that match a query best, and the weight of each."""
    keys = [f"*{Typed(labels[at])}* ({at + 1})" for at in found.best_keys[:NAMED_KEYS]]
    others = ["others"] if len(found.best_keys) > NAMED_KEYS else []
    asked = f"*{Typed(labels[word])}* ({word + 1})"
    weight = f"{found.weights[list(found.best_keys)].mean():.2f}"
    if len(keys) == 1:
        best = f"is {keys[0]}, with a weight of {weight}"
    else:
        best = f"are {enumerated([*keys, *others])}, with a weight of {weight} each"
    noun = "key" if len(keys) == 1 else "keys"
    at = "" if temperature == IN_A_TRANSFORMER else f" at temperature {temperature}"
    return f"In {place}, the best {noun} for {asked} {best}{at}."


def kind_of(found: Lookup) -> str:
    """Return a sentence on the kind of lookup that the weights amount to."""
    weights, n_best = found.weights[found.allowed], len(found.best_keys)
    best = float(found.weights[list(found.best_keys)].sum())
    spread = float(weights.max() / max(weights.min(), EXACT))
    if found.n_seen == 1:
        return "Only one key is allowed: at every temperature it has all of the weight."
    if n_best == found.n_seen:
        return "All allowed keys match alike: at every temperature the output is the mean of their values."
    if spread <= NEARLY_EQUAL:
        nearly = "nearly " if spread > 1 + EXACT else ""
        return f"This is an average, not a lookup: every allowed key has {nearly}the same weight."
    if best <= MOST:
        return "Several keys share the weight, so the output mixes their values."
    if best <= ALONE and n_best == 1:
        is_mostly = found.from_best < np.linalg.norm(found.output) / 2
        so = ", so the output is mostly its value" if is_mostly else "; the values of other keys are longer"
        return f"The best key has nearly all of the weight{so}."
    nearly = "nearly " if best < 1 - EXACT else ""
    if n_best == 1:
        return f"This is a dictionary: the best key has {nearly}all of the weight."
    return f"The {n_best} best keys share {nearly}all of the weight: the output is {nearly}their mean value."


def _distance(found: Lookup) -> str:
    best = "the best value" if len(found.best_keys) == 1 else "the mean of the best values"
    return (
        f"The distance from the output to {best} is {found.from_best:.3f}. Its distance to the mean of all "
        f"allowed values is {found.from_mean:.3f}."
    )


def _entropy(found: Lookup) -> str:
    if found.n_seen == 1:
        return "The entropy of a single weight is 0."
    most = log2(found.n_seen)
    return (
        f"The entropy of the weights is {found.entropy:.2f} bits. It is 0 if one key has all the weight, and "
        f"log₂ {found.n_seen} = {most:.2f} bits if all {found.n_seen} keys have the same."
    )


def _in_sight(found: Lookup) -> list[int]:
    return [at for at, allowed in enumerate(found.allowed) if allowed]


def _store(seen: HeadWalk, found: Lookup, word: int, temperature: str, n_results: int) -> Picture:
    keys = _in_sight(found)
    values = seen.stage("v")
    assert values is not None, "every head has values"
    query = word_label(tuple(map(str, seen.scene.names)), word)
    return SoftLookup(
        title=f"Soft lookup for {query} at temperature {temperature}",
        weights=found.weights[keys],
        values=seen.walk.v[keys],
        words=[seen.labels[at] for at in keys],
        results=dict([*zip(RESULTS, (found.output, found.best, found.mean), strict=True)][:n_results]),
        temperature=temperature,
        best=[keys.index(at) for at in found.best_keys],
        dimensions=values.result.columns if seen.is_by_hand else (),
    )


def _left_out(found: Lookup) -> tuple[Text, ...]:
    """Say which keys of the store are drawn, unless all are."""
    n_keys = len(_in_sight(found))
    if n_keys <= MOST_KEYS:
        return ()
    shown = f"the {MOST_KEYS} keys with the largest weights of {n_keys}"
    return (Text(f"The figure shows {shown}; the sums run over all.", "remark"),)


def _distances(at: dict[str, Lookup], temperature: str) -> Picture:
    """Draw the output's distance from the value of the best key and from the mean, at every stop."""
    rows = [
        {"temperature": stop, "distance": distance, "from": end}
        for stop, one in enumerate(at.values())
        for end, distance in ((FROM_BEST, one.from_best), (FROM_MEAN, one.from_mean))
    ]
    table = pd.DataFrame(rows)
    stops: dict[float, str] = dict(enumerate(at))
    return Curves(
        rows=table,
        title="Distance of the output from best value and mean against temperature",
        x="temperature",
        y="distance",
        by="from",
        say=three_decimals,
        make_table=lambda: table.assign(temperature=table["temperature"].map(stops.__getitem__)),
        colours={FROM_BEST: "value", FROM_MEAN: "muted"},
        x_title="temperature T",
        y_title="distance of the output",
        places=stops,
        reach=(0,),
        mark=list(at).index(temperature),
        mark_name=f"T = {temperature}",
    )


def zero_temperature_question(found: Lookup) -> Choose | None:
    """Ask for the result of a lookup at temperature 0; None unless the best value is a single one.

    It also has to differ from the mean and from 0.
    """
    is_distinct = min(np.linalg.norm(found.best - found.mean), np.linalg.norm(found.best)) > SAME_VALUE
    if len(found.best_keys) != 1 or not is_distinct:
        return None
    return choose(
        "The temperature T falls to 0. What does the output become?",
        Option("the value of the best key", True),
        Option("the mean of all values", False, "This is the other end: at T = ∞ all weights are equal."),
        Option("0", False, "The weights sum to 1 at every temperature."),
        because="Scores divided by a small T lie far apart, and the softmax gives all to the largest.",
    )
