"""The cost of recurrence and attention: counted for a layer, or measured on this machine on request."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any

import pandas as pd

from core.device import choose_device
from core.measures.distance import costs
from core.measures.distance.timing import LENGTHS, MOST_REPEATS, NETWORKS, WARM_UPS, Timing, forward_times
from pages.contract.ask import Ask
from pages.contract.examples import TEA
from pages.contract.measurement import Measurement
from pages.contract.parameters import options_of
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Part, PicturePart, Sheet, Text, table
from pages.contract.static_questions import static_question
from pages.contract.view import view
from viz.curves import Curves
from viz.theme import Role
from words import counted, enumerated, memory, seconds

COUNTED, MEASURED = options_of("costs")

MOST_WORDS = 256
"""Greatest number of words for which costs are drawn."""

LONG = (64, 512, 2048)
"""Lengths whose scores are listed."""

STEPS = (
    "A recurrent layer takes n serial operations for n words, one after the other: O(n). As many operations "
    "lie between the first word and the last. Self-attention takes 1, however long the sentence is: O(1)."
)
PAIRS = (
    "Self-attention computes a score for every pair of words: n² in each head and layer. A recurrent layer "
    "has none."
)
INVITATION = (
    "Press the button to time recurrent networks and self-attention on sentences of "
    f"{LENGTHS[0]} to {LENGTHS[-1]:,} words. It takes a few seconds."
)
ON_CPU = (
    "A CPU computes a few scores at a time. Hardware with many parallel units, such as a GPU, computes many "
    "at once: the time that it takes is not measured here."
)
ON_GPU = (
    "A GPU computes many scores at once; the steps of a recurrent network wait for each other on a GPU too."
)
HOW = (
    "A forward pass of one layer with 64 dimensions over one sentence. Points are medians of up to "
    f"{MOST_REPEATS} runs after {WARM_UPS} warm-up runs; bars span the middle half of the runs. Both axes "
    "are logarithmic."
)


ONE_LAYER = "one recurrent layer and one layer of self-attention"

TIMED = Caption(
    models=lambda: (f"{ONE_LAYER}, 64 dimensions",),
    notes=(f"medians of up to {MOST_REPEATS} runs; bars: the middle half of the runs",),
    chosen=False,
    measured=True,
)

ROLES: Mapping[str, Role] = {
    "recurrent": "recurrence",
    "RNN": "recurrence",
    "LSTM": "value",
    "self-attention": "attention",
}
"""The counted or timed networks, with their colours."""


HALF = 100
"""Length of a text that a lecture hall compares with a text twice as long."""

DOUBLED = [
    (float(n), float(costs.n_scores(n)), f"{n} words: {costs.n_scores(n):,} scores") for n in (HALF, 2 * HALF)
]
"""Points of the curve at both lengths."""


@view(question="What do recurrence and self-attention cost?", sentence=TEA)
def cost(ask: Ask, scene: Scene) -> Sheet:
    """Show serial operations and scores by the length of a sentence, or seconds on this machine."""
    n = len(scene.words)
    is_measured = ask.choice("costs", hide_label=True) == MEASURED
    timings: Sequence[Timing] = ask.measure(TIMINGS).parts if is_measured else ()
    answer, parts = describe_costs(n), counts(n, is_hall=ask.look.fills)
    if timings:
        how = Fold("How this was measured", (Text(HOW),))
        answer = describe_times(timings)
        parts = (timing_parts(timings, n), Text(describe_device(choose_device().type)), how)
    elif is_measured:
        parts = (Text(INVITATION), *parts)
    return Sheet(
        headline=answer,
        parts=parts,
        caption=Caption(models=lambda: (ONE_LAYER,), chosen=False),
        questions=lambda: (twice_as_long(), static_question("faster_with_more")),
    )


def _times() -> Iterator[tuple[str, Timing]]:
    """Yield the timings one by one, with their names for the progress."""
    for timing in forward_times(choose_device()):
        yield f"{timing.network}, {timing.words} words", timing


TIMINGS = Measurement("timings", _times, about=None, n_parts=len(LENGTHS) * len(NETWORKS))


def describe_costs(n: int) -> str:
    """Return the costs of one layer for a sentence as long as the typed one."""
    return (
        f"Over {counted(n, 'word')} a recurrent layer takes {counted(n, 'serial operation')}. "
        f"Self-attention takes 1 and computes {counted(costs.n_scores(n), 'score')} per head."
    )


def describe_times(timings: Sequence[Timing]) -> str:
    """Return the time of each network for the longest sentence."""
    longest = max(timing.words for timing in timings)
    told = enumerated([f"{seconds(t.seconds)} in {_the(t.network)}" for t in timings if t.words == longest])
    return f"Over {longest:,} words a forward pass of one layer takes {told}."


def _the(network: str) -> str:
    return network if network == "self-attention" else f"the {network}"


def describe_device(kind: str) -> str:
    """Return what the times do not show on a CPU, or how a GPU changes them."""
    return ON_CPU if kind == "cpu" else ON_GPU


def counts(n: int, *, is_hall: bool) -> tuple[Part, ...]:
    """Draw serial operations beside scores, and list the scores of longer texts.

    `n` words are marked; a lecture hall sees the scores alone, where a length and its double are marked.
    """
    lengths = range(1, MOST_WORDS + 1)
    operations = [("recurrent", at, at) for at in lengths] + [("self-attention", at, 1) for at in lengths]
    scores = [("self-attention", at, costs.n_scores(at)) for at in lengths]
    listed = [
        (counted(at, "word"), f"{costs.n_scores(at):,}", memory(costs.score_bytes(at)))
        for at in sorted({n, *LONG})
    ]
    in_a_row = (over_words("operations", operations, n, "Serial operations of a layer"), Text(STEPS))
    of_pairs = (over_words("scores", scores, n, "Scores of a head"), Text(PAIRS))
    if is_hall:
        of_pairs = (over_words("scores", scores, None, "Scores of a head", points=DOUBLED), Text(PAIRS))
    return (
        Columns((of_pairs, in_a_row) if is_hall else (in_a_row, of_pairs), alone=is_hall),
        Fold(
            "Scores of longer texts",
            (table("scores_listed", ("text", "scores per head", "in float32"), listed, is_saved=True),),
        ),
    )


def timing_parts(timings: Sequence[Timing], n: int) -> PicturePart:
    """Draw the seconds of a forward pass, with the spread of the runs."""
    return _curves(
        "seconds",
        pd.DataFrame([vars(timing) for timing in timings]),
        n,
        "Measured time of a forward pass",
        y_title="time of a forward pass",
        say=seconds,
        log=True,
        bars="the middle half of the runs",
    )


def over_words(
    y: str, rows: Sequence[tuple[str, int, int]], mark: int | None, title: str, **look: Any
) -> PicturePart:
    """Draw counts against the words in the sentence, a curve for each network."""
    return _curves(y, pd.DataFrame(rows, columns=["network", "words", y]), mark, title, y_title=y, **look)


def _curves(y: str, found: pd.DataFrame, mark: int | None, title: str, **look: Any) -> PicturePart:
    picture = Curves(
        rows=found,
        title=f"{title} against sentence length",
        x="words",
        y=y,
        by="network",
        make_table=lambda: found,
        colours={name: role for name, role in ROLES.items() if name in set(found["network"])},
        x_title="words in the sentence",
        mark=mark,
        **look,
    )
    return PicturePart(f"{y}_chart", picture, caption=TIMED if y == "seconds" else None)


def twice_as_long() -> Choose | None:
    """Ask for the factor of the scores if a text gets twice as long."""
    factor = costs.n_scores(2) / costs.n_scores(1)

    def option(times: int, why_not: str = "") -> Option:
        text = f"{times} times as many" if times > 1 else "as many as before"
        return Option(text, isclose(factor, times), why_not)

    return choose(
        "A text gets twice as long. How many scores does a head compute then?",
        option(
            1, "The number of operations between two words stays the same. The number of scores does not."
        ),
        option(2, "There are twice as many queries, each compared with twice as many keys."),
        option(4),
        option(8, "A score has a query and a key: the length counts twice, not three times."),
        because="Scores grow with the square of the length. The steps of a recurrent network double.",
    )
