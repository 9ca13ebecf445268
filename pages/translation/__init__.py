"""Translation: a sentence and its translation, word by word."""

from pages.contract.view import Page
from pages.translation import bottleneck, cross_attention, knock_out, translate
from pages.translation.translator import choose_translator

PAGE = Page(
    question="How does a sentence get from one language into another?",
    views={
        "translate": translate.translate,
        "cross-attention": cross_attention.cross_attention,
        "bottleneck": bottleneck.bottleneck,
        "knock out": knock_out.knock_out,
    },
    choose=choose_translator,
)
