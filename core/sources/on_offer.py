"""Sources that come and go while the app runs, each under a name that nobody else has had."""

from threading import Lock

from cachetools import LRUCache

from core.sources.source import Source

KEPT = 32
"""How many are kept; whoever is offered again is new again."""

_offered: LRUCache[str, Source] = LRUCache(KEPT)
_lock = Lock()


def offer(name: str, source: Source) -> None:
    """Have `source` found by `name`; the one asked for longest ago makes room."""
    with _lock:
        _offered[name] = source


def offered(name: str) -> Source | None:
    """The source of this name, unless it has made room or there never was one."""
    with _lock:
        return _offered.get(name)
