"""Parameters: how many every part of the three architectures has, for the switches in force."""

import pandas as pd
import streamlit as st

from core.measures.architectures.parameters import ARCHITECTURES, PARTS, Counts, parameters_by_part
from core.model.config import ModelConfig
from core.programs.architectures import parameters_program
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from viz.architectures.parameters import describe_parameters, parameter_bars
from viz.units import per_cent

AT_LEAST = 340


def parameters(scene: Scene) -> Program:
    """A bar for each architecture, and the sum of its parts."""
    config = scene.switches.config
    found = _counted(config)
    picture(
        parameter_bars(found, theme=theme(), width=room(at_least=AT_LEAST)),
        key="parameters",
        alt=describe_parameters(found),
    )
    st.markdown(_told(found, config))
    st.dataframe(_table(found).style.format("{:,}"), height="content")
    return Program(
        lambda: parameters_program(config), prints="how many parameters every part of the three models has"
    )


@remembered()
def _counted(config: ModelConfig) -> dict[str, Counts]:
    return parameters_by_part(config)


def _table(found: dict[str, Counts]) -> pd.DataFrame:
    table = pd.DataFrame(found, index=pd.Index(list(PARTS), name="part"))
    table.loc["all"] = table.sum()
    return table


def _told(found: dict[str, Counts], config: ModelConfig) -> str:
    """What the counts say, whatever they are."""
    encoder, decoder, pair = (found[name] for name in ARCHITECTURES)
    same = "the same number" if sum(encoder.values()) == sum(decoder.values()) else "different numbers"
    share = pair["feed-forward"] / sum(pair.values())
    layers = f"{config.n_layers} layer{'s' * (config.n_layers > 1)}"
    attention = sum(pair[part] for part in ("queries", "keys", "values", "attention output"))
    single = sum(encoder[part] for part in ("queries", "keys", "values", "attention output"))
    return (
        f"Encoder and decoder have **{same}** of parameters: a mask is no parameter. With {layers} on each "
        f"side the two together have {attention / single:.0f} times the attention of one, because every "
        f"block of the decoder attends twice; feed-forward layers are {per_cent(share)} of all. Word vectors "
        "and output layer share one table, which counts as embeddings."
    )
