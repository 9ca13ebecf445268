"""nginx as the tests need it: the system's, in a folder of the test's own."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from deploy.nginx.configuration import Process, write
from deploy.serve import find_nginx
from deploy.settings import Settings

THREE = [Process("7", "127.0.0.1:7013"), Process("11", "127.0.0.1:7019"), Process("x5", "[::1]:7039")]


def judge(folder: Path, processes: Sequence[Process], settings: Settings) -> str:
    """What `nginx -t` says of the configuration for these processes; CalledProcessError if it refuses."""
    write(folder, processes, settings, listen="localhost:7043")
    command = [find_nginx(), "-e", "stderr", "-t", "-p", str(folder), "-c", "nginx.conf"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr
