"""Check the installation: each line says good or bad, and what to do.

Each check has its own imports, so that the others still run if a package is missing or broken.
"""

import argparse
import re
import shutil
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from attention_lab import installing, serving
from core.memory import free_memory
from rooms.reach import machine_address

ROOT = Path(__file__).parents[1]

MEMORY = 1_300
"""MB for one process of the app, 700, and the browser that draws figures, 600."""

DISK, DISK_FOR_MODELS = 200, 1_000
"""MB free for files of figures and rooms, and for the real models while they are missing."""

SCRIPTS = {"Chinese": "茶", "Japanese": "お", "Korean": "차", "Hindi": "च", "emoji": "🙂"}
"""Scripts that the typeface of the app lacks, each with one of its characters."""

INSTALL = "python -m attention_lab install"
BROWSER_REMEDY = (
    "install Chromium, Google Chrome or Microsoft Edge; on Debian: apt-get install chromium-headless-shell"
)
FONTS_REMEDY = (
    "install the Noto fonts; on Debian: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"
)


@dataclass(frozen=True)
class Finding:
    """Result of a check: its subject, the finding, and a remedy if the result is bad."""

    about: str
    said: str
    remedy: str = ""

    @property
    def is_good(self) -> bool:
        return not self.remedy

    def __str__(self) -> str:
        line = f"{'good' if self.is_good else 'bad ':4}  {self.about:9}  {self.said}"
        return line if self.is_good else f"{line}\n{'':17}Remedy: {self.remedy}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--port", type=serving.port, default=8501, help="port to check; 8501 by default")


def run(asked: argparse.Namespace) -> int:
    """Print what each check finds, and return the exit status: 1 if anything is bad."""
    is_good = True
    for one in findings(asked.port):
        print(one, flush=True)
        is_good = is_good and one.is_good
    return 0 if is_good else 1


def findings(port: int) -> Iterator[Finding]:
    """Yield the result of each check; an error counts as a bad result, and the other checks still run."""
    checks: dict[str, Callable[[], Finding]] = {
        "Python": lambda: python(sys.version_info[:2]),
        "Packages": packages,
        "PyTorch": torch,
        "Browser": browser,
        "Fonts": fonts,
        "Models": models,
        "Port": lambda: at_port(port),
        "Memory": lambda: memory(free_memory()),
        "Disk": disk,
        "Phones": lambda: phones(machine_address(), port),
    }
    for about, check in checks.items():
        try:
            yield check()
        except Exception as error:
            yield Finding(about, f"fails with {type(error).__name__}: {error}", INSTALL)


def python(found: tuple[int, ...]) -> Finding:
    """Return whether the app runs on a version of Python."""
    said = ".".join(map(str, found))
    return Finding(
        "Python", said, "" if installing.is_python(found) else "make .venv with Python 3.11, 3.12 or 3.13"
    )


def packages() -> Finding:
    """Return whether each package that `requirements.txt` pins for this system has its version."""
    text = (ROOT / "requirements.txt").read_text("utf-8")
    pins = re.findall(r"^([\w-]+)==([\w.]+)(; sys_platform != \"win32\")?", text, re.MULTILINE)
    wanted = {
        name: release for name, release, not_windows in pins if not (not_windows and sys.platform == "win32")
    }
    wrong = [f"{name} {_version(name) or 'missing'}" for name in wanted if _release(name) != wanted[name]]
    if not wrong:
        return Finding("Packages", f"all {len(wanted)} as pinned")
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return Finding("Packages", f"not as pinned: {', '.join(wrong[:3])}{more}", INSTALL)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _release(name: str) -> str:
    """Return a version without its build, such as `+cpu`."""
    return _version(name).partition("+")[0]


def torch() -> Finding:
    """Return the version of PyTorch and its device, after it has computed a product there."""
    device, library = import_module("core.device"), import_module("torch")
    chosen = device.choose_device()
    ones = library.ones(2, 2, device=chosen)
    assert (ones @ ones).sum().item() == 8
    said = f"{library.__version__} on {device.describe(chosen)}"
    if chosen.type == "cpu" and installing.has_nvidia():
        said += "; an NVIDIA driver is installed, and `install --torch cuda` makes use of it"
    return Finding("PyTorch", said)


def browser() -> Finding:
    """Return whether the browser that draws figures starts."""
    drawing = import_module("figures.rendering.browser")
    path = drawing.find()
    if path is None:
        return Finding("Browser", "none is found: pictures can only be saved as CSV and HTML", BROWSER_REMEDY)
    with drawing.launched(path):
        return Finding("Browser", f"{path} starts")


def fonts() -> Finding:
    """Return whether saved figures show words of all scripts; this check needs a browser."""
    drawing = import_module("figures.rendering.browser")
    path = drawing.find()
    if path is None:
        return Finding("Fonts", "not checked without a browser", BROWSER_REMEDY)
    with drawing.launched(path) as page:
        undrawn = page.undrawn("".join(SCRIPTS.values()))
    lacking = [name for name, character in SCRIPTS.items() if character in undrawn]
    if not lacking:
        return Finding("Fonts", f"{', '.join(SCRIPTS)} are drawn")
    return Finding("Fonts", f"saved figures show boxes for: {', '.join(lacking)}", FONTS_REMEDY)


def models() -> Finding:
    """Return whether the real models that come with the app are there."""
    lacking = serving.missing()
    if not lacking:
        return Finding("Models", ", ".join(serving.MODELS))
    return Finding("Models", f"missing: {', '.join(lacking)}", "python -m core.pretrained, with a network")


def at_port(port: int) -> Finding:
    """Return whether the app can listen on a port, or already does."""
    if serving.is_free("localhost", port):
        return Finding("Port", f"{port} is free")
    if _answers(port):
        return Finding("Port", f"{port}: the app answers there")
    return Finding("Port", f"{port} is taken", "stop the program that uses it, or serve with another --port")


def _answers(port: int) -> bool:
    """Return whether a process of the app answers; its base path is not known here."""
    asked = urllib.request.Request(
        f"http://localhost:{port}/_stcore/health", headers={"X-Forwarded-Prefix": "/"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


def memory(free: int | None) -> Finding:
    """Return whether this many bytes of free memory are enough; None if the system does not say."""
    if free is None:
        return Finding("Memory", f"not known on this system; the app and its browser take {MEMORY:,} MB")
    said = f"{free // 10**6:,} MB free"
    is_enough = free >= MEMORY * 10**6
    remedy = f"close other programs: the app and the browser that draws figures take {MEMORY:,} MB"
    return Finding("Memory", said, "" if is_enough else remedy)


def disk() -> Finding:
    """Return whether the disk of the app has room."""
    free = shutil.disk_usage(ROOT).free
    needed = DISK_FOR_MODELS if serving.missing() else DISK
    remedy = "" if free >= needed * 10**6 else f"make room: {needed:,} MB are needed"
    return Finding("Disk", f"{free // 10**6:,} MB free", remedy)


def phones(address: str, port: int) -> Finding:
    """Return the address at which phones reach this machine."""
    if not address:
        return Finding("Phones", "this machine is in no network", "join the network of the hall")
    return Finding("Phones", f"http://{address}:{port} if the app is served with --host 0.0.0.0")
