"""Order invariance: the same words in two orders, and which Transformers can tell them apart.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import BREAD, OVEN
from pages.controls.switches import WITHOUT_WINDOW
from pages.order_invariance.exchange import who_did_it
from pages.order_invariance.pictures import chosen_word, every_setting
from pages.shell import Page, View

_view = partial(
    View,
    sentence=OVEN,
    other=BREAD,
    switches=WITHOUT_WINDOW,
    defaults={"positions": "none", "mask": "bidirectional"},
)

PAGE = Page(
    question="Does a Transformer notice when words change places?",
    views={
        "one word": _view(draw=chosen_word, real=True),
        "every setting": _view(draw=every_setting),
        # Trained models alone answer, and only those that the collection has: the other switches do nothing.
        "who did what to whom": _view(
            draw=who_did_it, switches=frozenset({"positions", "mask", "heads", "norm"})
        ),
    },
)
