"""Positions: what each scheme adds and where, the same sentence under all, and what lies beyond training."""

from pages.positions_views import PAGE
from pages.shell import show

show(PAGE)
