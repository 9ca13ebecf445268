"""Sources that come and go while the app runs, each under a name that nobody else has had."""

from collections import OrderedDict
from threading import Lock

from core.sources.source import Source

KEPT = 32
"""How many are kept; whoever is offered again is new again."""

_offered: OrderedDict[str, Source] = OrderedDict()
_lock = Lock()


def offer(name: str, source: Source) -> None:
    """Have `source` found by `name`; the one offered longest ago makes room."""
    with _lock:
        _offered[name] = source
        while len(_offered) > KEPT:
            _offered.popitem(last=False)


def offered(name: str) -> Source | None:
    """The source of this name, unless it has made room or there never was one."""
    with _lock:
        if name in _offered:
            _offered.move_to_end(name)
        return _offered.get(name)
