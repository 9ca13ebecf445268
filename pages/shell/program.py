"""The program behind a view: what is on the screen, computed again in a few lines of PyTorch."""

from pages.contract.program import Program
from pages.controls.picture import linked_expander


def draw_program(program: Program) -> None:
    """Show the program below the view; it is written only when the reader opens it."""
    expander = linked_expander("Code", "code")
    if expander.open:
        expander.caption(f"Run it in the app's folder: it prints {program.prints}.")
        expander.code(program.write(), language="python")
