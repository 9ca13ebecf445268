"""The kinds of breaks of an expression: the part that is removed, and its replacement."""

import ast
from collections.abc import Iterator
from copy import copy
from itertools import pairwise
from typing import Any

Change = tuple[str, ast.AST, ast.AST]
"""The kind of break, the removed node and the new one."""


def _both_ways(*pairs: tuple[Any, Any]) -> dict[Any, Any]:
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


OPERATORS = {ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult} | _both_ways(
    *[(ast.Lt, ast.Gt), (ast.LtE, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)],
    *[(ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or)],
)
NAMES = _both_ways(("min", "max"), ("any", "all"), ("argmin", "argmax"), ("amin", "amax"), ("tril", "triu"))
AXES = {-2: -1, -1: 0, 0: 1, 1: 0}

UNORDERED = {"cast", "getattr", "isclose", "isinstance", "issubclass", "max", "min"}
"""Functions that do the same with two arguments exchanged, or cannot be called like that at all."""

LARGEST, SMALLEST = 1000, 0.001
"""Larger whole numbers and smaller fractions are bounds: a slightly larger bound changes no result."""


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield all breaks of `node` itself, not of its children."""
    match node:
        case ast.Compare(ops=[op]):
            yield "comparison", node, _with(node, ops=[OPERATORS[type(op)]()])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS and not _joins(node):
            yield "operation", node, _with(node, op=OPERATORS[type(op)]())
        case ast.BoolOp(op=op):
            yield "boolean", node, _with(node, op=OPERATORS[type(op)]())
        case ast.UnaryOp(ast.Not(), operand):
            yield "boolean", node, operand
        case ast.Constant(bool(value)):
            yield "boolean", node, ast.Constant(not value)
        case ast.Constant(int(value)) if value < LARGEST:
            yield "constant", node, ast.Constant(value + 1)
        case ast.Constant(float(value)) if value > SMALLEST:
            yield "constant", node, ast.Constant(2 * value)
        case ast.IfExp(body=body, orelse=orelse):
            yield "arms", node, _with(node, body=orelse, orelse=body)
        case ast.If(ast.Name() | ast.Attribute() | ast.Call() as test):
            yield "arms", test, ast.UnaryOp(ast.Not(), test)
        case ast.Return(ast.Tuple(elements) as values):
            yield from (("return", values, _with(values, elts=one)) for one in _exchanged(elements))
        case ast.FunctionDef():
            yield from _returns(node)
        case ast.Name(name) if name in NAMES:
            yield "name", node, _with(node, id=NAMES[name])
        case ast.Attribute(attr=name) if name in NAMES:
            yield "name", node, _with(node, attr=NAMES[name])
        case ast.Attribute(value, "T" | "mT"):
            yield "axis", node, value
        case ast.keyword(
            "axis" | "dim", ast.Constant(int()) | ast.UnaryOp(ast.USub(), ast.Constant()) as axis
        ):
            yield "axis", axis, ast.Constant(AXES.get(ast.literal_eval(axis), -1))
        case ast.Subscript(slice=ast.Tuple(elements) as index):
            new = (_with(node, slice=_with(index, elts=one)) for one in _exchanged(elements))
            yield from (("axis", node, one) for one in new)
        case ast.Slice():
            for end in ("lower", "upper"):
                if isinstance(bound := getattr(node, end), ast.Name | ast.Attribute):
                    yield "slice", node, _with(node, **{end: ast.BinOp(bound, ast.Add(), ast.Constant(1))})
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), arguments, keywords) if (
            name not in UNORDERED
        ):
            yield from (("arguments", node, _with(node, args=one)) for one in _exchanged(arguments))
            for values in _exchanged([keyword.value for keyword in keywords]):
                new = [ast.keyword(old.arg, value) for old, value in zip(keywords, values, strict=True)]
                yield "arguments", node, _with(node, keywords=new)
        case ast.JoinedStr(parts):
            shown = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            yield from (("text", one, other) for one, other in _with_next(shown))


def _with(node: ast.AST, **fields: Any) -> Any:
    """Return a copy of a node with other fields."""
    changed = copy(node)
    vars(changed).update(fields)
    return changed


def _returns(function: ast.FunctionDef) -> Iterator[Change]:
    """Return a value in place of the one before it, if all its names are known there."""
    values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    assigned = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for one, other in _with_next(values):
        if not assigned & {node.id for node in ast.walk(other) if isinstance(node, ast.Name)}:
            yield "return", one, other


def _exchanged(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield `items` with two different neighbours of one kind exchanged: two names, two calls."""
    for at, (one, other) in enumerate(pairwise(items)):
        alike = type(one) is type(other) and not isinstance(one, ast.Constant | ast.Slice | ast.Starred)
        if alike and ast.dump(one) != ast.dump(other):
            yield [*items[:at], other, one, *items[at + 2 :]]


def _with_next(items: list[ast.expr]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each item with a different next one; after the last comes the first."""
    after = zip(items, items[1:] + items[:1], strict=True)
    yield from ((one, other) for one, other in after if ast.dump(one) != ast.dump(other))


def _joins(node: ast.BinOp | ast.AugAssign) -> bool:
    """Return whether it joins text or lists as they are written: another operation would fail by itself."""
    ends = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    texts = (end for end in ends if isinstance(end, ast.Constant) and isinstance(end.value, str))
    return any(texts) or any(
        isinstance(end, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) for end in ends
    )
