"""Step by step: one head from words to output, a matrix at a time."""

from pages.shell import show
from pages.step_views import PAGE

show(PAGE)
