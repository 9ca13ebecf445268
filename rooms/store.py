"""Where rooms are kept so that all processes of a server know them: what a store does."""

from collections.abc import Sequence
from typing import Protocol

from rooms.room import Room, Round


class StoreError(RuntimeError):
    """The store cannot be reached or written."""


class Store(Protocol):
    """Rooms by their codes; what has ended is never found. All of it may be called from any thread.

    StoreError where it cannot be reached.
    """

    def open(self, room: Room) -> bool:
        """Keep a new room; False where its code is taken."""

    def room(self, code: str) -> Room | None:
        """The room, closed or not; None where there is none, or its time is over."""

    def ask(self, code: str, asked: Round) -> bool:
        """Ask the next round; False where the room is closed or another round has this number."""

    def reveal(self, code: str, number: int) -> None:
        """Take no more answers to a round, and let phones know what is right."""

    def approve(self, code: str, number: int, words: Sequence[str]) -> None:
        """Keep which free words of a round the hall may see, in place of those kept before."""

    def close(self, code: str) -> None:
        """End a room and delete its rounds and answers; its code is given again when its time is over."""

    def answer(self, code: str, number: int, browser: str, answer: str) -> bool:
        """Keep the answer of a browser in place of the one before; False where the round takes none."""

    def answer_of(self, code: str, number: int, browser: str) -> str | None:
        """What this browser has answered."""

    def answers(self, code: str, number: int) -> list[str]:
        """All answers to a round, in no order that tells anything."""

    def count(self, code: str, number: int) -> int:
        """How many browsers have answered."""

    def n_open(self) -> int:
        """How many rooms are open."""

    def secret(self) -> str:
        """Return the random number that all processes of the server sign cookies with."""

    def sweep(self) -> None:
        """Delete what has ended."""
