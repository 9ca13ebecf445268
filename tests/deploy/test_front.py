"""nginx before processes that say who they are: who gets whom, what is let through, what answers bring."""

import gzip
import os
import re
import signal
import ssl
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.health import wait_until
from deploy.nginx.configuration import write_upstreams
from deploy.settings import Settings
from tests.deploy.nginx import SCRIPT, Answer, Front, StandIn, running

PATHS = ["/", "/training", "/_stcore/stream", "/_stcore/metrics", "/static/js/a.js"]


@pytest.fixture
def three() -> Iterator[list[StandIn]]:
    """Three processes."""
    made = [StandIn(name) for name in ("7", "11", "13")]
    yield made
    for one in made:
        one.end()


@pytest.fixture
def front(three: list[StandIn]) -> Iterator[Front]:
    """nginx before them."""
    with running([one.process for one in three]) as front:
        yield front


def test_new_visitors_are_shared_out_evenly(front: Front) -> None:
    assert Counter(front.ask().cookie for _ in range(9)) == {"7": 3, "11": 3, "13": 3}


def test_pages_that_come_back_all_at_once_are_shared_out_evenly() -> None:
    """A browser asks whether anybody is there, some times more or less, and then opens its websocket."""
    three = [StandIn(name, seconds=0.5) for name in ("7", "11", "13")]

    def come_back(number: int) -> str:
        for _ in range(number % 3):
            front.ask("/_stcore/health", cookie="old")
            front.ask("/_stcore/host-config", cookie="old")
        return front.ask("/_stcore/stream", cookie="old").cookie

    with running([one.process for one in three]) as front, ThreadPoolExecutor(9) as pool:
        for one in three:
            one.seconds = 0.5
        assert Counter(pool.map(come_back, range(9))) == {"7": 3, "11": 3, "13": 3}
    for one in three:
        one.end()


def test_new_visitors_go_where_the_fewest_pages_are_open() -> None:
    two = [StandIn(name, seconds=1) for name in ("7", "11")]
    with running([one.process for one in two]) as front, ThreadPoolExecutor(1) as pool:
        opened = pool.submit(front.ask, "/_stcore/stream")
        assert wait_until(lambda: any(one.asked for one in two), seconds=20, every=0.01)
        arrived = {front.ask().cookie for _ in range(4)}
        assert arrived == {"7", "11"} - {opened.result().cookie}
    for one in two:
        one.end()


@pytest.mark.parametrize("path", ["/", "/training", "/media/a.png", "/_stcore/stream"])
def test_a_visitor_comes_back_to_the_same_process(front: Front, path: str) -> None:
    answers = [front.ask(path, cookie="11") for _ in range(5)]
    assert [answer.body for answer in answers] == [b"11"] * 5
    assert [answer.cookie for answer in answers] == [""] * 5, "nothing new to remember"


def test_where_the_process_is_gone_another_takes_its_place_for_good(
    front: Front, three: list[StandIn]
) -> None:
    three[1].end()
    first = front.ask(cookie="11")
    assert first.status == 200
    assert first.cookie == first.body.decode() in ("7", "13")
    assert {front.ask(cookie=first.cookie).body for _ in range(4)} == {first.body}


def test_the_visitors_of_a_process_that_is_gone_are_shared_out(front: Front, three: list[StandIn]) -> None:
    three[1].end()
    assert Counter(front.ask(cookie="11").cookie for _ in range(8)) == {"7": 4, "13": 4}


@pytest.mark.parametrize("cookie", ["5", "home_7", "x; attention_lab_process=7x", "\"'$", "7" * 5000])
def test_a_cookie_that_names_no_process_gets_a_new_one(front: Front, cookie: str) -> None:
    answer = front.ask(cookie=cookie)
    assert answer.status == 200
    assert answer.cookie == answer.body.decode() in ("7", "11", "13")


def test_visitors_can_be_led_to_other_processes_without_a_request_lost(front: Front) -> None:
    new = [StandIn("17"), StandIn("19")]
    write_upstreams(front.folder, [one.process for one in new])
    # As `make restart` does through supervisor.
    os.kill(int((front.folder / "nginx.pid").read_text()), signal.SIGHUP)
    answers: list[Answer] = []

    def is_led_there() -> bool:
        answers.append(front.ask(cookie="7"))
        return answers[-1].cookie in ("17", "19")

    assert wait_until(is_led_there, seconds=20, every=0.01)
    assert {answer.status for answer in answers} == {200}
    for one in new:
        one.end()


def test_without_any_process_the_page_says_so_and_tries_again(front: Front, three: list[StandIn]) -> None:
    for one in three:
        one.end()
    answer = front.ask("/training?text=%3Cb%3E")
    assert (answer.status, answer.headers["retry-after"]) == (503, "3")
    assert b'http-equiv="refresh"' in answer.body
    assert b"Attention Lab is starting" in answer.body
    assert b"<b>" not in answer.body
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_says_what_a_browser_may_do(front: Front, path: str) -> None:
    headers = front.ask(path).headers
    assert "default-src 'none'; script-src 'self' blob: 'sha256-" in headers["content-security-policy"]
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["server"] == "nginx", "no version"


@pytest.mark.parametrize("path", ["metrics", "script-health-check", "upload_file/a/b", "agent/mcp"])
def test_what_no_page_needs_is_not_there(front: Front, three: list[StandIn], path: str) -> None:
    assert front.ask(f"/_stcore/{path}").status == 404
    assert [one.asked for one in three] == [[], [], []]


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/", "/static/js/a.js", "/_stcore/health"])
def test_nobody_can_send_anything(front: Front, method: str, path: str) -> None:
    assert front.ask(path, method=method).status == 403


def test_a_link_of_several_pages_passes_and_an_endless_one_does_not(front: Front) -> None:
    assert front.ask("/?text=" + "a" * 20_000).status == 200
    assert front.ask("/?text=" + "a" * 40_000).status == 414


def test_a_script_is_asked_for_once_and_sent_packed(front: Front, three: list[StandIn]) -> None:
    for _ in range(3):
        packed = front.ask("/static/js/a.js", Accept_Encoding="gzip, deflate, br")
        plain = front.ask("/static/js/a.js")
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body == SCRIPT.encode()
        assert packed.headers["cache-control"] == "public, max-age=31536000"
        assert "set-cookie" not in packed.headers
    assert sum(len(one.asked) for one in three) == 2, "one packed, one plain"


def test_a_script_that_is_kept_outlives_the_processes(front: Front, three: list[StandIn]) -> None:
    front.ask("/static/js/a.js")
    for one in three:
        one.end()
    assert front.ask("/static/js/a.js").body == SCRIPT.encode()


def test_no_more_pages_are_open_from_one_address_than_allowed() -> None:
    one = StandIn("7", seconds=1)
    with running([one.process], Settings(sessions_per_address=3)) as front, ThreadPoolExecutor(7) as pool:
        answers = list(pool.map(lambda _: front.ask("/_stcore/stream").status, range(7)))
        assert Counter(answers) == {200: 3, 429: 4}
        assert front.ask("/_stcore/health").status == 200, "nothing else is limited by it"
    one.end()


def test_more_arrivals_than_may_wait_are_refused() -> None:
    one = StandIn("7")
    limits = Settings(arrivals_per_second=1, arrivals_at_once=3, arrivals_burst=3)
    with running([one.process], limits) as front:
        answers = Counter(front.ask("/_stcore/stream").status for _ in range(11))
    assert answers[429] >= 5
    assert 4 <= answers[200] <= 6, "one, three in the burst, and what a slow machine lets through"
    one.end()


def test_more_requests_than_allowed_are_refused_but_scripts_are_not_counted() -> None:
    one = StandIn("7")
    with running([one.process], Settings(requests_per_second=1, requests_burst=5)) as front:
        assert 429 in [front.ask().status for _ in range(17)]
        assert {front.ask("/static/js/a.js").status for _ in range(17)} == {200}
    one.end()


def test_the_log_says_who_answered_and_not_what_was_typed_or_by_whom(front: Front) -> None:
    name = front.ask("/training?text=secret", Referer="http://elsewhere/?text=secret").cookie
    assert wait_until(lambda: "/training" in front.log(), seconds=20, every=0.01)
    assert re.search(rf" 200 GET /training {len(name)} B ", front.log())
    assert "secret" not in front.log()
    assert "127.0.0.1 " not in front.log()


def test_no_log_holds_what_was_typed_where_nobody_answers(front: Front, three: list[StandIn]) -> None:
    for one in three:
        one.end()
    front.ask("/training?text=secret")
    assert wait_until(lambda: " 503 GET /training" in front.log(), seconds=20, every=0.01)
    assert "secret" not in front.log()


def test_with_a_certificate_connections_are_encrypted_for_good(three: list[StandIn], tmp_path: Path) -> None:
    certificate, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    subprocess.run([*made, *subject], check=True, capture_output=True)
    settings = Settings(certificate=str(certificate), key=str(key))
    with running([one.process for one in three], settings) as front:
        trusted = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(front.address.replace("http", "https"), context=trusted) as answer:
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
            assert answer.headers["Set-Cookie"].endswith("; Secure")
        assert front.ask().status == 400, "not encrypted"


def test_without_one_nothing_is_promised(front: Front) -> None:
    headers = front.ask().headers
    assert "strict-transport-security" not in headers
    assert headers["set-cookie"].endswith("SameSite=Lax")
