"""Gradients: how much a word that was read long ago still matters, and what becomes of the way back to it."""

from pages.gradients_views import PAGE
from pages.shell import show

show(PAGE)
