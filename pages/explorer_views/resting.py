"""A note on a head whose attention rests on the first word or on the full stop."""

import streamlit as st

from core.analysis.heads.head_scores import SAMPLE
from core.analysis.heads.sinks import Sink, attention_sink
from pages.controls.prose import literal
from pages.explorer_views.head_scores import measured
from pages.shell.scene import Scene
from viz.text import counted

HABIT = 2
"""What gets so many times what equal weights would give it, in sentence after sentence, is a habit."""

SEEN_BY_ALL = "the first word is the one place that every query can see"
ALWAYS_THERE = "the first word is at the same place in every sentence"
SAYS_LITTLE = "nearly every sentence has a full stop, and it says little of its own"
NOT_LEARNED = "These weights are random, so this is an accident and not a habit."
NO_HABIT = "That is no habit: in this sentence it may be the very word that the head looks for."


def resting_note(scene: Scene) -> None:
    """Where most of the chosen head's attention rests, and why it may; nothing where it does not."""
    rest = attention_sink(scene.pattern, scene.reading.allowed(), scene.plain)
    if rest is not None:
        reason = _reason(rest, scene) if scene.switches.weights.trained else NOT_LEARNED
        st.markdown(f":material/info: {_here(rest, scene)} {reason}")


def _here(rest: Sink, scene: Scene) -> str:
    word = f"first word, **{literal(scene.labels[0])}**" if rest.place == "first word" else rest.place
    return (
        f"**{rest.share:.0%}** of this head's attention lies on the {word}; equal weights would put "
        f"{rest.chance:.0%} there (mean over {counted(rest.n_queries, 'word')})."
    )


def _reason(rest: Sink, scene: Scene) -> str:
    """What a sample of sentences says about it, and what it can be good for."""
    table = measured(scene.switches)
    at_head = (table["layer"] == scene.layer + 1) & (table["head"] == scene.head + 1)
    sampled = table[at_head & (table["score"] == rest.place)]
    if sampled.empty:
        return _rest_of_rows(rest, scene)
    value, baseline = sampled.iloc[0][["value", "baseline"]]
    elsewhere = f"Over {SAMPLE} sentences of the language it is {value:.0%} against {baseline:.0%}."
    return f"{elsewhere} {_rest_of_rows(rest, scene) if value > HABIT * baseline else NO_HABIT}"


def _rest_of_rows(rest: Sink, scene: Scene) -> str:
    why = SAYS_LITTLE
    if rest.place == "first word":
        why = SEEN_BY_ALL if scene.switches.config.mask == "causal" else ALWAYS_THERE
    return (
        "It may be a place to rest: the weights of a row must sum to one, so a head that has nothing to look "
        f"for has to put them somewhere, and {why}."
    )
