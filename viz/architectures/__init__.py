"""Whole models as boxes and arrows: their parts, the inside of a box, and its results."""

from viz.architectures.layout import Box
from viz.architectures.model import Architecture

__all__ = ["Architecture", "Box"]
