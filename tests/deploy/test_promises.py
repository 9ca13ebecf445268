"""Settings are as the files in `promised` list them, and no others are set: they are compared whole."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.settings import Settings
from tests.deploy import promises as settings
from tests.deploy.promises import REST, directives, leaves, nginx, promised

SUBJECTS: dict[str, Callable[[Path], list[str]]] = {
    "nginx": nginx,
    "supervisor": lambda _: settings.supervisor(),
    "streamlit": lambda _: settings.streamlit(),
    "containers": lambda _: settings.containers(),
    "kubernetes": lambda _: settings.kubernetes(),
}
ROOT_ALONE = "nginx.conf: user root"
ENCRYPTED = (
    *("ssl_certificate /etc/chain.pem", "ssl_certificate_key /etc/key.pem"),
    *("include tls.conf", "listen localhost:7043 ssl http2"),
)


@pytest.fixture(autouse=True)
def somebody_else_than_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1009)


def differences(found: list[str], expected: list[str]) -> dict[str, list[str]]:
    """Return the settings that are not expected, and the expected ones that are missing."""
    here, there = Counter(found), Counter(expected)
    return {"set": sorted((here - there).elements()), "expected": sorted((there - here).elements())}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_setting_is_as_it_is_promised(subject: str, tmp_path: Path) -> None:
    expected = [line for lines in promised(subject).values() for line in lines]
    assert differences(SUBJECTS[subject](tmp_path), expected) == {"set": [], "expected": []}


def test_every_promise_has_settings_and_every_setting_its_promise() -> None:
    kept = [promise for subject in SUBJECTS for promise in promised(subject) if promise != REST]
    assert len(set(kept)) == len(kept) > 20
    assert [name for subject in SUBJECTS for name, lines in promised(subject).items() if not lines] == []
    assert {path.stem for path in settings.PROMISED.iterdir()} == set(SUBJECTS)


def test_a_certificate_changes_only_the_encryption(tmp_path: Path) -> None:
    with_one, without = nginx(tmp_path), nginx(tmp_path, Settings())
    at = "nginx.conf: http > server 1 > "
    assert differences(without, with_one) == {
        "set": [f"{at}listen localhost:7043"],
        "expected": sorted(f"{at}{line}" for line in ENCRYPTED),
    }


def test_root_changes_only_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for_others = nginx(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert differences(nginx(tmp_path), for_others) == {"set": [ROOT_ALONE], "expected": []}


def test_the_files_of_a_server_are_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "8501"
    folder.mkdir(mode=0o755)
    nginx(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_directives_are_named_with_their_blocks() -> None:
    text = """
    a 1; # not; this {
    server { listen "one"; location / { b "x; {y}" 'z "'; } }
    server { listen ${TWO}; }
    map $c $d { default ""; "~^\\d{2}$" 1; }
    add_header Content-Security-Policy "default-src 'none'; base-uri 'none'" always;
    """
    assert list(directives(text)) == [
        "a 1",
        "server 1 > listen one",
        'server 1 > location / > b x; {y} z "',
        "server 2 > listen ${TWO}",
        'map $c $d > default ""',
        r"map $c $d > ~^\d{2}$ 1",
        "add_header Content-Security-Policy default-src 'none'",
        "add_header Content-Security-Policy base-uri 'none' always",
    ]


def test_values_are_named_with_their_parents() -> None:
    tree = {"a": {"b": False, "c": [], "d": ["x", 1]}, "e": [{"f": "0"}, {"f": 0}], "g": {}}
    assert list(leaves(tree)) == [
        *("a > b = false", "a > c = []", 'a > d = ["x", 1]'),
        *('e > 0 > f = "0"', "e > 1 > f = 0", "g = {}"),
    ]
