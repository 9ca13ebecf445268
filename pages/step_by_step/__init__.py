"""Step by step: one head from words to output, a matrix at a time.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import TEA
from pages.controls.switches import WITHOUT_WINDOW
from pages.shell import Page, View
from pages.step_by_step.bare import without_parameters
from pages.step_by_step.lookup import soft_lookup
from pages.step_by_step.model import choose_model
from pages.step_by_step.one_head import one_head
from pages.step_by_step.symmetric import q_equals_k

_view = partial(View, sentence=TEA, about="head", switches=WITHOUT_WINDOW, real=True)

PAGE = Page(
    question="How does one head turn words into output?",
    views={
        "one head": _view(draw=one_head),
        "soft lookup": _view(draw=soft_lookup, question="In what sense is attention a look-up?"),
        "without parameters": View(
            draw=without_parameters,
            sentence=TEA,
            # Word vectors are all it reads: no other switch changes them.
            switches=frozenset({"model", "seed"}),
            question="Why have queries, keys and values at all?",
            real=True,
        ),
        "Q = K": _view(
            draw=q_equals_k,
            question="Do two words attend to each other equally?",
            switches=WITHOUT_WINDOW - {"mask"},  # its scores are those before the mask
        ),
    },
    choose=choose_model,
    formerly="part",
    former_names={"temperature": "sharpness"},
)
