"""Soft lookup: one query asks the store of keys and values, from hard look-up to uniform average."""

from math import log2
from typing import Any

import pandas as pd
import streamlit as st

from core.measures.stages import HARD, UNIFORM, Lookup, look_up
from core.programs.steps import lookup_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import slide
from pages.controls.picture import picture, theme
from pages.controls.prose import Typed
from pages.controls.screen import columns
from pages.shell import Program, Scene
from pages.step_by_step.walking import Walked, chosen_word, walked
from viz.curves import describe_curves
from viz.lookup import MOST_DIMENSIONS, MOST_KEYS, describe_lookup, lookup, lookup_table
from viz.text import counted

BETWEEN = ("0.1", "0.2", "0.5", "1", "2", "5", "10")
STOPS = {"0": HARD, **{name: float(name) for name in BETWEEN}, "∞": UNIFORM}
"""Temperatures by their names on the slider and in the link."""

FROM_BEST, FROM_MEAN = "best value", "mean"
NAMED_KEYS = 3
BAR = 760
"""Pixels of the slider with what it says at both ends."""


def soft_lookup(scene: Scene) -> Program:
    """The store at one temperature, and how far the output is from both ends at all of them."""
    seen = walked(scene)
    with scene.row:
        word = chosen_word(scene)
        with st.container(horizontal=True, vertical_alignment="center", width=BAR, key="one_line"):
            st.markdown("Temperature: hard look-up", width="content")
            with st.container():
                name = slide("sharpness", options=list(STOPS), notes=scene.notes)
            st.markdown("uniform average", width="content")
    found = {stop: _found(seen, word, temperature) for stop, temperature in STOPS.items()}
    left, right = columns([5, 4])
    with left:
        _store(seen, found[name], name)
    with right:
        _distances(found, name)
    st.markdown(_told(seen, word, found[name], name))
    equation(
        r"z_i = \sum_{j} \alpha_{ij} v_j, \qquad \alpha_{ij} = "
        r"\frac{\exp(s_{ij} / T)}{\sum_{j'} \exp(s_{ij'} / T)}",
        "CS 224N note, eq 7–8, where T = 1; attention as a look-up: its section 2 and the seq2seq slides",
    )
    return Program(lambda: lookup_program(scene.subject, word, STOPS[name], seen.changes))


def _found(seen: Walked, word: int, temperature: float) -> Lookup:
    walk = seen.walk
    return look_up(walk.scores[word], walk.v, walk.allowed[word], temperature=temperature)


def _store(one: Walked, found: Lookup, name: str) -> None:
    seen = [at for at, allowed in enumerate(found.allowed) if allowed]
    weights, values = found.weights[seen], one.walk.v[seen]
    words = [one.labels[at] for at in seen]
    results = {"output": found.output, "best value": found.best, "mean": found.mean}
    best = [seen.index(at) for at in found.best_keys]
    picture(
        lookup(weights, values, words, results, theme=theme(), best=best),
        key="store",
        alt=describe_lookup(weights, words, temperature=name),
        table=lambda: lookup_table(weights, values, words),
    )
    left_out = []
    if len(seen) > MOST_KEYS:
        left_out.append(f"the {MOST_KEYS} keys with the largest weights of {len(seen)}")
    if values.shape[1] > MOST_DIMENSIONS:
        left_out.append(f"{MOST_DIMENSIONS} of {counted(values.shape[1], 'dimension')}")
    if left_out:
        st.caption(f"The figure shows {' and '.join(left_out)}; the sums run over all.")


def _distances(found: dict[str, Lookup], name: str) -> None:
    """How far the output is from the value of the best key and from the mean, at every stop."""
    rows = [
        {"temperature": at, "distance": distance, "from": end}
        for at, one in enumerate(found.values())
        for end, distance in ((FROM_BEST, one.from_best), (FROM_MEAN, one.from_mean))
    ]
    table, look = pd.DataFrame(rows), theme()
    axes: dict[str, Any] = {"x": "temperature", "y": "distance", "by": "from", "say": _length}
    what = "Distance of the output"
    ticks: dict[float, str] = dict(enumerate(found))
    largest = max(float(table["distance"].max()), 0.01)
    chart(
        table,
        key="distances",
        what=what,
        **axes,
        alt=describe_curves(table, **axes, what=what, x_ticks=ticks),
        behind=lambda: table.assign(temperature=table["temperature"].map(ticks.__getitem__)),
        colours={FROM_BEST: look.value, FROM_MEAN: look.muted},
        x_title="temperature T",
        y_title="distance of the output",
        x_ticks=ticks,
        y_ticks={part * largest / 2: f"{part * largest / 2:.2f}" for part in range(3)},
        mark=list(found).index(name),
        mark_name=f"T = {name}",
        height=320,
    )


def _length(distance: float) -> str:
    return f"{distance:.3f}"


def _told(seen: Walked, word: int, found: Lookup, name: str) -> str:
    keys = [f"**{Typed(seen.labels[at])}** ({at + 1})" for at in found.best_keys[:NAMED_KEYS]]
    more = " and others" if len(found.best_keys) > NAMED_KEYS else ""
    asked = f"**{Typed(seen.labels[word])}** ({word + 1})"
    best = f"best key is {keys[0]}" if len(keys) == 1 else f"best keys are {', '.join(keys)}{more}, alike"
    share = sum(found.weights[list(found.best_keys)])
    ends = {
        "0": "This is a dictionary: the output is the value of the best key.",
        "∞": "This is an average, not a look-up: every visible key has the same weight.",
    }
    return (
        f"For {asked} the {best}, with a weight of {share:.2f} at T = {name}. The output is "
        f"{found.from_best:.3f} away from the best value and {found.from_mean:.3f} from the mean. The "
        f"entropy of the weights is {found.entropy:.2f} of at most {log2(found.n_seen):.2f} bits. "
        f"{ends.get(name, 'Between these two ends, the query matches all keys softly.')}"
    )
