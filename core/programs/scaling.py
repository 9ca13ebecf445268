"""The programs of the page Scaling: a row of weights, its growth, the scores of a model's heads."""

from collections.abc import Sequence

from core.measures.scaling import N_KEYS, N_ROWS, WIDTHS
from core.programs.forward import attention_of, biased
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import literal, program
from core.programs.weights import IMPORTS_FOR_NORMAL, normal_numbers


def row_program(words: Sequence[str], query: int, d: int, *, seed: int) -> str:
    """A program that prints, for every word, the weights without and with the division by √d."""
    return program(
        f"What softmax makes of random scores of {d} dimensions, without and with the division.",
        IMPORTS_FOR_NORMAL,
        normal_numbers(seed),
        literal("words", list(words)),
        f"""
        d, longest = {d}, {max(WIDTHS)}
        q = normal(f"query {{words[{query}]}}", longest)[:d]
        k = torch.stack([normal(f"key {{word}}", longest)[:d] for word in words])
        scores = k @ q
        rows = torch.stack([scores.softmax(-1), (scores / d**0.5).softmax(-1)], -1)
        """,
        printing_rows("rows"),
    )


def growth_program(seed: int) -> str:
    """A program that prints, for every d and both kinds of scores, their spread, entropy and gradient."""
    return program(
        "Spread, entropy and gradient of random scores as their vectors get longer.",
        IMPORTS_FOR_NORMAL,
        normal_numbers(seed),
        f"""
        q = normal("queries", {N_ROWS}, 1, {max(WIDTHS)})
        k = normal("keys", {N_ROWS}, {N_KEYS}, {max(WIDTHS)})
        for d in {WIDTHS!r}:
            dots = (q[..., :d] * k[..., :d]).sum(-1)
            for scores in (dots, dots / d**0.5):
                p = scores.softmax(-1)
                entropy = -(p * p.log2()).nan_to_num().sum(-1).mean()
                jacobian = p.diag_embed() - p[..., :, None] * p[..., None, :]
                gradient = jacobian.square().sum((-2, -1)).sqrt().mean()
                spread = scores.std(correction=0)
                print(f"{{d:>5}} {{spread:.3f}} {{entropy:.3f}} {{gradient:.3f}}")
        """,
    )


def heads_program(subject: Subject, query: int) -> str:
    """A program that prints one word's weights, a row for each key, with its scores divided in three ways."""
    bias = biased(subject.model, "[head, query]")
    return program(
        "One word's weights with q·k as it is, divided by √d and divided by √(d/k).",
        attention_of(subject),
        f"""
        head, query = {subject.head}, {query}
        dots = k[head] @ q[head, query]
        divided = torch.stack([dots, dots / d_model**0.5, dots / d_head**0.5]){bias}
        rows = divided.masked_fill(~allowed[query], -torch.inf).softmax(-1)
        """,
        printing_rows("rows.T"),
    )
