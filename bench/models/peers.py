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

PACKAGES = ("requirejs@2.3.6", "d3@5.7.0", "jquery@2.1.0")
SCRIPTS = {
    "require": FOLDER / "js/node_modules/requirejs/require.js",
    "d3": FOLDER / "js/node_modules/d3/dist/d3.min.js",
    "jquery": FOLDER / "js/node_modules/jquery/dist/jquery.min.js",
}
"""Scripts that BertViz' pages load from elsewhere, by their names in the address; npm fetches them."""


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
    if npm := shutil.which("npm"):  # without npm BertViz is left out
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(FOLDER / "js")]
        subprocess.run([npm, "install", *options, *PACKAGES], check=False, capture_output=True)
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
    return next((path.read_text("utf-8") for name, path in SCRIPTS.items() if f"/{name}" in address), None)


def can_draw() -> bool:
    """Return whether the scripts of BertViz' pages are there."""
    return all(path.is_file() for path in SCRIPTS.values())
