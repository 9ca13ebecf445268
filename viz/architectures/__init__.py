"""Whole models as boxes and arrows: what is in them, what is inside a box, and what a box computed."""

from viz.architectures.layout import Box
from viz.architectures.model import Architecture

__all__ = ["Architecture", "Box"]
