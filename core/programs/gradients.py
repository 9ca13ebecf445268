"""The program of the view depth: gradient norms of fresh models by where the norm stands."""

from dataclasses import replace

from core.measures.blocks.gradients import DEPTHS
from core.model.config import ModelConfig
from core.programs.forward import pieces_of
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def gradients_program(words: tuple[str, ...], config: ModelConfig, *, n_layers: int, seed: int) -> str:
    """A program that prints the gradient norm of every block, a line for each placement of the norm.

    Two more lines, for pre-norm and post-norm, have that of the last block's second feed-forward matrix in
    models of `DEPTHS` blocks. `words` and `config` are those of
    `core.measures.blocks.gradients.gradients_at_start`.
    """
    most = max(n_layers, *DEPTHS)
    deep = replace(config, n_layers=most, norm="pre")
    subject = Subject(words=words, config=deep, source="random", seed=seed, layer=most - 1)
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
        _GRADIENTS.format(n_layers=n_layers),
        _LAST.format(depths=DEPTHS, matrix="mlp.contract" if config.mlp else "attention.output"),
    ]
    title = f"Gradient norms of {n_layers} blocks before training, with pre-norm, post-norm and no norm."
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

_GRADIENTS = paragraph("""
    matrices = {{path: matrix.requires_grad_() for path, matrix in weights.items() if "blocks" in path}}
    used = {{path: matrix for path, matrix in matrices.items() if int(path.split(".")[1]) < {n_layers}}}
    for norm in ("pre", "post", "none"):
        squares = [0.0] * {n_layers}
        gradients = torch.autograd.grad(loss(x, norm, {n_layers}), used.values())
        for path, gradient in zip(used, gradients):
            squares[int(path.split(".")[1])] += gradient.square().sum().item()
        print(f"{{norm:>5}}", *(f"{{square**0.5:.4g}}" for square in squares))
""")

_LAST = paragraph("""
    for norm in ("pre", "post"):
        lengths = []
        for n_blocks in {depths}:
            last = matrices[f"blocks.{{n_blocks - 1}}.{matrix}.weight"]
            (gradient,) = torch.autograd.grad(loss(x, norm, n_blocks), [last])
            lengths.append(gradient.norm().item())
        print(f"{{norm:>5}}", *(f"{{length:.4g}}" for length in lengths))
""")
