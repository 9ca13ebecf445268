"""Layer norm: every token by its own mean and standard deviation, before and after."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.measures.blocks.normalised import Normalised, normalised, places
from core.programs.normalised import normalised_program
from pages.blocks.questions import deviation_after, other_words
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import (
    Changes,
    Columns,
    Footnote,
    Formula,
    Notice,
    Point,
    Remark,
    Sheet,
    Shown,
    Text,
)
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.switches import WITHOUT_WINDOW, Architecture
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from viz.spreads import Statistics, spreads, vector
from viz.tables import named
from viz.theme import Theme
from viz.units import distance, signed

GAIN = "A gain and a bias, the same for all words, then scale and shift every dimension."
NO_NORM = "This model has no layer norm. Shown is what layer norm would do in the place of pre-norm."
LN = (
    r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i}, \quad "
    r"\hat\mu_i = \tfrac{1}{d}\sum_j h_{ij}, \quad "
    r"\hat\sigma_i^2 = \tfrac{1}{d}\sum_j (h_{ij} - \hat\mu_i)^2"
)
LN_BY = "CS 224N note, eq 27–28; 10⁻⁵ is added to the variance, so that nothing is divided by 0"
WEIGHTS = (3.0, 2.0)


@dataclass(frozen=True)
class Choices:
    """The layer norm, the word of the vector, and whether all other words are changed."""

    at: int
    word: int
    others: bool


@dataclass(frozen=True)
class Found:
    """The vectors around a layer norm, and `plain` ones where the other words are as they were."""

    scene: Scene
    choices: Choices
    plain: Normalised
    shown: Normalised

    @property
    def has_norm(self) -> bool:
        """Whether the model has any layer norm."""
        return self.scene.switches.config.norm != "none"


def ask(ask: Ask, scene: Scene) -> Choices:
    """The layer norm and the word: the first of both at first."""
    names = places(scene.switches.config)
    where = ask.menu("norm_at", options=names, width=330)
    word = ask.word("word", scene.words, unchosen="first") or 0
    return Choices(names.index(where), word, ask.switch("others"))


def find(scene: Scene, choices: Choices) -> Found:
    """What enters the layer norm and what leaves it."""
    plain = _normalised(scene.words, scene.switches, choices.at, None)
    shown = plain
    if choices.others:
        shown = _normalised(scene.words, scene.switches, choices.at, choices.word)
    return Found(scene, choices, plain, shown)


@remembered()
def _normalised(words: tuple[str, ...], switches: Architecture, place: int, kept: int | None) -> Normalised:
    return normalised(loaded(words, switches), place=place, kept=kept)


def sheet(found: Found, look: Look) -> Sheet:
    """Mean and standard deviation of every word on the left, the vector of the chosen one on the right."""
    scene, word, others = found.scene, found.choices.word, found.choices.others
    change = found.plain.change(found.shown, word) if others else None
    return Sheet(
        answer=_answer(scene.words[word], _of_word(found.shown, word), has_norm=found.has_norm),
        notes=() if found.has_norm else (Notice(NO_NORM),),
        unknown=found.shown.unknown,
        parts=(
            Formula(LN, LN_BY),
            Columns(((_tokens(found, look),), _vector(found, look)), WEIGHTS),
            Text(_explanation(scene.words[word], change)),
            *((Text(GAIN),) if found.has_norm else ()),
            Footnote("E9"),
        ),
    )


def _colours(theme: Theme) -> dict[str, str]:
    return {"before": theme.recurrence, "after": theme.attention, "with gain and bias": theme.value}


def _tokens(found: Found, look: Look) -> Shown:
    stages = {name: Statistics(*both) for name, both in found.shown.statistics().items()}
    if not found.has_norm:
        del stages["with gain and bias"]
    picture = spreads(
        stages,
        _colours(look.theme),
        found.scene.marked(found.shown.unknown),
        title="Mean and standard deviation of every word around layer norm",
        theme=look.theme,
        chosen=found.choices.word,
    )
    return Shown("tokens", picture, on_click=lambda points, link: _chosen(points))


def _chosen(points: Sequence[Point]) -> Changes:
    """The word whose bar was clicked."""
    return {"word": points[-1]["data"] + 1}


def _vector(found: Found, look: Look) -> tuple[Shown, Remark]:
    word, words = found.choices.word, found.scene.words
    vectors = {"before": found.shown.before[word], "after": found.shown.after[word]}
    title = f"Vector of {named(found.scene.plain, word)} before and after layer norm"
    return (
        Shown("vector", vector(vectors, _colours(look.theme), title=title, theme=look.theme)),
        Remark(
            f"The {len(vectors['before'])} dimensions of *{words[word]}*, with their mean and standard "
            "deviation."
        ),
    )


Pair = tuple[float, float]
"""Mean and standard deviation."""


def _of_word(shown: Normalised, word: int) -> tuple[Pair, Pair]:
    """The statistics of a word before layer norm and after it."""
    before, after = (shown.statistics()[stage] for stage in ("before", "after"))
    return (before[0][word], before[1][word]), (after[0][word], after[1][word])


def _answer(name: str, statistics: tuple[Pair, Pair], *, has_norm: bool) -> str:
    """The statistics of the chosen word."""
    (mean, deviation), (new_mean, new_deviation) = (map(signed, pair) for pair in statistics)
    return (
        f"Layer norm {'takes' if has_norm else 'would take'} the vector of *{name}* from mean {mean} and "
        f"standard deviation {deviation} to mean {new_mean} and standard deviation {new_deviation}."
    )


def _explanation(name: str, change: float | None) -> str:
    """Whether the statistics of the chosen word know of any other; `change` is None while none is changed."""
    first = "A bar runs from mean − standard deviation to mean + standard deviation."
    if change is None:
        return f"{first} Every token is normalised by itself: press *Change all other words* to see it."
    return (
        f"{first} All other vectors were multiplied by 3 and shifted by 1: the statistics of **{name}** "
        f"changed by **{distance(change)}**."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What layer norm leaves, and whom it asks."""
    word = found.choices.word
    before, (_, after) = _of_word(found.shown, word)
    return deviation_after(found.scene.names[word], before, after), other_words()


def program(found: Found) -> Program:
    """The statistics of every word."""
    return Program(lambda: normalised_program(found.scene.subject, found.choices.at))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
)
