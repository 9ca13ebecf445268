"""The bottleneck: what fits into the one vector that an encoder hands over, and what attention adds."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.translators import TranslatorConfig, name_of_pair, recurrent_pair
from core.learning.probes import content_words
from core.measures.translation.lengths import share_near_to_training, table_by_length, training_steps
from core.measures.translation.vector import FixedVector, contexts, fixed_vector, table_by_distance, told
from core.measures.translation.writing import Strategy, write
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.programs.translation import bottleneck_program
from core.sources import UnavailableError
from core.sources.absent import absent
from core.sources.probes import absent_probes
from pages.controls.chart import chart
from pages.controls.link import choice
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.controls.weights import note_absent
from pages.shell import Program, Scene
from pages.translation import bottleneck_claims as claims
from pages.translation import bottleneck_said as says
from pages.translation.said import Said, said
from pages.translation.translator import NETWORKS, TRANSFORMER, TRANSLATOR, USUAL
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.curves import describe_curves
from viz.number_map import describe_number_map, number_map
from viz.spreads import describe_vector_bars, vector_bars
from viz.text import counted
from viz.units import per_cent

ALONE, WITH = "alone", "attention"
ATTENTIONS = {ALONE: FIXED_VECTOR, WITH: "dot"}
"""A network alone has the fixed vector and nothing else of the source."""

SHARES = {share / 4: per_cent(share / 4) for share in range(5)}
HEIGHT, LOWEST, ROW = 330, 240, 19
"""Heights in pixels: of curves, and of a map of contexts at least and for each step."""

EVEN = 0.5


def bottleneck(scene: Scene) -> Program:
    """Accuracy by length, the vector, what is told from it, and one context beside one for each step."""
    here = said(scene)
    with scene.row:
        network = choice(
            TRANSLATOR,
            label="Network",
            options=list(NETWORKS),
            default="LSTM",
            notes=scene.notes,
            hide_label=True,
        )
    pairs = {name: recurrent_pair(NETWORKS[network], kind) for name, kind in ATTENTIONS.items()}
    _name_missing(scene, pairs)
    left, right = columns(2)
    with left:
        _by_length(network)
    with right:
        _by_distance(network)
    _told(here)
    _contexts(here, network, pairs)
    _vector(here, network, pairs[ALONE])
    return Program(
        lambda: bottleneck_program(pairs[ALONE], here.plain),
        "the fixed vector and what the probe tells of each word",
    )


def _name_missing(scene: Scene, pairs: Mapping[str, RecurrentPairConfig]) -> None:
    """Raise UnavailableError without one of the two compared; name others that the curves go without."""
    if missing := absent(map(name_of_pair, pairs.values())):
        raise UnavailableError(missing)
    note_absent(scene.notes, absent([*map(name_of_pair, _recurrent().values()), name_of_pair(USUAL)]))
    note_absent(scene.notes, absent_probes(_recurrent().values()))


def name_of(network: str, kind: str) -> str:
    """A recurrent translator as pictures name it: `LSTM alone`, `LSTM, attention`."""
    return f"{network} {kind}" if kind == ALONE else f"{network}, {kind}"


def _recurrent() -> dict[str, RecurrentPairConfig]:
    """The four recurrent translators by their names in pictures."""
    return {
        name_of(network, name): recurrent_pair(NETWORKS[network], kind)
        for network in NETWORKS
        for name, kind in ATTENTIONS.items()
    }


def _colours() -> dict[str, str]:
    """Recurrence has the colour of the key, attention that of the query."""
    look = theme()
    of_kind = {FIXED_VECTOR: look.recurrence}
    return {name: of_kind.get(pair.attention, look.attention) for name, pair in _recurrent().items()}


def _by_length(network: str) -> None:
    """Whole sentences right, of the translators that are there."""
    every: dict[str, TranslatorConfig] = {**_recurrent(), TRANSFORMER: USUAL}
    table = table_by_length(every)
    if table.empty:
        st.info("No translator that is there has been measured by the length of its sentences yet.")
        return
    _shares(
        table,
        key="by_length",
        what="Whole sentences right",
        x_title="words in the source sentence",
        colours={**_colours(), TRANSFORMER: theme().value},
    )
    compared = claims.claim(table, name_of(network, WITH), name_of(network, ALONE))
    st.markdown(f"{compared} {claims.trained(training_steps(every))}")
    st.caption(says.how_measured(table, share_near_to_training()))


def _by_distance(network: str) -> None:
    """Content words that probes tell, by how many words follow."""
    table = table_by_distance(_recurrent())
    if table.empty:
        return  # above the page it says why
    _shares(
        table,
        key="by_distance",
        what="Content words told from the vector",
        x_title="words that follow in the sentence",
        colours=_colours(),
    )
    pairs = [(name_of(one, WITH), name_of(one, ALONE)) for one in sorted(NETWORKS, key=network.__ne__)]
    st.markdown(f"{claims.lost(table, *pairs[0])} {claims.carried(table, pairs)}")
    st.caption(says.how_probed(_recurrent()))


def _shares(table: pd.DataFrame, *, key: str, what: str, x_title: str, colours: Mapping[str, str]) -> None:
    """Curves of shares with their standard errors, over groups of numbers of words."""
    ticks = {
        row.words: f"{row.first}–{row.last}" if row.first < row.last else f"{row.first}"
        for row in table.itertuples()
    }
    chart(
        table,
        key=key,
        what=what,
        alt=describe_curves(table, x="words", y="share", by="model", what=what, say=per_cent, x_ticks=ticks),
        behind=lambda: table.drop(columns="words"),
        x="words",
        y="share",
        by="model",
        say=per_cent,
        colours=colours,
        x_title=x_title,
        y_title=what.lower(),
        x_ticks=ticks,
        y_ticks=SHARES,
        spread=("low", "high"),
        log="x",
        height=HEIGHT,
    )


def _told(here: Said) -> None:
    """What probes tell of each word of the sentence typed."""
    found = _probabilities(here.plain)
    if not found:
        return
    shares, colours = np.stack(list(found.values())), _colours()
    picture(
        bar_rows(
            shares,
            {name: colours[name] for name in found},
            here.labels,
            top=1.0,
            theme=theme(),
        ),
        key="told",
        alt=describe_bar_rows(
            shares, list(found), here.labels, what="The probability that the probe of each vector gives"
        ),
        table=lambda: pd.DataFrame({"word": here.labels, **found}),
    )
    is_content = [word in content_words() for word in here.plain]
    st.markdown(says.told(found, is_content, EVEN))


def _probabilities(words: tuple[str, ...]) -> dict[str, np.ndarray]:
    found = {}
    for name, pair in _recurrent().items():
        try:
            found[name] = _probability(pair, words)
        except UnavailableError:
            continue
    return found


@remembered(1024)
def _probability(pair: RecurrentPairConfig, words: tuple[str, ...]) -> np.ndarray:
    return told(pair, words)


def _contexts(here: Said, network: str, pairs: Mapping[str, RecurrentPairConfig]) -> None:
    """The figure of the slides: one vector at every step, and beside it a context for each step."""
    target = _target(here, pairs[WITH])
    vector = _vectors(pairs[ALONE], here.plain).hidden
    of_steps = _of_steps(pairs[WITH], here.plain, target)
    both = {ALONE: np.tile(vector, (len(target), 1)), WITH: of_steps}
    limit = float(max(np.abs(values).max() for values in both.values()))
    titles = {
        ALONE: f"{name_of(network, ALONE)}: the same vector, whatever is written",
        WITH: f"{name_of(network, WITH)}: one context for each step",
    }
    for column, (kind, values) in zip(columns(2), both.items(), strict=True):
        with column:
            st.markdown(f"**{titles[kind]}**")
            picture(
                number_map(
                    values,
                    x_title="dimension",
                    y_title="word to be written",
                    theme=theme(),
                    height=max(LOWEST, 76 + ROW * len(target)),
                    rows=target,
                    limit=limit,
                ),
                key=f"contexts_{ATTENTIONS[kind]}",
                alt=describe_number_map(values, what=titles[kind]),
                table=partial(_as_table, values, target),
            )
    st.markdown(says.contexts(network, of_steps))


def _as_table(values: np.ndarray, target: tuple[str, ...]) -> pd.DataFrame:
    """A row for each step: the word to be written, and the numbers of its context."""
    table = pd.DataFrame(values).rename(columns=str)
    table.insert(0, "word", target)
    return table


def _target(here: Said, pair: RecurrentPairConfig) -> tuple[str, ...]:
    """The words to be written: by the rules, or else as the model with attention writes them."""
    translation = here.reference.translation
    return translation.words if translation is not None else _written(pair, here.plain)


@remembered(64)
def _written(pair: RecurrentPairConfig, words: tuple[str, ...]) -> tuple[str, ...]:
    written = write(pair, words, Strategy())
    return written.sentence or written.words


@remembered(64)
def _of_steps(pair: RecurrentPairConfig, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return contexts(pair, words, target)


@remembered(64)
def _vectors(pair: RecurrentPairConfig, words: tuple[str, ...]) -> FixedVector:
    return fixed_vector(pair, words)


def _vector(here: Said, network: str, pair: RecurrentPairConfig) -> None:
    """All numbers that the decoder without attention gets."""
    found, look = _vectors(pair, here.plain), theme()
    stages = {"h": found.hidden} | ({"cell": found.cell} if len(found.cell) else {})
    colours = {"h": look.recurrence, "cell": look.value}
    st.markdown(says.vector(network, len(here.plain), sum(map(len, stages.values()))))
    picture(
        vector_bars(stages, colours, theme=look),
        key="fixed_vector",
        alt=describe_vector_bars(stages, what=f"The fixed vector of {counted(len(here.plain), 'word')}"),
        table=lambda: pd.DataFrame(stages).rename_axis("dimension"),
    )
