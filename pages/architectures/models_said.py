"""What is said of an encoder, a decoder, and both."""

from core.measures.architectures.models import Seen
from core.model.masks import Mask
from pages.translation.kinds import CROSS, ROWS
from viz.text import counted

TRAINED = "The model was trained to translate; [Translation](/translation?view=cross-attention) is its page."
UNTRAINED = (
    "No encoder–decoder was trained with these switches, so its weights are random and have learned nothing."
)
TRAINED_ONES = "Trained ones have rotary positions, pre-norm, one or two layers and everything in place."

CROSS_ATTENTION = (
    "Every block of the decoder attends twice: under a mask to the words written so far, and by "
    f"**cross-attention** to the encoder. {ROWS[CROSS]} Keys and values come from the output of the encoder "
    "in every block."
)


def stack_answer(n: int, mask: Mask, hidden: int) -> str:
    """What its mask, which hides so many weights of `n` words, makes of a stack."""
    if not mask.hides:
        attends = "its one word attends to itself" if n == 1 else f"every word attends to all {n}"
        return f"This stack is an encoder: no mask hides the future, and {attends}."
    if not hidden:
        words = "one word" if n == 1 else counted(n, "word")
        return f"This stack is a decoder: of {words} its {mask.name} mask hides nothing."
    return f"This stack is a decoder: its {mask.name} mask hides {hidden} of {n * n} weights in every head."


def one_class(mask: Mask) -> str:
    """What the mask does, and that nothing but the mask makes the difference."""
    does = "" if mask.looks_ahead else "No word attends to a later one. "
    other = "bidirectional" if mask.hides else "causal"
    return (
        f"{does}Encoder and decoder are one class: press *{other}* in *Mask*, and nothing else in the "
        "drawing changes."
    )


def pair_answer(n: int, m: int) -> str:
    """How an encoder of `n` words and a decoder of `m` positions are connected."""
    read = "its one word" if n == 1 else f"all {n} words at once"
    return (
        f"This is both: the encoder reads {read}, and every block of the decoder attends to its output, with "
        f"weights {m} × {n}, target × source."
    )


def sizes(seen: Seen) -> str:
    """What the numbers at the arrows are."""
    config = seen.config_of("encoder")
    words = f"n = {counted(len(seen.source), 'word')}"
    if seen.target:
        words += f" in, {len(seen.target)} in the translation with its start"
    vocabulary = f"{counted(seen.config_of('decoder').vocab_size, 'word')} to choose from"
    heads = f"{counted(config.n_heads, 'head')} of {config.d_head}"
    return f"{words}; d = {config.d_model} numbers for each; {heads}; {vocabulary}."
