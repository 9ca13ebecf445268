"""Training: the combination of the switches is trained here and now, and its attention comes about."""

from pages.shell import show
from pages.training_views import PAGE

show(PAGE)
