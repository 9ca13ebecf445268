"""Weights and effects over a hundred sentences: the rank correlation of each, with this sentence marked."""

from collections.abc import Sequence

from core.measures.findings.over_sentences import kept
from core.measures.over_sentences import (
    Spread,
    WeightEffectComparison,
    examples,
    over_beginnings,
    spread,
    without_first,
)
from core.sources import UnavailableError
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Fold, Part, PicturePart, Text
from pages.contract.switches import Architecture
from pages.contract.weights import why_unavailable
from pages.explorer.predictions import PLACE, predicts_next
from viz.dots import Dots
from words import two_decimals

EXAMPLES = "over_sentences_examples"
"""Spot of the buttons that open an example."""

LEAST_RANKED = 6
"""Fewest words whose order is compared: a few words are often in the same order by chance."""

MUCH_THE_SAME, SIMILAR = 0.8, 0.4
"""Median rank correlations from which two orders are called much the same, and similar."""

MEASURING = "Hiding every word of a hundred sentences …"
QUANTITY = "rank correlation"
AGREEING, DISAGREEING = (
    "A sentence where weight and effect agree",
    "A sentence where weight and effect disagree",
)
THIS = "this sentence"

OF_LANGUAGE = (
    "The hundred sentences lack their last word, and no model was trained on them. {} Each "
    "word that the last remaining one may attend to is hidden in turn."
)
OF_REAL = (
    "The hundred sentences are beginnings in plain English. Each token is hidden in turn, except the last "
    "token, at which the model predicts the next token. These numbers come with the app: "
    "`python -m core.measures.findings.over_sentences` measures them again."
)
RANKED = (
    "Spearman's rank correlation is 1 if two orders are the same, and −1 if one is the other reversed. It is "
    "0 if larger numbers of one go with neither larger nor smaller ones of the other."
)


def parts(ask: Ask, scene: Scene, correlation: float | None) -> tuple[Part, ...]:
    """Return text, picture and examples of a hundred sentences, this one marked at its own correlation."""
    try:
        compared = compared_by(scene)
    except UnavailableError as error:
        return (Text(why_unavailable(error), "info"),)
    found = spread(compared)
    if found is None:
        return ()
    later = without_first(compared)
    of_sink = found.n_first == found.n and bool(later)
    with ask.at(EXAMPLES):
        for label, one in zip((AGREEING, DISAGREEING), examples(later if of_sink else compared), strict=True):
            if one is not None:
                # A model that fills in masked words usually has another position.
                at = None if predicts_next(scene) else len(one.text.split())
                ask.button(label, {"text": one.text, PLACE: at})
    return (
        Text(describe_spread(found, unit=scene.unit, later=spread(later) if of_sink else None)),
        PicturePart("over_sentences", picture(compared, correlation)),
        Controls(EXAMPLES),
        Fold(
            "How the hundred sentences were measured",
            (Text(f"{how(scene)} {RANKED}"),),
            key="over_sentences_how",
        ),
    )


def compared_by(scene: Scene) -> Sequence[WeightEffectComparison]:
    """Return the model's results for a hundred sentences; nothing for a model that was not measured."""
    if scene.switches.window is not None and scene.switches.window < LEAST_RANKED:
        return ()
    if scene.pieces is not None:
        return () if scene.switches.window else kept(scene.switches.source, scene.switches.config) or ()
    return _compared(scene.switches)


@cached_for_all(saying=MEASURING)
def _compared(switches: Architecture) -> tuple[WeightEffectComparison, ...]:
    return over_beginnings(lambda words: loaded(words, switches), window=switches.window)


def describe_spread(found: Spread, *, unit: str, later: Spread | None = None) -> str:
    """Return how alike mean weights and changes rank words: median, quartiles and the share that agrees.

    `later` has the same without the first word of each sentence.
    """
    low, middle, high = map(two_decimals, found.quartiles)
    alike, n = _alike(found.quartiles[1]), found.n
    agreeing = "none" if not found.n_agreeing else str(found.n_agreeing)
    first = ""
    if found.n_first == n:
        first = (
            f" In every sentence this is the first {unit}, an attention sink. So the result says nothing "
            f"about the other {unit}s."
        )
    if later is not None:
        low_, middle_, high_ = map(two_decimals, later.quartiles)
        first += (
            f" **Without the first {unit}**, hiding the {unit} with the largest mean weight changes the "
            f"prediction most in {later.n_agreeing} of {later.n} sentences. The rank "
            "correlation then has the "
            f"median {middle_}, and half of the sentences lie between {low_} and {high_}."
        )
    return (
        f"**Over {n} sentences**, mean weight and change rank the {unit}s {alike}. Their rank correlation "
        f"has the median {middle}, and half of the sentences lie between {low} and {high}. "
        f"Hiding the {unit} with the largest mean weight changes the prediction most in {agreeing} of {n} "
        f"sentences.{first}"
    )


def _alike(median: float) -> str:
    if median >= MUCH_THE_SAME:
        return "in much the same order"
    if median >= SIMILAR:
        return "in a similar order, but not the same one"
    return "in orders that differ a lot"


def picture(compared: Sequence[WeightEffectComparison], correlation: float | None) -> Dots:
    """Return a dot for each sentence, and a line at the correlation of this one."""
    ranked = [one for one in compared if one.correlation is not None]
    return Dots(
        title=f"Rank correlation of mean weights and changes, over {len(ranked)} sentences",
        numbers=[one.correlation for one in ranked if one.correlation is not None],
        names=[one.text for one in ranked],
        quantity=QUANTITY,
        unit="sentence",
        marked=correlation,
        mark=THIS,
    )


def how(scene: Scene) -> str:
    """Return which sentences were measured, and at which position."""
    if scene.pieces is not None:
        return OF_REAL
    return OF_LANGUAGE.format(
        "After the last word that remains, the model predicts the next one."
        if predicts_next(scene)
        else "A mask token replaces the last word that remains, and the model predicts that word."
    )
