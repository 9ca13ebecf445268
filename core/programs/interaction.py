"""The program of interaction distance: counting along the arrows of two networks."""

from collections.abc import Sequence

from core.model.masks import MASKS
from core.programs.text import literal, program


def distance_program(
    words: Sequence[str], *, origin: int, n_layers: int, mask: str, backwards: bool = False
) -> str:
    """A program that prints how many operations lie between the vector of word `origin` and every state.

    The recurrent network reads onwards or `backwards`.
    """
    title = (
        "Operations between one word vector and every state, of a recurrent network and of self-attention."
    )
    recurrent = _BACKWARDS if backwards else _ONWARDS
    return _counting(title, _DISTANCE, words, recurrent, origin=origin, n_layers=n_layers, mask=mask)


def serial_program(words: Sequence[str], *, n_layers: int, mask: str) -> str:
    """A program that prints how many operations, one after the other, every state waits for."""
    title = "Operations one after the other before each state of two networks is known."
    return _counting(title, _SERIAL, words, _ONWARDS, origin=0, n_layers=n_layers, mask=mask)


def _counting(
    title: str, count: str, words: Sequence[str], recurrent: str, *, origin: int, n_layers: int, mask: str
) -> str:
    return program(
        title,
        *(["from math import inf"] if count is _DISTANCE else []),
        "import torch",
        f"{literal('words', list(words))}\nn, n_layers, origin = len(words), {n_layers}, {origin}",
        f"allowed = {MASKS[mask].program}",
        recurrent,
        _ATTENTION,
        count,
        _PRINTING,
    )


_ONWARDS = '''
    def recurrent(layer, word):
        """The states that a state is computed from: the one below it and the one before it."""
        before = [(layer, word - 1)] if word > 0 else []
        return [(layer - 1, word), *before]

'''

_BACKWARDS = '''
    def recurrent(layer, word):
        """The states that a state is computed from: the one below it, and the one after it if it may."""
        after = [(layer, word + 1)] if word + 1 < n and allowed[word, word + 1] else []
        return [(layer - 1, word), *after]

'''

_ATTENTION = '''
    def attention(layer, word):
        """The word itself in the layer below, and every word there that it may attend to."""
        return [(layer - 1, other) for other in range(n) if other == word or allowed[word, other]]

'''

_DISTANCE = '''
    def count(inputs):
        """The shortest way to every state; infinite where there is none."""
        steps = [[inf] * n for _ in range(n_layers + 1)]
        steps[0][origin] = 0
        for layer in range(1, n_layers + 1):
            for word in [*range(n), *reversed(range(n))]:  # onwards and back, as the arrows run
                steps[layer][word] = 1 + min(steps[row][column] for row, column in inputs(layer, word))
        return steps

'''

_SERIAL = '''
    def count(inputs):
        """A state is known one step after the last of those it is computed from."""
        steps = [[0] * n for _ in range(n_layers + 1)]
        for layer in range(1, n_layers + 1):
            for word in range(n):
                steps[layer][word] = 1 + max(steps[row][column] for row, column in inputs(layer, word))
        return steps

'''

_PRINTING = """
    for network in (recurrent, attention):
        for layer, row in enumerate(count(network)):
            print(f"{network.__name__} {layer}", *row)
"""
