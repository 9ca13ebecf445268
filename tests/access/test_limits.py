"""All limits of the app: the guide for operators lists them, and nginx lets through what the app reads."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from access import limits
from access.bodies import TooLargeError, read_body
from access.limits import KB, MB, PAGE, page
from rooms.hosting import MOST_BYTES
from tests.covering import each

NGINX = Path(__file__).parents[2] / "deploy" / "nginx" / "nginx.conf"


def test_the_page_of_limits_is_the_current_one() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_limit_is_in_the_table() -> None:
    kinds = (limits.Shared, limits.Single, limits.ConcurrencyLimit, limits.Size)
    stated = [one for one in vars(limits).values() if isinstance(one, kinds)]
    assert {one.what for one in stated} == {one.what for one in (*limits.RATES, *limits.SIZES)}
    assert len(stated) > 9


def test_a_rate_has_the_unit_that_makes_it_a_whole_number() -> None:
    assert "| wrong letters of a room | 5, then 1 in 60 s | 100, then 1 in 40 s |" in page()
    assert "| answers in a room | 10, then 1 in a second | – |" in page()
    assert "| the pictures of a lecture that becomes a file | 2 MB |" in page()


def test_nginx_lets_through_what_the_app_reads() -> None:
    text = NGINX.read_text("utf-8")

    def most(location: str) -> int:
        found = re.search(
            rf"location {re.escape(location)} {{.*?client_max_body_size (\d+)([km]);", text, re.DOTALL
        )
        assert found is not None
        return int(found[1]) * (KB if found[2] == "k" else MB)

    assert most("~ ^/room(/|$)") >= limits.QUESTION.n_bytes >= 2 * MOST_BYTES
    assert most("/figures/") >= limits.PICTURES.n_bytes


async def length(request: Request) -> PlainTextResponse:
    try:
        return PlainTextResponse(str(len(await read_body(request, 1009))))
    except TooLargeError:
        return PlainTextResponse("", 413)


def pieces(n: int) -> Iterator[bytes]:
    yield from [b"a"] * n


@each(("n", "status"), [(1009, 200), (1010, 413), (20_011, 413)])
@each("said", ["1", "1009", None])
def test_a_body_is_counted_while_it_arrives_with_any_header(n: int, status: int, said: str | None) -> None:
    browser = TestClient(Starlette(routes=[Route("/", length, methods=["POST"])]))
    headers: dict[str, Any] = {"content-length": said} if said else {}
    answer = browser.post("/", content=pieces(n), headers=headers)
    assert answer.status_code == status
