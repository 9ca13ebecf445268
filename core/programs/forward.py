"""The lines of a program that carry a sentence through a model up to the attention of one layer."""

from core.config import ModelConfig
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import paragraph, program
from core.programs.weights import imports, sentence, weights


def attention_program(subject: Subject) -> str:
    """A program that prints the attention weights of the head looked at."""
    title = f"Attention weights of layer {subject.layer + 1}, head {subject.head + 1}."
    return program(title, attention_of(subject), printing_rows(f"pattern[{subject.head}]"))


def pieces_of(subject: Subject) -> dict[str, str]:
    """Parts of a program about a whole model, which puts them together in its own way.

    `start` has the imports, the sentence and the weights up to the layer looked at; `attention` the function
    of that name and `block` that of a whole block; `embedded` gives `x`, what enters the first one;
    `allowed` the mask, (query, key).
    """
    config = subject.model
    start = [imports(subject), sentence(subject), weights(subject)]
    return {
        "start": "\n\n".join(start) + "\n",
        "attention": _ATTENTION.format(**_attention_of(config)) + "\n",
        "block": _block(config) + "\n",
        "embedded": _embedded(config),
        "allowed": _ALLOWED[config.mask] + _windowed(subject.window),
    }


def attention_of(subject: Subject) -> str:
    """Lines after which the layer looked at has `x`, `q`, `k`, `v`, `scores`, `allowed`, `pattern` and `z`.

    `x` (word, d_model) is what enters the queries, keys and values; `q`, `k`, `v` and `z` are (head,
    word, d_head), `scores`, not yet masked, and `pattern` (head, query, key), `allowed` (query, key).
    """
    config = subject.model
    parts = [
        imports(subject),
        sentence(subject),
        weights(subject) + "\n",
        _ATTENTION.format(**_attention_of(config)) + "\n",
        _block(config) + "\n" if subject.layer else "",
        _embedded(config),
        _ALLOWED[config.mask] + _windowed(subject.window),
        *([f'for i in range({subject.layer}):\n    x = block(x, f"blocks.{{i}}")'] if subject.layer else []),
        _looked_at(config, subject.layer),
    ]
    return "\n\n".join(part for part in parts if part)


_ATTENTION = paragraph('''
    {helpers}def attention(x, name):
        """Each head looks with its own slice of the projected vectors."""
        q, k, v = (
            linear(x, f"{{name}}.{{part}}").view(n, n_heads, d_head).transpose(0, 1)
            for part in ("query", "key", "value")
        ){turn}
        scores = q @ k.mT{scale}{bias}
        pattern = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        return q, k, v, scores, pattern, pattern @ v
''')

_TURN = paragraph('''
    def turn(vectors):
        """Rotary positions: pair i of a vector at position p turns by p / 10000^(2i/d_head)."""
        angles = torch.arange(n).double()[:, None] / 10_000 ** (torch.arange(0, d_head, 2).double() / d_head)
        cos, sin = angles.cos().float(), angles.sin().float()
        first, second = vectors[..., 0::2], vectors[..., 1::2]
        return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)
''')

_SLOPES = paragraph("""
    # Linear bias: scores fall with distance, at a slope of its own for each head.
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    bias = -slopes[:, None, None] * (torch.arange(n)[:, None] - torch.arange(n)).abs()
""")


def _attention_of(config: ModelConfig) -> dict[str, str]:
    """What differs from model to model in the function `attention`."""
    helpers = {"rotary": _TURN + "\n\n\n", "alibi": _SLOPES + "\n\n\n"}
    return {
        "helpers": helpers.get(config.positions, ""),
        "turn": "\n    q, k = turn(q), turn(k)" if config.positions == "rotary" else "",
        "scale": " / d_head**0.5" if config.scale else "",
        "bias": " + bias" if config.positions == "alibi" else "",
    }


def _block(config: ModelConfig) -> str:
    """One whole block, for the layers below the one looked at."""
    lines = [
        "def block(x, name):",
        f"    *_, z = attention({_entering('x', 'attention', config)}, " + 'f"{name}.attention")',
        '    change = linear(z.transpose(0, 1).reshape(n, d_model), f"{name}.attention.output")',
        *_leaving("attention", config),
    ]
    if config.mlp:
        lines += [
            f'    hidden = linear({_entering("x", "mlp", config)}, f"{{name}}.mlp.expand").relu()',
            '    change = linear(hidden, f"{name}.mlp.contract")',
            *_leaving("mlp", config),
        ]
    return "\n".join([*lines, "    return x"])


def _entering(x: str, part: str, config: ModelConfig) -> str:
    return f'layer_norm({x}, f"{{name}}.{part}_norm")' if config.norm == "pre" else x


def _leaving(part: str, config: ModelConfig) -> list[str]:
    lines = ["    x = x + change" if config.residual else "    x = change"]
    if config.norm == "post":
        lines.append(f'    x = layer_norm(x, f"{{name}}.{part}_norm")')
    return lines


def _embedded(config: ModelConfig) -> str:
    scale = " * d_model**0.5" if config.tied else ""
    return "\n".join([f'x = weights["embed.weight"][tokens]{scale}', *_POSITIONS.get(config.positions, [])])


_POSITIONS = {
    "learned": ['x = x + weights["positions.table"][:n]'],
    "sinusoidal": [
        "exponents = torch.arange(0, d_model, 2).double() / d_model",
        "angles = torch.arange(n).double()[:, None] / 10_000**exponents",
        "x = x + torch.stack([angles.sin(), angles.cos()], -1).flatten(-2).float()",
    ],
}

_ALLOWED = {
    "causal": "allowed = torch.ones(n, n).bool().tril()  # no word sees the future",
    "bidirectional": "allowed = torch.ones(n, n).bool()  # every word sees every word",
}


def _windowed(width: int | None) -> str:
    return "" if width is None else f"\nallowed = allowed.tril({width}).triu({-width})  # a window"


def _looked_at(config: ModelConfig, layer: int) -> str:
    lines = [f'x = layer_norm(x, "blocks.{layer}.attention_norm")'] if config.norm == "pre" else []
    call = f'q, k, v, scores, pattern, z = attention(x, "blocks.{layer}.attention")'
    return "\n".join([*lines, call])
