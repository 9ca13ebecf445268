"""The texts that the three models make of the typed words, and the controls of their generation."""

from contextlib import suppress
from dataclasses import dataclass, replace

from core.measures.generation.writing import WAYS, WRITERS, GeneratedText, GenerationSettings, continue_text
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.loading import measured
from pages.contract.prose import bold, literal
from pages.contract.sampling import ask_sampling
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, LinkValues
from pages.contract.words import Words, marked
from pages.generation.by_hand import ByHand, parse_choices, spell, standing, with_choice
from pages.generation.writer import Writer, model_of
from words import counted

STEP = "step"
WALK = "walk"
"""Spot of the controls that walk through the words."""

BY_HAND = "by_hand"
"""Parameter with the words chosen by hand, in the order of the choices."""

BEYOND = (
    "Every sentence of the language ends in . ? or !, and training sentences stop there: what a model writes "
    "after that mark is untrained."
)


@dataclass(frozen=True)
class Texts:
    """The given words, and the settings of each writer, which differ only in the words chosen by hand."""

    given: Words
    switches: Writer
    manners: dict[str, GenerationSettings]
    by_hand: tuple[ByHand, ...] = ()

    @property
    def plain(self) -> tuple[str, ...]:
        """Return the given words as plain strings."""
        return tuple(map(str, self.given))

    @property
    def writer(self) -> str:
        """Return the writer that the view is about."""
        return self.switches.name

    @property
    def config(self) -> ModelConfig:
        """Return the Transformer among the writers."""
        return self.switches.config

    @property
    def manner(self) -> GenerationSettings:
        """Return the settings that all writers share."""
        return replace(next(iter(self.manners.values())), forced=())

    def of(self, writer: str) -> GeneratedText:
        """Return the text of a writer. Raises UnavailableError if there is no such model."""
        return measured(continue_text, model_of, writer, self.config, self.plain, self.manners[writer])

    @property
    def own(self) -> GeneratedText:
        """Return the text of the writer that the view is about."""
        return self.of(self.writer)


def ask_texts(ask: Ask, scene: Scene) -> Texts:
    """Return the texts that the controls describe.

    Raises UnavailableError if the words leave no room for another.
    """
    if len(scene.words) >= MAX_WORDS:
        raise UnavailableError(
            f"A text may have at most {MAX_WORDS} words, generated ones included: shorten yours."
        )
    assert isinstance(scene.switches, Writer), "the page chooses one"
    manner = _ask_manner(ask)
    by_hand: tuple[ByHand, ...] = ask.parsed(
        BY_HAND,
        parse_choices,
        default=(),
        instead="the texts without words chosen by hand",
        about=tuple(map(str, scene.words)),  # choices made after other words belong to another text
    )
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


def ask_step(ask: Ask, n: int, unit: str = "word") -> int:
    """Return the step, counted from 0, of `n`; back, next and play stand below the headline."""
    with ask.at(WALK):
        step = ask.number(STEP, label=f"{unit.capitalize()} (of {n})", largest=n, clamps=True, width=190)
        ask.walk(STEP, n)
    return int(step) - 1


def ask_walk(ask: Ask, texts: Texts, n: int) -> int:
    """Return the step, counted from 0, of `n`, with a button that undoes a choice by hand."""
    step = ask_step(ask, n)
    with ask.at(WALK):
        ask.button(
            "Take back the last word",
            take_back,
            key="undo",
            icon=":material/undo:",
            is_off=not texts.by_hand,
            help="Takes back the last word chosen by hand.",
        )
    return step


def choose_by_hand(writer: str, step: int, word: str, link: LinkValues) -> Changes:
    """Have a writer continue with this word at a step, counted from 0."""
    return _changed(with_choice(chosen_in(link), ByHand(writer, step, word)))


def take_back(link: LinkValues) -> Changes:
    """Take back the last choice."""
    return _changed(chosen_in(link)[:-1])


def chosen_in(link: LinkValues) -> tuple[ByHand, ...]:
    """Return the choices by hand in a link; none if it has something impossible."""
    with suppress(ValueError):
        return parse_choices(",".join(link.get(BY_HAND, [])))
    return ()


def _changed(choices: tuple[ByHand, ...]) -> Changes:
    return {BY_HAND: spell(choices) if choices else None}


def manual_choices_note(*texts: GeneratedText) -> tuple[str, ...]:
    """Return a note on words of these texts chosen by hand, for a caption; nothing without any."""
    n = sum(len(text.forced) for text in texts)
    return (f"{counted(n, 'word')} chosen by hand",) if n else ()


def labels(text: GeneratedText) -> tuple[str, ...]:
    """Return the words of a text as figures name them."""
    return marked(text.words, text.unknown)


def chance(text: GeneratedText, step: int) -> float:
    """Return the probability that the model gave to the word at a step."""
    return float(text.choices(step).query("answer")["before"].item())


def shows_ahead(ask: Ask) -> bool:
    """Return whether the words after a step are shown: a room that guesses word by word must not see them."""
    return not ask.parameters.has_flag("cover")


def so_far(text: GeneratedText, step: int, *, ahead: bool = True) -> str:
    """Return a text as a sentence: the word of a step in bold, those `ahead` of it in grey."""
    at = text.n_given + step
    before, after = (" ".join(map(literal, words)) for words in (text.words[:at], text.words[at + 1 :]))
    return f"{before} {bold(literal(text.words[at]))}" + (f" :gray[{after}]" if after and ahead else "")
