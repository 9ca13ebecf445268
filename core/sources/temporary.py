"""Sources that come and go while the app runs, each under a name that nobody else has had."""

from threading import Lock

from cachetools import LRUCache

from core.sources.source import Source

MOST = 32
"""How many are kept; whoever is offered again is new again."""

_registered: LRUCache[str, Source] = LRUCache(MOST)
_lock = Lock()


def register(name: str, source: Source) -> None:
    """Have `source` found by `name`; the one asked for longest ago makes room."""
    with _lock:
        _registered[name] = source


def registered(name: str) -> Source | None:
    """Return the source of this name, unless it has made room or there never was one."""
    with _lock:
        return _registered.get(name)
