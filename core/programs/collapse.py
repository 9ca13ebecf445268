"""The program of the view in which two layers of attention become one."""

from dataclasses import replace

from core.model.config import ModelConfig
from core.programs.forward import pieces_of
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def collapse_program(subject: Subject) -> str:
    """A program that prints A₂A₁, and how far three computations are from one layer after the other.

    `subject.head` is the head of both layers; its layer does not count.
    """
    subject = replace(subject, layer=1)
    pieces = pieces_of(subject)
    parts = [
        pieces["start"],
        pieces["attention"],
        pieces["block"],
        pieces["embedded"],
        pieces["allowed"],
        _WEIGHTS.format(head=subject.head, entering=_entering(subject.model)),
        _BOTH_WAYS,
        printing_rows("A2 @ A1"),
        _DIFFERENCES,
    ]
    title = f"Two layers of attention, head {subject.head + 1} of each, one after the other and as one."
    return program(title, "\n\n".join(parts))


def _entering(config: ModelConfig) -> str:
    return 'layer_norm(x, f"blocks.{i}.attention_norm")' if config.norm == "pre" else "x"


_WEIGHTS = paragraph("""
    X, A, V = x.double(), [], []
    part = slice({head} * d_head, {head} * d_head + d_head)  # what belongs to head {head} counted from 0
    for i in range(2):
        A.append(attention({entering}, f"blocks.{{i}}.attention")[4][{head}].double())
        values = weights[f"blocks.{{i}}.attention.value.weight"][part].double()
        output = weights[f"blocks.{{i}}.attention.output.weight"][:, part].double()
        V.append((output @ values).T)
        x = block(x, f"blocks.{{i}}")
    (A1, A2), (V1, V2) = A, V
""")

_BOTH_WAYS = paragraph("""
    in_turn = A2 @ (A1 @ X @ V1) @ V2
    others = {
        "one layer": (A2 @ A1) @ X @ (V1 @ V2),
        "ReLU between": A2 @ (A1 @ X @ V1).relu() @ V2,
        "taken apart": A2.sum(1, keepdim=True) * A1 @ X @ (V1 @ V2),
    }
""")

_DIFFERENCES = paragraph("""
    for name, other in others.items():
        print(f"{name:>12} {(other - in_turn).abs().max():.3g}")
""")
