"""Starts the app for many: `python -m deploy.serve --workers 2` runs supervisor until it is stopped."""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from access.headers import frame_ancestors
from access.hosts import allowed_hosts
from deploy.nginx.configuration import Process, write
from deploy.settings import from_environment
from rooms.lecturer import lecturer_key

ROOT = Path(__file__).parents[1]
CONFIGURATION = ROOT / "deploy" / "supervisor" / "supervisord.conf"
WHERE_ROOT_HAS_IT = "/usr/sbin:/usr/local/sbin"
ROOMS = "ATTENTION_LAB_ROOMS"
"""The variable that names the file of the rooms, which all processes have together."""
PROCESSES = "ATTENTION_LAB_PROCESSES"
"""The variable that says how many processes share the memory of the machine or container."""
BASE = "STREAMLIT_SERVER_BASE_URL_PATH"
"""The variable that tells Streamlit the path below which the app is served."""
IS_BASE = re.compile(r"(/[A-Za-z0-9_~-]+)+")
MOST_WORKERS = 64
LAST_PORT = 65_000
"""The processes have ports after that of nginx."""


def find_nginx() -> str:
    """The program nginx; FileNotFoundError says how to come by it."""
    path = os.pathsep.join([os.environ.get("PATH", ""), WHERE_ROOT_HAS_IT])
    found = shutil.which("nginx", path=path)
    if found is None:
        raise FileNotFoundError("nginx is not installed; on Debian: apt-get install nginx-light")
    return found


def folder_of(port: int) -> Path:
    """The folder of the files of a server on `port` while it runs: configuration, logs, sockets."""
    return ROOT / ".serve" / str(port)


def processes_from(first: int, count: int) -> list[Process]:
    """`count` processes on the ports from `first` on; each is called by its port."""
    return [Process(str(port), f"127.0.0.1:{port}") for port in range(first, first + count)]


def taken(host: str, ports: Iterable[int]) -> list[int]:
    """Ports at which something listens already."""
    return [port for port in ports if _is_taken(host, port)]


def _is_taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        # What has just been stopped leaves its connections behind for a minute, and they are in nobody's way.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def environment(folder: Path, *, workers: int, first: int, base: str = "") -> dict[str, str]:
    """What `supervisord.conf` asks for, and what Streamlit is told beyond its own file."""
    return {
        **os.environ,
        ROOMS: os.environ.get(ROOMS) or str(folder / "rooms.sqlite"),
        PROCESSES: str(workers),
        BASE: base,
        "SERVE_FOLDER": str(folder),
        "SERVE_ROOT": str(ROOT),
        "SERVE_PYTHON": sys.executable,
        "SERVE_NGINX": find_nginx(),
        "SERVE_WORKERS": str(workers),
        "SERVE_BLUE": str(first),
        "SERVE_GREEN": str(first + workers),
    }


def _a_few(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"expected 1 to {MOST_WORKERS}, got {text}")
    return int(text)


def _a_port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected 1 to {LAST_PORT}, got {text}")
    return int(text)


def _a_path(text: str) -> str:
    path = f"/{text.strip('/')}" if text.strip("/") else ""
    if path and not IS_BASE.fullmatch(path):
        raise argparse.ArgumentTypeError(f"expected a path such as /lab, got {text}")
    return path


def main(arguments: list[str] | None = None) -> None:
    """Write the configuration and become supervisor."""
    parser = argparse.ArgumentParser(prog="python -m deploy.serve", description=__doc__)
    parser.add_argument("--workers", type=_a_few, default=2, help="processes that serve at once, 1 to 64")
    parser.add_argument("--host", default="localhost", help="where nginx listens; 0.0.0.0 for everybody")
    parser.add_argument("--port", type=_a_port, default=8501, help="where nginx listens")
    parser.add_argument(
        "--inner", type=_a_port, help="first of the ports of the processes, twice as many as they"
    )
    parser.add_argument(
        "--base", type=_a_path, default="", help="the path below which to serve, such as /lab"
    )
    asked = parser.parse_args(arguments)
    try:
        settings = from_environment()
        for check in (lecturer_key, frame_ancestors, allowed_hosts):
            check(os.environ)
    except ValueError as error:
        parser.error(str(error))
    folder, first = folder_of(asked.port), asked.inner or asked.port + 100
    inner = range(first, first + 2 * asked.workers)
    if in_use := [*taken(asked.host, [asked.port]), *taken("127.0.0.1", inner)]:
        ports = ", ".join(map(str, in_use))
        parser.error(f"something listens already on {ports}: stop it, or serve with another PORT or INNER")
    surroundings = environment(folder, workers=asked.workers, first=first, base=asked.base)
    memory = subprocess.run(
        [sys.executable, "-m", "core.memory"], env=surroundings, cwd=ROOT, capture_output=True, text=True
    )
    if memory.returncode:
        parser.error(memory.stderr.strip())
    processes = processes_from(first, asked.workers)
    for left_over in folder.glob(
        "*.sock"
    ):  # by an nginx that was killed: nobody listens, or the port were taken
        left_over.unlink()
    write(folder, processes, settings, listen=f"{asked.host}:{asked.port}", base=asked.base)
    print(
        f"Serving with {asked.workers} processes at http://{asked.host}:{asked.port}{asked.base}; "
        f"logs in {folder}\n"
        f"{memory.stdout.strip()}",
        flush=True,
    )
    command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(CONFIGURATION)]
    os.execve(sys.executable, command, surroundings)


if __name__ == "__main__":
    main()
