"""The sentence to be translated, as the page understands what was typed, and its reference."""

from dataclasses import dataclass
from functools import cached_property

from core.measures.translation.reference import Reference, reference
from core.text.language import encode
from core.text.tokenizer import MAX_WORDS, words_of
from core.text.translation import NAME
from pages.contract.sheet import Notice, Remark, Sheet, Text
from pages.contract.words import Words, marked, unknown_named
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.shell import Scene
from pages.translation.translator import Translator

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
        """The words as mere characters."""
        return tuple(map(str, self.words))

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """The positions of words that no translator knows."""
        return encode(self.plain).unknown

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as figures name them."""
        return marked(self.words, self.unknown)

    @cached_property
    def reference(self) -> Reference:
        """The one right translation, if there is one."""
        return _reference(self.plain)

    @property
    def below(self) -> tuple[Text | Remark, ...]:
        """What is said of the sentence below its box: unknown words, an added stop, a missing reference."""
        unknown = (Text(unknown_named(self.words, self.unknown)),) if self.unknown else ()
        added = (Remark(ADDED),) if len(self.words) > len(self.scene.words) else ()
        missing = no_reference(self.reference, has_unknown=bool(self.unknown))
        return (*unknown, *added, *((Text(missing),) if missing else ()))


def said(scene: Scene) -> SourceSentence:
    """What was typed, with a full stop where a mark is missing."""
    assert isinstance(scene.switches, Translator), "the page chooses one"
    words = scene.words
    if str(words[-1]) not in ENDS and len(words) < MAX_WORDS:
        words = (*words, Typed(ENDS[0]))
    return SourceSentence(scene, words, scene.switches)


def no_reference(found: Reference, *, has_unknown: bool) -> str:
    """Why the rules do not translate a sentence; nothing where they do."""
    if found.translation is not None:
        return ""
    if has_unknown:
        return f":orange-badge[no reference] The rules of {NAME} translate known words only."
    return (
        f":orange-badge[no reference] The rules of {NAME} have no translation of this sentence: "
        f"{Typed(found.why):200}. The model translates it all the same."
    )


@remembered()
def _reference(words: tuple[str, ...]) -> Reference:
    return reference(words)


def translation_of(sentence: str) -> tuple[str, ...]:
    """The translation of a sentence of the language by the rules."""
    found = _reference(words_of(sentence)).translation
    assert found is not None, "this sentence is ours"
    return found.words


def without_attention(here: SourceSentence) -> Sheet:
    """What is said where the decoder does not attend to the source."""
    return Sheet(parts=(Notice(NO_ATTENTION),), below_sentence=here.below)
