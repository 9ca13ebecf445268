"""What one expects of encoders, decoders and recurrent networks, before these views draw them."""

from collections.abc import Mapping, Sequence

from pages.contract.predict import arrange, choose, mistakes
from pages.contract.question import Arrange, Choose, Estimate
from pages.controls.prose import Typed
from viz.text import counted

MOST = 1_000_000
"""Greatest number that can be given as an answer."""

ONE_BY_ONE = "A recurrent network does not read all words at once: each state is made of the state before it."


def hidden_weights(mask: str, n_words: int, hidden: int) -> Estimate | None:
    """Weights of a head that the mask hides; None where it hides none."""
    if not hidden:
        return None
    above = n_words * (n_words - 1) // 2
    return Estimate(
        text=(
            f"A decoder reads {counted(n_words, 'word')}: a head has {n_words} × {n_words} attention "
            f"weights. How many of them does the {mask} mask hide?"
        ),
        right=hidden,
        bounds=(0, MOST),
        mistaken=mistakes(
            hidden,
            {
                above: "In this mask some later words are open to all.",
                above + n_words: "A word may attend to itself: the diagonal stays open.",
                n_words**2 // 2: "A word may attend to itself, so that less than half is hidden.",
                0: "Where no weight is hidden the stack is an encoder.",
            },
        ),
        because="Hidden are weights between a word and the words after it.",
    )


def seen_by_first(word: Typed, n_words: int, n_seen: int) -> Estimate | None:
    """How many words the first word of an encoder attends to; None where there is one alone."""
    if n_words < 2:
        return None
    return Estimate(
        text=f"An encoder reads {n_words} words. To how many of them does the first, *{word}*, attend?",
        right=n_seen,
        bounds=(0, MOST),
        mistaken=mistakes(
            n_seen,
            {
                1: "That is a decoder, whose mask hides later words.",
                n_words - 1: "A word attends to itself too.",
            },
        ),
        because="No mask hides the future from an encoder: every word attends to all, earlier or later.",
    )


def what_makes_a_decoder() -> Choose:
    """What has to change for an encoder to become a decoder."""
    return choose(
        "What has to change in an encoder, so that it becomes a decoder that writes on its own?",
        "its mask alone",
        {
            "its mask, and with it the number of parameters": (
                "A mask is no parameter: it sets scores to −∞, and every matrix stays as it is."
            ),
            "the order in which it reads the words": (
                "Both compute all words of a layer at once, in no order."
            ),
            "the formula of its attention": "The formula is the same; the mask is added to its scores.",
        },
        because="Encoder and decoder are one class. Only a mask keeps a word from attending to later words.",
    )


def queries_and_keys() -> Choose:
    """What queries, keys and values of cross-attention are made of."""
    return choose(
        "Cross-attention connects decoder and encoder. What are its queries, keys and values made of?",
        "queries of the decoder, keys and values of the encoder",
        {
            "queries of the encoder, keys and values of the decoder": (
                "The word that is being written asks, and the words of the source answer."
            ),
            "all three of the encoder": "Then no word written would change what is attended to.",
            "all three of the decoder": (
                "That is the self-attention of the decoder, which learns nothing of the source."
            ),
        },
        because="The decoder asks, and gets a mean of what the encoder has made of the source.",
    )


def cross_weights(n_source: int, n_target: int) -> Estimate | None:
    """Weights of a head of cross-attention; None where all matrices are equally large."""
    right = n_target * n_source
    known = mistakes(
        right,
        {
            n_source**2: "That is the self-attention of the encoder: its words attend to each other.",
            n_target**2: "That is the self-attention of the decoder: its words attend to each other.",
        },
    )
    if not known:
        return None
    positions = counted(n_target, "position")
    return Estimate(
        text=(
            f"The encoder reads {counted(n_source, 'word')}, the decoder has {positions}. How many "
            "attention weights does a head of cross-attention compute?"
        ),
        right=right,
        bounds=(0, MOST),
        mistaken=known,
        because=f"Each position of the decoder attends to each word of the source: {n_target} × {n_source}.",
    )


ORDERED: Mapping[str, str] = {
    "attention": "self-attention",
    "cross-attention": "cross-attention",
    "feed-forward": "feed-forward layer",
}
"""The parts of a block that are put in order, by the kinds of their boxes."""


def order_of_block(kinds: Sequence[str]) -> Arrange | None:
    """The parts of a block of the decoder; `kinds` are its boxes, from below."""
    shown = [ORDERED[kind] for kind in kinds if kind in ORDERED]
    return arrange(
        "In which order does a block of the decoder compute its parts? Begin with the first.",
        {name: len(shown) - at for at, name in enumerate(shown)},
        because=(
            "The decoder first attends to what it has written itself, and with that it asks the encoder"
            f"{'; the feed-forward layer comes last' * (ORDERED['feed-forward'] in shown)}."
        ),
    )


def steps_of_recurrence(network: str, n_words: int) -> Estimate:
    """How many steps a recurrent network takes to read a sentence."""
    return Estimate(
        text=(
            f"A layer of an {network} reads {counted(n_words, 'word')}. How many of its steps come one after "
            "the other?"
        ),
        right=n_words,
        bounds=(0, MOST),
        mistaken=mistakes(n_words, {1: ONE_BY_ONE}),
        because="Each state is made of the state before it and of one word, so that it has to wait for it.",
    )


def numbers_handed_over(n_words: int, d_model: int) -> Estimate:
    """How many numbers a decoder without attention gets of a sentence."""
    return Estimate(
        text=(
            f"An encoder has a state of {d_model} numbers for each of {counted(n_words, 'word')}. How many "
            "numbers does it hand over to a decoder without attention?"
        ),
        right=d_model,
        bounds=(0, MOST),
        mistaken=mistakes(
            d_model, {n_words * d_model: "That is what attention reads from: every state of the encoder."}
        ),
        because="The last state alone. Everything about the sentence has to fit into it: the bottleneck.",
    )


def weights_of_alignment(n_source: int, n_target: int) -> Estimate:
    """How many weights attention between two recurrent networks has."""
    right = n_source * n_target
    return Estimate(
        text=(
            f"An encoder reads {counted(n_source, 'word')}, and its decoder takes "
            f"{counted(n_target, 'step')}. How many attention weights are there?"
        ),
        right=right,
        bounds=(0, MOST),
        mistaken=mistakes(
            right,
            {
                n_source: "Each step has weights of its own.",
                n_target: "A step does not choose one word: it has a weight for each.",
            },
        ),
        because=f"Each step has a weight for each word of the source: {n_target} × {n_source}.",
    )


def attention_of_both(encoder: int, pair: int) -> Estimate | None:
    """How many times the attention parameters of an encoder an encoder–decoder has."""
    if not encoder or pair % encoder:
        return None
    return Estimate(
        text=(
            "An encoder–decoder has as many layers on each side as an encoder alone. How many times its "
            "attention parameters does it have?"
        ),
        right=pair // encoder,
        bounds=(0, 100),
        mistaken=mistakes(
            pair // encoder, {2: "A block of the decoder attends twice: to its own words and to the source."}
        ),
        because=f"{pair:,} against {encoder:,}: each block of the decoder has self- and cross-attention.",
    )


def heads_and_parameters(n_heads: int, other: int, d_model: int, queries: int) -> Choose:
    """What becomes of the query matrices where the width is shared out among another number of heads."""
    more = other > n_heads
    wrong = (
        "More heads are not more parameters: each head is narrower."
        if more
        else "Fewer heads are not fewer parameters: each head is wider."
    )
    return choose(
        f"The encoder has {counted(n_heads, 'head')} and {queries:,} parameters that make queries. With "
        f"{counted(other, 'head')} of the same d = {d_model} together, how many would it have?",
        f"{queries:,}",
        {
            f"{queries * other // n_heads:,}": wrong,
            f"{queries * n_heads // other:,}": "How d is shared out among heads does not change the matrix.",
        },
        because=(
            f"All heads together turn d = {d_model} numbers into d numbers: the matrix is cut into heads, "
            "and gets no larger."
        ),
    )
