"""The lines of a program that carry a sentence through a model up to the attention of one layer."""

from dataclasses import replace

from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import function, joined, paragraph, program
from core.programs.weights import imports, sentence, weights


def attention_program(subject: Subject) -> str:
    """A program that prints the attention weights of the chosen head."""
    title = f"Attention weights of layer {subject.layer + 1}, head {subject.head + 1}."
    return program(title, attention_of(subject), printing_rows(f"pattern[{subject.head}]"))


def attention_of(subject: Subject) -> str:
    """Lines after which the chosen layer has `x`, `q`, `k`, `v`, `scores`, `allowed`, `pattern` and `z`.

    `x` (word, d_model) is what enters the queries, keys and values; `q`, `k`, `v` and `z` are (head,
    word, d_head), `scores`, not yet masked, and `pattern` (head, query, key), `allowed` (query, key).
    """
    return joined(definitions(subject), reading(subject))


def entering_of(subject: Subject) -> str:
    """Lines after which `x` (word, d_model) is what enters the chosen layer, before any norm."""
    return joined(definitions(subject), _entering_layer(subject))


def states_of(subject: Subject) -> str:
    """Lines after which `states(x)` are the last states of a model for word vectors `x` (word, d_model).

    `vectors` are those of the sentence, and `allowed` (query, key) is the mask that `states` reads.
    """
    config = subject.model
    whole = replace(subject, layer=config.n_layers - 1)
    first, *positions = _embedded(config).split("\n")
    return joined(
        *(definitions(whole), "" if whole.layer else _block(config)),
        function("states(x)", "\n".join([*positions, last_states(config), "return x"])),
        first.replace("x = ", "vectors = "),
    )


def pieces_of(subject: Subject) -> dict[str, str]:
    """Parts of a program about a whole model, which puts them together in its own way.

    `start` has the imports, the sentence and the weights up to the chosen layer; `attention` the function
    of that name and `block` that of a whole block; `embedded` gives `x`, what enters the first one;
    `allowed` the mask, (query, key).
    """
    config = subject.model
    return {
        "start": joined(imports(subject), sentence(subject), weights(subject)),
        "attention": _attention(subject),
        "block": _block(config),
        "embedded": _embedded(config),
        "allowed": _allowed(subject),
    }


def definitions(subject: Subject) -> str:
    """Lines that bring in the sentence and the weights, and the functions that compute with them."""
    pieces = pieces_of(subject)
    block = pieces["block"] if subject.layer else ""
    return joined(pieces["start"], pieces["attention"], block, pieces["allowed"])


def reading(subject: Subject) -> str:
    """Lines that carry `tokens` up to the attention of the chosen layer."""
    return f"{_entering_layer(subject)}\n{_looked_at(subject.model, subject.layer)}"


def _entering_layer(subject: Subject) -> str:
    return "\n".join(filter(None, [_embedded(subject.model), through_blocks(subject.layer)]))


def through_blocks(n_blocks: int) -> str:
    """Lines that carry `x` through so many whole blocks from the first on, if any."""
    return f'for i in range({n_blocks}):\n    x = block(x, f"blocks.{{i}}")' if n_blocks else ""


def last_states(config: ModelConfig) -> str:
    """Lines that make of `x`, what enters the first block, the states that leave the model."""
    norm = '\nx = layer_norm(x, "norm")' if config.norm == "pre" else ""
    return through_blocks(config.n_layers) + norm


_ATTENTION = paragraph('''
    def attention(x, name):
        """Each head attends with its own slice of the projected vectors."""
        q, k, v = (
            linear(x, f"{{name}}.{{part}}").view(n, {heads}, d_head).transpose(0, 1)
            for part in ("query", "key", "value")
        ){rotated}{shared}
        scores = q @ k.mT{scale}{bias}
        pattern = scores.masked_fill(~allowed, -torch.inf).softmax(-1){nowhere}
        return q, k, v, scores, pattern, pattern @ v
''')

_SHARED = "\n    k, v = (one.repeat_interleave({sharing}, 0) for one in (k, v))  # {sharing} heads share each"

_NOWHERE = "\n    pattern = pattern.nan_to_num()  # a word that may attend to nothing has weights of 0"


def _attention(subject: Subject) -> str:
    """The function `attention`, and before it what the position scheme needs."""
    config = subject.model
    point = SCHEMES[config.positions].injection_point()
    sharing = config.n_heads // config.n_key_heads
    differing = {
        "heads": "n_heads" if sharing == 1 else "-1",
        "shared": "" if sharing == 1 else _SHARED.format(sharing=sharing),
        "rotated": "\n    q, k = rotate(q), rotate(k)" if point == "rotate" else "",
        "scale": divided(config),
        "bias": biased(config),
        "nowhere": _NOWHERE if subject.allowed else "",
    }
    before = "" if point == "embed" else _positions(config)
    return joined(before, _ATTENTION.format(**differing))


def divided(config: ModelConfig) -> str:
    """What follows dot products where the model scales them."""
    return " / d_head**0.5" if config.scale else ""


def biased(config: ModelConfig, own: str = "") -> str:
    """What follows scaled scores where positions bias them: the bias, or its part `own`, as `[head]`."""
    return f" + bias{own}" if SCHEMES[config.positions].injection_point() == "bias" else ""


def _positions(config: ModelConfig) -> str:
    """What the position scheme contributes."""
    return paragraph(SCHEMES[config.positions].program_lines(config))


def _block(config: ModelConfig) -> str:
    """One whole block, for the layers below the chosen one."""
    lines = [
        "def block(x, name):",
        f"    *_, z = attention({_entering('x', 'attention', config)}, " + 'f"{name}.attention")',
        '    change = linear(z.transpose(0, 1).reshape(n, -1), f"{name}.attention.output")',
        *_leaving("attention", config),
    ]
    if config.mlp:
        lines += [
            f"    fed = {_entering('x', 'mlp', config)}" if config.gated else "",
            f"    hidden = {hidden_layer('fed' if config.gated else _entering('x', 'mlp', config), config)}",
            '    change = linear(hidden, f"{name}.mlp.contract")',
            *_leaving("mlp", config),
        ]
    return "\n".join([*filter(None, lines), "    return x"])


_ACTIVATED = {
    "relu": "{}.relu()",
    "gelu": "torch.nn.functional.gelu({})",
    "gelu_tanh": 'torch.nn.functional.gelu({}, approximate="tanh")',
    "silu": "torch.nn.functional.silu({})",
}


def hidden_layer(fed: str, config: ModelConfig, *, block: str = "") -> str:
    """The hidden layer of the feed-forward layer given `fed`, in this block or in the one called `name`."""
    before = f'"{block}' if block else 'f"{name}'
    activated, expanded = _ACTIVATED[config.activation], f'linear({fed}, {before}.mlp.expand")'
    if config.gated:
        return activated.format(f'linear({fed}, {before}.mlp.gate")') + f" * {expanded}"
    return activated.format(expanded)


def _entering(x: str, part: str, config: ModelConfig) -> str:
    return f'layer_norm({x}, f"{{name}}.{part}_norm")' if config.norm == "pre" else x


def _leaving(part: str, config: ModelConfig) -> list[str]:
    lines = ["    x = x + change" if config.residual else "    x = change"]
    if config.norm == "post":
        lines.append(f'    x = layer_norm(x, f"{{name}}.{part}_norm")')
    return lines


def _embedded(config: ModelConfig) -> str:
    return embedded_up_to(config, "embedding norm")


def embedded_up_to(config: ModelConfig, stage: str) -> str:
    """Lines that make `x` what it is after a stage before the first layer, named as in a walk."""
    adds = SCHEMES[config.positions].injection_point() == "embed"
    normalised = config.embed_norm and config.norm != "none"
    lines = {
        "embeddings": looked_up(config),
        "segments": 'x = x + weights["types.weight"][0]  # the first of two segments' * bool(config.n_types),
        "positions": _positions(config) if adds else "",
        "embedding norm": 'x = layer_norm(x, "embed_norm")' * normalised,
    }
    wanted = list(lines)[: list(lines).index(stage) + 1]
    return "\n".join(lines[one] for one in wanted if lines[one])


def looked_up(config: ModelConfig) -> str:
    """The line that makes `x` the vectors of the words."""
    return f'x = weights["embed.weight"][tokens]{scaled(config)}'


def scaled(config: ModelConfig) -> str:
    """What follows word vectors that are multiplied by something."""
    if config.word_scale == 1:
        return ""
    return " * d_model**0.5" if config.word_scale == config.d_model**0.5 else f" * {config.word_scale!r}"


def _allowed(subject: Subject) -> str:
    return subject.allowed or allowed_line(subject.model) + _windowed(subject.window)


def allowed_line(config: ModelConfig) -> str:
    """The line that makes `allowed` (query, key) the mask of a configuration."""
    mask = MASKS[config.mask]
    return f"allowed = {mask.program}  # {mask.says}"


def _windowed(width: int | None) -> str:
    return "" if width is None else f"\nallowed = allowed.tril({width}).triu({-width})  # a window"


def _looked_at(config: ModelConfig, layer: int) -> str:
    lines = [f'x = layer_norm(x, "blocks.{layer}.attention_norm")'] if config.norm == "pre" else []
    call = f'q, k, v, scores, pattern, z = attention(x, "blocks.{layer}.attention")'
    return "\n".join([*lines, call])
