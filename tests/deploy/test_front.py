"""nginx before processes that answer with their names: distribution, limits, and headers of answers."""

import gzip
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from deploy.health import wait_until
from deploy.nginx.configuration import Process, write_upstreams
from deploy.settings import Settings
from tests.covering import each
from tests.deploy.nginx import LONGEST_WAIT, SCRIPT, STREAM, Answer, Front, StandIn, running

PHONE = "/room/BCDF/state"
SETTLING = ["/", "/training", STREAM]
PATHS = [*SETTLING, "/_stcore/health", "/_stcore/metrics", "/static/js/a.js", "/room", PHONE]
STARTING = "default-src 'none'; style-src 'unsafe-inline'"
"""The policy of the page that nginx shows while no process answers."""

OF_PROCESSES = {
    *("date", "content-type", "content-length", "connection", "cache-control", "vary"),
    *("accept-ranges", "last-modified", "etag"),
}
"""The headers that nginx passes on, and the headers of every answer."""


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


def before(processes: list[StandIn], **limits: int) -> AbstractContextManager[Front]:
    """nginx with these limits before some."""
    return running([one.process for one in processes], Settings(**limits))


@contextmanager
def holding(*names: str) -> Iterator[list[StandIn]]:
    """Processes whose pages stay open until they are let go."""
    made = [StandIn(name, holds=True) for name in names]
    try:
        yield made
    finally:
        for one in made:
            one.end()


def let_go(processes: list[StandIn]) -> None:
    for one in processes:
        one.let_go()


def until(happens: Callable[[], bool]) -> None:
    """Wait for an event, however long it takes on a busy machine."""
    assert wait_until(happens, seconds=LONGEST_WAIT, every=0.01), "the event has not happened"


def test_new_visitors_are_shared_out_evenly(front: Front) -> None:
    assert Counter(front.ask().cookie for _ in range(9)) == {"7": 3, "11": 3, "13": 3}


def test_pages_that_come_back_all_at_once_are_shared_out_evenly() -> None:
    """A browser asks a few times whether the server is up, and then opens its websocket."""

    def come_back(number: int) -> str:
        for _ in range(number % 3):
            front.ask("/_stcore/health", cookie="old")
            front.ask("/_stcore/host-config", cookie="old")
        return front.ask(STREAM, cookie="old").cookie

    with ThreadPoolExecutor(9) as pool, holding("7", "11", "13") as three, before(three) as front:
        homes = pool.map(come_back, range(9))
        until(lambda: sum(one.n_pages for one in three) == 9)
        let_go(three)
        assert Counter(homes) == {"7": 3, "11": 3, "13": 3}


def test_new_visitors_go_where_the_fewest_pages_are_open() -> None:
    with ThreadPoolExecutor(1) as pool, holding("7", "11") as two, before(two) as front:
        opened = pool.submit(front.ask, STREAM)
        until(lambda: any(one.n_pages for one in two))
        arrived = {front.ask().cookie for _ in range(4)}
        let_go(two)
        assert arrived == {"7", "11"} - {opened.result().cookie}


@each("path", ["/", "/media/a.png", STREAM])
def test_a_visitor_comes_back_to_the_same_process(front: Front, path: str) -> None:
    answers = [front.ask(path, cookie="11") for _ in range(5)]
    assert [answer.body for answer in answers] == [b"11"] * 5
    assert [answer.cookie for answer in answers] == [""] * 5, "nothing new to remember"


def test_another_process_replaces_a_dead_one_for_good(front: Front, three: list[StandIn]) -> None:
    three[1].end()
    first = front.ask(cookie="11")
    assert first.status == 200
    assert first.cookie == first.body.decode() in ("7", "13")
    assert {front.ask(cookie=first.cookie).body for _ in range(4)} == {first.body}


def test_the_visitors_of_a_process_that_is_gone_are_shared_out(front: Front, three: list[StandIn]) -> None:
    three[1].end()
    assert Counter(front.ask(cookie="11").cookie for _ in range(8)) == {"7": 4, "13": 4}


@each("cookie", ["5", "home_7", "x; attention_lab_process=7x", "\"'$", "7" * 5000])
def test_a_cookie_that_names_no_process_gets_a_new_one(front: Front, cookie: str) -> None:
    answer = front.ask(cookie=cookie)
    assert answer.status == 200
    assert answer.cookie == answer.body.decode() in ("7", "11", "13")


def test_visitors_can_be_led_to_other_processes_without_a_request_lost(front: Front) -> None:
    new = [StandIn("17"), StandIn("19")]
    write_upstreams(front.folder, [one.process for one in new])
    # As `make restart` does through supervisor.
    process = front.process()
    assert process is not None, "it runs, and has written its number down"
    os.kill(process, signal.SIGHUP)
    answers: list[Answer] = []

    def is_led_there() -> bool:
        answers.append(front.ask(cookie="7"))
        return answers[-1].cookie in ("17", "19")

    until(is_led_there)
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
    assert answer.headers["content-security-policy"] == STARTING


@each("path", PATHS)
def test_nginx_leaves_policies_to_the_processes(front: Front, path: str) -> None:
    headers = dict(front.ask(path).headers)
    said = {name: value for name, value in headers.items() if name not in OF_PROCESSES}
    assert said == {
        "server": "nginx",  # no version
    } | ({"set-cookie": said.get("set-cookie")} if path in SETTLING else {})


@each("path", SETTLING)
def test_the_cookie_names_a_process_and_is_for_no_script_and_no_other_page(front: Front, path: str) -> None:
    answer = front.ask(path)
    home = answer.body.decode()
    assert answer.headers["set-cookie"] == f"attention_lab_process={home}; Path=/; HttpOnly; SameSite=Lax"


def heard_by(processes: list[StandIn]) -> dict[str, str]:
    """Return the headers of the one request that processes have got since the last call."""
    (headers,) = [one for process in processes for one in process.headers]
    for process in processes:
        process.headers.clear()
    return headers


@each("path", ["/", STREAM, "/_stcore/health", "/static/js/a.js"])
def test_processes_learn_the_name_of_the_server_and_no_forwarded_address(
    front: Front, three: list[StandIn], path: str
) -> None:
    """Streamlit refuses a websocket whose page comes from another name."""
    given = {"X_Forwarded_For": "6.6.6.6, 7.7.7.7", "X_Forwarded_Proto": "https"}
    assert front.ask(path, Host="lab.example:8443", **given).status == 200
    heard = heard_by(three)
    assert heard["host"] == "lab.example:8443"
    assert heard.get("x-forwarded-for", "127.0.0.1") == "127.0.0.1"
    assert heard.get("x-forwarded-proto", "http") == "http"


@each(
    ("origin", "status"),
    [
        *(("https://lab.example:8443", 200), ("http://lab.example:8443", 200)),
        *(("https://lab.example", 403), ("https://lab.example:8443.evil.example", 403), ("null", 403)),
        *(("https://evil.example/lab.example:8443", 403), ("https://evil.example lab.example:8443", 403)),
    ],
)
def test_a_websocket_for_a_page_of_another_server_is_refused(front: Front, origin: str, status: int) -> None:
    assert front.ask(STREAM, Host="lab.example:8443", Origin=origin).status == status


def test_a_body_has_64_kb_at_most_and_below_a_room_256(front: Front) -> None:
    for size, status in ((256 * 1024, 200), (256 * 1024 + 1, 413)):
        assert front.ask("/room/BCDF/answer", method="POST", body=bytes(size)).status == status
    assert front.ask(body=bytes(64 * 1024)).status == 200
    assert front.ask(body=bytes(64 * 1024 + 1)).status == 413


@each("path", ["metrics", "script-health-check", "upload_file/a/b", "agent/mcp"])
def test_unused_addresses_are_not_found(front: Front, three: list[StandIn], path: str) -> None:
    assert front.ask(f"/_stcore/{path}").status == 404
    assert [one.asked for one in three] == [[], [], []]


@each("method", ["PUT", "POST", "DELETE", "PATCH"])
@each("path", ["/", "/rooms", "/static/js/a.js", "/_stcore/health"])
def test_other_methods_than_get_are_refused(front: Front, method: str, path: str) -> None:
    assert front.ask(path, method=method).status == 403


def test_phones_of_a_room_may_answer_any_process(front: Front, three: list[StandIn]) -> None:
    assert [front.ask("/room/BCDF/answer", method=name).status for name in ("PUT", "DELETE")] == [403] * 2
    answers = [front.ask("/room/BCDF/answer", method="POST", body=b"{}", cookie="11") for _ in range(6)]
    assert [answer.status for answer in answers] == [200] * 6
    assert {answer.cookie for answer in answers} == {""}
    assert [len(one.asked) for one in three] == [2, 2, 2]
    three[1].end()
    after = [front.ask("/room/BCDF/answer", method="POST", body=b"{}") for _ in range(6)]
    assert [answer.status for answer in after] == [200] * 6, "another process answers"


def test_more_requests_of_phones_than_allowed_are_refused_and_pages_are_not() -> None:
    with holding("7") as (one,), before([one], phone_requests_per_second=1, phone_requests_burst=5) as front:
        assert [front.ask(PHONE).status for _ in range(6)] == [200] * 6
        until_refused(front, PHONE)
        assert front.ask().status == 200


def test_a_link_of_several_pages_passes_and_an_endless_one_does_not(front: Front) -> None:
    assert front.ask("/?text=" + "a" * 20_000).status == 200
    assert front.ask("/?text=" + "a" * 40_000).status == 414


def test_a_script_has_an_encoding_that_the_browser_accepts(front: Front) -> None:
    packed = front.ask("/static/js/a.js", Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == front.ask("/static/js/a.js").body == SCRIPT.encode()
    assert packed.headers["cache-control"] == "public, max-age=31536000"
    assert "set-cookie" not in packed.headers


def test_pages_and_scripts_are_served_from_a_disk_that_takes_nothing(front: Front) -> None:
    rmtree(front.folder / "temporary")
    assert front.ask("/static/js/a.js").body == SCRIPT.encode()
    assert front.ask("/training").status == 200
    assert front.ask("/room/BCDF/answer", method="POST", body=bytes(200_000)).status == 200


def test_no_more_pages_are_open_from_one_address_than_allowed() -> None:
    with (
        ThreadPoolExecutor(3) as pool,
        holding("7") as (one,),
        before([one], sessions_per_address=3) as front,
    ):
        opened = [pool.submit(front.ask, STREAM) for _ in range(3)]
        until(lambda: one.n_pages == 3)
        assert [front.ask(STREAM).status for _ in range(4)] == [429] * 4
        assert front.ask("/_stcore/health").status == 200, "nothing else is limited by it"
        one.let_go()
        assert [page.result().status for page in opened] == [200] * 3
        until(lambda: front.ask(STREAM).status == 200)


def test_more_arrivals_than_may_wait_are_refused() -> None:
    with (
        holding("7") as (one,),
        before([one], arrivals_per_second=1, arrivals_at_once=3, arrivals_burst=3) as front,
    ):
        one.let_go()
        assert [front.ask(STREAM).status for _ in range(4)] == [200] * 4, "one, and three in the burst"
        until_refused(front, STREAM)


def test_more_requests_than_allowed_are_refused_but_scripts_are_not_counted() -> None:
    with holding("7") as (one,), before([one], requests_per_second=1, requests_burst=5) as front:
        assert [front.ask().status for _ in range(6)] == [200] * 6
        until_refused(front, "/?text=secret")
        until(lambda: " 429 " in front.log())
        assert "secret" not in front.log()
        assert {front.ask("/static/js/a.js").status for _ in range(17)} == {200}


def until_refused(front: Front, path: str) -> None:
    """Send requests until one is refused: several at once, so that a slow machine sends enough too."""
    with ThreadPoolExecutor(7) as pool:
        until(lambda: 429 in pool.map(lambda _: front.ask(path).status, range(14)))


def test_the_log_names_the_process_but_no_typed_text_and_no_visitor(front: Front) -> None:
    front.ask("/room/BCDF/answer", method="POST", body=b"{}")
    name = front.ask("/training?text=secret", Referer="http://elsewhere/?text=secret").cookie
    until(lambda: "/training" in front.log())
    assert re.search(rf" 200 GET /training {len(name)} B ", front.log())
    assert "secret" not in front.log()
    assert "127.0.0.1 " not in front.log()
    assert "room" not in front.log(), "no log has the time of an answer"


def test_the_log_of_answers_is_json_if_asked(three: list[StandIn]) -> None:
    with running([one.process for one in three], Settings(logs="json")) as front:
        front.ask('/a"b?text=secret')
        until(lambda: "process" in front.log())
        said = json.loads(front.log().splitlines()[-1])
    assert (said["status"], said["method"], said["path"]) == (200, "GET", '/a"b')
    assert "secret" not in str(said)


@pytest.fixture
def without_processes() -> Iterator[Front]:
    """nginx before a process that is gone, with a disk that takes nothing."""
    with running([Process("7", "127.0.0.1:9")]) as front:
        rmtree(front.folder / "temporary")
        yield front


@each(
    ("path", "asked", "status"),
    [
        ("/?text=secret", {}, 502),
        ("/figures/file?link=secret", {"method": "POST", "body": bytes(4 * 2**20)}, 413),
        ("/figures/file?link=secret", {"method": "POST", "body": b"a"}, 502),
        ("/room/BCDF/answer?key=secret", {"method": "POST", "body": bytes(300_000)}, 413),
        ("/?text=secret" + "a" * 40_000, {}, 414),
        ("/?text=secret", {"method": "DELETE"}, 403),
        (f"{STREAM}?text=secret", {"Origin": "https://secret.example"}, 403),
        ("/_stcore/upload_file/a?text=secret", {"method": "PUT"}, 404),
        ("/?text=secret", {"body": bytes(50_000), "method": "POST"}, 403),
    ],
)
def test_no_error_of_nginx_logs_an_address_or_typed_text(
    without_processes: Front, path: str, asked: dict[str, Any], status: int
) -> None:
    front, before = without_processes, len(without_processes.log())
    answer = front.ask(path, **asked)
    assert answer.status in (status, 503 if status == 502 else status)
    until(lambda: f" {answer.status} " in front.log()[before:] or "/room" in path)
    assert not [word for word in ("secret", "127.0.0.1,", "client") if word in front.log()]


def test_with_a_certificate_connections_are_encrypted_for_good(three: list[StandIn], tmp_path: Path) -> None:
    certificate, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    subprocess.run([*made, *subject], check=True, capture_output=True)
    settings = Settings(certificate=str(certificate), key=str(key))
    with running([one.process for one in three], settings) as front:
        trusted = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(front.address.replace("http", "https"), context=trusted) as answer:
            assert answer.headers["Set-Cookie"].endswith("; Secure")
        assert front.ask().status == 400, "not encrypted"


@pytest.fixture
def below(three: list[StandIn]) -> Iterator[Front]:
    """nginx that serves below a path."""
    with running([one.process for one in three], base="/lab") as front:
        yield front


@each("path", PATHS)
def test_addresses_below_a_base_path_work_as_at_the_root(
    below: Front, front: Front, three: list[StandIn], path: str
) -> None:
    at_root, there = front.ask(path), below.ask(f"/lab{path}")

    asked = [path for one in three for path in one.asked]
    given = [one.get("x-forwarded-prefix") for each in three for one in each.headers]
    for one in three:
        one.asked.clear()
        one.headers.clear()
    assert there.status == at_root.status
    assert there.headers.get("set-cookie", "").replace("Path=/lab/", "Path=/") == at_root.headers.get(
        "set-cookie", ""
    ).replace(at_root.cookie or " ", there.cookie or " ")
    if there.status == 200:
        assert asked == [path] * 2
        assert sorted(given, key=str) == ["/lab", None]


def test_outside_the_base_path_only_a_proxy_that_strips_it_is_served(
    below: Front, three: list[StandIn]
) -> None:
    for path in ("/", "/masking", "/laboratory", "/_stcore/health", "/room"):
        assert below.ask(path).status == 404, path
        assert below.ask(path, X_Forwarded_Prefix="/lab").status == 200, path
    assert below.ask("/_stcore/metrics", X_Forwarded_Prefix="/lab").status == 404
    assert sorted(path for one in three for path in one.asked) == sorted(
        ["/", "/masking", "/laboratory", "/_stcore/health", "/room"]
    )


def test_the_base_path_without_its_slash_leads_to_the_home(below: Front) -> None:
    connection = http.client.HTTPConnection(below.address.removeprefix("http://"))
    connection.request("GET", "/lab?embed=true")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (302, "/lab/?embed=true")
    connection.close()


@each("proxy", ["10.0.0.0/8,127.0.0.0/8", "10.0.0.0/8", ""])
def test_a_named_proxy_alone_says_how_and_from_where_a_visitor_comes(
    three: list[StandIn], proxy: str
) -> None:
    is_believed = "127.0.0" in proxy
    with running([one.process for one in three], Settings(proxy=proxy)) as front:
        for said in ("https", "http", "gopher", ""):
            given = {"X_Forwarded_For": "203.0.113.7"} | ({"X_Forwarded_Proto": said} if said else {})
            answer, heard = front.ask("/", **given), heard_by(three)
            is_encrypted = is_believed and said == "https"
            assert heard["x-forwarded-proto"] == ("https" if is_encrypted else "http")
            assert heard["x-forwarded-for"] == ("203.0.113.7" if is_believed else "127.0.0.1")
            assert answer.headers["set-cookie"].endswith("; Secure") is is_encrypted


@each("named", ["127.0.0.1,198.51.100.0/24", "127.0.0.1"])
def test_behind_several_proxies_the_last_unnamed_address_is_the_visitor(
    three: list[StandIn], named: str
) -> None:
    with running([one.process for one in three], Settings(proxy=named)) as front:
        front.ask("/", X_Forwarded_For="192.0.2.9, 203.0.113.7, 198.51.100.8")

    assert heard_by(three)["x-forwarded-for"] == ("203.0.113.7" if "," in named else "198.51.100.8")
