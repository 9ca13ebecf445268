"""The documents, their concepts, and the links to them in the app."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pages.data.entries import FOLDER, DataError, read_entries
from pages.data.links import Link

CONCEPTS_FILE, DOCUMENTS_FILE = "concepts.toml", "documents.toml"


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


def read_concepts(folder: Path = FOLDER) -> dict[str, Concept]:
    """Return every concept by its number, in the order in which it is taught. Raises DataError."""
    concepts = read_entries(Concept, CONCEPTS_FILE, folder=folder)
    for concept in concepts.values():
        if unknown := concept.treated.keys() - DOCUMENTS.keys():
            raise DataError(f"{CONCEPTS_FILE}, {concept.number}: there is no document {min(unknown)}")
    return concepts


DOCUMENTS = {name: one.full for name, one in read_entries(Document, DOCUMENTS_FILE).items()}
"""The documents in full, by the names used in citations."""

CONCEPTS = read_concepts()
"""Every concept by its number, in the order in which it is taught."""
