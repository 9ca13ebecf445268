"""Residual stream: how long the vectors are from block to block, and how much each part adds to them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from core.measures.blocks.stream import Stream, stream
from core.model.config import NORMS, ModelConfig
from core.programs.stream import stream_program
from core.sources import UnavailableError
from pages.blocks.norms import colours, placed, residual_equation
from pages.blocks.questions import grows_most
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Notice, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.switches import WITHOUT_WINDOW, Architecture
from pages.controls.weights import absent_of
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from viz.bar_rows import bars
from viz.curves import chart
from viz.tables import unique_words
from viz.text import counted
from viz.units import magnitude, magnitude_ticks

Words = tuple[str, ...]

Lengths = Mapping[str, Sequence[float]]
"""The mean norms before the first block and after each, for each placement of the norm."""

EQUAL_WITHIN = 0.01
"""Norms that differ by less than this share of them count as one."""

NO_STREAM = "Without residual connections there is no stream: each part's output replaces its input."


@dataclass(frozen=True)
class Found:
    """The stream of the chosen model and of those that differ from it in the norm, as far as they are there.

    `missing` says why some are not.
    """

    scene: Scene
    chosen: Stream
    lengths: Lengths
    missing: str

    @property
    def config(self) -> ModelConfig:
        """The chosen model."""
        return self.scene.switches.config


def find(scene: Scene, choices: None) -> Found:
    """The norms of the vectors in each model, and what each part of the chosen one adds."""
    words, switches = scene.words, scene.switches
    chosen = _stream(words, switches)
    every = [replace(switches.config, norm=norm) for norm in NORMS]
    lengths: dict[str, Sequence[float]] = {}
    for config in every:
        with suppress(UnavailableError):
            lengths[config.norm] = _stream(words, replace(switches, config=config)).mean_lengths().tolist()
    return Found(scene, chosen, lengths, absent_of(switches.source, every))


@remembered()
def _stream(words: Words, switches: Architecture) -> Stream:
    return stream(loaded(words, switches))


def sheet(found: Found, look: Look) -> Sheet:
    """The mean norm by depth for every placement of layer norm, then what each part of one model adds."""
    has_residual = found.config.residual
    return Sheet(
        answer=_answer(found.lengths),
        notes=(Notice(found.missing, "warning"),) if found.missing else (),
        unknown=found.chosen.unknown,
        parts=(
            *((residual_equation(found.config.norm),) if has_residual else ()),
            _by_depth(found.lengths, look),
            Text(_explanation(found.lengths, found.chosen.d_model, has_residual=has_residual)),
            _by_word(found, look),
            Text(
                f"Norm of what each part {_does(found.config)}, in per cent of the norm of the word's vector "
                f"at that point, in the model with layer norm **{found.config.norm}**."
            ),
        ),
    )


def _by_depth(lengths: Lengths, look: Look) -> Shown:
    table = pd.DataFrame(
        [(norm, after, one) for norm, of_norm in lengths.items() for after, one in enumerate(of_norm)],
        columns=["layer norm", "blocks", "length"],
    )
    picture = chart(
        table,
        title="Mean norm of the residual stream against depth",
        x="blocks",
        y="length",
        by="layer norm",
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        x_title="number of blocks passed",
        y_title="mean norm",
        x_ticks={at: str(at) for at in range(int(table["blocks"].max()) + 1)},
        y_ticks=magnitude_ticks(table["length"]),
        log="y",
    )
    return Shown("stream", picture)


def _by_word(found: Found, look: Look) -> Shown:
    chosen, theme, plain = found.chosen, look.theme, found.scene.plain
    rows = {part: theme.attention if part.startswith("attention") else theme.value for part in chosen.parts}
    picture = bars(
        np.ascontiguousarray(chosen.added.T),
        rows,
        found.scene.marked(chosen.unknown),
        title=f"Norm of what each part {_does(found.config)}, in per cent of the word's vector",
        theme=theme,
        narrow=look.is_narrow,
        top=float(chosen.added.max()) or 1.0,
        table=lambda: pd.DataFrame(
            chosen.added, index=pd.Index(unique_words(plain), name="word"), columns=list(chosen.parts)
        ),
    )
    return Shown("added", picture)


def _does(config: ModelConfig) -> str:
    """What a part does with its output: without a residual connection there is nothing to add it to."""
    return "adds" if config.residual else "gives"


def _answer(lengths: Lengths) -> str:
    """A sentence on where the norms begin and where they end."""
    told = [
        f"from {magnitude(of_norm[0])} to {magnitude(of_norm[-1])} {placed(norm)}"
        for norm, of_norm in lengths.items()
    ]
    return (
        "From before the first block to after the last the mean norm of a word's vector goes "
        f"{', '.join(told)}."
    )


def _explanation(lengths: Lengths, d_model: int, *, has_residual: bool) -> str:
    """How long the vectors are before the first block and after each, and why."""
    parts = "; ".join(
        f"**{norm}** {' → '.join(magnitude(one) for one in of_norm)}" for norm, of_norm in lengths.items()
    )
    why = [NO_STREAM] if not has_residual else []
    if has_residual and "pre" in lengths:
        why.append(_of_pre(lengths["pre"]))
    if "post" in lengths:
        why.append(_of_post(lengths["post"][1:], d_model, normalised="sum" if has_residual else "output"))
    return (
        "Norm of a word's vector before the first block and after each, mean over the sentence, in "
        f"{_models(len(lengths))}: {parts}. {' '.join(why)}"
    ).rstrip()


def _models(n: int) -> str:
    if n == 1:
        return "the one model that is there"
    return f"{counted(n, 'model')} that differ in where layer norm stands"


def _of_pre(lengths: Sequence[float]) -> str:
    grows = all(after > before for before, after in pairwise(lengths))
    seen = "it grows with every block" if grows else "it does not grow with every block"
    return f"Under pre-norm every part adds to a stream that is not normalised until the end: here {seen}."


def _of_post(after: Sequence[float], d_model: int, *, normalised: str) -> str:
    """What leaves a block is what its last layer norm makes of it: √d times the gain, plus the bias."""
    root = d_model**0.5
    begins = f"Post-norm normalises every {normalised}, to the norm √{d_model} = {magnitude(root)}"
    if all(abs(one - root) <= EQUAL_WITHIN * root for one in after):
        return f"{begins}: gains of 1 and biases of 0 leave it at that."
    if max(after) - min(after) <= EQUAL_WITHIN * root:
        return f"{begins}; gain and bias change that to {magnitude(after[0])} after every block."
    return (
        f"{begins}; the gain and bias that each layer norm has learned for itself change that to between "
        f"{magnitude(min(after))} and {magnitude(max(after))}."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """Which stream grows most."""
    return (grows_most(found.lengths),) if found.config.residual else ()


def program(found: Found) -> Program:
    """The norms of every word."""
    return Program(lambda: stream_program(found.scene.subject))


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
)
