"""The terms of the field that the app uses, an entry each, as data that pages and their texts share."""

from collections.abc import Iterable, Mapping

from pages.terms.attention import ATTENTION
from pages.terms.blocks import BLOCKS
from pages.terms.generation import GENERATION
from pages.terms.measures import MEASURES
from pages.terms.positions import POSITIONS
from pages.terms.published import PUBLISHED
from pages.terms.recurrent import RECURRENT
from pages.terms.term import Term
from pages.terms.training import TRAINING

_ALL = (
    *ATTENTION,
    *POSITIONS,
    *BLOCKS,
    *RECURRENT,
    *TRAINING,
    *GENERATION,
    *MEASURES,
    *PUBLISHED,
)


def _alphabetical(terms: Iterable[Term]) -> Mapping[str, Term]:
    """The terms by their names, in the order of a dictionary."""
    return {term.name: term for term in sorted(terms, key=lambda one: one.name.strip("</").lower())}


TERMS = _alphabetical(_ALL)
assert len(TERMS) == len(_ALL), "two terms have one name"
