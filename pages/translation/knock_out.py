"""Knock out: a source word, a head or a layer of attention to the source; what is translated without it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Float

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.programs.translation import knock_out_program
from core.sources.translators import load_translator
from core.text.translation import END
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Columns, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.translation import questions as expected
from pages.translation.marked import marked
from pages.translation.sentences import ONE
from pages.translation.source_sentence import SourceSentence, said, without_attention
from pages.translation.translator import Translator
from viz.alignment import alignment
from viz.head_effects import name_of

WIDTH = 560
ROLES = ("written ↓", "hidden →")
NEEDED = 0.05
"""A hidden word that takes less than this from every word is not needed."""

HOW_TO_READ = (
    "The picture is of the whole model, with one source word at a time hidden. A row is a word of the "
    "translation, a column a source word that the decoder may not attend to. The number is by how much the "
    "word becomes less probable after the same words."
)


@dataclass(frozen=True)
class Found:
    """The translation in full and without what is missing, and what hiding each source word costs.

    `effects` is by how much the probability of each word of the translation, and of its end, falls when one
    source word is hidden. It is None for a decoder without attention.
    """

    here: SourceSentence
    missing: KnockOut
    intact: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    effects: Float[np.ndarray, "target source"] | None = None


def ask(ask: Ask, scene: Scene) -> KnockOut:
    """What is missing: nothing at first."""
    here = said(scene)
    if not here.translator.attends:
        return KnockOut()
    word = ask.word("hidden", here.words, unchosen="none", width=240)
    translator = here.translator
    cut, heads = ask.several("cut", parts(translator)), heads_of(translator)
    layers = (i for i in range(translator.config.n_layers) if whole(translator, i) in cut)
    chosen = (head for name, head in heads.items() if name in cut)
    return KnockOut(word, frozenset(chosen), frozenset(layers))


def parts(translator: Translator) -> list[str]:
    """The heads, layer.head, and whole layers of cross-attention; a recurrent decoder has one attention."""
    return [*heads_of(translator), *(whole(translator, i) for i in range(translator.config.n_layers))]


def heads_of(translator: Translator) -> dict[str, tuple[int, int]]:
    """The heads of cross-attention by their names; a recurrent decoder has none."""
    config = translator.config
    places = product(range(config.n_layers), range(config.n_heads))
    return {name_of(i + 1, j + 1): (i, j) for i, j in places} if translator.is_transformer else {}


def whole(translator: Translator, layer: int) -> str:
    """What all attention of a layer is called."""
    return f"layer {layer + 1}" if translator.is_transformer else "attention"


def find(scene: Scene, missing: KnockOut) -> Found:
    """The two translations, and the effect of every source word."""
    here = said(scene)
    if not here.translator.attends:
        return Found(here, missing)
    pair = here.translator.pair
    intact, without = (_translated(pair, here.plain, one) for one in (KnockOut(), missing))
    return Found(here, missing, intact, without, _hidden(pair, here.plain, intact))


@remembered()
def _translated(pair: TranslatorConfig, words: tuple[str, ...], missing: KnockOut) -> tuple[str, ...]:
    return translate_without(load_translator(pair, words), missing)


@remembered()
def _hidden(pair: TranslatorConfig, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return hidden_effects(load_translator(pair, words), target)


def sheet(found: Found, look: Look) -> Sheet:
    """What each source word is needed for, and the translation without what is chosen."""
    if found.effects is None:
        return without_attention(found.here)
    left, _ = look.columns((5, 4))
    translator, words = found.here.translator, found.here.words
    without = missing_told(translator, words, found.missing)
    return Sheet(
        answer=headline(found, found.effects, without),
        below_sentence=found.here.below,
        parts=(
            Columns(
                (
                    (_picture(found, found.effects, left),),
                    (
                        Text(f"**With everything in place**  \n{' '.join(map(literal, found.intact))}"),
                        Text(f"**Without {without}**  \n{marked(found.without, found.intact)}")
                        if without
                        else Text(invitation(translator)),
                        Text(" ".join(filter(None, told(found.effects, words, translator)))),
                    ),
                ),
                (5, 4),
            ),
        ),
    )


def _picture(found: Found, effects: np.ndarray, look: Look) -> Shown:
    """What every word of the translation loses when one source word is hidden."""
    exact = found.here.reference.translation
    is_exact = exact is not None and exact.words == found.intact
    picture = alignment(
        effects,
        (*found.intact, END),
        found.here.labels,
        title="Probability lost when a source word is hidden",
        short="Probability lost",
        theme=look.theme,
        exact=[(t, s) for s, t in exact.alignment] if exact is not None and is_exact else [],
        signed=True,
        roles=ROLES,
        size=look.room(WIDTH),
    )
    return Shown(
        "hidden_effects", picture, on_click=lambda points, link: {"hidden": int(points[-1]["x"]) + 1}
    )


def invitation(translator: Translator) -> str:
    """What can be done while nothing is missing."""
    part = "a head" if translator.is_transformer else "the attention"
    return f"Hide a word, click a column or knock out {part}: the translation is made again."


def missing_told(translator: Translator, words: Sequence[str], missing: KnockOut) -> str:
    """What is missing, in words; nothing where nothing is."""
    named = [_called(words, missing.word)] if missing.word is not None else []
    named += [f"head {name}" for name, head in heads_of(translator).items() if head in missing.heads]
    of_layer = "cross-attention of " if translator.is_transformer else ""
    named += [f"{of_layer}{whole(translator, i)}" for i in sorted(missing.layers)]
    return ", ".join(named)


def headline(found: Found, effects: np.ndarray, without: str) -> str:
    """Return a sentence on what is knocked out; while nothing is, on the word whose hiding costs most."""
    if not without:
        return answer(effects, found.here.words, found.intact)
    becomes = "stays the same" if found.without == found.intact else "changes"
    said = f"Without {without} the translation {becomes}."
    if found.missing.word is None:
        return said
    at = found.missing.word
    target = int(effects[:, at].argmax())
    written = (*found.intact, END)
    hidden, lost = _called(found.here.words, at), effects[target, at]
    if lost < NEEDED:
        return f"{said} Hiding {hidden} alone makes no word less probable by {NEEDED} or more."
    word = f"*{literal(written[target])}*{_place(written, target)}"
    return f"{said} Hiding {hidden} alone costs {word} most: its probability falls by {lost:.2f}."


def answer(effects: np.ndarray, words: Sequence[str], intact: Sequence[str]) -> str:
    """A sentence on the hidden word that costs most, and what it costs."""
    target, source = (int(at) for at in np.unravel_index(effects.argmax(), effects.shape))
    if effects[target, source] < NEEDED:
        return (
            f"Hidden from the decoder, no source word alone makes a word less probable by {NEEDED} or more."
        )
    written = (*intact, END)
    lost = f"*{literal(written[target])}*{_place(written, target)} by {effects[target, source]:.2f}"
    return f"Hiding {_called(words, source)} costs most: it lowers the probability of {lost}."


def told(effects: np.ndarray, words: Sequence[str], translator: Translator) -> tuple[str, str, str]:
    """How to read the picture, which words are not needed, and what hiding a word leaves."""
    needless = [_called(words, at) for at in range(effects.shape[1]) if effects[:, at].max() < NEEDED]
    spared = ""
    if needless:
        spared = f"Without {', '.join(needless)}, one at a time, no word loses {NEEDED} or more."
    return HOW_TO_READ, spared, other_ways(translator)


def other_ways(translator: Translator) -> str:
    """Say how a source word that is hidden from attention can still reach the decoder."""
    through = (
        "the encoder's states of other words"
        if translator.is_transformer
        else "the encoder's states of later words, the last of which the decoder starts with"
    )
    return f"A hidden word can still reach the decoder through {through}."


def _called(words: Sequence[str], at: int) -> str:
    """A source word as sentences name it."""
    return f"*{words[at]}*{_place(words, at)}"


def _place(words: Sequence[str], at: int) -> str:
    """The number of a word in brackets, if there are several of this word."""
    return f" ({at + 1})" if words.count(words[at]) > 1 else ""


def questions(found: Found) -> tuple[Question | None, ...]:
    """Whether a weight tells what is needed, and a word that is not."""
    if found.effects is None:
        return ()
    names = told_apart(found.here.words)
    return expected.weight_and_effect(), expected.needless_word(names, found.effects.max(axis=0).tolist())


def program(found: Found) -> Program | None:
    """The translation without what is missing."""
    if found.effects is None:
        return None
    pair, words = found.here.translator.pair, found.here.plain
    return Program(lambda: knock_out_program(pair, words, found.missing))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **ONE)
