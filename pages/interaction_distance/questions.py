"""What one expects of the operations between two words, before these views count them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.contract.predict import choose, mistakes, sketch_values
from pages.contract.question import Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.text import counted

MOST = 100_000
"""Greatest number that can be given as an answer: more than there are scores between 256 words."""

ONE_BY_ONE = (
    "A recurrent network does not read all words at once: every state is made of the state before it."
)


@dataclass(frozen=True)
class Walk:
    """The way from one word to the state of another, over so many words and layers, and its operations."""

    source: Typed
    target: Typed
    n_words: int
    n_layers: int
    operations: int


def recurrent_operations(walk: Walk) -> Estimate | None:
    """Operations between two words in a recurrent network; None where there is no way to go."""
    if not walk.n_words:
        return None
    further = "1 more leads" if walk.n_words == 1 else f"{walk.n_words} more lead"
    up = f" and {walk.n_layers - 1} up" if walk.n_layers > 1 else ""
    return Estimate(
        text=(
            f"How many operations lead from *{walk.source}* to the state of *{walk.target}* in a "
            f"recurrent network{of_layers(walk.n_layers)}, counting the one that reads *{walk.source}*?"
        ),
        right=walk.operations,
        bounds=(0, MOST),
        mistaken=mistakes(
            walk.operations,
            {
                1: ONE_BY_ONE,
                walk.n_words: f"To enter the state of *{walk.source}* is an operation too.",
            },
        ),
        because=(
            f"One operation leads into the state of *{walk.source}*, {further} to *{walk.target}*{up}: "
            f"{walk.operations} together."
        ),
    )


def attention_operations(
    source: Typed, reached: Mapping[str, int], *, n_layers: int, longest: int, are_all: bool
) -> Sketch | None:
    """Operations of self-attention to every word that it leads to, beside the longest way of recurrence."""
    words = "each word" if are_all else "each word that can know of it"
    return sketch_values(
        f"Now self-attention with {counted(n_layers, 'layer')}. Draw the operations from *{source}* to the "
        f"state of {words}.",
        list(reached),
        list(reached.values()),
        largest=longest,
        unit="",
        because=(
            f"All are {n_layers}{', one for each layer' * (n_layers > 1)}: distance does not count, for a "
            "word attends to a far word as directly as to the next one."
        ),
    )


def path_under_mask(mask: str, source: Typed, target: Typed, *, recurrent: bool, attention: bool) -> Choose:
    """Which network leads back to a word, where one at least does not; each says whether it does."""
    answers = {
        (True, True): "in both",
        (True, False): "in the recurrent network alone",
        (False, True): "in self-attention alone",
        (False, False): "in neither",
    }
    right = answers[recurrent, attention]
    back = "" if attention else f"The mask hides *{source}* from *{target}*, in every layer."
    onwards = "" if recurrent else "A network that reads onwards carries nothing back."
    why_not = {
        (True, True): " ".join(filter(None, (onwards, back))),
        (True, False): onwards,
        (False, True): back,
        (False, False): "",
    }
    return choose(
        f"Under the {mask} mask: in which network does a path lead from *{source}* to the "
        f"state of *{target}*?",
        right,
        {answers[one]: why for one, why in why_not.items() if answers[one] != right},
        because=" ".join(filter(None, (onwards, back))),
    )


def recurrent_serial(last: Typed, n_words: int, n_layers: int, operations: int) -> Estimate:
    """Operations that wait for one another before the last state of a recurrent network."""
    return Estimate(
        text=(
            "How many operations have to wait for one another, before a recurrent network"
            f"{of_layers(n_layers)} has the state of *{last}*, word {n_words}?"
        ),
        right=operations,
        bounds=(0, MOST),
        mistaken=mistakes(
            operations,
            {
                1: ONE_BY_ONE,
                n_words * n_layers: (
                    "A layer need not wait for the whole layer below: it can follow one word behind."
                ),
            },
        ),
        because=(
            "Each state waits for the one before it"
            f"{', and each layer follows one word behind' * (n_layers > 1)}."
        ),
    )


def serial_operations() -> Choose:
    """What either network has to wait for, whatever the sentence."""
    return choose(
        "Operations are serial if one has to wait for the other. How many of them does one layer need over "
        "n words?",
        "a recurrent network n, self-attention 1",
        {
            "both n": "All states of self-attention are computed at once: none is made of another.",
            "both 1": ONE_BY_ONE,
            "a recurrent network n, self-attention n²": (
                "Self-attention computes n² scores, but none waits for another: more work, not more steps."
            ),
        },
        because="That is why attention can be computed for all words at once, and recurrent states cannot.",
    )


def far_attention(n_words: int, attention: int, recurrent: int) -> Estimate:
    """Operations of self-attention over a long text, which do not depend on its length."""
    return Estimate(
        text=(
            f"A text has {counted(n_words, 'word')}. After how many operations has its first word reached "
            "the state of the last in one layer of self-attention?"
        ),
        right=attention,
        bounds=(0, MOST),
        mistaken=mistakes(
            attention,
            {
                recurrent: "That is a recurrent network, with one operation for each word.",
                n_words - 1: "Self-attention does not go from word to word: each attends to all directly.",
            },
        ),
        because=f"The last word attends to the first directly. A recurrent network needs {recurrent:,}.",
    )


def scores_of_head(n_words: int, n_layers: int, scores: int) -> Estimate:
    """Scores that one head computes in all layers."""
    return Estimate(
        text=(
            f"Self-attention reads {counted(n_words, 'word')}. How many scores does it compute per head"
            f"{in_layers(n_layers)}?"
        ),
        right=scores,
        bounds=(0, 100 * MOST),
        mistaken=mistakes(
            scores,
            {
                n_layers * n_words * (n_words - 1) // 2: (
                    "Two words have two scores, for each is a query once and a key once; and each word has "
                    "one with itself."
                ),
                n_layers * n_words * (n_words - 1): "A word gets a score with itself too.",
                n_layers * n_words: (
                    "A recurrent network takes one step a word. Attention compares every word with each."
                ),
            },
        ),
        because="Every word is compared with every word, itself among them: n² scores in each layer.",
    )


def twice_as_long(factor: float) -> Choose:
    """What becomes of the scores where a text gets twice as long; they grow by so much."""
    return choose(
        "A text gets twice as long. How many scores does a head compute then?",
        f"{factor:g} times as many",
        {
            "2 times as many": "There are twice as many queries, each compared with twice as many keys.",
            "as many as before": (
                "The number of operations between two words stays the same. The number of scores does not."
            ),
            "8 times as many": "A score has a query and a key: the length counts twice, not three times.",
        },
        because=(
            "The number of scores grows with the square of the length. The steps of a recurrent network "
            "double."
        ),
    )


def faster_with_more() -> Choose:
    """Why more work can take less time."""
    return choose(
        "Over n words self-attention computes n² scores, a recurrent layer takes n steps. What makes "
        "attention faster all the same?",
        "scores computed at once",
        {
            "scores that cost nothing": "A score is a dot product, with a multiplication for each dimension.",
            "small scores left out": "All are computed: which are small is known only then.",
            "fewer scores than steps": "From 2 words on there are more.",
        },
        because=(
            "No score waits for another, and a GPU computes many at once. Steps of a recurrent network come "
            "one after the other."
        ),
    )


def of_layers(n_layers: int) -> str:
    """The depth of a network, where it has any."""
    return f" of {n_layers} layers" * (n_layers > 1)


def in_layers(n_layers: int) -> str:
    """The layers in which something is counted, where there are several."""
    return f" in {n_layers} layers together" * (n_layers > 1)


def reached(words: Sequence[str], counts: Sequence[int]) -> dict[str, int]:
    """The operations to each word that is reached, by its name; other words have less than none."""
    return {str(word): int(n) for word, n in zip(words, counts, strict=True) if n >= 0}
