"""Serve the app on this machine, and fetch the real models that are missing."""

import argparse
import errno
import os
import re
import runpy
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path

from rooms.reach import EVERYWHERE, machine_address

ROOT = Path(__file__).parents[1]

MODELS = ("smollm2-135m", "all-minilm-l6-v2")
"""Folders in `models/` of the real models that the app fetches: SmolLM2 and MiniLM."""

NOT_INSTALLED = "Attention Lab is not installed for {0}: run {0} -m attention_lab install"
TAKEN = "Port {} of {} is taken: stop the program that uses it, or serve with another --port."
NOT_ALLOWED = (
    "This user is not allowed to listen at port {} of {}: serve with another --port, 1024 or higher."
)
UNKNOWN = "This machine has no address {}: serve with --host localhost, or --host 0.0.0.0 for the network."
LATER = "The app starts without the missing models, and tries again at its next start."

_BASE = re.compile(r"(/[A-Za-z0-9_~-]+)+")
"""A base path without characters that an address or a proxy would change."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--port", type=port, default=8501, help="where the app listens; 8501 by default")
    parser.add_argument("--host", default="localhost", help="0.0.0.0 opens the app to the network")
    parser.add_argument("--base", type=base, default="", help="path below which to serve, such as /lab")
    parser.add_argument("--watch", choices=("none", "auto"), default="none", help="auto shows edits at once")


def port(text: str) -> int:
    """Return the port that a text names. Raises ArgumentTypeError outside 1 to 65535."""
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"expected 1 to 65535, got {text}")
    return int(text)


def base(text: str) -> str:
    """Return a base path as `/lab`, or nothing for the root. Raises ArgumentTypeError for another text."""
    path = f"/{text.strip('/')}" if text.strip("/") else ""
    if path and not _BASE.fullmatch(path):
        raise argparse.ArgumentTypeError(f"expected a path such as /lab, got {text}")
    return path


def run(asked: argparse.Namespace) -> int:
    """Serve until Ctrl-C, and return the exit status: 1 with a sentence if the app cannot start."""
    reason = why_not(asked.host, asked.port)
    if reason:
        print(reason, file=sys.stderr)
        return 1
    fetch_missing()
    os.environ.update(settings(asked.host, asked.port, asked.base, asked.watch))
    # Streamlit reads its settings from the current folder.
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.argv = ["streamlit", "run", str(ROOT / "app.py")]
    with suppress(KeyboardInterrupt):  # Ctrl-C while the app loads
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0


def why_not(host: str, port: int) -> str:
    """Return why the app cannot be served at an address; empty if it can."""
    if find_spec("streamlit") is None or find_spec("torch") is None:
        return NOT_INSTALLED.format(sys.executable)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError:
        return UNKNOWN.format(host)
    return why_not_listening(host, port, family)


def why_not_listening(host: str, port: int, family: socket.AddressFamily = socket.AF_INET) -> str:
    """Return why this process cannot listen at an address; empty if it can."""
    try:
        # It reuses addresses except on Windows, where two programs could then listen at one.
        with socket.create_server((host, port), family=family):
            return ""
    except PermissionError:
        return NOT_ALLOWED.format(port, host)
    except OSError as error:
        return UNKNOWN.format(host) if error.errno == errno.EADDRNOTAVAIL else TAKEN.format(port, host)


def settings(host: str, port: int, base: str = "", watch: str = "none") -> Mapping[str, str]:
    """Return the variables that tell Streamlit where to serve.

    If the app is open to the network, it prints an address that phones can reach.
    """
    shown = (machine_address() or "localhost") if host in EVERYWHERE else host
    if ":" in shown:
        shown = f"[{shown}]"  # as an address of the web has it
    return {
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_ADDRESS": host,
        "STREAMLIT_SERVER_BASE_URL_PATH": base,
        "STREAMLIT_SERVER_FILE_WATCHER_TYPE": watch,
        "STREAMLIT_BROWSER_SERVER_ADDRESS": shown,
    }


def answers(address: str, *, timeout: float) -> bool:
    """Return whether the app at this host:port reports within `timeout` seconds that it is healthy."""
    try:
        # With this header the path is right for every base path, as behind a proxy that strips it.
        asked = urllib.request.Request(
            f"http://{address}/_stcore/health", headers={"X-Forwarded-Prefix": "/"}
        )
        with urllib.request.urlopen(asked, timeout=timeout) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):  # another program may answer there, even with this request itself
        return False


def missing() -> list[str]:
    """Return the folders of `MODELS` that are not complete."""
    return [name for name in MODELS if not (ROOT / "models" / name / "config.json").is_file()]


def fetch_missing() -> None:
    """Fetch missing models; after a failure, print a sentence, and the app runs without them.

    Another process fetches them, because fetching needs memory that the app would keep.
    """
    if missing():
        done = subprocess.run([sys.executable, "-m", "core.pretrained"], cwd=ROOT, check=False)
        if done.returncode:
            print(LATER, file=sys.stderr)
