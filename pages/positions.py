"""Positions: what each scheme adds and where, the same sentence under all, and length extrapolation."""

from pages.positions_views import PAGE
from pages.shell import show

show(PAGE)
