"""The explorer: one sentence, one model, and what each word attends to, from overview to detail.

The views stand in the order of the row of views.

A new view is a new file with a function of a Scene, and a line here.
"""

from functools import partial

from core.text.tokenizer import MAX_WORDS
from pages.controls.sentence import PRAISED
from pages.controls.switches import NAMES
from pages.explorer.all_heads import all_heads
from pages.explorer.compare import compare
from pages.explorer.head_scores import head_scores
from pages.explorer.lines import lines
from pages.explorer.matrix import matrix
from pages.explorer.similarity import SENTENCE, similarity
from pages.explorer.stages import stages
from pages.shell import Page, View

LONG = 1024
"""Pieces of the longest text that the explorer shows, where the model has positions for them."""

OPENING_HEAD = 3
"""The head that opens, of layer 1: it finds *Zuko* again where the sentence is about to say it once more."""

_view = partial(
    View,
    sentence=PRAISED,
    defaults={"head": OPENING_HEAD},
    switches=NAMES,
    about="head",
    reads=True,
    own=True,
    real=True,
    most_pieces=LONG,
)

PAGE = Page(
    question="What does each word attend to?",
    views={
        "all heads": _view(draw=all_heads, merges=True),
        "matrix": _view(draw=matrix, merges=True),
        "lines": _view(draw=lines, merges=True, most_pieces=MAX_WORDS),
        "stages": _view(draw=stages),
        "compare": _view(draw=compare, merges=True),
        "head scores": _view(draw=head_scores),
        "similarity": View(
            draw=similarity,
            question="Which sentence is the most similar?",
            sentence=SENTENCE,
            switches=NAMES - {"seed", "window"},
            real=True,
            most_pieces=LONG,
        ),
    },
)
