"""Programs as text: paragraphs of Python, and typed words that stay words in them."""

from textwrap import dedent

LINE = 100
"""Columns after which a list of words goes on in the next line."""


def program(title: str, *paragraphs: str) -> str:
    """A program with `title` as its docstring; empty paragraphs are left out.

    `title` is the app's own: text that somebody typed comes in by `literal` alone.
    """
    parts = (f'"""{title}"""', *(paragraph(one) for one in paragraphs))
    return "\n\n".join(part for part in parts if part) + "\n"


def paragraph(text: str) -> str:
    """Lines of a program without the indentation they have in ours."""
    return dedent(text).strip("\n")


def literal(name: str, values: object) -> str:
    """`name = values`, in several lines where they do not fit one.

    Everything that is not plain ASCII is escaped but letters and signs, so that no word can end its quotes
    or steer what follows it.
    """
    line = f"{name} = {values!r}"
    if len(line) <= LINE or not isinstance(values, (list, tuple)):
        return line
    lines, row = [], "   "
    for value in values:
        item = f" {value!r},"
        if len(row) + len(item) > LINE:
            lines.append(row)
            row = "   "
        row += item
    return "\n".join([f"{name} = [", *lines, row, "]"])
