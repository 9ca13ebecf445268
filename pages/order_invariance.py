"""Order invariance: the same words in two orders, and which Transformers can tell them apart."""

from pages.order_views import PAGE
from pages.shell import show

show(PAGE)
