"""Sampling of words: temperature, top k, top p and the seed; and the distribution drawn from."""

import pandas as pd

from core.decoding import Sampling
from pages.contract.ask import Ask

ALL = "all"

CHOSEN = "← chosen"

MODEL, DRAWN = "the model's probability", "the probability in the draw"


def ask_sampling(ask: Ask) -> tuple[Sampling, int]:
    """Return the bounds of sampling, and the seed."""
    temperature = ask.menu("temperature", width=185)
    top_k = ask.menu("top_k", width=140)
    top_p = ask.menu("top_p", width=140)
    seed = ask.number("seed", width=150)
    sampling = Sampling(
        temperature=float(temperature), top_k=None if top_k == ALL else int(top_k), top_p=float(top_p)
    )
    return sampling, seed


def drawn_from(sampling: Sampling) -> str:
    """Return the name of the distribution that a word is drawn from, with the temperature if it is not 1."""
    at = "" if sampling.temperature == 1 else f", temperature {sampling.temperature:g}"
    return f"{DRAWN}{at}"


def word_table(choices: pd.DataFrame, *, drawn: bool) -> pd.DataFrame:
    """Return the words at a step for a table; with the distribution they were `drawn` from, if they were."""
    names = {"before": MODEL, "after": DRAWN, "answer": "chosen"}
    return (choices if drawn else choices.drop(columns="after")).rename(columns=names)
