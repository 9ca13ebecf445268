"""Programs about masks: the weights under one, what stands for "may not look", and where gradients go."""

from dataclasses import replace

from core.measures.masking.painting import PaintedMask, Preset
from core.model.masks import MASKS
from core.programs.forward import attention_of, states_of
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import literal, program

CAUSAL, BIDIRECTIONAL = MASKS["causal"], MASKS["bidirectional"]

_DRAWN: dict[Preset, str] = {
    "causal": f"allowed = {CAUSAL.program}  # {CAUSAL.says}",
    "window": "allowed = torch.ones(n, n).bool().tril({amount}).triu(-{amount})  # a window",
    "prefix": "allowed = torch.ones(n, n).bool().tril() | (torch.arange(n) < {amount})  # all see the prefix",
    "padding": "allowed = (torch.arange(n) < n - {amount}).repeat(n, 1)  # nobody sees the padding",
    "none": f"allowed = {BIDIRECTIONAL.program}  # {BIDIRECTIONAL.says}",
}


def pattern_program(subject: Subject, mask: PaintedMask) -> str:
    """A program that prints the weights under `mask`, then what rows sum to before they are shared out."""
    head = subject.head
    return program(
        f"Attention weights of layer {subject.layer + 1}, head {head + 1}, under a mask of one's own.",
        attention_of(under(subject, mask)),
        printing_rows(f"pattern[{head}]"),
        "# What the rows would sum to if the masked weights were merely taken away.\n"
        f"kept = (scores[{head}].softmax(-1) * allowed).sum(-1)\n"
        'print(f"{\'kept\':>12}", *(f"{share:.3f}" for share in kept.tolist()))',
    )


def values_program(subject: Subject, mask: PaintedMask, query: int) -> str:
    """A program that masks the row of one word in every way and format, and prints what comes out."""
    return program(
        "What stands for 'may not attend' in a row of scores, and what the softmax makes of it.",
        attention_of(under(subject, mask)),
        f"row, seen = scores[{subject.head}, {query}], allowed[{query}]",
        _METHODS,
    )


_METHODS = """
    def adding(constant):
        def masked(scores, allowed):
            return (scores + torch.where(allowed, 0.0, constant).to(scores.dtype)).softmax(-1)

        return masked


    methods = {
        "score -inf": adding(-torch.inf),
        "score -1e5": adding(-1e5),
        "score := -1e4": lambda scores, allowed: scores.masked_fill(~allowed, -1e4).softmax(-1),
        "score := 0": lambda scores, allowed: scores.masked_fill(~allowed, 0).softmax(-1),
        "weight := 0": lambda scores, allowed: scores.softmax(-1).masked_fill(~allowed, 0),
        "this app": lambda scores, allowed: scores.masked_fill(~allowed, -torch.inf).softmax(-1).nan_to_num(),
    }
    print("row | method | format | on masked keys | row sum")
    rows = {
        "as they are": (row, seen),
        "every key masked": (row, torch.zeros(n).bool()),
        "all scores lowered": (row - 2e4, seen),
    }
    for name, (scores, keys) in rows.items():
        for method, masked in methods.items():
            for form in (torch.float32, torch.float16):
                weights = masked(scores.to(form), keys).float()
                sums = weights[~keys].sum().item(), weights.sum().item()
                print(name, method, form, *(f"{one:.3f}" for one in sums), sep=" | ")
"""


def gradient_program(subject: Subject, mask: PaintedMask) -> str:
    """A program that prints how much every output depends on every input, as shares of a row."""
    return program(
        "How much the state of every word (rows) depends on every word vector (columns).",
        states_of(under(subject, mask)),
        """
        jacobian = torch.autograd.functional.jacobian(states, vectors)  # word, d_model, word, d_model
        norms = jacobian.square().sum((1, 3)).sqrt()
        print(int((norms == 0).sum()), "of", norms.numel(), "are exactly 0")
        shares = norms / norms.sum(1, keepdim=True)
        """,
        printing_rows("shares"),
    )


def future_program(subject: Subject) -> str:
    """A program that prints the loss of every next word with the causal mask and without."""
    return program(
        "The loss in nats of every next word, with the mask that the model learned under and without it.",
        states_of(subject),
        """
        for name, mask in {"mask on": allowed, "mask off": torch.ones(n, n).bool()}.items():
            allowed = mask
            logits = states(vectors) @ weights["embed.weight"].T
            losses = -logits.log_softmax(-1)[range(n - 1), tokens[1:]]
            print(name)
            for word, loss in zip(words[1:], losses.tolist()):
                print(f"{word:>12} {loss:.3f}")
        """,
    )


def under(subject: Subject, mask: PaintedMask) -> Subject:
    """`subject` with lines that make `mask` instead of the model's own."""
    return replace(subject, allowed="\n".join(_lines(mask, len(subject.words))))


def _lines(mask: PaintedMask, n: int) -> list[str]:
    lines = [_DRAWN[mask.preset].format(amount=mask.amount)]
    if mask.no_future:
        lines.append("allowed &= torch.ones(n, n).bool().tril()  # and no word sees the future")
    if mask.within(n):
        lines += [
            literal("flipped", mask.within(n)) + "  # cells as (query, key)",
            "for query, key in flipped:\n    allowed[query, key] = ~allowed[query, key]",
        ]
    return lines
