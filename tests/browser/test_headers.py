"""The app as it is served without nginx: every door says what a browser may do."""

import urllib.error
import urllib.request
from email.message import Message

import pytest

from access.headers import HEADERS
from tests.browser.server import Server

DOORS = {
    "/": "script-src 'self' blob:",
    "/explorer": "script-src 'self' blob:",
    "/_stcore/health": "script-src 'self' blob:",
    "/_stcore/upload_file/a/b": "script-src 'self' blob:",
    "/room": "script-src 'self'; style-src 'self';",
    "/room/BCDF/state": "script-src 'self'; style-src 'self';",
    "/figures/pictures?link=/": "sandbox",
}
"""Addresses, and a part of the policy of each."""


def headers(address: str) -> Message:
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.headers
    except urllib.error.HTTPError as refused:
        return refused.headers


@pytest.mark.parametrize("path", DOORS)
def test_every_endpoint_has_its_policy(app: Server, path: str) -> None:
    found = headers(app.address + path)
    assert {name: found[name] for name in HEADERS} == HEADERS
    assert DOORS[path] in found["content-security-policy"]
    assert "unsafe-eval" not in found["content-security-policy"]
    for cookie in found.get_all("set-cookie", []):
        assert "; HttpOnly" in cookie
        assert "; SameSite=" in cookie


def test_the_key_of_a_training_comes_with_a_page_and_is_renewed(app: Server) -> None:
    (given,) = [
        one for one in headers(app.address).get_all("set-cookie") if one.startswith("attention-lab-o")
    ]
    cookie = given.partition(";")[0]
    request = urllib.request.Request(app.address, headers={"Cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        again = [one for one in answer.headers.get_all("set-cookie") if one.startswith(f"{cookie};")]
    assert len(cookie) == len("attention-lab-owner=") + 43
    assert again == [given]
