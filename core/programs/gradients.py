"""A program: the gradient of the last block of fresh models, by the placement of the norm."""

from collections.abc import Sequence
from dataclasses import replace

from core.measures.blocks.norms import COMPARED, DEPTHS
from core.model.config import ModelConfig, Norm
from core.programs.forward import pieces_of
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def gradients_program(
    words: tuple[str, ...], config: ModelConfig, *, seed: int, norms: Sequence[Norm] = COMPARED
) -> str:
    """Return a program that prints a line for each norm: the gradient of the last block at each of `DEPTHS`.

    `words` and `config` are those of `core.measures.blocks.norms.last_block_gradients`.
    """
    deep = replace(config, n_layers=DEPTHS[-1], norm="pre")
    subject = Subject(words=words, config=deep, source="random", seed=seed, layer=DEPTHS[-1] - 1)
    pieces = pieces_of(subject)
    parts = [
        pieces["start"],
        _PRECISE,
        pieces["attention"],
        _AROUND.format(sum="x + " * config.residual) + "\n",
        _BLOCK + (_FEED_FORWARD if config.mlp else "\n    return x") + "\n",
        _LOSS + "\n",
        pieces["embedded"],
        pieces["allowed"],
        _OUTPUT,
        _LAST.format(
            norms=tuple(norms), depths=DEPTHS, matrix="mlp.contract" if config.mlp else "attention.output"
        ),
    ]
    title = "The gradient of the last block before training, by where layer norm stands."
    return program(title, "\n\n".join(parts))


_PRECISE = (
    "weights = {path: weight.double() for path, weight in weights.items()}  "
    "# deep models without a norm need the digits"
)

_AROUND = paragraph('''
    def around(x, part, norm):
        """A part of a block with its layer norm: before it, after the sum, or nowhere."""
        change = part(layer_norm(x, norm) if norm == "pre" else x)
        return layer_norm({sum}change, norm) if norm == "post" else {sum}change
''')

_BLOCK = paragraph("""
    def block(x, name, norm):
        def attend(x):
            *_, z = attention(x, f"{name}.attention")
            return linear(z.transpose(0, 1).reshape(n, d_model), f"{name}.attention.output")

        x = around(x, attend, norm)
""")

_FEED_FORWARD = """
    def feed_forward(x):
        return linear(linear(x, f"{name}.mlp.expand").relu(), f"{name}.mlp.contract")

    return around(x, feed_forward, norm)"""

_LOSS = paragraph('''
    def loss(x, norm, n_blocks):
        """Cross-entropy of the next word, in nats, of a model that compares states with word vectors."""
        for i in range(n_blocks):
            x = block(x, f"blocks.{i}", norm)
        x = layer_norm(x, "norm") if norm == "pre" else x
        return torch.nn.functional.cross_entropy((x @ unembed.T)[:-1], torch.tensor(targets)[1:])
''')

_OUTPUT = paragraph("""
    vocabulary = list(dict.fromkeys(words))
    targets = [vocabulary.index(word) for word in words]
    unembed = torch.stack([normal(f"word {word}", d_model) for word in vocabulary]).double() * d_model**-0.5
""")

_LAST = paragraph("""
    matrices = {{path: matrix.requires_grad_() for path, matrix in weights.items() if "blocks" in path}}
    for norm in {norms}:
        lengths = []
        for n_blocks in {depths}:
            last = matrices[f"blocks.{{n_blocks - 1}}.{matrix}.weight"]
            (gradient,) = torch.autograd.grad(loss(x, norm, n_blocks), [last])
            lengths.append(gradient.norm().item())
        print(f"{{norm:>5}}", *(f"{{length:.4g}}" for length in lengths))
""")
