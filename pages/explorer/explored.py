"""What the views of the explorer that show one sentence have in common."""

from functools import partial

from pages.controls.examples import PRAISED
from pages.controls.switches import NAMES
from pages.shell import View

LONG = 1024
"""Pieces of the longest text that the explorer shows, where the model has positions for them."""

OPENING_HEAD = 3
"""The head that opens, of layer 1: it finds *Zuko* again where the sentence is about to say it once more."""

explored = partial(
    View,
    sentence=PRAISED,
    defaults={"head": OPENING_HEAD},
    switches=NAMES,
    about="head",
    own=True,
    pieces=LONG,
)
