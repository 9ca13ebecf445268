"""What is said of recurrent networks: how many steps they take, and what passes from one to the next."""

from core.measures.architectures.unrolled import LANGUAGE_MODELS
from pages.controls.parameters import options_of
from pages.controls.prose import Typed
from viz.architectures.unrolled import MOST
from viz.text import counted
from viz.units import per_cent

RNN, LSTM, FIXED, ATTENDS = options_of("network")

SUM_IS_CROSS_ATTENTION = (
    "That is what cross-attention does in a Transformer. A step is drawn over the word that it has read, and "
    "writes the next one."
)
CELL = "With its state every box hands on a cell. Below, the inside of one box, with its three gates."


def answer(network: str, n: int, m: int, d_model: int) -> str:
    """What `n` words of the source, and `m` positions of a decoder, mean for a network of this width."""
    return {
        RNN: f"Every state is made of the state before it and one word: {_in_steps(n)}.",
        LSTM: f"Every state is made of the state and the cell before it and one word: {_in_steps(n)}.",
        FIXED: f"Everything the decoder knows of {counted(n, 'word')} has to pass through one vector of "
        f"{d_model} numbers, however long the sentence is: the bottleneck.",
        ATTENDS: f"In each step of the decoder, {m} here, its state is compared with every state of the "
        f"encoder, {n} here, and their weighted sum is taken.",
    }[network]


def told(network: str, n: int, m: int) -> str:
    """What else there is to know of the drawing."""
    more = {LSTM: CELL, ATTENDS: SUM_IS_CROSS_ATTENTION}.get(network, "")
    cut = f"Drawn are the first {MOST} words." if max(n, m) > MOST else ""
    return " ".join(filter(None, (more, cut)))


def cell(word: Typed, layer: int, *, forget: float, write: float, output: float) -> str:
    """What the gates do at a word, by their means over all units."""
    return (
        f"At *{word}* in layer {layer + 1}, on average over the units, the cell keeps {per_cent(forget)} of "
        f"what it was, {per_cent(write)} of the candidate is added, and {per_cent(output)} of tanh of the "
        "cell becomes the state."
    )


def weights(network: str, n_layers: int) -> str:
    """What the network was trained for."""
    if network in (RNN, LSTM):
        name = LANGUAGE_MODELS["rnn" if network == RNN else "lstm"]
        layers = counted(n_layers, "layer")
        return f"Trained to predict the next word: {name} of the collection, {layers}."
    attention = "" if network == ATTENDS else "&attention=none"
    return (
        f"Trained to translate: it writes on the page [Translation](/translation?translator=RNN{attention})."
    )


def _in_steps(n: int) -> str:
    return "one word is one step" if n == 1 else f"{n} words are {n} steps, one after the other"
