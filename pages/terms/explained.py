"""What the control of a parameter is for: what it means, and what the terms are that it sets."""

from collections.abc import Sequence
from typing import Any

from pages.contract.parameters import declared
from pages.terms import TERMS
from pages.terms.term import escaped

_SET_BY = {switch: term for term in TERMS.values() for switch in term.switches}


def explained(name: str, options: Sequence[Any] = ()) -> str:
    """One sentence on a parameter, that of its term, and below them one for each option that is a term."""
    parameter = declared(name)
    assert parameter is not None, f"{name} is missing among the parameters"
    said = [escaped(parameter.meaning)]
    if name in _SET_BY:
        said.append(_SET_BY[name].markdown)
    listed = [(option, _SET_BY.get(f"{name}={option}")) for option in options]
    lines = [f"- **{escaped(str(option))}**: {term.markdown}" for option, term in listed if term is not None]
    return "\n\n".join(filter(None, (" ".join(said), "\n".join(lines))))
