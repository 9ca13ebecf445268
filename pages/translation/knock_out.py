"""Knock out: the translation without a source word, a head or a layer of attention to the source."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from jaxtyping import Float

from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.programs import Call
from core.sources.trained import load_translator
from core.text.translation import END
from pages.contract.ask import Ask
from pages.contract.loading import measured
from pages.contract.prose import literal, set_off
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.translation.source_sentence import ONE, SourceSentence, differing, source_of, without_attention
from pages.translation.translator import Translator
from viz.matrices import Alignment
from viz.named_bars import name_of
from viz.text import label, unique_words
from words import enumerated

Effects = Float[np.ndarray, "target source"]
"""Fall in the probability of each word of the translation when a source word is hidden."""

ROLES = ("written ↓", "hidden →")
LOST = 0.5
"""A word that loses this much when a source word is hidden is outlined."""

NEEDED = 0.05
"""A hidden word that takes less than this from every word is not needed."""

HOW_TO_READ = (
    "A row is a word of the translation. A column is a source word that the decoder may not attend to. A "
    "number is the fall in the probability of the row's word. The words before it stay the same, and nothing "
    "else is knocked out."
)


@view(question="Which words and heads does the translation need?", **ONE)
def knock_out(ask: Ask, scene: Scene) -> Sheet:
    """Show the effect of every source word, and the translation without the chosen parts."""
    here = source_of(scene)
    translator, words = here.translator, here.words
    if not translator.attends:
        return without_attention(here)
    missing = _missing(ask, here)
    pair, plain = translator.pair, here.plain
    intact, without = (
        measured(translate_without, load_translator, pair, plain, one) for one in (KnockOut(), missing)
    )
    effects = measured(hidden_effects, load_translator, pair, plain, intact)
    named = called(words, missing, translator)
    made = f"**Without {named}**  \n{differing(without, intact)}" if named else invitation(translator)
    told = (HOW_TO_READ, needless(effects, words), other_ways(translator, len(words)))
    texts = (
        Text(f"**With everything in place**  \n{' '.join(map(literal, intact))}"),
        Text(made),
        Text(" ".join(filter(None, told))),
    )
    # a hall sees the words, and not the end symbol
    rows = intact if ask.look.fills else (*intact, END)
    picture = _picture(here, rows, effects[: len(rows)], missing.word, is_hall=ask.look.fills)
    return Sheet(
        headline=headline(effects, words, intact, without, missing, named),
        below_sentence=here.below,
        parts=(Columns(((picture,), texts), (5, 4)),),
        questions=lambda: (static_question("weight_and_effect"),),
        program=lambda: Program.calling(
            "A translation without parts: without a source word, or without heads or layers of attention."
            if named
            else "A translation with all its parts.",
            translate_without,
            Call(load_translator, pair, plain),
            missing,
            prints="the translation without these parts" if named else "the translation",
        ),
    )


def _missing(ask: Ask, here: SourceSentence) -> KnockOut:
    """Ask which parts are knocked out: none at first."""
    translator = here.translator
    word = ask.word("hidden", here.words, unchosen="none", width=240)
    cut = ask.several("cut", parts_of(translator))
    layers = (i for i in range(translator.config.n_layers) if whole(translator, i) in cut)
    heads = (head for name, head in heads_of(translator).items() if name in cut)
    return KnockOut(word, frozenset(heads), frozenset(layers))


def parts_of(translator: Translator) -> list[str]:
    """Return the heads, layer.head, and the layers of cross-attention, or a recurrent decoder's attention."""
    return [*heads_of(translator), *(whole(translator, i) for i in range(translator.config.n_layers))]


def heads_of(translator: Translator) -> dict[str, tuple[int, int]]:
    """Return the heads of cross-attention by their names; a recurrent decoder has none."""
    config = translator.config
    places = product(range(config.n_layers), range(config.n_heads))
    return {name_of(i + 1, j + 1): (i, j) for i, j in places} if translator.is_transformer else {}


def whole(translator: Translator, layer: int) -> str:
    """Return the name of the whole attention of a layer."""
    return f"layer {layer + 1}" if translator.is_transformer else "attention"


def _picture(
    here: SourceSentence, rows: tuple[str, ...], effects: Effects, hidden: int | None, *, is_hall: bool
) -> PicturePart:
    """Return a matrix of the effects, framed where the hidden word costs most; a click hides a word.

    The `rows` are the words that are written; the last one may be the end symbol.
    The words that lose much without the hidden word are outlined. A hall sees no other frame.
    """
    exact = here.reference.translation
    is_exact = exact is not None and exact.words == tuple(one for one in rows if one != END)
    picture = Alignment(
        values=effects,
        queries=rows,
        keys=here.labels,
        title="Probability lost when a source word is hidden",
        short="Probability lost",
        gold=[(t, s) for s, t in exact.alignment] if exact is not None and is_exact else [],
        signed=True,
        measure="probability lost",
        roles=ROLES,
        selected=None if hidden is None or is_hall else (int(effects[:, hidden].argmax()), hidden),
        outlined=[]
        if hidden is None
        else [(t, hidden) for t in np.flatnonzero(effects[:, hidden] >= LOST).tolist()],
        outlined_as=""
        if hidden is None
        else f"loses {LOST} or more without {label(unique_words(here.plain)[hidden])}",
    )
    return PicturePart(
        "hidden_effects", picture, on_click=lambda points, link: {"hidden": int(points[-1]["x"]) + 1}
    )


def invitation(translator: Translator) -> str:
    """Return an invitation to hide something while nothing is knocked out."""
    part = "a head" if translator.is_transformer else "the attention"
    return f"Hide a word, click a column or knock out {part}: the model translates again."


def called(words: Sequence[str], missing: KnockOut, translator: Translator) -> str:
    """Return the names of the knocked-out parts; nothing if there are none."""
    named = [name_in_sentence(words, missing.word)] if missing.word is not None else []
    named += [f"head {j + 1} of layer {i + 1}" for i, j in sorted(missing.heads)]
    of_layer = "cross-attention of " if translator.is_transformer else ""
    named += [f"{of_layer}{whole(translator, i)}" for i in sorted(missing.layers)]
    return enumerated(named)


def headline(
    effects: Effects,
    words: Sequence[str],
    intact: Sequence[str],
    without: Sequence[str],
    missing: KnockOut,
    named: str,
) -> str:
    """Return a sentence on the knocked-out parts; if there are none, on the word whose hiding costs most."""
    if not named:
        return most_costly(effects, words, intact)
    becomes = "stays the same" if without == intact else "changes"
    said = f"Without {named} the translation {becomes}."
    if missing.word is None:
        return said
    at = missing.word
    target = int(effects[:, at].argmax())
    hidden, lost, written = name_in_sentence(words, at), effects[target, at], (*intact, END)
    if lost < NEEDED:
        return f"{said} Hiding {hidden} alone makes no word less probable by {NEEDED} or more."
    word = f"{set_off(written[target])}{_place(written, target)}"
    return f"{said} Hiding {hidden} alone costs {word} most: its probability falls by {lost:.2f}."


def most_costly(effects: Effects, words: Sequence[str], intact: Sequence[str]) -> str:
    """Return a sentence on the hidden word that costs most."""
    target, source = (int(at) for at in np.unravel_index(effects.argmax(), effects.shape))
    if effects[target, source] < NEEDED:
        return f"No source word, hidden alone, makes a word less probable by {NEEDED} or more."
    written = (*intact, END)
    lost = f"{set_off(written[target])}{_place(written, target)} by {effects[target, source]:.2f}"
    return f"Hiding {name_in_sentence(words, source)} costs most: it lowers the probability of {lost}."


def needless(effects: Effects, words: Sequence[str]) -> str:
    """Return a sentence on the words that are not needed; nothing if all are."""
    found = [name_in_sentence(words, at) for at in range(effects.shape[1]) if effects[:, at].max() < NEEDED]
    return f"Without {', '.join(found)}, one at a time, no word loses {NEEDED} or more." if found else ""


def other_ways(translator: Translator, n_words: int) -> str:
    """Return how one of several source words hidden from attention can still reach the decoder."""
    if n_words == 1:
        return ""
    cell = " and the last cell" if getattr(translator.pair, "network", "") == "lstm" else ""
    through = (
        "the encoder's states of other words"
        if translator.is_transformer
        else f"the encoder's states of later words: the decoder starts with the last state{cell}"
    )
    return f"A hidden word can still reach the decoder through {through}."


def name_in_sentence(words: Sequence[str], at: int) -> str:
    """Return a source word as sentences name it."""
    return f"{set_off(words[at])}{_place(words, at)}"


def _place(words: Sequence[str], at: int) -> str:
    """Return the number of a word in brackets, if the sentence repeats the word."""
    return f" ({at + 1})" if words.count(words[at]) > 1 else ""
