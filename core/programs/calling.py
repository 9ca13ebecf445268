"""Programs that load a measure's arguments, call it and print the result, below its source."""

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, partial
from textwrap import indent
from types import BuiltinFunctionType, FunctionType
from typing import Any

from core.programs.report import report
from core.programs.text import LINE, differing, imports_of, literal, program, sorted_imports


class Call:
    """A call in a program; `part` is the part of the result that it uses, such as `.model`."""

    def __init__(self, function: Callable[..., Any], /, *given: Any, part: str = "", **named: Any) -> None:
        self.function, self.part = function, part
        self.bound = inspect.signature(function).bind(*given, **named)


def measure_program(
    title: str,
    measure: Callable[..., Any],
    /,
    *given: Any,
    shows: Sequence[str] = (),
    then: Sequence[Call] = (),
    **named: Any,
) -> str:
    """Return a program that shows the source of `measure`, calls it and prints the result.

    The program first makes arguments that are `Call`s. It prints the parts in `shows`, such as `.weights`, or
    all, then the results of the calls in `then`; rows have the words at their left.
    """
    writer = _Writer()
    found = writer.call(Call(measure, *given, **named))
    more = [*map(writer.call, then)]
    labels = ", words" * ("words" in writer.variables)
    writer.name(report)
    own = f"from {measure.__module__} import {measure.__name__}"
    source, needed = _source_of(measure)
    lines = [
        *(f"{name} = {code}" for name, code in writer.variables.items()),
        f"found = {found}",
        *([f"report(found{one}{labels})" for one in shows or [""]]),
        *(f"report({one}{labels})" for one in more),
    ]
    return program(title, sorted_imports(needed | writer.imports - {own}), *source, "\n".join(lines))


@cache
def _source_of(measure: Callable[..., Any]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the source of a measure with the private functions that it needs, and their imports."""
    module = inspect.getmodule(inspect.unwrap(measure))
    assert module is not None
    imports = imports_of(ast.parse(inspect.getsource(module)))
    sources: dict[str, str] = {}
    missing, needed = [measure.__name__], set()
    while missing:
        own = missing.pop()
        sources[own] = inspect.getsource(vars(module)[own]).strip()
        names = {node.id for node in ast.walk(ast.parse(sources[own])) if isinstance(node, ast.Name)}
        for name in names & vars(module).keys() - sources.keys():
            if name in imports:
                needed.add(imports[name])
            elif name.startswith("_") and inspect.isfunction(vars(module)[name]):
                missing.append(name)
            elif not hasattr(builtins, name):
                needed.add(f"from {module.__name__} import {name}")
    order = sorted(sources, key=lambda name: inspect.getsourcelines(vars(module)[name])[1])
    return tuple(sources[name] for name in order), frozenset(needed)


class _Writer:
    """A writer of values as code; a long value, or the result of a call, is a variable."""

    def __init__(self) -> None:
        self.imports: frozenset[str] = frozenset()
        self.variables: dict[str, str] = {}

    def name(self, thing: Callable[..., Any]) -> str:
        self.imports |= {f"from {thing.__module__} import {thing.__name__}"}
        return thing.__name__

    def call(self, call: Call) -> str:
        given: list[str] = []
        for at, (name, value) in enumerate(call.bound.arguments.items()):
            parameter = call.bound.signature.parameters[name]
            if value is parameter.default:
                continue
            written = self._variable(name, value)
            keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY or at > len(given)
            given.append(f"{name}={written}" if keyword else written)
        return self._bracketed("()", given, before=self.name(call.function)) + call.part

    def _variable(self, name: str, value: Any) -> str:
        """Return a plain value as code, and any other as the variable that holds it."""
        code = self._code(value)
        if isinstance(value, type) or not (
            isinstance(value, Call | tuple | list | Mapping) or is_dataclass(value)
        ):
            return code
        for known, other in self.variables.items():
            if other == code:
                return known
        own = name if name not in self.variables else f"{name}_{len(self.variables)}"
        self.variables[own] = code
        return own

    def _code(self, value: Any) -> str:
        match value:
            case Call():
                return self.call(value)
            case type() | FunctionType() | BuiltinFunctionType():
                return self.name(value)
            case tuple() | list() if all(isinstance(one, str | int) for one in value):
                return literal("", value).removeprefix(" = ")
            case tuple() | list():
                ends = "()" if isinstance(value, tuple) else "[]"
                return self._bracketed(ends, map(self._code, value))
            case Mapping():
                items = (f"{self._code(key)}: {self._code(one)}" for key, one in value.items())
                return self._bracketed("{}", items)
            case _ if is_dataclass(value):
                given = (f"{name}={self._code(one)}" for name, one in differing(value).items())
                return self._bracketed("()", given, before=self.name(type(value)))
            case partial():
                self.imports |= {"from functools import partial"}
                fixed = [f"{name}={self._variable(name, one)}" for name, one in value.keywords.items()]
                return self._bracketed("()", [self.name(value.func), *fixed], before="partial")
            case frozenset():
                return f"frozenset({sorted(value, key=repr)!r})"
            case float() if value in (float("inf"), float("-inf")):
                return f'float("{value}")'
        return repr(value)

    def _bracketed(self, ends: str, items: Iterable[str], before: str = "") -> str:
        """Return items in brackets, one per line if one line is too short."""
        listed = [*items]
        flat = ", ".join(listed) + "," * (ends == "()" and not before and len(listed) == 1)
        if len(flat) > LINE - 20 or "\n" in flat:
            flat = "\n" + "".join(f"{indent(one, '    ')},\n" for one in listed)
        return f"{before}{ends[0]}{flat}{ends[1]}"
