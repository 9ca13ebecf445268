"""The explorer: one sentence, one model, and what each word attends to, from overview to detail."""

from pages.explorer_views import PAGE
from pages.shell import show

show(PAGE)
