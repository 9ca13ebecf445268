"""Values that a link gives to controls: the value in the link, or the default with a note on the reason."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pages.contract.parameter import FLAGS, Parameter
from pages.contract.prose import Typed
from pages.contract.sheet import LinkValues


@dataclass(frozen=True)
class Refusal:
    """Reason why a page cannot follow a link, and what it shows `instead`: two sentences."""

    reason: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.reason} {self.instead}".rstrip()


@dataclass
class LinkParameters:
    """Values of a link for the controls of a view; `refused` collects notes on impossible values.

    `followed` are the names of all parameters that were asked for, and `kept` the spellings that were taken.
    A page has a visitor, and takes the values from the state of the session.
    """

    link: dict[str, list[str]]
    refused: list[Refusal] = field(default_factory=list)
    kept: dict[str, Sequence[str]] = field(default_factory=dict)
    followed: set[str] = field(default_factory=set)

    def value(self, asked: Parameter) -> Any:
        """Return the value of a parameter: its default if the link has none or an impossible one."""
        self.followed.add(asked.name)
        spelling = self.link.get(asked.name)
        if not spelling:
            return asked.default
        try:
            value = asked.read(spelling)
        except ValueError as error:
            reason = f"{Typed(error):200}" if asked.kind == "spelt" else error
            said = f"The link asks for {Typed(asked.name)} = {Typed(', '.join(spelling))}, but {reason}."
            return self.refuse(asked, Refusal(said, f"Showing {asked.at_first}."))
        self.kept[asked.name] = spelling
        return value

    def refuse(self, asked: Parameter, refusal: Refusal) -> Any:
        """Note that a value is impossible, and return the value that is shown instead."""
        self.refused.append(refusal)
        return asked.default

    def spelling(self, name: str) -> str | None:
        """Return the spelling of a parameter whose control is not asked for; None if the link has none."""
        return next(iter(self.link.get(name, ())), None)

    def has_flag(self, name: str) -> bool:
        """Return whether a link sets a flag, such as the cover; `value` notes a wrong spelling."""
        return FLAGS.get((self.spelling(name) or "").lower(), False)

    def spellings(self, name: str) -> list[str]:
        """Return all spellings of a parameter whose control its view draws itself."""
        self.followed.add(name)
        return self.link.get(name, [])

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Take the `kept` spellings of the parameter, with a note on each that is `refused`."""
        self.kept[name] = kept
        self.refused += refused

    def assume(self, name: str, value: str) -> None:
        """Set a parameter as if the link had it, unless the link has it."""
        self.link.setdefault(name, [value])

    def own_model(self) -> str | None:
        """Return the name of the source with the visitor's own trained model; None if there is none."""
        return None

    def reset_if_changed(self, what: str, subject: object, names: Iterable[str]) -> None:
        """Forget the values of parameters if their subject, `what`, has changed since they were chosen."""

    def loading(self, title: str) -> AbstractContextManager[None]:
        """Show that a model is being loaded."""
        return nullcontext()


def parsed(link: str) -> tuple[str, LinkValues]:
    """Return the address of the page and the parameters of a link such as `/masking?view=paint`."""
    try:
        parts = urlsplit(link)
    except ValueError:  # brackets in the name of a server
        return link, {}
    return parts.path.strip("/"), parse_qs(parts.query, keep_blank_values=True)
