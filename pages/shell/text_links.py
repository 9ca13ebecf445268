"""Links in the sentences of a page: they lead below the base path, and stay at the stop of the path."""

import re
from urllib.parse import parse_qs, urlsplit

from pages import entry_at
from pages.path.stops import STOP
from pages.shell.base import add_base_path
from pages.state.link import current_state

_LINK = re.compile(r"""(?<!\\)\]\((/(?!/)[^\s)#]*)""")
"""The address of a link of the app in Markdown."""


def linked(markdown: str) -> str:
    """Return Markdown as `add_base_path` does; at a stop of the path its links to pages stay at the stop."""
    stop = stop_here().get(STOP)
    if stop is None:
        return add_base_path(markdown)
    return add_base_path(_LINK.sub(lambda link: f"]({at_stop(link[1], stop)}", markdown))


def stop_here() -> dict[str, str]:
    """Return the parameter of the stop at which the session is, with its number; nothing off the path."""
    chosen = current_state().chosen.get(STOP, ())
    return {STOP: chosen[0]} if chosen and chosen[0].isdecimal() else {}


def at_stop(link: str, stop: str) -> str:
    """Return a link that stays at a stop of the path, unless it names a stop or leads to no page."""
    parts = urlsplit(link)
    if entry_at(parts.path.strip("/")) is None or STOP in parse_qs(parts.query, keep_blank_values=True):
        return link
    return f"{link}{'&' if parts.query else '?'}{STOP}={stop}"
