"""The program of the trainings that were measured once: one after the other, with their own recipes."""

from collections.abc import Sequence

from core.learning.tasks import NEXT_WORD
from core.measures.blocks.norms import STEPS, Setting
from core.programs.text import program
from core.programs.training import architecture, imports, loop, setting


def trainings_program(settings: Sequence[Setting], last: int = STEPS) -> str:
    """A program that prints the loss of every step of every training up to the step `last`."""
    trainings = [
        "\n".join(
            [
                f'print("{one.norm}-norm, warm-up of {one.warm_up} steps, residual: {one.residual}")',
                architecture(one.config),
                loop(one.recipe),
            ]
        )
        for one in settings
    ]
    return program(
        "Short trainings with and without residual connections or warm-up, in the app's folder.",
        imports(),
        setting(NEXT_WORD.name, settings[0].recipe, last),
        *trainings,
    )
