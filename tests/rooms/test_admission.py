"""Requests for files that count together."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request

from rooms import admission
from rooms.admission import Admission
from rooms.browsers import Client
from rooms.limits import AddressRateLimiter
from rooms.store import StoreError


def request(address: str) -> Request:
    return Request({"type": "http", "headers": [], "client": (address, 1)})


def test_without_a_store_all_browsers_of_an_address_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any) -> Client:
        raise StoreError("no Redis")

    one = Admission()
    monkeypatch.setattr(one._browsers, "client", fails)

    assert asyncio.run(one.client(request("hall"))) == Client("hall")


def test_each_order_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "FILES", AddressRateLimiter(browser=(1, 0), address=(9, 0)))
    one = Admission()

    admitted = [one.admits(Client("hall", name)) for name in ("one", "one", "another")]

    assert admitted == [True, False, True]
