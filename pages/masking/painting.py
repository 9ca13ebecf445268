"""A sentence read under a painted mask."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from core.measures.masking.painting import PaintedMask, mask_of, read_painted
from core.measures.reading import OneHead, WholeReading
from pages.contract.sheet import Text
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.shell.loading import loaded
from pages.shell.scene import Scene


@dataclass(frozen=True)
class Painting:
    """A scene, the mask painted for it, and the reading under that mask."""

    scene: Scene
    mask: PaintedMask
    reading: WholeReading

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return self.scene.marked(self.reading.unknown)

    @property
    def stages(self) -> OneHead:
        """The chosen head from scores to weights."""
        return self.reading.head(self.scene.layer, self.scene.head)

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which query may attend to which key."""
        return self.reading.allowed()

    @property
    def notes(self) -> tuple[Text, ...]:
        """Notes above the picture: what the model is without, and if it was trained with another mask."""
        weights, allowed = self.scene.switches.weights, self.allowed
        drawn = had = ""
        if weights.trained:
            trained = (
                weights.pretrained.config if weights.pretrained is not None else self.scene.switches.config
            )
            causal = np.tri(len(allowed), dtype=bool)
            own = mask_of(trained, len(allowed))
            if not np.array_equal(allowed, own):
                drawn = "the causal mask" if np.array_equal(allowed, causal) else "another mask"
                had = f"the {trained.mask} mask"
        label = self.scene.switches.ablated_too(drawn, had)
        return (Text(label),) if label else ()

    @property
    def flipped(self) -> list[tuple[int, int]]:
        """The cells flipped by hand, as (query, key)."""
        return self.mask.within(len(self.scene.words))


def painted_over(scene: Scene, mask: PaintedMask) -> Painting:
    """The scene under a mask. Raises UnavailableError where there is no model."""
    return Painting(scene, mask, _reading(scene.words, scene.switches, mask))


@remembered()
def _reading(words: tuple[str, ...], switches: Architecture, mask: PaintedMask) -> WholeReading:
    return read_painted(loaded(words, switches), mask)
