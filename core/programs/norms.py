"""A program: the short training, one placement of the norm after the other."""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import indent

from core.learning.tasks import NEXT_WORD
from core.measures.blocks.norms import RECIPE, small
from core.model.config import NORMS, ModelConfig, Norm
from core.programs.text import program
from core.programs.training import architecture, imports, loop, setting


def norms_program(config: ModelConfig, *, n_layers: int, seed: int, norms: Sequence[Norm] = NORMS) -> str:
    """Return a program that prints the loss of every step of every model; as long as the training it repeats.

    The arguments are those of `core.measures.blocks.norms.short_training`.
    """
    fresh = architecture(small(config, NORMS[0], n_layers=n_layers), norm="norm")
    return program(
        f"Short training of models {n_layers} blocks deep, in the app's folder.",
        imports(),
        setting(NEXT_WORD.name, replace(RECIPE, seed=seed), RECIPE.steps),
        f"for norm in {tuple(norms)!r}:\n" + indent(f"print(norm)\n{fresh}\n{loop(RECIPE)}", "    "),
    )
