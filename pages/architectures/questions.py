"""What one expects of encoders, decoders and recurrent networks, before these views draw them."""

import numpy as np
from jaxtyping import Bool

from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.text import counted

MOST = 1_000_000
"""Greatest number that can be given as an answer."""

ONE_BY_ONE = "A recurrent network does not read all words at once: each state is made of the state before it."


def hidden_weights(mask: str, allowed: Bool[np.ndarray, "query key"]) -> Estimate | None:
    """Ask how many weights of a head the mask hides; None if it hides none, or any of an earlier word."""
    n_words, hidden = len(allowed), int((~allowed).sum())
    if not hidden or np.tril(allowed).sum() != n_words * (n_words + 1) // 2:
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
            (above, "In this mask some later words are open to all."),
            (above + n_words, "A word may attend to itself: the diagonal stays open."),
            (n_words**2 // 2, "A word may attend to itself, so that less than half is hidden."),
            (0, "If no weight is hidden, the stack is an encoder."),
        ),
        because="The mask hides weights from words to words after them, and no others.",
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
            (1, "That is a decoder, whose mask hides later words."),
            (n_words - 1, "A word attends to itself too."),
        ),
        because="No mask hides the future from an encoder: every word attends to all, earlier or later.",
    )


def queries_and_keys() -> Choose | None:
    """Ask what queries, keys and values of cross-attention are made of."""
    return choose(
        "Cross-attention connects decoder and encoder. What are its queries, keys and values made of?",
        Option("queries of the decoder, keys and values of the encoder", True),
        Option(
            "queries of the encoder, keys and values of the decoder",
            False,
            "The word that is being written asks, and the words of the source answer.",
        ),
        Option("all three of the encoder", False, "Then no word written would change what is attended to."),
        Option(
            "all three of the decoder",
            False,
            "That is the self-attention of the decoder, which learns nothing of the source.",
        ),
        because="The decoder asks, and gets a mean of what the encoder has made of the source.",
    )


def cross_weights(n_source: int, n_target: int) -> Estimate | None:
    """Weights of a head of cross-attention; None where all matrices are equally large."""
    right = n_target * n_source
    known = mistakes(
        right,
        (n_source**2, "That is the self-attention of the encoder: its words attend to each other."),
        (n_target**2, "That is the self-attention of the decoder: its words attend to each other."),
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


def steps_of_recurrence(network: str, n_words: int) -> Estimate:
    """How many steps a recurrent network takes to read a sentence."""
    return Estimate(
        text=(
            f"A layer of an {network} reads {counted(n_words, 'word')}. How many of its steps come one after "
            "the other?"
        ),
        right=n_words,
        bounds=(0, MOST),
        mistaken=mistakes(n_words, (1, ONE_BY_ONE)),
        because="Each state is made of the state before it and of one word, so that it has to wait for it.",
    )


def numbers_handed_over(n_words: int, d_model: int, handed: int) -> Estimate:
    """Ask how many numbers a decoder without attention gets of a sentence, in all layers."""
    return Estimate(
        text=(
            f"An RNN that encodes has a state of {d_model} numbers for each of {counted(n_words, 'word')}. "
            "How many numbers does it hand over to a decoder without attention?"
        ),
        right=handed,
        bounds=(0, MOST),
        mistaken=mistakes(
            handed, (n_words * d_model, "That is what attention reads from: every state of the encoder.")
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
            (n_source, "Each step has weights of its own."),
            (n_target, "A step does not choose one word: it has a weight for each."),
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
            pair // encoder,
            (2, "A block of the decoder attends twice: to its own words and to the source."),
        ),
        because=f"{pair:,} against {encoder:,}: each block of the decoder has self- and cross-attention.",
    )


def heads_and_parameters(n_heads: int, other: int, d_model: int, queries: int) -> Choose | None:
    """Ask what becomes of the query matrices if another number of heads shares the width."""
    wrong = (
        "More heads are not more parameters: each head is narrower."
        if other > n_heads
        else "Fewer heads are not fewer parameters: each head is wider."
    )
    return choose(
        f"The encoder has {counted(n_heads, 'head')} and {queries:,} parameters that make queries. With "
        f"{counted(other, 'head')} of the same d = {d_model} together, how many would it have?",
        Option("as many", True),
        Option(f"{queries * other // n_heads:,}", False, wrong),
        Option(f"{queries * n_heads // other:,}", False, "How heads share d does not change the matrix."),
        because=(
            f"All heads together turn d = {d_model} numbers into d numbers: the matrix is cut into heads, "
            "and gets no larger."
        ),
    )
