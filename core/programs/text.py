"""Programs as text: paragraphs of Python, in which typed words stay words."""

import ast
import sys
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from itertools import groupby
from textwrap import indent
from typing import Any

LINE = 100
"""Greatest number of columns of a list of words in one line."""

_DEFINING = ("def ", "class ", "@")


def program(title: str, *paragraphs: str) -> str:
    """Return a program with `title`, the app's own text, as its docstring, and its paragraphs."""
    text = f'"""{title}"""'
    for one in filter(None, (paragraph.strip("\n") for paragraph in paragraphs)):
        first = one.lstrip("#").splitlines()[0]
        alone = first.startswith(_DEFINING) or _ends_in_definition(text)
        text += ("\n\n\n" if alone else "\n\n") + one
    return text + "\n"


def _ends_in_definition(text: str) -> bool:
    outermost = [line for line in text.splitlines() if line[:1] not in ("", " ", ")", "]", "}")]
    return outermost[-1].startswith(_DEFINING)


def literal(name: str, values: object) -> str:
    """Return `name = values`, escaped as ASCII except letters and signs: no word can end its quotes."""
    if is_dataclass(values) and not isinstance(values, type):
        given = "".join(f"    {field}={value!r},\n" for field, value in differing(values).items())
        return f"{name} = {type(values).__name__}(\n{given})"
    line = f"{name} = {values!r}"
    if len(line) <= LINE or not isinstance(values, list | tuple | dict):
        return line
    if isinstance(values, dict):
        items = (literal(repr(key), value).replace(" = ", ": ", 1) for key, value in values.items())
        return f"{name} = {{\n" + "".join(f"{indent(item, '    ')},\n" for item in items) + "}"
    if any(isinstance(value, list) for value in values):
        rows = "".join(f"    {value!r},\n" for value in values)
        return f"{name} = [\n{rows}]"
    lines, row = [], "   "
    for value in values:
        item = f" {value!r},"
        if len(row) + len(item) > LINE:
            lines.append(row)
            row = "   "
        row += item
    opening, closing = "()" if isinstance(values, tuple) else "[]"
    return "\n".join([f"{name} = {opening}", *lines, row, closing])


def imports_of(tree: ast.Module) -> dict[str, str]:
    """Return the import statement of every name that a module imports."""
    found = {}
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else []:
            name = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
            begins = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
            found[alias.asname or alias.name.partition(".")[0]] = f"{begins}import {name}"
    return found


def sorted_imports(statements: Iterable[str]) -> str:
    """Return sorted imports: the standard library, other libraries, the app's core."""
    names: dict[str, set[str]] = {}
    for statement in statements:
        module, _, name = statement.partition(" import ") if statement[0] == "f" else (statement, "", "")
        names.setdefault(module, set()).update({name} - {""})
    groups = groupby(sorted(names, key=_place), key=lambda module: _place(module)[0])
    return "\n\n".join("\n".join(_imported(one, names[one]) for one in group) for _, group in groups)


def _place(module: str) -> tuple[int, bool, str]:
    """Return the sort key of an import: its group, modules before names, then its name."""
    path = module.split()[1]
    root = path.partition(".")[0]
    group = 2 if root == "core" else 0 if root in sys.stdlib_module_names else 1
    return group, module.startswith("from "), path


def _imported(module: str, names: set[str]) -> str:
    if not names:
        return module
    ordered = sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
    line = f"{module} import {', '.join(ordered)}"
    return line if len(line) <= LINE else f"{module} import (\n    " + ",\n    ".join(ordered) + ",\n)"


def differing(value: Any) -> dict[str, Any]:
    """Return the fields that a dataclass needs to be constructed with."""
    given = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    usual = {field.name for field in fields(value) if field.default is not MISSING}
    usual |= {field.name for field in fields(value) if field.default_factory is not MISSING}
    for name in [name for name in given if name in usual]:
        less = {other: one for other, one in given.items() if other != name}
        try:
            given = less if type(value)(**less) == value else given
        except ValueError:  # a constructor may refuse one field without another
            continue
    return given
