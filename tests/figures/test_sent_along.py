"""The pictures of a lecture come over HTTP with the request for its file."""

from urllib.parse import urlencode

import pytest

from access.limits import PICTURES
from figures import http
from tests.figures.test_http import Asked


def test_the_pictures_of_a_lecture_come_with_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    monkeypatch.setattr(http, "file", asked.file)
    address = f"/figures/file?{urlencode({'link': '/lecture?deck=~a', 'format': 'pptx'})}"
    assert asked.client.post(address, json=["a", "b", "a"]).status_code == 200
    ((request, _),) = asked.requests
    assert request.pictures == ("a", "b")

    for body in (b"", b"{", b"3", b'{"a": "b"}', b"[1]", b'["\xff"]'):
        answer = asked.client.post(address, content=body)
        assert (answer.status_code, answer.text) == (400, http.NO_PICTURES)
    large = asked.client.post(address, content=b'["' + b"a" * PICTURES.n_bytes + b'"]')
    assert (large.status_code, large.text) == (400, http.TOO_LARGE)
    foreign = asked.client.post(address, json=["a"], headers={"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    assert asked.client.post("/figures/pictures?link=/", json=[]).status_code == 405
    assert len(asked.requests) == 1
