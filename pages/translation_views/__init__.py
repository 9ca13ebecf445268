"""The views of the page Translation, in the order of the row of views."""

from functools import partial

from pages.shell import Page, View
from pages.translation_views.translate import translate
from pages.translation_views.translator import TRANSLATOR, choose_translator

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

_one = partial(View, sentence=KEY, examples=EXAMPLES, switches=frozenset({TRANSLATOR}))

PAGE = Page(
    question="How does a sentence get from one language into another?",
    views={"translate": _one(draw=translate)},
    choose=choose_translator,
)
