"""Cross-attention of a translator of the collection, or of a pretrained encoder–decoder in its place."""

from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Sheet
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.translation import attention, in_pieces
from pages.translation.questions import cross_attention_asks
from pages.translation.real_pair import RealPair
from pages.translation.sentences import ONE

Choices = attention.Choices | in_pieces.Choices | None
Found = attention.Found | in_pieces.Found


def ask(ask: Ask, scene: Scene) -> Choices:
    """What the model of the switches can be asked."""
    if isinstance(scene.switches, RealPair):
        return in_pieces.ask(ask, scene)
    return attention.ask(ask, scene)


def find(scene: Scene, choices: Choices) -> Found:
    """The weights of that model."""
    if isinstance(choices, in_pieces.Choices):
        return in_pieces.find(scene, choices)
    return attention.find(scene, choices)


def sheet(found: Found, look: Look) -> Sheet:
    """What it attends to."""
    if isinstance(found, in_pieces.Found):
        return in_pieces.sheet(found, look)
    return attention.sheet(found, look)


def questions(found: Found) -> tuple[Question | None, ...]:
    """What attends to what."""
    return (cross_attention_asks(),)


def program(found: Found) -> Program | None:
    """The weights of the chosen head."""
    if isinstance(found, in_pieces.Found):
        return in_pieces.program(found)
    return attention.program(found)


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    about="head",
    defaults={"layer": 2},
    pieces=MAX_WORDS,
    **ONE,
)
