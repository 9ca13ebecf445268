"""Settings shared by the explorer's views of one sentence."""

from dataclasses import replace
from typing import Any

from pages.contract.ask import Ask
from pages.contract.attention import ask_rows
from pages.contract.examples import PRAISED
from pages.contract.parameters import SWITCHES
from pages.contract.scene import Scene
from pages.contract.sheet import Program

LONG = 1024
"""Greatest number of pieces that the explorer shows, if the model has positions for them."""

OPENING_HEAD = 3
"""The head of layer 1 that opens: it finds the first *Zuko* where the sentence is about to repeat it."""

EXPLORED: dict[str, Any] = {
    "sentence": PRAISED,
    "defaults": {"head": OPENING_HEAD},
    "switches": SWITCHES,
    "about": "head",
    "own": True,
    "pieces": LONG,
}
"""Settings of these views."""


def with_rows(ask: Ask, scene: Scene) -> Scene:
    """Return the scene with the rows that a visitor asks for: pieces of a pretrained model, or words."""
    return scene if scene.pieces is None else replace(scene, rows=ask_rows(ask, scene.pieces))


def weights_program(scene: Scene) -> Program:
    """Return the program that prints the weights of the chosen head."""
    return Program(
        lambda: scene.subject.shown("forward", f"Attention weights of {scene.place}."),
        prints=f"the weights of {scene.place}",
    )
