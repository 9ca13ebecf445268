"""Heads knocked out by a click on their bars, with the effect on a prediction or on the last states."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.heads.effects import StateChanges, every_head, head_effects, max_tokens, state_changes
from core.measures.prediction import Head, divergence
from core.text.tokenizer import too_long
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded, measured
from pages.contract.prose import Typed, literal
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Controls,
    Gesture,
    LinkValues,
    Part,
    PicturePart,
    Point,
    Program,
    Table,
    Text,
)
from pages.contract.switches import Architecture
from pages.explorer.explored import weights_program
from pages.explorer.learned import accuracies, unlike_default, verdict
from pages.explorer.predictions import (
    PLACE,
    Runs,
    answer,
    ask_position,
    asked_at,
    bars_picture,
    losses,
    nats,
    predicted,
    predicts_next,
    why_not_predicted,
)
from viz.bar_rows import BarRows
from viz.named_bars import (
    DIVERGENCE,
    LARGEST_HEADS,
    SMALLEST_TOP,
    STATES,
    Effect,
    HeadEffects,
    head_in_prose,
    name_of,
    shows_all,
)
from viz.text import unique_words
from words import counted, per_cent, thousandths

SILENCED = "silenced"
"""Parameter of the heads, and the spot of its control."""
ALONE = "Every head of {} is knocked out alone in"
OF_CHOSEN = "Bars show the heads of the chosen layer."
OF_LAYER = "Every head of a layer is knocked out alone in"
OF_ANY_LENGTH = "Heads chosen in the menu are knocked out of a sentence of any length."
KNOCKING_OUT = "Knocking out every head alone …"
OF_ALL_HEADS = "The weights in the picture are those with all heads."
HOW_TO_KNOCK_OUT = (
    "A large weight need not change the prediction. Each bar shows how much knocking out one head alone "
    "changes this prediction: D(before ‖ after), the Kullback–Leibler divergence. Click a bar to knock out "
    "that head."
)
SHOWN_UNMASKED = (
    "The model predicts the {unit} from a sentence in which that {unit} is masked. By default it is the "
    "{unit} that is predicted best. The weights in the picture are those of the sentence without a mask "
    "token."
)
INSTEAD = "Instead of a prediction, the states h of the tokens after the last layer show what a head changes."
EACH_BAR = (
    "Each bar shows how far these states move when one head alone is knocked out: ‖Δh‖ / ‖h‖, the mean "
    "over all tokens, special tokens included. Click a bar to knock out that head."
)
ALL_IN_MENU = "Bars show the {n} heads with the largest effects. The menu has all {all}."
TINY = 1e-3
"""Smallest effect with a bar: D in nats, or the share by which states move."""
TOO_SMALL = {
    DIVERGENCE: f"No head{{of}} knocked out alone changes this prediction by {TINY:g} nats or more.",
    STATES: (
        f"No head{{of}} knocked out alone moves the states after the last layer by {per_cent(TINY)} or "
        "more of their length."
    ),
}
DISTANCE = "‖Δh‖: distance by which the state h of a token after the last layer moves without {}"
EXPLAINED = {
    DIVERGENCE: "before: all heads; after: without the head",
    STATES: f"{DISTANCE.format('the head')}; mean over all tokens",
}
"""Explanations of the symbols on the axis of an effect, for captions."""
IN_THE_MENU = "Heads chosen in the menu are knocked out together."
MOST_DRAWN = 32
"""Greatest number of pieces that have a bar: those whose states move the most."""
MOVED = "‖Δh‖ / ‖h‖"

Silenced = Mapping[str, Head]
"""The heads that are knocked out, by name."""


def ask_prediction(ask: Ask, scene: Scene) -> tuple[int | None, Silenced]:
    """Return the position of the prediction, None without one, and the heads that are knocked out."""
    if why_not_predicted(scene):
        return None, ask_silenced(ask, scene)
    if not scene.switches.weights.trained:
        return None, {}
    return ask_position(ask, scene), ask_silenced(ask, scene)


def ask_silenced(ask: Ask, scene: Scene, name: str = SILENCED, spot: str = SILENCED) -> Silenced:
    """Return the heads that are knocked out, asked for under this name at a spot."""
    config = scene.switches.config
    heads = {
        name_of(layer + 1, head + 1): (layer, head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    many = scene.switches.weights.pretrained is not None
    with ask.at(spot):
        chosen = ask.several(name, list(heads), many=many)
    return {one: heads[one] for one in heads if one in chosen}


def prediction_parts(
    scene: Scene, at: int | None, silenced: Silenced
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return the prediction at a position, or how far each state moves; and the effect of every head."""
    if at is None:
        return _moved_parts(scene, why_not_predicted(scene), silenced)
    after = predicted(scene.words, scene.switches, frozenset(silenced.values()))
    runs = Runs(predicted(scene.words, scene.switches), after, second=without(silenced))
    each, how = _each_head(scene, at, silenced)
    tables: list[Part] = [Table("losses", lambda: losses(scene, runs), title=f"Loss of each {scene.unit}")]
    if scene.switches.weights.pretrained is None and not scene.switches.ablations:
        title = f"What the model has learned{', with all heads' * bool(silenced)}"
        tables.append(Table("accuracies", lambda: accuracies(scene), title=title, note=verdict))
    said = Text(_told(scene, runs, at, how))
    return (
        (Controls(PLACE), bars_picture(scene, runs, at)),
        (*each, Controls(SILENCED, "below each other"), said, *tables),
    )


def prediction_program(scene: Scene, silenced: Silenced) -> Program:
    """Return the program of the change of states, or else of the weights of the head."""
    if not (silenced and why_not_predicted(scene)):
        return weights_program(scene)
    return Program.calling(
        "How far the states after the last layer move without some heads: ‖Δh‖ / ‖h‖, and the cosine.",
        state_changes,
        scene.subject.call,
        silenced=sorted(silenced.values()),
        window=scene.switches.window,
        shows=(".moved", ".cosines", ".mean", ".sentence_moved", ".sentence_cosine"),
        prints="‖Δh‖ / ‖h‖ and the cosine of every token, the mean of ‖Δh‖ / ‖h‖, and both for the sentence",
    )


def without(silenced: Silenced) -> str:
    """Return the name of a run without these heads, which are counted if there are several; or nothing."""
    heads = [head_in_prose(layer + 1, head + 1) for layer, head in silenced.values()]
    return f"without {heads[0] if len(heads) == 1 else f'{len(heads)} heads'}" if heads else ""


def knocked_out_alone(scene: Scene) -> tuple[bool, str]:
    """Return whether each head of the chosen layer is knocked out alone, and why not each head of all.

    All heads of a large model would take too long; for a long text, so would one layer.
    """
    one, config = scene.switches.weights.pretrained, scene.switches.config
    n, most = len(scene.words), max_tokens(config)
    if n <= most:
        return True, ""
    assert one is not None, "sentences of the small language are short enough"
    of_layer = max_tokens(config, one_layer=True)
    if n <= of_layer:
        why = too_long(ALONE.format(literal(one.title)), most, n, scene.unit)
        return True, f"{OF_CHOSEN} {why} {OF_ANY_LENGTH}"
    return False, f"{too_long(OF_LAYER, of_layer, n, scene.unit)} {OF_ANY_LENGTH}"


def knocks_out_or_puts_back(silenced: Silenced) -> Gesture:
    """Return a click on the bar of a head, while the heads of these names are knocked out."""

    def changes(points: Sequence[Point], link: LinkValues) -> Changes:
        return {SILENCED: sorted({*silenced} ^ {name_of(*points[-1]["data"])})}

    return changes


@cached_for_all(saying=KNOCKING_OUT)
def _effects_at(words: tuple[str, ...], switches: Architecture, at: int, layer: int | None) -> pd.DataFrame:
    return head_effects(loaded(words, switches), position=at, window=switches.window, layer=layer)


@cached_for_all(saying=KNOCKING_OUT)
def _moves(words: tuple[str, ...], switches: Architecture, layer: int | None) -> pd.DataFrame:
    return every_head(loaded(words, switches), window=switches.window, layer=layer)


def _each_head(scene: Scene, at: int | None, silenced: Silenced) -> tuple[tuple[PicturePart, ...], str]:
    """Return a bar for every head, knocked out alone, and how to read the bars; or why there are none."""
    are_knocked_out, why_not_all = knocked_out_alone(scene)
    if not are_knocked_out:
        return (), why_not_all
    layer = scene.layer if why_not_all else None
    if at is None:
        effect, how, heads = STATES, EACH_BAR, _moves(scene.words, scene.switches, layer)
    else:
        effect, how, heads = DIVERGENCE, HOW_TO_KNOCK_OUT, _effects_at(scene.words, scene.switches, at, layer)
    of = "" if layer is None else f" of {scene.layer_place}"
    if too_small(heads, effect):
        return (), " ".join(filter(None, (TOO_SMALL[effect].format(of=of), IN_THE_MENU, why_not_all)))
    title = f"Effect of knocking out each head{of}"
    some = "" if shows_all(heads) else f"{LARGEST_HEADS} largest"
    also = " and all that are knocked out" * bool(silenced)
    picture = HeadEffects(
        title=f"{title}: the {some} of {len(heads)}{also}" if some else title,
        short=f"The {some} effects of {len(heads)} heads" if some and not silenced else "",
        heads=heads,
        effect=effect,
        silenced={(layer + 1, head + 1) for layer, head in silenced.values()},
    )
    notes = (EXPLAINED[effect],) if at is None else (asked_at(scene, at), EXPLAINED[effect])
    caption = Caption(notes=notes)
    shown = (
        PicturePart("head_effects", picture, on_click=knocks_out_or_puts_back(silenced), caption=caption),
    )
    in_menu = ALL_IN_MENU.format(n=LARGEST_HEADS, all=len(heads)) if some else ""
    return shown, " ".join(filter(None, (how, in_menu, why_not_all)))


def too_small(heads: pd.DataFrame, effect: Effect) -> bool:
    """Return whether no head has an effect that a bar could show."""
    return bool(heads[effect.column].max() < TINY)


def _told(scene: Scene, runs: Runs, at: int, how: str) -> str:
    """Return how the word in the sentence did, the loss of the sentence, and how to read the bars."""
    before, after = (nats(run.loss, scene.unit) for run in runs[:2])
    if runs.before.loss is None:
        loss = f"The sentence has no {scene.unit} that can be scored."
    elif runs.second:
        loss = f"The loss on this sentence goes from {before} to {after}."
    else:
        scored = counted(runs.before.n_scored, scene.unit)
        loss = f"Loss on this sentence: **{before}**, the mean over {scored}."
    if runs.second:
        moved = thousandths(divergence(runs.before, runs.after, at))
        return (
            f"{answer(scene, runs, at)} {runs.second.capitalize()} this prediction changes by "
            f"**D(before ‖ after) = {moved} nats**. {loss}\n\n:small[{how} {OF_ALL_HEADS}]"
        )
    masked = "" if predicts_next(scene) else f" {SHOWN_UNMASKED.format(unit=scene.unit)}"
    said = filter(None, (answer(scene, runs, at), loss, unlike_default(scene, runs.before)))
    return f"{' '.join(said)}\n\n:small[{how}{masked}]"


def _moved_parts(scene: Scene, why: str, silenced: Silenced) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return how far knocked-out heads move the state of each piece, and each head all states."""
    each, how = _each_head(scene, None, silenced)
    control = Controls(SILENCED, "below each other")
    if not silenced:
        return (), (*each, control, Text(f":small[{why} {INSTEAD} {how}]"))
    changes = measured(
        state_changes,
        loaded,
        scene.words,
        scene.switches,
        silenced=frozenset(silenced.values()),
        window=scene.switches.window,
    )
    more = f":small[{why} {how} {OF_ALL_HEADS}]"
    said = Text(f"{_told_moved(scene, changes, without(silenced))}\n\n{more}")
    return _of_pieces(scene, changes, without(silenced)), (*each, control, said)


def _told_moved(scene: Scene, changes: StateChanges, missing: str) -> str:
    most = int(changes.moved.argmax())
    piece = Typed(unique_words(scene.names)[most])
    return (
        f"{missing.capitalize()} the states after the last layer move by **{per_cent(changes.mean)}** of "
        f"their length, the mean over {counted(len(changes.moved), scene.unit)}. The state of **{piece}** "
        f"moves the most, by {per_cent(changes.moved[most])} (cosine {changes.cosines[most]:.3f}). The "
        f"vector of the sentence, the mean of all states, moves by **{per_cent(changes.sentence_moved)}** "
        f"(cosine {changes.sentence_cosine:.3f})."
    )


def _of_pieces(scene: Scene, changes: StateChanges, missing: str) -> tuple[Part, ...]:
    """Return a bar for the state of every piece, in the order of the sentence; a table has them all."""
    drawn = np.sort(np.argsort(-changes.moved, kind="stable")[:MOST_DRAWN])
    apart = unique_words(scene.labels)
    # Without its neighbours a repeated word would not say which one it is.
    names = scene.labels if len(drawn) == len(changes.moved) else apart
    only = f" of the {MOST_DRAWN} tokens whose states move the most," * (len(drawn) < len(changes.moved))
    table = pd.DataFrame(
        {MOVED: changes.moved, "cosine": changes.cosines}, index=pd.Index(apart, name=scene.unit)
    )
    picture = BarRows(
        shares=changes.moved[drawn][None],
        rows={MOVED: "attention"},
        columns=[names[at] for at in drawn],
        title=f"Change of the states after the last layer {missing}, in per cent",
        # Where hardly anything moves, no bar is to look large.
        top=max(float(changes.moved[drawn].max()), SMALLEST_TOP),
        make_table=lambda: table,
    )
    caption = Caption(notes=(DISTANCE.format("the heads that are knocked out"),))
    heading = Text(f"**Change of the states after the last layer**{only} {missing}, in %")
    return heading, PicturePart("moved_states", picture, caption=caption)
