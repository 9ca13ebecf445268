"""The program of the view layer norm: the statistics of every token before and after."""

from dataclasses import replace

from core.measures.blocks.norms import places
from core.model.config import ModelConfig
from core.programs.forward import hidden_layer, pieces_of, through_blocks
from core.programs.subject import Subject
from core.programs.text import paragraph, program
from core.programs.weights import epsilon_of


def normalised_program(subject: Subject, place: int) -> str:
    """A program that prints each word with the mean and deviation that its vector has before and after.

    `place` is a number of `core.measures.blocks.norms.places`; the subject's layer and head do not
    count.
    """
    layer, part = divmod(place, 1 + subject.config.mlp)
    subject = replace(subject, layer=layer)
    pieces, config = pieces_of(subject), subject.model
    parts = [
        pieces["start"],
        pieces["attention"],
        pieces["block"] if layer else "",
        pieces["embedded"],
        pieces["allowed"],
        through_blocks(layer),
        _entering(config, layer, part),
        _STATISTICS.replace("{epsilon}", epsilon_of(config)),
    ]
    title = f"Layer norm of every token: {places(subject.config)[place]}."
    return program(title, "\n\n".join(one for one in parts if one))


def _entering(config: ModelConfig, layer: int, part: int) -> str:
    """Lines that make of `x`, what enters the block, the vectors `h` that are normalised."""
    if config.norm != "post" and not part:
        return "h = x"
    name, add = f"blocks.{layer}", "x + " if config.residual else ""
    entering = f'layer_norm(x, "{name}.attention_norm")' if config.norm == "pre" else "x"
    lines = [
        f'*_, z = attention({entering}, "{name}.attention")',
        f'h = {add}linear(z.transpose(0, 1).reshape(n, -1), "{name}.attention.output")',
    ]
    if config.norm == "post" and part:
        lines += [
            f'x = layer_norm(h, "{name}.attention_norm")',
            f"hidden = {hidden_layer('x', config, block=name)}",
            f'h = {add}linear(hidden, "{name}.mlp.contract")',
        ]
    return "\n".join(lines)


_STATISTICS = paragraph("""
    mean, deviation = h.mean(-1, keepdim=True), h.std(-1, keepdim=True, correction=0)
    after = (h - mean) / (deviation**2 + {epsilon}).sqrt()
    for word, *vectors in zip(words, h, after):
        print(f"{word:>12}", *(f"{v.mean():.4f} {v.std(correction=0):.4f}" for v in vectors))
""")
