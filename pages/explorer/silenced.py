"""The heads that are knocked out: chosen in a menu, or by a click on their bars."""

from collections.abc import Collection, Mapping, Sequence

from core.measures.heads.each_head import longest
from core.measures.prediction import Head
from core.text.limits import too_long
from pages.contract.ask import Ask
from pages.contract.sheet import Changes, Gesture, Link, Point
from pages.controls.prose import literal
from pages.shell.scene import Scene
from viz.head_effects import name_of

SILENCED = "silenced"
"""The parameter, and the spot at which its control stands."""
ALONE = "Every head of {} is knocked out alone in"
OF_ANY_LENGTH = "Heads chosen in the menu are knocked out of a sentence of any length."
KNOCKING_OUT = "Knocking out every head alone …"
OF_THE_INTACT_MODEL = "The weights in the picture are those of the intact model."


def ask_silenced(ask: Ask, scene: Scene) -> dict[str, Head]:
    """The heads chosen in the menu, by their names in the order of these."""
    config = scene.switches.config
    heads = {
        name_of(layer + 1, head + 1): (layer, head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    many = scene.switches.weights.pretrained is not None
    with ask.at(SILENCED):
        chosen = ask.several(SILENCED, list(heads), many=many)
    return {name: heads[name] for name in sorted(chosen)}


def why_not_each_head(scene: Scene) -> str:
    """Why not every head is knocked out alone; empty where it is. Of a long sentence that takes too long."""
    one, most = scene.switches.weights.pretrained, longest(scene.switches.config)
    if len(scene.words) <= most:
        return ""
    assert one is not None, "sentences of the small language are short enough"
    return f"{too_long(ALONE.format(literal(one.title)), most, len(scene.words), scene.unit)} {OF_ANY_LENGTH}"


def knocks_out_or_puts_back(silenced: Collection[str]) -> Gesture:
    """A click on the bar of a head, while the heads of these names are knocked out."""

    def changes(points: Sequence[Point], link: Link) -> Changes:
        name = name_of(*points[-1]["data"])
        return {SILENCED: sorted({*silenced} ^ {name})}

    return changes


def without(silenced: Mapping[str, Head]) -> str:
    """What a run without these heads is called; empty where none is missing."""
    return f"without {', '.join(silenced)}" if silenced else ""
