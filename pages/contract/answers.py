"""The answers of a link alone: what it says where that is possible, else the default, and a note on why."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pages.contract.control import Control
from pages.contract.prose import Typed
from pages.contract.sheet import Link


@dataclass(frozen=True)
class Refusal:
    """Why a link asks for something in vain, and what a page shows `instead`, if it says: two sentences."""

    reason: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.reason} {self.instead}".rstrip()


@dataclass
class Answers(ABC):
    """Who knows what the reader has chosen: a link, or a page with controls and a visitor.

    `followed` are the names of all parameters that a page has asked for.
    """

    followed: set[str] = field(default_factory=set, init=False)

    @abstractmethod
    def value(self, asked: Control) -> Any:
        """The value of a control, its default where nobody has chosen."""

    @abstractmethod
    def spelling(self, name: str) -> str | None:
        """What was chosen for a parameter whose control is not asked for, as a link has it; or None."""

    @abstractmethod
    def spellings(self, name: str) -> list[str]:
        """All that a link says of a parameter that its view spells itself."""

    @abstractmethod
    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Take only what is `kept` of that, with a sentence on each that is `refused`."""

    def keeps(self, name: str, value: str) -> bool:
        """Whether this was chosen for a parameter, here or on a page that can have it."""
        return self.spelling(name) == value

    @abstractmethod
    def assume(self, name: str, value: str, *, instead_of: str) -> None:
        """Take a value in place of another for a parameter that nobody has chosen on the way to this page."""

    def own_model(self) -> str | None:
        """The name of the source that has the visitor's own model, if there is one at rest."""
        return None

    @abstractmethod
    def belong_to(self, model: str | None, controls: Mapping[str, Any]) -> None:
        """Say whose these controls are: chosen for another model, they start anew at these defaults."""

    def is_about(self, name: str, subject: object) -> None:
        """Forget what was chosen for a parameter while it was about another subject than this one."""
        return  # a link was made for what it is about

    def loading(self, title: str) -> AbstractContextManager[None]:
        """What is shown while a model is loaded."""
        return nullcontext()


def parsed(link: str) -> tuple[str, Link]:
    """The address of a page and the parameters that a link such as `/masking?view=paint` has."""
    try:
        parts = urlsplit(link)
    except ValueError:  # brackets in the name of a server
        return link, {}
    return parts.path.strip("/"), parse_qs(parts.query, keep_blank_values=True)


def refusal(asked: Control, spelling: list[str]) -> Refusal:
    """What is said where a link asks for what a parameter cannot be."""
    said = f"The link asks for {Typed(asked.name)} = {Typed(', '.join(spelling))}"
    return Refusal(f"{said}, but {asked.why_not(spelling)}.", f"Showing {asked.at_first}.")


@dataclass
class LinkAnswers(Answers):
    """What a link says of every control that is asked for; `refused` grows by a note where it cannot be.

    `kept` are the spellings that a view has taken.
    """

    link: Link
    refused: list[Refusal] = field(default_factory=list)
    kept: dict[str, Sequence[str]] = field(default_factory=dict)

    def value(self, asked: Control) -> Any:
        """The value in the link, or the default."""
        self.followed.add(asked.name)
        spelling = list(self.link.get(asked.name, ()))
        if not spelling:
            return asked.default
        if asked.accepts(spelling):
            self.kept[asked.name] = spelling
            return asked.read(spelling)
        self.refused.append(refusal(asked, spelling))
        return asked.default

    def assume(self, name: str, value: str, *, instead_of: str) -> None:
        """Set a parameter as if the link said it, where it does not."""
        self.link = {name: [value], **self.link}

    def belong_to(self, model: str | None, controls: Mapping[str, Any]) -> None:
        """A link was made for one model."""

    def spellings(self, name: str) -> list[str]:
        """What the link says."""
        self.followed.add(name)
        return list(self.link.get(name, ()))

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Note what is refused."""
        self.kept[name] = kept
        self.refused += refused

    def spelling(self, name: str) -> str | None:
        """What the link says of one parameter."""
        return next(iter(self.link.get(name, ())), None)
