"""The terms of the field that the app uses, an entry each, as data that pages and their texts share."""

from pages.contract.parameter import Parameter
from pages.data.entries import read_entries
from pages.terms.term import Term, escaped

_READ = read_entries(Term, "terms.toml")

TERMS = {name: _READ[name] for name in sorted(_READ, key=str.lower)}
"""The terms by their names, in the order of a dictionary."""

_SET_BY = {switch: term for term in TERMS.values() for switch in term.switches}


def explained(one: Parameter) -> str:
    """Return the meaning of a parameter, its term's sentence, and a line for each option that is a term."""
    said = [escaped(one.meaning)]
    if one.name in _SET_BY:
        said.append(_SET_BY[one.name].markdown)
    listed = [(option, _SET_BY.get(f"{one.name}={option}")) for option in one.options]
    lines = [f"- **{escaped(str(option))}**: {term.markdown}" for option, term in listed if term is not None]
    return "\n\n".join(filter(None, (" ".join(said), "\n".join(lines))))
