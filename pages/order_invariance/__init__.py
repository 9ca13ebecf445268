"""Order invariance: the same words in two orders, and which Transformers can distinguish them."""

from pages.contract.view import Page
from pages.order_invariance import two_orders, who_did_what

PAGE = Page(
    question="Does a Transformer notice when words change places?",
    views={
        "two orders": two_orders.two_orders,
        "who did what to whom": who_did_what.who_did_what_to_whom,
    },
)
