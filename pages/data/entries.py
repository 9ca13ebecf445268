"""Entries of data files: each table of a file becomes a dataclass; an error names the file and the entry."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pages.data.links import Link, read_link

FOLDER = Path(__file__).parent

E = TypeVar("E")


class DataError(ValueError):
    """Error for a wrong entry in a data file."""


def read_entries(kind: type[E] | Mapping[str, type[E]], name: str) -> dict[str, E]:
    """Return the entries of the file `name`, by their names and in its order.

    Each table becomes a `kind`, a dataclass: its first field is the name of the entry, and each other field
    has the value of the key with its name. If a file has entries of several kinds, `kind` names for each of
    them a key that only its entries have. Raises DataError for a wrong entry.
    """
    try:
        tables = tomllib.loads((FOLDER / name).read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name}: {error}") from error
    return {entry: _entry(kind, entry, table, file=name) for entry, table in tables.items()}


def _entry(kind: type[Any] | Mapping[str, type[Any]], entry: str, table: Any, *, file: str) -> Any:
    try:
        if not isinstance(table, dict):
            raise ValueError("an entry is a table")
        if not isinstance(kind, type):
            kinds = [one for key, one in kind.items() if key in table]
            if len(kinds) != 1:
                raise ValueError(f"an entry has one of {', '.join(kind)}")
            (kind,) = kinds
        return _made(kind, {fields(kind)[0].name: entry, **table})
    except (TypeError, ValueError) as error:
        raise DataError(f"{file}, {entry}: {error}") from error


def _made(kind: type[Any], table: Mapping[str, Any]) -> Any:
    types, values = get_type_hints(kind), {}
    if unknown := table.keys() - types.keys():
        raise ValueError(f"{min(unknown)} is no field: there are {', '.join(types)}")
    for name, value in table.items():
        try:
            values[name] = _value(types[name], value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    return kind(**values)


def _value(wanted: Any, value: Any) -> Any:
    """Return a value of TOML as a field of the type `wanted` has it. Raises ValueError for another type."""
    inner = get_args(wanted)
    match value:
        case str() if Link in (wanted, *inner):
            return read_link(value)
        case dict() if wanted == tuple[Link, ...]:
            return tuple(read_link(link, label) for label, link in value.items())
        case dict() if isinstance(wanted, type) and is_dataclass(wanted):
            return _made(wanted, value)
        case dict() if get_origin(wanted) is Mapping:
            return {inner[0](key): _value(inner[1], one) for key, one in value.items()}
        case list() if get_origin(wanted) is tuple:
            return tuple(_value(inner[0], one) for one in value)
        case int() | float() if wanted is float and isfinite(value):
            return float(value)
        case int() | str() if type(value) is wanted and value != "":
            return value
    raise ValueError(f"{value!r} is not of the type {getattr(wanted, '__name__', wanted)}")
