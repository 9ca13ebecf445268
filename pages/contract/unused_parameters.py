"""Parameters of a link without effect on its page, and the note on them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from pages.contract.parameter import COMPUTED, in_link
from pages.contract.parameters import TABLE, declared, is_foreign
from pages.contract.prose import Typed
from pages.contract.sheet import LinkValues

OF_ANY_PAGE = frozenset(
    {"large", "panel", "predict", "stop", "cover", "presenter", "titled", "unsaid", "code"}
)
"""Parameters that say how a page is shown, which every page has."""

MOST_NAMED = 5
"""Greatest number of parameters that a note names: a link can have a thousand."""


def unfollowed(link: LinkValues, followed: Collection[str]) -> dict[str, Sequence[str]]:
    """Return the declared parameters that a link sets without effect, with their spellings."""
    return {
        name: values
        for name, values in link.items()
        if name not in followed and name not in OF_ANY_PAGE and _changes_something(name, values)
    }


def unfollowed_named(names: Mapping[str, Sequence[str]]) -> str:
    """Return a note on parameters that a view does not follow; empty if there are none."""
    if not names:
        return ""
    asked = [f"{Typed(name)} = {Typed(', '.join(values)):80}" for name, values in names.items()]
    none = "no such control" if len(asked) == 1 else "no such controls"
    return f"The link sets {_a_few(asked)}, but this view has {none} with these settings."


def _changes_something(name: str, values: Sequence[str]) -> bool:
    """Return whether a view that has the parameter would differ from how it opens."""
    one = declared(name)
    if one is None or is_foreign(name) or name.endswith(TABLE):
        return False
    return one.default is COMPUTED or list(values) not in (in_link(one.default), [""])


def unknown_parameters(names: Iterable[str]) -> str:
    """Return a note on unknown parameters, on a few if there are many; empty if all are known."""
    unknown = [Typed(name) for name in names if declared(name) is None and not is_foreign(name)]
    if not unknown:
        return ""
    if len(unknown) == 1:
        return f"The link has a parameter {unknown[0]}, which no page knows."
    return f"The link has parameters that no page knows: {_a_few(unknown)}."


def _a_few(said: Sequence[str]) -> str:
    more = f" and {len(said) - MOST_NAMED} more" if len(said) > MOST_NAMED else ""
    return f"{', '.join(map(format, said[:MOST_NAMED]))}{more}"
