"""What one expects of a translation and of its attention, before these views show them."""

from collections.abc import Sequence
from math import isfinite

from pages.contract.predict import MOST_OPTIONS, choose, is_near, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.text import counted

MOST = 1_000
"""Greatest number that can be given as an answer."""

NEEDED, NEEDLESS = 0.5, 0.05
"""Probability that some word loses at least if a needed word is hidden, and at most if a needless one is."""


def steps_of_writing(n_words: int, n_steps: int) -> Estimate | None:
    """Steps in which a translation of so many words is written; None of one without words."""
    if not n_words:
        return None
    return Estimate(
        text=(
            f"The model writes a translation of {counted(n_words, 'word')}, full stop included. How many "
            "steps does it take until it stops by itself?"
        ),
        right=n_steps,
        bounds=(0, MOST),
        mistaken=mistakes(
            n_steps,
            (
                1,
                "In training the right words are known. While the model writes, each word waits.",
            ),
            (n_words, "That the translation ends is predicted too: it takes a step of its own."),
        ),
        because="Each step predicts one word after those already written, and the last predicts the end.",
    )


def cross_attention_asks() -> Choose | None:
    """Ask what a row and a column of cross-attention are."""
    return choose(
        "In cross-attention, what attends to what?",
        Option("each word of the translation to the words of the source", True),
        Option(
            "each word of the source to the words of the translation",
            False,
            "The source is read before anything is written. What is written asks it.",
        ),
        Option(
            "each word of the source to each other",
            False,
            "Cross-attention has no row for a word of the source.",
        ),
        Option(
            "each word of the translation to those before it",
            False,
            "Cross-attention has no column for a word of the translation.",
        ),
        because="The word that is being written is the query, and the words of the source are the keys.",
    )


def who_aligns() -> Choose | None:
    """Ask what a translator was told of the words that belong together."""
    return choose(
        "Translators learn which word of the source belongs to which word of the translation. From what?",
        Option("from predicting the next word", True),
        Option(
            "from a dictionary", False, "They have none: they are shown sentences with their translations."
        ),
        Option(
            "from links between words in the training data",
            False,
            "There are such links by the rules, but no translator was shown one.",
        ),
        because="Their loss is computed from the next words alone, and never from links between words.",
    )


def fed_after_a_mistake() -> Choose | None:
    """Ask what teacher forcing feeds."""
    return choose(
        "In training the model predicts a wrong word. Which word is it fed next?",
        Option("the right one", True),
        Option(
            "the wrong one that it predicted",
            False,
            "So it is while it writes by itself. Teacher forcing feeds the right words in any case.",
        ),
        Option("none: the sentence ends there", False, "The loss counts every word of a sentence."),
        because="So in training the model never sees a mistake of its own.",
    )


def needless_word(words: Sequence[Typed], costs: Sequence[float]) -> Choose | None:
    """A source word that can be hidden, among some that cannot; `costs` are the most that a word then loses.

    None where all are needed, or too few.
    """
    if not costs or not all(map(isfinite, costs)):
        return None
    by_cost = sorted(range(len(costs)), key=lambda at: costs[at])
    needed = [at for at in by_cost[::-1][: MOST_OPTIONS - 1] if costs[at] > NEEDED]
    needless = by_cost[0]

    def option(at: int) -> Option:
        holds = is_near(costs[at], 0, within=NEEDLESS, beyond=NEEDED)
        return Option(f"*{words[at]}*", holds, f"Without it a word loses {costs[at]:.2f} of its probability.")

    return choose(
        "One word of the source at a time is hidden from the decoder. Without which does every word of "
        "the translation stay about as likely?",
        *map(option, sorted({needless, *needed})),
        because=(
            f"Without *{words[needless]}* no word loses {NEEDLESS} or more. A hidden word can "
            "still reach the decoder through the encoder's states of other words."
        ),
        in_order=True,
    )


def weight_and_effect() -> Choose | None:
    """Ask if a word with a large weight is needed."""
    return choose(
        "A word of the source has a large attention weight. Does the translation change if it is hidden?",
        Option("perhaps: it has to be tried", True),
        Option(
            "yes, for the weight says how much the word matters",
            False,
            "A weight says what is mixed in, not whether the same is known from elsewhere.",
        ),
        Option(
            "no, weights mean nothing",
            False,
            "They mean something: a weight of 0 mixes nothing of a word in.",
        ),
        because=(
            "Hidden from the decoder, a word can still reach it through the encoder's states of other words, "
            "and other words may be enough."
        ),
    )
