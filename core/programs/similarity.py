"""The program behind the similarity of sentences: the cosine of the means of their states."""

from collections.abc import Sequence
from dataclasses import replace

from core.programs.forward import last_states, pieces_of
from core.programs.subject import Subject
from core.programs.text import function, literal, program


def similarity_program(subject: Subject, others: Sequence[Sequence[str]]) -> str:
    """A program that prints the cosine between the sentence and each of `others`, in words of the model."""
    config = subject.model
    whole = replace(subject, layer=config.n_layers - 1)
    pieces = pieces_of(whole)
    body = [
        "global n, allowed  # of the sentence that is read",
        "n = len(tokens)",
        *(pieces[name] for name in ("allowed", "embedded")),
        last_states(config),
        "x = x.mean(0)  # one vector for the sentence",
        "return x / x.norm()",
    ]
    tokens = [replace(whole, words=tuple(words)).loaded.tokens[0].tolist() for words in others]
    return program(
        "The cosine of the means of the states of two sentences.",
        *(pieces[name] for name in ("start", "attention", "block")),
        function("direction(tokens)", "\n".join(body)),
        literal("others", tokens) + "  # the numbers of their pieces",
        "first = direction(tokens)",
        'for other in others:\n    print(f"{(first @ direction(other)).item():.3f}")',
    )
