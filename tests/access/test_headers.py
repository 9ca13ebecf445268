"""Headers of every answer: what a browser may do with it, and the flags of cookies."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from access.headers import HEADERS, SecurityHeaders, flagged, frame_ancestors, policy
from access.rules import rules
from tests.covering import each

PAGE = "<script>first()</script><script src='./a.js'></script><script type='module'>\nsecond()</script>"
STRICT = "default-src 'none'; sandbox"


async def page(request: Any) -> PlainTextResponse:
    headers = {"content-security-policy": STRICT} if request.url.path == "/strict" else {}
    response = PlainTextResponse("page", headers=headers)
    response.headers.append("set-cookie", "a=1; Path=/")
    response.headers.append("set-cookie", "b=2; path=/; httponly; samesite=strict")
    return response


def asked(path: str = "/", scheme: str = "http") -> Any:
    app = Starlette(routes=[Route("/", page), Route("/strict", page)])
    return TestClient(SecurityHeaders(app, policy(PAGE)), base_url=f"{scheme}://lab.example").get(path)


def test_scripts_come_from_the_server_or_the_page_and_none_is_evaluated() -> None:
    directives = dict(one.split(" ", 1) for one in policy(PAGE).split("; "))
    hashes = [base64.b64encode(hashlib.sha256(one).digest()).decode() for one in (b"first()", b"\nsecond()")]
    assert directives["script-src"] == f"'self' blob: 'sha256-{hashes[0]}' 'sha256-{hashes[1]}'"
    assert directives["default-src"] == directives["form-action"] == directives["base-uri"] == "'none'"
    assert directives["connect-src"] == directives["frame-src"] == directives["frame-ancestors"] == "'self'"
    assert "unsafe-eval" not in policy(PAGE)
    assert "http" not in policy(PAGE), "nothing is fetched from elsewhere"


def test_the_script_in_the_page_of_streamlit_is_found() -> None:
    theirs = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    assert policy(theirs).count("'sha256-") == len(re.findall("<script>", theirs)) > 0


@each("path", ["/", "/strict", "/nowhere"])
def test_every_answer_has_every_header_and_a_stricter_policy_stays(path: str) -> None:
    headers = asked(path).headers
    expected = HEADERS | {"content-security-policy": STRICT if path == "/strict" else policy(PAGE)}
    assert {name: headers.get(name) for name in expected} == expected


@each("scheme", ["http", "https"])
def test_over_tls_alone_cookies_are_secure_and_a_browser_keeps_to_it(scheme: str) -> None:
    answer, is_encrypted = asked(scheme=scheme), scheme == "https"
    assert answer.headers.get("strict-transport-security") == ("max-age=31536000" if is_encrypted else None)
    cookies = answer.headers.get_list("set-cookie")
    assert len(cookies) == 2
    assert [cookie.endswith("; Secure") for cookie in cookies] == [is_encrypted] * 2


def test_flags_are_completed_and_not_doubled() -> None:
    assert flagged(b"a=1; Path=/", False) == b"a=1; Path=/; HttpOnly; SameSite=Lax"
    whole = b"a=1; path=/; httponly; samesite=strict; secure"
    assert flagged(whole, True) == whole
    assert flagged(b"HttpOnly=Secure", True) == b"HttpOnly=Secure; HttpOnly; SameSite=Lax; Secure"


def test_an_operator_names_the_origins_that_may_frame_the_app() -> None:
    asked = frame_ancestors({"ATTENTION_LAB_FRAME_ANCESTORS": "'self' https://slides.example:8443"})
    assert policy(PAGE, asked).endswith("; frame-ancestors 'self' https://slides.example:8443")
    assert frame_ancestors({}) == frame_ancestors({"ATTENTION_LAB_FRAME_ANCESTORS": ""}) == "'self'"


@each("text", ["'self'; script-src *", "a\nb", 'x"', "{}"])
def test_origins_that_would_end_the_directive_end_the_process_with_a_sentence(text: str) -> None:
    with pytest.raises(SystemExit, match="ATTENTION_LAB_FRAME_ANCESTORS must be"):
        rules(PAGE, environment={"ATTENTION_LAB_FRAME_ANCESTORS": text})
