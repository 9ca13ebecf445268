"""Operations between one word vector and every state, serial or shortest, in two networks."""

from collections.abc import Callable
from math import inf

import torch

words = ["Zuko", "made", "his", "uncle", "tea"]
count = "distance"
origin = 0
n_layers = 2
backwards = False
mask = "named"

n = len(words)
if mask == "named":
    allowed = torch.ones(n, n).bool().tril()
State = tuple[int, int]


def recurrent(layer: int, word: int) -> list[State]:
    """Return the inputs of a state: the state below it and the one read before it."""
    if backwards:
        before = [(layer, word + 1)] if word + 1 < n and allowed[word, word + 1] else []
    else:
        before = [(layer, word - 1)] if word > 0 else []
    return [(layer - 1, word), *before]


def attention(layer: int, word: int) -> list[State]:
    """Return the inputs of a state: every word in the layer below that it may attend to."""
    return [(layer - 1, other) for other in range(n) if other == word or allowed[word, other]]


def distances(inputs: Callable[[int, int], list[State]]) -> list[list[float]]:
    """Return the shortest way from the origin to every state; infinite if there is none."""
    steps = [[inf] * n for _ in range(n_layers + 1)]
    steps[0][origin] = 0
    for layer in range(1, n_layers + 1):
        for word in [*range(n), *reversed(range(n))]:  # forwards and backwards, as the arrows run
            steps[layer][word] = 1 + min(steps[row][column] for row, column in inputs(layer, word))
    return steps


def serial_operations(inputs: Callable[[int, int], list[State]]) -> list[list[float]]:
    """Return when each state is known: one step after the last of its inputs."""
    steps = [[0.0] * n for _ in range(n_layers + 1)]
    for layer in range(1, n_layers + 1):
        for word in range(n):
            steps[layer][word] = 1 + max(steps[row][column] for row, column in inputs(layer, word))
    return steps


for network in (recurrent, attention):
    counts = distances(network) if count == "distance" else serial_operations(network)
    for layer, row in enumerate(counts):
        print(f"{network.__name__} {layer}", *(f"{steps:g}" for steps in row))
