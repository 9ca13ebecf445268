"""Order invariance: the same words in two orders, and which Transformers can tell them apart.

The views stand in the order of the row of views.
"""

from pages.order_invariance import every_setting, exchange, one_word
from pages.shell import Page

PAGE = Page(
    question="Does a Transformer notice when words change places?",
    views={
        "one word": one_word.VIEW,
        "every setting": every_setting.VIEW,
        "who did what to whom": exchange.VIEW,
    },
)
