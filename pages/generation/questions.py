"""What one expects of a text that is written word by word, before the views of generation show it."""

from collections.abc import Sequence
from math import isclose

from pages.contract.predict import choose, choose_largest
from pages.contract.question import Choose, Option
from pages.controls.prose import Typed

MOST_QUOTED = 160
"""Characters of a text that are quoted."""


def greedy_text() -> Choose | None:
    """Ask if the likeliest words make the likeliest text."""
    return choose(
        "A model writes greedily: the likeliest word at every step. Is its text the likeliest of all texts?",
        Option("not always", True),
        Option(
            "always",
            False,
            "The probability of a text is the product of those of its words. The likeliest first word "
            "may lead to unlikely ones.",
        ),
        because=(
            "A less likely word can lead to a text that is more likely as a whole. Greedy decoding never "
            "looks ahead."
        ),
    )


def same_seed() -> Choose | None:
    """Ask if chance makes another text each time."""
    return choose(
        "Words are drawn by chance, twice, each time with the same seed. Do the two texts differ?",
        Option("no", True),
        Option("yes", False, "The seed decides all that is drawn: only another seed draws other words."),
        because="A seed makes chance repeatable, so a link shows everybody the same text.",
    )


def largest_surprisal(
    writer: str, text: Sequence[str], words: Sequence[Typed], nats: Sequence[float]
) -> Choose | None:
    """The word of a text that a model expects least; `words` of it differ, and each has a surprisal."""
    found = dict(zip(words, nats, strict=True))
    return choose_largest(
        f"The {writer} reads *{Typed(' '.join(text)):{MOST_QUOTED}}* word by word. Which of these words has "
        "the largest surprisal?",
        {f"*{word}*": value for word, value in found.items()},
        because=(
            f"Its surprisal is {max(nats, default=0.0):.1f} nats. Surprisal is −ln p: the less likely a "
            "word is after those before it, the larger."
        ),
    )


def text_twice_as_long(writer: str, ratio: float) -> Choose | None:
    """Ask what a writer keeps of a text twice as long, as a `ratio` to what it keeps of this one."""
    grows = isclose(ratio, 2)
    return choose(
        f"A text is twice as long. What does the {writer} keep of it to write the next word?",
        Option(
            "as much as before",
            isclose(ratio, 1),
            "A Transformer keeps a key and a value of every word, so that later words can attend to them.",
        ),
        Option(
            "twice as much",
            grows,
            "A recurrent network hands on states of one size: a longer text has to fit into them.",
        ),
        Option(
            "four times as much",
            isclose(ratio, 4),
            "Attention has a weight for each pair of words, four times as many, but none of them is kept.",
        ),
        because=(
            "Keys and values of all words are kept, so that none is computed twice."
            if grows
            else "Its states have one size for every text."
        ),
    )
