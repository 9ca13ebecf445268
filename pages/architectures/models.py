"""Encoder, decoder, and the two together: the drawing on the left, the chosen part on the right."""

import pandas as pd
import streamlit as st

from core.measures.architectures.about import spoken
from core.measures.architectures.diagram import Box, diagram
from core.measures.architectures.models import Seen, seen_pair, seen_stack
from core.model.config import PairConfig
from core.programs.architectures import pair_program, stack_program, translator_program
from pages.architectures.complaint import say_no_translation
from pages.architectures.drawing import drawn_boxes, shape
from pages.architectures.part import chosen_part, part_panel
from pages.controls.memory import remembered_within
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room, tallest
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from pages.translation.kinds import CROSS, ROWS
from viz.architectures import architecture, describe_architecture
from viz.text import counted

ROOM_FOR_MODELS = 128 * 2**20
"""Bytes of all that models have computed and that is kept for all visitors together."""

FIGURE, PAIR_FIGURE, NARROW_PAIR = 560, 620, 340
"""Pixels of the drawing of one stack and of two, and those that two need at least."""

ABOVE = 240
"""Pixels of page above the drawing in a low window."""

STACK, PAIR = "stack", "pair"

TRAINED = "The model was trained to translate; [Translation](/translation?view=cross-attention) is its page."
UNTRAINED = (
    "No encoder–decoder was trained with these switches, so its weights are random and have learned nothing."
)
TRAINED_ONES = "Trained ones have rotary positions, pre-norm, one or two layers and everything in place."

PRINTS = "the name, the shape and the mean norm of everything recorded, in the order in which it is computed"


def stack(scene: Scene) -> Program:
    """One stack, which its mask makes an encoder or a decoder."""
    seen = _seen(scene.words, scene.switches, what=STACK)
    scene.name_unknown(seen.unknown)
    _show(scene, seen, default="self-attention", width=FIGURE)
    st.markdown(_told_stack(scene, seen))
    st.caption(f"After the CS 224N note, Figure {4 if scene.switches.config.mask == 'causal' else 5}.")
    return Program(lambda: stack_program(scene.subject), prints=PRINTS)


def pair(scene: Scene) -> Program:
    """An encoder, and a decoder that attends to its output."""
    seen = _seen(scene.words, scene.switches, what=PAIR)
    scene.name_unknown(seen.unknown)
    if seen.trained is None:
        scene.notes.info(UNTRAINED)
    if seen.complaint:
        say_no_translation(scene.notes, seen.complaint)
    _show(scene, seen, default="decoder: cross-attention", width=PAIR_FIGURE)
    st.markdown(_told_pair(seen))
    st.caption(f"After the CS 224N note, Figure 6. {TRAINED if seen.trained else TRAINED_ONES}")
    return Program(lambda: _pair_program(scene, seen), prints=PRINTS)


def _pair_program(scene: Scene, seen: Seen) -> str:
    if seen.trained is not None:
        return translator_program(scene.plain, seen.target, seen.trained)
    assert isinstance(seen.config, PairConfig), "what was seen is a pair"
    return pair_program(scene.plain, seen.target, seen.config, seed=scene.switches.seed)


@remembered_within(ROOM_FOR_MODELS, lambda seen: seen.anatomy.n_bytes)
def _seen(words: tuple[str, ...], switches: Architecture, *, what: str) -> Seen:
    if what == PAIR:
        return seen_pair(words, switches.config, seed=switches.seed)
    return seen_stack(words, switches.config, source=switches.source, seed=switches.seed)


def _show(scene: Scene, seen: Seen, *, default: str, width: int) -> None:
    """The drawing with its sizes, and beside it the part that is chosen by a click or in the menu."""
    boxes = diagram(seen.anatomy, scene.layer)
    left, right = columns([3, 2])
    with right:
        box, part = chosen_part(scene, seen, boxes, default)
    with left:
        _draw(seen, boxes, box, scene.layer, width)
        st.caption(_sizes(seen))
    with right:
        part_panel(scene, seen, box, part)


def _draw(seen: Seen, boxes: tuple[Box, ...], chosen: Box, layer: int, width: int) -> None:
    shown = drawn_boxes(seen, boxes, layer)
    picture(
        architecture(
            shown,
            theme=theme(),
            width=room(width, at_least=NARROW_PAIR),
            tallest=tallest(ABOVE),
            chosen=chosen.name,
        ),
        key="architecture",
        alt=describe_architecture(shown),
        table=lambda: _table(boxes),
        on_click=_choose,
    )


def _choose(point: Point) -> None:
    st.session_state["part"] = spoken(point["data"])


def _table(boxes: tuple[Box, ...]) -> pd.DataFrame:
    """A row for each box, from the words upwards."""
    rows = {
        "made of": [", ".join(spoken(one) for one in box.inputs) for box in boxes],
        "shape": [shape(box.shape) for box in boxes],
        "place": [f"{box.last.place.file}:{box.last.place.line}" if box.last.place else "" for box in boxes],
    }
    return pd.DataFrame(rows, index=pd.Index([spoken(box.name) for box in boxes], name="part"))


def _sizes(seen: Seen) -> str:
    """What the numbers at the arrows are."""
    config = seen.config_of("encoder")
    words = f"n = {counted(len(seen.source), 'word')}"
    if seen.target:
        words += f" in, {len(seen.target)} in the translation with its start"
    vocabulary = f"{seen.config_of('decoder').vocab_size} words to choose from"
    heads = f"{counted(config.n_heads, 'head')} of {config.d_head}"
    return f"{words}; d = {config.d_model} numbers for each; {heads}; {vocabulary}."


def _told_stack(scene: Scene, seen: Seen) -> str:
    """What the mask makes of this stack, whichever it is."""
    n = len(seen.source)
    if scene.switches.config.mask == "causal":
        hidden = n * (n - 1) // 2
        hides = (
            f"hides {hidden} of {n * n} weights in every head" if hidden else "has one word and hides nothing"
        )
        return (
            f"With the causal mask this stack is a **decoder**: the mask {hides}, so no word attends to a "
            "later one. Encoder and decoder are one class: press *bidirectional* in *Mask*, and nothing else "
            "in the drawing changes."
        )
    return (
        f"Without a mask on the future this stack is an **encoder**: {_all_words(n)}. Encoder "
        "and decoder are one class: press *causal* in *Mask*, and nothing else in the drawing changes."
    )


def _all_words(n: int) -> str:
    return "its one word attends to itself" if n == 1 else f"every word attends to all {n}"


def _told_pair(seen: Seen) -> str:
    n, m = len(seen.source), len(seen.target)
    read = "its one word" if n == 1 else f"all {n} words at once"
    return (
        f"The encoder reads {read}. Every block of the decoder then attends twice: under a "
        "mask to the words written so far, and by **cross-attention** to the encoder, with weights "
        f"{m} × {n}, target × source. {ROWS[CROSS]} Keys and values come from the output of the encoder in "
        "every block."
    )
