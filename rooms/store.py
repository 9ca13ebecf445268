"""The interface of a store of rooms, which all processes of a server share."""

from collections.abc import Sequence
from typing import Protocol

from rooms.room import Room, Round


class StoreError(RuntimeError):
    """The store cannot be reached or written."""


class Store(Protocol):
    """Rooms by their codes; ended rooms are never found. Any thread may call the methods.

    They raise StoreError if the store cannot be reached.
    """

    def open(self, room: Room) -> bool:
        """Keep a new room; return False if its code is taken."""

    def room(self, code: str) -> Room | None:
        """Return the room, closed or not; None if there is none or its time is over."""

    def ask(self, code: str, asked: Round) -> bool:
        """Ask the next round; return False if the room is closed or another round has this number."""

    def reveal(self, code: str, number: int) -> None:
        """Accept no more answers to a round, and show phones the solution."""

    def approve(self, code: str, number: int, words: Sequence[str]) -> None:
        """Set the free words of a round that the hall may see."""

    def close(self, code: str) -> None:
        """End a room and delete its rounds and answers; its code is free when its time is over."""

    def answer(self, code: str, number: int, browser: str, answer: str) -> bool:
        """Keep the answer of a browser in place of its last one; return False if the round accepts none."""

    def answer_of(self, code: str, number: int, browser: str) -> str | None:
        """Return the answer of this browser."""

    def answers(self, code: str, number: int) -> list[str]:
        """Return all answers to a round, in an order that tells nothing."""

    def count(self, code: str, number: int) -> int:
        """Return how many browsers have answered."""

    def n_open(self) -> int:
        """Return how many rooms are open."""

    def secret(self) -> str:
        """Return the random number that all processes of the server sign cookies with."""

    def sweep(self) -> None:
        """Delete ended rooms."""
