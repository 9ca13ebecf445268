"""The texts that the three models make of the words typed, and the controls of how they do it."""

from dataclasses import dataclass, replace

import streamlit as st

from core.measures.generation.by_hand import standing
from core.measures.generation.surprisal import Surprisals, surprisals
from core.measures.generation.writing import WAYS, WRITERS, Continued, Manner, continue_text
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.text.tokenizer import MAX_WORDS
from pages.controls.link import choice, menu, number, switch
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.controls.sampling import sampling_menus
from pages.controls.sentence import marked
from pages.controls.walk import walk_buttons
from pages.generation.by_hand import chosen_by_hand, undo_button
from pages.generation.writer import Writer
from pages.shell import Scene

STEP = "step"
BEYOND = (
    "Every sentence of the language ends in . ? or !, and training ends with it: what a model writes beyond "
    "the mark it has never been trained to write."
)


@dataclass(frozen=True)
class Texts:
    """A scene with the manner of each writer, which differ in the words chosen by hand alone."""

    scene: Scene
    manners: dict[str, Manner]

    @property
    def writer(self) -> str:
        """The writer that the view is about."""
        return self.switches.name

    @property
    def switches(self) -> Writer:
        """The switches of the page."""
        assert isinstance(self.scene.switches, Writer), "the page chooses one"
        return self.scene.switches

    @property
    def config(self) -> ModelConfig:
        """The Transformer among the writers."""
        return self.switches.transformer

    @property
    def manner(self) -> Manner:
        """What all manners have in common."""
        return replace(next(iter(self.manners.values())), forced=())

    def of(self, writer: str) -> Continued:
        """The text of a writer."""
        return continued(writer, self.config, self.scene.plain, self.manners[writer])

    def labels(self, text: Continued) -> tuple[str, ...]:
        """The words of a text as figures name them."""
        return marked(text.words, text.unknown)


def texts(scene: Scene) -> Texts:
    """The texts as the controls in the row describe them; words that are unknown are named above.

    Raises UnavailableError for words that leave no room for another.
    """
    if len(scene.words) >= MAX_WORDS:
        raise UnavailableError(f"A text has at most {MAX_WORDS} words with those written: shorten yours.")
    with scene.row:
        manner = _manner(scene)
    by_hand = chosen_by_hand(scene.plain, scene.notes)
    manners = {writer: replace(manner, forced=standing(by_hand, writer)) for writer in WRITERS}
    found = Texts(scene, manners)
    scene.name_unknown(found.of(found.writer).unknown)
    return found


def _manner(scene: Scene) -> Manner:
    way = choice("way", options=WAYS, notes=scene.notes, hide_label=True)
    manner = Manner(way=way)
    if way == "sampled":
        sampling, seed = sampling_menus(scene.notes)
        manner = replace(manner, sampling=sampling, seed=seed)
    most = menu("most", notes=scene.notes, width=190)
    stops = switch("stops", notes=scene.notes, help=BEYOND)
    return replace(manner, most=most, stops=stops)


def walk(found: Texts, n: int) -> int:
    """The step, of `n`, with back, next, play and undo; the chosen one is returned, counted from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key="inline_walk"):
        if (st.session_state.get(STEP) or 1) > n:
            st.session_state[STEP] = n
        chosen = number(STEP, label=f"Word of {n}", largest=n, notes=found.scene.notes, width=190)
        walk_buttons(STEP, n)
        undo_button()
    return chosen - 1


@remembered(512)
def continued(writer: str, config: ModelConfig, given: tuple[str, ...], manner: Manner) -> Continued:
    return continue_text(writer, config, given, manner)


@remembered(64)
def read_by_all(words: tuple[str, ...], config: ModelConfig) -> Surprisals:
    return surprisals(words, config)


def so_far(text: Continued, step: int) -> str:
    """A text as a sentence of the page: the word of a step in bold, those to come in grey."""
    at = text.n_given + step
    before, after = (" ".join(map(literal, words)) for words in (text.words[:at], text.words[at + 1 :]))
    return f"{before} **{literal(text.words[at])}**" + (f" :gray[{after}]" if after else "")
