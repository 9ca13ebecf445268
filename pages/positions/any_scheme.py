"""Any scheme: what it does where it enters, its formula and its cost; for one without a richer view."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.positions.added import added
from core.model.positions import INJECTION_POINTS, SCHEMES, InjectionPoint
from core.programs.positions import added_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Footnote, Formula, Sheet, Shown, Text
from pages.controls.examples import OVEN
from pages.positions.questions import where_it_enters
from pages.positions.switches import OF_THE_WEIGHTS
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import at_place, subject
from viz.number_map import colour_map
from viz.schemes import Panel, side_by_side
from viz.text import counted
from viz.units import signed

WHAT: dict[InjectionPoint, str] = {
    "embed": "What is added to the word vector at each position",
    "rotate": "Angle in degrees by which each position rotates each pair of dimensions of its query and key",
    "bias": "What is added to the scores, head by head",
}
COLUMNS: dict[InjectionPoint, str] = {"embed": "dimension", "rotate": "pair of dimensions", "bias": "key"}
HEIGHT = 430


@dataclass(frozen=True)
class Found:
    """What the scheme does to the sentence where it enters, and its number of learned parameters.

    `values` are (position, dimension), (position, pair) in degrees or (head, query, key), by the injection
    point; `head` is the one, counted from 0, whose numbers the table and the program have.
    """

    scene: Scene
    point: InjectionPoint
    values: Float[np.ndarray, "..."]
    n_parameters: int
    head: int

    @property
    def shown(self) -> Float[np.ndarray, "number"]:
        """The numbers in sight: biases of masked scores are not."""
        if self.point != "bias":
            return self.values.ravel()
        return self.values[self.head][self.scene.reading.allowed()].ravel()


def ask(ask: Ask, scene: Scene) -> int:
    """The head, of a scheme that biases the scores of each."""
    config = scene.switches.config
    if SCHEMES[config.positions].injection_point() != "bias":
        return 0
    head: int = ask.menu("head", options=range(1, config.n_heads + 1))
    return head - 1


def find(scene: Scene, head: int) -> Found:
    """What the model adds or turns, read off the model itself."""
    switches = scene.switches
    scheme = SCHEMES[switches.config.positions]
    point = scheme.injection_point()
    assert point is not None, "a scheme with a view of its own enters somewhere"
    model = loaded(scene.plain, switches).model
    return Found(scene, point, added(model, len(scene.words)), scheme.n_parameters(model.config), head)


def sheet(found: Found, look: Look) -> Sheet:
    """A picture of the kind that suits the injection point, then what the scheme is."""
    switches = found.scene.switches
    about = SCHEMES[switches.config.positions].about
    cost = costs(found.n_parameters, trained=switches.weights.trained)
    return Sheet(
        answer=_of_head(found, answer(about.title, found.point, found.shown)),
        parts=(
            Formula(about.formula, about.source),
            Text(f"{WHAT[found.point]}:"),
            _biases(found, look) if found.point == "bias" else _by_position(found, look),
            Text(
                f"**{_titled(about.title)}** enters at the {INJECTION_POINTS[found.point]}. {about.says} "
                f"{cost}"
            ),
            *map(Footnote, about.slips),
        ),
    )


def _by_position(found: Found, look: Look) -> Shown:
    """A row for each position."""
    picture = colour_map(
        found.values,
        title=_title(found),
        x_title=COLUMNS[found.point],
        y_title="position",
        theme=look.theme,
        height=HEIGHT,
    )
    return Shown("scheme_added", picture)


def _biases(found: Found, look: Look) -> Shown:
    """A matrix for each head; the table behind them is that of the head chosen."""
    picture = side_by_side(
        [Panel(title=f"head {at}", matrix=matrix) for at, matrix in enumerate(found.values, start=1)],
        found.scene.labels,
        title=_title(found),
        theme=look.theme,
        allowed=found.scene.reading.allowed(),
        signed=True,
        size=look.room(),
        listed=found.head,
    )
    return Shown("scheme_added", picture)


def _title(found: Found) -> str:
    """What the scheme changes, with its name."""
    scheme = SCHEMES[found.scene.switches.config.positions].about.title
    return {
        "embed": f"{_titled(scheme)} added to word vectors",
        "rotate": f"Rotation by {scheme}, in degrees",
        "bias": f"{_titled(scheme)} added to scores, every head",
    }[found.point]


def _of_head(found: Found, said: str) -> str:
    return at_place(f"head {found.head + 1}", said) if found.point == "bias" else said


def answer(title: str, point: InjectionPoint, shown: Float[np.ndarray, "number"]) -> str:
    """How much the scheme changes, from the smallest to the largest number in sight."""
    degrees = "°" * (point == "rotate")
    low, high = (f"{signed(float(end))}{degrees}" for end in (shown.min(), shown.max()))
    span = low if low == high else f"{low} to {high}"
    does = {
        "embed": f"adds {span} to each number of a word vector",
        "rotate": f"rotates each pair of dimensions of a query or key by {span}",
        "bias": f"adds {span} to each score",
    }[point]
    return f"{_titled(title)} {does} in this sentence."


def _titled(title: str) -> str:
    return f"{title[0].upper()}{title[1:]}"


def costs(n_parameters: int, *, trained: bool) -> str:
    """How many parameters the scheme has learned, and whether it has."""
    if not n_parameters:
        return "It has no learned parameters."
    untrained = (
        "" if trained else f" {'It is' if n_parameters == 1 else 'They are'} random here, not trained."
    )
    return f"It has {counted(n_parameters, 'learned parameter')}.{untrained}"


def questions(found: Found) -> tuple[Question | None, ...]:
    """Where the scheme enters."""
    title = SCHEMES[found.scene.switches.config.positions].about.title
    return (where_it_enters(title, found.point),)


def program(found: Found) -> Program:
    """A program for the numbers."""
    about = subject(found.scene.words, found.scene.switches, head=found.head)
    return Program(lambda: added_program(about))


def view_of(positions: str) -> View:
    """The view of one scheme."""
    return View(
        sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
        sentence=OVEN,
        switches=OF_THE_WEIGHTS - {"layers"},
        defaults={"positions": positions},
    )
