"""Length extrapolation: what the trained models do with sentences longer than any they have seen."""

from collections.abc import Iterable, Mapping
from itertools import cycle

import pandas as pd
import streamlit as st

from core.measures.positions import extrapolation as measure
from core.measures.positions.learned import learned_table
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import SCHEMES
from core.programs.extrapolation import losses_program, verbs_program
from core.sources import UnavailableError
from core.text.language import DISTANCES
from pages.controls.chart import chart
from pages.controls.link import choice
from pages.controls.parameters import options_of
from pages.controls.picture import theme
from pages.controls.weights import absent_of, note_absent
from pages.shell import Program, Scene
from viz.curves import Say
from viz.theme import Theme
from viz.units import per_cent

LOSS, VERBS = options_of("measured")
AT, APART = "words in", "words apart"
ENDS = "training ends here"
ALIKE = 0.1
"""Nats: a loss that grows by no more than this stays level."""


def extrapolation(scene: Scene) -> Program:
    """The loss from the first word to the last, or how far from its subject a verb still agrees with it."""
    config = scene.switches.config
    with scene.row:
        measured = choice("measured", notes=scene.notes, hide_label=True)
    reach = learned_table(config).reach
    missing = absent_of("trained", measure.measured_of(config))
    note_absent(scene.notes, missing)
    (_loss if measured == LOSS else _verbs)(config, reach, missing)
    return Program(lambda: (losses_program if measured == LOSS else verbs_program)(config))


@st.cache_resource(max_entries=16, show_spinner="Measuring a model of each scheme on long sentences …")
def _losses(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.losses(config)


@st.cache_resource(
    max_entries=16, show_spinner="Measuring a model of each scheme on verbs far from their subjects …"
)
def _accuracies(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.verbs(config)


def _loss(config: ModelConfig, reach: int, missing: str) -> None:
    table = _found(_losses(config, missing)).rename(columns={"position": AT})
    highest = float(table["loss"].max())
    _chart(
        table,
        "loss",
        x=AT,
        x_title="position in the sentence",
        y_title="loss, nats per word",
        y_ticks={float(at): str(at) for at in range(int(highest) + 2)},
        ticks=range(0, measure.LENGTH + 1, 48),
        ends=reach,
        say=_nats,
    )
    st.markdown(
        f"{_growth(table, reach)} Training sentences had up to {reach} words; these have {measure.LENGTH}"
        f"{_ends(config)}. The models are causal, and each point is the mean over {measure.N_SENTENCES} "
        f"unseen sentences and {measure.STEP} positions. A low loss does not prove that a model uses distant "
        f"words: see *{VERBS}*."
    )


def _ends(config: ModelConfig) -> str:
    """Which schemes have an end, and where."""
    longest = ((name, scheme.longest(config)) for name, scheme in SCHEMES.items())
    return "".join(f", and *{name}* has no vector after position {n}" for name, n in longest if n is not None)


def _verbs(config: ModelConfig, reach: int, missing: str) -> None:
    table = _found(_accuracies(config, missing)).rename(columns={"distance": APART})
    _chart(
        table,
        "accuracy",
        x=APART,
        x_title="words from the subject to its verb",
        y_title="accuracy",
        y_ticks={share / 4: per_cent(share / 4) for share in range(5)},
        ticks=range(0, max(measure.DISTANCES) + 1, 48),
        ends=max(DISTANCES),
        say=per_cent,
        level=(measure.GUESSING, f"chance {per_cent(measure.GUESSING)}"),
    )
    st.markdown(
        f"{_reached(table)} A verb agrees with its subject: after `the chef who … the stores` *is* is right "
        f"and *are* is wrong. In training a verb is at most {max(DISTANCES)} words from its subject. The "
        f"models are causal, and each point is the accuracy on {measure.N_QUESTIONS} unseen questions."
    )


def _found(table: pd.DataFrame) -> pd.DataFrame:
    """The table, if any of these models is there."""
    if table.empty:
        raise UnavailableError(
            "None of these models has been trained yet: `python -m core.learning.collection`."
        )
    return table


def _growth(table: pd.DataFrame, reach: int) -> str:
    """The loss of every scheme up to the longest training sentence, and at the end of the sentences."""
    told = []
    for positions, within, at_end in measure.before_and_after(table, AT, reach):
        worse = "gets worse" if at_end > within else "gets better"
        kept = "stays level" if abs(at_end - within) <= ALIKE else worse
        told.append(f"**{positions}** {kept}, {within:.2f} → {at_end:.2f}")
    return f"Mean loss in nats per word, up to where training ends → in the last quarter: {'; '.join(told)}."


def _reached(table: pd.DataFrame) -> str:
    """The accuracy of each scheme at the longest distance."""
    last = table[table[APART] == table[APART].max()].sort_values("accuracy", ascending=False)
    listed = ", ".join(f"**{row.positions}** {per_cent(row.accuracy)}" for row in last.itertuples())
    return f"Accuracy {int(table[APART].max())} words from the subject: {listed}."


def _nats(loss: float) -> str:
    return f"{loss:.2f} nats"


def _chart(
    table: pd.DataFrame,
    y: str,
    *,
    x: str,
    x_title: str,
    y_title: str,
    y_ticks: Mapping[float, str],
    ticks: Iterable[int],
    ends: int,
    say: Say,
    level: tuple[float, str] | None = None,
) -> None:
    chart(
        table,
        key=f"extrapolation_{y}",
        what=f"{y_title.capitalize()} of every scheme",
        x=x,
        y=y,
        by="positions",
        say=say,
        colours=_colours(theme()),
        x_title=x_title,
        y_title=y_title,
        x_ticks={float(at): str(at) for at in ticks},
        y_ticks=y_ticks,
        mark=ends,
        mark_name=ENDS,
        level=level,
        height=430,
    )


def _colours(look: Theme) -> dict[str, str]:
    colours = (look.muted, look.key, look.value, look.query, look.output, look.ink)
    return dict(zip(POSITIONS, cycle(colours), strict=False))
