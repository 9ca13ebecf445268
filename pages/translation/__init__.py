"""Translation: a sentence on its way into another language, word by word.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.shell import Page, View
from pages.translation.alignment_for_free import alignment_for_free
from pages.translation.attention import cross_attention
from pages.translation.bottleneck import bottleneck
from pages.translation.forcing import teacher_forcing
from pages.translation.knock_out import knock_out
from pages.translation.translate import translate
from pages.translation.translator import TRANSLATOR, choose_translator

KEY = "the key that the gardeners sold is heavy ."
"""Its verb comes first in the translation, and its adjective agrees with a noun eight words before."""

EXAMPLES = (
    KEY,
    "the chef gave the student a key .",
    "mina lost her lamp but zuko found it .",
    "near the river , the dog sleeps .",
    "So why are we not reducing our emissions?",
    "the chef who likes the teacher who lost the key is tired .",
)

_several = partial(View, sentence=KEY, examples=EXAMPLES)
_one = partial(_several, switches=frozenset({TRANSLATOR}))

PAGE = Page(
    question="How does a sentence get from one language into another?",
    views={
        "translate": _one(draw=translate),
        "cross-attention": _one(draw=cross_attention, about="head", defaults={"layer": 2}, real=True),
        "bottleneck": _several(draw=bottleneck, question="What fits into one vector?"),
        "alignment for free": _several(
            draw=alignment_for_free, question="Who taught attention which words belong together?"
        ),
        "teacher forcing": _one(draw=teacher_forcing),
        "knock out": _one(draw=knock_out),
    },
    choose=choose_translator,
    former_names={"vector_table": "fixed_vector_table"},
)
