"""Heads: what several of them see that one cannot, what they cost, and how they share one matrix.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import MARIA
from pages.controls.switches import WITHOUT_WINDOW
from pages.heads.one_and_many import one_and_many
from pages.heads.rank import rank
from pages.heads.reshape import reshape
from pages.heads.three_kinds import three_kinds
from pages.heads.two_things import two_things
from pages.shell import Page, View

OF_MATRICES = frozenset({"model", "seed", "positions", "mask", "heads", "norm"})
"""The switches of views that look at queries, keys and values."""

_of_matrices = partial(View, sentence=MARIA, switches=OF_MATRICES, about="layer")

PAGE = Page(
    question="Why several heads instead of one?",
    views={
        "two things": View(draw=two_things),
        "one and many": View(draw=one_and_many, sentence=MARIA, switches=WITHOUT_WINDOW, about="head"),
        "three kinds": View(draw=three_kinds, switches=frozenset({"heads"})),
        "reshape": _of_matrices(draw=reshape, reads=True),
        "rank": _of_matrices(draw=rank),
    },
    formerly="about",
    former_names={
        "learned_table": "two_things_learned_table",
        "learning_table": "two_things_learning_table",
        "of": "ranked",
        "part": "vectors",
        "form": "shape",
    },
)
