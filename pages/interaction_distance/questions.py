"""What one expects of the operations between two words, before these views count them."""

from dataclasses import dataclass
from math import isclose

from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.text import counted

MOST = 100_000
"""Greatest number that can be given as an answer: more than there are scores between 256 words."""

ONE_BY_ONE = (
    "A recurrent network does not read all words at once: every state is made of the state before it."
)


@dataclass(frozen=True)
class Walk:
    """The way from one word to the state of another, over so many words and layers, and its operations.

    It goes `back` if the other word stands before: then the network reads from the last word to the first.
    """

    source: Typed
    target: Typed
    n_words: int
    n_layers: int
    operations: int
    back: bool = False


def recurrent_operations(walk: Walk) -> Estimate | None:
    """Operations between two words in a recurrent network; None where there is no way to go."""
    if not walk.n_words:
        return None
    further = "1 more leads" if walk.n_words == 1 else f"{walk.n_words} more lead"
    up = f" and {walk.n_layers - 1} up" if walk.n_layers > 1 else ""
    return Estimate(
        text=(
            f"How many operations lead from *{walk.source}* to the state of *{walk.target}* in a "
            f"recurrent network{of_layers(walk.n_layers)}{' that reads backwards' * walk.back}, counting the "
            f"one that reads *{walk.source}*?"
        ),
        right=walk.operations,
        bounds=(0, MOST),
        mistaken=mistakes(
            walk.operations,
            (1, ONE_BY_ONE),
            (walk.n_words, f"To enter the state of *{walk.source}* is an operation too."),
        ),
        because=f"One operation leads into the state of *{walk.source}*, {further} to *{walk.target}*{up}.",
    )


def path_under_mask(
    mask: str, source: Typed, target: Typed, *, recurrent: bool, attention: bool
) -> Choose | None:
    """Ask which network leads back to a word, if one of them does not; each says whether it does."""
    back = "" if attention else f"The mask hides *{source}* from *{target}*, in every layer."
    onwards = "" if recurrent else "A network that reads onwards carries nothing back."

    def option(text: str, in_recurrent: bool, in_attention: bool) -> Option:
        too_many = (onwards * in_recurrent, back * in_attention)
        is_so = (in_recurrent, in_attention) == (recurrent, attention)
        return Option(text, is_so, " ".join(filter(None, too_many)))

    return choose(
        f"Under the {mask} mask: in which network does a path lead from *{source}* to the state of "
        f"*{target}*?",
        option("in both", True, True),
        option("in the recurrent network alone", True, False),
        option("in self-attention alone", False, True),
        option("in neither", False, False),
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
            (1, ONE_BY_ONE),
            (
                n_words * n_layers,
                "A layer need not wait for the whole layer below: it follows one word behind.",
            ),
        ),
        because=(
            "Each state waits for the one before it"
            f"{', and each layer follows one word behind' * (n_layers > 1)}."
        ),
    )


def serial_operations() -> Choose | None:
    """Ask what either network has to wait for, whatever the sentence."""
    more_work = "Self-attention computes n² scores, but none waits for another: more work, not more steps."
    return choose(
        "Operations are serial if one has to wait for the other. How many of them does one layer need over "
        "n words?",
        Option("a recurrent network n, self-attention 1", True),
        Option(
            "both n", False, "All states of self-attention are computed at once: none is made of another."
        ),
        Option("both 1", False, ONE_BY_ONE),
        Option("a recurrent network n, self-attention n²", False, more_work),
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
            (recurrent, "That is a recurrent network, with one operation for each word."),
            (n_words - 1, "Self-attention does not go from word to word: the last attends to the first."),
        ),
        because=f"The last word attends to the first directly. A recurrent network needs {recurrent:,}.",
    )


def twice_as_long(factor: float) -> Choose | None:
    """Ask by what the scores are multiplied if a text gets twice as long; the right answer is the factor."""

    def option(times: int, why_not: str = "") -> Option:
        text = f"{times} times as many" if times > 1 else "as many as before"
        return Option(text, isclose(factor, times), why_not)

    return choose(
        "A text gets twice as long. How many scores does a head compute then?",
        option(
            1, "The number of operations between two words stays the same. The number of scores does not."
        ),
        option(2, "There are twice as many queries, each compared with twice as many keys."),
        option(4),
        option(8, "A score has a query and a key: the length counts twice, not three times."),
        because=(
            "The number of scores grows with the square of the length. The steps of a recurrent network "
            "double."
        ),
    )


def faster_with_more() -> Choose | None:
    """Ask why more work can take less time."""
    return choose(
        "Over n words self-attention computes n² scores, a recurrent layer takes n steps. Why can attention "
        "still take less time?",
        Option("its scores are computed at once", True),
        Option("its scores cost nothing", False, "A score is a dot product: one product for each dimension."),
        Option("small scores are left out", False, "All are computed: which are small is known only then."),
        Option("it has fewer scores than steps", False, "From 2 words on there are more."),
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
