"""Reads the entries of a data file, and names the file and the entry if one is wrong."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pages.data.links import Link, read_link

FOLDER = Path(__file__).parent

E = TypeVar("E")


class DataError(ValueError):
    """A data file has a wrong entry."""


def read_entries(kind: type[E], name: str, *, folder: Path = FOLDER) -> dict[str, E]:
    """Return the entries of the file `name`, by their names and in its order.

    Each table of the file is an entry. It becomes a `kind`, a dataclass: its first field is the name of the
    entry, and each other field has the key of the table that is called like it.

    Raises DataError with the file and the entry for a missing, unknown, empty or wrong field, for a link that
    leads nowhere, for an entry that the class refuses with ValueError, and for two entries of one name.
    """
    try:
        tables = tomllib.loads((folder / name).read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name}: {error}") from error
    return {entry: _made(kind, entry, table, file=name) for entry, table in tables.items()}


def _made(kind: type[Any], entry: str, table: Any, *, file: str) -> Any:
    try:
        return kind(**{fields(kind)[0].name: entry}, **_values(kind, table))
    except ValueError as error:
        raise DataError(f"{file}, {entry}: {error}") from error


def _values(kind: type[Any], table: Any) -> dict[str, Any]:
    """Return the values of an entry by the names of their fields."""
    if not isinstance(table, dict):
        raise ValueError("an entry is a table")
    _, *known = fields(kind)
    if unknown := table.keys() - {field.name for field in known}:
        raise ValueError(f"{min(unknown)} is no field: there are {', '.join(field.name for field in known)}")
    missing = [one.name for one in known if one.default is MISSING and one.name not in table]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    types = get_type_hints(kind)
    return {name: _value(name, types[name], value) for name, value in table.items()}


def _value(name: str, wanted: Any, value: Any) -> Any:
    read, expected = _READERS[wanted]
    try:
        return read(value)
    except TypeError as error:
        raise ValueError(f"{name} must be {expected}, got {value!r}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


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


def _link(value: Any) -> Link:
    return read_link(_text(value))


def _links(value: Any) -> tuple[Link, ...]:
    return tuple(read_link(link, label) for label, link in _named_texts(value).items())


_READERS: Mapping[Any, tuple[Callable[[Any], Any], str]] = {
    str: (_text, "a text"),
    tuple[str, ...]: (_texts, "a list of texts"),
    Mapping[str, str]: (_named_texts, "a table of texts"),
    Link: (_link, "a link"),
    tuple[Link, ...]: (_links, "a table of links by what they say"),
}
"""How a value of each type is read, and what is expected of it."""
