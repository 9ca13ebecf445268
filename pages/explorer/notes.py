"""Notes on the chosen head: a word that it finds again, an attention sink."""

import numpy as np
from jaxtyping import Float

from core.measures.heads.sample import SAMPLE
from core.measures.heads.sinks import (
    FULL_STOPS,
    Sink,
    attention_sink,
    find_next_word_mention,
)
from core.measures.merging import equal_weights, merge
from pages.contract.prose import Typed, in_units, literal
from pages.contract.scene import Scene
from pages.contract.words import Words
from pages.explorer.head_scores import cached_head_scores
from pages.explorer.predictions import predicts_next
from words import per_cent

HABIT = 2
"""Ratio to equal weights from which attention in sentence after sentence counts as a sink."""

SEEN_BY_ALL = "The first word is the only position that every query can see."
ALWAYS_THERE = "The first word is at the same position in every sentence."
SAYS_LITTLE = "Nearly every sentence has a closing mark, which says little by itself."
SPECIAL = (
    "Every sentence has special tokens, which are none of its words. Clark et al. (2019) found such "
    "attention in BERT."
)
NOT_LEARNED = "These weights are random, so this is chance and not an attention sink."
NO_HABIT = (
    "So this is not an attention sink: in this sentence the head may attend to that word for its meaning."
)

Pattern = Float[np.ndarray, "query key"]


def notes_of(scene: Scene) -> str:
    """Return the notes on the chosen head, a paragraph each; empty without any."""
    return "\n\n".join(f":material/info: {note}" for note in (_again(scene), _sink(scene)) if note)


def _again(scene: Scene) -> str:
    """Return the weight with which the head finds a word again; empty if it finds none."""
    if scene.pieces is not None or not scene.switches.weights.trained or not predicts_next(scene):
        return ""
    found = find_next_word_mention(scene.pattern, equal_weights(scene.reading.allowed()), scene.plain)
    if found is None:
        return ""
    query, key = scene.names[found.query], scene.names[found.key]
    return (
        f"At **{query}**, before **{key}** comes again, this head gives **{per_cent(found.weight)}** of its "
        f"attention to an earlier **{key}**. Equal weights would give it {per_cent(found.equal)}."
    )


def _sink(scene: Scene) -> str:
    """Return where most of the head's attention goes, and why it may; empty if it is spread."""
    pattern, equal, names, special = _counted(scene)
    sink = attention_sink(pattern, equal, tuple(map(str, names)), special)
    if sink is None:
        return ""
    reason = _reason(sink, scene) if scene.switches.weights.trained else NOT_LEARNED
    return (
        f"**{per_cent(sink.share)}** of this head's attention goes to "
        f"{_named(sink, names, scene.attention.unit)}. Equal weights would give it {per_cent(sink.chance)} "
        f"(mean over {sink.n_queries} queries). {reason}"
    )


def _counted(scene: Scene) -> tuple[Pattern, Pattern, Words, frozenset[int]]:
    """Return weights, equal weights, names and special tokens of the whole text, hidden tokens included."""
    pieces, pattern, allowed = scene.pieces, scene.pattern, scene.reading.allowed()
    if pieces is None:
        return pattern, equal_weights(allowed), scene.words, frozenset()
    if scene.attention.unit == scene.unit:
        return pattern, equal_weights(allowed), scene.names, pieces.special
    special = (at for at, group in enumerate(pieces.groups) if pieces.special.issuperset(group))
    merged, equal = merge(pattern, pieces.groups), equal_weights(allowed, pieces.groups)
    return merged, equal, tuple(map(Typed, pieces.names)), frozenset(special)


def _named(sink: Sink, names: Words, unit: str) -> str:
    """Return the word or sign that the attention goes to."""
    if sink.at is not None:
        return f"the special token **{names[sink.at]}**"
    if sink.place == "first word":
        return f"the first {unit}, **{names[0]}**"
    marks = dict.fromkeys(str(word) for word in names if word in FULL_STOPS)
    if list(marks) == ["."]:
        return "the full stop"
    return f"what ends a sentence, {' '.join(f'**{literal(mark)}**' for mark in marks)}"


def _reason(sink: Sink, scene: Scene) -> str:
    """Return the evidence from a sample of sentences, and a possible use of the sink."""
    if scene.pieces is not None:
        return _what_for(sink, scene)
    table = cached_head_scores(scene.switches)
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
        seen_by_all = not scene.switches.config.looks_ahead and bool(scene.reading.allowed()[:, 0].all())
        why = in_units(SEEN_BY_ALL if seen_by_all else ALWAYS_THERE, scene.attention.unit)
    return (
        "It may be an **attention sink**: the weights of a row sum to one, so a head that finds nothing to "
        f"attend to has to put them somewhere. {why}"
    )
