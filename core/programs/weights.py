"""The lines of a program that fetch or draw a model's weights, by their paths in the module tree."""

from torch import Tensor

from core.learning.collection import name_of
from core.model.config import ModelConfig
from core.model.positions import SCHEMES
from core.programs.subject import Subject
from core.programs.text import joined, literal, paragraph
from core.sources import BY_HAND_NAME, find
from core.sources.pretrained import folder_in_programs, is_real

OWN_FILE = "model.safetensors"
"""What the program calls a model that its reader has trained and downloaded."""

IMPORTS_FOR_NORMAL = "from hashlib import blake2b\n\nimport numpy as np\nimport torch"
"""What a program with `normal_numbers` needs."""


def imports(subject: Subject) -> str:
    """What a program needs for these weights."""
    if subject.source == "random":
        return IMPORTS_FOR_NORMAL
    if subject.source == BY_HAND_NAME:
        return "import torch"
    if is_real(subject.source):
        return "import torch\n\nfrom core.pretrained import read"
    return "import torch\nfrom safetensors.torch import load_file"


def sentence(subject: Subject) -> str:
    """The words, their numbers in the vocabulary, and the sizes of the model."""
    config, loaded = subject.model, subject.loaded
    ids = list(range(len(subject.words))) if subject.source == "random" else loaded.tokens[0].tolist()
    return "\n".join(
        [
            literal("words", list(subject.words)),
            literal("tokens", ids) + _about_tokens(subject, loaded.unknown),
            f"n, d_model, n_heads = len(words), {config.d_model}, {config.n_heads}",
            "d_head = d_model // n_heads" if config.head_width is None else f"d_head = {config.d_head}",
        ]
    )


def _about_tokens(subject: Subject, unknown: tuple[int, ...]) -> str:
    if subject.source == "random":
        return "  # every word has a vector of its own"
    if is_real(subject.source):
        return "  # the numbers of these pieces in the vocabulary"
    if subject.source == BY_HAND_NAME:
        return "  # rows of the table below"
    return "  # 1 stands for every word the model does not know" if unknown else ""


def weights(subject: Subject) -> str:
    """Lines that fill `weights`, and what uses them: `linear`, and `layer_norm` where the model has any."""
    drawn = subject.source == "random"
    parts = [_drawing(subject) if drawn else _fetching(subject), _linear(subject.model, drawn=drawn)]
    norm = [] if subject.model.norm == "none" else [_norm(subject.model, drawn=drawn)]
    return joined(*parts, *norm)


def _linear(config: ModelConfig, *, drawn: bool) -> str:
    if drawn:
        return _LINEAR_AT_START
    return _LINEAR if config.bias else _LINEAR_WITHOUT_BIAS


def _norm(config: ModelConfig, *, drawn: bool) -> str:
    """The function `layer_norm`, whatever kind of normalisation the model has."""
    layer, rms = (_NORM_AT_START, _RMS_AT_START) if drawn else (_NORM, _RMS_NORM)
    lines = rms if config.norm_kind == "rms" else layer
    return lines.replace("1e-5", epsilon_of(config))


def epsilon_of(config: ModelConfig) -> str:
    """What is added to the variance, as one writes it."""
    return repr(config.epsilon).replace("1e-05", "1e-5")


def _fetching(subject: Subject) -> str:
    if subject.source == BY_HAND_NAME:
        return _written_out(subject)
    if is_real(subject.source):
        return _reading(subject.source)
    trained = subject.source == "trained"
    path = f"checkpoints/{name_of(subject.config)}.safetensors" if trained else OWN_FILE
    hint = "" if trained else "  # put the name here of the file that the page Training gave you"
    return (
        f'weights = load_file("{path}"){hint}\n'
        "weights = {name: weight.float() for name, weight in weights.items()}"
    )


def _written_out(subject: Subject) -> str:
    """Lines with every number of the table of embeddings and of the four matrices."""
    parameters = dict(subject.loaded.model.named_parameters())
    parts = ("query", "key", "value", "output")
    names = ["embed.weight", *(f"blocks.0.attention.{part}.weight" for part in parts)]
    return "\n".join(["weights = {}", *(_written(name, parameters[name]) for name in names)])


def _written(name: str, parameter: Tensor) -> str:
    rows = "".join(f"    {row},\n" for row in parameter.int().tolist())
    assert (parameter.int() == parameter).all(), "weights set by hand are whole numbers"
    return f'weights["{name}"] = torch.tensor([\n{rows}]).float()'


def _reading(source: str) -> str:
    """Lines that read a pretrained model, in the folder of models unless the operator keeps it elsewhere."""
    one = find(source).pretrained
    assert one is not None, "a program is about a model that is there"
    folder = literal("folder", folder_in_programs(one.name))
    part = "" if one.whole else ".encoder"
    return f"{folder}\nweights = dict(read(folder).model{part}.named_parameters())"


_LINEAR = paragraph("""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
""")

_LINEAR_WITHOUT_BIAS = paragraph("""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T
""")

_LINEAR_AT_START = paragraph("""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T  # the biases start at 0
""")

_NORM = paragraph("""
    def layer_norm(x, name):
        x = x - x.mean(-1, keepdim=True)
        x = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        return x * weights[f"{name}.gain"] + weights[f"{name}.bias"]
""")

_NORM_AT_START = paragraph("""
    def layer_norm(x, name):  # the gains start at 1
        x = x - x.mean(-1, keepdim=True)
        return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
""")


_RMS_NORM = paragraph("""
    def layer_norm(x, name):  # by the root mean square: the mean stays
        x = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        return x * weights[f"{name}.gain"]
""")

_RMS_AT_START = paragraph("""
    def layer_norm(x, name):  # by the root mean square: the mean stays; the gains start at 1
        return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
""")


def normal_numbers(seed: int) -> str:
    """Lines that define `normal(name, *shape)`, after those that import what it needs."""
    return joined(f"seed = {seed}", _NORMAL)


def _drawing(subject: Subject) -> str:
    config = subject.model
    lines = [
        'weights = {"embed.weight": torch.stack([normal(f"word {word}", d_model) for word in words])}',
    ]
    if config.n_types:
        lines.append(f'weights["types.weight"] = normal("types.weight", {config.n_types}, d_model)')
    lines += _of_positions(config)
    lines.append(_matrices(config, subject.layer))
    return joined(normal_numbers(subject.seed), "\n".join(lines))


def _of_positions(config: ModelConfig) -> list[str]:
    """A line for each parameter of the position scheme."""
    scheme = SCHEMES[config.positions].outline(config)
    return [
        f'weights["positions.{name}"] = normal("positions.{name}", {", ".join(map(str, parameter.shape))})'
        f" * {scheme.initial_deviation!r}"
        for name, parameter in scheme.named_parameters()
    ]


_NORMAL = paragraph('''
    def normal(name, *shape):
        """Standard normal numbers from a stream of their own: the seed and the name choose it."""
        digest = blake2b(f"{seed}\\0{name}".encode(), digest_size=16).digest()
        stream = np.random.RandomState(np.frombuffer(digest, dtype="<u4"))
        return torch.from_numpy(stream.standard_normal(shape)).float()
''')


def _matrices(config: ModelConfig, last_layer: int) -> str:
    width = "d_model" if config.head_width is None else f"{config.n_heads * config.d_head}"
    shared = width if config.n_kv_heads is None else f"{config.n_key_heads * config.d_head}"
    shapes = [
        f'"attention.query": ({width}, d_model)',
        f'"attention.key": ({shared}, d_model)',
        f'"attention.value": ({shared}, d_model)',
        f'"attention.output": (d_model, {width})',
    ]
    if config.mlp:
        shapes += [f'"mlp.expand": ({config.d_mlp}, d_model)', f'"mlp.contract": (d_model, {config.d_mlp})']
        shapes += [f'"mlp.gate": ({config.d_mlp}, d_model)'] if config.gated else []
    listed = "".join(f"    {shape},\n" for shape in shapes)
    return (
        f"shapes = {{\n{listed}}}\n"
        f"for i in range({last_layer + 1}):\n"
        "    for name, (outputs, inputs) in shapes.items():\n"
        '        path = f"blocks.{i}.{name}.weight"\n'
        "        weights[path] = normal(path, outputs, inputs) * inputs**-0.5"
    )
