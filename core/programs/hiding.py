"""The program of the view hiding: what hiding a word changes, beside its attention weight."""

from dataclasses import replace

from core.programs.forward import states_of
from core.programs.subject import Subject
from core.programs.text import paragraph, program


def hiding_program(subject: Subject, position: int, *, mask_word: str | None = None) -> str:
    """A program that prints the total variation of the prediction at `position` without each other word.

    With a `mask_word` that one stands in place of the word at `position`, counted from 0.
    """
    words = list(subject.words)
    if mask_word is not None:
        words[position] = mask_word
    return program(
        f"How much the prediction at word {position + 1} changes when another word is hidden.",
        states_of(replace(subject, words=tuple(words))),
        f"position, unhidden = {position}, allowed",
        _PREDICTION,
        _HIDDEN,
    )


_PREDICTION = paragraph("""
    def prediction():
        return (states(vectors)[position] @ weights["embed.weight"].T).softmax(-1)
""")

_HIDDEN = paragraph("""
    before = prediction()
    for key in unhidden[position].nonzero().flatten().tolist():
        if key != position:
            allowed = unhidden.clone()
            allowed[:, key] = False
            allowed[key, key] = True  # a word always sees itself
            change = (prediction() - before).abs().sum().item() / 2  # the total variation
            print(f"{words[key]:>12} {change:.4f}")
""")
