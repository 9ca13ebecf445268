"""Tooltip of a control: the meaning of its parameter, and of the terms that it sets."""

from pages.contract.parameter import Parameter
from pages.terms import TERMS
from pages.terms.term import escaped

_SET_BY = {switch: term for term in TERMS.values() for switch in term.switches}


def explained(one: Parameter) -> str:
    """Return the meaning of a parameter, its term's sentence, and a line for each option that is a term."""
    said = [escaped(one.meaning)]
    if one.name in _SET_BY:
        said.append(_SET_BY[one.name].markdown)
    listed = [(option, _SET_BY.get(f"{one.name}={option}")) for option in one.options]
    lines = [f"- **{escaped(str(option))}**: {term.markdown}" for option, term in listed if term is not None]
    return "\n\n".join(filter(None, (" ".join(said), "\n".join(lines))))
