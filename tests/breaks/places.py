"""The places where the project is broken: all that can matter, and an even sample of them."""

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from tests.breaks.kinds import changes

ROOT = Path(__file__).parents[2]
Item = TypeVar("Item", bound=Hashable)

LEFT_OUT = {"tests", "bench"}
"""Folders that no visitor uses."""

PIXELS = 8
"""Whole numbers of `viz` from here on are pixels, and fractions are lengths: one more is not visible."""

LOGS = {"log", "logger", "logging", "warnings"}
TUNING = {"check", "frozen", "indent", "max_entries", "maxsize", "seed", "stacklevel", "strict", "timeout"}
"""Arguments that guard or tune, and change no result."""

NOT_RUN = {"annotation", "returns", "decorator_list", "bases", "type_params"}
"""Fields of a syntax tree that compute nothing, or nothing that belongs to one place."""


@dataclass(frozen=True)
class Break:
    """One change of a file: its kind, the old text and the new text."""

    file: str
    kind: str
    name: str  # the function it is in, after its class; empty outside of any
    before: str
    after: str
    lines: range
    splice: tuple[int, int, str]  # the first byte that goes, the first that stays, and the text between

    def __str__(self) -> str:
        before, after = (" ".join(side.split())[:70] for side in (self.before, self.after))
        return f"{self.file}:{self.lines.start}  {before}  →  {after}"

    def broken(self, source: bytes) -> bytes:
        """Return the file with the change."""
        start, end, text = self.splice
        return source[:start] + text.encode() + source[end:]


def sources(root: Path) -> dict[str, Path]:
    """Return the modules that are broken, by their path below `root`."""
    paths = sorted([*root.glob("*.py"), *root.glob("[!.]*/**/*.py")])
    names = {path.relative_to(root): path for path in paths}
    return {name.as_posix(): path for name, path in names.items() if name.parts[0] not in LEFT_OUT}


def drawn(n: int, seed: int, root: Path = ROOT, under: str = "") -> list[Break]:
    """`n` breaks of files whose path begins with `under`: as many of each folder, and there of each kind.

    Chance is `seed` and the text of a break, so an edit leaves all breaks drawn that it does not touch.
    """
    files = [(name, path) for name, path in sources(root).items() if name.startswith(under)]
    found = [one for name, path in files for one in breaks(path.read_bytes(), name)]
    found.sort(
        key=lambda one: blake2b(f"{seed} {one.file} {one.name} {one.before} {one.after}".encode()).digest()
    )
    found = in_turn(found, lambda one: (Path(one.file).parent, one.kind))
    found = in_turn(found, lambda one: Path(one.file).parent)
    return sorted(found[:n], key=lambda one: (one.file, one.lines.start))


def in_turn(items: Iterable[Item], group: Callable[[Item], Hashable]) -> list[Item]:
    """Return the first item of each group, then the second of each, and so on."""
    rounds, taken = {}, Counter[Hashable]()
    for item in items:
        rounds[item] = taken[group(item)]
        taken[group(item)] += 1
    return sorted(rounds, key=rounds.__getitem__)


@dataclass(frozen=True)
class _Around:
    """The surroundings of a node."""

    file: str
    name: str = ""
    text: ast.JoinedStr | None = None  # parts of an f-string have no positions before Python 3.12


def breaks(source: bytes, file: str) -> Iterator[Break]:
    """Yield every break of a module; two that come to the same text are one."""
    lengths = [len(line) for line in source.splitlines(keepends=True)]
    seen = set()
    for node, around in _nodes(ast.parse(source), _Around(file)):
        for kind, old, new in changes(node):
            place = around.text or old
            text = ast.unparse(
                deepcopy(place, {id(old): new})
            )  # so that deepcopy puts the new node in place of `old`
            text = text if isinstance(place, ast.stmt | ast.Slice) else f"({text})"
            start = sum(lengths[: place.lineno - 1]) + place.col_offset
            end = sum(lengths[: place.end_lineno - 1]) + place.end_col_offset
            if (start, end, text) not in seen:
                lines = range(place.lineno, place.end_lineno + 1)
                both = (ast.unparse(old), ast.unparse(new))
                yield Break(file, kind, around.name, *both, lines, (start, end, text))
                seen.add((start, end, text))


def _nodes(node: ast.AST, around: _Around) -> Iterator[tuple[ast.AST, _Around]]:
    """Yield the nodes of a tree that matter, each with its surroundings."""
    if _cannot_matter(node, around):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        around = replace(around, name=f"{around.name}.{node.name}".lstrip("."))
    if isinstance(node, ast.JoinedStr) and around.text is None:
        around = replace(around, text=node)
    yield node, around
    for field, value in ast.iter_fields(node):
        for child in () if field in NOT_RUN else value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _nodes(child, around)


def _cannot_matter(node: ast.AST, around: _Around) -> bool:
    """Return whether no test could or should notice a change in `node`."""
    match node:
        case ast.Assert() | ast.If(ast.Name("TYPE_CHECKING") | ast.Compare(ast.Name("__name__"))):
            return True
        case ast.Assign([ast.Name("__all__")]):
            return True
        case ast.Assign(value=ast.Subscript() | ast.BinOp(op=ast.BitOr())):
            return not around.name  # the name of a type
        case ast.Call(ast.Attribute(ast.Name(name))):
            return name.strip("_").lower() in LOGS
        case ast.keyword(name):
            return name in TUNING
        case ast.Constant(int(value) | float(value)):
            return around.file.startswith("viz/") and (isinstance(value, float) or value >= PIXELS)
    return False
