"""Memory: what a model keeps of the words before, keys and values or states, and the costs of a text."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.generation.costs import (
    GATES,
    QUANTITIES,
    attended,
    kept_bytes,
    memory_table,
    remembered_states,
    serial_table,
    word_times,
)
from core.measures.generation.writing import WRITERS, GeneratedText, member_of, shapes
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.programs import Call
from core.sources.trained import load_language_model
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.prose import literal
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Columns,
    Controls,
    Gesture,
    LinkValues,
    Part,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
)
from pages.contract.view import view
from pages.generation.costs import (
    MEMORY,
    SERIAL,
    TIME,
    cost_parts,
    cost_questions,
    describe_shared_keys,
)
from pages.generation.real_memory import real_memory
from pages.generation.texts import STEP, WALK, Texts, ask_texts, ask_walk, labels, manual_choices_note
from pages.generation.writer import OF_ONE, model_of
from viz.layout.cells import NOISE, Gap
from viz.matrices import HeadMatrix
from viz.number_map import NumberMap
from viz.text import unique_words
from words import enumerated, per_cent, signed
from words import memory as bytes_of

MOST_NAMED = 3

NOT_READ = Gap(
    sign="",
    hover="masked, or not read yet",
    legend="masked, or not read yet",
    brief="masked, or not read yet",
)

WIDTHS = (3.0, 2.0)
"""Weights of the columns: on a large page the matrix has room for its legend beside it."""

COSTS_PANEL = 2
"""The number of the panel with the costs, which a hall can see alone."""

SHOWN, COST = "shown", "cost"
"""Spots of the menu of heads or states, and of the menu of costs."""

ROLES = {
    "forget_gate": "In each unit, 1 keeps all of the cell and 0 forgets it.",
    "input_gate": "In each unit, 1 lets all of the candidate into the cell.",
    "output_gate": "In each unit, 1 makes tanh of the cell the state, and 0 makes the state 0.",
    "candidate": "The input gate decides how much of it enters the cell.",
    "cell": "The forget gate keeps or forgets it, and nothing squashes it on its way.",
    "hidden": "From the state of the last layer the network predicts the next word.",
}
MORE = "What gates leave of the cell over a sentence: [Gradients](/gradients?view=gates)."
KEPT = (
    "Rows do not change as the text grows. So the keys and values of all heads can be kept, in both layers: "
    "this is the key–value cache."
)


@view(
    question="What does a model keep of the words before?",
    about="layer",
    **OF_ONE | {"switches": OF_ONE["switches"] | {"model"}},
    sources=("trained",),
    pieces=MAX_WORDS,
)
def memory(ask: Ask, scene: Scene) -> Sheet:
    """Show on the left the writer's memory of the words before, and on the right the costs of its text."""
    if scene.pieces is not None:
        return real_memory(ask, scene)
    texts = ask_texts(ask, scene)
    text = texts.own
    quantity = ""
    with ask.at(SHOWN):
        if texts.writer != TRANSFORMER:
            quantity = _ask_quantity(ask, texts.writer)
        elif texts.config.n_heads > 1:
            head = ask.menu("head", options=range(1, texts.config.n_heads + 1), default=1)
            scene = replace(scene, head=head - 1)
    step = ask_walk(ask, texts, len(text.written))
    with ask.at(COST):
        cost = ask.choice("cost", hide_label=True)
    at, words = text.n_given + step - 1, text.words[:-1]  # the last word is not read
    sees_costs_alone = ask.look.fills and ask.look.panel == COSTS_PANEL
    costs = cost_parts(ask, texts, cost, at + 1)
    n_bytes = kept_bytes(shapes(texts.config)[texts.writer], at + 1)
    if quantity:
        values = _states(words, texts.writer, texts.config)[quantity][scene.layer]
        shown = _of_states(texts, quantity, values, scene.layer, step)
        of_picture = "" if sees_costs_alone else f" The picture shows layer {scene.layer + 1}."
        headline = describe_states(texts.writer, step, n_bytes) + of_picture
    else:
        values = _attended(words, texts.config)[scene.layer, scene.head]
        shown = _of_attention(text, values, scene, step)
        shared = describe_shared_keys(texts.config, at + 1) if cost == MEMORY and sees_costs_alone else ""
        most = describe_most_attended(text.words, values[at], scene.layer, scene.head)
        headline = (
            f"At step {step + 1} the {TRANSFORMER} keeps {bytes_of(n_bytes)} of keys and values{shared}."
        )
        headline += f" {most}" * (not sees_costs_alone)
    return Sheet(
        headline=headline,
        caption=Caption(models=lambda: (texts.switches.described(),), notes=manual_choices_note(text)),
        unknown=tuple(text.unknown),
        parts=(Controls(WALK), Columns(((Controls(SHOWN), *shown), (Controls(COST), *costs)), WIDTHS)),
        questions=lambda: cost_questions(texts, cost, n_bytes, at + 1),
        program=lambda: _program(texts, cost),
    )


def _ask_quantity(ask: Ask, writer: str) -> str:
    """Return the quantity of a recurrent network's states that is shown."""
    names = {readable(name): name for name in QUANTITIES[writer]}
    shown = next(iter(names))
    if len(names) > 1:
        shown = ask.menu("quantity", options=list(names), default=shown, width=220)
    return names[shown]


def readable(name: str) -> str:
    """Return a recorded name in words: forget gate, state."""
    return "state" if name == "hidden" else name.replace("_", " ")


@cached_for_all()
def _attended(words: tuple[str, ...], config: ModelConfig) -> Float[np.ndarray, "layer head query key"]:
    model = model_of(TRANSFORMER, config)
    assert isinstance(model, Transformer), "its name says so"
    return attended(model, words)


@cached_for_all()
def _states(
    words: tuple[str, ...], writer: str, config: ModelConfig
) -> dict[str, Float[np.ndarray, "layer word unit"]]:
    model = model_of(writer, config)
    assert isinstance(model, RecurrentLanguageModel), "a Transformer has no state"
    return remembered_states(model, words)


def _of_attention(
    text: GeneratedText, pattern: Float[np.ndarray, "query key"], scene: Scene, step: int
) -> tuple[Part, ...]:
    """Return the weights of a head up to the step: each word read adds a row."""
    at = text.n_given + step - 1
    seen = np.arange(len(pattern)) <= at
    picture = HeadMatrix(
        pattern=pattern,
        words=labels(text)[:-1],
        title=f"Attention weights, {scene.place}, at step {step + 1}",
        short=f"{scene.place[0].upper()}{scene.place[1:]}, at step {step + 1}",
        allowed=np.tri(len(pattern), dtype=bool) & seen[:, None],
        gap=NOT_READ,
        selected=(at, int(pattern[at].argmax())),
    )
    return (
        PicturePart("attended", picture, on_click=_gesture(text)),
        Text(f"{describe_largest_weight(text.words, at, pattern[at])} {KEPT}"),
    )


def describe_most_attended(
    words: Sequence[str], weights: Float[np.ndarray, "key"], layer: int, head: int
) -> str:
    """Return what a head attends to most from the last word."""
    most = int(weights.argmax())
    name, share = literal(unique_words(words)[most]), per_cent(float(weights[most]))
    place = f"Head {head + 1} of layer {layer + 1}"
    if np.count_nonzero(weights) == 1:
        return f"{place} has only *{name}* to attend to."
    if np.sum(weights > weights[most] - NOISE) > 1:
        return f"{place} gives no word more than *{name}* ({share})."
    return f"{place} attends most to *{name}* ({share})."


def describe_largest_weight(words: Sequence[str], at: int, weights: Float[np.ndarray, "key"]) -> str:
    """Return the largest weight of the head from the word at `at`, with which it predicts the next one."""
    names = unique_words(words)
    largest = np.argsort(-weights[: at + 1], kind="stable")[:MOST_NAMED]
    listed = enumerated([f"{per_cent(float(weights[key]))} to *{literal(names[key])}*" for key in largest])
    later = "" if at + 2 == len(words) else " The rows below belong to later words."
    chosen, asking = literal(words[at + 1]), literal(names[at])
    return f"Before *{chosen}* is chosen, *{asking}* gives {listed}.{later}"


def _of_states(
    texts: Texts, name: str, states: Float[np.ndarray, "word unit"], layer: int, step: int
) -> tuple[Part, ...]:
    """Return a row of numbers for each word that has been read."""
    text, words = texts.own, texts.own.words[:-1]
    at = text.n_given + step - 1
    values = np.where((np.arange(len(words)) <= at)[:, None], states, np.nan)
    what = f"{texts.writer}, layer {layer + 1}, {readable(name)}"
    columns = [f"unit {unit}" for unit in range(values.shape[1])]
    table = pd.DataFrame(values, index=pd.Index(unique_words(words), name="word"), columns=columns)
    picture = NumberMap(
        values=values,
        title=f"{what}, after each word",
        of=readable(name),
        x_title="unit of the state",
        y_title="word read",
        rows=labels(text)[:-1],
        bare="not read yet",
        limit=float(np.abs(states).max()) if name == "cell" else 1.0,
        of_shares=name.endswith("gate"),
        make_table=lambda: table,
    )
    return (
        Text(f"**{what}** after each word, at step {step + 1}"),
        PicturePart("states", picture, on_click=_gesture(text)),
        Text(describe_mean(unique_words(words)[at], name, values[at])),
    )


def describe_states(writer: str, step: int, n_bytes: int) -> str:
    """Return the memory that a recurrent network has of the words before."""
    kept = "states and cells" if writer == "LSTM" else "states"
    return (
        f"At step {step + 1} the {writer} has {bytes_of(n_bytes)} of {kept} in both layers, however long the "
        "text is."
    )


def describe_mean(word: str, name: str, values: Float[np.ndarray, "unit"]) -> str:
    """Return the mean of the shown quantity after a word, and its purpose."""
    between = ", between 0 and 1" if name in GATES else ""
    more = f" {MORE}" if name in GATES else ""
    return (
        f"The {len(values)} numbers of the {readable(name)} after *{literal(word)}* have the mean "
        f"{signed(float(values.mean()))}{between}. {ROLES[name]}{more}"
    )


def _gesture(text: GeneratedText) -> Gesture:
    """Return the effect of a click on a row: it goes to the step at which the model has read that far."""

    def choose_step(points: Sequence[Point], link: LinkValues) -> Changes:
        return {STEP: min(max(0, points[-1]["y"] - text.n_given + 1) + 1, len(text.written))}

    return choose_step


def _program(texts: Texts, cost: str) -> Program:
    words, config, n_given = texts.own.words, texts.config, texts.own.n_given
    if cost == TIME:
        models = {writer: Call(load_language_model, member_of(writer, config)) for writer in WRITERS}
        title = "Seconds for one more word after texts of several lengths: the median of each model."
        return Program.calling(title, word_times, models, prints="what this machine takes, in seconds")
    if cost == SERIAL:
        return Program.calling(
            "Serial operations: to learn from a text, and to write it.",
            serial_table,
            [len(words)],
            n_given=n_given,
            n_layers=N_LAYERS,
            prints="serial operations, of training and of writing",
        )
    return Program.calling(
        "What each model keeps of a text to continue it, in bytes.",
        memory_table,
        shapes(config),
        [len(words)],
        prints="the bytes kept of this text",
    )
