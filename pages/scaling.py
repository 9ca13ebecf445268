"""Scaling: why scores are divided by the root of their dimensions, and by which where heads share them."""

from pages.scaling_views import PAGE
from pages.shell import show

show(PAGE)
