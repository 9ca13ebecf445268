"""The pictures of a link by their keys and titles, for who chooses one of them."""

from typing import TypedDict

from figures.exhibits import exhibits
from figures.order import Order

NO_DRAWING = ("csv", "html")
"""The formats that are made where nothing draws."""


class Named(TypedDict):
    """A picture that a file can be made of."""

    key: str
    title: str


def listed(order: Order) -> list[Named]:
    """The pictures of a link in their order. Raises UnavailableError where there is no such page or model."""
    found = exhibits(order.link, order.style.preset, order.style.theme)
    return [Named(key=one.key, title=one.title) for one in found]
