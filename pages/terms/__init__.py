"""The terms of the field that the app uses, an entry each, as data that pages and their texts share."""

from pages.data.entries import read_entries
from pages.terms.term import Term

_READ = read_entries(Term, "terms.toml")

TERMS = {name: _READ[name] for name in sorted(_READ, key=str.lower)}
"""The terms by their names, in the order of a dictionary."""
