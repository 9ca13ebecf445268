"""Any scheme: what it does where it enters, its formula and its cost; for one without a richer view."""

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Float

from core.measures.positions.added import added
from core.model.positions import INJECTION_POINTS, SCHEMES, InjectionPoint
from core.programs.positions import added_program
from core.sources import load
from pages.controls.cited import equation, footnote
from pages.controls.link import menu
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from pages.shell.scene import subject
from viz.number_map import describe_number_map, number_map
from viz.schemes import Panel, describe_side_by_side, side_by_side
from viz.tables import matrix_table
from viz.text import counted

WHAT: dict[InjectionPoint, str] = {
    "embed": "What is added to the word vector at each position",
    "rotate": "Angle in degrees by which each position rotates each pair of dimensions of its query and key",
    "bias": "What is added to the scores, head by head",
}
COLUMNS: dict[InjectionPoint, str] = {"embed": "dimension", "rotate": "pair of dimensions", "bias": "key"}
HEIGHT = 470


def any_scheme(scene: Scene) -> Program:
    """What the scheme of the switches does to this sentence, as a picture of the kind that suits it."""
    switches = scene.switches
    scheme = SCHEMES[switches.config.positions]
    point = scheme.injection_point()
    assert point is not None, "a scheme with a view of its own enters somewhere"
    loaded = load(switches.source, switches.config, scene.plain, switches.seed)
    head = _head(scene) if point == "bias" else 0
    st.markdown(WHAT[point])
    values = added(loaded.model, len(scene.words))
    if point == "bias":
        _biases(scene, values, head)
    else:
        _by_position(point, values)
    n = scheme.n_parameters(loaded.model.config)
    learned = f"It has {counted(n, 'learned parameter')}." if n else "It has no learned parameters."
    untrained = "" if switches.weights.trained or not n else " They are random here, not trained."
    title = scheme.about.title[0].upper() + scheme.about.title[1:]
    st.markdown(
        f"**{title}** enters at the {INJECTION_POINTS[point]}. {scheme.about.says} {learned}{untrained}"
    )
    equation(scheme.about.formula, scheme.about.source)
    for slip in scheme.about.slips:
        footnote(slip)
    about = subject(scene.words, switches, head=head)
    return Program(lambda: added_program(about))


def _head(scene: Scene) -> int:
    """The head, counted from 0, whose numbers the table and the program have."""
    with scene.row:
        n_heads = scene.switches.config.n_heads
        return menu("head", options=range(1, n_heads + 1), notes=scene.notes) - 1


def _by_position(point: InjectionPoint, values: Float[np.ndarray, "position column"]) -> None:
    """A row for each position."""
    figure = number_map(values, x_title=COLUMNS[point], y_title="position", theme=theme(), height=HEIGHT)
    columns = [f"{COLUMNS[point]} {at}" for at in range(values.shape[1])]
    index = pd.RangeIndex(len(values), name="position")
    picture(
        figure,
        key="scheme_added",
        alt=describe_number_map(values, what=WHAT[point]),
        table=lambda: pd.DataFrame(values, index=index, columns=columns),
    )


def _biases(scene: Scene, values: Float[np.ndarray, "head query key"], head: int) -> None:
    """A matrix for each head; the table behind them is that of the head chosen."""
    panels = [Panel(title=f"head {at}", matrix=matrix) for at, matrix in enumerate(values, start=1)]
    allowed = scene.reading.allowed()
    picture(
        side_by_side(panels, scene.labels, theme=theme(), allowed=allowed, signed=True, size=room()),
        key="scheme_added",
        alt=describe_side_by_side(panels, scene.labels, what=WHAT["bias"], allowed=allowed, signed=True),
        table=lambda: matrix_table(values[head], scene.plain, allowed=allowed),
    )
