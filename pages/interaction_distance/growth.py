"""How operations of the two networks, and their price, grow with the sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.measures.distance import costs
from core.measures.distance.timing import LENGTHS
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.interaction_distance import questions as expected
from pages.interaction_distance.switches import OF_PRICE, of_counted
from pages.shell import Scene, View
from pages.shell.five import five
from viz.curves import Say, chart
from viz.text import counted
from viz.units import memory, quantity

LINEAR: dict[float, str] = {at: str(at) for at in (0, 64, 128, 192, 256)}
DOUBLING: dict[float, str] = {at: str(at) for at in LENGTHS}
LENGTHS_PRICED = (64, 512, 2048)

ORDERS = (
    "In a recurrent network, the first word reaches the last after one operation for each word: O(n). In a "
    "layer of self-attention it takes a single operation: O(1)."
)
PRICE = (
    "Self-attention computes a score for every pair of words: n² in each head and layer. A recurrent network "
    "takes n steps in each layer."
)


@dataclass(frozen=True)
class Found:
    """A table of both networks by words, with the columns network and words, and the length of a sentence."""

    table: pd.DataFrame
    n_words: int
    n_layers: int = 1


def find_operations(scene: Scene, choices: None) -> Found:
    """Operations between the first and the last word of sentences of every length."""
    return Found(costs.interaction_table(range(1, int(max(LINEAR)) + 1)), len(scene.words))


def find_price(scene: Scene, choices: None) -> Found:
    """Scores and steps of sentences of several lengths, among them that of the sentence typed."""
    n_layers, n_words = scene.switches.config.n_layers, len(scene.words)
    return Found(costs.price_table(sorted({1, n_words, *LENGTHS}), n_layers=n_layers), n_words, n_layers)


def operations_sheet(found: Found, look: Look) -> Sheet:
    """Operations between the first and the last word of a sentence, against its length."""
    axes: dict[str, Any] = {
        "y": "operations",
        "title": "Operations between first and last word",
        "x_ticks": LINEAR,
        "y_ticks": LINEAR,
    }
    picture = over_words("operations", found.table, look, mark=found.n_words, **axes)
    return Sheet(answer=operations_answer(found), parts=(picture, Text(ORDERS)))


def operations_answer(found: Found) -> str:
    """How many operations there are in a sentence as long as the one typed."""
    recurrent, attention = (_here(found, name, "operations") for name in ("recurrent", "self-attention"))
    return (
        f"Over {counted(found.n_words, 'word')} the first word reaches the last after "
        f"{counted(recurrent, 'operation')} in a recurrent network, after {attention} in self-attention."
    )


def price_sheet(found: Found, look: Look) -> Sheet:
    """What attention pays for it: a score for every pair of words."""
    top = costs.n_scores(max(LENGTHS), n_layers=found.n_layers)
    y_ticks: dict[float, str] = {10**power: quantity(10**power) for power in range(len(str(top)) + 1)}
    axes: dict[str, Any] = {
        "y": "computed",
        "title": "Scores per head or recurrent steps",
        "y_title": "scores or steps",
        "x_ticks": {1: "1", **DOUBLING},
        "y_ticks": y_ticks,
    }
    picture = over_words("computed", found.table, look, mark=found.n_words, log=True, **axes)
    return Sheet(answer=price_answer(found), parts=(picture, Text(f"{PRICE} {scores_listed(found)}")))


def price_answer(found: Found) -> str:
    """What a sentence as long as the one typed takes of either network."""
    steps, scores = (_here(found, name, "computed") for name in ("recurrent", "self-attention"))
    return (
        f"Over {counted(found.n_words, 'word')} self-attention computes {counted(scores, 'score')} per head"
        f"{expected.in_layers(found.n_layers)}, a recurrent network takes {counted(steps, 'step')}."
    )


def scores_listed(found: Found) -> str:
    """The scores of a head and their size, of the sentence typed and of longer ones."""
    kept = "; ".join(
        f"{counted(n, 'word')}: {counted(costs.n_scores(n, n_layers=found.n_layers), 'score')}, "
        f"{memory(costs.score_bytes(n, n_layers=found.n_layers))}"
        for n in sorted({found.n_words, *LENGTHS_PRICED})
    )
    return f"Scores per head{expected.in_layers(found.n_layers)}, in float32: {kept}."


def operations_questions(found: Found) -> tuple[Question | None, ...]:
    """Operations of self-attention over the longest text that is drawn."""
    longest = int(found.table["words"].max())
    at_end = Found(found.table, longest)
    attention, recurrent = (_here(at_end, name, "operations") for name in ("self-attention", "recurrent"))
    return (expected.far_attention(longest, attention, recurrent),)


def price_questions(found: Found) -> tuple[Question | None, ...]:
    """The scores of a text twice as long."""
    scores = _here(found, "self-attention", "computed")
    twice = costs.n_scores(2 * found.n_words, n_layers=found.n_layers)
    return (expected.twice_as_long(twice / scores),)


def _here(found: Found, network: str, column: str) -> int:
    """What the table has of a network for a sentence as long as the one typed."""
    table = found.table
    rows = table[(table["network"] == network) & (table["words"] == found.n_words)]
    return int(rows[column].iloc[0])


def over_words(
    key: str,
    table: pd.DataFrame,
    look: Look,
    *,
    y: str,
    mark: int,
    x_ticks: Mapping[float, str],
    y_ticks: Mapping[float, str],
    title: str,
    y_title: str = "",
    log: bool = False,
    say: Say = quantity,
    spread: tuple[str, str] | None = None,
) -> Shown:
    """The column `y` of a table against the words in the sentence, a curve for each network."""
    picture = chart(
        table,
        title=f"{title} against sentence length",
        x="words",
        y=y,
        by="network",
        say=say,
        theme=look.theme,
        within=look.width,
        behind=lambda: table,
        colours=of_counted(look.theme),
        x_title="words in the sentence",
        y_title=y_title or y,
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        mark=mark,
        log=log,
        spread=spread,
    )
    return Shown(f"{key}_chart", picture)


OPERATIONS = View(
    sheet=five(find=find_operations, sheet=operations_sheet, questions=operations_questions), sentence=TEA
)
PRICED = View(sheet=five(find=find_price, sheet=price_sheet, questions=price_questions), **OF_PRICE)
