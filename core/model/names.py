"""The names of what there is to choose from, in order, as a configuration, a switch and a table list them."""

from collections.abc import Mapping, Sequence
from typing import overload


class Names(Sequence[str]):
    """The keys of a mapping as a sequence that always is up to date: what is added later has a name too."""

    def __init__(self, mapping: Mapping[str, object]) -> None:
        self._mapping = mapping

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return tuple(self._mapping)[at]

    def __len__(self) -> int:
        return len(self._mapping)

    def __repr__(self) -> str:
        return repr(tuple(self._mapping))
