"""Soft lookup: one query asks the store of keys and values, from hard look-up to uniform average."""

from dataclasses import dataclass
from math import log2

import pandas as pd

from core.measures.stages import HARD, UNIFORM, Change, Lookup, look_up
from core.programs.steps import lookup_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Part, Remark, Sheet, Shown, Text
from pages.controls.prose import Typed
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.step_by_step.changes import ask_changes
from pages.step_by_step.questions import cold
from pages.step_by_step.said_by_hand import said_of_head
from pages.step_by_step.switches import OF_HEAD
from pages.step_by_step.walking import Walked, ask_word, walked
from viz.curves import chart
from viz.lookup import MOST_DIMENSIONS, MOST_KEYS, lookup
from viz.picture import Picture
from viz.tables import named
from viz.text import counted

BETWEEN = ("0.1", "0.2", "0.5", "1", "2", "5", "10")
STOPS = {"0": HARD, **{name: float(name) for name in BETWEEN}, "∞": UNIFORM}
"""Temperatures by their names on the slider and in the link."""

FROM_BEST, FROM_MEAN = "best value", "mean"
ALONE = 0.99
"""Weight above which the keys that match best have nearly all of it."""

EXACT = 1e-6
"""Part of a weight that is rounding."""

NEARLY_EQUAL = 1.1
"""The largest weight over the smallest, up to which all weights are nearly the same."""

NAMED_KEYS = 3
ENDS = ("Temperature: low", "high")
FORMULA = (
    r"z_i = \sum_{j} \alpha_{ij} v_j, \qquad \alpha_{ij} = "
    r"\frac{\exp(s_{ij} / T)}{\sum_{j'} \exp(s_{ij'} / T)}"
)
SOURCE = (
    "CS 224N note, eq 7–8, where T = 1; sums run over the keys in sight. Attention as a look-up: its section "
    "2 and the seq2seq slides"
)


@dataclass(frozen=True)
class Choices:
    """The word that asks, the temperature by its name, and the entries changed."""

    word: int
    temperature: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Found:
    """What the word gets from the store at every temperature, by its name; one is chosen."""

    seen: Walked
    word: int
    temperature: str
    at: dict[str, Lookup]

    @property
    def chosen(self) -> Lookup:
        """What it gets at the chosen temperature."""
        return self.at[self.temperature]


def ask(ask: Ask, scene: Scene) -> Choices:
    """The word and the temperature."""
    changes = ask_changes(ask, scene)
    word = ask_word(ask, scene)
    return Choices(word, ask.slide("sharpness", options=list(STOPS), ends=ENDS), changes)


def find(scene: Scene, choices: Choices) -> Found:
    """The look-up at every temperature."""
    seen = walked(scene, choices.changes)
    at = {stop: _look_up(seen, choices.word, temperature) for stop, temperature in STOPS.items()}
    return Found(seen, choices.word, choices.temperature, at)


def sheet(found: Found, look: Look) -> Sheet:
    """The store at one temperature, and how far the output is from both ends at all of them."""
    weights = (5.0, 4.0)
    left, right = look.columns(weights)
    return Sheet(
        answer=answer(found),
        unknown=found.seen.unknown,
        parts=(
            Formula(FORMULA, SOURCE),
            Columns((_store(found, left), (Shown("distances", _distances(found, right)),)), weights),
            Text(_explanation(found)),
            *(map(Text, said_of_head(found.seen)) if found.seen.changes else ()),
        ),
    )


def _look_up(seen: Walked, word: int, temperature: float) -> Lookup:
    walk = seen.walk
    return look_up(walk.scores[word], walk.v, walk.allowed[word], temperature=temperature)


def _store(found: Found, look: Look) -> tuple[Part, ...]:
    chosen = found.chosen
    seen = [at for at, allowed in enumerate(chosen.allowed) if allowed]
    values = found.seen.walk.v[seen]
    picture = lookup(
        chosen.weights[seen],
        values,
        [found.seen.labels[at] for at in seen],
        {"output": chosen.output, "best value": chosen.best, "mean": chosen.mean},
        query=named(tuple(map(str, found.seen.scene.names)), found.word),
        temperature=found.temperature,
        theme=look.theme,
        best=[seen.index(at) for at in chosen.best_keys],
    )
    left_out = []
    if len(seen) > MOST_KEYS:
        left_out.append(f"the {MOST_KEYS} keys with the largest weights of {len(seen)}")
    if values.shape[1] > MOST_DIMENSIONS:
        left_out.append(f"{MOST_DIMENSIONS} of {counted(values.shape[1], 'dimension')}")
    store = Shown("store", picture)
    if not left_out:
        return (store,)
    return (store, Remark(f"The figure shows {' and '.join(left_out)}; the sums run over all."))


def _distances(found: Found, look: Look) -> Picture:
    """How far the output is from the value of the best key and from the mean, at every stop."""
    rows = [
        {"temperature": at, "distance": distance, "from": end}
        for at, one in enumerate(found.at.values())
        for end, distance in ((FROM_BEST, one.from_best), (FROM_MEAN, one.from_mean))
    ]
    table = pd.DataFrame(rows)
    ticks: dict[float, str] = dict(enumerate(found.at))
    largest = max(float(table["distance"].max()), 0.01)
    return chart(
        table,
        title="Distance of the output from best value and mean against temperature",
        x="temperature",
        y="distance",
        by="from",
        say=_length,
        theme=look.theme,
        within=look.width,
        told_at=ticks,
        behind=lambda: table.assign(temperature=table["temperature"].map(ticks.__getitem__)),
        colours={FROM_BEST: look.theme.value, FROM_MEAN: look.theme.muted},
        x_title="temperature T",
        y_title="distance of the output",
        x_ticks=ticks,
        y_ticks={part * largest / 2: f"{part * largest / 2:.2f}" for part in range(3)},
        mark=list(found.at).index(found.temperature),
        mark_name=f"T = {found.temperature}",
        height=320,
    )


def _length(distance: float) -> str:
    return f"{distance:.3f}"


def answer(found: Found) -> str:
    """A sentence on the keys that match best, and their weights."""
    seen, chosen, name = found.seen, found.chosen, found.temperature
    keys = [f"{Typed(seen.labels[at])} ({at + 1})" for at in chosen.best_keys[:NAMED_KEYS]]
    more = " and others" if len(chosen.best_keys) > NAMED_KEYS else ""
    asked = f"{Typed(seen.labels[found.word])} ({found.word + 1})"
    best = f"best key is {keys[0]}" if len(keys) == 1 else f"best keys are {', '.join(keys)}{more}, alike"
    weight = f"{chosen.weights[list(chosen.best_keys)].mean():.2f}{' each' if len(keys) > 1 else ''}"
    return f"In {seen.scene.place}, for {asked} the {best}, with a weight of {weight} at T = {name}."


def _explanation(found: Found) -> str:
    """How far the output is from both ends, and what kind of look-up the weights make."""
    chosen = found.chosen
    best = "the best value" if len(chosen.best_keys) == 1 else "the mean of the best values"
    return (
        f"The output is {chosen.from_best:.3f} away from {best} and {chosen.from_mean:.3f} from the "
        f"mean. The entropy of the weights is {chosen.entropy:.2f} of at most {log2(chosen.n_seen):.2f} "
        f"bits. {kind_of(chosen)}"
    )


def kind_of(chosen: Lookup) -> str:
    """Return a sentence on the kind of look-up that the weights make."""
    weights, n_best = chosen.weights[chosen.allowed], len(chosen.best_keys)
    best = float(chosen.weights[list(chosen.best_keys)].sum())
    spread = float(weights.max() / max(weights.min(), EXACT))
    if chosen.n_seen == 1:
        return "Only one key is visible: at every temperature it has all of the weight."
    if n_best == chosen.n_seen:
        return "All visible keys match alike: at every temperature the output is the mean of their values."
    if spread <= NEARLY_EQUAL:
        nearly = "nearly " if spread > 1 + EXACT else ""
        return f"This is an average, not a look-up: every visible key has {nearly}the same weight."
    if best <= ALONE:
        return "The keys share the weight: the query matches them softly."
    nearly = "nearly " if best < 1 - EXACT else ""
    if n_best == 1:
        return f"This is a dictionary: the best key has {nearly}all of the weight."
    return f"The {n_best} best keys share {nearly}all of the weight: the output is {nearly}their mean value."


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a look-up at temperature 0 gives."""
    return (cold(len(found.chosen.best_keys), found.chosen.n_seen),)


def program(found: Found) -> Program:
    """What the word gets at the chosen temperature."""
    temperature = STOPS[found.temperature]
    return Program(
        lambda: lookup_program(found.seen.scene.subject, found.word, temperature, found.seen.changes)
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="In what sense is attention a look-up?",
    **OF_HEAD,
)
