"""Links to places in the app, as data files write them: an address and parameters."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from pages import Entry, entry_at
from pages.contract.parameters import declared


class Link(NamedTuple):
    """A place in the app: the label of the link, the address of the page, and its parameters there."""

    label: str
    address: str
    parameters: Mapping[str, str | int] = {}

    @property
    def path(self) -> str:
        """Return the link as a browser takes it."""
        return f"/{self.address}{'?' if self.parameters else ''}{urlencode(self.parameters)}"

    @property
    def view(self) -> str:
        """Return the view that the link names; empty if it opens the first view of its page."""
        return str(self.parameters.get("view", ""))

    @property
    def entry(self) -> Entry:
        """Return the page that the link leads to."""
        entry = entry_at(self.address)
        assert entry is not None, f"there is no page /{self.address}"
        return entry


def read_link(spelling: str, label: str = "") -> Link:
    """Return the link that a text such as `/masking?view=paint` spells. Raises ValueError for no link."""
    parts = urlsplit(spelling)
    address = parts.path.removeprefix("/")
    if not spelling.startswith("/") or entry_at(address) is None:
        raise ValueError(f"there is no page {parts.path or spelling}")
    named = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    parameters = dict(named)
    if len(parameters) < len(named):
        raise ValueError(f"a parameter is given twice in {spelling}")
    unknown = [name for name in parameters if declared(name) is None]
    if unknown:
        raise ValueError(f"no page has the parameter {unknown[0]}")
    return Link(label, address, parameters)
