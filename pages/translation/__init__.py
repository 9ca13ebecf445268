"""Translation: a sentence on its way into another language, word by word.

The views stand in the order of the row of views.
"""

from pages.shell import Page
from pages.translation import (
    alignment_for_free,
    bottleneck,
    cross_attention,
    forcing,
    knock_out,
    translate,
)
from pages.translation.translator import choose_translator

PAGE = Page(
    question="How does a sentence get from one language into another?",
    views={
        "translate": translate.VIEW,
        "cross-attention": cross_attention.VIEW,
        "bottleneck": bottleneck.VIEW,
        "alignment for free": alignment_for_free.VIEW,
        "teacher forcing": forcing.VIEW,
        "knock out": knock_out.VIEW,
    },
    choose=choose_translator,
)
