"""Programs for one head step by step: a stage of it, a look-up, and other matrices."""

from collections.abc import Sequence

from core.measures.stages.lookup import NONE, THREE, TIED, Matrices
from core.measures.stages.walk import Change
from core.programs.forward import (
    attention_of,
    biased,
    definitions,
    divided,
    embedded_up_to,
    entering_of,
)
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import program


def stage_program(subject: Subject, stage: str, changes: Sequence[Change] = ()) -> str:
    """A program that prints the matrix of a stage, named as in `core.measures.stages.walk`."""
    title = f"Layer {subject.layer + 1}, head {subject.head + 1}, step by step: {stage}."
    rows = printing_rows(_EXPRESSIONS.get(stage, "x").format(head=subject.head))
    if stage in _BEFORE:
        return program(title, definitions(subject), embedded_up_to(subject.model, stage), rows)
    if stage == "states":
        return program(title, entering_of(subject), rows)
    last = [_OUTPUT.format(layer=subject.layer)] if stage in ("heads", "output") else []
    return program(title, attention_of(subject), *_changed(subject, changes), *last, rows)


_BEFORE = ("embeddings", "segments", "positions", "embedding norm")
"""The stages before the first layer, in their order."""

_EXPRESSIONS = {
    "norm": "x",
    "q": "q[{head}]",
    "k": "k[{head}]",
    "v": "v[{head}]",
    "scores": "q[{head}] @ k[{head}].mT",
    "scale": "q[{head}] @ k[{head}].mT / d_head**0.5",
    "bias": "scores[{head}]",
    "mask": "scores[{head}].masked_fill(~allowed, -torch.inf)",
    "softmax": "pattern[{head}]",
    "weighted sum": "z[{head}]",
    "heads": "joined",
    "output": "out",
}

_OUTPUT = """
    joined = z.transpose(0, 1).reshape(n, -1)
    out = linear(joined, "blocks.{layer}.attention.output")
"""


def _changed(subject: Subject, changes: Sequence[Change]) -> list[str]:
    """Lines that change entries of the head and compute again what follows from them."""
    if not changes:
        return []
    head, config = subject.head, subject.model
    lines = [
        "# What was changed by hand, and what follows from it.",
        *(_line(one, head) for one in changes if one.matrix != "scores"),
        f"scores[{head}] = q[{head}] @ k[{head}].mT{divided(config)}{biased(config, f'[{head}]')}",
        *(_line(one, head) for one in changes if one.matrix == "scores"),
        "pattern = scores.masked_fill(~allowed, -torch.inf).softmax(-1)",
        "z = pattern @ v",
    ]
    return ["\n".join(lines)]


def _line(change: Change, head: int) -> str:
    return f"{change.matrix}[{head}, {change.row}, {change.column}] = {change.value!r}"


def lookup_program(subject: Subject, word: int, temperature: float, changes: Sequence[Change] = ()) -> str:
    """A program that prints the weight of every key for the query `word`, and the output below them."""
    return program(
        f"Attention as a look-up by word {word + 1}, at a temperature of {temperature:g}.",
        attention_of(subject),
        *_changed(subject, changes),
        f"seen = scores[{subject.head}, {word}].masked_fill(~allowed[{word}], -torch.inf)",
        _LOOKED_UP.get(temperature, f"found = (seen / {temperature!r}).softmax(-1)"),
        printing_rows("found[:, None]"),
        f'print("output", *(f"{{value:.3f}}" for value in (found @ v[{subject.head}]).tolist()))',
    )


_LOOKED_UP = {
    0.0: "found = (seen >= seen.max() - 1e-5).float()\nfound = found / found.sum()  # as softmax(seen / 0)",
    float("inf"): "found = seen.isfinite().float()\nfound = found / found.sum()  # as softmax(seen / inf)",
}


def matrices_program(subject: Subject, matrices: Matrices, *, unit_length: bool) -> str:
    """A program that prints the weights of a head as it is, with K = Q, or without any matrix; no mask."""
    head, scaled = subject.head, divided(subject.model)
    scores = {
        NONE: "x @ x.mT",
        TIED: f"q[{head}] @ q[{head}].mT{scaled}",
        THREE: f"q[{head}] @ k[{head}].mT{scaled}",
    }
    return program(
        _OF_MATRICES[matrices].format(layer=subject.layer + 1, head=head + 1),
        attention_of(subject),
        "x = x / x.norm(dim=-1, keepdim=True)" if unit_length and matrices == NONE else "",
        f"pattern = ({scores[matrices]}).softmax(-1)",
        printing_rows("pattern"),
    )


_OF_MATRICES = {
    NONE: "Weights without matrices, of what enters layer {layer}, head {head}: softmax(X Xᵀ).",
    TIED: "Weights of layer {layer}, head {head} with its queries as keys.",
    THREE: "Weights of layer {layer}, head {head} with queries and keys of their own.",
}
