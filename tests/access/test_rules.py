"""Names under which the server answers, if an operator lists them."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from access.rules import HOSTS, allowed_hosts, rules
from tests.covering import each


async def page(request: Any) -> PlainTextResponse:
    return PlainTextResponse("page")


def status(host: str, listed: str) -> int:
    app = Starlette(routes=[Route("/", page)], middleware=rules("", environment={HOSTS: listed}))
    return TestClient(app).get("/", headers={"Host": host}).status_code


@each(
    ("host", "expected"),
    [
        *(("lab.example", 200), ("LAB.example:8443", 200), ("a.hall.example", 200)),
        *(("localhost:8501", 200), ("127.0.0.1:8601", 200), ("[::1]:8601", 200)),
        *(("evil.example", 400), ("lab.example.evil.example", 400), ("hall.example", 400)),
    ],
)
def test_only_listed_names_and_the_machine_itself_are_answered(host: str, expected: int) -> None:
    assert status(host, "lab.example, *.hall.example") == expected


def test_without_a_list_every_name_is_answered() -> None:
    assert status("evil.example", "") == 200


@each("listed", ["lab.example:8501", "https://lab.example", "*", "a b", "*lab.example"])
def test_an_invalid_name_is_refused(listed: str) -> None:
    with pytest.raises(ValueError, match="must be names without ports"):
        allowed_hosts({HOSTS: listed})
