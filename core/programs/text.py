"""Programs as text: paragraphs of Python, and typed words that stay words in them."""

from textwrap import dedent, indent

DEFINES = "def "
"""How the definition of a function begins."""

LINE = 100
"""Columns after which a list of words goes on in the next line."""


def program(title: str, *paragraphs: str) -> str:
    """A program with `title` as its docstring; empty paragraphs are left out.

    `title` is the app's own: text that somebody typed comes in by `literal` alone.
    """
    return joined(f'"""{title}"""', *paragraphs) + "\n"


def joined(*paragraphs: str) -> str:
    """Paragraphs with an empty line between them, two around a function; empty ones are left out."""
    text = ""
    for one in filter(None, map(paragraph, paragraphs)):
        between = "\n\n\n" if one.startswith(DEFINES) or _ends_in_function(text) else "\n\n"
        text += between * bool(text) + one
    return text


def _ends_in_function(text: str) -> bool:
    """Whether the last line that is not indented is where a function begins."""
    outermost = [line for line in text.splitlines() if line[:1].strip()]
    return bool(outermost) and outermost[-1].startswith(DEFINES)


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


def function(signature: str, body: str) -> str:
    """A function with these lines as its body."""
    return f"def {signature}:\n{indent(body, '    ')}"
