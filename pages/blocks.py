"""Blocks: what stands around attention, and what each part of it is for."""

from pages.blocks_views import PAGE
from pages.shell import show

show(PAGE)
