"""Addresses of Streamlit that no page needs are not there, with nginx and without."""

import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from pages.shell.http.closed import CLOSED, closed_addresses
from tests.covering import each

NGINX = Path(__file__).parents[2] / "deploy" / "nginx" / "nginx.conf"


async def behind(scope: Any, receive: Any, send: Any) -> None:
    """The app behind, which answers to everything."""
    await receive()
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def status(path: str, method: str = "GET", client: str = "10.0.0.1") -> int:
    browser = TestClient(closed_addresses(behind), base_url="http://lab.example", client=(client, 1))
    return browser.request(method, path, content=b"a" * 1000).status_code


@each("method", ["GET", "PUT", "OPTIONS"])
@each("below", ["", "/user/me/proxy/8501"])
@each("name", ["upload_file/SESSION/FILE", "upload_file", "agent/mcp", "script-health-check"])
def test_a_closed_address_is_not_there_for_any_method_or_base_path(
    method: str, below: str, name: str
) -> None:
    assert status(f"{below}/_stcore/{name}", method) == 404


@each("path", ["/_stcore//upload_file/a/b", "/_stcore/%75pload_file/a/b", "/lab//_stcore/agent"])
def test_an_address_that_is_spelt_otherwise_is_not_there_either(path: str) -> None:
    assert status(path, "PUT") == 404


@each("path", ["/masking", "/_stcore/health", "/_stcore/bidi-components/a.js", "/upload_file"])
def test_all_that_pages_need_exists(path: str) -> None:
    assert status(path) == 299


@each(("client", "expected"), [("127.0.0.1", 299), ("::1", 299), ("10.0.0.1", 404), ("testclient", 404)])
def test_metrics_are_for_the_machine_itself(client: str, expected: int) -> None:
    assert status("/_stcore/metrics", client=client) == expected


def test_nginx_closes_the_same() -> None:
    (listed,) = re.findall(r"location ~ \^/_stcore/\(([^)]*)\) \{ return 404; \}", NGINX.read_text("utf-8"))
    assert tuple(listed.split("|")) == CLOSED
