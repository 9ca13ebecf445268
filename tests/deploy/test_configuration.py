"""nginx accepts its configuration, and the settings stand where it reads them."""

import re
from pathlib import Path

from deploy.nginx.configuration import upstreams, write
from deploy.settings import Settings
from tests.covering import each
from tests.deploy.nginx import THREE, judge


@each("count", [1, 3])
def test_nginx_takes_the_configuration(tmp_path: Path, count: int) -> None:
    assert "test is successful" in judge(tmp_path, THREE[:count], Settings())


def test_limits_stand_in_their_files_of_nginx(tmp_path: Path) -> None:
    settings = Settings(sessions_per_address=307, arrivals_per_second=13, connections_per_address=911)
    write(tmp_path, THREE, settings, listen="localhost:7043")
    text = (tmp_path / "nginx.conf").read_text("utf-8")
    assert "limit_conn sessions 307;" in text
    assert "zone=arrivals:10m rate=13r/s;" in text
    assert "limit_conn connections 911;" in text
    assert "listen localhost:7043;" in text


def test_a_process_comes_first_for_its_visitors_and_the_others_stand_by() -> None:
    text = upstreams(THREE)
    home = re.search(r"upstream home_11 {(.*?)}", text, re.DOTALL)
    assert home is not None
    servers = re.findall(r"server (\S+)(?: \S+=\S+)*( backup)?;", home[1])
    assert servers == [("127.0.0.1:7019", ""), ("127.0.0.1:7013", " backup"), ("[::1]:7039", " backup")]
