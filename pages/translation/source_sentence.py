"""The sentence to translate: its words, its translation by the rules, and the translators' texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.alignment import ReferenceTranslation, reference
from core.measures.translation.writing import Strategy, WrittenTranslation, write
from core.sources.trained import load_translator
from core.text.language import encode
from core.text.tokenizer import MAX_WORDS
from core.text.translation import NAME
from pages.contract.caching import cached_for_all
from pages.contract.loading import measured
from pages.contract.prose import Typed, literal
from pages.contract.scene import Scene
from pages.contract.sheet import Sheet, Text
from pages.contract.words import Words, marked, unknown_named
from pages.translation.translator import TRANSLATOR, Translator

KEY = "the key that the gardeners sold is heavy ."
"""A sentence whose verb comes first in the translation, and whose adjective agrees with a distant noun."""

EXAMPLES = (
    KEY,
    "the chef gave the student a key .",
    "mina lost her lamp but zuko found it .",
    "near the river , the dog sleeps .",
    "So why are we not reducing our emissions?",
    "the chef who likes the teacher who lost the key is tired .",
)

SEVERAL: dict[str, Any] = {"sentence": KEY, "examples": EXAMPLES}
"""Settings of a view that shows several translators."""

ONE: dict[str, Any] = {**SEVERAL, "switches": frozenset({TRANSLATOR})}
"""Settings of a view that shows one translator."""

_reference = cached_for_all()(reference)

ENDS = (".", "?", "!")
ADDED = "A full stop is added: every sentence of the language ends in a mark."
NO_ATTENTION = (
    "This decoder has the fixed vector alone and attends to nothing. Choose a model with attention to see "
    "what it attends to."
)


@dataclass(frozen=True)
class SourceSentence:
    """The source words, which end in a mark, and the translator that reads them."""

    scene: Scene
    words: Words
    translator: Translator

    @property
    def plain(self) -> tuple[str, ...]:
        """Return the words as plain strings."""
        return tuple(map(str, self.words))

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """Return the positions of words that no translator knows."""
        return encode(self.plain).unknown

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the words as figures name them."""
        return marked(self.words, self.unknown)

    @cached_property
    def reference(self) -> ReferenceTranslation:
        """Return the one right translation, if there is one."""
        return _reference(self.plain)

    @property
    def below(self) -> tuple[Text, ...]:
        """Return remarks below the box of the sentence: unknown words, an added stop, a missing reference."""
        unknown = (Text(unknown_named(self.words, self.unknown)),) if self.unknown else ()
        added = (Text(ADDED, "remark"),) if len(self.words) > len(self.scene.words) else ()
        missing = no_reference(self.reference, has_unknown=bool(self.unknown))
        return (*unknown, *added, *((Text(missing),) if missing else ()))


def source_of(scene: Scene) -> SourceSentence:
    """Return the typed sentence, with a full stop if it has no mark."""
    assert isinstance(scene.switches, Translator), "the page chooses one"
    words = scene.words
    if str(words[-1]) not in ENDS and len(words) < MAX_WORDS:
        words = (*words, Typed(ENDS[0]))
    return SourceSentence(scene, words, scene.switches)


def no_reference(found: ReferenceTranslation, *, has_unknown: bool) -> str:
    """Return why the rules do not translate a sentence; nothing if they do."""
    if found.translation is not None:
        return ""
    if has_unknown:
        return f":orange-badge[no reference] The rules of {NAME} translate known words only."
    return (
        f":orange-badge[no reference] The rules of {NAME} have no translation of this sentence: "
        f"{Typed(found.why):200}. The model translates it all the same."
    )


def written(pair: TranslatorConfig, words: tuple[str, ...], strategy: Strategy) -> WrittenTranslation:
    """Return the text that a translator writes."""
    return measured(write, load_translator, pair, words, strategy)


def differing(words: Sequence[str], other: Sequence[str]) -> str:
    """Return `words` as text; those that `other` does not have in the same order are red and bold."""
    blocks = SequenceMatcher(None, other, words, autojunk=False).get_matching_blocks()
    same = {block.b + i for block in blocks for i in range(block.size)}
    return " ".join(
        literal(word) if at in same else f":red[**{literal(word)}**]" for at, word in enumerate(words)
    )


def without_attention(here: SourceSentence) -> Sheet:
    """Return the sheet of a decoder that does not attend to the source."""
    return Sheet(parts=(Text(NO_ATTENTION, "info"),), below_sentence=here.below)
