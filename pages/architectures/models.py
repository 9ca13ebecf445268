"""Encoder, decoder, and the two together: the drawing on the left, the chosen part on the right."""

from dataclasses import dataclass

import pandas as pd

from core.measures.architectures.about import spoken
from core.measures.architectures.diagram import Box, diagram
from core.measures.architectures.models import Seen, random_pair, seen_pair, seen_stack, trained_pair
from core.measures.masking.painting import mask_of
from core.model.config import PairConfig
from core.model.masks import MASKS
from core.model.models import EncoderDecoder
from core.programs.architectures import pair_program, stack_program, translator_program
from core.sources.translators import load_translator
from pages.architectures import models_said as says
from pages.architectures import questions as expected
from pages.architectures import titles
from pages.architectures.complaint import no_translation
from pages.architectures.drawing import drawn_boxes, shape
from pages.architectures.part import Chosen, ask_part, panel
from pages.contract.ask import Ask
from pages.contract.look import STACKED, Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Answer, Columns, Notice, Part, Remark, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from pages.shell.loading import loaded
from viz.architectures import architecture

FIGURE, PAIR_FIGURE, NARROW_PAIR = 560, 620, 320
"""Pixels of the drawing of one stack and of two, and those that two need at least."""

ABOVE, ANSWER = 274, 41
"""Pixels of page above the drawing in a low window, and of an answer above it."""

STACK, PAIR = "stack", "pair"

PRINTS = "the name, the shape and the mean norm of everything recorded, in the order in which it is computed"


@dataclass(frozen=True)
class Found:
    """A model that was seen at work on the sentence, the boxes of its drawing, and the selected part."""

    scene: Scene
    seen: Seen
    boxes: tuple[Box, ...]
    chosen: Chosen


def ask_stack(ask: Ask, scene: Scene) -> Chosen:
    """The part of one stack."""
    seen = _seen(scene.words, scene.switches, what=STACK)
    return ask_part(ask, seen, diagram(seen.anatomy, scene.layer), "self-attention")


def ask_pair(ask: Ask, scene: Scene) -> Chosen:
    """The part of an encoder and a decoder."""
    seen = _seen(scene.words, scene.switches, what=PAIR)
    return ask_part(ask, seen, diagram(seen.anatomy, scene.layer), "decoder: cross-attention")


def find_stack(scene: Scene, chosen: Chosen) -> Found:
    """One stack, which its mask makes an encoder or a decoder."""
    seen = _seen(scene.words, scene.switches, what=STACK)
    return Found(scene, seen, diagram(seen.anatomy, scene.layer), chosen)


def find_pair(scene: Scene, chosen: Chosen) -> Found:
    """An encoder, and a decoder that attends to its output."""
    seen = _seen(scene.words, scene.switches, what=PAIR)
    return Found(scene, seen, diagram(seen.anatomy, scene.layer), chosen)


@remembered()
def _seen(words: tuple[str, ...], switches: Architecture, *, what: str) -> Seen:
    if what == PAIR:
        return _seen_pair(words, switches)
    return seen_stack(loaded(words, switches))


def _seen_pair(words: tuple[str, ...], switches: Architecture) -> Seen:
    """The translator of the collection that has these switches, or else random weights."""
    trained = trained_pair(switches.config)
    if trained is None:
        return seen_pair(random_pair(switches.config, switches.seed), words)
    model = load_translator(trained, words).model
    assert isinstance(model, EncoderDecoder), "two stacks are a pair"
    return seen_pair(model, words, trained=trained)


def stack_sheet(found: Found, look: Look) -> Sheet:
    """What the mask makes of this stack, and its drawing."""
    config, n = found.scene.switches.config, len(found.seen.source)
    mask = MASKS[config.mask]
    return Sheet(
        answer=f"{says.stack_answer(n, mask, int((~mask_of(config, n)).sum()))} {_opened(found)}",
        unknown=tuple(found.seen.unknown),
        parts=(
            _drawn(found, look, width=FIGURE, above=ABOVE + ANSWER),
            Text(says.one_class(mask)),
            Remark(f"After the CS 224N note, Figure {4 if mask.hides else 5}."),
        ),
    )


def pair_sheet(found: Found, look: Look) -> Sheet:
    """How the decoder hears of the encoder, and the drawing of both."""
    seen = found.seen
    is_trained = seen.trained is not None
    beside = (Answer(),) if look.page >= STACKED else ()
    return Sheet(
        answer=f"{says.pair_answer(len(seen.source), len(seen.target))} {_opened(found)}",
        unknown=tuple(seen.unknown),
        notes=(*(() if is_trained else (Notice(says.UNTRAINED),)), *no_translation(seen.complaint)),
        parts=(
            _drawn(found, look, width=PAIR_FIGURE, above=ABOVE, beside=beside),
            Text(says.CROSS_ATTENTION),
            Remark(f"After the CS 224N note, Figure 6. {says.TRAINED if is_trained else says.TRAINED_ONES}"),
        ),
    )


def _opened(found: Found) -> str:
    """Name the selected part, with its layer and its head if it has them."""
    box, scene = found.chosen.box, found.scene
    if box.attention is not None:
        place = f", {scene.place}"
    else:
        place = f", {scene.layer_place}" if box.in_block else ""
    return f"Opened is {spoken(box.name)}{place}."


def _drawn(found: Found, look: Look, *, width: int, above: int, beside: tuple[Part, ...] = ()) -> Columns:
    """The drawing with its sizes, and beside it the part that is chosen by a click or in the menu."""
    left, right = look.columns((3, 2), alone=True)
    drawing = _drawing(found, left, width, above), Remark(says.sizes(found.seen))
    part = panel(found.seen, found.chosen, found.scene.head, right)
    return Columns((drawing, (*beside, *part)), (3, 2), alone=True)


def _drawing(found: Found, look: Look, width: int, above: int) -> Shown:
    at_most = max(width, int(look.width)) if look.fills else width
    picture = architecture(
        drawn_boxes(found.seen, found.boxes, found.scene.layer),
        title=titles.of_model(found.seen),
        theme=look.theme,
        width=look.room(at_most, at_least=NARROW_PAIR),
        fills=look.fills,
        tallest=look.tallest(above),
        chosen=found.chosen.box.name,
        behind=lambda: _table(found.boxes),
    )
    return Shown("architecture", picture, on_click=lambda points, link: {"part": spoken(points[-1]["data"])})


def _table(boxes: tuple[Box, ...]) -> pd.DataFrame:
    """A row for each box, from the words upwards."""
    rows = {
        "made of": [", ".join(spoken(one) for one in box.inputs) for box in boxes],
        "shape": [shape(box.shape) for box in boxes],
        "place": [f"{box.last.place.file}:{box.last.place.line}" if box.last.place else "" for box in boxes],
    }
    return pd.DataFrame(rows, index=pd.Index([spoken(box.name) for box in boxes], name="part"))


def stack_questions(found: Found) -> tuple[Question | None, ...]:
    """What the mask hides, or what is seen if it hides nothing."""
    config, words = found.scene.switches.config, told_apart(found.seen.source)
    allowed = mask_of(config, len(words))
    if MASKS[config.mask].hides:
        return (expected.hidden_weights(config.mask, allowed),)
    return (expected.seen_by_first(words[0], len(words), int(allowed[0].sum())),)


def pair_questions(found: Found) -> tuple[Question | None, ...]:
    """How the decoder is connected with the encoder."""
    seen = found.seen
    return expected.queries_and_keys(), expected.cross_weights(len(seen.source), len(seen.target))


def stack_code(found: Found) -> Program:
    """Everything that the stack records."""
    return Program(lambda: stack_program(found.scene.subject), prints=PRINTS)


def pair_code(found: Found) -> Program:
    """Everything that both record."""
    return Program(lambda: _pair_program(found.scene, found.seen), prints=PRINTS)


def _pair_program(scene: Scene, seen: Seen) -> str:
    if seen.trained is not None:
        return translator_program(scene.plain, seen.target, seen.trained)
    assert isinstance(seen.config, PairConfig), "what was seen is a pair"
    return pair_program(scene.plain, seen.target, seen.config, seed=scene.switches.seed)
