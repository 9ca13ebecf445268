"""The program behind every view of the explorer."""

from typing import Protocol

from core.programs import attention_program
from pages.contract.program import Program
from pages.explorer.moved_states import Moved, moved_program
from pages.explorer.prediction import Expected
from pages.shell.scene import Scene


class WithPrediction(Protocol):
    """What a view has found that has the prediction beside it."""

    @property
    def scene(self) -> Scene:
        """What the view was given."""

    @property
    def expected(self) -> Expected:
        """What the model expects."""


def attention(scene: Scene) -> Program:
    """Prints the weights of the chosen head."""
    return Program(
        lambda: attention_program(scene.subject),
        prints=f"the weights of layer {scene.layer + 1}, head {scene.head + 1}",
    )


def program(found: WithPrediction) -> Program:
    """A program for the heads knocked out, where their effect is a change of states; else for the weights."""
    moved = moved_program(found.expected) if isinstance(found.expected, Moved) else None
    return moved or attention(found.scene)
