"""The texts that the three models make of the words typed, and the controls of how they do it."""

from dataclasses import dataclass, replace

from core.measures.generation.by_hand import ByHand, standing
from core.measures.generation.writing import WAYS, WRITERS, Continued, GenerationSettings, continue_text
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.cover import covers
from pages.contract.words import Words, marked
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.controls.sampling import ask_sampling
from pages.generation.by_hand import ask_by_hand, undo_button
from pages.generation.models import model_of
from pages.generation.writer import Writer
from pages.shell import Scene

STEP = "step"
WALK = "walk"
"""The spot of the controls that walk through the words."""

BEYOND = (
    "Every sentence of the language ends in . ? or !, and training stops there: what a model writes after "
    "that mark is untrained."
)


@dataclass(frozen=True)
class Texts:
    """Words given, and the manner of each writer: these differ in the words chosen by hand alone."""

    given: Words
    switches: Writer
    manners: dict[str, GenerationSettings]
    by_hand: tuple[ByHand, ...] = ()

    @property
    def plain(self) -> tuple[str, ...]:
        """The words given as mere characters."""
        return tuple(map(str, self.given))

    @property
    def writer(self) -> str:
        """The writer that the view is about."""
        return self.switches.name

    @property
    def config(self) -> ModelConfig:
        """The Transformer among the writers."""
        return self.switches.transformer

    @property
    def manner(self) -> GenerationSettings:
        """What all manners have in common."""
        return replace(next(iter(self.manners.values())), forced=())

    def of(self, writer: str) -> Continued:
        """The text of a writer. Raises UnavailableError where there is no such model."""
        return continued(writer, self.config, self.plain, self.manners[writer])

    @property
    def own(self) -> Continued:
        """The text of the writer that the view is about."""
        return self.of(self.writer)


@dataclass(frozen=True)
class AtStep:
    """Texts, and the selected step, counted from 0; `ahead` where the words after it are shown too."""

    texts: Texts
    step: int
    ahead: bool = True


def ask_texts(ask: Ask, scene: Scene) -> Texts:
    """The texts as the controls describe them.

    Raises UnavailableError for words that leave no room for another.
    """
    if len(scene.words) >= MAX_WORDS:
        raise UnavailableError(f"A text has at most {MAX_WORDS} words with those written: shorten yours.")
    assert isinstance(scene.switches, Writer), "the page chooses one"
    manner = _ask_manner(ask)
    by_hand = ask_by_hand(ask, scene.words)
    manners = {writer: replace(manner, forced=standing(by_hand, writer)) for writer in WRITERS}
    return Texts(scene.words, scene.switches, manners, by_hand)


def _ask_manner(ask: Ask) -> GenerationSettings:
    way = ask.choice("way", options=WAYS, hide_label=True)
    manner = GenerationSettings(way=way)
    if way == "sampled":
        sampling, seed = ask_sampling(ask)
        manner = replace(manner, sampling=sampling, seed=seed)
    most = ask.menu("most", width=190)
    return replace(manner, most=most, stops=ask.switch("stops", help=BEYOND))


def ask_walk(ask: Ask, texts: Texts, n: int) -> AtStep:
    """The step, of `n`, with back, next, play and undo, which stand below the answer."""
    with ask.at(WALK):
        step = ask.number(STEP, label=f"Word (of {n})", largest=n, clamps=True, width=190)
        ask.walk(STEP, n)
        undo_button(ask, texts.by_hand)
    # Who lets a room guess word by word must not show the next one with this one.
    return AtStep(texts, step - 1, ahead=not covers(ask.answers))


def ask_own(ask: Ask, scene: Scene) -> AtStep:
    """The texts, and a step of that by the writer that the view is about."""
    texts = ask_texts(ask, scene)
    return ask_walk(ask, texts, len(texts.own.written))


@remembered()
def continued(
    writer: str, config: ModelConfig, given: tuple[str, ...], manner: GenerationSettings
) -> Continued:
    return continue_text(model_of(writer, config), given, manner)


def labels(text: Continued) -> tuple[str, ...]:
    """The words of a text as figures name them."""
    return marked(text.words, text.unknown)


def chance(text: Continued, step: int) -> float:
    """How likely the model took the word that stands at a step."""
    return float(text.choices(step).query("answer")["before"].item())


def so_far(text: Continued, step: int, *, ahead: bool = True) -> str:
    """A text as a sentence of the page: the word of a step in bold, those `ahead` of it in grey."""
    at = text.n_given + step
    before, after = (" ".join(map(literal, words)) for words in (text.words[:at], text.words[at + 1 :]))
    return f"{before} **{literal(text.words[at])}**" + (f" :gray[{after}]" if after and ahead else "")
