"""Heads: what several of them see that one cannot, what they cost, and how they share one matrix."""

from pages.heads_views import PAGE
from pages.shell import show

show(PAGE)
