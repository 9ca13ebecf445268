"""The peers, in a separate environment that is made on demand, away from the app."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".peers"
PYTHON = FOLDER / "bin" / "python"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
READY = FOLDER / ".ready"

SCRIPTS = {"require": "requirejs@2.3.6", "d3": "d3@5.7.0", "jquery": "jquery@2.1.0"}
"""Scripts that BertViz' pages load from elsewhere: name in the address, and package in npm."""

SCRIPT_FILES = {
    "require": "requirejs/require.js",
    "d3": "d3/dist/d3.min.js",
    "jquery": "jquery/dist/jquery.min.js",
}


def make() -> None:
    """Install the peers unless the requested versions are there."""
    asked = REQUIREMENTS.read_text("utf-8") + (ROOT / "requirements.txt").read_text("utf-8")
    if READY.is_file() and READY.read_text("utf-8") == asked:
        return
    print("Installing what models are compared with; this takes some minutes.", flush=True)
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    quietly = ["--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [str(PYTHON), "-m", "pip", "install", *quietly, "--requirement", str(REQUIREMENTS)], check=True
    )
    _scripts()
    READY.write_text(asked, "utf-8")


def ask(module: str, *arguments: str) -> str:
    """Return the output of a module of `bench.models` in that environment."""
    command = [str(PYTHON), "-m", f"bench.models.{module}", *arguments]
    offline = os.environ | {"HF_HUB_OFFLINE": "1"}
    return subprocess.run(
        command, cwd=ROOT, env=offline, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def script(address: str) -> str | None:
    """Return the text of a script that a BertViz page requests; None for any other address."""
    name = next((name for name in SCRIPTS if f"/{name}" in address), None)
    path = FOLDER / "js" / "node_modules" / SCRIPT_FILES[name] if name else None
    return path.read_text("utf-8") if path is not None and path.is_file() else None


def can_draw() -> bool:
    """Return whether the scripts of BertViz' pages are there."""
    return all((FOLDER / "js" / "node_modules" / file).is_file() for file in SCRIPT_FILES.values())


def _scripts() -> None:
    """Fetch the scripts with npm; without npm BertViz is left out."""
    npm = shutil.which("npm")
    if npm is None:
        return
    place = FOLDER / "js"
    place.mkdir(exist_ok=True)
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(place)]
    subprocess.run([npm, "install", *options, *SCRIPTS.values()], check=False, capture_output=True)
