"""Programs for the position schemes: what each adds or turns, computed in a few lines."""

from dataclasses import replace

from core.learning.collection import name_of
from core.model.config import ModelConfig
from core.model.positions import SCHEMES, InjectionPoint
from core.programs.forward import attention_of, definitions, divided, entering_of, scaled
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def score_changes_program(subject: Subject) -> str:
    """A program that prints how the scores of the last word differ from its score with itself, by distance.

    The words of `subject` are all the same, and its layer is the first.
    """
    scheme, head = subject.config.positions, subject.head
    return program(
        f"Scores of head {head + 1} between equal words, with positions '{scheme}', by distance.",
        attention_of(subject),
        f"row = scores[{head}, -1].flip(0)  # from the last word itself to the first\n"
        "for back, change in enumerate((row - row[0]).tolist()):\n"
        '    print(f"{back:>3} {change:.3f}")',
    )


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


def alibi_program(config: ModelConfig, n_words: int, *, ahead: int) -> str:
    """A program that prints the linear bias of every head, by the words from the query to the key.

    The last `ahead` of `n_words` keys come after the query.
    """
    return program(
        "Linear bias: what each head adds to a score, by the words from the query to the key.",
        "import torch",
        f"n, ahead, n_heads = {n_words}, {ahead}, {config.n_heads}",
        """
        offsets = torch.arange(n) - (n - 1 - ahead)
        slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
        bias = -slopes[:, None] * offsets.abs()
        """,
        """
        for offset, row in zip(offsets.tolist(), bias.T.tolist()):
            print(f"{offset:>4}", *(f"{value:.3f}" for value in row))
        """,
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


def rotary_program(subject: Subject, query: int, key: int, moved: int) -> str:
    """A program that prints a query and a key, both moved on, pair by pair, and what each pair adds."""
    return program(
        f"The query of word {query + 1} and the key of word {key + 1}, both moved by {moved}, pair by pair.",
        attention_of(subject),
        '''
        def turned(vector, by):
            """Turn each pair of neighbouring dimensions by a number of positions."""
            angles = by / 10_000 ** (torch.arange(0, d_head, 2).double() / d_head)
            first, second = vector.double()[0::2], vector.double()[1::2]
            cos, sin = angles.cos(), angles.sin()
            return torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
        ''',
        f"""
        query = turned(q[{subject.head}, {query}], {moved})
        key = turned(k[{subject.head}, {key}], {moved})
        parts = (query * key).sum(-1){divided(subject.model)}
        for pair in torch.cat([query, key, parts[:, None]], -1).tolist():
            print(*(f"{{value:.3f}}" for value in pair))
        """,
    )


_PRINT_POSITIONS = paragraph("""
    for position, row in enumerate({matrix}.tolist()):
        print(f"{{position:>4}}", *(f"{{value:.3f}}" for value in row))
""")
