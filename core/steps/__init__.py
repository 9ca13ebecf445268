"""One head from words to output, a matrix at a time: its stages, changed entries, and what it is like."""

from core.steps.bare import Bare, attend_bare
from core.steps.change import CHANGEABLE, LARGEST_VALUE, MOST_CHANGES, Change, parse, spelt
from core.steps.latex import calculation
from core.steps.lookup import HARD, UNIFORM, Lookup, look_up
from core.steps.small import SMALL_SOURCE, small
from core.steps.stage import Grid, Operand, Stage, one_word
from core.steps.symmetry import Symmetry, asymmetry, symmetry
from core.steps.walk import Walk, walk

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
    "look_up",
    "one_word",
    "parse",
    "small",
    "spelt",
    "symmetry",
    "walk",
]
