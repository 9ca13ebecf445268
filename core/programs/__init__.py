"""Stand-alone PyTorch programs for what is on the screen: they import nothing of this app.

A program is written for the model, the sentence and the head looked at, and has only the lines that
these need. It prints the numbers that the page shows.
"""

from core.programs.forward import attention_of, attention_program
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import literal, program

__all__ = ["Subject", "attention_of", "attention_program", "literal", "printing_rows", "program"]
