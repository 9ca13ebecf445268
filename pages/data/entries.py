"""Reads the entries of a data file, and names the file and the entry if one is wrong."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from pages.data.links import Link, read_link

FOLDER = Path(__file__).parent

E = TypeVar("E")


class DataError(ValueError):
    """Error for a wrong entry in a data file."""


def read_entries(kind: type[E] | Mapping[str, type[E]], name: str, *, folder: Path = FOLDER) -> dict[str, E]:
    """Return the entries of the file `name`, by their names and in its order.

    Each table of the file is an entry. It becomes a `kind`, a dataclass: its first field is the name of the
    entry, and each other field has the value of the key with its name. If a file has entries of several
    kinds, `kind` names for each of them a key that only its entries have.

    Raises DataError with the file and the entry for a missing, unknown, empty or wrong field, for a link that
    leads nowhere, for an entry that the class refuses with ValueError, and for two entries with the same
    name.
    """
    try:
        tables = tomllib.loads((folder / name).read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name}: {error}") from error
    return {entry: _made(kind, entry, table, file=name) for entry, table in tables.items()}


def _made(kind: type[Any] | Mapping[str, type[Any]], entry: str, table: Any, *, file: str) -> Any:
    try:
        if not isinstance(table, dict):
            raise ValueError("an entry is a table")
        one = kind if isinstance(kind, type) else _kind_of(table, kind)
        return one(**{fields(one)[0].name: entry}, **_values(one, table))
    except ValueError as error:
        raise DataError(f"{file}, {entry}: {error}") from error


def _kind_of(table: Mapping[str, Any], kinds: Mapping[str, type[Any]]) -> type[Any]:
    """Return the kind of an entry by the one key of `kinds` that it has."""
    has = [key for key in kinds if key in table]
    if len(has) != 1:
        raise ValueError(f"an entry has one of {', '.join(kinds)}, got {' and '.join(has) or 'none'}")
    return kinds[has[0]]


def _values(kind: type[Any], table: Any, *, skipped: int = 1) -> dict[str, Any]:
    """Return the values of an entry by the names of its fields, without the first `skipped` fields."""
    if not isinstance(table, dict):
        raise ValueError("an entry is a table")
    known = fields(kind)[skipped:]
    if unknown := table.keys() - {field.name for field in known}:
        raise ValueError(f"{min(unknown)} is no field: there are {', '.join(field.name for field in known)}")
    missing = [one.name for one in known if one.default is MISSING and one.name not in table]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    types = get_type_hints(kind)
    return {name: _value(name, types[name], value) for name, value in table.items()}


def _value(name: str, wanted: Any, value: Any) -> Any:
    read, expected = _READERS[wanted] if wanted in _READERS else _reader_of_tables(wanted)
    try:
        return read(value)
    except TypeError as error:
        raise ValueError(f"{name} must be {expected}, got {value!r}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _reader_of_tables(wanted: Any) -> tuple[Callable[[Any], Any], str]:
    """Return the reader of a list of tables; each becomes a dataclass, and its first field is a key too."""
    kind, _ = get_args(wanted)

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError
        return tuple(kind(**_values(kind, table, skipped=0)) for table in value)

    return read, "a list of tables"


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(map(_text, value))


def _named_texts(value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict) or not value:
        raise TypeError
    return {name: _text(text) for name, text in value.items()}


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise TypeError
    return float(value)


def _numbers(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(map(_number, value))


def _bounds(value: Any) -> tuple[float, float]:
    smallest, largest = _numbers(value) if isinstance(value, list) and len(value) == 2 else (0.0, 0.0)
    if not smallest < largest:
        raise TypeError
    return smallest, largest


def _named_numbers(value: Any) -> Mapping[str, float]:
    if not isinstance(value, dict) or not value:
        raise TypeError
    return {name: _number(number) for name, number in value.items()}


def _texts_of_numbers(value: Any) -> Mapping[float, str]:
    try:
        read = {float(number): text for number, text in _named_texts(value).items()}
    except ValueError as error:
        raise TypeError from error
    if len(read) < len(value) or not all(map(isfinite, read)):
        raise TypeError
    return read


def _link(value: Any) -> Link:
    return read_link(_text(value))


def _links(value: Any) -> tuple[Link, ...]:
    return tuple(read_link(link, label) for label, link in _named_texts(value).items())


_READERS: Mapping[Any, tuple[Callable[[Any], Any], str]] = {
    str: (_text, "a text"),
    tuple[str, ...]: (_texts, "a list of texts"),
    Mapping[str, str]: (_named_texts, "a table of texts"),
    int: (_whole, "a whole number"),
    float: (_number, "a number"),
    tuple[float, ...]: (_numbers, "a list of numbers"),
    tuple[float, float]: (_bounds, "two numbers, the smaller first"),
    Mapping[str, float]: (_named_numbers, "a table of numbers"),
    Mapping[float, str]: (_texts_of_numbers, "a table of texts by numbers"),
    Link: (_link, "a link"),
    Link | None: (_link, "a link"),
    tuple[Link, ...]: (_links, "a table of links by what they say"),
}
"""For each type, the reader of its values and the expected value in words."""
