"""What one expects of the cost of a text, and of what a model reads while it writes."""

from collections.abc import Mapping

from pages.contract.predict import arrange, choose, mistakes
from pages.contract.question import Arrange, Choose, Estimate, Option
from viz.text import counted
from viz.units import memory

ONE_BY_ONE = (
    "A recurrent network waits at every word for the state of the one before. Attention reads all words of a "
    "known text at once."
)


def operations_to_learn(n_words: int, n_layers: int, attention: int, recurrent: int) -> Estimate:
    """Serial operations to learn from a text of `n_words`, in a Transformer and in a recurrent network."""
    return Estimate(
        text=(
            f"A Transformer of {counted(n_layers, 'layer')} learns from {counted(n_words, 'word')} in one "
            "pass over them and one back. How many operations must come one after the other, if a layer of "
            "attention counts as one?"
        ),
        right=attention,
        bounds=(0, 1000),
        unit="operations" if attention > 1 else "operation",
        mistaken=mistakes(attention, (recurrent, ONE_BY_ONE)),
        because=f"One for each layer, there and back. A recurrent network needs {recurrent}.",
    )


def waits_while_it_writes() -> Choose | None:
    """Ask if attention writes all words at once, as it reads them."""
    return choose(
        "A trained Transformer writes a text. Does each word have to wait for the one before?",
        Option("yes", True),
        Option(
            "no, it computes all words at once",
            False,
            "In training it does, for all words are known. In writing the next word is not there yet.",
        ),
        because="Each word that it writes is an input of the next step, as in a recurrent network.",
    )


def most_kept(n_words: int, kept: Mapping[str, int]) -> Arrange | None:
    """The models by the bytes that they keep of a text."""
    told = ", ".join(f"{name} {memory(n_bytes)}" for name, n_bytes in kept.items())
    return arrange(
        f"After {counted(n_words, 'word')}, what does each model keep to write the next one? Order them by "
        "memory, the largest first.",
        kept,
        because=f"{told}. Only what the Transformer keeps grows with the text.",
        apart=0,
    )


def next_input(writer: str) -> Choose | None:
    """Ask what a model reads after it has written a word."""
    return choose(
        f"The {writer} has written a word. What does it read next?",
        Option("that word", True),
        Option(
            "the right next word",
            False,
            "Nobody knows a right one here. Only in training the words of a known text are read.",
        ),
        Option(
            "the whole text again from its first word",
            False,
            "It has what it needs of the words before: keys and values of each, or states.",
        ),
        because="Every output is the next input. Such a model is called autoregressive.",
    )


def has_of_words_before(writer: str, *, attends: bool) -> Choose | None:
    """Ask what a model has of the words before, while it writes."""
    return choose(
        f"What does each layer of the {writer} have of the words before?",
        Option(
            "keys and values of each of them",
            attends,
            "That is what attention has. A recurrent network attends to no word before.",
        ),
        Option(
            "the states after the last of them",
            not attends,
            "That is what a recurrent network has: all words before have to fit into them.",
        ),
        because=(
            "So every word before is one operation away."
            if attends
            else "So what a word said has to survive every step since."
        ),
    )
