"""Parameters: how many every part of the three architectures has, for the switches in force."""

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from core.measures.architectures.parameters import (
    ARCHITECTURES,
    PARTS,
    Counts,
    configs_of,
    parameters_by_part,
)
from core.model.config import ModelConfig
from core.programs.architectures import parameters_program
from pages.architectures import questions as expected
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Counts as CountsTable
from pages.contract.sheet import Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.shell import Program, Scene
from viz.architectures.parameters import parameter_bars
from viz.units import per_cent

AT_LEAST = 340
EIGHT = 8
"""The heads that one head is compared with, and one with eight."""

OF_ATTENTION = ("queries", "keys", "values", "attention output")


@dataclass(frozen=True)
class Found:
    """The parameters of every part, by architecture."""

    config: ModelConfig
    counts: dict[str, Counts]


def find(scene: Scene, choices: None) -> Found:
    """Every parameter counted."""
    return Found(scene.switches.config, _counted(scene.switches.config))


@remembered()
def _counted(config: ModelConfig) -> dict[str, Counts]:
    return parameters_by_part(config)


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for each architecture, and the sum of its parts."""
    picture = parameter_bars(found.counts, theme=look.theme, width=look.room(at_least=AT_LEAST))
    return Sheet(
        answer=answer(found.counts),
        parts=(
            Shown("parameters", replace(picture, data=partial(_table, found.counts))),
            Text(told(found.counts, found.config.n_layers)),
            CountsTable(_table(found.counts), title="Parameters by part, encoder and decoder"),
        ),
    )


def _table(counts: dict[str, Counts]) -> pd.DataFrame:
    table = pd.DataFrame(counts, index=pd.Index(list(PARTS), name="part"))
    table.loc["all"] = table.sum()
    return table


def answer(counts: dict[str, Counts]) -> str:
    """What the feed-forward layers take, and whether a mask is a parameter."""
    encoder, decoder, pair = (counts[name] for name in ARCHITECTURES)
    share = per_cent(pair["feed-forward"] / sum(pair.values()))
    n, m = sum(encoder.values()), sum(decoder.values())
    same = f"have the same number, {n:,}: a mask is no parameter" if n == m else f"have {n:,} and {m:,}"
    return (
        f"Feed-forward layers have {share} of the parameters of the two together; encoder and decoder {same}."
    )


def told(counts: dict[str, Counts], n_layers: int) -> str:
    """How much attention the two together have, and what counts as embeddings."""
    encoder, _, pair = (counts[name] for name in ARCHITECTURES)
    layers = f"{n_layers} layer{'s' * (n_layers > 1)}"
    times = _of_attention(pair) / _of_attention(encoder)
    return (
        f"With {layers} on each side the two together have {times:.0f} times the attention of one, because "
        "every block of the decoder attends twice. Word vectors and output layer share one table, which "
        "counts as embeddings."
    )


def _of_attention(counts: Counts) -> int:
    return sum(counts[part] for part in OF_ATTENTION)


def questions(found: Found) -> tuple[Question | None, ...]:
    """Whether heads cost parameters, and how much attention two stacks have."""
    encoder, _, pair = (found.counts[name] for name in ARCHITECTURES)
    config = configs_of(found.config)[0]
    other = 1 if config.n_heads == EIGHT else EIGHT
    return (
        expected.heads_and_parameters(config.n_heads, other, config.d_model, encoder["queries"]),
        expected.attention_of_both(_of_attention(encoder), _of_attention(pair)),
    )


def program(found: Found) -> Program:
    """A program that counts the parameters."""
    return Program(
        lambda: parameters_program(found.config),
        prints="how many parameters every part of the three models has",
    )
