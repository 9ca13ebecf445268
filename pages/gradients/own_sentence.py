"""The words of the typed sentence that affect the state of one of them, in three networks."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.distance.long_range import N_LAYERS, rivals
from core.measures.gradients.distance import Influences, influences
from core.model.config import ModelConfig
from core.sources.trained import load_members
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import members
from pages.contract.prose import Typed
from pages.contract.question import Choose
from pages.contract.question_builders import choose_largest, unique_labels
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, PicturePart, Sheet, Text, chooses
from pages.contract.words import marked
from pages.gradients.back import how_measured
from pages.interaction_distance.long_range import ROLES
from pages.interaction_distance.networks import SOURCE, ask_pair
from viz.bar_rows import BarRows
from viz.tables import word_label
from viz.text import unique_words
from words import enumerated, per_cent

HOW = (
    "Influence is the root of the summed squares of all derivatives ∂state / ∂word vector, as a share of the "
    f"sum over all words. All three networks are trained, causal and have {N_LAYERS} layers."
)

Shares = Mapping[str, float]
"""Share of one word in the influence on the state of another, by network."""


def own_sentence(ask: Ask, scene: Scene) -> Sheet:
    """Show a bar for every word and network: its share of the influence on the state of a chosen word."""
    words = scene.words
    source, target = ask_pair(ask, words)
    found = _influences(words, target, scene.switches.config)
    shares = {name: float(row[source]) for name, row in zip(found.norms, found.shares(), strict=True)}
    unknown = tuple(encode(scene.plain).unknown)
    return Sheet(
        headline=describe_shares(unique_labels(words)[source], unique_labels(words)[target], shares),
        caption=Caption(models=lambda: members(rivals("agreement", scene.switches.config).values())),
        unknown=unknown,
        parts=(
            _picture(found, scene.plain, marked(words, unknown), source, target),
            *map(Text, filter(None, (describe_mean_distances(found, target),))),
            how_measured(HOW),
        ),
        questions=lambda: (most_influenced(unique_labels(words), source, target, shares),),
    )


@cached_for_all()
def _influences(words: tuple[str, ...], target: int, config: ModelConfig) -> Influences:
    """Return the influences. Raises UnavailableError if a network is missing."""
    return influences(load_members(rivals("agreement", config)), encode(words).tokens, target)


def _picture(
    found: Influences, words: tuple[str, ...], labels: tuple[str, ...], source: int, target: int
) -> PicturePart:
    """Draw the shares of all words; the word of the headline has the colour of a choice."""
    shares = found.shares()
    picture = BarRows(
        shares=shares,
        rows=ROLES,
        columns=labels,
        title=f"Share of every word in the influence on the state of {word_label(words, target)}",
        top=float(np.nanmax(shares)),  # without a network whose gradients exceed any float
        chosen=source,
        make_table=lambda: _listed(found, words),
    )
    return PicturePart("influence", picture, on_click=chooses(SOURCE))


def describe_shares(source: Typed, target: Typed, shares: Shares) -> str:
    """Return how much of the influence on one word's state comes from another."""
    told = enumerated([f"{_share(share)} in the {name}" for name, share in shares.items()])
    return f"Of the influence on the state of *{target}*, *{source}* has {told}."


def _share(share: float) -> str:
    return per_cent(share) if np.isfinite(share) else "not a number"


def describe_mean_distances(found: Influences, target: int) -> str:
    """Return the mean distance of the influence, for each network that has a finite one."""
    means = {
        name: mean
        for name, mean in zip(found.norms, map(float, found.mean_distances(target)), strict=True)
        if np.isfinite(mean)
    }
    told = [
        f"{mean:.1f}{' words away' * (at == 0)} in the {name}"
        for at, (name, mean) in enumerate(means.items())
    ]
    return f"On average, the influence comes from {enumerated(told)}." if told else ""


def _listed(found: Influences, words: tuple[str, ...]) -> pd.DataFrame:
    """Return norms and shares, a row for each word."""
    index = pd.Index(unique_words(words), name="word")
    norms = {f"{name}, norm": values for name, values in found.norms.items()}
    shares = zip(found.norms, found.shares(), strict=True)
    return pd.DataFrame(norms | {f"{name}, share": row for name, row in shares}, index=index)


def most_influenced(names: Sequence[Typed], source: int, target: int, shares: Shares) -> Choose | None:
    """Ask in which network a word has the largest share of the influence; None if two are about alike."""
    if target <= source:
        return None
    told = enumerated([f"{per_cent(share)} in the {name}" for name, share in shares.items() if share >= 0])
    changed = "It has read the word, but every word read since has changed its state."
    return choose_largest(
        f"Three networks read the sentence. In which does the state of *{names[target]}* depend most on "
        f"*{names[source]}*?",
        shares,
        because=f"The share of the influence: {told}.",
        why_not={"LSTM": changed, "RNN": changed},
    )
