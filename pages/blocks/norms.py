"""The three placements of layer norm: their colours, what they are called, and the equations of a block."""

from core.model.config import ModelConfig
from pages.contract.sheet import Formula
from viz.theme import Theme

PLACED = {"pre": "with pre-norm", "post": "with post-norm", "none": "without layer norm"}


def placed(norm: str) -> str:
    """What a model with this placement is, as the end of a clause."""
    return PLACED[norm]


def colours(theme: Theme) -> dict[str, str]:
    """The three placements of the norm with their colours, in the order in which they are named."""
    return {"pre": theme.attention, "post": theme.value, "none": theme.recurrence}


def equations(config: ModelConfig) -> tuple[Formula, Formula]:
    """Placements of the norm in the two kinds of blocks that have one; `config` says whether they add."""
    plus, without = ("+ h", "") if config.residual else ("", ", without its residual connection")
    return (
        Formula(rf"h_\text{{pre-norm}} = f(\text{{LN}}(h)) {plus}", f"CS 224N note, eq 30{without}"),
        Formula(rf"h_\text{{post-norm}} = \text{{LN}}(f(h) {plus})", f"CS 224N note, eq 31{without}"),
    )


def residual_equation(norm: str) -> Formula:
    """The residual connection of a model with this placement of the norm."""
    right = {"pre": r"f(\text{LN}(h)) + h", "post": r"\text{LN}(f(h) + h)", "none": "f(h) + h"}[norm]
    placed_by = {"pre": " and 30", "post": " and 31", "none": ""}[norm]
    return Formula(rf"h \leftarrow {right}", f"CS 224N note, eq 29{placed_by}")
