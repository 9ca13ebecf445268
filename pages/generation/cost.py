"""Cost: operations in a row, seconds and bytes, to learn from the text and to write it."""

from dataclasses import dataclass

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.generation.costs import kept_bytes
from core.measures.generation.writing import (
    RECURRENT,
    WRITERS,
    Continued,
    GenerationSettings,
    continue_text,
    shapes,
)
from core.model.config import ModelConfig
from core.programs.generation import kept_program, serial_costs_program, word_times_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Fold, Part, Sheet, Text
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.generation.cost_charts import bytes_chart, bytes_of, serial_charts, table_of, time_chart
from pages.generation.cost_said import (
    KEPT_BYTES,
    PRESS,
    SERIAL_WHY,
    TIME_HOW,
    memory_answer,
    memory_told,
    serial_answer,
    time_answer,
    time_told,
)
from pages.generation.measured import Times, about, measurement, operations, this_text, times
from pages.generation.models import model_of
from pages.generation.questions_of_cost import most_kept, operations_to_learn, waits_while_it_writes
from pages.generation.switches import OF_ONE_BESIDE_ALL
from pages.generation.texts import Texts, ask_texts
from pages.shell import Program, Scene, View
from pages.shell.five import five

SERIAL, TIME, MEMORY = options_of("cost")


@dataclass(frozen=True)
class Choices:
    """The texts, and which cost is drawn."""

    texts: Texts
    cost: str


@dataclass(frozen=True)
class Found:
    """The text of one writer, what was measured of it, and that of the Transformer with and without a cache.

    Both are None where nothing is said of them: where no time is shown.
    """

    texts: Texts
    cost: str
    text: Continued
    times: Times
    kept: Continued | None = None
    anew: Continued | None = None


def ask(ask: Ask, scene: Scene) -> Choices:
    """How the writer writes, and which cost is drawn."""
    texts = ask_texts(ask, scene)
    return Choices(texts, ask.choice("cost", hide_label=True))


def find(scene: Scene, choices: Choices) -> Found:
    """The text and its times. Raises UnavailableError where a model is not there."""
    texts = choices.texts
    measured = times(scene.measured, about(texts))
    found = Found(texts, choices.cost, texts.own, measured)
    if choices.cost != TIME or not measured.of_words:
        return found
    anew = _anew(texts.config, texts.plain, texts.manners[TRANSFORMER])
    return Found(texts, choices.cost, texts.own, measured, texts.of(TRANSFORMER), anew)


@remembered()
def _anew(config: ModelConfig, given: tuple[str, ...], manner: GenerationSettings) -> Continued:
    return continue_text(model_of(TRANSFORMER, config), given, manner, cached=False)


def sheet(found: Found, look: Look) -> Sheet:
    """A curve over the length of the text, and a table of this one."""
    answer, parts = {SERIAL: _serial, TIME: _time, MEMORY: _memory}[found.cost](found, look)
    listed = Text(this_text(found.text, found.texts.writer, found.times.of_text))
    return Sheet(answer=answer, unknown=tuple(found.text.unknown), parts=(*parts, listed))


def _serial(found: Found, look: Look) -> tuple[str, tuple[Part, ...]]:
    return serial_answer(found.text), (serial_charts(found.text, look), Text(SERIAL_WHY))


def _time(found: Found, look: Look) -> tuple[str, tuple[Part, ...]]:
    if found.kept is None or found.anew is None:
        return serial_answer(found.text), (Text(PRESS),)
    table = table_of(found.times.of_words)
    return time_answer(table), (
        time_chart(table, len(found.text.words), look),
        Text(time_told(table, found.kept, found.anew)),
        Fold("How this was measured", (Text(TIME_HOW),)),
    )


def _memory(found: Found, look: Look) -> tuple[str, tuple[Part, ...]]:
    n = len(found.text.words)
    table = bytes_of(shapes(found.texts.config), n)
    parts = bytes_chart(table, n, look), Text(f"{KEPT_BYTES} {memory_told(table)}")
    return memory_answer(table, n), parts


def questions(found: Found) -> tuple[Question | None, ...]:
    """Operations in a row to learn from the text and to write it, or the bytes kept of it."""
    text, n = found.text, len(found.text.words)
    if found.cost == MEMORY:
        made = shapes(found.texts.config)
        return (most_kept(n, {name: kept_bytes(made[name], n) for name in WRITERS}),)
    attention, recurrent = (
        operations(text, name, "training") for name in (TRANSFORMER, next(iter(RECURRENT)))
    )
    return operations_to_learn(n, N_LAYERS, attention, recurrent), waits_while_it_writes()


def program(found: Found) -> Program:
    """What is behind the chart."""
    words, config, n_given = found.text.words, found.texts.config, found.text.n_given
    if found.cost == TIME:
        return Program(lambda: word_times_program(config), prints="what this machine takes, in seconds")
    if found.cost == MEMORY:
        return Program(lambda: kept_program(words, config, WRITERS), prints="the bytes kept of this text")
    return Program(
        lambda: serial_costs_program(words, n_given, n_layers=N_LAYERS),
        prints="operations in a row, of training and of writing",
    )


VIEW = View(
    sheet=five(
        ask=ask, find=find, sheet=sheet, questions=questions, program=program, measurement=measurement
    ),
    question="What does a text cost to learn from, and to write?",
    **OF_ONE_BESIDE_ALL,
)
