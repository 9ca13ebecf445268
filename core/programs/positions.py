"""Programs for the position schemes: the matrices that they add, computed in a few lines."""

from dataclasses import replace

from core.learning.collection import name_of
from core.model.config import ModelConfig
from core.model.positions import SCHEMES, InjectionPoint
from core.programs.forward import allowed_line, attention_of, definitions, divided, entering_of, scaled
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import literal, paragraph, program


def weights_program(subject: Subject, *, mean: bool) -> str:
    """A program that prints the weights of the chosen head, or the mean over the heads of its layer."""
    scheme, layer = subject.config.positions, subject.layer + 1
    what = f"mean over the heads of layer {layer}" if mean else f"layer {layer}, head {subject.head + 1}"
    matrix = "pattern.mean(0)" if mean else f"pattern[{subject.head}]"
    title = f"Attention weights with positions '{scheme}': {what}."
    return program(title, attention_of(subject), printing_rows(matrix))


def added_program(subject: Subject) -> str:
    """A program that prints what the position scheme does, whatever the words, as `added` measures it.

    Of a scheme that biases scores it is the bias of the chosen head.
    """
    scheme = SCHEMES[subject.config.positions]
    point = scheme.injection_point()
    assert point is not None, "the scheme has something to print"
    return program(
        f"What {scheme.about.title} do to a sentence of {len(subject.words)} words.",
        (entering_of if point == "embed" else definitions)(replace(subject, layer=0)),
        _ROTATED if point == "rotate" else "",
        printing_rows(_ADDED[point].format(head=subject.head, scale=scaled(subject.model))),
    )


_ROTATED = """
    rotated = rotate(torch.tensor([1.0, 0.0]).repeat(n_heads, n, d_head // 2))[0]  # every pair from (1, 0)
"""

_ADDED: dict[InjectionPoint, str] = {
    "embed": 'x - weights["embed.weight"][tokens]{scale}',
    "rotate": "torch.atan2(rotated[:, 1::2], rotated[:, 0::2]).rad2deg()",
    "bias": "bias[{head}]",
}


def sinusoidal_program(n_positions: int, d_model: int) -> str:
    """A program that prints the sinusoids: a row for each position, a column for each dimension."""
    return program(
        "Sinusoids: what is added to the word vector at each position.",
        "import torch",
        f"n, d_model = {n_positions}, {d_model}",
        """
        frequencies = 10_000 ** (-torch.arange(0, d_model, 2).double() / d_model)
        angles = torch.arange(n)[:, None] * frequencies
        sinusoids = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
        """,
        _PRINT_POSITIONS.format(matrix="sinusoids"),
    )


def alibi_program(words: tuple[str, ...], config: ModelConfig, head: int) -> str:
    """A program that prints the linear bias in both forms: the note's, then that of a head."""
    return program(
        f"Linear bias: with the note's slope of 1, then with that of head {head + 1}; -inf is masked.",
        "import torch",
        literal("words", list(words)) + f"\nn, n_heads = len(words), {config.n_heads}",
        f"""
        distance = (torch.arange(n)[:, None] - torch.arange(n)).abs()
        slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
        {allowed_line(config)}
        """,
        f"for slope in (1.0, slopes[{head}]):\n"
        "    bias = (-slope * distance).masked_fill(~allowed, -torch.inf)\n"
        + _indented(printing_rows("bias")),
    )


def learned_program(config: ModelConfig, n_positions: int) -> str:
    """A program that prints the first rows of the learned table of the trained model."""
    name = name_of(replace(config, positions="learned"))
    return program(
        "The learned vector of each position, after training.",
        "from safetensors.torch import load_file",
        f'table = load_file("checkpoints/{name}.safetensors")["positions.table"].double()[:{n_positions}]',
        _PRINT_POSITIONS.format(matrix="table"),
    )


def rotary_program(subject: Subject, query: int, key: int, n_positions: int) -> str:
    """A program that prints the score of one query at every position with one key at every position."""
    return program(
        f"The query of word {query + 1} and the key of word {key + 1}, each at {n_positions} positions.",
        attention_of(subject),
        '''
        def turned(vector, positions):
            """The vector turned as at each of these positions, before which it was at position 0."""
            frequencies = 10_000 ** (-torch.arange(0, d_head, 2).double() / d_head)
            angles = torch.as_tensor(positions).double().reshape(-1, 1) * frequencies
            first, second = vector[0::2], vector[1::2]
            pairs = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
            return torch.stack(pairs, -1).flatten(-2)
        ''',
        f"""
        everywhere = range({n_positions})
        query = turned(q[{subject.head}, {query}].double(), -{query})[0]  # turned back to position 0
        key = turned(k[{subject.head}, {key}].double(), -{key})[0]
        scores = turned(query, everywhere) @ turned(key, everywhere).T{divided(subject.model)}
        """,
        'for row in scores.tolist():\n    print(*(f"{value:.3f}" for value in row))',
    )


_PRINT_POSITIONS = paragraph("""
    for position, row in enumerate({matrix}.tolist()):
        print(f"{{position:>4}}", *(f"{{value:.3f}}" for value in row))
""")


def _indented(lines: str) -> str:
    return "\n".join(f"    {line}" for line in lines.splitlines())
