"""A note on a head that attends to the earlier mention of the word that comes next."""

from core.measures.equal_weights import equal_weights
from core.measures.heads.mentioned_again import Again, mentioned_again
from pages.explorer.expected import reads_on
from pages.shell.scene import Scene
from viz.units import per_cent


def again_note(scene: Scene) -> str:
    """The weight where the chosen head finds a word again; empty where it does not, or learned nothing."""
    if scene.pieces is not None or not scene.switches.weights.trained or not reads_on(scene):
        return ""
    found = mentioned_again(scene.pattern, equal_weights(scene.reading.allowed()), scene.plain)
    return "" if found is None else told_again(found, scene.names[found.query], scene.names[found.key])


def told_again(found: Again, query: object, key: object) -> str:
    """What the head attends to where a word is predicted again; typed words escape themselves."""
    return (
        f"At **{query}**, before **{key}** comes again, this head gives **{per_cent(found.weight)}** of its "
        f"attention to the first **{key}**. Equal weights would give it {per_cent(found.equal)}."
    )
