"""Architectures: whole models drawn as they compute, and what every part of them computed."""

from pages.architectures_views import PAGE
from pages.shell import show

show(PAGE)
