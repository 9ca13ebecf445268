"""The entries of all terms, or those that a search finds."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Part, Sheet, Text
from pages.contract.table import table
from pages.controls.prose import Typed
from pages.shell import Scene, View
from pages.shell.five import five
from pages.terms import TERMS
from pages.terms.spelled import term_of
from pages.terms.term import Term, escaped
from viz.text import counted


@dataclass(frozen=True)
class Found:
    """What a search finds: the entry of the term itself, if it is one, and others that have the text."""

    searched: Typed
    exact: Term | None
    others: tuple[Term, ...]


def ask(ask: Ask, scene: Scene) -> Typed:
    """What is searched."""
    return Typed(ask.entry("term", placeholder="a term, such as query"))


def find(scene: Scene, searched: Typed) -> Found:
    """The entry of the term, and the entries that have the text: in a name first, then in the sentence."""
    text = str(searched).casefold()
    exact = term_of(str(searched)) or next((term for term in TERMS.values() if text in _called(term)), None)
    named = [term for term in TERMS.values() if any(text in name for name in _called(term))]
    mentioning = [term for term in TERMS.values() if text in term.sentence.casefold()]
    others = dict.fromkeys((*named, *mentioning))
    return Found(searched, exact, tuple(term for term in others if term is not exact))


def _called(term: Term) -> tuple[str, ...]:
    values = (switch.partition("=")[2] for switch in term.switches)
    return tuple(name.casefold() for name in (*term.spellings, *filter(None, values)))


def sheet(found: Found, look: Look) -> Sheet:
    """The entry that is asked for, and below it a table of the others."""
    if found.exact is not None:
        return Sheet(answer=found.exact.markdown, parts=(_signs_of(found.exact), *_mentions(found)))
    if not found.searched:
        answer = f"{counted(len(found.others), 'term')}, each with one sentence and the view that shows it."
    elif found.others:
        answer = f"Terms with *{found.searched}* in their entry: {len(found.others)}."
    else:
        answer = f"No entry has *{found.searched}*."
    return Sheet(answer=answer, parts=_table(found.others))


def _signs_of(term: Term) -> Text:
    return Text(" · ".join(filter(None, (_signs(term), f"See it in {term.place}"))))


def _mentions(found: Found) -> tuple[Part, ...]:
    if not found.others:
        return ()
    return Text(f"## Other entries with *{found.searched}*"), *_table(found.others)


def _table(terms: Sequence[Term]) -> tuple[Part, ...]:
    rows = [(f"**{escaped(term.name)}**", f"{term.markdown} {term.place}", _signs(term)) for term in terms]
    heads = ("Term", "What it is, and where it is seen", "Symbol · shape · formula")
    return (table("entries", heads, rows),) * bool(rows)


def _signs(term: Term) -> str:
    """Symbol, shape and formula of a term, as far as it has them."""
    symbol, formula = (f"${latex}$" if latex else "" for latex in (term.symbol, term.formula))
    return " · ".join(filter(None, (symbol, escaped(term.shape), formula)))


GLOSSARY = View(sheet=five(ask=ask, find=find, sheet=sheet), asks=False)
