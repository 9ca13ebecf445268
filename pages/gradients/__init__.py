"""Gradients: how much a word that was read long ago still matters, and what becomes of the way back to it.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.gradients.clipping import clipping
from pages.gradients.distance import distance
from pages.gradients.gates import gates
from pages.gradients.jacobians import jacobians
from pages.shell import Page, View

KEYS = "the keys that the gardeners near the river sold to the chef are heavy ."

OF_THE_TRANSFORMER = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer that is measured; it is causal, for so are the others."""

_reads = partial(View, sentence=KEYS, one_model=False)

PAGE = Page(
    question="How much does a word from long ago still matter?",
    views={
        "distance": _reads(draw=distance, switches=OF_THE_TRANSFORMER | {"seed"}),
        "Jacobians": _reads(
            draw=jacobians, about="layer", question="Why do gradients vanish, and when do they explode?"
        ),
        "gates": _reads(
            draw=gates,
            about="layer",
            defaults={"layer": 2},
            question="What does an LSTM keep from word to word?",
        ),
        "clipping": View(draw=clipping, question="What does clipping mend, and what not?"),
    },
)
