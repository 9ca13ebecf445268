"""Any scheme: its effect at its injection point, its formula and its cost, and one more picture for some."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.positions.schemes import position_effect
from core.model.masks import MASKS
from core.model.models import Stack
from core.model.positions import INJECTION_POINTS, SCHEMES, InjectionPoint
from core.sources import UnavailableError
from pages.contract.ask import Ask
from pages.contract.loading import loaded
from pages.contract.model_descriptions import settings
from pages.contract.question import Choose, Option, Question
from pages.contract.question_builders import choose
from pages.contract.scene import Scene, subject
from pages.contract.sheet import Caption, Columns, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.contract.switches import Architecture
from pages.contract.view import View, view
from viz.curves import Curves
from viz.number_map import NumberMap
from viz.picture import Picture
from words import counted, signed

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "norm"})
WORD = "bread"
"""The word of a sentence in which words do not matter."""

HEADINGS: dict[InjectionPoint, str] = {
    "embed": "Added to the word vector at each position",
    "rotate": "Rotation of each pair of dimensions, in degrees",
    "bias": "Added to the scores, a line for each head",
}
ROWS: dict[InjectionPoint, str] = {"embed": "dimension", "rotate": "pair of dimensions"}
OFFSET, ADDED = "words from the query", "added"
EXAMPLES: dict[InjectionPoint, str] = {
    "embed": "learned and sinusoidal vectors are added to word vectors",
    "rotate": "rotary positions rotate queries and keys",
    "bias": "ALiBi and relative bias add a number to each score",
}
"""Schemes by their injection points."""


@dataclass(frozen=True, kw_only=True)
class SchemeEffect:
    """Effect of a scheme at its injection point, for `n` positions.

    `values` are (position, dimension), (position, pair) in degrees or (head, query, key), by the injection
    point; `head`, counted from 0, is the chosen one.
    """

    scene: Scene
    n: int
    head: int
    point: InjectionPoint
    values: Float[np.ndarray, "..."]

    @property
    def query(self) -> int:
        """Return the query whose biases are shown: the last one, or one with keys on both sides."""
        return self.n // 2 if MASKS[self.scene.switches.config.mask].looks_ahead else self.n - 1

    @property
    def shown(self) -> Float[np.ndarray, "row column"]:
        """Return the shown numbers: columns are positions, or keys from the first to the last in sight."""
        if self.point != "bias":
            return self.values.T
        ahead = MASKS[self.scene.switches.config.mask].looks_ahead
        return self.values[:, self.query, : None if ahead else self.query + 1]


@dataclass(frozen=True, kw_only=True)
class SchemeAdditions:
    """Additions to the view of one scheme: a headline, a picture, a sentence, questions.

    In the large view the usual picture is shown `alone`, or beside the additional one.
    """

    headline: str
    heading: str
    parts: tuple[Part, ...]
    says: str = ""
    borders: Mapping[str, float] = field(default_factory=dict)
    unknown: tuple[int, ...] = ()
    questions: Callable[[], Sequence[Question | None]] = tuple
    program: Callable[[], Program | None] | None = None
    alone: bool = False


@dataclass(frozen=True, kw_only=True)
class SchemeViewOptions:
    """The additional picture of one scheme, and the settings of its view.

    `sizes` are the numbers of positions to choose from; the second is shown at first.
    """

    more: Callable[[Ask, SchemeEffect], SchemeAdditions]
    facts: Mapping[str, Any] = field(default_factory=dict)
    sizes: Sequence[int] = (32, 64, 128)


def view_of(positions: str, extra: SchemeViewOptions | None = None) -> View:
    """Return the view of one scheme."""
    own = extra or SchemeViewOptions(more=_nothing_more)
    facts: dict[str, Any] = {"switches": OF_THE_WEIGHTS, "defaults": {"positions": positions}}

    @view(**facts | dict(own.facts))
    def one_scheme(ask: Ask, scene: Scene) -> Sheet:
        entering = _entering(ask, scene, own.sizes)
        more = own.more(ask, entering)
        scheme = SCHEMES[scene.switches.config.positions]
        about = scheme.about
        cost = costs(
            scheme.n_parameters(_model(scene.switches).config), trained=scene.switches.weights.trained
        )
        shown: tuple[Part, ...] = (
            Text(f"## {HEADINGS[entering.point]}"),
            _picture(entering, more.borders),
        )
        if more.parts:
            shown = (Columns((shown, (Text(f"## {more.heading}"), *more.parts)), alone=more.alone),)
        says = f"The position enters at the {INJECTION_POINTS[entering.point]}. {about.says}"
        formula = Formula(about.formula, about.source)
        return Sheet(
            headline=more.headline,
            caption=_caption(scene.switches),
            unknown=more.unknown,
            parts=(
                *shown,
                Text(" ".join(filter(None, (says, cost, more.says)))),
                Fold("Formula", (formula,)),
            ),
            questions=more.questions,
            program=more.program or (lambda: Program(lambda: _program(entering))),
        )

    return one_scheme


def _caption(switches: Architecture) -> Caption:
    """Return the caption of a scheme: of a model only if the scheme has learned parameters."""
    config, scheme = switches.config, SCHEMES[switches.config.positions]
    if scheme.n_parameters(config):
        return Caption(models=lambda: (switches.described(),))
    said = settings(config)
    told = (said["n_heads"], said["mask"]) if scheme.injection_point() == "bias" else ()
    return Caption(models=lambda: (", ".join(("no learned parameters", *told)),), chosen=False)


def _entering(ask: Ask, scene: Scene, sizes: Sequence[int]) -> SchemeEffect:
    """Return the effect of the scheme on `n` positions, read off the model itself."""
    config = scene.switches.config
    point = SCHEMES[config.positions].injection_point()
    assert point is not None, "a scheme with a view of its own enters somewhere"
    n = ask.menu("positions_shown", options=sizes, default=sizes[1], width=165)
    head = ask.menu("head", options=range(1, config.n_heads + 1)) if point == "bias" else 1
    return SchemeEffect(
        scene=scene, n=n, head=head - 1, point=point, values=position_effect(_model(scene.switches), n)
    )


def _model(switches: Architecture) -> Stack:
    """Return the model of the switches, or a random one if the scheme has no learned parameters."""
    try:
        return loaded((WORD,), switches).model
    except UnavailableError:
        if SCHEMES[switches.config.positions].n_parameters(switches.config):
            raise
        return loaded((WORD,), replace(switches, source="random")).model


def _program(entering: SchemeEffect) -> str:
    switches = entering.scene.switches
    title = SCHEMES[switches.config.positions].about.title
    return subject((WORD,) * entering.n, switches, head=entering.head).shown(
        "positions", f"The effect of {title} on a sentence of {entering.n} words."
    )


def _nothing_more(ask: Ask, entering: SchemeEffect) -> SchemeAdditions:
    """Return a headline on the scheme's effect and injection point, without another picture."""
    title = SCHEMES[entering.scene.switches.config.positions].about.title
    said = headline(title, entering.point, entering.shown)
    if entering.point == "bias":
        said = headline(title, entering.point, entering.shown[entering.head])
        said = f"In head {entering.head + 1}, {said[0].lower()}{said[1:]}"
    return SchemeAdditions(
        headline=said, heading="", parts=(), questions=lambda: (where_it_enters(title, entering.point),)
    )


def _picture(entering: SchemeEffect, borders: Mapping[str, float]) -> PicturePart:
    """Draw a column for each position; for biases a line for each head."""
    title = SCHEMES[entering.scene.switches.config.positions].about.title
    if entering.point == "bias":
        return PicturePart("scheme_added", _biases(entering, f"{_titled(title)} added to scores, every head"))
    added_to = f"{_titled(title)} added to word vectors"
    is_added = entering.point == "embed"
    picture = NumberMap(
        values=entering.shown,
        title=added_to if is_added else f"Rotation by {title}, in degrees",
        of="number added" if is_added else "degrees",
        x_title="position",
        y_title=ROWS[entering.point],
        borders=borders,
    )
    return PicturePart("scheme_added", picture)


def _biases(entering: SchemeEffect, title: str) -> Picture:
    """Draw the bias of each head by the words from the query to the key."""
    values = entering.shown
    offsets = np.arange(values.shape[1]) - entering.query
    names = [f"head {at}" for at in range(1, len(values) + 1)]
    far = -(2 * entering.query // 3 // 10 * 10)
    added = float(values[entering.head][entering.query + far])
    table = pd.concat(
        [
            pd.DataFrame({"head": name, OFFSET: offsets, ADDED: row})
            for name, row in zip(names, values, strict=True)
        ]
    )
    return Curves(
        rows=table,
        title=title,
        x=OFFSET,
        y=ADDED,
        by="head",
        say=signed,
        colours={name: "output" if at == entering.head else "muted" for at, name in enumerate(names)},
        x_title="words from query to key",
        y_title="added to the score",
        points=[(far, added, f"{-far} words back: {signed(added)}")] if far else (),
    )


def headline(title: str, point: InjectionPoint, shown: Float[np.ndarray, "..."]) -> str:
    """Say how much the scheme changes, from the smallest to the largest shown number."""
    low, high = (signed(float(end)) for end in (shown.min(), shown.max()))
    span = low if low == high else f"between {low} and {high}"
    does = {
        "embed": f"adds {span} to each number of a word vector",
        "rotate": f"rotates each pair of dimensions of a query or key by {_span(shown, '°')}",
        "bias": f"adds {span} to each score",
    }[point]
    return f"{_titled(title)} {does}."


def _span(numbers: Float[np.ndarray, "..."], unit: str) -> str:
    low, high = (f"{signed(float(end))}{unit}" for end in (numbers.min(), numbers.max()))
    return low if low == high else f"{low} to {high}"


def _titled(title: str) -> str:
    return f"{title[0].upper()}{title[1:]}"


def costs(n_parameters: int, *, trained: bool) -> str:
    """Say how many parameters the scheme has, and whether they are trained."""
    if not n_parameters:
        return "The scheme has no learned parameters."
    told = f"The scheme has {counted(n_parameters, 'learned parameter' if trained else 'parameter')}"
    return f"{told}." if trained else f"{told}, random here and not trained."


def where_it_enters(title: str, point: InjectionPoint) -> Choose | None:
    """Ask where a scheme adds the position of a word."""
    return choose(
        f"Where does {title} add the position of a word?",
        *(
            Option(f"to the {what}", other == point, f"That is what other schemes do: {EXAMPLES[other]}.")
            for other, what in INJECTION_POINTS.items()
        ),
        because=f"It enters at the {INJECTION_POINTS[point]}, and changes nothing else.",
    )
