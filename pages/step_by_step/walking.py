"""The walk through the chosen head of a scene, with the entries that the link changes."""

from dataclasses import dataclass

from core.measures.stages import Change, Walk, walk
from pages.controls.link import word_menu
from pages.controls.memory import remembered_within
from pages.controls.switches import Architecture
from pages.shell import Scene
from pages.step_by_step.changes import changes

ROOM = 64 * 2**20
"""Bytes of what is kept for all visitors together."""


@dataclass(frozen=True)
class Walked:
    """A scene, the walk through its head, and the entries changed in it."""

    scene: Scene
    walk: Walk
    changes: tuple[Change, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return self.scene.marked(self.walk.unknown)


def walked(scene: Scene) -> Walked:
    """The walk through the head of a scene. Raises UnavailableError where there is no such model."""
    place = (scene.words, scene.switches, scene.layer, scene.head)
    seen = _walk(*place, ())
    changed = changes(scene.notes, n_words=len(scene.words), d_head=seen.config.d_head)
    scene.name_unknown(seen.unknown)
    return Walked(scene, _walk(*place, changed), changed)


@remembered_within(ROOM)
def _walk(
    words: tuple[str, ...], switches: Architecture, layer: int, head: int, changes: tuple[Change, ...]
) -> Walk:
    return walk(
        words,
        switches.config,
        source=switches.source,
        seed=switches.seed,
        layer=layer,
        head=head,
        changes=changes,
    )


def chosen_word(scene: Scene) -> int:
    """The place of the word that is looked at, the last one unless chosen."""
    chosen = word_menu("word", scene.names, label=scene.unit.capitalize(), notes=scene.notes, unchosen="last")
    return scene.last if chosen is None else chosen
