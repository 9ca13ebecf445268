"""One and many: the same sentence read by the models with 1, 2, 4 and 8 heads."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.learning.evaluation.baselines import baseline
from core.measures.heads.head_counts import PHENOMENA, HeadCounts, read_with_each, records_table, with_each
from core.programs import attention_program
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Columns, Notice, Part, Point, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.switches import WITHOUT_WINDOW, Architecture
from pages.controls.weights import absent_of, hidden_words
from pages.heads.questions import accuracy_on_task
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded_with_each, those_there
from viz.bar_rows import bars
from viz.head_counts import head_counts, head_hit
from viz.matrices import one_head
from viz.text import counted
from viz.theme import Theme
from viz.units import per_cent

GRID, MATRIX = 550, 400
"""Pixels of the two figures."""

WEIGHTS = (4.0, 3.0)

UNTRAINED = "These weights are random: each head has projections of its own, and none has learned anything."
TRAINED = "Choose trained weights to see what several heads learn."

INTACT = " with everything in place"
"""What is said of numbers of the trained models where the picture shows an ablation."""

ASKED = (
    "*Agreement*: is the verb singular or plural, as its subject is? *Names*: is a name that occurred "
    "earlier predicted again? The baseline is the best accuracy without reading the sentence."
)

Words = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A layer of the models with each number of heads, and what these can do; `missing` says why some lack.

    `records` has no rows where nothing has been learned.
    """

    scene: Scene
    counts: HeadCounts
    records: pd.DataFrame
    missing: str

    @property
    def n_heads(self) -> int:
        """How many heads the switches ask for."""
        return self.scene.switches.config.n_heads

    @property
    def chosen(self) -> tuple[int, int] | None:
        """The model of the switches among the counts, and its head; None where it is missing."""
        counts = self.counts.counts
        return (counts.index(self.n_heads), self.scene.head) if self.n_heads in counts else None

    @property
    def is_ablated(self) -> bool:
        """Whether something is missing of the models: their records are of the intact ones."""
        return bool(self.scene.switches.ablations)

    @property
    def task(self) -> str:
        """What the models have learned."""
        return self.scene.switches.config.objective


def find(scene: Scene, choices: None) -> Found:
    """The sentence read by every model that is there."""
    switches = scene.switches
    missing = absent_of(switches.source, with_each(switches.config).values())
    counts = _read(scene.words, switches, scene.layer, missing)
    return Found(scene, counts, _records(switches), missing)


@remembered()
def _read(words: Words, switches: Architecture, layer: int, missing: str) -> HeadCounts:
    return read_with_each(loaded_with_each(words, switches, with_each(switches.config)), layer=layer)


def _records(switches: Architecture) -> pd.DataFrame:
    """What the models that are there can do; no rows for those that have learned nothing."""
    records = those_there(switches.weights.record, with_each(switches.config))
    return records_table({n_heads: record for n_heads, record in records.items() if record is not None})


def sheet(found: Found, look: Look) -> Sheet:
    """All heads of the models as tiles, a row for each model, and the chosen head opened beside them."""
    left, right = look.columns(WEIGHTS)
    is_trained = not found.records.empty
    below: tuple[Part, ...] = (Text(TRAINED),)
    if is_trained:
        below = (
            Text(_explanation(found.records, found.task, hidden_words(found.scene.switches.config.mask))),
            _abilities(found, left.theme),
        )
    return Sheet(
        answer=f"{_answer(found.records, is_ablated=found.is_ablated) if is_trained else UNTRAINED} "
        f"Opened is {found.scene.place}.",
        notes=(Notice(found.missing, "warning"),) if found.missing else (),
        unknown=found.counts.unknown,
        parts=(Columns(((_tiles(found, left), *below), (_opened(found, right),)), WEIGHTS),),
    )


def _tiles(found: Found, look: Look) -> Shown:
    seen = found.counts
    picture = head_counts(
        seen.patterns,
        seen.counts,
        words=found.scene.marked(seen.unknown),
        of=f"layer {found.scene.layer + 1}",
        theme=look.theme,
        selected=found.chosen,
        allowed=seen.allowed,
        size=look.room(GRID),
    )
    return Shown("counts", picture, on_click=lambda points, link: _open(points, seen.counts))


def _open(points: Sequence[Point], counts: Sequence[int]) -> Changes:
    """The model and the head whose tile was clicked; nothing beside the tiles."""
    hit = head_hit(points[-1]["x"], points[-1]["y"], counts)
    return {} if hit is None else {"heads": hit[0], "head": hit[1] + 1}


def _opened(found: Found, look: Look) -> Part:
    """The weights of the chosen head."""
    if found.chosen is None:
        return Text(_lacking(found.n_heads))
    pattern, allowed = found.counts.patterns[found.chosen], found.counts.allowed
    labels = found.scene.marked(found.counts.unknown)
    title = f"Attention weights, layer {found.scene.layer + 1}, head {found.chosen[1] + 1} of {found.n_heads}"
    size = look.room(MATRIX)
    return Shown(
        "counts_head", one_head(pattern, labels, title=title, theme=look.theme, allowed=allowed, size=size)
    )


def _abilities(found: Found, theme: Theme) -> Shown:
    """The accuracies of every model: on its task, and on the questions about earlier words."""
    table, task = found.records, found.task
    counts = list(table["heads"])
    picture = bars(
        table[["task", *PHENOMENA]].to_numpy().T,
        {task: theme.muted, **dict.fromkeys(PHENOMENA, theme.query)},
        [counted(int(count), "head") for count in counts],
        title=f"Accuracy on unseen sentences{INTACT * found.is_ablated}, by number of heads",
        theme=theme,
        top=1,
        chosen=counts.index(found.n_heads) if found.n_heads in counts else None,
        table=lambda: table.rename(columns={"task": task}),
    )
    return Shown("abilities", picture)


def _answer(records: pd.DataFrame, *, is_ablated: bool) -> str:
    """What the models with the fewest and with the most heads know of earlier words."""
    ends = [records.iloc[0], records.iloc[-1]] if len(records) > 1 else [records.iloc[0]]
    told = [
        f"{' and '.join(f'{per_cent(one[name])} on *{name}*' for name in PHENOMENA)} "
        f"with {counted(int(one['heads']), 'head')}"
        for one in ends
    ]
    without = " and ".join(f"{per_cent(baseline(name))} on *{name}*" for name in PHENOMENA)
    return f"Accuracy{INTACT * is_ablated} is {', and '.join(told)}. The baseline has {without}."


def _explanation(records: pd.DataFrame, task: str, hidden: str = "") -> str:
    """How much the task and each question depend on the number of heads; `hidden`: of which words it is."""
    counts = ", ".join(str(int(count)) for count in records["heads"])
    found = "; ".join(
        f"{named} {', '.join(per_cent(share) for share in records[name])}"
        for name, named in (
            ("task", f"{task} prediction{hidden}"),
            *((name, f"*{name}*") for name in PHENOMENA),
        )
    )
    several = "head" if counts == "1" else "heads"
    return (
        f"The models have equally many weights and differ in their number of heads. Accuracy with {counts} "
        f"{several}: {found}. {ASKED} Click a tile to open its head."
    )


def _lacking(n_heads: int) -> str:
    return f"There is no model with {counted(n_heads, 'head')} and these switches."


def questions(found: Found) -> tuple[Question | None, ...]:
    """What several heads are worth for the task."""
    if found.records.empty:
        return ()
    shares = found.records.set_index("heads")["task"]
    return (accuracy_on_task(found.task, {int(heads): float(share) for heads, share in shares.items()}),)


def program(found: Found) -> Program | None:
    """The weights of the chosen head."""
    return None if found.chosen is None else Program(lambda: attention_program(found.scene.subject))


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
    about="head",
)
