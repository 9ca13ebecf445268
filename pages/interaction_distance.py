"""Interaction distance: operations between two words, and how far networks really reach."""

from pages.interaction_views import PAGE
from pages.shell import show

show(PAGE)
