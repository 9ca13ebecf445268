"""The entries of all terms, or those that a search finds."""

from collections.abc import Sequence

from pages.contract.ask import Ask
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import Part, Sheet, Text, table
from pages.contract.view import view
from pages.terms import TERMS
from pages.terms.spelled import term_of
from pages.terms.term import Term, escaped
from words import counted


@view(asks=False)
def glossary(ask: Ask, scene: Scene) -> Sheet:
    """Return the entry that is searched for, and below it others that contain the text, or all entries."""
    searched = Typed(ask.entry("term", placeholder="a term, such as query"))
    exact, others = _find(str(searched))
    if exact is not None:
        reason = (Text(escaped(exact.reason)),) * bool(exact.reason)
        return Sheet(headline=exact.markdown, parts=(*reason, _more_of(exact), *_mentions(searched, others)))
    if not searched:
        answer = f"{counted(len(others), 'term')}, each with one sentence and a view that shows it."
    elif others:
        answer = f"Terms with *{searched}* in their entry: {len(others)}."
    else:
        answer = f"No entry has *{searched}*."
    return Sheet(headline=answer, parts=_table(others))


def _find(searched: str) -> tuple[Term | None, tuple[Term, ...]]:
    """Return the term that is searched for, if there is one, and all that contain the text."""
    text = searched.casefold()
    exact = term_of(searched) or next((term for term in TERMS.values() if text in _called(term)), None)
    named = [term for term in TERMS.values() if any(text in name for name in _called(term))]
    mentioning = [term for term in TERMS.values() if text in f"{term.sentence} {term.reason}".casefold()]
    return exact, tuple(term for term in dict.fromkeys((*named, *mentioning)) if term is not exact)


def _called(term: Term) -> tuple[str, ...]:
    values = (switch.partition("=")[2] for switch in term.switches)
    return tuple(name.casefold() for name in (*term.spellings, *filter(None, values)))


def _more_of(term: Term) -> Text:
    """Return the symbol, shape and formula of a term, if it has them, and its view."""
    symbol, formula = (f"${latex}$" if latex else "" for latex in (term.symbol, term.formula))
    return Text(" · ".join(filter(None, (symbol, escaped(term.shape), formula, f"See it in {term.place}"))))


def _mentions(searched: Typed, others: Sequence[Term]) -> tuple[Part, ...]:
    if not others:
        return ()
    return Text(f"## Other entries with *{searched}*"), *_table(others)


def _table(terms: Sequence[Term]) -> tuple[Part, ...]:
    """Return a table of terms, whose names lead to their entries with symbol and formula."""
    rows = [(f"**[{escaped(term.name)}]({term.entry})**", f"{term.markdown} {term.place}") for term in terms]
    return (table("entries", ("Term", "Meaning, and a view that shows it"), rows),) * bool(rows)
