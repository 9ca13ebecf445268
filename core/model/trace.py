"""The caller's record of one forward pass, and the edits made on its way.

A model holds nothing about a call: the caller passes a recorder in, and every place worth looking at passes
its tensor through that recorder. The silent recorder returns the tensor unchanged.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Protocol

from jaxtyping import Float
from torch import Tensor

Edit = Callable[[Tensor], Tensor]
Keep = Mapping[str, Edit]
"""Paths, perhaps with `*` in them, and the part of each tensor that is kept."""


class Recorder(Protocol):
    """The part of a trace that modules use: pass a tensor through, and get the recorder for a submodule."""

    def __call__(self, name: str, value: Tensor) -> Tensor:
        """Record `value` under `name` and return the tensor with which the forward pass continues."""
        ...

    def at(self, place: str) -> "Recorder":
        """Return the recorder for the submodule at `place`; its names are prefixed with that path."""
        ...

    def listens(self, *names: str) -> bool:
        """Return whether any of these would be kept or edited; if not, they need not be computed."""
        ...


class Silent:
    """A recorder that records nothing and changes nothing."""

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return value

    def at(self, place: str) -> Recorder:
        return self

    def listens(self, *names: str) -> bool:
        return False


SILENT = Silent()


def whole(*names: str) -> dict[str, Edit]:
    """Return edits that keep these values unchanged."""
    return dict.fromkeys(names, lambda value: value)


EVERYTHING = whole("*")


class Trace(Mapping[str, Tensor]):
    """Every tensor of one forward pass by its path in the module tree, such as `blocks.0.attention.q`.

    `edits` maps such a path to a function of the tensor there; its result is recorded, and the forward pass
    continues with it. An edit whose path never came by is listed in `unused_edits`.

    With `keep` only those paths are recorded. In them `*` matches anything: `blocks.*.attention.pattern`
    gives the patterns of all layers. A mapping also gives the part of each tensor to keep.

    A trace belongs to one call: recording a name twice raises ValueError. Looking up a name that was not
    recorded raises KeyError listing the recorded names.
    """

    def __init__(
        self, *, edits: Mapping[str, Edit] | None = None, keep: Keep | Collection[str] | None = None
    ) -> None:
        self._edits = dict(edits or {})
        self._keep = EVERYTHING if keep is None else keep if isinstance(keep, Mapping) else whole(*keep)
        self._met: set[str] = set()
        self._values: dict[str, Tensor] = {}

    def __call__(self, name: str, value: Tensor) -> Tensor:
        if name in self._met:
            raise ValueError(f"{name} is already recorded: a Trace records one forward pass, make a new one")
        self._met.add(name)
        if name in self._edits:
            value = self._edits[name](value)
        part = self._kept(name)
        if part is not None:
            self._values[name] = part(value)
        return value

    def listens(self, *names: str) -> bool:
        return any(name in self._edits or self._kept(name) is not None for name in names)

    def _kept(self, name: str) -> Edit | None:
        """Return the edit that selects what to keep of a tensor; None to keep nothing."""
        return next((part for pattern, part in self._keep.items() if fnmatchcase(name, pattern)), None)

    def at(self, place: str) -> Recorder:
        return _Place(self, place)

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._values:
            raise KeyError(f"{name} was not recorded; recorded are: {', '.join(self._values) or 'nothing'}")
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def n_bytes(self) -> int:
        """Bytes of memory that the record holds; a part of a tensor holds the whole tensor."""
        stores = [value.untyped_storage() for value in self._values.values()]
        return sum({store.data_ptr(): store.nbytes() for store in stores}.values())

    @property
    def unused_edits(self) -> frozenset[str]:
        """Paths of edits that no forward pass has met: usually a misspelt name."""
        return frozenset(self._edits) - self._met


class _Place:
    """A trace seen from a submodule: adds the submodule's path to every name."""

    def __init__(self, trace: Trace, path: str) -> None:
        self._trace = trace
        self._path = path

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return self._trace(f"{self._path}.{name}", value)

    def at(self, place: str) -> Recorder:
        return _Place(self._trace, f"{self._path}.{place}")

    def listens(self, *names: str) -> bool:
        return self._trace.listens(*(f"{self._path}.{name}" for name in names))


def silence(*, head: int) -> Edit:
    """Return an edit of a `pattern` or a `z` that silences the head, as if its output map were zero."""

    def edit(value: Float[Tensor, "batch head query last"]) -> Float[Tensor, "batch head query last"]:
        n_heads = value.shape[1]
        if not 0 <= head < n_heads:
            raise ValueError(f"head must be between 0 and {n_heads - 1}, got {head}")
        edited = value.clone()
        edited[:, head] = 0
        return edited

    return edit


def in_turn(*edits: Edit) -> Edit:
    """Return one edit that makes several at the same place, from the first to the last."""

    def edit(value: Tensor) -> Tensor:
        for each in edits:
            value = each(value)
        return value

    return edit
