"""Install the packages that the app needs, with the PyTorch that fits this machine.

This module needs only Python and the `requirements.txt` in the folder above: an image copies just that file
and this one.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""PyTorch's index of builds for the CPU; on Linux the builds of the default index come with CUDA."""

PYTHONS = ((3, 11), (3, 14))
"""The first version of Python that runs the app, and the first that does not."""

SIZES = {"cpu": "about 0.4 GB to fetch, 1.6 GB on disk", "cuda": "about 2.8 GB to fetch, 5.3 GB on disk"}
"""Sizes of all packages on Linux."""

NO_CPU_INDEX = (
    "PyTorch's index of builds for the CPU does not answer or has no build that fits: the default index is "
    "used. Its build may bring CUDA, " + SIZES["cuda"] + "; it runs without a GPU too."
)
FAILED = """\
The packages are not installed; the lines above say why.
- Without a network: on a machine of the same system and Python that has one, run
    python -m pip download --dest wheels --requirement requirements.txt
  and copy the folder here. Then set the variables PIP_NO_INDEX=1 and PIP_FIND_LINKS=wheels, and try again.
- Behind a proxy: set the variable HTTPS_PROXY, such as http://proxy.example:3128, and try again.
- After an interruption: try again; complete packages are not fetched twice."""

OTHER_PYTHON = "Attention Lab needs Python 3.11, 3.12 or 3.13, but this is {}: make .venv with one of these."
INTEL_MAC = (
    "PyTorch has no build newer than 2.2.2 for Macs with an Intel processor, and Attention Lab needs a newer "
    "one. Open it from another machine: docs/operations.md says how to serve it. "
    "On a Mac with Apple silicon, use a Python that is built for it."
)
WINDOWS_ON_ARM = (
    "The package index has no PyTorch for Windows on ARM. Windows 11 also runs Python for x64 processors: "
    "install that one (“Windows installer (64-bit)”), and make .venv with it."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--torch", choices=("cpu", "cuda", ""), default="", help="on Linux: for the CPU alone, or with CUDA"
    )


def run(asked: argparse.Namespace) -> int:
    """Install, and return the exit status: 1 with a sentence if the packages cannot be installed."""
    if reason := impossible(sys.version_info[:2], sysconfig.get_platform(), platform.machine()):
        print(reason, file=sys.stderr)
        return 1
    if sys.platform == "linux":
        _prepare_torch(asked.torch)
    if _pip("--requirement", str(ROOT / "requirements.txt")):
        print(FAILED, file=sys.stderr)
        return 1
    return 0


def is_python(found: tuple[int, ...]) -> bool:
    """Return whether the app runs on a version of Python."""
    return PYTHONS[0] <= found < PYTHONS[1]


def impossible(python: tuple[int, ...], system: str, machine: str) -> str:
    """Return why the app cannot run on a Python and a system, as `sysconfig` names it; empty if it can."""
    if not is_python(python):
        return OTHER_PYTHON.format(".".join(map(str, python)))
    if system.startswith("macosx") and machine == "x86_64":
        return INTEL_MAC
    return WINDOWS_ON_ARM if system == "win-arm64" else ""


def has_nvidia() -> bool:
    """Return whether this machine has an NVIDIA driver."""
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def choice(asked: str) -> tuple[str, str]:
    """Return the build of PyTorch for Linux, `cpu` or `cuda`, and a sentence that says why."""
    build = asked or ("cuda" if has_nvidia() else "cpu")
    title = {"cpu": "for the CPU", "cuda": "with CUDA"}[build]
    why = "because an NVIDIA driver was found" if build == "cuda" else "because no NVIDIA driver was found"
    other = "cpu" if build == "cuda" else "cuda"
    chosen = f"PyTorch {title}, {'as asked' if asked else why}: {SIZES[build]}."
    return build, f"{chosen} For the other build: --torch {other} (with make: TORCH={other}), {SIZES[other]}."


def _prepare_torch(asked: str) -> None:
    """Install PyTorch's build for the CPU, or uninstall it to make room for the build of the default index.

    An installed PyTorch of the right version stays, unless the user asks for another build.
    """
    build, said = choice(asked)
    pin, found = pinned(), installed("torch")
    is_right = found.partition("+")[0] == pin.partition("==")[2]
    is_cpu = found.endswith("+cpu")
    if is_right and (not asked or is_cpu == (build == "cpu")):
        return
    print(said, flush=True)
    if build == "cuda":
        if is_right and is_cpu:
            _pip("--force-reinstall", "--no-deps", pin)
    elif _pip("--force-reinstall", "--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, pin):
        print(NO_CPU_INDEX, flush=True)


def pinned() -> str:
    """Return the line of `requirements.txt` that pins PyTorch."""
    (line,) = re.findall(r"^torch==[\d.]+", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    return str(line)


def installed(package: str) -> str:
    """Return the installed version of a package; empty if there is none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _pip(*options: str) -> int:
    """Run `pip install`, which shows its progress, and return its exit status."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-compile"]
    return subprocess.run([*command, *options], check=False).returncode


if __name__ == "__main__":
    own = argparse.ArgumentParser(prog="python -m attention_lab.installing", description=__doc__)
    add_options(own)
    sys.exit(run(own.parse_args()))
