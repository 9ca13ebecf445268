"""Check the installation: each line says good or bad, and what to do.

Each check has its own imports, so that the others still run if a package is missing or broken.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
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


Finding = tuple[str, str]
"""The text of a check, and a remedy if the result is bad."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--port", type=serving.port, default=8501, help="port to check; 8501 by default")


def run(asked: argparse.Namespace) -> int:
    """Print what each check finds, and return the exit status: 1 if anything is bad."""
    is_good = True
    for about, said, remedy in findings(asked.port):
        print(f"{'bad ' if remedy else 'good'}  {about:9}  {said}", flush=True)
        if remedy:
            print(f"{'':17}Remedy: {remedy}", flush=True)
            is_good = False
    return 0 if is_good else 1


def findings(port: int) -> Iterator[tuple[str, str, str]]:
    """Yield the subject of each check, its finding and its remedy; an error counts as a bad result."""
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
            yield about, *check()
        except Exception as error:  # the other checks still run
            yield about, f"fails with {type(error).__name__}: {error}", _remedy_of(about, error)


def _remedy_of(about: str, error: Exception) -> str:
    """Return what helps after a check that failed with an error."""
    if isinstance(error, ImportError) or about in ("Packages", "PyTorch"):
        return INSTALL
    return BROWSER_REMEDY if about in ("Browser", "Fonts") else "report this line: the check itself failed"


def python(found: tuple[int, ...]) -> Finding:
    """Return whether the app runs on a version of Python."""
    remedy = "" if installing.is_python(found) else "make .venv with Python 3.11, 3.12 or 3.13"
    return ".".join(map(str, found)), remedy


def packages() -> Finding:
    """Return whether each package that `requirements.txt` pins for this system has its version."""
    text = (ROOT / "requirements.txt").read_text("utf-8")
    pins = re.findall(r"^([\w-]+)==([\w.]+)(; sys_platform != \"win32\")?", text, re.MULTILINE)
    wanted = {
        name: release for name, release, not_windows in pins if not (not_windows and sys.platform == "win32")
    }
    there = {name: installing.installed(name) for name in wanted}
    wrong = [
        f"{name} {there[name] or 'missing'}"
        for name, release in wanted.items()
        if there[name].partition("+")[0] != release  # a build such as +cpu is right
    ]
    if not wrong:
        return f"all {len(wanted)} as pinned", ""
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f"not as pinned: {', '.join(wrong[:3])}{more}", INSTALL


def torch() -> Finding:
    """Return the version of PyTorch and its device, after it has computed a product there."""
    device, library = import_module("core.device"), import_module("torch")
    chosen = device.choose_device()
    ones = library.ones(2, 2, device=chosen)
    assert (ones @ ones).sum().item() == 8
    said = f"{library.__version__} on {device.describe(chosen)}"
    is_cpu_build = sys.platform == "linux" and library.__version__.endswith("+cpu")
    if is_cpu_build and installing.has_nvidia():
        said += "; an NVIDIA driver is installed, and `install --torch cuda` makes use of it"
    return said, ""


def browser() -> Finding:
    """Return whether the browser that draws figures starts."""
    drawing = import_module("figures.rendering.browser")
    path = drawing.find()
    if path is None:
        return "none is found: pictures can only be saved as CSV and HTML", BROWSER_REMEDY
    with drawing.launched(path):
        return f"{path} starts", ""


def fonts() -> Finding:
    """Return whether saved figures show words of all scripts; this check needs a browser."""
    drawing = import_module("figures.rendering.browser")
    path = drawing.find()
    if path is None:
        return "not checked without a browser", BROWSER_REMEDY
    with drawing.launched(path) as page:
        undrawn = page.undrawn("".join(SCRIPTS.values()))
    lacking = [name for name, character in SCRIPTS.items() if character in undrawn]
    if not lacking:
        return f"{', '.join(SCRIPTS)} are drawn", ""
    return f"saved figures show boxes for: {', '.join(lacking)}", FONTS_REMEDY


def models() -> Finding:
    """Return whether the real models that come with the app are there."""
    lacking = serving.missing()
    if not lacking:
        return ", ".join(serving.MODELS), ""
    return f"missing: {', '.join(lacking)}", "python -m core.pretrained, with a network"


def at_port(port: int) -> Finding:
    """Return whether the app can listen on a port, or a Streamlit app already does."""
    why_not = serving.why_not_listening("localhost", port)
    if not why_not:
        return f"{port} is free", ""
    if serving.answers(f"localhost:{port}", timeout=5):
        return f"{port}: a Streamlit app answers there", ""
    said, _, remedy = why_not.partition(": ")
    return said, remedy.removesuffix(".")


def memory(free: int | None) -> Finding:
    """Return whether this many bytes of free memory are enough; None if the system does not say."""
    if free is None:
        return f"not known on this system; the app and its browser take {MEMORY:,} MB", ""
    remedy = f"close other programs: the app and the browser that draws figures take {MEMORY:,} MB"
    return f"{free // 10**6:,} MB free", "" if free >= MEMORY * 10**6 else remedy


def disk() -> Finding:
    """Return whether the disk of the app has room."""
    free = shutil.disk_usage(ROOT).free
    needed = DISK_FOR_MODELS if serving.missing() else DISK
    remedy = "" if free >= needed * 10**6 else f"make room: {needed:,} MB are needed"
    return f"{free // 10**6:,} MB free", remedy


def phones(address: str, port: int) -> Finding:
    """Return the address at which phones reach this machine."""
    if not address:
        return "this machine is not in a network", "join the network of the hall"
    return f"http://{address}:{port} if the app is served with --host 0.0.0.0", ""
