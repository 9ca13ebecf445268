"""Content of the sources: their documents, the concepts that these teach, and their errors."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.data.entries import read_entries
from pages.data.links import Link


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document by the name used in citations, and its `full` title."""

    name: str
    full: str


@dataclass(frozen=True, kw_only=True)
class Concept:
    """A concept of the documents: its place in each of them, and links to it in the app."""

    number: str
    title: str
    treated: Mapping[str, str]
    links: tuple[Link, ...]


@dataclass(frozen=True, kw_only=True)
class Slip:
    """An error in a source: its place, the wrong claim, and the correction, as parts of sentences."""

    name: str
    place: str
    says: str
    truth: str


DOCUMENTS = {name: one.full for name, one in read_entries(Document, "documents.toml").items()}

CONCEPTS = read_entries(Concept, "concepts.toml")
"""Every concept by its number, in the order in which it is taught."""

SLIPS = read_entries(Slip, "slips.toml")
"""Every slip by the name that the page Sources gives it."""
