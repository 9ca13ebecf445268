"""The program of the view of probabilities: the logits at one position, and their softmax."""

from core.programs.forward import scaled, states_of
from core.programs.subject import Subject
from core.programs.text import program

SHOWN = 8
"""How many words are printed."""


def probabilities_program(subject: Subject, position: int) -> str:
    """A program that prints logits and probabilities of the likeliest words at a position.

    `position` is counted from 0; the weights are trained, and the output layer is the table of word vectors.
    A model that fills in words has its mask token there.
    """
    loaded, config = subject.loaded, subject.model
    masked = ""
    if not loaded.reads_on:
        vector = f'weights["embed.weight"][{loaded.mask_token}]{scaled(config)}'
        masked = f"vectors[{position}] = {vector}  # the mask token in place of the word"
    return program(
        f"The logits of word {position + 1}, and the softmax of them.",
        states_of(subject),
        masked,
        f"""
        h = states(vectors)[{position}]  # the last state
        logits = weights["embed.weight"] @ h  # one dot product for each word
        exponentials = logits.double().exp()
        probabilities = exponentials / exponentials.sum()  # the softmax
        for number in logits.argsort(descending=True)[:{SHOWN}].tolist():
            print(f"word {{number:>4}}: {{logits[number]:.3f}} {{probabilities[number]:.3f}}")
        """,
    )
