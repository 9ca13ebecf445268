"""One head from words to output, a matrix at a time: its stages, changed entries, and what it is like."""

from core.measures.stages.bare import Bare, attend_bare
from core.measures.stages.change import CHANGEABLE, LARGEST_VALUE, MOST_CHANGES, Change, parse, spelt
from core.measures.stages.latex import calculation
from core.measures.stages.lookup import HARD, UNIFORM, Lookup, look_up
from core.measures.stages.small import SMALL_SOURCE, small
from core.measures.stages.stage import Grid, Operand, Stage, one_word
from core.measures.stages.symmetry import Symmetry, asymmetry, is_symmetric, symmetry
from core.measures.stages.walk import Walk, walk

__all__ = [
    "CHANGEABLE",
    "HARD",
    "LARGEST_VALUE",
    "MOST_CHANGES",
    "SMALL_SOURCE",
    "UNIFORM",
    "Bare",
    "Change",
    "Grid",
    "Lookup",
    "Operand",
    "Stage",
    "Symmetry",
    "Walk",
    "asymmetry",
    "attend_bare",
    "calculation",
    "is_symmetric",
    "look_up",
    "one_word",
    "parse",
    "small",
    "spelt",
    "symmetry",
    "walk",
]
