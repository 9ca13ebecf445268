"""What is said of length extrapolation: losses and verbs of every scheme, and how they are measured."""

from collections.abc import Mapping, Sequence

from core.measures.positions import extrapolation as measure
from core.model.config import ModelConfig
from core.model.positions import SCHEMES
from core.text.language import DISTANCES
from pages.controls.parameters import options_of
from viz.units import per_cent, two_decimals

LOSS, VERBS = options_of("measured")
Change = tuple[str, float, float]
"""A scheme, its mean loss up to where training ends, and in the last quarter."""


def answer_of_losses(changes: Sequence[Change]) -> str:
    """The schemes whose loss changes most and least favourably beyond training."""
    best, worst = min(changes, key=_growth), max(changes, key=_growth)
    goes = (
        f"Beyond the length of training the mean loss in nats per word goes {_arrow(best)} with *{best[0]}*"
    )
    if len(changes) == 1:
        return f"{goes}."
    return f"{goes}, the best case, and {_arrow(worst)} with *{worst[0]}*, the worst."


def growth(changes: Sequence[Change]) -> str:
    """The loss of every scheme up to the longest training sentence, and at the end of the sentences."""
    told = []
    for change in changes:
        before, after = (two_decimals(loss) for loss in change[1:])
        moves = "rises" if _growth(change) > 0 else "falls"
        told.append(f"**{change[0]}** {'stays' if before == after else moves}, {_arrow(change)}")
    return (
        f"Mean loss in nats per word, up to where training ends → in the last quarter: {'; '.join(told)}. "
        f"A low loss does not prove that a model uses distant words: see *{VERBS}*."
    )


def _growth(change: Change) -> float:
    _, within, at_end = change
    return at_end - within


def _arrow(change: Change) -> str:
    _, within, at_end = change
    return f"{two_decimals(within)} → {two_decimals(at_end)}"


def how_losses(config: ModelConfig, reach: int) -> str:
    """What the models have learned from, and what they are measured on."""
    return (
        f"Training sentences had up to {reach} words; these have {measure.LENGTH}{_ends(config)}. The models "
        f"are causal, and each point is the mean over {measure.N_SENTENCES} unseen sentences and "
        f"{measure.STEP} positions."
    )


def _ends(config: ModelConfig) -> str:
    """A sentence on the schemes that have an end, and where."""
    longest = ((name, scheme.longest(config)) for name, scheme in SCHEMES.items())
    return "".join(f", and *{name}* has no vector after position {n}" for name, n in longest if n is not None)


def answer_of_verbs(accuracies: Mapping[str, float], furthest: int) -> str:
    """The schemes under which a verb agrees with a distant subject most often and least often."""
    best, worst = (choose(accuracies, key=accuracies.__getitem__) for choose in (max, min))
    high, low = (per_cent(accuracies[name]) for name in (best, worst))
    right = f"{furthest} words from its subject a verb is right in {high} with"
    chance = f"chance is {per_cent(measure.GUESSING)}"
    if high == low:
        schemes = f"all {len(accuracies)} schemes" if len(accuracies) > 1 else f"*{best}*"
        return f"{right} {schemes}; {chance}."
    return f"{right} *{best}* and in {low} with *{worst}*; {chance}."


def listed(accuracies: Mapping[str, float], furthest: int) -> str:
    """The accuracy of each scheme at the longest distance, and what is asked."""
    ranked = sorted(accuracies, key=accuracies.__getitem__, reverse=True)
    told = ", ".join(f"**{name}** {per_cent(accuracies[name])}" for name in ranked)
    error = 100 * (measure.GUESSING * (1 - measure.GUESSING) / measure.N_QUESTIONS) ** 0.5
    return (
        f"Accuracy {furthest} words from the subject, on {measure.N_QUESTIONS} questions (one standard error "
        f"is at most {error:.0f} points): {told}. A verb agrees with its subject: after `the "
        "chef who … the stores` *is* is right and *are* is wrong."
    )


def how_verbs() -> str:
    """What training has shown, and what the models are asked."""
    return (
        f"In training a verb is at most {max(DISTANCES)} words from its subject. The models are causal, and "
        f"each point is the accuracy on {measure.N_QUESTIONS} unseen questions."
    )
