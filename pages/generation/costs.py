"""Costs of a text by its length: bytes kept, serial operations, and seconds measured here."""

from collections.abc import Iterator, Sequence
from math import ceil, isclose

import pandas as pd

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.distance.timing import WARM_UPS, Timing
from core.measures.generation.costs import (
    ANEW,
    KEPT,
    LENGTHS,
    PASSES_OF_TRAINING,
    USES,
    Use,
    kept_bytes,
    memory_table,
    serial_operations,
    serial_table,
    sharing,
    word_times,
)
from core.measures.generation.writing import (
    RECURRENT,
    WRITERS,
    GeneratedText,
    continue_text,
    shapes,
)
from core.model.config import ModelConfig
from pages.contract.ask import Ask
from pages.contract.loading import measured
from pages.contract.measurement import Measurement, MeasurementResult
from pages.contract.parameters import options_of
from pages.contract.question import Choose, Estimate, Option, Question
from pages.contract.question_builders import choose, mistakes
from pages.contract.sheet import Caption, Fold, Part, PicturePart, Text
from pages.contract.static_questions import static_question
from pages.generation.texts import Texts
from pages.generation.writer import ROLES, all_models, caption, model_of
from viz.curves import Curves
from words import counted, enumerated, memory, seconds

MEMORY, SERIAL, TIME = options_of("cost")

DOUBLING = (2, 4, 8, 16, 32, 64, 128, 256)
SHORTEST_AXIS = 64
"""Shortest axis of serial operations, in words; it reaches to twice the words of the text if that is more."""

ONE_BY_ONE = (
    "A recurrent network waits at every word for the state of the word before. Attention reads all words of "
    "a known text at once."
)

THIS = "this text"
SHARES = {"grouped-query": "one key and value for two heads", "multi-query": "one for all heads"}

FROM_SHAPES = (
    "Memory is counted from the shapes, in single precision. With several heads, the Transformer here has "
    "multi-head attention: [grouped-query attention](https://arxiv.org/abs/2305.13245) and "
    "[multi-query attention](https://arxiv.org/abs/1911.02150) keep fewer keys and values of each word, if "
    "heads can share them. A recurrent network keeps its states, and an LSTM its cells too: one size for "
    "every text."
)
SERIAL_WHY = (
    "In training all words are known, so the Transformer reads them at once. It needs one serial operation "
    "for each layer, and one more for each layer in the backward pass. It also reads the given words at "
    "once. While it writes, every word has to wait for the word before, as in a recurrent network."
)
BOTH_PASSES = (
    "For training, the count includes the states of a forward pass and the gradients of a backward pass. "
    "The last word is not read: no word follows it. In a recurrent network, each further layer ends "
    "one operation after the layer below it."
)
PRESS = (
    "Press the button to measure how long each model takes for one more word after "
    f"{LENGTHS[0]} to {LENGTHS[-1]} words; it takes a few seconds."
)
SPREAD = "medians of repeated runs; bars: the middle half of the runs"
OF_SERIAL = Caption(
    models=lambda: (f"a recurrent network and a Transformer of {N_LAYERS} layers each",), chosen=False
)

TIME_HOW = f"Medians after {WARM_UPS} warm-up runs; bars span the middle half of the runs."


def cost_parts(ask: Ask, texts: Texts, cost: str, n_read: int) -> tuple[Part, ...]:
    """Return the chart of a cost and its text; the time has a button that measures it."""
    if cost == MEMORY:
        return _of_bytes(texts, n_read)
    if cost == SERIAL:
        parts = (_serial_chart(texts.own, use) for use in USES)
        return (
            Text(describe_serial_operations(texts.own)),
            *parts,
            Text(SERIAL_WHY),
            Fold("How", (Text(BOTH_PASSES),)),
        )
    return _of_time(texts, ask.measure(_measurement(texts.config)))


def _of_bytes(texts: Texts, n: int) -> tuple[Part, ...]:
    """Return the bytes kept of `n` words for the next word, for each model and with keys that heads share."""
    models = shapes(texts.config)
    variants = _variants(texts.config)
    shared = f"{', '.join(variants)}: the Transformer with keys that heads share" if variants else ""
    of_all = caption(texts.config, *filter(None, [shared]), chosen=False)
    models |= variants
    table = memory_table(models, sorted({*DOUBLING, n}))
    picture = Curves(
        rows=table,
        title="Memory kept for the next word against text length",
        x="words",
        y="bytes",
        by="network",
        say=memory,
        colours={**ROLES, **dict.fromkeys(variants, ROLES[TRANSFORMER])},
        dashed=list(variants),
        x_title="words in the text so far",
        y_title="memory kept",
        log=True,
        mark=n,
        mark_name=f"{counted(n, 'word')} read",
    )
    return (
        PicturePart("memory", picture, caption=of_all),
        Text(describe_bytes(texts.config, n)),
        Fold("How", (Text(FROM_SHAPES),)),
    )


def _variants(config: ModelConfig) -> dict[str, ModelConfig]:
    """Return the variants of the Transformer whose heads share keys and values; none if it has one head."""
    writer = shapes(config)[TRANSFORMER]
    assert isinstance(writer, ModelConfig), "its name says so"
    return sharing(writer)


def describe_bytes(config: ModelConfig, n: int) -> str:
    """Return the bytes that each model keeps of a text of `n` words."""
    models = shapes(config)
    others = enumerated([f"the {name} {memory(kept_bytes(models[name], n))}" for name in RECURRENT])
    whole = f"{counted(n, 'word')} the {TRANSFORMER} keeps {memory(kept_bytes(models[TRANSFORMER], n))}"
    told = f"Of {whole}, {others}."
    less = [
        f"{memory(kept_bytes(one, n))} with {name} attention ({SHARES[name]})"
        for name, one in _variants(config).items()
    ]
    return f"{told} The {TRANSFORMER} would keep {enumerated(less)}." if less else told


def describe_shared_keys(config: ModelConfig, n: int) -> str:
    """Return the bytes that a Transformer keeps of `n` words if its heads share keys; empty for one head."""
    less = [f"{name} attention: {memory(kept_bytes(one, n))}" for name, one in _variants(config).items()]
    return f" ({', '.join(less)})" if less else ""


def _serial_chart(text: GeneratedText, use: Use) -> PicturePart:
    last = max(SHORTEST_AXIS, 4 * ceil(len(text.words) / 2))  # a multiple of four
    table = serial_table(range(2, last + 1), n_given=text.n_given, n_layers=N_LAYERS)
    given = "1 of them given" if text.n_given == 1 else f"the first {text.n_given} given"
    picture = Curves(
        rows=table[table["use"] == use],
        title=f"Serial operations of {use} against text length",
        x="words",
        y="operations",
        by="network",
        colours={"recurrent": "recurrence", TRANSFORMER: "attention"},
        x_title=f"words in the text, {given}" if use == USES[-1] else "words in the text",
        y_title=f"serial operations, {use}",
        mark=len(text.words),
        mark_name=THIS,
    )
    return PicturePart(f"serial_{use}", picture, caption=OF_SERIAL)


def describe_serial_operations(text: GeneratedText) -> str:
    """Return the serial operations to learn from this text and to write it."""
    network = next(iter(RECURRENT))
    learning, writing = ([operations(text, writer, use) for writer in (TRANSFORMER, network)] for use in USES)
    return (
        "To learn from this text, every network reads all words but the last. "
        f"The {TRANSFORMER} needs {counted(learning[0], 'serial operation')}. A recurrent network needs "
        f"{learning[1]}: {learning[1] // PASSES_OF_TRAINING} forward and as many back. To write it, the "
        f"{TRANSFORMER} needs {writing[0]} and a recurrent network {writing[1]}."
    )


def operations(text: GeneratedText, writer: str, use: Use) -> int:
    """Return the serial operations that a writer spends on a text."""
    return serial_operations(writer, use, len(text.words), n_given=text.n_given, n_layers=N_LAYERS)


def _measurement(config: ModelConfig) -> Measurement:
    def measured() -> Iterator[tuple[str, Timing]]:
        for timing in word_times(all_models(config)):
            yield f"{timing.network}, one more word after {timing.words}", timing

    n_parts = len(LENGTHS) * (len(WRITERS) + 1)
    return Measurement("word_times", measured, about=config, n_parts=n_parts)


def _of_time(texts: Texts, found: MeasurementResult) -> tuple[Part, ...]:
    """Return the seconds for one more word; before the measurement only how to make it."""
    if found.about != texts.config or not found.parts:
        return (Text(PRESS),)
    table = table_of(found.parts)
    kept = texts.of(TRANSFORMER)
    manner = texts.manners[TRANSFORMER]
    anew = measured(continue_text, model_of, TRANSFORMER, texts.config, texts.plain, manner, cached=False)
    picture = Curves(
        rows=table,
        title="Time for one more word against text length",
        x="words",
        y="seconds",
        by="network",
        say=seconds,
        make_table=lambda: table,
        colours={**ROLES, ANEW: ROLES[TRANSFORMER]},
        dashed=[ANEW],
        x_title="words before the next one",
        y_title="time for one more word",
        log=True,
        bars="the middle half of the runs",
        mark=len(texts.own.words),
        mark_name=THIS,
    )
    timed = caption(texts.config, SPREAD, chosen=False, measured=True)
    return (
        Text(describe_times(table)),
        PicturePart("word_seconds", picture, caption=timed),
        Text(describe_cache_saving(table, kept, anew)),
        Fold("How", (Text(TIME_HOW),)),
    )


def table_of(timings: Sequence[Timing]) -> pd.DataFrame:
    """Return a row for each timing."""
    shown = ["network", "words", "seconds", "low", "high", "repeats"]
    return pd.DataFrame([vars(timing) for timing in timings], columns=shown)


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot(index="words", columns="network", values="seconds")


def describe_times(table: pd.DataFrame) -> str:
    """Return each model's time for one more word after the longest text."""
    wide, longest = _wide(table), LENGTHS[-1]
    names = [name for name in dict.fromkeys(table["network"]) if name != ANEW]
    told = enumerated([f"{seconds(wide[name][longest])} in the {name}" for name in names])
    return f"One more word after {longest} takes {told}."


def describe_cache_saving(table: pd.DataFrame, kept: GeneratedText, anew: GeneratedText) -> str:
    """Return the time that a cache saves at both ends, and whether the words are equal."""
    wide, n = _wide(table), counted(len(kept.written), "word")
    ratios = enumerated(
        [
            f"{wide[ANEW][length] / wide[KEPT][length]:.1f} times as long after {length} words"
            for length in (LENGTHS[0], LENGTHS[-1])
        ]
    )
    same = f"Both ways it writes the same {n} here."
    other = f"Here rounding changes the {n} that it writes."
    return (
        "The Transformer keeps the keys and values of the words before. With *no cache* it computes them "
        f"anew for every word, which takes {ratios}. {same if kept.words == anew.words else other}"
    )


def cost_questions(texts: Texts, cost: str, n_bytes: int, n_read: int) -> tuple[Question | None, ...]:
    """Ask about the chosen cost: `n_bytes` are kept of the `n_read` words of the text so far."""
    if cost == MEMORY:
        doubled = kept_bytes(shapes(texts.config)[texts.writer], 2 * n_read)
        shared = multi_query_question(texts.config.n_heads)
        return doubled_text_question(texts.writer, doubled / n_bytes), shared
    text, network = texts.own, next(iter(RECURRENT))
    attention, recurrent = (operations(text, name, "training") for name in (TRANSFORMER, network))
    learning = learning_operations_question(len(text.words), attention, recurrent)
    return learning, static_question("waits_while_it_writes")


def doubled_text_question(writer: str, ratio: float) -> Choose | None:
    """Ask how much more a writer keeps of a text twice as long; `ratio` is the right factor."""
    grows = isclose(ratio, 2)
    return choose(
        f"A text becomes twice as long. How much of it does the {writer} keep to write the next word?",
        Option(
            "as much as before",
            isclose(ratio, 1),
            "A Transformer keeps a key and a value of every word, so that later words can attend to them.",
        ),
        Option(
            "twice as much",
            grows,
            "A recurrent network hands on states of one size: a longer text has to fit into them.",
        ),
        Option(
            "four times as much",
            isclose(ratio, 4),
            "Attention has a weight for each pair of words, four times as many, but none of them is kept.",
        ),
        because=(
            "Keys and values of all words are kept, so that none is computed twice."
            if grows
            else "Its states have one size for every text."
        ),
    )


def multi_query_question(n_heads: int) -> Estimate | None:
    """Ask how much multi-query attention saves; None for a model with one head."""
    if n_heads < 2:
        return None
    share = 100 / n_heads
    return Estimate(
        text=(
            f"A Transformer has {n_heads} heads in each layer, each with a key and a value of every word. "
            "Suppose that all heads of a layer share one key and one value, each as wide as before. How much "
            "of the cache is left?"
        ),
        right=share,
        bounds=(0, 100),
        unit="%",
        decimals=1,
        near=share / 10,
        mistaken=((100.0, "The queries stay, but only keys and values are kept."),),
        because=f"One key and one value are left of {n_heads} each. This is multi-query attention.",
    )


def learning_operations_question(n_words: int, attention: int, recurrent: int) -> Estimate:
    """Ask for the serial operations of a Transformer to learn from a text of `n_words`."""
    return Estimate(
        text=(
            f"A Transformer of {counted(N_LAYERS, 'layer')} learns from {counted(n_words, 'word')} in a "
            "forward pass over all but the last word, and a backward pass. How many serial operations is "
            "that, if a layer of attention counts as one?"
        ),
        right=attention,
        bounds=(0, 1000),
        unit="operations" if attention > 1 else "operation",
        mistaken=mistakes(attention, (recurrent, ONE_BY_ONE)),
        because=f"One for each layer, forward and backward. A recurrent network needs {recurrent}.",
    )
