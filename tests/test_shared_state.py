"""Functions that change module-level state are listed, with the reason: visitors share that state.

A visitor's own state is in their session (`st.session_state`) or in the link. A list or a mapping of a
module that a function fills would show one visitor's sentence, refusal or measurement to the next.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.covering import each
from tests.trees import nodes, tree

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / "app.py",
    *(
        path
        for one in ("access", "core", "viz", "pages", "rooms")
        for path in sorted((ROOT / one).rglob("*.py"))
    ),
]

SHARED = {
    "core/priority.py:_answers": "an object for each run that answers, without anything of it",
    "core/priority.py:_mine": "of one thread",
    "core/device.py:os": "a setting of Apple's GPU, made before torch is loaded",
    "core/model/initialisation.py:_own": "of one thread",
    "viz/layout/figure_cache.py:_recall": "where figures are kept, which the app says once",
    "core/sources/source.py:_registered": "visitors' own models by keys that nobody can guess",
    "core/sources/pretrained.py:_vocabularies": "what the folders say",
    "core/pretrained/library.py:_kept": "models that are in memory",
    "core/pretrained/library.py:_checked": "what each folder says, in a line",
    "app.py:RUNS": "what runs each page, the same for all",
    "pages/contract/caching.py:_progress": "what shows that something is computed, which the shell says once",
    "pages/data/links.py:Link.parameters": "an empty one, which nothing fills",
    "pages/browser/screen/__init__.py:_looks": "widths by the column that they are of, which is of one run",
}
"""State that all visitors share on purpose, with the reason."""

OWN = ("session_state", "query_params")
"""Attributes of `st` that belong to one visitor."""

LISTS = "append extend insert remove pop popitem popleft appendleft clear sort reverse"
SETS = "add discard update setdefault move_to_end subtract rotate intersection_update difference_update"
CHANGES = {*LISTS.split(), *SETS.split(), "symmetric_difference_update", "__setitem__", "__delitem__"}
"""Methods that change a list, a mapping or a set."""


def changed(tree: ast.Module, every: Sequence[ast.AST]) -> Iterator[str]:
    """Yield outside state that the functions of a module change, and lists that all objects share."""
    for one in every:
        if isinstance(one, ast.ClassDef):
            yield from (f"{one.name}.{name}" for name in _filled(one))
    bound = set(_bound(tree.body))
    if not any(isinstance(one, ast.Global) or bound & {*_targets(one)} for one in every):
        return  # most modules
    outside = bound - _makers(tree)
    for function in every:
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        inside = list(ast.walk(function))
        yield from (name for node in inside if isinstance(node, ast.Global) for name in node.names)
        found = [name for node in inside for name in _targets(node) if name in outside]
        if found:
            names = outside - _makers(tree) - _local(inside)
            yield from (name for name in found if name in names)


def _targets(node: ast.AST) -> Iterator[str]:
    """Yield the names of the objects that a statement or a call changes."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
        yield from (name for name in _root(node.func.value) if name != "np")  # np.add and its kin
    places: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        places = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        places = [node.target]
    for place in places:
        for part in place.elts if isinstance(place, ast.Tuple | ast.List) else [place]:
            if isinstance(part, ast.Subscript | ast.Attribute):
                yield from _root(part.value)


def _root(node: ast.expr) -> Iterator[str]:
    """Yield the first name of a chain of attributes, items and calls, unless it belongs to one visitor."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr in OWN:
            return
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


def _filled(one: ast.ClassDef) -> Iterator[str]:
    """Yield the lists, mappings and sets in the body of a class, which all its objects share."""
    for node in one.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, MUTABLE):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, MUTABLE):
            yield ast.unparse(node.target)


MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def _makers(tree: ast.Module) -> set[str]:
    """Return functions without a cache: their results belong to their callers."""
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not any("cache" in ast.unparse(one) for one in node.decorator_list)
        and not _sets_itself(node)
    }


def _sets_itself(function: ast.FunctionDef) -> bool:
    """Return whether a function stores something in an attribute of itself."""
    kept = (node.value for node in ast.walk(function) if isinstance(node, ast.Attribute))
    return any(isinstance(one, ast.Name) and one.id == function.name for one in kept)


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that the statements of a module, or of its conditions, define."""
    for node in body:
        for one in ast.walk(node) if not isinstance(node, ast.FunctionDef | ast.ClassDef) else ():
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _local(inside: list[ast.AST]) -> set[str]:
    """Return the local names of a function with these nodes: its arguments and its assignments."""
    own, declared = set(), set()
    for node in inside:
        if isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Global):
            declared.update(node.names)
    return own - declared


def test_shared_state_is_listed() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for path in FILES
        for name in changed(tree(path), nodes(path))
    }
    assert found == SHARED.keys()


@each(
    ("source", "expected"),
    [
        ("kept = {}\ndef f(name): kept[name] = 1", ["kept"]),
        ("kept: list[str] = []\ndef f(name): kept.append(name)", ["kept"]),
        ("kept = {}\ndef f(): kept.setdefault('a', []).append(1)", ["kept", "kept"]),
        ("from elsewhere import kept\ndef f(): del kept[0]", ["kept"]),
        ("kept = 1\ndef f():\n    global kept\n    kept += 1", ["kept"]),
        ("def f(): f.kept = 1", ["f"]),
        ("@cache\ndef kept(): return {}\ndef f(): kept()['a'] = 1", ["kept"]),
        ("kept = {}\ndef f(): a, kept['b'] = 1, 2", ["kept"]),
        ("kept = []\ng = lambda: kept.pop()", ["kept"]),
        ("class C:\n    kept = []\n    def f(self): self.kept.append(1)", ["C.kept"]),
        ("kept = {}\nkept['a'] = 1\ndef f(): return kept['a']", []),
        ("kept = []\ndef f():\n    kept = []\n    kept.append(1)", []),
        ("import streamlit as st\ndef f(): st.session_state['a'] = 1; del st.query_params['a']", []),
        ("def f(kept): kept.append(1)", []),
    ],
)
def test_changes_outside_a_function_are_found(source: str, expected: list[str]) -> None:
    module = ast.parse(source)
    assert list(changed(module, [*ast.walk(module)])) == expected
