"""Start the app for many users: `python -m deploy.serve --workers 2` runs supervisor until it is stopped."""

import argparse
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from access.headers import frame_ancestors
from access.logs import LOGS
from access.rules import allowed_hosts
from attention_lab import serving
from deploy.nginx.configuration import Process, write
from deploy.settings import Settings, from_environment, variable
from deploy.supervisor import ENDED
from rooms.lecturer import lecturer_key
from rooms.shared_store import PLACE

ROOT = Path(__file__).parents[1]
CONFIGURATION = ROOT / "deploy" / "supervisor" / "supervisord.conf"
WHERE_ROOT_HAS_IT = "/usr/sbin:/usr/local/sbin"
PROCESSES = "ATTENTION_LAB_PROCESSES"
"""The variable for the number of processes that share the memory of the machine or container."""
BASE = "STREAMLIT_SERVER_BASE_URL_PATH"
"""Streamlit's variable for the path below which the app is served."""
EVERYWHERE = "::"
"""Every address of this machine, of IPv4 and IPv6."""
LONGEST_SOCKET = 107
"""The most bytes of the path of a socket in the file system."""
MOST_WORKERS = 64
LAST_PORT = 65_000
"""The largest port for nginx; the processes use higher ports."""


def find_nginx() -> str:
    """Return the path of nginx. Raises FileNotFoundError, which says how to install it."""
    path = os.pathsep.join([os.environ.get("PATH", ""), WHERE_ROOT_HAS_IT])
    found = shutil.which("nginx", path=path)
    if found is None:
        raise FileNotFoundError("nginx is not installed; on Debian: apt-get install nginx-light")
    return found


def folder_of(port: int) -> Path:
    """Return the folder for the files of a running server on `port`: configuration, logs, sockets."""
    return ROOT / ".serve" / str(port)


def processes_from(first: int, count: int) -> list[Process]:
    """Return `count` processes on the ports from `first` on; the name of each is its port."""
    return [Process(str(port), f"127.0.0.1:{port}") for port in range(first, first + count)]


def taken(host: str, ports: Iterable[int]) -> list[int]:
    """Return the ports on which a program listens already.

    Raises ValueError for a host that is neither an address nor a name of this machine.
    """
    return [port for port in ports if _is_taken(host, port)]


def _is_taken(host: str, port: int) -> bool:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise ValueError(f"HOST must be an address or a name of this machine, got {host}") from None
    errors = {_bind_error(family, address, host) for family, _, _, _, address in found}
    if errors == {errno.EADDRNOTAVAIL}:
        raise ValueError(f"HOST must be an address of this machine, got {host}")
    return bool(errors - {0, errno.EADDRNOTAVAIL})


def _bind_error(family: int, address: Any, host: str) -> int:
    """Return the number of the error of listening on an address; 0 if it succeeds."""
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # A server that was just stopped leaves connections behind for a minute, which do no harm.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, host != EVERYWHERE)
        try:
            probe.bind(address)
        except OSError as error:
            return error.errno or errno.EADDRINUSE
    return 0


def place(host: str, port: int) -> str:
    """Return host and port as in a URL, with IPv6 addresses in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def listening(host: str, port: int) -> str:
    """Return the address of nginx's `listen` directive; `::` is every address, also of IPv4."""
    return place(host, port) + (" ipv6only=off" if host == EVERYWHERE else "")


def check(folder: Path, settings: Settings) -> None:
    """Raise ValueError with a sentence if nginx cannot start with the files in `folder`."""
    for name in ("certificate", "key"):
        path = getattr(settings, name)
        if path and not os.access(path, os.R_OK):
            raise ValueError(f"{variable(name)} must be a file that can be read, got {path}")
    command = [find_nginx(), "-t", "-q", "-e", "stderr", "-p", str(folder), "-c", "nginx.conf"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode:
        raise ValueError(f"nginx cannot be started with these settings: {said.stderr.strip()}")


def supervisor_command() -> list[str]:
    """Return the command that runs supervisor."""
    return [sys.executable, "-m", "supervisor.supervisord", "-c", str(CONFIGURATION)]


def supervise(folder: Path, surroundings: Mapping[str, str]) -> int | str:
    """Run supervisor until it ends; return its status, or the reason if the server had to stop."""
    reason = folder / ENDED
    reason.unlink(missing_ok=True)
    with subprocess.Popen(supervisor_command(), env=surroundings) as supervisor:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda received, _: supervisor.send_signal(received))
        status = supervisor.wait()
    return reason.read_text("utf-8") if reason.exists() else status


def environment(folder: Path, *, workers: int, first: int, base: str = "") -> dict[str, str]:
    """Return the variables of `supervisord.conf`, and Streamlit's settings beyond its configuration file."""
    return {
        **os.environ,
        PLACE: os.environ.get(PLACE) or str(folder / "rooms.sqlite"),
        PROCESSES: str(workers),
        BASE: base,
        # With JSON logs a record is a line of JSON already.
        **({"STREAMLIT_LOGGER_MESSAGE_FORMAT": "%(message)s"} if os.environ.get(LOGS) else {}),
        "SERVE_FOLDER": str(folder),
        "SERVE_ROOT": str(ROOT),
        "SERVE_PYTHON": sys.executable,
        "SERVE_NGINX": find_nginx(),
        "SERVE_WORKERS": str(workers),
        "SERVE_BLUE": str(first),
        "SERVE_GREEN": str(first + workers),
    }


def _up_to(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected 1 to {most}, got {text}")
        return int(text)

    return number


def main(arguments: list[str] | None = None) -> None:
    """Write the configuration, and run supervisor until it ends."""
    parser = argparse.ArgumentParser(prog="python -m deploy.serve", description=__doc__)
    add = parser.add_argument
    add("--workers", type=_up_to(MOST_WORKERS), default=2, help="number of serving processes, 1 to 64")
    add("--host", default="localhost", help="address where nginx listens; 0.0.0.0 for everybody")
    add("--port", type=_up_to(LAST_PORT), default=8501, help="port where nginx listens")
    add("--inner", type=_up_to(LAST_PORT), help="first port of the processes, which need two ports each")
    add("--base", type=serving.base, default="", help="the path below which to serve, such as /lab")
    asked = parser.parse_args(arguments)
    try:
        folder, surroundings = prepared(asked)
    except (FileNotFoundError, ValueError) as error:
        parser.error(str(error))
    sys.exit(supervise(folder, surroundings))


def prepared(asked: argparse.Namespace) -> tuple[Path, Mapping[str, str]]:
    """Write the configuration, say what is served, and return its folder and the variables of supervisor.

    Raises FileNotFoundError or ValueError with a sentence if the app cannot be served.
    """
    find_nginx()
    settings = from_environment()
    for setting in (lecturer_key, frame_ancestors, allowed_hosts):
        setting(os.environ)
    folder, first = folder_of(asked.port), asked.inner or asked.port + 100
    if len(os.fsencode(folder / "supervisor.sock.12345")) > LONGEST_SOCKET:
        raise ValueError(
            f"the path of this folder is too long for the sockets in {folder}: move it up, or rename it"
        )
    inner = range(first, first + 2 * asked.workers)
    if in_use := [*taken(asked.host, [asked.port]), *taken("127.0.0.1", inner)]:
        ports = ", ".join(map(str, in_use))
        raise ValueError(f"another program listens on {ports}: stop it, or serve with another PORT or INNER")
    surroundings = environment(folder, workers=asked.workers, first=first, base=asked.base)
    memory = subprocess.run(
        [sys.executable, "-m", "core.memory"], env=surroundings, cwd=ROOT, capture_output=True, text=True
    )
    if memory.returncode:
        raise ValueError(memory.stderr.strip())
    processes = processes_from(first, asked.workers)
    try:
        # An nginx that was killed left sockets: nobody listens, or the port would be taken.
        for left_over in folder.glob("*.sock"):
            left_over.unlink()
        write(folder, processes, settings, listen=listening(asked.host, asked.port), base=asked.base)
    except OSError as error:
        raise ValueError(
            f"the files of the server cannot be written to {folder}: {error.strerror}"
        ) from error
    check(folder, settings)
    scheme = "https" if settings.certificate else "http"
    print(
        f"Serving with {asked.workers} processes at {scheme}://{place(asked.host, asked.port)}{asked.base}; "
        f"logs in {folder}\n"
        f"{memory.stdout.strip()}",
        flush=True,
    )
    return folder, surroundings


if __name__ == "__main__":
    main()
