"""A note on a head most of whose attention goes to the first word or to the end of the sentence: a sink?"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from core.measures.equal_weights import equal_weights
from core.measures.heads.head_scores import SAMPLE
from core.measures.heads.sinks import FULL_STOPS, Sink, attention_sink
from core.measures.merging import merge
from pages.contract.words import Words
from pages.controls.prose import Typed, in_units, literal
from pages.explorer.head_scores import measured
from pages.shell.scene import Scene
from viz.units import per_cent

HABIT = 2
"""What gets so many times what equal weights would give it, in sentence after sentence, is a sink."""

SEEN_BY_ALL = "the first word is the one position that every query can see"
ALWAYS_THERE = "the first word is at the same position in every sentence"
SAYS_LITTLE = "nearly every sentence has a closing mark, which says little of its own"
SPECIAL = (
    "a special token is there in every sentence and is no word of it (Clark et al. 2019 found this in BERT)"
)
NOT_LEARNED = "These weights are random, so this is chance and not an attention sink."
NO_HABIT = (
    "So this is no attention sink: in this sentence the head may well attend to that word for what it says."
)


class Counted(NamedTuple):
    """The weights of the chosen head between `names`: words or pieces, with the special tokens.

    `equal` are those of a head that attends alike to all that may be seen.
    """

    pattern: Float[np.ndarray, "query key"]
    equal: Float[np.ndarray, "query key"]
    names: Words
    special: frozenset[int]


def sink_note(scene: Scene) -> str:
    """A sentence on where most of the head's attention goes, and why it may; empty where it is spread."""
    counted = _counted(scene)
    plain = tuple(map(str, counted.names))
    sink = attention_sink(counted.pattern, counted.equal, plain, counted.special)
    if sink is None:
        return ""
    reason = _reason(sink, scene) if scene.switches.weights.trained else NOT_LEARNED
    return f"{_here(sink, counted, scene.attention.unit)} {reason}"


def _counted(scene: Scene) -> Counted:
    """The words or pieces that the picture shows, and the special tokens even where it hides them."""
    pieces, pattern, allowed = scene.pieces, scene.pattern, scene.reading.allowed()
    if pieces is None:
        return Counted(pattern, equal_weights(allowed), scene.words, frozenset())
    if scene.attention.unit == scene.unit:
        return Counted(pattern, equal_weights(allowed), scene.names, pieces.special)
    special = (at for at, group in enumerate(pieces.groups) if pieces.special.issuperset(group))
    merged, equal = merge(pattern, pieces.groups), equal_weights(allowed, pieces.groups)
    return Counted(merged, equal, tuple(map(Typed, pieces.names)), frozenset(special))


def _here(sink: Sink, counted: Counted, unit: str) -> str:
    return (
        f"**{per_cent(sink.share)}** of this head's attention goes to {_named(sink, counted.names, unit)}. "
        f"Equal weights would give it {per_cent(sink.chance)} ({_mean_over(sink)})."
    )


def _mean_over(sink: Sink) -> str:
    """A clause on the queries that count, where not all others do."""
    n_others = sink.n_queries + sink.n_narrow + sink.n_blind
    if sink.n_queries == n_others:
        return f"mean over {sink.n_queries} queries"
    left_out = {
        f"that see{'s' * (sink.n_narrow == 1)} little else": sink.n_narrow,
        "that cannot see it": sink.n_blind,
    }
    named = " and ".join(f"{n} {what}" for what, n in left_out.items() if n)
    verb = "is" if n_others - sink.n_queries == 1 else "are"
    return f"mean over {sink.n_queries} of the {n_others} other queries; left out {verb} {named}"


def _named(sink: Sink, names: Words, unit: str) -> str:
    """The word or sign that the attention goes to."""
    if sink.at is not None:
        return f"the special token **{names[sink.at]}**"
    if sink.place == "first word":
        return f"the first {unit}, **{names[0]}**"
    marks = dict.fromkeys(str(word) for word in names if word in FULL_STOPS)
    if list(marks) == ["."]:
        return "the full stop"
    return f"what ends a sentence, {' '.join(f'**{literal(mark)}**' for mark in marks)}"


def _reason(sink: Sink, scene: Scene) -> str:
    """What a sample of sentences says about it, and what it can be good for."""
    if scene.pieces is not None:
        return _what_for(sink, scene)
    table = measured(scene.switches)
    at_head = (table["layer"] == scene.layer + 1) & (table["head"] == scene.head + 1)
    sampled = table[at_head & (table["score"] == sink.place)]
    if sampled.empty:
        return _what_for(sink, scene)
    value, baseline = sampled.iloc[0][["value", "baseline"]]
    elsewhere = (
        f"Over {SAMPLE} sentences of the language the shares are {per_cent(value)} and {per_cent(baseline)}."
    )
    return f"{elsewhere} {_what_for(sink, scene) if value > HABIT * baseline else NO_HABIT}"


def _what_for(sink: Sink, scene: Scene) -> str:
    why = SPECIAL if sink.place == "special token" else SAYS_LITTLE
    if sink.place == "first word":
        seen_by_all = not scene.switches.config.looks_ahead and scene.switches.window is None
        why = in_units(SEEN_BY_ALL if seen_by_all else ALWAYS_THERE, scene.attention.unit)
    return (
        "It may be an **attention sink**: the weights of a row must sum to one, so a head that finds nothing "
        f"to attend to has to put them somewhere, and {why}."
    )
