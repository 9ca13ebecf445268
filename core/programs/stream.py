"""The program of the view residual stream: how long every word's vector is from block to block."""

from dataclasses import replace

from core.programs.forward import pieces_of
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def stream_program(subject: Subject) -> str:
    """A program that prints for each word the length of its vector before the first block and after each."""
    n_layers = subject.model.n_layers
    pieces = pieces_of(replace(subject, layer=n_layers - 1))
    parts = [
        pieces["start"],
        pieces["attention"],
        pieces["block"],
        pieces["embedded"],
        pieces["allowed"],
        _LENGTHS.format(n_layers=n_layers),
        printing_rows("torch.stack(lengths, 1)"),
    ]
    return program(f"Lengths of the residual stream, before and after {n_layers} blocks.", "\n\n".join(parts))


_LENGTHS = paragraph("""
    lengths = [x.norm(dim=-1)]
    for i in range({n_layers}):
        x = block(x, f"blocks.{{i}}")
        lengths.append(x.norm(dim=-1))
""")
