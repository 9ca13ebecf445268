"""The terms of the field that the app uses, an entry each, as data that pages and their texts share."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from pages.data.entries import FOLDER, DataError, read_entries
from pages.terms.term import Term

FILE = "terms.toml"


def read_terms(folder: Path = FOLDER) -> Mapping[str, Term]:
    """Return the terms by their names, in the order of a dictionary.

    Raises DataError for a wrong entry and for a spelling that two terms have.
    """
    terms = read_entries(Term, FILE, folder=folder).values()
    spellings = Counter(spelling for term in terms for spelling in term.spellings)
    for term in terms:
        for spelling in term.spellings:
            if spellings[spelling] > 1:
                raise DataError(f"{FILE}, {term.name}: another term is spelled {spelling} too")
    return _alphabetical(terms)


def _alphabetical(terms: Iterable[Term]) -> Mapping[str, Term]:
    return {term.name: term for term in sorted(terms, key=lambda one: one.name.lower())}


TERMS = read_terms()
