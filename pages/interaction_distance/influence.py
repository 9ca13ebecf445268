"""Words on which the state of a chosen word depends, in three networks that read the sentence typed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.distance import long_range
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.sources import load
from core.sources.trained import load_members
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Changes, Fold, Link, Point, Sheet, Shown, Text
from pages.contract.words import marked
from pages.controls.examples import CHEF
from pages.controls.memory import remembered
from pages.interaction_distance import trained_questions as expected
from pages.interaction_distance.pair import SOURCE, Pair, ask_pair
from pages.interaction_distance.switches import OF_THE_MODEL
from pages.interaction_distance.trained import colours
from pages.shell import Scene, View
from pages.shell.five import five
from viz.bar_rows import bars
from viz.tables import named, unique_words
from viz.units import per_cent

HOW = (
    "Influence is the root of the summed squares of all derivatives ∂state / ∂word vector, as a share of the "
    f"sum over all words. All three networks are causal and have {long_range.N_LAYERS} layers."
)
ELSEWHERE = "Over longer texts, and before training: [Gradients](/gradients)."


@dataclass(frozen=True)
class Found:
    """Two words, and the influence of every word on the state of the second.

    The networks read the words at the positions `unknown` as `<unk>`.
    """

    pair: Pair
    influences: long_range.Influences
    unknown: tuple[int, ...] = ()


def ask(ask: Ask, scene: Scene) -> Pair:
    """The word whose influence is told, and the one whose state it is about."""
    return ask_pair(ask, scene.words, scene.switches.config)


def find(scene: Scene, pair: Pair) -> Found:
    """The influences. Raises UnavailableError where a network is not there."""
    switches = scene.switches
    found = _influences(pair.words, pair.target, pair.config, switches.source, switches.seed)
    return Found(pair, found, encode(pair.plain).unknown if switches.source == "trained" else ())


@remembered()
def _influences(
    words: tuple[str, ...], target: int, config: ModelConfig, source: str, seed: int
) -> long_range.Influences:
    if source == "trained":
        models = load_members(long_range.rivals("agreement", config))
        return long_range.influences(models, encode(words).tokens, target)
    random = load("random", long_range.at_random(config), words, seed)
    assert isinstance(random.model, Transformer), "random weights have an output layer"
    of_all = {long_range.TRANSFORMER: random.model, **long_range.random_rivals(random, seed)}
    return long_range.influences(of_all, random.tokens, target)


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for every word and network: its share of the influence on the state of the target."""
    return Sheet(
        answer=f"{answer(found)} {shares_told(found)}",
        unknown=found.unknown,
        parts=(
            _picture(found, look),
            Text(ELSEWHERE),
            Fold("How this was measured", (Text(HOW),)),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    pair, influences = found.pair, found.influences
    shares, chosen = influences.shares(), named(pair.plain, pair.target)
    picture = bars(
        shares,
        colours(look.theme),
        marked(pair.words, found.unknown),
        title=f"Share of every word in the influence on the state of {chosen}",
        theme=look.theme,
        narrow=look.is_narrow,
        top=float(np.nanmax(shares)),  # without a network whose gradients no float can hold
        chosen=pair.target,
        table=lambda: _listed(influences, pair.plain),
    )
    return Shown("influence", picture, on_click=choose)


def choose(points: Sequence[Point], link: Link) -> Changes:
    """A click on a bar asks how much of the influence its word has."""
    _, word = points[-1]["data"]
    return {SOURCE: word + 1}


def answer(found: Found) -> str:
    """A sentence on the mean distance from which the influence comes."""
    means = zip(found.influences.norms, found.influences.mean_distances(found.pair.target), strict=True)
    told = ", ".join(f"{_words_away(mean)} in the {name}" for name, mean in means)
    target = found.pair.words[found.pair.target]
    return f"The mean distance of the influence on the state of *{target}*, in words: {told}."


def questions(found: Found) -> tuple[Question | None, ...]:
    """The network in which the two words have most to do with each other."""
    pair, shares = found.pair, found.influences.shares()
    names = told_apart(pair.words)
    of_networks = zip(found.influences.norms, shares, strict=True)
    influence = expected.Influence(
        names[pair.source],
        names[pair.target],
        {name: float(row[pair.source]) for name, row in of_networks},
        pair.target - pair.source,
    )
    return (expected.most_influenced(influence),)


def _words_away(mean: float) -> str:
    return f"{mean:.1f}" if np.isfinite(mean) else "not a number"


def shares_told(found: Found) -> str:
    """How much of the influence comes from the word at which the path starts."""
    shares = zip(found.influences.norms, found.influences.shares()[:, found.pair.source], strict=True)
    told = ", ".join(
        f"{per_cent(share) if np.isfinite(share) else 'not a number'} in the {name}" for name, share in shares
    )
    return f"The share of *{found.pair.words[found.pair.source]}*: {told}."


def _listed(influences: long_range.Influences, words: tuple[str, ...]) -> pd.DataFrame:
    """Norms and shares, a row for each word."""
    index = pd.Index(unique_words(words), name="word")
    norms = {f"{name}, norm": values for name, values in influences.norms.items()}
    shares = zip(influences.norms, influences.shares(), strict=True)
    return pd.DataFrame(norms | {f"{name}, share": row for name, row in shares}, index=index)


# A long sentence: over a short one the three networks hardly differ.
VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions),
    sentence=CHEF,
    switches=OF_THE_MODEL | {"model", "seed"},
    one_model=False,
)
