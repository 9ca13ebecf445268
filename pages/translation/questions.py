"""What one expects of a translation and of its attention, before these views show them."""

from collections.abc import Sequence
from math import isfinite

from pages.contract.predict import MOST_OPTIONS, choose, choose_largest, mistakes, sketch
from pages.contract.question import Choose, Estimate, Option, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent

MOST = 1_000
"""Greatest number that can be given as an answer."""

NEEDED, NEEDLESS = 0.5, 0.05
"""A hidden word is needed if it takes more than this from some word, and needless if less than that."""

SUMS_TO_ONE = 1e-3


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
            {
                1: (
                    "In training all words are there and are asked for at once. While it writes, each word "
                    "needs those before it."
                ),
                n_words: "That the translation ends is predicted too: it takes a step of its own.",
            },
        ),
        because="Each step predicts one word after those already written, and the last predicts the end.",
    )


def least_certain(words: Sequence[Typed], shares: Sequence[float]) -> Choose | None:
    """The word at which the model is most in doubt; None where it is about equally certain of two."""
    named = {f"*{word}*": share for word, share in zip(words, shares, strict=True)}
    return choose_largest(
        "At which of these words of the translation is the model least certain?",
        named,
        smallest=True,
        because=f"It gives it a probability of {per_cent(min(shares, default=0.0))}.",
    )


def cross_attention_asks() -> Choose:
    """What a row and a column of cross-attention are."""
    return choose(
        "In cross-attention, what attends to what?",
        "each word of the translation to the words of the source",
        {
            "each word of the source to the words of the translation": (
                "The source is read before anything is written. What is written asks it."
            ),
            "each word of the source to each other": "That is the self-attention of the encoder.",
            "each word of the translation to those before it": "That is the self-attention of the decoder.",
        },
        because="The word that is being written is the query, and the words of the source are the keys.",
    )


def row_of_attention(
    query: Typed,
    keys: Sequence[Typed],
    weights: Sequence[float],
    *,
    meant: Typed | None = None,
    head: str = "",
) -> Sketch | None:
    """A row of weights to be drawn, of one head if there are several.

    `meant` is the word of the source that the query translates, if that is known. None of what is no softmax.
    """
    if not all(weight >= 0 for weight in weights) or abs(sum(weights) - 1) > SUMS_TO_ONE:
        return None
    largest = max(range(len(weights)), key=lambda at: weights[at])
    known = f", which stands for *{meant}*," if meant is not None else ""
    return sketch(
        f"Draw what *{query}*{known} attends to{f' in {head}' * bool(head)}.",
        [str(key) for key in keys],
        weights,
        because=f"*{keys[largest]}* gets {per_cent(weights[largest])}, the largest weight.",
    )


def who_aligns() -> Choose:
    """What a translator was told of the words that belong together."""
    return choose(
        "Translators learn which word of the source belongs to which word of the translation. From what?",
        "from predicting the next word",
        {
            "from a dictionary": "They have none: they are shown sentences with their translations.",
            "from links between words in the training data": (
                "There are such links by the rules, but no translator was shown one."
            ),
        },
        because="To predict the next word well, they have to find the source word that it translates.",
    )


def aligned_by(score: str, share: float, at_random: float) -> Estimate:
    """The share of content words that attend most to a word which they translate."""
    right = 100 * share
    return Estimate(
        text=(
            "What share of all nouns, names, adjectives and verbs attends most to a word that it translates, "
            f"with the score function *{score}*? At random it would be {per_cent(at_random)}."
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=7,
        mistaken=mistakes(
            right,
            {
                100 * at_random: (
                    "Nobody linked words, but who predicts the next word has to find the word that it "
                    "translates."
                )
            }
            if share > at_random
            else {},
            near=7,
        ),
        because="Training asked for the next word alone, and never which words belong together.",
    )


def fed_after_a_mistake() -> Choose:
    """What teacher forcing feeds."""
    return choose(
        "In training the model predicts a wrong word. Which word is it fed next?",
        "the right one",
        {
            "the wrong one that it predicted": (
                "So it is while it writes by itself. Teacher forcing feeds the right words, whatever was "
                "predicted."
            ),
            "none: the sentence ends there": "All words of a sentence are trained at once.",
        },
        because="So all positions can be trained at once, and so the model never sees a mistake of its own.",
    )


def words_made_unlikely(
    instead: Typed, right: Typed, n_later: int, n_lost: int, *, again: str
) -> Estimate | None:
    """How many of the later words become unlikely after a wrong one, and `again` those that were to be fed.

    None where no word follows.
    """
    if not n_later:
        return None
    known: dict[float, str] = {
        n_later: "Only the one word is wrong: all words after it are fed as they should be.",
        0: "Each later word is predicted from all words before it, the wrong one among them.",
    }
    return Estimate(
        text=(
            f"The decoder is fed *{instead}* in place of *{right}*, and {again} again after it. Of "
            f"{counted(n_later, 'later prediction')}, how many fall from 50 % or more to less?"
        ),
        right=n_lost,
        bounds=(0, n_later),
        mistaken=mistakes(n_lost, known),
        because=_depending(n_lost, n_later),
    )


def _depending(n_lost: int, n_later: int) -> str:
    if n_lost == n_later:
        return "All of them depend on the wrong word."
    return "Words that depend on the wrong one become unlikely." if n_lost else "None depends on it so much."


def needless_word(words: Sequence[Typed], costs: Sequence[float]) -> Choose | None:
    """A source word that can be hidden, among some that cannot; `costs` are the most that a word then loses.

    None where all are needed, or too few.
    """
    if not all(map(isfinite, costs)):
        return None
    by_cost = sorted(range(len(costs)), key=lambda at: costs[at])
    needless, needed = by_cost[:1], by_cost[::-1][: MOST_OPTIONS - 1]
    needed = [at for at in needed if costs[at] > NEEDED]
    if not needed or costs[needless[0]] >= NEEDLESS:
        return None
    offered = sorted(needless + needed)
    lost = {at: f"Without it a word loses {costs[at]:.2f} of its probability." for at in needed}
    return Choose(
        text=(
            "One word of the source at a time is hidden from the decoder. Without which does every word of "
            "the translation stay about as likely?"
        ),
        options=tuple(Option(f"*{words[at]}*", lost.get(at, "")) for at in offered),
        right=offered.index(needless[0]),
        because=(
            f"Without *{words[needless[0]]}* no word loses {NEEDLESS} or more. A hidden word can "
            "still reach the decoder through the encoder's states of other words."
        ),
    )


def weight_and_effect() -> Choose:
    """Whether a word with a large weight is needed."""
    return choose(
        "A word of the source has a large attention weight. Does the translation change if it is hidden?",
        "perhaps: it has to be tried",
        {
            "yes, for the weight says how much the word matters": (
                "A weight says what is mixed in, not whether the same is known from elsewhere."
            ),
            "no, weights mean nothing": "They mean something: a weight of 0 mixes nothing of a word in.",
        },
        because=(
            "Hidden from the decoder, a word can still reach it through the encoder's states of other words, "
            "and other words may be enough."
        ),
    )
