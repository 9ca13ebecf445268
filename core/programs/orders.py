"""The program of order invariance: one model, the same words in two orders."""

from collections.abc import Sequence

from core.measures.order.verdicts import alignment
from core.programs.forward import definitions, reading
from core.programs.subject import Subject
from core.programs.text import function, literal, program


def orders_program(subject: Subject, other: Sequence[str], word: int) -> str:
    """A program that prints what `word` of the sentence attends to in its own order and in the `other`.

    The layer shown is the one of the subject; raises ValueError unless both orders have the same words.
    """
    order = alignment(subject.words, other)
    title = (
        f"What one word attends to in two orders, in head {subject.head + 1} of layer {subject.layer + 1}."
    )
    return program(
        title,
        definitions(subject),
        function("read(tokens)", f"{reading(subject)}\nreturn pattern[{subject.head}]"),
        literal("order", order) + "  # where each word of the first order stands in the second",
        _BOTH.format(word=word),
    )


_BOTH = """
other = [0] * n
for token, place in zip(tokens, order):
    other[place] = token

word = {word}
first = read(tokens)[word]
second = read(other)[order[word]][order]  # in the order of the first again
for name, row in (("first order", first), ("second order", second)):
    print(f"{{name:>12}}", *(f"{{weight:.3f}}" for weight in row.tolist()))
"""
