"""Starts the app for many: `python -m deploy.serve --workers 2` runs supervisor until it is stopped."""

import argparse
import os
import shutil
import sys
from pathlib import Path

from deploy.nginx.configuration import Process, write
from deploy.settings import from_environment

ROOT = Path(__file__).parents[1]
CONFIGURATION = ROOT / "deploy" / "supervisor" / "supervisord.conf"
WHERE_ROOT_HAS_IT = "/usr/sbin:/usr/local/sbin"


def find_nginx() -> str:
    """The program nginx; FileNotFoundError says how to come by it."""
    path = os.pathsep.join([os.environ.get("PATH", ""), WHERE_ROOT_HAS_IT])
    found = shutil.which("nginx", path=path)
    if found is None:
        raise FileNotFoundError("nginx is not installed; on Debian: apt-get install nginx-light")
    return found


def folder_of(port: int) -> Path:
    """Where the files of a server on `port` lie while it runs: configuration, logs, sockets."""
    return ROOT / ".serve" / str(port)


def processes_from(first: int, count: int) -> list[Process]:
    """As many processes on the ports from `first` on; each is called by its port."""
    return [Process(str(port), f"127.0.0.1:{port}") for port in range(first, first + count)]


def environment(folder: Path, *, workers: int, first: int) -> dict[str, str]:
    """What `supervisord.conf` asks for, and what Streamlit is told beyond its own file."""
    return {
        **os.environ,
        "SERVE_FOLDER": str(folder),
        "SERVE_ROOT": str(ROOT),
        "SERVE_PYTHON": sys.executable,
        "SERVE_NGINX": find_nginx(),
        "SERVE_WORKERS": str(workers),
        "SERVE_BLUE": str(first),
        "SERVE_GREEN": str(first + workers),
    }


def main(arguments: list[str] | None = None) -> None:
    """Write the configuration and become supervisor."""
    parser = argparse.ArgumentParser(prog="python -m deploy.serve", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="processes that serve at once")
    parser.add_argument("--host", default="localhost", help="where nginx listens; 0.0.0.0 for everybody")
    parser.add_argument("--port", type=int, default=8501, help="where nginx listens")
    parser.add_argument(
        "--inner", type=int, help="first of the ports of the processes, twice as many as they"
    )
    asked = parser.parse_args(arguments)
    folder, first = folder_of(asked.port), asked.inner or asked.port + 100
    processes = processes_from(first, asked.workers)
    write(folder, processes, from_environment(), listen=f"{asked.host}:{asked.port}")
    print(
        f"Serving with {asked.workers} processes at http://{asked.host}:{asked.port}; logs in {folder}",
        flush=True,
    )
    command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(CONFIGURATION)]
    os.execve(sys.executable, command, environment(folder, workers=asked.workers, first=first))


if __name__ == "__main__":
    main()
