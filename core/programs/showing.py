"""A program file as a page shows it: with other constants, and without the lines that they skip."""

import ast
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import dedent, indent

from core.programs.text import imports_of, literal, program, sorted_imports

_FOLDER = Path(__file__).parent
_INHERITED = re.compile(r"^from core\.programs\.(\w+) import (?:\([^)]*\)|[^(\n]+)\n", re.MULTILINE)


def render_program(name: str, title: str, lines: Mapping[str, str] | None = None, **constants: object) -> str:
    """Return the program in `name`.py with these constants and `title` as its docstring.

    Branches that the constants rule out and unused names are dropped. `lines` maps a condition to the code
    that replaces the body of that `if`. Imported program files are inlined.
    """
    text = _replaced(_whole(name), constants, lines or {})
    while edits := [*_outermost(_folds(text))]:
        text = _edited(text, edits)
    return _laid_out(title, _edited(text, [*_unused(text)]))


@cache
def _whole(name: str) -> str:
    """Return a program file's text, with the program file that it imports from in place of the import."""
    text = re.sub("  # type: ignore.*", "", (_FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    if (found := _INHERITED.search(text)) is None:
        return text
    inherited = _whole(found[1])
    without_printing = inherited.partition('\nif __name__ == "__main__":')[0]
    return f"{without_printing}\n\n{text.replace(found[0], '')}"


Edit = tuple[int, int, str]
"""A replacement in a text: start, end (exclusive) and the new text."""


class _Source:
    """A text with its syntax tree and positions in it."""

    def __init__(self, text: str) -> None:
        self.text, self.tree = text, ast.parse(text)
        self.lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line))

    def line(self, number: int) -> int:
        """Return where the line of this number, counted from 1, starts."""
        return self._starts[number - 1]

    def place(self, line: int, column: int) -> int:
        """Return the index in the text of a byte of a line."""
        return self.line(line) + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end = self.place(_end(node), node.end_col_offset or 0)
        return self.place(node.lineno, node.col_offset), end

    def body(self, node: ast.If) -> tuple[int, int]:
        """Return the lines of a branch that run if its condition holds."""
        return self.line(node.lineno + 1), self.line(_end(node.body[-1]) + 1)

    def whole_lines(self, node: ast.stmt) -> tuple[int, int]:
        """Return the lines of a statement, with the comments above it."""
        first = node.lineno
        while first > 1 and self.lines[first - 2].lstrip().startswith("#"):
            first -= 1
        return self.line(first), self.line(_end(node) + 1)


def _end(node: ast.expr | ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _edited(text: str, edits: list[Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _outermost(edits: Iterator[Edit]) -> Iterator[Edit]:
    """Yield the edits that are not inside another."""
    reached = -1
    for edit in sorted(edits, key=lambda one: (one[0], -one[1])):
        if edit[0] >= reached:
            reached = edit[1]
            yield edit


def _replaced(text: str, constants: Mapping[str, object], lines: Mapping[str, str]) -> str:
    """Return the text with other values of constants, all of which must exist, and other lines."""
    source, edits, missing = _Source(text), [], set(constants)
    for branch in ast.walk(source.tree):
        if isinstance(branch, ast.If) and (own := lines.get(ast.unparse(branch.test))):
            margin = " " * branch.body[0].col_offset
            edits.append((*source.body(branch), indent(dedent(own).strip("\n"), margin) + "\n"))
    for name, node in _assigned(source.tree):
        if name in missing:
            missing.remove(name)
            edits.append((*source.span(node), literal(name, constants[name])))
    assert not missing, f"there are no constants {missing}"
    return _edited(text, edits)


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Yield every single name that is assigned at the top level."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                yield target.id, node


def _constants(tree: ast.Module) -> dict[str, object]:
    """Return the values of names that are assigned a literal."""
    found: dict[str, object] = {"__name__": "__main__"}
    for name, node in _assigned(tree):
        try:
            assert node.value is not None
            found[name] = ast.literal_eval(node.value)
        except ValueError:
            continue
    return found


class _UndecidedError(Exception):
    """A condition that is known only when the program runs."""


def _value(node: ast.expr, constants: Mapping[str, object]) -> object:
    """Return the value of a condition of constants; raises `_UndecidedError` for any other."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in constants:
            return constants[node.id]
        case ast.Tuple():
            return tuple(_value(one, constants) for one in node.elts)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, constants)
        case ast.BoolOp():
            every = [bool(_value(one, constants)) for one in node.values]
            return all(every) if isinstance(node.op, ast.And) else any(every)
        case ast.Compare(ops=[op], comparators=[right]):
            a, b = _value(node.left, constants), _value(right, constants)
            match op:
                case ast.Eq():
                    return a == b
                case ast.NotEq():
                    return a != b
                case ast.Lt() if isinstance(a, int) and isinstance(b, int):
                    return a < b
                case ast.GtE() if isinstance(a, int) and isinstance(b, int):
                    return a >= b
                case ast.In() if isinstance(b, tuple):
                    return a in b
                case ast.NotIn() if isinstance(b, tuple):
                    return a not in b
    raise _UndecidedError


def _folds(text: str) -> Iterator[Edit]:
    """Yield the remainder of every branch that constants decide."""
    source = _Source(text)
    constants = _constants(source.tree)
    for node in _branching(source):
        try:
            if isinstance(node, ast.IfExp):
                chosen = node.body if _value(node.test, constants) else node.orelse
                yield (*source.span(node), text[slice(*source.span(chosen))])
            elif isinstance(node, ast.If):
                yield _folded(source, node, is_true=bool(_value(node.test, constants)))
            elif isinstance(node, ast.FunctionDef):
                yield from _after_return(source, node)
        except _UndecidedError:
            continue


def _branching(source: _Source) -> Iterator[ast.AST]:
    """Yield all nodes on lines with an `if` or a `def`, which include every branch and function."""
    places = [at for at, line in enumerate(source.lines, start=1) if "if" in line or "def" in line]
    waiting: list[ast.AST] = [source.tree]
    while waiting:
        node = waiting.pop()
        yield node
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.stmt):
                first = bisect_left(places, child.lineno)
                if first == bisect_right(places, _end(child)):
                    continue
            waiting.append(child)


def _folded(source: _Source, node: ast.If, *, is_true: bool) -> Edit:
    """Return the edit that replaces an `if` by the lines that run."""
    start, end = source.line(node.lineno), source.line(_end(node) + 1)
    margin = " " * node.col_offset
    if is_true:
        left = indent(dedent(source.text[slice(*source.body(node))]).strip("\n"), margin)
        return start, end, left + "\n"
    if not node.orelse:
        return *source.whole_lines(node)[:1], end, ""
    after = source.lines[_end(node.body[-1]) : _end(node)]
    at = next(at for at, line in enumerate(after) if line.startswith((f"{margin}else:", f"{margin}elif ")))
    rest = "".join(after[at + 1 :])
    if after[at].startswith(f"{margin}elif "):
        return start, end, after[at].replace("elif", "if", 1) + rest
    return start, end, indent(dedent(rest).strip("\n"), margin) + "\n"


def _after_return(source: _Source, function: ast.FunctionDef) -> Iterator[Edit]:
    """Yield the edits that remove lines after a return."""
    for node in function.body[:-1]:
        if isinstance(node, ast.Return):
            yield source.line(_end(node) + 1), source.line(_end(function) + 1), ""
            return


def _unused(text: str) -> Iterator[Edit]:
    """Yield the edits that remove names that are used by nothing, or only by unused code."""
    source = _Source(text)
    every = [(statement, _bound(statement), _mentioned(statement)) for statement in source.tree.body]
    left, n_before = every, -1
    while len(left) != n_before:
        n_before = len(left)
        counts = Counter(chain.from_iterable(mentioned for _, _, mentioned in left))
        left = [
            (statement, names, mentioned)
            for statement, names, mentioned in left
            if not names or any(counts[name] > (name in mentioned) for name in names)
        ]
    used = {statement for statement, _, _ in left}
    for statement, _, _ in every:
        if statement not in used:
            yield (*source.whole_lines(statement), "")


def _mentioned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads, without the variables of a function."""
    nodes = [*ast.walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    if isinstance(statement, ast.FunctionDef):
        own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names if isinstance(node.ctx, ast.Load)} - own


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names bound by a statement that does nothing else; none for any other statement."""
    match statement:
        case ast.FunctionDef() | ast.ClassDef():
            return {statement.name}
        case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
            return {target.id}
        case ast.Assign(targets=[ast.Tuple() as target]):
            return {one.id for one in target.elts if isinstance(one, ast.Name)}
    return set()


def _laid_out(title: str, text: str) -> str:
    """Return the title, all imports, the constants, and then the rest in its order."""
    source = _Source(text)
    constants, rest, end, literals = [], "", 0, _constants(source.tree)
    mentioned = set().union(*map(_mentioned, source.tree.body))
    imports = [line for name, line in imports_of(source.tree).items() if name in mentioned]
    for statement in source.tree.body:
        first, last = source.whole_lines(statement)
        chunk = source.text[first:last].rstrip("\n")
        empty = "\n" in source.text[end:first]
        end = last
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if is_docstring or isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        if len(names := _bound(statement)) == 1 and names <= literals.keys():
            constants.append(chunk)
        else:
            rest += ("\n\n" if empty else "\n") * bool(rest) + chunk
    return program(title, sorted_imports(imports), "\n".join(constants), *_paragraphs(rest))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield functions, and the lines between them."""
    block: list[str] = []
    for chunk in re.split(r"\n\n+(?=\S)", text):
        if chunk.startswith("def ") or (block and block[-1].startswith("def ")):
            yield "\n\n".join(block)
            block = []
        block.append(re.sub(r"\n\n+", "\n\n", chunk))
    yield "\n\n".join(block)
