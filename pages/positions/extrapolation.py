"""Length extrapolation: the trained models on sentences longer than those of training."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import pandas as pd

from core.learning.collection import load_listed_member
from core.measures.positions import extrapolation as measure
from core.model.config import ModelConfig
from core.model.positions import SCHEMES
from core.sources import UnavailableError
from core.text.language import DISTANCES
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import in_words, trained_on
from pages.contract.parameters import options_of
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.contract.weights import absent_of, missing_notes
from pages.positions.learned import table_of
from viz.curves import Curves
from viz.theme import Role
from words import per_cent, two_decimals

LOSS, VERBS = options_of("measured")
AT, APART = "words in", "words apart"

NAMES = {positions: scheme.about.name for positions, scheme in SCHEMES.items()}

CYCLE: tuple[Role, ...] = ("muted", "key", "value", "query", "output", "ink")
ROLES: Mapping[str, Role] = dict(zip(NAMES.values(), cycle(CYCLE), strict=False))

REASONS: Mapping[str, str] = {
    NAMES[positions]: why
    for positions, why in {
        "learned": "adds vectors that no training sentence reached, so their directions are still random",
        "sinusoidal": "continues by its formula, with vectors that no training sentence had",
        "alibi": "needs only the distance, and the further a key, the less it counts",
        "rotary": "needs only the distance, but turns slow pairs by angles that no training sentence had",
        "relative": "needs only the distance, but training never used the numbers of its longest distances",
    }.items()
}
"""Behaviour of each scheme at a position that no training sentence reached, by its name on the page."""

Change = tuple[str, float, float]
"""A scheme with its mean losses: within the lengths of training, and in the last quarter."""


@view(switches=frozenset({"heads", "norm"}))
def extrapolation(ask: Ask, scene: Scene) -> Sheet:
    """Show the loss along long sentences, or how far from its subject a verb still agrees with it."""
    config, is_loss = scene.switches.config, ask.choice("measured", hide_label=True) == LOSS
    reach = table_of(config).longest_sentence
    missing = absent_of("trained", measure.measured_of(config))
    table = (_losses if is_loss else _accuracies)(config, missing)
    if table.empty:
        raise UnavailableError(
            "None of these models has been trained yet: `python -m core.learning.collection`."
        )
    table = table.rename(columns={"position": AT, "distance": APART}).replace({"positions": NAMES})
    made = _of_losses(table, config, reach) if is_loss else _of_verbs(table, config)
    return replace(
        made,
        notes=missing_notes(missing),
        caption=Caption(
            models=lambda: (in_words(config, trained_on("next word"), but=("positions",)),),
            notes=("a model for each position scheme", "" if is_loss else "bars: one standard error"),
        ),
    )


@cached_for_all(saying="Measuring a model of each scheme on long sentences …")
def _losses(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.losses(config, load_listed_member)


@cached_for_all(saying="Measuring a model of each scheme on verbs far from their subjects …")
def _accuracies(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.verbs(config, load_listed_member)


def _of_losses(table: pd.DataFrame, config: ModelConfig, reach: int) -> Sheet:
    """Show the loss from the first word to the last."""
    changes = measure.before_and_after(table, AT, reach)
    picture = _chart(
        table,
        "loss",
        x=AT,
        against="Loss against position in the sentence,",
        x_title="position in the sentence",
        y_title="loss, nats per word",
        mark=reach,
        mark_name=f"longest text in training: {reach}",
        say=two_decimals,
        bold=[min(changes, key=_growth)[0]],
    )
    return Sheet(
        headline_of_losses(changes),
        (
            picture,
            Text(reasons([name for name, *_ in changes], reach)),
            Text(growth(changes)),
            Fold("How this was measured", (Text(how_losses(config, reach)),)),
        ),
        questions=lambda: (static_question("beyond_training"),),
        program=lambda: Program.calling(
            f"The mean loss of every {measure.STEP} words of long sentences, by position scheme.",
            measure.losses,
            config,
            load_listed_member,
        ),
    )


def _of_verbs(table: pd.DataFrame, config: ModelConfig) -> Sheet:
    """Show how often a verb agrees with its subject, by the words between them."""
    furthest = int(table[APART].max())
    reached = table[table[APART] == furthest]
    accuracies = dict(zip(reached["positions"], reached["accuracy"], strict=True))
    picture = _chart(
        table,
        "accuracy",
        x=APART,
        against="Accuracy on agreement against distance,",
        x_title="words from the subject to its verb",
        y_title="accuracy",
        reach=(0, 1),
        mark=max(DISTANCES),
        mark_name=f"farthest in training: {max(DISTANCES)}",
        say=per_cent,
        level=(measure.GUESSING, f"chance: {per_cent(measure.GUESSING)}"),
        bars="one standard error up and down",
    )
    return Sheet(
        headline_of_verbs(accuracies, furthest),
        (
            picture,
            Text(describe_accuracies(accuracies, furthest)),
            Fold("How this was measured", (Text(how_verbs()),)),
        ),
        program=lambda: Program.calling(
            "How often a verb has the number of its subject, by position scheme and distance.",
            measure.verbs,
            config,
            load_listed_member,
        ),
    )


def _chart(table: pd.DataFrame, y: str, *, against: str, **axes: Any) -> PicturePart:
    picture = Curves(
        rows=table,
        title=f"{against} by position scheme",
        y=y,
        by="positions",
        colours=ROLES,
        mark_is_choice=False,
        **axes,
    )
    return PicturePart(f"extrapolation_{y}", picture)


def headline_of_losses(changes: Sequence[Change]) -> str:
    """Name the schemes whose loss changes most and least favourably beyond training."""
    best, worst = min(changes, key=_growth), max(changes, key=_growth)
    subject = f"Along sentences longer than in training, the loss of *{best[0]}*"
    if len(changes) == 1:
        return f"{subject} {_moved(best)} nats."
    first = _moved(best, " least" if _growth(best) > 0 else " most")
    last = _moved(worst, " most" if _growth(worst) > 0 else " least")
    return f"{subject} {first} nats. That of *{worst[0]}* {last}."


def _moved(change: Change, how: str = "") -> str:
    """Return how a loss moves: rises least, from 1.64 to 2.36."""
    before, after = (two_decimals(loss) for loss in change[1:])
    if before == after:
        return f"stays at {before}"
    return f"{'rises' if _growth(change) > 0 else 'falls'}{how and f'{how},'} from {before} to {after}"


def growth(changes: Sequence[Change]) -> str:
    """Say the loss of every scheme up to the longest training sentence, and at the end of the sentences."""
    told = []
    for change in changes:
        before, after = (two_decimals(loss) for loss in change[1:])
        moves = "rises" if _growth(change) > 0 else "falls"
        told.append(f"**{change[0]}** {'stays' if before == after else moves}, {_arrow(change)}")
    return (
        f"Mean loss in nats per word, at positions reached in training → in the last quarter of the "
        f"sentences: {'; '.join(told)}. "
        f"A low loss does not prove that a model uses distant words: see *{VERBS}*."
    )


def reasons(schemes: Collection[str], reach: int) -> str:
    """Say how each of these schemes treats positions that no training sentence reached."""
    told = [f"*{name}* {why}" for name, why in REASONS.items() if name in schemes]
    return f"Beyond position {reach}: {'; '.join(told)}." if told else ""


def _growth(change: Change) -> float:
    _, within, at_end = change
    return at_end - within


def _arrow(change: Change) -> str:
    _, within, at_end = change
    return f"{two_decimals(within)} → {two_decimals(at_end)}"


def how_losses(config: ModelConfig, reach: int) -> str:
    """Say what the models were trained on, and how they are measured."""
    longest = ((name, scheme.longest(config)) for name, scheme in SCHEMES.items())
    ends = "".join(f", and *{name}* has no vector after position {n}" for name, n in longest if n is not None)
    return (
        f"Training sentences had up to {reach} words; these have {measure.LENGTH}{ends}. The models are "
        f"causal, and each point is the mean over {measure.N_SENTENCES} unseen sentences and {measure.STEP} "
        "positions; the first word has no loss."
    )


def headline_of_verbs(accuracies: Mapping[str, float], furthest: int) -> str:
    """Name the schemes under which a verb agrees with a distant subject most often and least often."""
    best, worst = (choose(accuracies, key=accuracies.__getitem__) for choose in (max, min))
    high, low = (per_cent(accuracies[name]) for name in (best, worst))
    right = f"{furthest} words from its subject, a verb is right in {high} of cases with"
    chance = f"chance is {per_cent(measure.GUESSING)}"
    if high == low:
        schemes = f"all {len(accuracies)} schemes" if len(accuracies) > 1 else f"*{best}*"
        return f"{right} {schemes}; {chance}."
    return f"{right} *{best}* and in {low} with *{worst}*; {chance}."


def describe_accuracies(accuracies: Mapping[str, float], furthest: int) -> str:
    """Say the accuracy of each scheme at the longest distance, and the task."""
    ranked = sorted(accuracies, key=accuracies.__getitem__, reverse=True)
    told = ", ".join(f"**{name}** {per_cent(accuracies[name])}" for name in ranked)
    return (
        f"Accuracy {furthest} words from the subject: {told}. A verb agrees with its subject: after `the "
        "chef who … the stores` *is* is right and *are* is wrong."
    )


def how_verbs() -> str:
    """Say the distances in training, the task, and the standard error."""
    error = 100 * (measure.GUESSING * (1 - measure.GUESSING) / measure.N_QUESTIONS) ** 0.5
    return (
        f"In training a verb is at most {max(DISTANCES)} words from its subject. The models are causal, and "
        f"each point is the accuracy on {measure.N_QUESTIONS} unseen questions: one standard error is at "
        f"most {error:.0f} points."
    )
