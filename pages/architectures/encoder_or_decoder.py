"""Encoder or decoder: one stack, drawn as it computes, and the mask that decides its kind."""

import numpy as np
from jaxtyping import Bool

from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import Counts, counts, run_stack
from core.measures.masking.painting import mask_of
from core.model.masks import MASKS, Mask
from core.programs.tensors import tensors_program
from pages.architectures.drawing import PRINTS, model_picture, sizes
from pages.architectures.part import about_part, ask_part, drawn_place, panel, parameters_fold
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import MARIA
from pages.contract.loading import loaded, measured
from pages.contract.prose import Typed
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes, unique_labels
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Program, Sheet, Text
from pages.contract.switches import WITHOUT_WINDOW, Architecture
from pages.contract.view import view
from words import counted

MOST = 1_000_000
"""Greatest possible answer."""

ALONE = (
    "Alone, an encoder and a decoder differ only in the mask. In a translator, the decoder also has "
    "cross-attention, and the encoder has no output layer."
)
"""The difference of the two kinds of stack, alone and connected."""

SHARED_TABLE = (
    " Word vectors and output layer of the decoder share one table, which counts as embeddings; the encoder "
    "has a table of its own."
)
ONE_TABLE = " Word vectors and output layer share one table, which counts as embeddings."


@view(
    question="What makes a Transformer an encoder or a decoder?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
    about="head",
    defaults={"mask": "bidirectional"},
)
def encoder_or_decoder(ask: Ask, scene: Scene) -> Sheet:
    """Draw one stack on the left, and open the chosen part of it on the right."""
    config = scene.switches.config
    mask = MASKS[config.mask]
    other, kind = ("bidirectional", "an encoder") if mask.hides else ("causal", "a decoder")
    ask.button(f"Make it {kind}", {"mask": other}, icon=":material/swap_horiz:", key="other_mask")
    seen = measured(run_stack, loaded, scene.words, scene.switches)
    boxes = diagram(seen.anatomy, scene.layer)
    chosen = ask_part(ask, seen, boxes, "self-attention")
    allowed = mask_of(config, len(seen.source))
    drawing = model_picture(seen, boxes, chosen.box, scene.layer)
    n_parameters = _parameters(scene.words, scene.switches)
    named = "decoder" if mask.hides else "encoder"
    return Sheet(
        headline=f"{headline(allowed, mask)} {drawn_place(chosen, scene)}",
        unknown=tuple(seen.unknown),
        parts=(
            Columns(
                (
                    (
                        drawing,
                        Text(sizes(seen), "remark"),
                        Text(difference(scene.switches, kind)),
                        about_part(seen, chosen, scene),
                        parameters_fold({named: n_parameters}, parameters_told(tied=seen.config_of("").tied)),
                    ),
                    panel(seen, chosen, scene.head),
                ),
                (3, 2),
                alone=True,
            ),
        ),
        questions=lambda: (
            hidden_weights_question(mask.name, allowed)
            if mask.hides
            else first_word_question(unique_labels(seen.source)[0], len(allowed), int(allowed[0].sum())),
        ),
        program=lambda: Program(
            lambda: tensors_program(scene.subject.call_for(".model"), scene.subject.call_for(".tokens")),
            prints=PRINTS,
        ),
    )


@cached_for_all()
def _parameters(words: tuple[str, ...], switches: Architecture) -> Counts:
    return counts(loaded(words, switches).model)


def headline(allowed: Bool[np.ndarray, "query key"], mask: Mask) -> str:
    """Return how the mask defines a stack that reads this sentence."""
    n, hidden = len(allowed), int((~allowed).sum())
    if not mask.hides:
        attends = "its one word attends to itself" if n == 1 else f"every word attends to all {n}"
        return f"This stack is an encoder: no mask hides the future, and {attends}."
    if not hidden:
        words = "one word" if n == 1 else counted(n, "word")
        return f"This stack is a decoder, but its {mask.name} mask hides nothing in a text of {words}."
    return f"This stack is a decoder: its {mask.name} mask hides {hidden} of {n * n} weights in every head."


def difference(switches: Architecture, kind: str) -> str:
    """Return why the stack has this mask, and other differences of the two kinds of stack."""
    mask = MASKS[switches.config.mask]
    why = (
        "A decoder learns to predict the next word. In training its input contains this word, so the mask "
        "hides it."
        if mask.hides and not mask.looks_ahead
        else "A decoder with this mask predicts the words after a given beginning. There the mask hides the "
        "next word, and in the beginning it hides none."
        if mask.hides
        else "An encoder predicts no next word: its text is complete, so it may attend in both directions."
    )
    if not switches.weights.trained or switches.weights.pretrained is not None:
        return f"{why} {ALONE} *Make it {kind}* keeps all weights."
    fills = "" if mask.hides else " The output layer of this encoder was trained to fill in masked words."
    return f"{why}{fills} {ALONE} *Make it {kind}* shows another model, trained on another task."


def parameters_told(*, tied: bool) -> str:
    """Return how a mask relates to parameters, and where the output layer counts."""
    same = "A mask has no parameters, so an encoder and a decoder of the same size have equally many."
    return f"{same}{ONE_TABLE if tied else ''}"


def hidden_weights_question(mask: str, allowed: Bool[np.ndarray, "query key"]) -> Estimate | None:
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
            (above, "Under this mask, some words may attend to later words."),
            (above + n_words, "A word may attend to itself: the diagonal stays open."),
            (n_words**2 // 2, "A word may attend to itself: less than half is hidden."),
            (0, "If no weight is hidden, the stack is an encoder."),
        ),
        because="The mask hides only weights from words to words after them.",
    )


def first_word_question(word: Typed, n_words: int, n_seen: int) -> Estimate | None:
    """Ask how many words the first word of an encoder attends to; None if there is only one."""
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
