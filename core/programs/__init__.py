"""The programs below the views: each runs in the app's folder and prints the numbers of its view.

A program that teaches is a file of this package, which runs as it stands; `showing` gives it the constants of
a setting. For every other number `measure_program` writes how to load and call its measure, and shows the
source.
"""

from core.programs.calling import Call, measure_program
from core.programs.showing import render_program
from core.programs.subject import Subject

__all__ = ["Call", "Subject", "measure_program", "render_program"]
