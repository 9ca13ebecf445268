"""The answers of a link alone: what it says where that is possible, else the default, and a note on why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pages.contract.control import Control
from pages.contract.form import Answers
from pages.contract.sheet import Link
from pages.controls.prose import Typed


def parsed(link: str) -> tuple[str, Link]:
    """The address of a page and the parameters that a link such as `/masking?view=paint` has."""
    parts = urlsplit(link)
    return parts.path.strip("/"), parse_qs(parts.query, keep_blank_values=True)


def refusal(asked: Control, spelling: list[str]) -> str:
    """A note on a link that asks for what a parameter cannot be, and what is shown in its place."""
    return (
        f"The link asks for {Typed(asked.name)} = {Typed(', '.join(spelling))}, but "
        f"{asked.why_not(spelling)}. Showing {asked.at_first}."
    )


@dataclass
class LinkAnswers(Answers):
    """What a link says of every control that is asked for; `refused` grows by a note where it cannot be."""

    link: Link
    refused: list[str] = field(default_factory=list)

    def value(self, asked: Control) -> Any:
        """The value in the link, or the default."""
        spelling = list(self.link.get(asked.name, ()))
        if not spelling:
            return asked.default
        if asked.accepts(spelling):
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
        return list(self.link.get(name, ()))

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[str]) -> None:
        """Note what is refused."""
        self.refused += refused

    def spelling(self, name: str) -> str | None:
        """What the link says of one parameter."""
        return next(iter(self.link.get(name, ())), None)
