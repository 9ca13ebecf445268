"""The sentence to be translated, as the page understands what was typed, and its reference."""

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from core.measures.translation.reference import Reference, reference
from core.text.language import encode
from core.text.tokenizer import MAX_WORDS, words_of
from core.text.translation import NAME
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.sentence import Words, mark_unknown, marked
from pages.shell import Scene
from pages.translation.translator import Translator

ENDS = (".", "?", "!")


@dataclass(frozen=True)
class Said:
    """The source words, which end in a mark, and the translator that reads them."""

    scene: Scene
    words: Words
    translator: Translator

    @property
    def plain(self) -> tuple[str, ...]:
        """The words as mere characters."""
        return tuple(map(str, self.words))

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """The places of words that no translator knows."""
        return encode(self.plain).unknown

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as figures name them."""
        return marked(self.words, self.unknown)

    @cached_property
    def reference(self) -> Reference:
        """The one right translation, if there is one."""
        return _reference(self.plain)


def said(scene: Scene) -> Said:
    """What was typed, with a full stop where a mark is missing; unknown words are named above the picture."""
    assert isinstance(scene.switches, Translator), "the page chooses one"
    words = scene.words
    if str(words[-1]) not in ENDS and len(words) < MAX_WORDS:
        words = (*words, Typed(ENDS[0]))
    found = Said(scene, words, scene.switches)
    with scene.unknown:
        mark_unknown(words, found.unknown)
        if len(words) > len(scene.words):
            st.caption("A full stop is added: every sentence of the language ends in a mark.")
        if found.reference.translation is None and found.unknown:
            st.markdown(f":orange-badge[no reference] The rules of {NAME} translate known words only.")
        elif found.reference.translation is None:
            st.markdown(
                f":orange-badge[no reference] The rules of {NAME} have no translation of this sentence: "
                f"{Typed(found.reference.why):200}. The model translates it all the same."
            )
    return found


@remembered(256)
def _reference(words: tuple[str, ...]) -> Reference:
    return reference(words)


def translation_of(sentence: str) -> tuple[str, ...]:
    """The translation of a sentence of the language by the rules."""
    found = _reference(words_of(sentence)).translation
    assert found is not None, "this sentence is ours"
    return found.words


def attends(here: Said) -> bool:
    """Whether the decoder attends to the source; a sentence says so where it does not."""
    if not here.translator.attends:
        st.info(
            "This decoder has the fixed vector alone and attends to nothing. Choose a model with attention "
            "to see what it attends to."
        )
    return here.translator.attends
