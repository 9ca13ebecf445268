"""The programs below the views: each runs in the app's folder and prints the numbers of its view.

A program that teaches is a file of this package, which runs as it stands; `showing` gives it the constants of
a setting. For every other number `calling` writes how to load and call its measure, and shows the source.
"""

from core.programs.calling import Call, calling
from core.programs.showing import shown
from core.programs.subject import Subject

__all__ = ["Call", "Subject", "calling", "shown"]
