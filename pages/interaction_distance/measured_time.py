"""How long the networks take for sentences of every length, measured on this machine when asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from core.device import choose_device
from core.measures.distance import costs
from core.measures.distance.timing import LENGTHS, MOST_REPEATS, NETWORKS, WARM_UPS, Timing, forward_times
from pages.contract.look import Look
from pages.contract.measurement import Measurement
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.interaction_distance.growth import DOUBLING, over_words
from pages.interaction_distance.questions import faster_with_more
from pages.shell import Scene, View
from pages.shell.five import five
from viz.text import counted
from viz.units import seconds

COLUMNS = ["network", "words", "seconds", "fastest", "low", "high", "repeats"]

INVITATION = (
    "Press the button to time recurrent networks and self-attention on sentences of "
    f"{LENGTHS[0]:,} to {LENGTHS[-1]:,} words; it takes a few seconds."
)
PARALLEL = (
    "Counted for n words, a recurrent layer takes n serial steps. Self-attention takes 1, but computes n² "
    "scores. Hardware with many parallel units, such as a GPU, computes these scores at once; a CPU computes "
    "them a few at a time."
)
HOW = (
    "A forward pass of one layer with 64 dimensions over one sentence. Points are medians of up to "
    f"{MOST_REPEATS} runs after {WARM_UPS} warm-up runs; bars span the middle half of the runs."
)


@dataclass(frozen=True)
class Found:
    """Seconds of one forward pass of every network at every length; none while nobody has asked for them."""

    timings: Sequence[Timing]
    n_words: int


def find(scene: Scene, choices: None) -> Found:
    """What the session has measured."""
    return Found(scene.measured.parts, len(scene.words))


def sheet(found: Found, look: Look) -> Sheet:
    """What has been measured or, where nothing has been, how it is asked for."""
    if not found.timings:
        return Sheet(answer=counts(found.n_words), parts=(Text(f"{INVITATION} {PARALLEL}"),))
    parts = (_picture(found, look), Text(PARALLEL), Fold("How this was measured", (Text(HOW),)))
    return Sheet(answer=answer(found.timings), parts=parts)


def counts(n_words: int) -> str:
    """What can be said before anything is measured."""
    return (
        f"Over {counted(n_words, 'word')} a recurrent layer takes {counted(n_words, 'serial step')}, "
        f"self-attention 1, but {counted(costs.n_scores(n_words, n_layers=1), 'score')}."
    )


def answer(timings: Sequence[Timing]) -> str:
    """What each network takes at the longest sentence."""
    longest = max(timing.words for timing in timings)
    ends = ", ".join(f"{t.network} {seconds(t.seconds)}" for t in timings if t.words == longest)
    return f"At {longest:,} words: {ends}."


def _picture(found: Found, look: Look) -> Shown:
    table = pd.DataFrame([vars(timing) for timing in found.timings], columns=COLUMNS)
    return over_words(
        "seconds",
        table,
        look,
        y="seconds",
        title="Measured time of a forward pass",
        mark=found.n_words,
        x_ticks=DOUBLING,
        y_ticks={10.0**power: seconds(10.0**power) for power in range(-5, 0)},
        log=True,
        say=seconds,
        spread=("low", "high"),
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """Why more work can take less time, which holds before anything is measured."""
    return (faster_with_more(),)


def _times() -> Iterator[tuple[str, Timing]]:
    """The timings one by one, as progress tells them."""
    for timing in forward_times(choose_device()):
        yield f"{timing.network}, {timing.words} words", timing


TIMINGS = Measurement("timings", _times, about=None, n_parts=len(LENGTHS) * len(NETWORKS))

VIEW = View(
    sheet=five(
        find=find,
        sheet=sheet,
        questions=questions,
        measurement=lambda scene, choices: TIMINGS,
    ),
    question="How long do recurrence and attention take on this machine?",
    sentence=TEA,
)
