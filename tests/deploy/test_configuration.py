"""nginx understands what is written for it, and finds in it what was asked for."""

from pathlib import Path

import pytest

from deploy.nginx.configuration import write
from deploy.settings import Settings
from tests.deploy.nginx import THREE, judge


@pytest.mark.parametrize("count", [1, 2, 3])
def test_nginx_takes_the_configuration(tmp_path: Path, count: int) -> None:
    assert "test is successful" in judge(tmp_path, THREE[:count], Settings())


def test_nothing_stays_to_be_filled_in(tmp_path: Path) -> None:
    write(tmp_path, THREE, Settings(), listen="localhost:7043")
    assert "${" not in (tmp_path / "nginx.conf").read_text("utf-8")


def test_limits_stand_where_nginx_looks_for_them(tmp_path: Path) -> None:
    settings = Settings(sessions_per_address=307, arrivals_per_second=13, connections_per_address=911)
    write(tmp_path, THREE, settings, listen="localhost:7043")
    text = (tmp_path / "nginx.conf").read_text("utf-8")
    assert "limit_conn sessions 307;" in text
    assert "zone=arrivals:10m rate=13r/s;" in text
    assert "limit_conn connections 911;" in text
    assert "listen localhost:7043;" in text
