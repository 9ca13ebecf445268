"""Stand-alone PyTorch programs for what is on the screen. Only those that need the language import the app.

A program is written for the model, the sentence and the chosen head, and has only the lines that
these need. It prints the numbers that the page shows.
"""

from core.programs.forward import attention_of, attention_program
from core.programs.interaction import distance_program, serial_program
from core.programs.orders import orders_program
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import literal, program
from core.programs.training import training_program

__all__ = [
    "Subject",
    "attention_of",
    "attention_program",
    "distance_program",
    "literal",
    "orders_program",
    "printing_rows",
    "program",
    "serial_program",
    "training_program",
]
