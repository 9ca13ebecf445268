"""The names of available choices, in the order in which configurations, switches and tables list them."""

from collections.abc import Mapping, Sequence
from typing import overload


class Names(Sequence[str]):
    """The keys of a mapping as a sequence that is always up to date, also with keys added later."""

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
