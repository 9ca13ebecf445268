"""The walk through the chosen head of a scene, with the entries that the link changes."""

from dataclasses import dataclass

from core.measures.stages import Change, Walk, walk
from core.sources import BY_HAND_NAME
from core.sources.by_hand import first_asking
from pages.contract.ask import Ask
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.shell import Scene
from pages.shell.loading import loaded


@dataclass(frozen=True)
class Walked:
    """A scene, the walk through its head, and the entries changed in it."""

    scene: Scene
    walk: Walk
    changes: tuple[Change, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return self.scene.marked(self.walk.unknown)

    @property
    def unknown(self) -> tuple[int, ...]:
        """The positions of words that the model does not know."""
        return tuple(self.walk.unknown)


def walked(scene: Scene, changes: tuple[Change, ...] = ()) -> Walked:
    """The walk through the head of a scene. Raises UnavailableError where there is no such model."""
    return Walked(scene, _walk(scene.words, scene.switches, scene.layer, scene.head, changes), changes)


@remembered()
def _walk(
    words: tuple[str, ...], switches: Architecture, layer: int, head: int, changes: tuple[Change, ...]
) -> Walk:
    return walk(loaded(words, switches), layer=layer, head=head, changes=changes)


def ask_word(ask: Ask, scene: Scene) -> int:
    """The position of the word that is asked about, the last one unless chosen.

    Of heads made by hand the first that asks: where a query is zero there is nothing to see.
    """
    if scene.switches.source == BY_HAND_NAME and (at := first_asking(scene.plain, scene.head)) is not None:
        asked = ask.word("word", scene.names, label=scene.unit.capitalize(), usual=at)
        return at if asked is None else asked
    chosen = ask.word("word", scene.names, label=scene.unit.capitalize(), unchosen="last")
    return scene.last if chosen is None else chosen
