"""One head from words to output, a matrix at a time: its stages, changed entries, and what it is like."""

from core.measures.stages.change import CHANGEABLE, LARGEST_VALUE, MOST_CHANGES, Change, parse, spelt
from core.measures.stages.latex import calculation
from core.measures.stages.lookup import HARD, UNIFORM, Lookup, look_up
from core.measures.stages.matrices import (
    CHOICES,
    NONE,
    THREE,
    TIED,
    Comparison,
    Matrices,
    asymmetry,
    compare,
    is_symmetric,
    least_symmetric_pair,
)
from core.measures.stages.small import SMALL_SOURCE, small
from core.measures.stages.stage import Grid, Operand, Stage, one_word
from core.measures.stages.walk import Walk, walk

__all__ = [
    "CHANGEABLE",
    "CHOICES",
    "HARD",
    "LARGEST_VALUE",
    "MOST_CHANGES",
    "NONE",
    "SMALL_SOURCE",
    "THREE",
    "TIED",
    "UNIFORM",
    "Change",
    "Comparison",
    "Grid",
    "Lookup",
    "Matrices",
    "Operand",
    "Stage",
    "Walk",
    "asymmetry",
    "calculation",
    "compare",
    "is_symmetric",
    "least_symmetric_pair",
    "look_up",
    "one_word",
    "parse",
    "small",
    "spelt",
    "walk",
]
