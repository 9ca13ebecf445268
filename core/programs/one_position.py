"""The program of the view one position: what taking one word's vector out does to all outputs."""

from core.model.config import ModelConfig
from core.programs.forward import hidden_layer, pieces_of, through_blocks
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def one_position_program(subject: Subject, position: int) -> str:
    """A program that prints, for each word, the change of what feed-forward and attention give it.

    `position` is that of the word taken out, counted from 0; the subject's head does not count.
    """
    pieces, layer = pieces_of(subject), subject.layer
    parts = [
        pieces["start"],
        pieces["attention"],
        pieces["block"] if layer else "",
        _PARTS.format(
            name=f"blocks.{layer}", hidden=hidden_layer("x", subject.model, block=f"blocks.{layer}")
        )
        + "\n",
        _WITHOUT.format(position=position) + "\n",
        pieces["embedded"],
        pieces["allowed"],
        through_blocks(layer),
        _entering(subject.model, f"blocks.{layer}"),
        _CHANGES,
    ]
    title = f"The vector of word {position + 1} set to zero in layer {layer + 1}: which outputs change?"
    return program(title, "\n\n".join(one for one in parts if one))


def _entering(config: ModelConfig, name: str) -> str:
    """Lines that give what enters attention and what enters the feed-forward layer."""
    pre, post = config.norm == "pre", config.norm == "post"
    add = "x + " if config.residual else ""
    return "\n".join(
        [
            f'to_attention = layer_norm(x, "{name}.attention_norm")' if pre else "to_attention = x",
            f"mid = {add}attend(to_attention)",
            *([f'mid = layer_norm(mid, "{name}.attention_norm")'] if post else []),
            f'to_feed_forward = layer_norm(mid, "{name}.mlp_norm")' if pre else "to_feed_forward = mid",
        ]
    )


_PARTS = paragraph("""
    def attend(x):
        *_, z = attention(x, "{name}.attention")
        return linear(z.transpose(0, 1).reshape(n, -1), "{name}.attention.output")


    def feed_forward(x):
        return linear({hidden}, "{name}.mlp.contract")
""")

_WITHOUT = paragraph('''
    def change(part, x):
        """How much each word's output changes without one vector, as a share of its length."""
        without = x.clone()
        without[{position}] = 0
        return (part(without) - part(x)).norm(dim=-1) / part(x).norm(dim=-1)
''')

_CHANGES = paragraph("""
    changes = zip(words, change(feed_forward, to_feed_forward), change(attend, to_attention))
    for word, in_feed_forward, in_attention in changes:
        print(f"{word:>12} feed-forward {in_feed_forward:.4f}  attention {in_attention:.4f}")
""")
