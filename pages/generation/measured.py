"""What a session has measured of a text and of words one by one, and the table of one text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.measures.distance.long_range import N_LAYERS
from core.measures.distance.timing import WARM_UPS, Timing
from core.measures.generation.costs import USES, Use, serial_operations
from core.measures.generation.timing import LENGTHS, text_times, word_times
from core.measures.generation.writing import WRITERS, Continued
from core.model.config import ModelConfig
from pages.contract.measurement import Measured, Measurement
from pages.generation.models import all_models
from pages.generation.texts import Texts
from viz.text import counted
from viz.units import quantity, seconds

OF_WHAT = "Operations and time of training are those of one pass over the text and one back."


@dataclass(frozen=True)
class About:
    """What times are of: a text by its words, the number of those given, and the Transformer."""

    config: ModelConfig
    words: tuple[str, ...]
    n_given: int


@dataclass(frozen=True)
class Times:
    """Seconds of each use of this text by each writer, and of one more word after texts of every length.

    Both are empty where nothing was measured, or something else.
    """

    of_text: Mapping[tuple[Use, str], Timing]
    of_words: Sequence[Timing]


def about(texts: Texts) -> About:
    """What times of a text by the writer are of."""
    return About(texts.config, texts.own.words, texts.own.n_given)


def times(measured: Measured, wanted: About) -> Times:
    """What was measured of this text and of these models."""
    had = measured.about
    of_text = {key: timing for key, timing in measured.parts if key is not None}
    of_words = [timing for key, timing in measured.parts if key is None]
    same_models = had is not None and had.config == wanted.config
    return Times(of_text if had == wanted else {}, of_words if same_models else ())


def _parts(wanted: About) -> Iterator[tuple[str, tuple[tuple[Use, str] | None, Timing]]]:
    """Timings of this text, then of words one by one after texts of every length."""
    models = all_models(wanted.config)
    for use, timing in text_times(models, wanted.words, wanted.n_given):
        yield f"{timing.network}, {use}", ((use, timing.network), timing)
    for timing in word_times(models):
        yield f"{timing.network}, one more word after {timing.words}", (None, timing)


def measurement(scene: Any, choices: Any) -> Measurement:
    """What the button of a view of one text measures."""
    wanted = about(choices.texts)
    return Measurement(
        "text_and_word_times",
        lambda: _parts(wanted),
        about=wanted,
        n_parts=len(USES) * len(WRITERS) + len(LENGTHS) * (len(WRITERS) + 1),
    )


def this_text(text: Continued, writer: str, of_text: Mapping[tuple[Use, str], Timing]) -> str:
    """A table of this text: operations counted, and seconds where they have been measured."""
    heads = ["Model", *(f"{use}: {what}" for use in USES for what in ("serial operations", "time"))]
    lines = ["| " + " | ".join(heads) + " |", "|:--" * len(heads) + "|"]
    for name in WRITERS:
        cells = [name]
        for use in USES:
            cells += [quantity(operations(text, name, use)), _said(of_text.get((use, name)))]
        lines.append("| " + " | ".join(cells) + " |")
    given = f"{counted(text.n_given, 'word')} given and {len(text.written)} written"
    how = (
        "Measured here: medians and, in brackets, the middle half of the runs, after "
        f"{WARM_UPS} warm-up runs."
        if of_text
        else "The button measures the times on this machine."
    )
    return f"**This text**, by the {writer}: {given}.\n\n" + "\n".join(lines) + f"\n\n{OF_WHAT} {how}"


def operations(text: Continued, writer: str, use: Use) -> int:
    """Serial operations that a writer spends on a text."""
    return serial_operations(writer, use, len(text.words), n_given=text.n_given, n_layers=N_LAYERS)


def _said(timing: Timing | None) -> str:
    if timing is None:
        return "–"
    return f"{seconds(timing.seconds)} ({seconds(timing.low)} to {seconds(timing.high)})"
