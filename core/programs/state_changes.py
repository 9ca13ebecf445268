"""The program behind heads knocked out of a model that predicts no words: how far its last states move."""

from collections.abc import Iterable

from core.measures.prediction import Head
from core.programs.forward import states_of
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def state_changes_program(subject: Subject, silenced: Iterable[Head]) -> str:
    """A program that prints ‖Δh‖ / ‖h‖ and the cosine of every state, their mean, and those of the sentence.

    The heads in `silenced`, counted from 0, give nothing.
    """
    heads: dict[str, list[int]] = {}
    for layer, head in sorted(silenced):
        heads.setdefault(f"blocks.{layer}.attention", []).append(head)
    return program(
        "How far the last states move without some heads: ‖Δh‖ / ‖h‖, and the cosine.",
        states_of(subject),
        "before = states(vectors)",
        f"silenced = {heads!r}\nintact = attention",
        _SILENCED,
        "after = states(vectors)",
        _COMPARED,
    )


_SILENCED = paragraph('''
    def attention(x, name):
        """The same, but the heads that are knocked out give nothing."""
        *others, z = intact(x, name)
        z[silenced.get(name, [])] = 0
        return *others, z
''')

_COMPARED = paragraph("""
    moved = (after - before).norm(dim=-1) / before.norm(dim=-1)
    cosines = torch.cosine_similarity(before, after, dim=-1)
    for word, change, cosine in zip(words, moved.tolist(), cosines.tolist()):
        print(f"{word:>12}", f"{change:.4f} {cosine:.4f}")
    print("mean", f"{moved.mean().item():.4f}")

    whole, less = before.mean(0), after.mean(0)  # one vector for the sentence
    change = (less - whole).norm() / whole.norm()
    print("sentence", f"{change.item():.4f} {torch.cosine_similarity(whole, less, dim=0).item():.4f}")
""")
