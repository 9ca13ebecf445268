"""The views of the page Heads, in the order of the row of views."""

from functools import partial

from pages.controls.sentence import MARIA
from pages.controls.switches import WITHOUT_WINDOW
from pages.heads_views.one_and_many import one_and_many
from pages.heads_views.rank import rank
from pages.heads_views.reshape import reshape
from pages.heads_views.three_kinds import three_kinds
from pages.heads_views.two_things import two_things
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
