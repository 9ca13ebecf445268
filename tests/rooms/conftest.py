"""Both stores: every test that asks for `store` runs on a file and on a separate Redis."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from deploy.health import wait_until
from rooms.redis_store import RedisStore
from rooms.sqlite_store import SqliteStore
from rooms.store import Store
from tests.rooms.clock import Clock

LONGEST_START = 60
NEEDS_REDIS = "redis-server is not there: as root on Debian `make ready` installs it"

Again = Callable[[], Store]
"""Another process's view of the same rooms."""


@pytest.fixture(scope="session")
def redis_address() -> Iterator[str]:
    """A Redis without a file on the disk, at a socket in a temporary folder."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip(NEEDS_REDIS)
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "redis.sock"
        options = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder]
        server = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        try:
            assert wait_until(lambda: _answers(socket), seconds=LONGEST_START, every=0.02)
            yield f"unix://{socket}"
        finally:
            server.terminate()
            server.wait()


def _answers(socket: Path) -> bool:
    try:
        return bool(redis.Redis(unix_socket_path=str(socket)).ping())
    except redis.RedisError:
        return False


@pytest.fixture
def clock() -> Clock:
    """The time of the stores, which begins now, because Redis uses the real clock."""
    return Clock(time.time())


@pytest.fixture(params=["sqlite", "redis"])
def again(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Again]:
    """Return a function that opens the store, as another process would."""
    if request.param == "sqlite":
        yield lambda: SqliteStore(tmp_path / "rooms.sqlite", clock)
        return
    address = request.getfixturevalue("redis_address")
    yield lambda: RedisStore(address, clock)
    redis.Redis.from_url(address).flushall()


@pytest.fixture
def store(again: Again) -> Store:
    """A store without rooms."""
    return again()
